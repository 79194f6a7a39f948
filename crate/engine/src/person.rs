//! The person's side: what our pages show, and what they ask for. Pages hold no rules: they draw a view and send an
//! intent.

use crate::{
    browser::Core,
    consent::{
        confirm::{self, Question},
        sites::{Sites, Visit},
    },
    failure::Failure,
    host_link::Port,
    io::{ChromeCall, Intent},
    journal, request,
};
use serde::Serialize;
use std::rc::Rc;

/// What the popup shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    /// Whether agents can reach this browser.
    connected: bool,
    /// One sentence: how things stand.
    state: String,
    /// One sentence: what to do, where something is missing.
    next: String,
    /// Whether the stop is set.
    stopped: bool,
    /// The agents.
    agents: Vec<AgentView>,
    /// Sites that the person is asked about.
    visits: Vec<Visit>,
    /// Acts that the person is asked about.
    questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct AgentView {
    label: String,
    /// `waiting`, `allowed` or `refused`.
    standing: &'static str,
    present: bool,
    /// Whether this profile's unattended policy decides, not the person.
    by_policy: bool,
    tabs: Vec<String>,
    /// Where it may be and where not, as decided.
    sites: Sites,
}

/// The toolbar button: at most four characters, and the tooltip.
pub fn badge(core: &Core) -> (&'static str, String) {
    let (state, next) = standing(core);
    let text = if core.consent.decisions.borrow().stopped {
        "stop"
    } else if !core.consent.waiting.borrow().is_empty()
        || !core.consent.asked.borrow().is_empty()
        || !core.consent.questions().is_empty()
    {
        "?"
    } else if core.started.borrow().panic.is_some() {
        "!"
    } else if !core.host.borrow().port.is_greeted() {
        "off"
    } else if core.consent.in_force().is_some() {
        "auto"
    } else if core.agents.borrow().all.values().any(|agent| !agent.connections.is_empty()) {
        "on"
    } else {
        ""
    };
    (text, if next.is_empty() { format!("Tabwright: {state}") } else { format!("Tabwright: {state} {next}") })
}

/// How things stand and what to do, in a sentence each.
fn standing(core: &Core) -> (String, String) {
    if core.consent.decisions.borrow().stopped {
        return ("All agents are stopped.".into(), "Press “Let agents go on” to lift it.".into());
    }
    if let Some(panic) = &core.started.borrow().panic {
        return (
            format!("It restarted after an error ({panic}); what agents had under way was ended."),
            "If it happens again, please report it.".into(),
        );
    }
    let waiting = core.consent.waiting.borrow();
    if let Some(label) = waiting.iter().next() {
        return (
            format!("An agent that says it is “{label}” wants to use this browser."),
            "Allow or refuse it.".into(),
        );
    }
    if let Some(Visit { label, site }) = core.consent.asked.borrow().iter().next() {
        return (format!("“{label}” wants to be at {site}."), "Say whether it may.".into());
    }
    if let Some(question) = core.consent.questions().first() {
        return (format!("“{}” waits for your word.", question.label), "Say whether it may.".into());
    }
    let host = core.host.borrow();
    match &host.port {
        Port::Greeted(_) if core.consent.in_force().is_some() => {
            ("An unattended policy is in force in this profile.".into(), String::new())
        }
        Port::Greeted(_) => ("Agents can connect.".into(), String::new()),
        Port::Mismatched(hello) => (
            format!(
                "The host is version {}, the extension {}; they do not understand each other.",
                hello.version,
                core.started.borrow().version
            ),
            "Update the older one, then reload the extension.".into(),
        ),
        Port::Open | Port::Closed => {
            let error = host.error.as_deref().unwrap_or("connecting");
            if error.contains("not found") {
                ("The program that agents reach is not registered.".into(), "Run: tabwright install".into())
            } else if error.contains("forbidden") {
                (
                    "The registered program does not allow this extension.".into(),
                    "Run: tabwright install".into(),
                )
            } else {
                (format!("Agents cannot connect yet ({error})."), "It is tried again by itself.".into())
            }
        }
    }
}

/// The view as JSON.
pub fn view(core: &Core) -> String {
    let (state, next) = standing(core);
    let mut labels = core.consent.waiting.borrow().clone();
    labels.extend(core.consent.decisions.borrow().allowed.iter().cloned());
    labels.extend(core.consent.decisions.borrow().refused.iter().cloned());
    labels.extend(
        core.agents
            .borrow()
            .all
            .values()
            .filter(|a| !a.connections.is_empty())
            .map(|agent| agent.label.clone()),
    );
    let by_policy = core.consent.in_force().is_some();
    let agents = labels.into_iter().map(|label| {
        let standing = match core.consent.entry(&label) {
            None => "waiting",
            Some(Ok(())) => "allowed",
            Some(Err(_)) => "refused",
        };
        let agents = core.agents.borrow();
        let ids: Vec<_> =
            agents.all.values().filter(|agent| agent.label == label).map(|agent| agent.id).collect();
        let present = agents.all.values().any(|agent| agent.label == label && !agent.connections.is_empty());
        let tabs = core.tabs.borrow();
        let tabs =
            tabs.values().filter(|tab| tab.state.borrow().owner.is_some_and(|owner| ids.contains(&owner)));
        let tabs = tabs.map(|tab| {
            let state = tab.state.borrow();
            if state.title.is_empty() { state.url.clone() } else { state.title.clone() }
        });
        let sites = core.consent.decisions.borrow().sites.get(&label).cloned().unwrap_or_default();
        AgentView { standing, present, by_policy, tabs: tabs.collect(), sites, label }
    });
    let view = View {
        connected: core.host.borrow().port.is_greeted(),
        state,
        next,
        stopped: core.consent.decisions.borrow().stopped,
        agents: agents.collect(),
        visits: core.consent.asked.borrow().iter().cloned().collect(),
        questions: core.consent.questions(),
    };
    serde_json::to_string(&view).unwrap_or_default()
}

/// Does what the person asked for.
pub fn intend(core: &Rc<Core>, intent: Intent) {
    match intent {
        Intent::Status => return,
        Intent::Allow { label, everywhere } => {
            let what = if everywhere { "allow everywhere" } else { "allow" };
            journal::decision(core, what, Some(&label), None, None);
            let mut decisions = core.consent.decisions.borrow_mut();
            decisions.by_hand = true;
            decisions.refused.remove(&label);
            decisions.allowed.insert(label.clone());
            decisions.sites.entry(label.clone()).or_default().everywhere = everywhere;
            core.consent.waiting.borrow_mut().remove(&label);
        }
        Intent::Refuse { label } => {
            journal::decision(core, "refuse", Some(&label), None, None);
            {
                let mut decisions = core.consent.decisions.borrow_mut();
                decisions.by_hand = true;
                decisions.allowed.remove(&label);
                decisions.refused.insert(label.clone());
            }
            core.consent.waiting.borrow_mut().remove(&label);
            let connections: Vec<_> = {
                let agents = core.agents.borrow();
                let refused = agents.all.values().filter(|agent| agent.label == label);
                refused.flat_map(|agent| agent.connections.iter().copied()).collect()
            };
            for connection in connections {
                request::cancel_connection(core, connection);
            }
        }
        Intent::Visit { visit, answer } => {
            journal::decision(core, answer.words(), Some(&visit.label), Some(&visit.site), None);
            core.consent.answer(&visit, answer);
        }
        Intent::Confirm { shown, answer } => confirm::answered(core, &shown, answer),
        Intent::ForgetSites { label } => {
            journal::decision(core, "ask again about sites", Some(&label), None, None);
            core.consent.forget_sites(&label);
        }
        Intent::Stop => return stop(core),
        Intent::Resume => {
            journal::decision(core, "go on", None, None, None);
            core.consent.decisions.borrow_mut().stopped = false;
        }
    }
    core.consent.changed.raise();
    core.keep();
    core.show_state();
}

/// Stops everything until the person lifts it: requests end, tabs are let go.
pub fn stop(core: &Rc<Core>) {
    journal::decision(core, "stop", None, None, None);
    core.consent.decisions.borrow_mut().stopped = true;
    request::cancel_all(core);
    for tab in core.tabs.borrow().values() {
        let chrome = {
            let mut state = tab.state.borrow_mut();
            let attached = state.link != crate::tab::Link::Idle;
            state.let_go(Some(Failure::Stopped));
            attached.then_some(state.chrome).flatten()
        };
        if let Some(chrome) = chrome {
            // Letting go of a tab that Chrome has let go already fails, which is as well.
            drop(core.desk.call(ChromeCall::Detach { tab: chrome }));
        }
        tab.signal.raise();
    }
    core.consent.changed.raise();
    core.keep();
    core.show_state();
}
