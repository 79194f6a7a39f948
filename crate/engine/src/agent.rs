//! Agents: who they are, which connections are theirs, and what each was shown of which tab.

use crate::{
    clock::{Instant, Millis},
    consent::Who,
    failure::Failure,
    io::GroupId,
    shown::Shown,
    tab::Tab,
};
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use snapshot::{DocumentNo, Ref, Tree};
use std::{collections::BTreeSet, rc::Rc};
use tools::TabName;
use wire::{AgentKey, AgentKind, ConnectionId};

/// An agent, numbered in the order they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(pub u32);

/// What one agent was shown of a tab in replies already sent.
#[derive(Default)]
pub struct View {
    /// The base of the next diff.
    pub base: Base,
    /// How each ref read when it was last shown.
    pub shown: Shown,
    /// What the last diff told of: a snapshot does not fold it away. None after a restart.
    pub told: Vec<Ref>,
}

/// What the last reply that told of a whole tab was of.
#[derive(Default)]
pub enum Base {
    /// Not known: after a restart.
    #[default]
    Lost,
    /// This tree.
    Tree(Rc<Tree>),
    /// Another page than the tab shows now: its tree tells nothing any more.
    Left,
}

impl Base {
    /// The tree, if it is of the page that the tab shows.
    pub fn tree(&self) -> Option<&Rc<Tree>> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Lost | Self::Left => None,
        }
    }
}

/// An agent.
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// What makes it the same one again.
    pub key: AgentKey,
    /// The name it gives itself.
    pub label: String,
    /// The program that started its front end, where the system tells; else empty.
    pub program: String,
    /// How it came in.
    pub kind: AgentKind,
    /// Its connections.
    pub connections: BTreeSet<ConnectionId>,
    /// The connection by which it became known, as long as the host is the same.
    pub first: Option<ConnectionId>,
    /// When it last called anything.
    pub called: Instant,
    /// What it was shown.
    pub views: LiteMap<TabName, View>,
    /// Its tab group.
    pub group: Option<GroupId>,
}

/// An agent that called nothing for so long holds its tabs no more: whoever names one takes it.
const IDLE: Millis = Millis(30 * 60 * 1000);

/// Colours that tab groups can have, in the order agents get them.
const COLORS: &[&str] = &["blue", "green", "purple", "orange", "cyan", "pink", "yellow", "red", "grey"];

impl Agent {
    /// By what the person knows it.
    pub fn who(&self) -> Who {
        Who { label: self.label.clone(), program: self.program.clone() }
    }

    /// The colour of its tab group.
    pub fn color(&self) -> &'static str {
        COLORS[self.id.0 as usize % COLORS.len()]
    }
}

/// All agents of this browser.
#[derive(Default)]
pub struct Agents {
    /// By number.
    pub all: LiteMap<AgentId, Agent>,
    /// The number of the last one.
    pub last: u32,
}

/// A label as it may be shown: what an agent says of itself is no more than a short line.
fn said(label: &str) -> String {
    const MOST: usize = 60;
    let seen = label.chars().filter(|c| !snapshot::render::is_treacherous(*c));
    let line: String = seen.take(MOST).collect();
    let line = line.trim();
    if line.is_empty() { "unnamed".into() } else { line.to_owned() }
}

impl Agents {
    /// An agent connected: it is one we know by its key and kind, or a new one.
    pub fn joined(
        &mut self,
        connection: ConnectionId,
        key: AgentKey,
        label: &str,
        kind: AgentKind,
        program: Option<String>,
        now: Instant,
    ) -> AgentId {
        let known =
            self.all.values().find(|agent| agent.kind == kind && agent.key == key).map(|agent| agent.id);
        let id = known.unwrap_or_else(|| {
            self.last += 1;
            AgentId(self.last)
        });
        let agent = self.all.entry(id).or_insert_with(|| Agent {
            id,
            key,
            label: String::new(),
            program: String::new(),
            kind,
            connections: BTreeSet::new(),
            first: Some(connection),
            called: now,
            views: LiteMap::new(),
            group: None,
        });
        agent.label = said(label);
        agent.program = program.unwrap_or_default();
        agent.connections.insert(connection);
        id
    }

    /// The agent of a connection.
    pub fn of(&self, connection: ConnectionId) -> Option<&Agent> {
        self.all.values().find(|agent| agent.connections.contains(&connection))
    }

    /// A connection ended. An MCP client that holds no tab and has no other connection is forgotten.
    pub fn left(&mut self, connection: ConnectionId, holders: &BTreeSet<AgentId>) {
        for (_, agent) in self.all.iter_mut() {
            agent.connections.remove(&connection);
        }
        self.all.retain(|id, agent| {
            agent.kind == AgentKind::Shell || !agent.connections.is_empty() || holders.contains(id)
        });
    }

    /// Every connection ended: the host went.
    pub fn all_left(&mut self) {
        for (_, agent) in self.all.iter_mut() {
            agent.connections.clear();
            agent.first = None;
        }
    }

    /// An agent calls something.
    pub fn called(&mut self, id: AgentId, now: Instant) {
        if let Some(agent) = self.all.get_mut(&id) {
            agent.called = now;
        }
    }

    /// Whether an agent is there, and has called anything of late. One of the shell has no connection between its calls.
    pub fn is_present(&self, id: AgentId, now: Instant) -> bool {
        self.all.get(&id).is_some_and(|agent| {
            let there = agent.kind == AgentKind::Shell || !agent.connections.is_empty();
            there && now - agent.called < IDLE
        })
    }

    /// Lets the agent use a tab: its own, or one whose agent has gone or is idle.
    ///
    /// # Errors
    /// When another agent that is present holds it.
    pub fn lease(&mut self, id: AgentId, tab: &Rc<Tab>, now: Instant) -> Result<(), Failure> {
        // As if it were not there: the person has not sent it.
        if tab.state.borrow().private {
            return Err(Failure::UnknownTab { tab: tab.to_string() });
        }
        let owner = tab.state.borrow().owner;
        match owner {
            Some(owner) if owner == id => Ok(()),
            // What the person handed over is for that agent alone.
            Some(owner) if self.is_present(owner, now) || tab.state.borrow().shared.is_some() => {
                let holder = self.all.get(&owner).map(|agent| agent.label.clone()).unwrap_or_default();
                Err(Failure::Held { tab: tab.to_string(), holder: format!("{holder:?}") })
            }
            Some(_) | None => {
                tab.state.borrow_mut().owner = Some(id);
                self.view(id, tab.name);
                Ok(())
            }
        }
    }

    /// What the agent was shown of a tab.
    pub fn view(&mut self, id: AgentId, tab: TabName) -> Option<&mut View> {
        self.all.get_mut(&id).map(|agent| agent.views.entry(tab).or_default())
    }

    /// A tab shows this document: trees of others are let go.
    pub fn turn(&mut self, tab: TabName, document: Option<DocumentNo>) {
        for (_, agent) in self.all.iter_mut() {
            if let Some(view) = agent.views.get_mut(&tab)
                && view.base.tree().is_some_and(|tree| tree.document() != document)
            {
                view.base = Base::Left;
            }
        }
    }

    /// A tab is no longer anybody's, or has gone: what was shown of it goes too.
    pub fn forget(&mut self, tab: TabName) {
        for (_, agent) in self.all.iter_mut() {
            agent.views.remove(&tab);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::ChromeTab;

    #[test]
    fn a_tab_is_held_until_its_agent_goes_or_is_idle() {
        let mut agents = Agents::default();
        let key = |word: &str| AgentKey(word.to_owned());
        let start = Instant(1_000);
        let one = agents.joined(ConnectionId(1), key("one"), "one", AgentKind::Mcp, None, start);
        let two = agents.joined(ConnectionId(2), key("two"), "two", AgentKind::Shell, None, start);
        let tab = Rc::new(Tab::new(TabName(1), ChromeTab(7)));
        agents.lease(one, &tab, start).unwrap();
        let shared = Rc::new(Tab::new(TabName(2), ChromeTab(8)));
        shared.state.borrow_mut().shared = Some("https://bank.example:443".into());
        agents.lease(one, &shared, start).unwrap();
        let late = start + IDLE;
        assert!(
            matches!(agents.lease(two, &tab, start), Err(Failure::Held { holder, .. }) if holder == "\"one\"")
        );
        // It calls again: the time begins anew.
        agents.called(one, start + Millis(60_000));
        assert!(matches!(agents.lease(two, &tab, late), Err(Failure::Held { .. })));
        agents.lease(two, &tab, late + Millis(60_000)).unwrap();
        assert!(agents.lease(two, &shared, late + Millis(60_000)).is_err(), "it is for the first alone");
        agents.called(two, late + Millis(60_000));
        assert!(agents.lease(one, &tab, late + Millis(60_000)).is_err(), "now it is the other's");

        // Between its calls one of the shell has no connection; one of MCP has gone then.
        agents.left(ConnectionId(2), &BTreeSet::new());
        assert!(agents.lease(one, &tab, late + Millis(60_000)).is_err());
        agents.lease(one, &tab, late + IDLE + Millis(60_000)).unwrap();
        agents.left(ConnectionId(1), &BTreeSet::from([one]));
        agents.lease(two, &tab, late + IDLE).unwrap();
        // The same key of the same kind is the same agent again; of another kind it is another.
        assert_eq!(agents.joined(ConnectionId(3), key("one"), "renamed", AgentKind::Mcp, None, late), one);
        assert_ne!(agents.joined(ConnectionId(4), key("one"), "one", AgentKind::Shell, None, late), one);
    }
}
