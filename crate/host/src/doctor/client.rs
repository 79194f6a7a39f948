//! Do the clients whose settings have our entry find the program?

use super::{Report, View, fault::Fault};
use crate::install::clients::CLIENTS;
use std::fs;

pub fn check(view: &View, report: &mut Report) {
    if view.home.profiles().is_some() {
        return;
    }
    for client in &CLIENTS {
        let file = client.file(view.home);
        // Settings that cannot be read are their client's affair.
        let entry = fs::read_to_string(&file).ok().and_then(|text| client.find(&text).ok().flatten());
        let Some(entry) = entry else { continue };
        // A bare name is looked up by the client.
        if entry.program.is_absolute() && !entry.program.is_file() {
            let what = format!(
                "{}: {} names {}, which is not there",
                client.title,
                file.display(),
                entry.program.display()
            );
            let command = view.ours(&format!("install --client {}", client.name));
            report.found(Fault::ClientProgramGone, what, command);
        } else {
            report.seen(format!("{}: {}", client.title, file.display()));
        }
    }
}
