//! Does every browser find a manifest, and does it read as browsers want it?

use super::{Report, Text, View, fault::Fault};
use serde_json::Value;
use std::path::Path;
use wire::HOST_NAME;

pub fn check(view: &View, report: &mut Report) {
    for registration in &view.registrations {
        let at = format!("{}: {}", registration.browser, registration.manifest.display());
        let json = match &registration.text {
            Text::Missing => {
                report.found(Fault::ManifestMissing, format!("{at} is not there"), view.install());
                continue;
            }
            Text::NotJson(error) => {
                report.found(Fault::ManifestUnreadable, format!("{at}: {error}"), view.install());
                continue;
            }
            Text::Json(json) => json,
        };
        let text = |field: &str| json.get(field).and_then(Value::as_str);
        let wrong = match (text("name"), text("type"), text("description")) {
            (Some(HOST_NAME), Some("stdio"), Some(_)) => None,
            (Some(HOST_NAME), Some("stdio"), None) => Some("it has no description".to_owned()),
            (Some(HOST_NAME), _, _) => Some("its type is not \"stdio\"".to_owned()),
            (name, _, _) => Some(format!("its name is {name:?}, not {HOST_NAME:?}")),
        };
        if let Some(wrong) = wrong {
            report.found(Fault::ManifestWrong, format!("{at}: {wrong}"), view.install());
            continue;
        }
        match text("path") {
            None => report.found(Fault::ManifestWrong, format!("{at}: it names no path"), view.install()),
            Some(path) if Path::new(path).is_relative() => {
                report.found(Fault::ProgramRelative, format!("{at}: it names {path:?}"), view.install());
            }
            Some(_) => report.seen(format!("registered with {at}")),
        }
    }
}
