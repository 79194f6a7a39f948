//! Is it known what was installed?

use super::{Report, View, fault::Fault};
use crate::install::record::Record;

pub fn check(view: &View, report: &mut Report) {
    let data = view.home.data();
    let path = Record::path(&data);
    match Record::read(&data) {
        Ok(Some(record)) => {
            report.seen(format!("installed by tabwright {}: {}", record.version, path.display()));
        }
        Ok(None) => {
            // Nothing registered, nothing to know: the manifests that miss are told.
            if view.registrations.iter().any(|registration| registration.json().is_some()) {
                report.found(Fault::RecordMissing, format!("no {}", path.display()), view.install());
            }
        }
        Err(trouble) => report.found(Fault::RecordUnreadable, trouble.to_string(), view.install()),
    }
}
