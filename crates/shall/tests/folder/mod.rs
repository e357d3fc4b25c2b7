//! A folder of its own for each test, gone afterwards.

use std::path::PathBuf;

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("shall-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().expect("a file is in a folder"))
                .expect("the folder can be made");
            std::fs::write(file, text).expect("the file can be written");
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
