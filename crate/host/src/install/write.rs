//! Writes what was planned and takes back what was recorded: files whole or not at all, folders only while they are
//! empty, nothing that somebody changed since.

use super::{
    clients::{Client, Removed},
    plan::{What, Whom, Write},
    record::{self, Made, Record},
    registry::Registry,
};
use std::{
    collections::BTreeSet,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

/// What came of one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Came {
    /// It was so already.
    Unchanged,
    /// It was written.
    Written,
}

/// Whether it is as it should be.
pub fn is_so(write: &Write, registry: &dyn Registry) -> bool {
    match &write.what {
        What::File { path, content, program } => {
            fs::read(path).is_ok_and(|there| there == *content) && (!program || may_be_started(path))
        }
        What::NoFile { path } => !path.exists(),
        What::Key { key, path } => registry.get(key).is_some_and(|there| Path::new(&there) == path),
        What::Settings { .. } => false,
        What::SettingsKept { .. } => true,
    }
}

/// Makes it so. Folders that had to be made are added to `made`.
pub fn carry_out(
    write: &Write,
    before: &Record,
    made: &mut BTreeSet<PathBuf>,
    registry: &mut dyn Registry,
) -> io::Result<Came> {
    if is_so(write, registry) {
        return Ok(Came::Unchanged);
    }
    match &write.what {
        What::File { path, content, program } => put(path, content, Mode::of(*program), made)?,
        What::Settings { path, text, .. } => put_settings(path, text, made)?,
        What::Key { key, path } => registry.set(key, &path.display().to_string())?,
        What::NoFile { path } => drop(remove_if_ours(path, before.files.get(path))?),
        What::SettingsKept { .. } => {}
    }
    Ok(Came::Written)
}

/// Who may do what with a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The owner alone reads it.
    Private,
    /// Everybody reads it.
    Plain,
    /// Everybody may start it.
    Program,
}

impl Mode {
    fn of(program: bool) -> Self {
        if program { Self::Program } else { Self::Plain }
    }
}

/// Whole or not at all: browsers read whenever they like.
pub fn put(path: &Path, content: &[u8], mode: Mode, folders: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    make_folder(folder, folders)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(content)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let bits = match mode {
            Mode::Private => 0o600,
            Mode::Plain => 0o644,
            Mode::Program => 0o755,
        };
        new.as_file().set_permissions(fs::Permissions::from_mode(bits))?;
    }
    #[cfg(not(unix))]
    let _ = mode;
    new.persist(path)?;
    Ok(())
}

/// As [`put`], where a link points to, with the permissions that are there.
fn put_settings(path: &Path, text: &str, made: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    match fs::canonicalize(path) {
        Ok(real) => {
            let permissions = fs::metadata(&real)?.permissions();
            put(&real, text.as_bytes(), Mode::Private, made)?;
            fs::set_permissions(&real, permissions)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            put(path, text.as_bytes(), Mode::Private, made)
        }
        Err(error) => Err(error),
    }
}

fn make_folder(folder: &Path, made: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make_folder(parent, made)?;
    }
    fs::create_dir(folder)?;
    made.insert(folder.to_owned());
    Ok(())
}

/// Whether the system would start it.
pub fn may_be_started(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

/// What came of taking something back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Back {
    /// It was removed.
    Removed(String),
    /// Somebody changed it since: it stays.
    Changed(String),
}

/// Whether a file was there and is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Removed,
    Changed,
    NotThere,
}

fn remove_if_ours(path: &Path, hash: Option<&String>) -> io::Result<Taken> {
    match fs::read(path) {
        Ok(content) if hash.is_some_and(|hash| *hash == record::hash(&content)) => {
            fs::remove_file(path).map(|()| Taken::Removed)
        }
        Ok(_) => Ok(Taken::Changed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Taken::NotThere),
        Err(error) => Err(error),
    }
}

/// Takes back all that was recorded. What cannot be taken back is told with its path.
pub fn take_back(record: &Record, registry: &mut dyn Registry) -> Result<Vec<Back>, (PathBuf, io::Error)> {
    let mut back = Vec::new();
    for (name, entry) in &record.clients {
        let told = |what: &str| format!("{name}: {what}: {}", entry.file.display());
        match take_back_entry(name, entry).map_err(|error| (entry.file.clone(), error))? {
            Taken::Removed => back.push(Back::Removed(told("removed from"))),
            Taken::Changed => back.push(Back::Changed(told("left alone, cannot be edited"))),
            Taken::NotThere => {}
        }
    }
    for (key, path) in &record.keys {
        match registry.get(key) {
            Some(there) if there == *path => {
                registry.remove(key).map_err(|error| (PathBuf::from(key), error))?;
                back.push(Back::Removed(format!("removed: {key}")));
            }
            Some(_) => back.push(Back::Changed(format!("left alone, changed since: {key}"))),
            None => {}
        }
    }
    for (path, hash) in &record.files {
        match remove_if_ours(path, Some(hash)).map_err(|error| (path.clone(), error))? {
            Taken::Removed => back.push(Back::Removed(format!("removed: {}", path.display()))),
            Taken::Changed => {
                back.push(Back::Changed(format!("left alone, changed since: {}", path.display())));
            }
            Taken::NotThere => {}
        }
    }
    Ok(back)
}

/// Removes the folders that were made, the inner ones first, as far as they are empty.
pub fn take_back_folders(record: &Record) {
    for folder in record.folders.iter().rev() {
        // Refused where something is left in it: that is meant.
        let _ = fs::remove_dir(folder);
    }
}

fn take_back_entry(name: &str, entry: &record::Entry) -> io::Result<Taken> {
    let Some(client) = Client::named(name) else { return Ok(Taken::NotThere) };
    let text = match fs::read_to_string(&entry.file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Taken::NotThere),
        Err(error) => return Err(error),
    };
    // Nobody else wrote to it: every byte comes back.
    if let Some(before) = entry.undo.as_ref().and_then(|undo| undo.apply(&text)) {
        return match entry.made {
            Made::File => fs::remove_file(&entry.file),
            Made::Path | Made::Entry | Made::List => put_settings(&entry.file, &before, &mut BTreeSet::new()),
        }
        .map(|()| Taken::Removed);
    }
    // An entry that names another program now is no longer ours.
    match client.find(&text) {
        Ok(Some(found)) if found.program == entry.program => {}
        Ok(Some(_)) | Err(_) => return Ok(Taken::Changed),
        Ok(None) => return Ok(Taken::NotThere),
    }
    match client.remove(&text, entry.made) {
        Ok(Removed::Text(text)) => {
            put_settings(&entry.file, &text, &mut BTreeSet::new()).map(|()| Taken::Removed)
        }
        Ok(Removed::Nothing) => fs::remove_file(&entry.file).map(|()| Taken::Removed),
        Ok(Removed::Gone) => Ok(Taken::NotThere),
        Err(_) => Ok(Taken::Changed),
    }
}

/// The thing's place, for people.
pub fn place(write: &Write) -> String {
    match &write.what {
        What::File { path, .. }
        | What::NoFile { path }
        | What::Settings { path, .. }
        | What::SettingsKept { path } => path.display().to_string(),
        What::Key { key, .. } => format!(r"HKEY_CURRENT_USER\{key}"),
    }
}

/// Whether it is one of the extension's files, which are told together.
pub fn of_extension(write: &Write) -> bool {
    write.whom == Whom::Extension
}
