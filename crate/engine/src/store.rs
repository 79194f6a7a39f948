//! What outlives the worker: in the browser's memory (tabs, agents, refs, what was shown), and on disk (decisions
//! of the person, numbers that must never be given twice).

use crate::{
    agent::{Agent, AgentId, Base, View},
    browser::{Appearance, Core, Profile},
    consent::{Decisions, Who, sites::Visit},
    io::{ChromeTab, GroupId, Output, Started},
    ledger::Ledger,
    pointing::{Selection, Tools},
    shown::Shown,
    tab::{Dialog, Prompt, Tab},
};
use cdp::ScriptId;
use litemap::LiteMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use snapshot::{DocumentNo, Ref, fingerprint::Fingerprint};
use std::{
    collections::{BTreeSet, VecDeque},
    hash::{BuildHasher as _, Hash as _, Hasher as _},
    rc::Rc,
};
use tools::TabName;
use wire::{AgentKey, AgentKind, Hidden, journal::Entry};

/// What was kept last.
#[derive(Default)]
pub struct Kept {
    /// Told by its hash: the text itself is long where much was shown.
    session: u64,
    local: String,
    refs: LiteMap<DocumentNo, String>,
    reserved: Reserved,
}

/// Numbers up to these may have been given in an earlier life; a new one begins above them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
struct Reserved {
    reference: u32,
    document: u32,
    tab: u32,
}

/// How far ahead numbers are reserved, so that the disk is not written at every reply.
const AHEAD: u32 = 256;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Local {
    decisions: Decisions,
    reserved: Reserved,
    profile: Profile,
    appearance: Appearance,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Memory {
    lapsed_tab: u32,
    lapsed_ref: u32,
    tabs: Vec<TabMemory>,
    agents: Vec<AgentMemory>,
    last_tab: u32,
    last_agent: u32,
    last_document: u32,
    next_ref: u32,
    documents: Vec<(DocumentNo, TabName, String)>,
    waiting: BTreeSet<Who>,
    visits: BTreeSet<Visit>,
    asked: BTreeSet<Visit>,
    unwritten: VecDeque<Entry>,
    /// In the browser's memory alone, like all of this: gone when it ends.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    secrets: BTreeSet<Hidden>,
    tools: Vec<(ChromeTab, Tools)>,
    released: VecDeque<TabName>,
}

#[derive(Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts of one tab")]
struct TabMemory {
    name: TabName,
    chrome: ChromeTab,
    owner: Option<AgentId>,
    opened: bool,
    #[serde(default)]
    by_page: bool,
    #[serde(default)]
    taken: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shared: Option<String>,
    group: Option<GroupId>,
    script: Option<ScriptId>,
    dialog: Option<(String, String, String)>,
    #[serde(default)]
    selection: Option<Selection>,
    #[serde(default)]
    private: bool,
    url: String,
    title: String,
    crashed: bool,
    discarded: bool,
}

#[derive(Serialize, Deserialize)]
struct AgentMemory {
    id: AgentId,
    key: AgentKey,
    label: String,
    #[serde(default)]
    program: String,
    kind: AgentKind,
    group: Option<GroupId>,
    shown: Vec<(TabName, Prints)>,
}

/// What an agent was shown of a tab.
type Prints = Vec<(Ref, Rc<Fingerprint>)>;

/// Keeps what changed since it was last kept.
pub fn keep(core: &Core) {
    let mut kept = core.kept.borrow_mut();
    let next = core.refs.borrow().next();
    let reserved = &mut kept.reserved;
    for (given, reserved) in [
        (next, &mut reserved.reference),
        (core.last_document.get(), &mut reserved.document),
        (core.last_tab.get(), &mut reserved.tab),
    ] {
        if given >= *reserved {
            *reserved = given + AHEAD;
        }
    }
    let local = Local {
        decisions: core.consent.decisions.borrow().clone(),
        reserved: kept.reserved,
        profile: core.profile.borrow().clone(),
        appearance: core.appearance.get(),
    };
    let local = serde_json::to_string(&local).unwrap_or_default();
    if local != kept.local {
        kept.local.clone_from(&local);
        core.desk.tell(Output::KeepLocal { text: local });
    }
    let mut memory = remember(core, &mut kept);
    // What was shown is the most of it, and mostly the same as before.
    let mut rest = FxBuildHasher.build_hasher();
    serde_json::to_string(&memory).unwrap_or_default().hash(&mut rest);
    for view in core.agents.borrow().all.values().flat_map(|agent| agent.views.values()) {
        view.shown.stamp().hash(&mut rest);
    }
    let mark = rest.finish();
    if mark != kept.session {
        kept.session = mark;
        memory.agents = core.agents.borrow().all.values().map(agent_memory).collect();
        let text = serde_json::to_string(&memory).unwrap_or_default();
        core.desk.tell(Output::KeepSession { text });
    }
}

fn remember(core: &Core, kept: &mut Kept) -> Memory {
    let refs = core.refs.borrow();
    let documents = core.documents.borrow();
    kept.refs.retain(|document, _| documents.contains_key(document));
    for document in std::mem::take(&mut *core.touched.borrow_mut()) {
        if documents.contains_key(&document) {
            kept.refs.insert(document, refs.save(document));
        }
    }
    Memory {
        lapsed_tab: core.lapsed.tab.get(),
        lapsed_ref: core.lapsed.reference.get(),
        tabs: core.tabs.borrow().values().filter_map(|tab| tab_memory(tab)).collect(),
        agents: core.agents.borrow().all.values().map(known).collect(),
        last_tab: core.last_tab.get(),
        last_agent: core.agents.borrow().last,
        last_document: core.last_document.get(),
        next_ref: refs.next(),
        documents: documents
            .iter()
            .map(|(document, tab)| (*document, *tab, kept.refs.get(document).cloned().unwrap_or_default()))
            .collect(),
        waiting: core.consent.waiting.borrow().clone(),
        visits: core.consent.visits.borrow().clone(),
        asked: core.consent.asked.borrow().clone(),
        unwritten: core.journal.unwritten.borrow().clone(),
        secrets: core.secrets.all(),
        tools: core.pointing.tools.borrow().iter().map(|(tab, tools)| (*tab, tools.clone())).collect(),
        released: core.released.borrow().clone(),
    }
}

fn tab_memory(tab: &Tab) -> Option<TabMemory> {
    let state = tab.state.borrow();
    let dialog = match &state.dialog {
        Dialog::None => None,
        Dialog::Open(prompt) => Some((prompt.kind.clone(), prompt.message.clone(), prompt.default.clone())),
    };
    Some(TabMemory {
        name: tab.name,
        chrome: state.chrome?,
        owner: state.owner,
        opened: state.opened,
        by_page: state.by_page,
        taken: state.taken,
        shared: state.shared.clone(),
        group: state.group,
        script: state.script.clone(),
        dialog,
        selection: state.selection.clone(),
        private: state.private,
        url: state.url.clone(),
        title: state.title.clone(),
        crashed: state.crashed,
        discarded: state.discarded,
    })
}

fn agent_memory(agent: &Agent) -> AgentMemory {
    let shown = agent.views.iter().map(|(tab, view)| (*tab, view.shown.iter().collect()));
    AgentMemory { shown: shown.collect(), ..known(agent) }
}

/// An agent without what it was shown; of which tabs it was shown anything is told.
fn known(agent: &Agent) -> AgentMemory {
    AgentMemory {
        id: agent.id,
        key: agent.key.clone(),
        label: agent.label.clone(),
        program: agent.program.clone(),
        kind: agent.kind,
        group: agent.group,
        shown: agent.views.keys().map(|tab| (*tab, Vec::new())).collect(),
    }
}

/// Takes up what an earlier life of the worker kept. What does not read is taken as absent: numbers stay unique
/// through the disk's copy.
pub fn restore(core: &Rc<Core>, started: &Started) {
    let read = |text: &Option<String>| text.clone().unwrap_or_default();
    let local: Local = serde_json::from_str(&read(&started.local)).unwrap_or_default();
    let session: Option<Memory> = serde_json::from_str(&read(&started.session)).ok();
    *core.consent.decisions.borrow_mut() = local.decisions;
    core.profile.replace(local.profile);
    core.appearance.set(local.appearance);
    core.ledger.replace(Ledger::restored(&started.requests));
    let fresh = session.is_none();
    let memory = session.unwrap_or_default();
    {
        let mut kept = core.kept.borrow_mut();
        kept.reserved = local.reserved;
        kept.local = read(&started.local);
    }
    // A browser that was restarted begins above all that was reserved; a worker goes on where the last one was.
    let floor = |given: u32, reserved: u32| if fresh { reserved } else { given };
    core.lapsed.tab.set(floor(memory.lapsed_tab, local.reserved.tab));
    core.lapsed.reference.set(floor(memory.lapsed_ref, local.reserved.reference));
    core.last_tab.set(floor(memory.last_tab, local.reserved.tab));
    core.last_document.set(floor(memory.last_document, local.reserved.document));
    core.refs.borrow_mut().raise(floor(memory.next_ref, local.reserved.reference));
    core.consent.waiting.replace(memory.waiting);
    core.consent.visits.replace(memory.visits);
    core.consent.asked.replace(memory.asked);
    core.journal.unwritten.replace(memory.unwritten);
    for value in &memory.secrets {
        core.secrets.hide(value);
    }
    core.pointing.tools.replace(memory.tools.into_iter().collect());
    core.released.replace(memory.released);
    for (document, tab, refs) in memory.documents {
        // A table that does not read is lost; its refs are then told as gone.
        if core.refs.borrow_mut().load(&refs).is_ok() {
            core.documents.borrow_mut().insert(document, tab);
            core.touched.borrow_mut().insert(document);
        }
    }
    for kept in memory.tabs {
        let tab = Rc::new(Tab::new(kept.name, kept.chrome));
        {
            let mut state = tab.state.borrow_mut();
            state.owner = kept.owner;
            state.opened = kept.opened;
            state.by_page = kept.by_page;
            state.taken = kept.taken;
            state.shared = kept.shared;
            state.group = kept.group;
            state.script = kept.script;
            state.selection = kept.selection;
            state.private = kept.private;
            state.url = kept.url;
            state.title = kept.title;
            state.crashed = kept.crashed;
            state.discarded = kept.discarded;
            if let Some((kind, message, default_prompt)) = kept.dialog {
                state.dialog = Dialog::Open(Prompt { kind, message, default: default_prompt });
            }
        }
        core.tabs.borrow_mut().insert(kept.name, tab);
    }
    let mut agents = core.agents.borrow_mut();
    agents.last = memory.last_agent;
    for kept in memory.agents {
        let views = kept
            .shown
            .into_iter()
            .map(|(tab, shown)| {
                (tab, View { base: Base::Lost, shown: Shown::restored(shown), told: Vec::new() })
            })
            .collect();
        let agent = Agent {
            id: kept.id,
            key: kept.key,
            label: kept.label,
            program: kept.program,
            kind: kept.kind,
            connections: BTreeSet::new(),
            first: None,
            // Not kept at each call: an earlier life may have been called just before it ended.
            called: core.desk.now(),
            views,
            group: kept.group,
        };
        agents.all.insert(kept.id, agent);
    }
}
