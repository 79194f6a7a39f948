//! Where things are for one user: computed from the kind of system, the user's folder and the environment, so that
//! all systems can be tested on one. Looks at no file. (The crates that know such folders read the environment of
//! this process and the system that it was compiled for, so they cannot tell what they would say elsewhere.)

use crate::trouble::Trouble;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Another folder in place of `/` for what is system-wide, policies above all. For tests.
pub const ROOT: &str = "TABWRIGHT_ROOT";

/// Variables that name a folder of the user's.
const FOLDERS: [&str; 7] = [
    "APPDATA",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "LOCALAPPDATA",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// The kinds of system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux, and what follows the XDG folders.
    Linux,
    /// macOS. Written, not run.
    Mac,
    /// Windows. Written, not run.
    Windows,
}

impl System {
    /// This one.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Mac
    } else {
        Self::Linux
    };
}

/// One user's folders.
#[derive(Debug, Clone)]
pub struct Home {
    system: System,
    user: PathBuf,
    root: PathBuf,
    named: BTreeMap<&'static str, PathBuf>,
    profiles: Option<PathBuf>,
}

impl Home {
    /// The user's of this process.
    pub fn of_this_user() -> Result<Self, Trouble> {
        let user = std::env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| Trouble::Folder {
            folder: "~".into(),
            why: "is not known: HOME is not set".to_owned(),
        })?;
        Ok(Self::new(System::HERE, user, |name| std::env::var_os(name)))
    }

    /// A user's, on any system.
    pub fn new(system: System, user: PathBuf, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let folder = |name| variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
        let root = folder(ROOT).unwrap_or_else(|| PathBuf::from("/"));
        let named = FOLDERS.into_iter().filter_map(|name| Some((name, folder(name)?))).collect();
        Self { system, user, root, named, profiles: None }
    }

    /// The same, for one profile folder alone (a browser's `--user-data-dir`): nothing else of the user is touched.
    #[must_use]
    pub fn only(self, profiles: PathBuf) -> Self {
        Self { profiles: Some(profiles), ..self }
    }

    /// The profile folder that all is about, if there is one.
    pub fn profiles(&self) -> Option<&Path> {
        self.profiles.as_deref()
    }

    /// The kind of system.
    pub fn system(&self) -> System {
        self.system
    }

    /// The user's folder.
    pub fn user(&self) -> &Path {
        &self.user
    }

    /// A folder or file for all users, named without the leading slash.
    pub fn system_wide(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Where browsers keep their profiles.
    pub fn config(&self) -> PathBuf {
        match self.system {
            System::Linux => self.named("XDG_CONFIG_HOME", ".config"),
            System::Mac => self.user.join("Library/Application Support"),
            System::Windows => self.named("LOCALAPPDATA", "AppData/Local"),
        }
    }

    /// Where programs keep settings that follow the user. Differs from [`Self::config`] on Windows only.
    pub fn settings(&self) -> PathBuf {
        match self.system {
            System::Linux | System::Mac => self.config(),
            System::Windows => self.named("APPDATA", "AppData/Roaming"),
        }
    }

    /// Where `install` puts what is ours.
    pub fn data(&self) -> PathBuf {
        match (&self.profiles, self.system) {
            (Some(profiles), _) => profiles.join("Tabwright"),
            (None, System::Linux) => self.named("XDG_DATA_HOME", ".local/share").join("tabwright"),
            (None, System::Mac | System::Windows) => self.config().join("Tabwright"),
        }
    }

    /// Where a running host keeps what outlives it.
    pub fn state(&self) -> PathBuf {
        match self.system {
            System::Linux => self.named("XDG_STATE_HOME", ".local/state").join("tabwright"),
            System::Mac | System::Windows => self.config().join("Tabwright"),
        }
    }

    /// The folder that a variable names, or this one below the user's.
    pub fn named(&self, variable: &str, usual: &str) -> PathBuf {
        self.named.get(variable).cloned().unwrap_or_else(|| self.user.join(usual))
    }
}
