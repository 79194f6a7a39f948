//! Can hosts and agents meet, and did dead hosts leave something?

use super::{Report, View, fault::Fault};
use crate::{descriptor, folder, install::quoted, trouble::Trouble};

pub fn check(view: &View, report: &mut Report) {
    match folder::existing() {
        Ok(Some(folder)) => match descriptor::listed(&folder) {
            Ok(listed) if listed.dead.is_empty() => report.seen(format!("sockets: {}", folder.display())),
            Ok(listed) => {
                let what = format!("{} dead hosts left files in {}", listed.dead.len(), folder.display());
                let command = format!("{} browsers", quoted(view.home.system(), view.program));
                report.found(Fault::SocketStale, what, command);
            }
            Err(trouble) => report.found(Fault::FolderUnsafe, trouble.to_string(), mend(view, &trouble)),
        },
        Ok(None) => report.seen("sockets: no host has run yet".to_owned()),
        Err(trouble) => report.found(Fault::FolderUnsafe, trouble.to_string(), mend(view, &trouble)),
    }
}

fn mend(view: &View, trouble: &Trouble) -> String {
    let Trouble::Folder { folder, .. } = trouble else { return trouble.next() };
    let quoted = quoted(view.home.system(), folder);
    if folder.is_dir() && !folder.is_symlink() {
        format!("chmod 700 {quoted}")
    } else {
        // A link or a file: the next host makes a folder.
        format!("rm {quoted}")
    }
}
