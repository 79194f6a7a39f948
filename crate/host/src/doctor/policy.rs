//! Does a policy of the computer's administrator forbid the host or the extension? Policy files are read on Linux;
//! elsewhere `chrome://policy` tells.

use super::{Report, View, fault::Fault};
use crate::install::quoted;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use wire::{EXTENSION_ID, HOST_NAME};

pub fn check(view: &View, report: &mut Report) {
    for browser in &view.browsers {
        let Some(folder) = &browser.policies else { continue };
        let files = managed(folder);
        for (path, policies) in &files {
            for (fault, policy) in forbidden(policies, &files) {
                let what = format!("{}: {} sets {policy}", browser.name, path.display());
                let command = format!("sudoedit {}", quoted(view.home.system(), path));
                report.found(fault, what, command);
            }
        }
        if !files.is_empty() {
            report.seen(format!("policies of {}: {} files", browser.name, files.len()));
        }
    }
}

/// The policies that cannot be overridden by the user, file by file.
fn managed(folder: &Path) -> Vec<(PathBuf, Value)> {
    let entries = fs::read_dir(folder.join("managed")).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: PathBuf| Some((serde_json::from_slice(&fs::read(&path).ok()?).ok()?, path));
    paths.into_iter().filter_map(read).map(|(policies, path)| (path, policies)).collect()
}

/// What one file forbids, where no file allows it.
fn forbidden(policies: &Value, all: &[(PathBuf, Value)]) -> Vec<(Fault, String)> {
    let listed = |policies: &Value, list: &str, names: &[&str]| {
        let list = policies.get(list).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|item| names.iter().any(|name| item == name)))
    };
    let allowed = |list: &str, name: &str| all.iter().any(|(_, policies)| listed(policies, list, &[name]));
    let mut forbidden = Vec::new();
    if listed(policies, "NativeMessagingBlocklist", &[HOST_NAME, "*"])
        && !allowed("NativeMessagingAllowlist", HOST_NAME)
    {
        let policy = format!("NativeMessagingBlocklist, without {HOST_NAME} in NativeMessagingAllowlist");
        forbidden.push((Fault::HostBlocked, policy));
    }
    if policies.get("NativeMessagingUserLevelHosts") == Some(&Value::Bool(false)) {
        forbidden.push((Fault::UserHostsBlocked, "NativeMessagingUserLevelHosts to false".to_owned()));
    }
    if listed(policies, "ExtensionInstallBlocklist", &[EXTENSION_ID, "*"])
        && !allowed("ExtensionInstallAllowlist", EXTENSION_ID)
    {
        let policy =
            format!("ExtensionInstallBlocklist, without {EXTENSION_ID} in ExtensionInstallAllowlist");
        forbidden.push((Fault::ExtensionBlocked, policy));
    }
    if let Some(mode) = mode(policies, EXTENSION_ID)
        .or_else(|| {
            mode(policies, "*").filter(|_| !all.iter().any(|(_, all)| mode(all, EXTENSION_ID).is_some()))
        })
        .filter(|mode| ["blocked", "removed"].contains(mode))
    {
        forbidden.push((Fault::ExtensionBlocked, format!("ExtensionSettings to {mode:?}")));
    }
    for (policy, value) in [("DeveloperToolsAvailability", 2), ("ExtensionDeveloperModeSettings", 1)] {
        if policies.get(policy).and_then(Value::as_u64) == Some(value) {
            forbidden.push((Fault::DeveloperModeBlocked, format!("{policy} to {value}")));
        }
    }
    forbidden
}

/// How an extension may be installed, by the settings for it or for all.
fn mode<'a>(policies: &'a Value, extension: &str) -> Option<&'a str> {
    policies.get("ExtensionSettings")?.get(extension)?.get("installation_mode")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_allowed_by_name_is_not_forbidden() {
        for (fault, bad, good) in [
            (
                Fault::HostBlocked,
                json!({"NativeMessagingBlocklist": ["*"]}),
                json!({"NativeMessagingAllowlist": [HOST_NAME]}),
            ),
            (
                Fault::ExtensionBlocked,
                json!({"ExtensionInstallBlocklist": ["*"]}),
                json!({"ExtensionInstallAllowlist": [EXTENSION_ID]}),
            ),
            (
                Fault::ExtensionBlocked,
                json!({"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}),
                json!({"ExtensionSettings": {EXTENSION_ID: {"installation_mode": "allowed"}}}),
            ),
        ] {
            let alone = [(PathBuf::from("bad"), bad.clone())];
            assert_eq!(forbidden(&bad, &alone)[0].0, fault);
            let both = [alone[0].clone(), (PathBuf::from("good"), good)];
            assert_eq!(forbidden(&bad, &both), []);
        }
        for harmless in [
            json!({"NativeMessagingBlocklist": ["com.example.other"], "NativeMessagingUserLevelHosts": true}),
            json!({"ExtensionInstallBlocklist": [], "DeveloperToolsAvailability": 1, "Other": {"x": [1]}}),
            json!(["not", "policies"]),
        ] {
            assert_eq!(forbidden(&harmless, &[(PathBuf::from("file"), harmless.clone())]), []);
        }
    }
}
