//! Can hosts and agents meet, and did dead hosts leave something?

use super::{Report, View, fault::Fault};
use crate::{descriptor, folder, install::quoted, trouble::Trouble};

pub fn check(view: &View, report: &mut Report) {
    let looked = folder::all().and_then(|folders| {
        folders
            .into_iter()
            .map(|folder| Ok((descriptor::listed(&folder)?, folder)))
            .collect::<Result<Vec<_>, _>>()
    });
    let folders = match looked {
        Ok(folders) => folders,
        Err(trouble) => return report.found(Fault::FolderUnsafe, trouble.to_string(), mend(view, &trouble)),
    };
    if folders.is_empty() {
        report.seen("sockets: no host has run yet".to_owned());
    }
    for (listed, folder) in folders {
        if listed.dead.is_empty() {
            report.seen(format!("sockets: {}", folder.display()));
        } else {
            let what = format!("{} dead hosts left files in {}", listed.dead.len(), folder.display());
            let command = format!("{} browsers", quoted(view.home.system(), view.program));
            report.found(Fault::SocketStale, what, command);
        }
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
