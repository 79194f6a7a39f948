//! May the program be started?

use super::{Report, View, fault::Fault};
use crate::install::{may_be_started, quoted};

pub fn check(view: &View, report: &mut Report) {
    for registration in &view.registrations {
        let Some(program) = registration.program() else { continue };
        if !may_be_started(program) {
            let what = format!("{}: {} may not be started", registration.browser, program.display());
            let command = format!("chmod u+x {}", quoted(view.home.system(), program));
            report.found(Fault::ProgramNotExecutable, what, command);
        }
    }
}
