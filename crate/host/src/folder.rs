//! The per-user folder in which hosts and agents meet. Found from the user's id, not from an environment that
//! browsers and clients have differently. Only a real folder, ours, that nobody else enters, is used. A browser in a
//! Flatpak or a Snap sees another folder than agents do: its host is met where both see the same (written, not run).

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
    private(place()?)
}

/// A folder for this user alone, made if it was missing.
pub fn private(folder: PathBuf) -> Result<PathBuf, Trouble> {
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

/// Every folder that exists, and can be trusted, where a host of this user may be.
pub fn all() -> Result<Vec<PathBuf>, Trouble> {
    let mut all: Vec<PathBuf> = existing()?.into_iter().collect();
    if std::env::var_os(OVERRIDE).is_none_or(|folder| folder.is_empty()) {
        all.extend(cages().into_iter().filter(|folder| match check(folder) {
            Ok(()) => true,
            Err(trouble) => {
                tracing::warn!(%trouble, "a folder of a Flatpak or Snap was passed over");
                false
            }
        }));
    }
    Ok(all)
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
use unix::{cages, check, make, usual_place};
#[cfg(windows)]
use windows::{cages, check, make, usual_place};

#[cfg(unix)]
mod unix {
    use super::Trouble;
    use crate::install::browsers;
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

    /// The folder of this user's session, where there are such.
    fn session() -> PathBuf {
        PathBuf::from(format!("/run/user/{}", my_uid()))
    }

    /// What a Flatpak of this name, and agents, both see.
    fn of_flatpak(session: &Path, id: &str) -> PathBuf {
        session.join("app").join(id).join("tabwright")
    }

    /// The same for a Snap.
    fn of_snap(session: &Path, name: &str) -> PathBuf {
        session.join(format!("snap.{name}")).join("tabwright")
    }

    /// The folders of browsers in Flatpaks and Snaps. Of those we know alone: any other that lays a folder there
    /// could pose as a browser.
    pub fn cages() -> Vec<PathBuf> {
        cages_in(&session())
    }

    fn cages_in(session: &Path) -> Vec<PathBuf> {
        let (flatpaks, snaps) = browsers::cages();
        let flatpaks = flatpaks.map(|id| of_flatpak(session, id));
        let all = flatpaks.chain(snaps.map(|name| of_snap(session, name)));
        all.filter(|folder| symlink_metadata(folder).is_ok()).collect()
    }

    /// Where the copy of this program that was laid into a cage is met: told by where it lies, for the environment
    /// in there is the cage's.
    fn caged_place(program: &Path, session: &Path) -> Option<PathBuf> {
        let parts: Vec<&str> = program.iter().filter_map(|part| part.to_str()).collect();
        match parts.as_slice() {
            [.., ".var", "app", id, "data", "tabwright", _] => Some(of_flatpak(session, id)),
            [.., "snap", name, "common", "tabwright", _] => Some(of_snap(session, name)),
            _ => None,
        }
    }

    pub fn usual_place() -> Result<PathBuf, Trouble> {
        let session = session();
        let program = std::env::current_exe().unwrap_or_default();
        if let Some(folder) = caged_place(&program, &session) {
            return Ok(folder);
        }
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

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_copy_in_a_cage_is_met_where_the_cage_and_agents_see_the_same() {
            let session = Path::new("/run/user/7");
            let place = |program: &str| caged_place(Path::new(program), session);
            assert_eq!(
                place("/home/ada/.var/app/com.brave.Browser/data/tabwright/tabwright"),
                Some(PathBuf::from("/run/user/7/app/com.brave.Browser/tabwright"))
            );
            assert_eq!(
                place("/home/ada/snap/chromium/common/tabwright/tabwright"),
                Some(PathBuf::from("/run/user/7/snap.chromium/tabwright"))
            );
            assert_eq!(place("/home/ada/.cargo/bin/tabwright"), None);
        }

        #[test]
        fn only_cages_of_browsers_are_looked_into() {
            let session = tempfile::tempdir().unwrap();
            let known = of_flatpak(session.path(), "org.chromium.Chromium");
            let snap = of_snap(session.path(), "chromium");
            for folder in [&known, &snap, &of_flatpak(session.path(), "com.example.Game")] {
                std::fs::create_dir_all(folder).unwrap();
            }
            assert_eq!(cages_in(session.path()), [known, snap]);
        }
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

    /// There are none.
    pub fn cages() -> Vec<PathBuf> {
        Vec::new()
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
