//! What the person sets for good: folders that files may be given from, the profile's name, what was said about sites. The
//! options page shows this view and sends these changes; it holds no rules.

use crate::{
    browser::Core,
    clock::Millis,
    consent::{
        Who,
        sites::{Sites, Visit},
    },
    host_link, journal,
    words::Sentence,
};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use wire::{Keyring, Secret};

/// How long a page waits for the keyring.
const KEYRING: Millis = Millis(5_000);

/// How many folders there may be.
const FOLDERS: usize = 32;

/// What the person changes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "camelCase")]
pub enum Change {
    /// Nothing: only tell.
    #[default]
    Nothing,
    /// Files may be given from this folder.
    AddFolder {
        /// An absolute path.
        folder: String,
    },
    /// They may not any more.
    RemoveFolder {
        /// As it is listed.
        folder: String,
    },
    /// What was said about this visit is forgotten: the person is asked again.
    ForgetSite {
        /// The agent, and where.
        #[serde(flatten)]
        visit: Visit,
    },
}

/// What the options page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    /// What the person calls this profile; empty if nothing.
    profile: String,
    /// Folders that files may be given from.
    folders: Vec<String>,
    /// Why the last change was not made, the key of a sentence; empty if it was.
    refused: String,
    /// What is in the keyring: names and origins.
    secrets: Vec<Secret>,
    /// Why that cannot be told, or how to store one.
    secrets_note: Option<Sentence>,
    /// Where each agent may be and where not.
    agents: Vec<AgentView>,
    /// Whether an unattended policy decides instead.
    by_policy: bool,
    /// Whether what is worked is outlined.
    outline: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct AgentView {
    #[serde(flatten)]
    who: Who,
    sites: Sites,
}

/// Makes a change.
pub fn change(core: &Core, change: Change) {
    core.consent.refused.take();
    match change {
        Change::Nothing => {}
        Change::AddFolder { folder } => {
            let folder = folder.trim().to_owned();
            if let Some(why) = unfit(core, &folder) {
                core.consent.refused.replace(why.to_owned());
                return;
            }
            journal::decision(core, "give files from", None, None, Some(&folder));
            let mut decisions = core.consent.decisions.borrow_mut();
            decisions.by_hand = true;
            decisions.file_roots.insert(folder);
        }
        Change::RemoveFolder { folder } => {
            journal::decision(core, "no more files from", None, None, Some(&folder));
            core.consent.decisions.borrow_mut().file_roots.remove(&folder);
        }
        Change::ForgetSite { visit } => {
            journal::decision(
                core,
                "ask again about a site",
                Some(&visit.who.label),
                Some(&visit.site),
                None,
            );
            core.consent.forget_site(&visit);
        }
    }
}

/// Why no files can be given from a folder of this name: the key of a sentence.
fn unfit(core: &Core, folder: &str) -> Option<&'static str> {
    let drive = folder.as_bytes().get(1..3).is_some_and(|rest| rest == b":\\" || rest == b":/");
    let absolute = folder.starts_with('/') || folder.starts_with("\\\\") || drive;
    if !absolute || folder.chars().any(char::is_control) {
        return Some("refused_path");
    }
    if folder.split(['/', '\\']).filter(|part| !part.is_empty() && !part.ends_with(':')).count() == 0 {
        return Some("refused_disk");
    }
    let full = core.consent.decisions.borrow().file_roots.len() >= FOLDERS;
    full.then_some("refused_many")
}

/// The view as JSON.
pub async fn view(core: &Rc<Core>) -> String {
    let asked = core.desk.within(KEYRING, "the keyring", host_link::secrets(core)).await;
    let (secrets, secrets_note) = match asked {
        Ok(Keyring::Listed { secrets }) => (secrets, Some(Sentence::plain("secrets_how"))),
        Ok(Keyring::Unavailable { .. }) => (Vec::new(), Some(Sentence::plain("secrets_unavailable"))),
        Ok(Keyring::Value { .. } | Keyring::Absent) => (Vec::new(), None),
        Err(failure) => (Vec::new(), Some(Sentence::with("secrets_untold", [failure.code()]))),
    };
    let decisions = core.consent.decisions.borrow();
    let agents = decisions.places.iter().flat_map(|(label, programs)| {
        programs.iter().map(|(program, sites)| AgentView {
            who: Who { label: label.clone(), program: program.clone() },
            sites: sites.clone(),
        })
    });
    let view = View {
        profile: core.profile.borrow().name.clone().unwrap_or_default(),
        folders: decisions.file_roots.iter().cloned().collect(),
        refused: core.consent.refused.borrow().clone(),
        secrets,
        secrets_note,
        agents: agents.collect(),
        by_policy: core.consent.in_force().is_some(),
        outline: core.appearance.get().outline,
    };
    serde_json::to_string(&view).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(folder: &str) -> (Vec<String>, String) {
        let core = Core::default();
        change(&core, Change::AddFolder { folder: folder.into() });
        let refused = core.consent.refused.borrow().clone();
        let roots = core.consent.decisions.borrow().file_roots.iter().cloned().collect();
        (roots, refused)
    }

    #[test]
    fn a_folder_is_named_whole() {
        for folder in
            ["/home/me/Documents", " /srv/files ", r"C:\Users\me\Documents", r"\\server\share\files"]
        {
            assert_eq!(added(folder), (vec![folder.trim().to_owned()], String::new()), "{folder}");
        }
        for folder in ["", "Documents", "~/Documents", "../x", "/", "//", r"C:\", "C:", "/a\nb"] {
            let (roots, refused) = added(folder);
            assert!(roots.is_empty() && !refused.is_empty(), "{folder:?}");
        }
    }

    #[test]
    fn there_are_none_by_default_and_what_is_removed_is_gone() {
        let core = Core::default();
        assert!(core.consent.decisions.borrow().file_roots.is_empty());
        change(&core, Change::AddFolder { folder: "/a".into() });
        assert!(core.consent.decisions.borrow().by_hand);
        change(&core, Change::RemoveFolder { folder: "/a".into() });
        assert!(core.consent.decisions.borrow().file_roots.is_empty());
    }
}
