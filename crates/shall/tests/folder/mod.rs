//! A folder of its own for each test, gone afterwards.

use crate::common::{Run, command};
use std::path::PathBuf;

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("shall-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the folder can be made");
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().expect("a file is in a folder"))
                .expect("the folder can be made");
            std::fs::write(file, text).expect("the file can be written");
        }
        Folder(path)
    }

    /// The command in this folder ends with this code, and prints these parts; its output.
    #[track_caller]
    #[allow(dead_code, reason = "not every test runs commands like this")]
    pub(crate) fn check(&self, arguments: &[&str], code: i32, parts: &[&str]) -> String {
        let run = Run::of(command(arguments).current_dir(&self.0).output().expect("the command starts"));
        let all = format!("{}{}", run.out, run.err);
        assert_eq!(run.code, code, "{arguments:?}\n{all}");
        for part in parts {
            assert!(all.contains(part), "{arguments:?}: no `{part}` in\n{all}");
        }
        run.out
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
