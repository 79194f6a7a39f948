//! Is the program that browsers start there, and is it this one?

use super::{Report, View, fault::Fault};
use serde_json::Value;
use std::{fs, path::Path};

pub fn check(view: &View, report: &mut Report) {
    for registration in &view.registrations {
        let path = registration.json().and_then(|json| json.get("path")).and_then(Value::as_str);
        let Some(path) = path.map(Path::new).filter(|path| path.is_absolute()) else { continue };
        let at = format!("{}: {} names", registration.browser, registration.manifest.display());
        if !path.is_file() {
            let what = format!("{at} {}, which is not there", path.display());
            report.found(Fault::ProgramGone, what, view.install());
        } else if *path != *registration.expected || registration.caged {
            // The same program at two places is no harm.
            if !is_same(path, view.program) {
                let what = format!("{at} {}, which is another build than this one", path.display());
                report.found(Fault::ProgramOther, what, view.install());
            }
        }
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let size = |path| fs::metadata(path).ok().map(|found| found.len());
    let same_size = size(one).is_some() && size(one) == size(other);
    same_size && matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}
