//! The extension's manifest: stamped with the version, and asked which files it names. What Chrome makes of it
//! otherwise is Chrome's affair.

use anyhow::{Context as _, Result};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

/// Reads a manifest.
pub fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))
}

/// The manifest's text with the version put in.
pub fn stamped(manifest: &Value, version: &str) -> Result<String> {
    let mut manifest = manifest.clone();
    let fields = manifest.as_object_mut().context("the manifest is no JSON object")?;
    fields.insert("version".into(), version.into());
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// The places in a manifest that name files. `*` stands for any key or index.
const FILES: &[&str] = &[
    "/action/default_icon",
    "/action/default_icon/*",
    "/action/default_popup",
    "/background/service_worker",
    "/chrome_url_overrides/*",
    "/content_scripts/*/css/*",
    "/content_scripts/*/js/*",
    "/devtools_page",
    "/icons/*",
    "/options_page",
    "/options_ui/page",
    "/sandbox/pages/*",
    "/side_panel/default_path",
    "/storage/managed_schema",
    "/web_accessible_resources/*/resources/*",
];

/// Every file that the manifest names, relative to it. Patterns (`img/*`) are left out: they may match nothing.
pub fn files(manifest: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for place in FILES {
        let steps: Vec<&str> = place.split('/').skip(1).collect();
        gather(manifest, &steps, &mut found);
    }
    found
}

fn gather(value: &Value, steps: &[&str], found: &mut BTreeSet<String>) {
    let Some((step, rest)) = steps.split_first() else {
        if let Some(path) = value.as_str().filter(|path| !path.contains('*')) {
            let path = path.split(['?', '#']).next().unwrap_or_default();
            found.insert(path.trim_start_matches('/').to_owned());
        }
        return;
    };
    if *step == "*" {
        let fields = value.as_object().into_iter().flat_map(|fields| fields.values());
        let items = value.as_array().into_iter().flatten();
        fields.chain(items).for_each(|inner| gather(inner, rest, found));
    } else if let Some(inner) = value.get(step) {
        gather(inner, rest, found);
    }
}

/// The files that the manifest names and `folder` lacks.
pub fn missing(manifest: &Value, folder: &Path) -> Vec<String> {
    files(manifest).into_iter().filter(|path| !folder.join(path).is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_wherever_a_manifest_names_them() {
        let manifest = serde_json::json!({
            "action": { "default_icon": { "16": "icons/16.png" }, "default_popup": "panel/popup.html?from=action" },
            "background": { "service_worker": "worker/main.js" },
            "icons": { "16": "icons/16.png", "128": "/icons/128.png" },
            "web_accessible_resources": [{ "resources": ["ui/*", "ui/mark.css"], "matches": [] }],
        });
        let found: Vec<_> = files(&manifest).into_iter().collect();
        assert_eq!(
            found,
            ["icons/128.png", "icons/16.png", "panel/popup.html", "ui/mark.css", "worker/main.js"]
        );
    }

    #[test]
    fn the_version_is_stamped() {
        let text = stamped(&serde_json::json!({ "name": "x", "version": "0.0.0" }), "1.2.3").unwrap();
        assert!(text.contains("\"version\": \"1.2.3\""), "{text}");
    }
}
