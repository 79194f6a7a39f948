//! Where things are in the repository. Every path is found from where xtask itself was compiled, so the commands
//! work from any folder; nothing is read or written here.

use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// The repository.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// The folder of the top-level `Cargo.toml`.
    pub root: PathBuf,
    /// Where cargo puts what it builds.
    pub target: PathBuf,
}

impl Workspace {
    /// Finds the repository that this xtask belongs to.
    pub fn find() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .context("xtask is not two folders below the repository's top")?
            .to_path_buf();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => root.join(folder),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The native-messaging host, as a plain `cargo build` leaves it.
    pub fn host(&self) -> PathBuf {
        self.host_in("debug")
    }

    /// The native-messaging host, as `cargo build --release` leaves it.
    pub fn released_host(&self) -> PathBuf {
        self.host_in("release")
    }

    fn host_in(&self, profile: &str) -> PathBuf {
        self.target.join(profile).join(format!("tabwright{}", std::env::consts::EXE_SUFFIX))
    }

    /// The declarations that `tsc` reads in place of the generated glue.
    pub fn types(&self) -> PathBuf {
        self.root.join("target/types")
    }

    /// The reference page of the tools.
    pub fn reference_page(&self) -> PathBuf {
        self.root.join("docs/tools.md")
    }

    /// The version that every crate and the manifest carry.
    pub const fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }
}
