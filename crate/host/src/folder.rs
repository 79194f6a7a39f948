//! The per-user folder in which hosts and agents meet. Found from the user's id, not from an environment that
//! browsers and clients have differently. Only a real folder, ours, that nobody else enters, is used.

use crate::trouble::Trouble;
use std::path::PathBuf;

/// Names another folder; set for both halves. For tests and benches.
pub const OVERRIDE: &str = "TABWRIGHT_RUNTIME_DIR";

/// Where hosts and agents meet. May not exist yet.
pub fn place() -> Result<PathBuf, Trouble> {
    match std::env::var_os(OVERRIDE) {
        Some(folder) if !folder.is_empty() => Ok(PathBuf::from(folder)),
        Some(_) | None => usual_place(),
    }
}

/// The folder, made if it was missing, and trusted.
pub fn made() -> Result<PathBuf, Trouble> {
    let folder = place()?;
    if !folder.exists() {
        make(&folder).map_err(|source| Trouble::File {
            what: "cannot make",
            path: folder.clone(),
            source,
        })?;
    }
    check(&folder)?;
    Ok(folder)
}

/// The folder if it exists, and then trusted.
pub fn existing() -> Result<Option<PathBuf>, Trouble> {
    let folder = place()?;
    match std::fs::symlink_metadata(&folder) {
        Ok(_) => check(&folder).map(|()| Some(folder)),
        Err(_) => Ok(None),
    }
}

#[cfg(unix)]
pub use unix::my_uid;
#[cfg(unix)]
use unix::{check, make, usual_place};
#[cfg(windows)]
use windows::{check, make, usual_place};

#[cfg(unix)]
mod unix {
    use super::Trouble;
    use std::{
        fs::{DirBuilder, symlink_metadata},
        io,
        os::unix::fs::{DirBuilderExt, MetadataExt},
        path::{Path, PathBuf},
    };

    /// Whose process this is.
    pub fn my_uid() -> u32 {
        rustix::process::getuid().as_raw()
    }

    pub fn usual_place() -> Result<PathBuf, Trouble> {
        let session = PathBuf::from(format!("/run/user/{}", my_uid()));
        if symlink_metadata(&session).is_ok_and(|found| found.is_dir() && found.uid() == my_uid()) {
            return Ok(session.join("tabwright"));
        }
        let home = std::env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| Trouble::Folder {
            folder: session,
            why: "does not exist, and no home folder is known".to_owned(),
        })?;
        Ok(home.join(".tabwright").join("run"))
    }

    pub fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }

    pub fn check(folder: &Path) -> Result<(), Trouble> {
        let refused = |why: String| Err(Trouble::Folder { folder: folder.to_owned(), why });
        let found = symlink_metadata(folder).map_err(|source| Trouble::File {
            what: "cannot look at",
            path: folder.to_owned(),
            source,
        })?;
        if !found.is_dir() {
            return refused("is no real folder".to_owned());
        }
        if found.uid() != my_uid() {
            return refused(format!("belongs to user {}, not to you", found.uid()));
        }
        let mode = found.mode() & 0o777;
        if mode & 0o077 != 0 {
            return refused(format!("can be entered by others (mode {mode:o})"));
        }
        Ok(())
    }
}

/// Written, not run: there the pipe's own security descriptor guards, and the folder lies in the user's profile,
/// which others cannot enter.
#[cfg(windows)]
mod windows {
    use super::Trouble;
    use std::{
        io,
        path::{Path, PathBuf},
    };

    pub fn usual_place() -> Result<PathBuf, Trouble> {
        let home = std::env::home_dir().ok_or_else(|| Trouble::Folder {
            folder: PathBuf::from("%USERPROFILE%"),
            why: "is not known".to_owned(),
        })?;
        Ok(home.join("AppData").join("Local").join("Tabwright").join("run"))
    }

    pub fn make(folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)
    }

    pub fn check(folder: &Path) -> Result<(), Trouble> {
        if folder.is_dir() {
            return Ok(());
        }
        Err(Trouble::Folder { folder: folder.to_owned(), why: "is no folder".to_owned() })
    }
}
