//! A project as it is in a revision of git, read through the program `git`.

use crate::Error;
use crate::workspace::{FILE, is_document};
use project::{Config, Document, Project};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// After this long a call of git is given up.
const LIMIT: Duration = Duration::from_secs(60);

/// The project in a revision; nothing if it has no project file there. The folder is that of the project.
pub(super) fn project(folder: &Path, revision: &str) -> Result<Option<Project>, Error> {
    if revision.starts_with('-') {
        return Err(Error::Usage(format!("`{revision}` is not a revision")));
    }
    let commit = git(folder, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")], b"");
    let commit = match commit {
        Ok(name) => String::from_utf8_lossy(&name).trim().to_string(),
        Err(Failure::Said(said)) if said.is_empty() => {
            return Err(Error::Usage(format!(
                "`{revision}` is not a revision of the repository; to compare folders, name two"
            )));
        }
        Err(failure) => return Err(Error::refused(failure)),
    };
    let listed = git(folder, &["ls-tree", "-r", "-z", &commit, "--", "."], b"").map_err(Error::refused)?;
    let files = files(&listed);
    let Some((_, settings)) = files.iter().find(|(path, _)| path == FILE) else { return Ok(None) };
    let texts = contents(folder, &[settings])?;
    let text = texts.first().map(|bytes| utf8(bytes, revision, FILE)).transpose()?.unwrap_or_default();
    let (config, wrong) = Config::read(&text);
    if let Some(wrong) = wrong.first() {
        return Err(Error::input(format_args!("{revision}:{FILE}"), &wrong.message));
    }
    let nested: Vec<&str> =
        files.iter().filter_map(|(path, _)| path.strip_suffix(FILE)?.strip_suffix('/')).collect();
    let mut wanted: Vec<&(String, String)> =
        files.iter().filter(|(path, _)| is_document(&config, path, &nested)).collect();
    wanted.sort();
    let objects: Vec<&String> = wanted.iter().map(|(_, object)| object).collect();
    let mut documents = Vec::new();
    for ((path, _), bytes) in wanted.iter().zip(contents(folder, &objects)?) {
        documents.push(Document::read(path.clone(), utf8(&bytes, revision, path)?));
    }
    Ok(Some(Project { config, documents }))
}

fn utf8(bytes: &[u8], revision: &str, path: &str) -> Result<String, Error> {
    let text = String::from_utf8(bytes.to_vec());
    text.map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::input(format_args!("{revision}:{path}"), format_args!("byte {at} is not UTF-8"))
    })
}

/// The files in what `ls-tree -z` lists (`mode SP type SP object TAB path NUL`), with their objects. Links and
/// submodules are not files.
fn files(listed: &[u8]) -> Vec<(String, String)> {
    listed
        .split(|&byte| byte == 0)
        .filter_map(|line| {
            let (about, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
            let mut about = about.split(' ');
            let (mode, kind, object) = (about.next()?, about.next()?, about.next()?);
            (kind == "blob" && mode != "120000").then(|| (path.to_string(), object.to_string()))
        })
        .collect()
}

/// The contents of objects: `object SP blob SP size LF content LF` for each.
fn contents(folder: &Path, objects: &[&String]) -> Result<Vec<Vec<u8>>, Error> {
    let asked: String = objects.iter().map(|object| format!("{object}\n")).collect();
    let answer = git(folder, &["cat-file", "--batch"], asked.as_bytes()).map_err(Error::refused)?;
    let mut rest = answer.as_slice();
    let mut all = Vec::new();
    for object in objects {
        let content = (|| {
            let end = rest.iter().position(|&byte| byte == b'\n')?;
            let size: usize = std::str::from_utf8(rest.get(..end)?).ok()?.rsplit(' ').next()?.parse().ok()?;
            let content = rest.get(end + 1..end + 1 + size)?;
            rest = rest.get(end + 2 + size..)?;
            Some(content.to_vec())
        })();
        all.push(content.ok_or_else(|| Error::Refused(format!("git could not read the object {object}")))?);
    }
    Ok(all)
}

/// Why git gave no answer.
enum Failure {
    /// It does not run.
    Absent(std::io::Error),
    /// It took too long.
    Late,
    /// What it said on its standard error.
    Said(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Absent(error) if error.kind() == std::io::ErrorKind::NotFound => {
                write!(
                    f,
                    "revisions need the program `git`, which was not found; two folders can be compared without it"
                )
            }
            Failure::Absent(error) => write!(f, "git does not run: {error}"),
            Failure::Late => write!(f, "git did not answer within {} seconds", LIMIT.as_secs()),
            Failure::Said(said) if said.is_empty() => write!(f, "git failed without a message"),
            Failure::Said(said) => write!(f, "git: {}", said.strip_prefix("fatal: ").unwrap_or(said)),
        }
    }
}

/// Runs git in a folder and gives its standard output.
fn git(folder: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut child = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Failure::Absent)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.map(|mut stdout| stdout.read_to_end(&mut bytes));
        bytes
    });
    let listener = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.map(|mut stderr| stderr.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).trim().to_string()
    });
    let ended = wait(&mut child)?;
    let _ = writer.join();
    let (out, said) = (reader.join().unwrap_or_default(), listener.join().unwrap_or_default());
    if ended { Ok(out) } else { Err(Failure::Said(said)) }
}

/// Whether the child ended well; one that takes too long is stopped.
fn wait(child: &mut Child) -> Result<bool, Failure> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if start.elapsed() < LIMIT => thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::Late);
            }
        }
    }
}
