//! The two tools from npm that read our JavaScript, in the versions that `package-lock.json` pins. They are needed
//! for tests only; nothing of them ships.

use super::tally::Tally;
use crate::{process, workspace::Workspace};
use anyhow::{Context as _, Result, bail};
use std::{fs, path::Path, process::Command};

/// `tsc` reads the extension's JavaScript against the declarations of the generated glue.
pub fn types(workspace: &Workspace) -> Result<Tally> {
    super::holds(tool(workspace, "tsc")?.args(["--project", "tsconfig.json"]))
}

/// A tool out of `node_modules`, which is brought up to date first.
pub fn tool(workspace: &Workspace, name: &str) -> Result<Command> {
    let npm = find_npm()?;
    let lock = fs::read_to_string(workspace.root.join("package-lock.json"))?;
    let installed = workspace.root.join("node_modules/.installed-lock.json");
    if fs::read_to_string(&installed).ok().as_ref() != Some(&lock) {
        let mut install = Command::new(&npm);
        process::run(install.current_dir(&workspace.root).args([
            "ci",
            "--no-audit",
            "--no-fund",
            "--silent",
        ]))?;
        fs::write(installed, lock)?;
    }
    let mut tool = Command::new(npm);
    tool.current_dir(&workspace.root).args(["exec", "--offline", "--", name]);
    Ok(tool)
}

/// The npm of this machine; on Debian and Ubuntu, as root, one is installed where there is none.
pub fn find_npm() -> Result<std::path::PathBuf> {
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
