//! Is our extension let in?

use super::{Report, View, fault::Fault};
use serde_json::Value;

pub fn check(view: &View, report: &mut Report) {
    let ours = wire::extension_origin();
    for registration in &view.registrations {
        let Some(json) = registration.json() else { continue };
        let allowed = json.get("allowed_origins").and_then(Value::as_array);
        let allowed = allowed.is_some_and(|allowed| allowed.iter().any(|origin| *origin == ours.as_str()));
        if !allowed {
            let what = format!(
                "{}: {} does not allow {ours}",
                registration.browser,
                registration.manifest.display()
            );
            report.found(Fault::OriginMissing, what, view.install());
        }
    }
}
