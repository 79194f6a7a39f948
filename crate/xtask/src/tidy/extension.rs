//! Rules for the extension's manifest: what it names exists, its id is the one the host lets in, it asks for no more
//! than it uses.

use crate::{manifest, workspace::Workspace};
use anyhow::{Context as _, Result};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs;
use walkdir::WalkDir;

/// Every permission that the design knows, and what in our scripts shows that it is used.
const PERMISSIONS: &[(&str, &str)] = &[
    ("alarms", "chrome.alarms"),
    ("contextMenus", "chrome.contextMenus"),
    ("debugger", "chrome.debugger"),
    ("nativeMessaging", "chrome.runtime.connectNative"),
    ("sidePanel", "chrome.sidePanel"),
    ("storage", "chrome.storage"),
    ("tabGroups", "chrome.tabGroups"),
    ("tabs", "chrome.tabs"),
];

/// What would give pages or other extensions a way in, or us a way into sites.
const ABSENT: &[&str] = &[
    "content_scripts",
    "externally_connectable",
    "host_permissions",
    "optional_host_permissions",
    "optional_permissions",
    "web_accessible_resources",
];

/// Every path in the manifest exists (those of the glue appear with `dist`).
pub fn files(workspace: &Workspace) -> Result<Vec<String>> {
    Ok(manifest::missing(&read(workspace)?, &workspace.root.join("extension")))
}

/// The id is the first half of the key's SHA-256, its digits written as letters a to p.
pub fn id(workspace: &Workspace) -> Result<Vec<String>> {
    let manifest = read(workspace)?;
    let key = manifest["key"].as_str().context("the manifest has no key")?;
    let hash = Sha256::digest(BASE64_STANDARD.decode(key).context("the key is not base64")?);
    let letters =
        hash[..16].iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(b'a' + digit));
    let id: String = letters.collect();
    let expected = wire::EXTENSION_ID;
    let differs = id != expected;
    Ok(differs.then(|| format!("the key gives {id}, the host expects {expected}")).into_iter().collect())
}

/// Asked for and used are the same, and nothing else is asked for.
pub fn permissions(workspace: &Workspace) -> Result<Vec<String>> {
    let manifest = read(workspace)?;
    let asked: Vec<&str> =
        manifest["permissions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let scripts = scripts(workspace)?;

    let mut breaches = Vec::new();
    for permission in &asked {
        match PERMISSIONS.iter().find(|(name, _)| name == permission) {
            None => breaches.push(format!("{permission} is asked for; the design does not know it")),
            Some((_, shown_by)) if !scripts.contains(shown_by) => {
                breaches.push(format!("{permission} is asked for and no script uses {shown_by}"));
            }
            Some(_) => {}
        }
    }
    for (permission, shown_by) in PERMISSIONS {
        if scripts.contains(shown_by) && !asked.contains(permission) {
            breaches.push(format!("a script uses {shown_by} and {permission} is not asked for"));
        }
    }
    for field in ABSENT {
        // An empty list of who may connect is stricter than none.
        let empty = manifest[*field].as_object().is_some_and(serde_json::Map::is_empty);
        if manifest.get(*field).is_some() && !(*field == "externally_connectable" && empty) {
            breaches.push(format!("the manifest has {field}"));
        }
    }
    Ok(breaches)
}

fn read(workspace: &Workspace) -> Result<Value> {
    manifest::read(&workspace.root.join("manifest.json"))
}

/// All our scripts in one.
fn scripts(workspace: &Workspace) -> Result<String> {
    let mut all = String::new();
    for entry in WalkDir::new(workspace.root.join("extension")) {
        let entry = entry?;
        if entry.path().extension().is_some_and(|ending| ending == "js") {
            all.push_str(&fs::read_to_string(entry.path())?);
        }
    }
    Ok(all)
}
