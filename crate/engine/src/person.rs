//! The person's side: what our pages show, and what they ask for. Pages hold no rules: they draw a view and send an
//! intent.

use crate::{
    agent::Agent,
    browser::Core,
    consent::{
        Who,
        confirm::{self, Question},
        sites::{Sites, Visit},
    },
    failure::Failure,
    host_link::{self, Port},
    io::{ChromeCall, Intent},
    journal, pointing, request,
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
    /// What the person calls this profile; empty if nothing.
    profile: String,
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
    #[serde(flatten)]
    who: Who,
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
    if let Some(Who { label, .. }) = waiting.iter().next() {
        let known = core.consent.decisions.borrow().allowed.contains(label);
        let other = if known { " You allowed one of that name, but it was another program." } else { "" };
        return (
            format!("An agent that says it is “{label}” wants to use this browser.{other}"),
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
    let mut all = core.consent.waiting.borrow().clone();
    {
        let decisions = core.consent.decisions.borrow();
        let programs = decisions.programs.iter();
        all.extend(programs.flat_map(|(label, programs)| {
            programs.iter().map(|program| Who { label: label.clone(), program: program.clone() })
        }));
        let refused = decisions.refused.iter();
        all.extend(refused.map(|label| Who { label: label.clone(), program: String::new() }));
    }
    let agents = core.agents.borrow();
    let is_refused = |who: &Who| matches!(core.consent.entry(who), Some(Err(_)));
    let here = agents.all.values().filter(|agent| !agent.connections.is_empty()).map(Agent::who);
    // Whoever is refused is so as any program.
    all.extend(here.filter(|who| !is_refused(who) || core.consent.in_force().is_some()));
    let by_policy = core.consent.in_force().is_some();
    let views = all.into_iter().map(|who| {
        let standing = match core.consent.entry(&who) {
            None => "waiting",
            Some(Ok(())) => "allowed",
            Some(Err(_)) => "refused",
        };
        let is_it = |agent: &&Agent| {
            agent.label == who.label && (standing == "refused" || agent.program == who.program)
        };
        let ids: Vec<_> = agents.all.values().filter(is_it).map(|agent| agent.id).collect();
        let present = agents.all.values().filter(is_it).any(|agent| !agent.connections.is_empty());
        let tabs = core.tabs.borrow();
        let tabs =
            tabs.values().filter(|tab| tab.state.borrow().owner.is_some_and(|owner| ids.contains(&owner)));
        let tabs = tabs.map(|tab| {
            let state = tab.state.borrow();
            if state.title.is_empty() { crate::address::bare(&state.url) } else { state.title.clone() }
        });
        let sites = core.consent.decisions.borrow().sites.get(&who.label).cloned().unwrap_or_default();
        AgentView { standing, present, by_policy, tabs: tabs.collect(), sites, who }
    });
    let views: Vec<_> = views.collect();
    let view = View {
        connected: core.host.borrow().port.is_greeted(),
        state,
        next,
        stopped: core.consent.decisions.borrow().stopped,
        profile: core.profile.borrow().name.clone().unwrap_or_default(),
        agents: views,
        visits: core.consent.asked.borrow().iter().cloned().collect(),
        questions: core.consent.questions(),
    };
    serde_json::to_string(&view).unwrap_or_default()
}

/// How long a profile's name may be.
const LONGEST_NAME: usize = 40;

/// Does what the person asked for.
pub fn intend(core: &Rc<Core>, intent: Intent) {
    match intent {
        // What is pointed at is answered where it is asked.
        Intent::Status | Intent::Pointed { .. } => return,
        Intent::Allow { who, everywhere } => {
            let what = if everywhere { "allow everywhere" } else { "allow" };
            journal::decision(core, what, Some(&who.label), None, Some(&who.program));
            let mut decisions = core.consent.decisions.borrow_mut();
            decisions.sites.entry(who.label.clone()).or_default().everywhere = everywhere;
            drop(decisions);
            core.consent.let_in(who);
        }
        Intent::Refuse { label } => {
            journal::decision(core, "refuse", Some(&label), None, None);
            core.consent.keep_out(&label);
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
        Intent::NameProfile { name } => {
            let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
            core.profile.borrow_mut().name = (!name.is_empty()).then_some(name);
            host_link::hello(core);
        }
        Intent::Pick { tab, send } => {
            let core2 = core.clone();
            core.desk.spawn(async move {
                pointing::pick(&core2, tab, send).await;
            });
            return;
        }
        Intent::EndPick { tab } => return pointing::end(core, tab),
        Intent::Selected { tab, events, reports } => {
            let core2 = core.clone();
            core.desk.spawn(async move { pointing::selected(&core2, tab, events, reports).await });
            return;
        }
        Intent::Send { tab } => pointing::send(core, tab),
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
