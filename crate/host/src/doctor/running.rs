//! Are the halves that run now of this version?

use super::{Report, View, fault::Fault};
use crate::{descriptor, folder, home::System};

pub fn check(view: &View, report: &mut Report) {
    // What is wrong with the folder is told where sockets are looked at.
    let folders = folder::all().unwrap_or_default();
    let living = folders.iter().flat_map(|folder| descriptor::listed(folder).unwrap_or_default().living);
    let ours = env!("CARGO_PKG_VERSION");
    for host in living {
        if host.version != ours || host.protocol != wire::PROTOCOL {
            let what = format!("{} is served by tabwright {}, this is {ours}", host.label(), host.version);
            // The extension starts it anew.
            let command = match view.home.system() {
                System::Windows => format!("taskkill /F /PID {}", host.pid),
                System::Linux | System::Mac => format!("kill {}", host.pid),
            };
            report.found(Fault::HostOther, what, command);
            continue;
        }
        match &host.extension {
            Some(extension) if extension != ours => {
                let what = format!(
                    "{} runs extension {extension}, this is {ours}: install, then press Reload in chrome://extensions",
                    host.label()
                );
                report.found(Fault::ExtensionRunningOther, what, view.install());
            }
            Some(extension) => report.seen(format!("connected: {} with extension {extension}", host.label())),
            None => report.seen(format!("connecting: process {}", host.pid)),
        }
    }
}
