//! What is told to the journal: each call with what it was about and how it ended, and each decision of the person.
//! The host writes it; what it could not be told yet waits here.

use crate::{
    address,
    agent::{Agent, AgentId},
    browser::Core,
    clock::Instant,
    host_link,
    tab::Tab,
};
use futures::future::poll_fn;
use snapshot::Ref;
use std::{cell::RefCell, collections::VecDeque, pin::pin, rc::Rc};
use wire::{
    ConnectionId, FromWorker, Reply,
    journal::{By, Entry, Right},
};

/// What a call has turned out to be about.
#[derive(Debug, Default)]
pub struct Notes {
    pub tab: Option<String>,
    site: Option<String>,
    pub on: Vec<String>,
    refs: Vec<Ref>,
    right: Option<Right>,
}

/// What happened of late, for our pages.
#[derive(Debug, Clone)]
pub struct Recent {
    /// Numbered in the order it happened, from the worker's start on.
    pub number: u64,
    /// When.
    pub at: Instant,
    /// What is written down of it.
    pub entry: Entry,
    /// The elements that it worked.
    pub refs: Vec<Ref>,
}

/// What is noted of the call that is being carried on, and what waits to be written.
#[derive(Default)]
pub struct Journal {
    /// Set only while a call's own work is polled: calls are carried on in turns.
    current: RefCell<Option<Rc<RefCell<Notes>>>>,
    /// Entries that no host was there for.
    pub unwritten: RefCell<VecDeque<Entry>>,
    /// The last entries, oldest first.
    pub recent: RefCell<VecDeque<Recent>>,
}

/// How many entries wait for a host at most; the oldest go first.
const WAITING: usize = 512;

/// How many entries our pages are shown.
const SHOWN: usize = 60;

/// How much of an element's words is written down.
const WORDS: usize = 80;

/// How many elements of one call are.
const ELEMENTS: usize = 4;

impl Journal {
    fn note(&self, note: impl FnOnce(&mut Notes)) {
        if let Some(notes) = &*self.current.borrow() {
            note(&mut notes.borrow_mut());
        }
    }

    /// The call is about this tab.
    pub fn tab(&self, tab: &Tab) {
        self.note(|notes| notes.tab = Some(tab.to_string()));
    }

    /// The call is at this address.
    pub fn at(&self, url: &str) {
        self.note(|notes| notes.site = address::site(url));
    }

    /// The call works this element.
    pub fn on(&self, said: &str, reference: Ref) {
        self.note(|notes| {
            if notes.refs.len() < ELEMENTS && !notes.refs.contains(&reference) {
                notes.refs.push(reference);
            }
            let short: String = said.chars().take(WORDS).collect();
            if notes.on.len() < ELEMENTS && !notes.on.contains(&short) {
                notes.on.push(short);
            }
        });
    }
}

impl Journal {
    /// The person was asked about what the call does.
    pub fn right(&self, right: Right) {
        self.note(|notes| notes.right = Some(right));
    }
}

/// Carries a call on, so that what it turns out to be about is noted for it.
pub async fn noting<T>(core: &Rc<Core>, notes: &Rc<RefCell<Notes>>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|context| {
        let before = core.journal.current.replace(Some(notes.clone()));
        let polled = work.as_mut().poll(context);
        core.journal.current.replace(before);
        polled
    })
    .await
}

/// Writes down a call that ended, ahead of its reply.
pub fn call(
    core: &Rc<Core>,
    connection: ConnectionId,
    agent: AgentId,
    what: String,
    notes: &RefCell<Notes>,
    reply: &Reply,
) {
    let who = core.agents.borrow().all.get(&agent).map(Agent::who);
    let Notes { tab, site, on, refs, right } = std::mem::take(&mut *notes.borrow_mut());
    let usual = if core.consent.in_force().is_some() { Right::Policy } else { Right::Person };
    let entered = who.as_ref().is_some_and(|who| matches!(core.consent.entry(who), Some(Ok(()))));
    let program = who.as_ref().map(|who| who.program.clone()).filter(|program| !program.is_empty());
    let agent = who.map(|who| who.label);
    let entry = Entry {
        by: By::Agent,
        agent,
        program,
        tab,
        site,
        what,
        on: (!on.is_empty()).then(|| on.join(", ")),
        right: right.or(entered.then_some(usual)),
        outcome: reply.code().unwrap_or("ok").to_owned(),
    };
    remember(core, &entry, refs);
    write(core, Some(connection), entry);
}

fn remember(core: &Core, entry: &Entry, refs: Vec<Ref>) {
    let mut recent = core.journal.recent.borrow_mut();
    let number = recent.back().map_or(1, |last| last.number + 1);
    recent.push_back(Recent { number, at: core.desk.now(), entry: entry.clone(), refs });
    if recent.len() > SHOWN {
        recent.pop_front();
    }
}

/// Writes down what the person decided.
pub fn decision(core: &Core, what: &str, agent: Option<&str>, site: Option<&str>, on: Option<&str>) {
    let entry = Entry {
        by: By::Person,
        agent: agent.map(str::to_owned),
        program: None,
        tab: None,
        site: site.map(str::to_owned),
        what: what.to_owned(),
        on: on.filter(|on| !on.is_empty()).map(|on| on.chars().take(WORDS).collect()),
        right: None,
        outcome: "ok".into(),
    };
    remember(core, &entry, Vec::new());
    write(core, None, entry);
}

fn write(core: &Core, connection: Option<ConnectionId>, mut entry: Entry) {
    core.secrets.mask_entry(&mut entry);
    if core.host.borrow().port.is_greeted() {
        // In the lane of the reply, and so ahead of it.
        return host_link::post(core, connection, &FromWorker::Journal(entry));
    }
    let mut unwritten = core.journal.unwritten.borrow_mut();
    if unwritten.len() >= WAITING {
        unwritten.pop_front();
    }
    unwritten.push_back(entry);
}

/// A host is there: it is told what waited.
pub fn catch_up(core: &Rc<Core>) {
    for entry in core.journal.unwritten.take() {
        host_link::post(core, None, &FromWorker::Journal(entry));
    }
}
