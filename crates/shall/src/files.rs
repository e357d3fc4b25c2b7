//! Files and streams: everything that the program reads and writes goes through here.
//!
//! A file is written whole or not at all: to a new file beside it, forced to disk, which then takes its name. What is not
//! a regular file (a device, a FIFO, `/dev/stdout`) is written through. `-` is standard input or output.

use crate::Error;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The most bytes that are read from standard input.
const MAX_INPUT: u64 = 1 << 30;
/// The longest chain of links that is followed.
const MAX_LINKS: usize = 40;

/// Whether a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    if !is_standard(path) {
        return fs::read(path).map_err(Error::read(path));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::Read("standard input".into(), error))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(Error::input("standard input", format_args!("more than {MAX_INPUT} bytes")));
    }
    Ok(bytes)
}

/// The text of a file, or of standard input for `-`; other encodings than UTF-8 are refused.
pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::file(path, format_args!("byte {at} is not UTF-8; save the file as UTF-8"))
    })
}

/// Writes a file; `-` is standard output. Links are followed, and the permissions of a file that exists are kept.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    write_with(path, |out| out.write_all(content.as_ref()))
}

/// Writes a program and, in languages that have one, its header beside it; on standard output, one after the other.
pub(crate) fn write_beside(path: &Path, header: Option<&str>, text: impl AsRef<[u8]>) -> Result<(), Error> {
    let mut bytes = Vec::new();
    if let Some(header) = header {
        if is_standard(path) {
            bytes.extend(header.as_bytes());
        } else {
            let beside = path.with_extension("h");
            write_file(&beside, header)?;
            let name = beside.file_name().unwrap_or_default().to_string_lossy();
            bytes.extend(format!("#include \"{name}\"\n").into_bytes());
        }
    }
    bytes.extend(text.as_ref());
    write_file(path, bytes)
}

/// As [`write_file`], piece by piece.
pub(crate) fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), Error> {
    let fill = |out: &mut dyn io::Write| {
        let mut out = BufWriter::new(out);
        fill(&mut out).and_then(|()| out.flush())
    };
    if is_standard(path) || path == Path::new("/dev/stdout") {
        return printed(fill(&mut io::stdout().lock()));
    }
    let target = followed(path);
    let old = fs::metadata(&target).ok();
    let special = ["/dev", "/proc"].iter().any(|it| target.starts_with(it) || path.starts_with(it));
    let written = if special || old.as_ref().is_some_and(|it| !it.is_file()) {
        OpenOptions::new().append(true).open(&target).and_then(|mut file| fill(&mut file))
    } else {
        replace(&target, old.as_ref(), fill)
    };
    written.map_err(Error::write(path))
}

/// Makes a folder and those around it.
pub(crate) fn create_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(Error::write(path))
}

/// The path that a chain of links ends at, even if nothing is there.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().map_or(next.clone(), |folder| folder.join(next));
    }
    path
}

fn replace(
    target: &Path,
    old: Option<&fs::Metadata>,
    fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut new = NewFile::beside(target)?;
    fill(&mut new.file)?;
    if let Some(old) = old {
        new.file.set_permissions(old.permissions())?;
    }
    new.file.sync_all()?;
    fs::rename(&new.path, target)
}

/// A file that is being written beside the place where it is to be. If it does not get there, nothing is left of it.
pub(crate) struct NewFile {
    file: File,
    path: PathBuf,
    target: PathBuf,
}

impl NewFile {
    pub(crate) fn beside(target: &Path) -> io::Result<NewFile> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = target.file_name().ok_or(ErrorKind::InvalidFilename)?.to_string_lossy();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = target.with_file_name(format!(".{name}.{}-{number}.new", std::process::id()));
        Ok(NewFile { file: File::create_new(&path)?, path, target: target.to_path_buf() })
    }

    /// Writes the next bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Gives the file its name, unless another file has it.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, &self.target) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists && !self.target.exists() => {
                // Not every file system has links.
                fs::rename(&self.path, &self.target)
            }
            linked => linked,
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // It is gone if it got its name.
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes a result to standard output, exactly.
pub(crate) fn print(text: impl Display) -> Result<(), Error> {
    print_bytes(text.to_string().as_bytes())
}

/// Writes bytes to standard output. That a reader has gone away, as in `| head`, is not a failure, and the verdict keeps
/// its exit code.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    printed(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes a text with colours to standard output, where colours are wanted.
pub(crate) fn print_styled(text: &str) -> Result<(), Error> {
    printed(anstream::stdout().write_all(text.as_bytes()))
}

fn printed(written: io::Result<()>) -> Result<(), Error> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::Write("standard output".into(), error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a message to standard error; if that fails, there is nobody left to tell.
pub(crate) fn tell(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn files_are_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("shall-files-{}", std::process::id()));
        create_folder(&folder).expect("a folder");
        let (file, link, dangling) = (folder.join("file"), folder.join("link"), folder.join("dangling"));
        write_file(&file, "one").expect("a new file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
        symlink("file", &link).expect("a link");
        symlink("absent", &dangling).expect("a link");
        write_file(&link, "two").expect("a link to a file");
        write_file(&dangling, "three").expect("a link to nothing");
        for (path, text, is_link) in [(&file, "two", false), (&link, "two", true), (&dangling, "three", true)]
        {
            assert_eq!(fs::read_to_string(path).expect("a file"), text);
            assert_eq!(path.symlink_metadata().expect("a file").is_symlink(), is_link, "{path:?}");
        }
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
        // What cannot be written whole leaves the old file and nothing else.
        let failed = write_with(&file, |out| {
            out.write_all(b"half")?;
            Err(ErrorKind::Other.into())
        });
        assert!(matches!(failed, Err(Error::Write(..))));
        assert_eq!(fs::read_to_string(&file).expect("a file"), "two");
        let mut names: Vec<_> =
            fs::read_dir(&folder).expect("a folder").flatten().map(|it| it.file_name()).collect();
        names.sort();
        assert_eq!(names, ["absent", "dangling", "file", "link"]);
        // A file that is new does not replace another one.
        for (name, expected) in [("new", Ok(())), ("file", Err(ErrorKind::AlreadyExists))] {
            let mut new = NewFile::beside(&folder.join(name)).expect("a new file");
            new.add(b"four").expect("bytes");
            assert_eq!(new.finish().map_err(|error| error.kind()), expected, "{name}");
        }
        drop(NewFile::beside(&folder.join("dropped")).expect("a new file"));
        assert_eq!(fs::read_to_string(&file).expect("a file"), "two");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 5);
        // Devices and FIFOs are written through.
        write_file(Path::new("/dev/null"), "gone").expect("a device");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
        assert!(matches!(write_file(Path::new("/dev/full"), "full"), Err(Error::Write(..))));
        assert!(matches!(write_file(&folder, "a folder"), Err(Error::Write(..))));
        assert!(matches!(write_file(&folder.join("no/file"), ""), Err(Error::Write(..))));
        let fifo = folder.join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
        assert!(made.success());
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read_to_string(fifo).expect("a text")
        });
        write_file(&fifo, "through").expect("a FIFO");
        assert_eq!(reader.join().expect("a reader"), "through");
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
