//! What tests take from npm, in the versions that a `package-lock.json` pins: the two tools that read our JavaScript, and
//! the widget libraries that the end-to-end tests work. Nothing of them ships.

use super::tally::Tally;
use crate::{process, workspace::Workspace};
use anyhow::{Context as _, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// `tsc` reads the extension's JavaScript against the declarations of the generated glue.
pub fn types(workspace: &Workspace) -> Result<Tally> {
    super::holds(tool(workspace, "tsc")?.args(["--project", "tsconfig.json"]))
}

/// A tool out of `node_modules`, which is brought up to date first.
pub fn tool(workspace: &Workspace, name: &str) -> Result<Command> {
    let npm = install(&workspace.root)?;
    let mut tool = Command::new(npm);
    tool.current_dir(&workspace.root).args(["exec", "--offline", "--", name]);
    Ok(tool)
}

/// The libraries of `tests/libraries`, and what is bundled of them.
pub fn libraries(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root.join("tests/libraries");
    let npm = install(&folder).context("the tests of widget libraries need npm")?;
    process::run(Command::new(npm).current_dir(&folder).args(["run", "--silent", "bundle"]))
}

/// Brings a folder's `node_modules` up to date with its lock; gives the npm that did.
fn install(folder: &Path) -> Result<PathBuf> {
    let npm = find_npm()?;
    let lock = fs::read_to_string(folder.join("package-lock.json"))?;
    let installed = folder.join("node_modules/.installed-lock.json");
    if fs::read_to_string(&installed).ok().as_ref() != Some(&lock) {
        let mut ci = Command::new(&npm);
        process::run(ci.current_dir(folder).args(["ci", "--no-audit", "--no-fund", "--silent"]))?;
        fs::write(installed, lock)?;
    }
    Ok(npm)
}

/// The npm of this machine; on Debian and Ubuntu, as root, one is installed where there is none.
pub fn find_npm() -> Result<PathBuf> {
    if let Ok(npm) = which::which("npm") {
        return Ok(npm);
    }
    if Path::new("/etc/debian_version").exists() && tests::browser::is_root() {
        eprintln!("no npm here: installing Debian's");
        for arguments in [&["update"][..], &["install", "-y", "--no-install-recommends", "nodejs", "npm"][..]]
        {
            let mut apt = Command::new("apt-get");
            apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(std::process::Stdio::null());
            process::run(&mut apt)?;
        }
        return which::which("npm").context("apt-get installed no npm");
    }
    bail!("npm is not here: install Node.js 18 or newer")
}
