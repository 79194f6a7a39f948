//! Is there a browser at all?

use super::{Report, View, fault::Fault};

pub fn check(view: &View, report: &mut Report) {
    report.seen(format!("tabwright {}: {}", env!("CARGO_PKG_VERSION"), view.program.display()));
    if view.browsers.is_empty() {
        let what = "no browser of this user was found: start one once, then install";
        report.found(Fault::BrowserMissing, what.to_owned(), view.install());
    }
}
