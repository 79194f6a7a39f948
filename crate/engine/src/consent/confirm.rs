//! What the person is asked about before it is done, one act at a time: the question, who waits for it, the answer. An
//! answer is for the question as it was shown, is used once, and dies with the request that asked.

use super::{Consent, PERSON, Who, deed::Deed};
use crate::{
    agent::{Agent, AgentId},
    browser::Core,
    failure::Failure,
    io::ChromeCall,
    journal, reply,
};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use wire::{Hidden, journal::Right};

/// Why an act is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It puts something into a field for card data.
    Card,
    /// It submits a form with a password, a code or card data in it.
    Password,
    /// By its name, it does something beyond the page.
    Named(Deed),
    /// It gives files of this machine to a page.
    Upload,
    /// It puts a stored secret into a field.
    Secret,
    /// It puts into a field what the person is asked to type.
    Typed,
}

impl Need {
    /// As a policy lists it in `acts`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Password => "password",
            Self::Named(deed) => deed.word(),
            Self::Upload => "upload",
            Self::Secret | Self::Typed => "secret",
        }
    }

    /// As the person is told it: the key of a sentence.
    fn told(self) -> &'static str {
        match self {
            Self::Card => "why_card",
            Self::Password => "why_password",
            Self::Named(deed) => deed.told(),
            Self::Upload => "why_upload",
            Self::Secret => "why_secret",
            Self::Typed => "why_typed",
        }
    }

    /// Whether the person can say that it need not be asked at a site.
    fn can_be_trusted(self) -> bool {
        match self {
            Self::Card | Self::Upload | Self::Secret | Self::Typed => false,
            Self::Password | Self::Named(_) => true,
        }
    }
}

/// What the person is asked, and sees. An answer repeats it whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Numbered in the order they were asked.
    pub number: u64,
    /// The agent.
    #[serde(flatten)]
    pub who: Who,
    /// Where it would be done.
    pub site: String,
    /// What would be done: `click e9 button "Pay €42.00"`.
    pub what: String,
    /// Why it is asked: the key of a sentence.
    pub why: String,
    /// Whether it can be left unasked at this site from now on.
    pub trusting: bool,
    /// Whether the person is to type something.
    #[serde(default)]
    pub typing: bool,
}

/// What the person says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// This once.
    Once,
    /// This, and the like at this site from now on.
    Trust,
    /// No.
    Refuse,
}

/// A question that waits, or was answered and not yet used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub question: Question,
    answer: Option<Said>,
}

/// What the person said to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Nobody had to be asked.
    Unasked,
    /// It may be done.
    Allowed,
    /// It may be done with this.
    Typed(Hidden),
    /// It may not.
    Refused,
}

impl Consent {
    /// Whether an act must be asked about; nothing to ask where a policy lists it or the site is trusted.
    ///
    /// # Errors
    /// When an unattended policy is in force and does not list it.
    fn must_ask(&self, who: &Who, site: &str, need: Need) -> Result<bool, Failure> {
        if let Some(policy) = self.in_force() {
            if need == Need::Typed {
                return Err(Failure::NobodyToAsk);
            }
            if super::fits(&policy.acts, need.word()) {
                return Ok(false);
            }
            return Err(Failure::ActDenied { word: need.word() });
        }
        let decisions = self.decisions.borrow();
        let trusted = decisions.sites(who).is_some_and(|sites| sites.trusted.contains(site));
        Ok(!(trusted && need.can_be_trusted()))
    }

    /// Takes the person's answer to a question that is still open, as it was shown.
    pub fn confirm(&self, shown: &Question, answer: Answer, typed: Option<Hidden>) {
        let mut open = self.open.borrow_mut();
        let Some(asked) = open.iter_mut().find(|asked| asked.question == *shown) else { return };
        if answer == Answer::Trust && !shown.trusting {
            return;
        }
        asked.answer = match (answer, typed) {
            (Answer::Refuse, _) => Some(Said::Refused),
            (Answer::Once, Some(typed)) if shown.typing && !typed.0.is_empty() => Some(Said::Typed(typed)),
            // Allowed, but for what was not typed.
            (Answer::Once | Answer::Trust, _) if shown.typing => return,
            (Answer::Once | Answer::Trust, _) => Some(Said::Allowed),
        };
        if answer == Answer::Trust {
            let mut decisions = self.decisions.borrow_mut();
            decisions.by_hand = true;
            decisions.sites_mut(&shown.who).trusted.insert(shown.site.clone());
        }
    }

    /// The questions that wait.
    pub fn questions(&self) -> Vec<Question> {
        let open = self.open.borrow();
        open.iter().filter(|asked| asked.answer.is_none()).map(|asked| asked.question.clone()).collect()
    }
}

/// A question that is taken back when its request ends, however it ends.
struct Open<'a> {
    core: &'a Rc<Core>,
    number: u64,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.core.consent.open.borrow_mut().retain(|asked| asked.question.number != self.number);
        self.core.show_state();
    }
}

/// Has an act confirmed: says what the person said, if they were asked. Whatever was known of the page before is to be
/// looked at again then.
///
/// # Errors
/// When the policy does not list it, or the person refuses or does not answer in time.
pub async fn ask(
    core: &Rc<Core>,
    agent: AgentId,
    need: Need,
    site: &str,
    what: &str,
) -> Result<Said, Failure> {
    let Some(who) = core.agents.borrow().all.get(&agent).map(Agent::who) else {
        return Err(Failure::RequestCancelled);
    };
    if !core.consent.must_ask(&who, site, need)? {
        return Ok(Said::Unasked);
    }
    let number = core.consent.last_question.get() + 1;
    core.consent.last_question.set(number);
    let question = Question {
        number,
        who: who.clone(),
        site: site.to_owned(),
        what: what.to_owned(),
        why: need.told().to_owned(),
        trusting: need.can_be_trusted(),
        typing: need == Need::Typed,
    };
    core.consent.open.borrow_mut().push(Asked { question, answer: None });
    let open = Open { core, number };
    core.show_state();
    // Where the browser does not show it by itself, the button says that there is a question.
    drop(core.desk.call(ChromeCall::OpenPopup));
    let answered = async {
        let answer = core.consent.changed.until(|| {
            let open = core.consent.open.borrow();
            open.iter().find(|asked| asked.question.number == number)?.answer.clone()
        });
        Ok(answer.await)
    };
    let answer = core.desk.within(PERSON, "the person's answer", answered).await;
    drop(open);
    match answer {
        Ok(said @ (Said::Unasked | Said::Allowed | Said::Typed(_))) => {
            core.journal.right(Right::Confirmed);
            Ok(said)
        }
        Ok(Said::Refused) => {
            core.journal.right(Right::Unconfirmed);
            Err(Failure::NotConfirmed { what: what.to_owned() })
        }
        Err(_) => {
            core.journal.right(Right::Unconfirmed);
            Err(Failure::AwaitingConfirmation { what: what.to_owned(), agent: reply::quoted(&who.label) })
        }
    }
}

/// Takes what the person says in one of our pages.
pub fn answered(core: &Rc<Core>, shown: &Question, answer: Answer, typed: Option<Hidden>) {
    let what = match answer {
        Answer::Once => "confirm",
        Answer::Trust => "confirm, trust the site",
        Answer::Refuse => "refuse the act",
    };
    journal::decision(core, what, Some(&shown.who.label), Some(&shown.site), Some(&shown.what));
    core.consent.confirm(shown, answer, typed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::Policy;

    fn who(label: &str, program: &str) -> Who {
        Who { label: label.into(), program: program.into() }
    }

    fn question(number: u64) -> Question {
        Question {
            number,
            who: who("me", ""),
            site: "https://shop.example:443".into(),
            what: "click e9 button \"Pay €1\"".into(),
            why: String::new(),
            trusting: true,
            typing: false,
        }
    }

    #[test]
    fn an_answer_is_for_the_question_as_it_was_shown() {
        let consent = Consent::default();
        consent.open.borrow_mut().push(Asked { question: question(1), answer: None });
        for shown in [
            question(2),
            Question { what: "click e9 button \"Pay €1000\"".into(), ..question(1) },
            Question { site: "https://other.example:443".into(), ..question(1) },
            Question { who: who("you", ""), ..question(1) },
            Question { who: who("me", "/tmp/other"), ..question(1) },
        ] {
            consent.confirm(&shown, Answer::Once, None);
            assert_eq!(consent.questions().len(), 1, "{shown:?}");
        }
        consent.confirm(&question(1), Answer::Once, None);
        assert_eq!(consent.questions(), []);
        assert!(
            consent.must_ask(&who("me", ""), "https://shop.example:443", Need::Named(Deed::Pay)).unwrap()
        );
    }

    #[test]
    fn what_is_to_be_typed_is_taken_only_where_it_was_asked_for() {
        let consent = Consent::default();
        let typed = || Some(Hidden("hunter2".into()));
        let asking = Question { typing: true, trusting: false, ..question(1) };
        let said = |consent: &Consent| consent.open.borrow()[0].answer.clone();
        consent.open.borrow_mut().push(Asked { question: asking.clone(), answer: None });
        consent.confirm(&asking, Answer::Once, None);
        consent.confirm(&asking, Answer::Once, Some(Hidden(String::new())));
        consent.confirm(&asking, Answer::Trust, typed());
        assert_eq!(said(&consent), None);
        consent.confirm(&asking, Answer::Once, typed());
        assert_eq!(said(&consent), Some(Said::Typed(Hidden("hunter2".into()))));
        let consent = Consent::default();
        consent.open.borrow_mut().push(Asked { question: question(1), answer: None });
        consent.confirm(&question(1), Answer::Once, typed());
        assert_eq!(said(&consent), Some(Said::Allowed));
        for need in [Need::Secret, Need::Typed, Need::Upload, Need::Card] {
            assert!(!need.can_be_trusted(), "{need:?}");
        }
    }

    #[test]
    fn a_trusted_site_is_not_asked_about_but_for_cards() {
        let consent = Consent::default();
        consent.open.borrow_mut().push(Asked { question: question(1), answer: None });
        consent.confirm(&question(1), Answer::Trust, None);
        let asks = |label, site, need| consent.must_ask(&who(label, ""), site, need).unwrap();
        assert!(!asks("me", "https://shop.example:443", Need::Password));
        assert!(asks("me", "https://shop.example:443", Need::Card));
        assert!(asks("me", "http://shop.example:80", Need::Password));
        assert!(asks("you", "https://shop.example:443", Need::Password));
        consent.forget_sites(&who("me", ""));
        assert!(asks("me", "https://shop.example:443", Need::Password));
    }

    #[test]
    fn what_a_policy_does_not_list_fails_at_once() {
        let consent = Consent::default();
        let policy = Policy { acts: vec!["pay".into()], ..Policy::default() };
        *consent.policy.borrow_mut() = Some(policy);
        assert!(!consent.must_ask(&who("me", ""), "https://a.example:443", Need::Named(Deed::Pay)).unwrap());
        let denied =
            consent.must_ask(&who("me", ""), "https://a.example:443", Need::Named(Deed::Delete)).unwrap_err();
        assert_eq!((denied.code(), denied.to_string().contains("`delete`")), ("not_allowed", true));
    }
}
