//! Finds a browser to try the extension in. The one named by `TABWRIGHT_BROWSER` comes first; else the usual
//! names, then the usual places of the system.

use anyhow::{Context as _, Result, bail};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "google-chrome-beta",
    "chrome",
    "microsoft-edge",
    "brave-browser",
];

const MAC_APPLICATIONS: &[&str] =
    &["Chromium", "Google Chrome", "Google Chrome Beta", "Microsoft Edge", "Brave Browser"];

const WINDOWS_PROGRAMS: &[&str] = &[
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Google\Chrome Beta\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
];

/// The browser of this machine, if there is one.
pub fn find() -> Result<Option<PathBuf>> {
    if let Some(named) = std::env::var_os("TABWRIGHT_BROWSER") {
        let found = which::which(&named).with_context(|| {
            format!("TABWRIGHT_BROWSER names {}, which cannot be run", Path::new(&named).display())
        })?;
        return Ok(Some(found));
    }
    let on_path = NAMES.iter().find_map(|name| which::which(name).ok());
    Ok(on_path.or_else(|| usual_places().into_iter().find(|place| place.is_file())))
}

/// The browser of this machine; on Debian and Ubuntu, as root, one is installed where there is none.
pub fn find_or_install() -> Result<PathBuf> {
    if let Some(found) = find()? {
        return Ok(found);
    }
    if super::process::is_root()
        && Path::new("/etc/debian_version").exists()
        && which::which("apt-get").is_ok()
    {
        eprintln!("no browser here: installing Debian's chromium");
        apt_get(&["update"])?;
        apt_get(&["install", "-y", "chromium"])?;
        if let Some(found) = find()? {
            return Ok(found);
        }
    }
    bail!("there is no browser here: install Chromium or Google Chrome, or name one in TABWRIGHT_BROWSER")
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(std::process::Stdio::null())
        .status()?;
    if !status.success() {
        bail!(
            "`apt-get {}` failed: install Chromium or Google Chrome by hand, or name one in TABWRIGHT_BROWSER",
            arguments.join(" ")
        );
    }
    Ok(())
}

fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let mac_roots = [Some(PathBuf::from("/Applications")), home.map(|home| home.join("Applications"))];
    for root in mac_roots.into_iter().flatten() {
        for name in MAC_APPLICATIONS {
            places.push(root.join(format!("{name}.app/Contents/MacOS/{name}")));
        }
    }
    for variable in ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"] {
        if let Some(root) = std::env::var_os(variable) {
            places.extend(WINDOWS_PROGRAMS.iter().map(|program| Path::new(&root).join(program)));
        }
    }
    places
}
