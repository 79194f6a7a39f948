//! Is the unpacked extension the one that this program carries?

use super::{Report, View, fault::Fault};
use crate::install::extension::{folder, version};
use std::fs;

const MANIFEST: &str = "manifest.json";

pub fn check(view: &View, report: &mut Report) {
    let folder = folder(&view.home.data());
    let Some((_, carried)) = view.extension.iter().find(|(name, _)| name == MANIFEST) else {
        report.seen("extension: this build carries none; load dist/ of the repository".to_owned());
        return;
    };
    let unpacked = fs::read(folder.join(MANIFEST)).ok();
    let (ours, theirs) = (version(carried), unpacked.as_deref().and_then(version));
    if theirs.is_some() && theirs != ours {
        let what = format!(
            "the extension in {} is version {}, this program carries {}",
            folder.display(),
            theirs.unwrap_or_default(),
            ours.unwrap_or_default()
        );
        report.found(Fault::ExtensionOther, what, view.install());
        return;
    }
    let differs =
        |name: &str, content: &[u8]| !fs::read(folder.join(name)).is_ok_and(|there| there == content);
    let wrong: Vec<&str> = view
        .extension
        .iter()
        .filter(|(name, content)| differs(name, content))
        .map(|(name, _)| name.as_str())
        .collect();
    match wrong.first() {
        Some(first) => {
            let what = format!(
                "{} of the extension's {} files in {} are missing or changed, {first} among them",
                wrong.len(),
                view.extension.len(),
                folder.display()
            );
            report.found(Fault::ExtensionIncomplete, what, view.install());
        }
        None => report.seen(format!("extension {}: {}", ours.unwrap_or_default(), folder.display())),
    }
}
