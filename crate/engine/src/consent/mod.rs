//! Who may do what where. Decided here, in the worker, outside any model; shells and pages only carry answers.

pub mod confirm;
pub mod deed;
pub mod sites;

use crate::{clock::Millis, failure::Failure, task::Signal};
use serde::{Deserialize, Serialize};
use sites::{Sites, Visit};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};
use wildmatch::WildMatch;
use wire::Policy;

/// What the person decided, and what is kept of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Decisions {
    /// Whether a person ever decided anything here: then no unattended policy is honoured in this profile.
    pub by_hand: bool,
    /// Agents let in, by label.
    pub allowed: BTreeSet<String>,
    /// The programs that each of them was let in as.
    pub programs: BTreeMap<String, BTreeSet<String>>,
    /// Agents kept out, by label.
    pub refused: BTreeSet<String>,
    /// Where each may be, by label and program.
    pub places: BTreeMap<String, BTreeMap<String, Sites>>,
    /// Folders that files may be given to pages from.
    pub file_roots: BTreeSet<String>,
    /// The stop: set by the person or by Chrome's Cancel, lifted only by the person.
    pub stopped: bool,
    /// The pause: agents wait, and keep what they hold. Set and lifted by the person.
    pub paused: bool,
}

impl Decisions {
    /// What was said about the sites of an agent.
    pub fn sites(&self, who: &Who) -> Option<&Sites> {
        self.places.get(&who.label)?.get(&who.program)
    }

    /// The same, to change it.
    pub fn sites_mut(&mut self, who: &Who) -> &mut Sites {
        self.places.entry(who.label.clone()).or_default().entry(who.program.clone()).or_default()
    }
}

/// An agent as the person knows it: what it says it is, and the program that started it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Who {
    /// The label.
    pub label: String,
    /// The program's path; empty where the system does not tell.
    #[serde(default)]
    pub program: String,
}

/// How long a call waits for what the person says.
pub const PERSON: Millis = Millis(45_000);

/// The rules in force.
#[derive(Default)]
pub struct Consent {
    /// What the person decided.
    pub decisions: RefCell<Decisions>,
    /// The unattended policy, as the host told it.
    pub policy: RefCell<Option<Policy>>,
    /// Agents that wait for the person.
    pub waiting: RefCell<BTreeSet<Who>>,
    /// Sites where an agent may be until the browser ends.
    pub visits: RefCell<BTreeSet<Visit>>,
    /// Sites that the person is asked about.
    pub asked: RefCell<BTreeSet<Visit>>,
    /// Acts that wait for the person's word.
    pub open: RefCell<Vec<confirm::Asked>>,
    /// Why what the person last changed in the options was not taken; empty if it was.
    pub refused: RefCell<String>,
    /// The number of the last question about an act.
    pub last_question: Cell<u64>,
    /// Raised when any of it changed.
    pub changed: Signal,
}

fn fits(patterns: &[String], word: &str) -> bool {
    patterns.iter().any(|pattern| WildMatch::new(pattern).matches(word))
}

impl Consent {
    /// The policy, where it may be honoured.
    pub fn in_force(&self) -> Option<Policy> {
        if self.decisions.borrow().by_hand { None } else { self.policy.borrow().clone() }
    }

    /// Whether the agent may use this browser. None: the person has not said yet, or not of this program.
    pub fn entry(&self, who: &Who) -> Option<Result<(), Failure>> {
        let label = who.label.as_str();
        if let Some(policy) = self.in_force() {
            let why = "the unattended policy does not list it";
            let refused = || Failure::NotAllowed { agent: format!("{label:?}"), why };
            return Some(if fits(&policy.agents, label) { Ok(()) } else { Err(refused()) });
        }
        let decisions = self.decisions.borrow();
        if decisions.refused.contains(label) {
            let why = "the person refused it";
            return Some(Err(Failure::NotAllowed { agent: format!("{label:?}"), why }));
        }
        let same = decisions.programs.get(label).is_some_and(|programs| programs.contains(&who.program));
        (decisions.allowed.contains(label) && same).then_some(Ok(()))
    }

    /// Lets an agent in, as this program.
    pub fn let_in(&self, who: Who) {
        let mut decisions = self.decisions.borrow_mut();
        decisions.by_hand = true;
        decisions.refused.remove(&who.label);
        decisions.allowed.insert(who.label.clone());
        self.waiting.borrow_mut().remove(&who);
        decisions.programs.entry(who.label).or_default().insert(who.program);
    }

    /// Keeps an agent out, whatever program it is.
    pub fn keep_out(&self, label: &str) {
        let mut decisions = self.decisions.borrow_mut();
        decisions.by_hand = true;
        decisions.allowed.remove(label);
        decisions.programs.remove(label);
        decisions.refused.insert(label.to_owned());
        self.waiting.borrow_mut().retain(|who| who.label != label);
    }

    /// Whether anything may be done at all.
    ///
    /// # Errors
    /// While the stop or the pause is set.
    pub fn going_on(&self) -> Result<(), Failure> {
        let decisions = self.decisions.borrow();
        if decisions.stopped {
            Err(Failure::Stopped)
        } else if decisions.paused {
            Err(Failure::Paused)
        } else {
            Ok(())
        }
    }

    /// The folders that files may be given to pages from.
    ///
    /// # Errors
    /// When there are none. Whether a file is given is asked besides.
    pub fn uploads(&self) -> Result<Vec<String>, Failure> {
        let Some(policy) = self.in_force() else {
            let roots: Vec<_> = self.decisions.borrow().file_roots.iter().cloned().collect();
            let why = "the person named no folder that files may come from (the extension's options)";
            return if roots.is_empty() { Err(Failure::UploadDenied { why }) } else { Ok(roots) };
        };
        if !fits(&policy.acts, "upload") {
            return Err(Failure::UploadDenied {
                why: "the unattended policy does not list `upload` in `acts`",
            });
        }
        if policy.file_roots.is_empty() {
            return Err(Failure::UploadDenied {
                why: "the unattended policy lists no folder in `file_roots`",
            });
        }
        Ok(policy.file_roots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_only_from_what_a_policy_or_the_person_lists() {
        let consent = Consent::default();
        let why = |consent: &Consent| match consent.uploads() {
            Ok(roots) => roots.join(","),
            Err(failure) => failure.to_string(),
        };
        assert!(why(&consent).contains("the person named no folder"));
        let all = Policy { acts: vec!["*".into()], ..Policy::default() };
        *consent.policy.borrow_mut() = Some(all.clone());
        assert!(why(&consent).contains("`file_roots`"));
        let roots = vec!["/a".to_owned()];
        *consent.policy.borrow_mut() =
            Some(Policy { acts: Vec::new(), file_roots: roots.clone(), ..all.clone() });
        assert!(why(&consent).contains("`acts`"));
        *consent.policy.borrow_mut() = Some(Policy { file_roots: roots, ..all });
        assert_eq!(why(&consent), "/a");
        consent.decisions.borrow_mut().by_hand = true;
        assert!(why(&consent).contains("the person named no folder"));
        consent.decisions.borrow_mut().file_roots.insert("/b".into());
        assert_eq!(why(&consent), "/b");
    }

    fn who(label: &str, program: &str) -> Who {
        Who { label: label.into(), program: program.into() }
    }

    #[test]
    fn another_program_of_the_same_name_is_asked_about() {
        let consent = Consent::default();
        consent.let_in(who("me", "/usr/bin/node"));
        assert!(matches!(consent.entry(&who("me", "/usr/bin/node")), Some(Ok(()))));
        assert!(consent.entry(&who("me", "/tmp/node")).is_none());
        assert!(consent.entry(&who("me", "")).is_none());
        consent.let_in(who("me", "/tmp/node"));
        assert!(matches!(consent.entry(&who("me", "/usr/bin/node")), Some(Ok(()))));
        consent.keep_out("me");
        assert!(matches!(consent.entry(&who("me", "/tmp/other")), Some(Err(Failure::NotAllowed { .. }))));
        // Whom the person lets in again comes in as that program alone.
        consent.let_in(who("me", "/usr/bin/node"));
        assert!(consent.entry(&who("me", "/tmp/node")).is_none());
    }

    #[test]
    fn a_policy_counts_only_where_no_person_decided() {
        let consent = Consent::default();
        assert!(consent.entry(&who("x", "")).is_none());
        *consent.policy.borrow_mut() = Some(Policy { agents: vec!["demo*".into()], ..Policy::default() });
        assert!(matches!(consent.entry(&who("demo 1", "/usr/bin/node")), Some(Ok(()))));
        assert!(matches!(consent.entry(&who("x", "")), Some(Err(Failure::NotAllowed { .. }))));
        consent.decisions.borrow_mut().by_hand = true;
        assert!(consent.entry(&who("demo 1", "/usr/bin/node")).is_none());
    }
}
