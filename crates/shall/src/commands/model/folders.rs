//! Where the files of a model are: beside it, in the folders that code adds to the path, in the folders below its own, and in its project.
//!
//! The first of these places that has a file of a name counts. Folders that are added have an order, as in MATLAB. In the two other places
//! MATLAB's order is not known: files of the same name must have the same content, or none of them is used, and [`Folders::several`]
//! says where they are. Links to folders are not followed, and the number of folders and files is limited.

use crate::files::read_bytes;
use simulink::mat;
use simulink::matlab::{File, Files, Wanted};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Component, Path, PathBuf};

/// The maximum number of folders and of files that are looked at in each place, and how deep they are.
const MAX_FOLDERS: usize = 2_000;
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 8;

/// How far up the folder of a project is looked for.
const MAX_UP: usize = 6;

/// The longest file that code is read from or that is compared with others.
const MAX_BYTES: u64 = 32 << 20;

/// The files around a model.
pub(super) struct Folders {
    /// The folder of the model.
    home: PathBuf,
    /// The folders on the path, in its order.
    added: RefCell<Vec<PathBuf>>,
    below: OnceCell<Tree>,
    project: OnceCell<Tree>,
    /// The files that code used.
    used: RefCell<BTreeSet<PathBuf>>,
    /// The names that several files have.
    several: RefCell<BTreeMap<String, Vec<PathBuf>>>,
}

/// The files of a folder and those below it, by their names.
#[derive(Default)]
struct Tree(BTreeMap<String, Vec<PathBuf>>);

impl Folders {
    pub(super) fn around(model: &Path) -> Folders {
        Folders {
            home: model.parent().unwrap_or(Path::new("")).to_owned(),
            added: RefCell::default(),
            below: OnceCell::new(),
            project: OnceCell::new(),
            used: RefCell::default(),
            several: RefCell::default(),
        }
    }

    /// The file of a name with one of these endings; in one folder, the first ending counts.
    pub(super) fn find(&self, name: &str, endings: &[&str]) -> Option<PathBuf> {
        if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
            return None;
        }
        let names: Vec<String> = endings.iter().map(|ending| format!("{name}.{ending}")).collect();
        let within = |folder: &Path| names.iter().map(|it| folder.join(it)).find(|it| it.is_file());
        let on_path = || self.added.borrow().iter().find_map(|it| within(it));
        within(&self.home).or_else(on_path).or_else(|| {
            [Self::below, Self::project].into_iter().find_map(|place| {
                let tree = place(self);
                let mut found: Vec<&PathBuf> = names.iter().flat_map(|it| tree.named(it)).collect();
                let mut folders = BTreeSet::new();
                found.retain(|it| folders.insert(it.parent()));
                let first = *found.first()?;
                if found.iter().skip(1).all(|it| is_same(first, it)) {
                    return Some(Some(first.clone()));
                }
                let all = found.into_iter().cloned().collect();
                self.several.borrow_mut().insert(name.to_owned(), all);
                Some(None)
            })?
        })
    }

    /// The data files and scripts of each place, from the nearest to the farthest, without those of the places before.
    pub(super) fn places(&self) -> impl Iterator<Item = Vec<PathBuf>> {
        let mut seen = BTreeSet::new();
        let place = |number: usize| match number {
            0 => data_in(&self.home),
            1 => {
                let added = self.added.borrow();
                let added = added.iter().flat_map(|it| data_in(it));
                added.chain(self.below().data().cloned()).collect()
            }
            _ => self.project().data().cloned().collect(),
        };
        (0..3).map(move |number| {
            place(number)
                .into_iter()
                .filter(|it| seen.insert(it.canonicalize().unwrap_or(it.clone())))
                .collect()
        })
    }

    /// The files that code used since the last question.
    pub(super) fn used(&self) -> BTreeSet<PathBuf> {
        self.used.take()
    }

    /// The names that were looked for and that several files have, with these files.
    pub(super) fn several(&self) -> BTreeMap<String, Vec<PathBuf>> {
        self.several.borrow().clone()
    }

    /// The scripts that MATLAB runs when it starts in the folder of the model or of its project.
    pub(super) fn startup(&self) -> Vec<PathBuf> {
        let folders = [Some(self.home.clone()), self.root()].into_iter().flatten();
        let mut found: Vec<PathBuf> =
            folders.map(|it| it.join("startup.m")).filter(|it| it.is_file()).collect();
        found.dedup();
        found
    }

    /// Whether a file is beside the model.
    pub(super) fn is_beside(&self, path: &Path) -> bool {
        path.parent().unwrap_or(Path::new("")) == self.home
    }

    fn below(&self) -> &Tree {
        self.below.get_or_init(|| Tree::of(&self.home))
    }

    fn project(&self) -> &Tree {
        self.project.get_or_init(|| self.root().map_or(Tree::default(), |root| Tree::of(&root)))
    }

    /// The folder of the project: the nearest one above the model, or its own, that looks like one.
    fn root(&self) -> Option<PathBuf> {
        let mut folder = self.home.clone();
        for _ in 0..=MAX_UP {
            if is_project(&folder) {
                return Some(folder);
            }
            folder = above(&folder)?;
        }
        None
    }

    /// A folder that a script names.
    fn folder_of(&self, name: &str, script: &str) -> Option<PathBuf> {
        let name = PathBuf::from(name.replace('\\', "/"));
        // Paths in a script are those of the current folder; many scripts are run in their own.
        let own = Path::new(script).parent().unwrap_or(Path::new(""));
        let found = [self.home.join(&name), own.join(&name)].into_iter().find(|it| here(it).is_dir())?;
        Some(self.shown(&plain(&found)))
    }

    /// A path as the user gave that of the model: relative to the current folder, if that one was.
    fn shown(&self, path: &Path) -> PathBuf {
        let current = std::env::current_dir().ok().filter(|_| self.home.is_relative());
        current.and_then(|it| path.strip_prefix(it).ok()).unwrap_or(path).to_owned()
    }
}

impl Files for Folders {
    fn find(&self, name: &str, wanted: Wanted, script: &str) -> Option<File> {
        let ending = if wanted == Wanted::Code { "m" } else { "mat" };
        let path = PathBuf::from(name.replace('\\', "/"));
        let (stem, folder) = (path.file_name()?.to_str()?, path.parent().unwrap_or(Path::new("")));
        let stem = match stem.rsplit_once('.') {
            Some((stem, end)) if end == ending => stem,
            Some(_) => return None,
            None => stem,
        };
        let file = format!("{stem}.{ending}");
        let named = self.folder_of(folder.to_str()?, script).filter(|_| !folder.as_os_str().is_empty());
        let beside = Path::new(script).parent().filter(|_| !script.is_empty()).map(Path::to_owned);
        // A folder of another machine does not count.
        let exact = named.into_iter().chain(beside).map(|it| it.join(&file)).find(|it| it.is_file());
        let path = exact.map(|it| self.shown(&it)).or_else(|| self.find(stem, &[ending]))?;
        let found = match wanted {
            Wanted::Code => File::Code(read_code(&path)?, absolute(&path)),
            Wanted::Data => {
                File::Data(mat::read(&read_bytes(&path).ok()?, mat::Limits::default()).ok()?.variables)
            }
        };
        self.used.borrow_mut().insert(path);
        Some(found)
    }

    fn folder(&self) -> String {
        absolute(&self.home)
    }

    fn below(&self, folder: &str, script: &str) -> Vec<String> {
        let Some(folder) = self.folder_of(folder, script) else { return Vec::new() };
        let mut found = Vec::new();
        walk(&folder, &mut |it| found.push(it.display().to_string()), &mut |_| {});
        found
    }

    fn add(&self, folders: &[&str], is_last: bool, script: &str) {
        let folders: Vec<PathBuf> = folders.iter().filter_map(|it| self.folder_of(it, script)).collect();
        let mut added = self.added.borrow_mut();
        added.retain(|it| !folders.contains(it));
        let at = if is_last { added.len() } else { 0 };
        added.splice(at..at, folders);
        added.truncate(MAX_FOLDERS);
    }
}

impl Tree {
    fn of(folder: &Path) -> Tree {
        let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        walk(folder, &mut |_| {}, &mut |path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.entry(name).or_default().push(path);
        });
        Tree(found)
    }

    fn named(&self, name: &str) -> &[PathBuf] {
        self.0.get(name).map_or(&[], |it| it)
    }

    fn data(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.values().flatten().filter(|it| is_data(it))
    }
}

/// The text of code. Comments may have any encoding.
pub(super) fn read_code(path: &Path) -> Option<String> {
    let is_short = path.metadata().is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES);
    let bytes = is_short.then(|| read_bytes(path).ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The data files and scripts of a folder, by name.
pub(super) fn data_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(here(folder)).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|it| folder.join(it.file_name())).filter(|it| is_data(it) && it.is_file()).collect();
    found.sort();
    found
}

fn is_data(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "m" || it == "mat")
}

/// Visits a folder and those below it that can be on the path, and their files with code, data and models: outer folders first.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path), found: &mut dyn FnMut(PathBuf)) {
    let mut open = VecDeque::from([(folder.to_owned(), 0)]);
    let (mut folders, mut files) = (0, 0);
    while let Some((folder, depth)) = open.pop_front() {
        folders += 1;
        if folders > MAX_FOLDERS || files > MAX_FILES {
            return;
        }
        visit(&folder);
        let entries = std::fs::read_dir(here(&folder)).into_iter().flatten().flatten();
        let mut entries: Vec<_> =
            entries.take(MAX_FILES).map(|it| (it.file_name(), it.file_type())).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, kind) in entries {
            let path = folder.join(&name);
            // A link is not a folder here, so that there are no loops.
            if kind.is_ok_and(|it| it.is_dir()) {
                if depth < MAX_DEPTH && can_be_on_path(&name.to_string_lossy()) {
                    open.push_back((path, depth + 1));
                }
            } else if path
                .extension()
                .is_some_and(|it| ["m", "mat", "mdl", "slx"].iter().any(|end| it == *end))
            {
                files += 1;
                // Neither a link to a folder nor a pipe.
                if path.is_file() {
                    found(path);
                }
            }
        }
    }
}

/// Whether a folder of this name can have files that a model uses: not what MATLAB leaves out of its path, nor what is generated.
fn can_be_on_path(name: &str) -> bool {
    let others = ["private", "resources", "slprj", "codegen", "target", "node_modules"];
    !name.starts_with(['.', '@', '+']) && !others.contains(&name) && !name.ends_with("_rtw")
}

/// Whether a folder has a MATLAB project, a startup script or a repository.
fn is_project(folder: &Path) -> bool {
    let marks = ["startup.m", ".git", "resources/project"];
    marks.iter().any(|it| folder.join(it).exists())
        || std::fs::read_dir(here(folder))
            .into_iter()
            .flatten()
            .flatten()
            .any(|it| Path::new(&it.file_name()).extension().is_some_and(|it| it == "prj"))
}

/// A path as code sees it.
pub(super) fn absolute(path: &Path) -> String {
    std::path::absolute(here(path)).map_or_else(|_| String::new(), |it| plain(&it).display().to_string())
}

fn is_same(a: &Path, b: &Path) -> bool {
    let length = |path: &Path| path.metadata().ok().map(|it| it.len()).filter(|it| *it <= MAX_BYTES);
    let content = |path: &Path| read_bytes(path).ok();
    length(a).is_some() && length(a) == length(b) && content(a).is_some() && content(a) == content(b)
}

/// A folder that can be opened: an empty path is the current one.
fn here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The folder above another one; none above the root.
fn above(folder: &Path) -> Option<PathBuf> {
    match folder.components().next_back() {
        None | Some(Component::CurDir | Component::ParentDir) => Some(folder.join("..")),
        Some(Component::Normal(_)) => folder.parent().map(Path::to_owned),
        Some(Component::RootDir | Component::Prefix(_)) => None,
    }
}

/// A path without the parts that lead nowhere: `a/./b/../c` is `a/c`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => plain = above(&plain).unwrap_or(plain),
            other => plain.push(other),
        }
    }
    plain
}
