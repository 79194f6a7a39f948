//! The person's side: what our pages show, and what they ask for. Pages hold no rules: they draw a view and send an
//! intent.

use crate::{
    agent::Agent,
    browser::{Appearance, Core},
    consent::{
        Who,
        confirm::{self, Question},
        sites::{Sites, Visit},
    },
    failure::Failure,
    hand,
    host_link::{self, Port},
    io::{ChromeCall, Here, Intent},
    journal, mark,
    panel::{self, Happening, HereView, Revealed, TabView},
    pointing, request, settings,
    welcome::{self, Steps},
    words::Sentence,
};
use serde::Serialize;
use snapshot::Ref;
use std::rc::Rc;

/// What the popup shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    /// Whether agents can reach this browser.
    connected: bool,
    /// How things stand.
    state: Sentence,
    /// What to do, where something is missing.
    next: Option<Sentence>,
    /// Whether the stop is set.
    stopped: bool,
    /// Whether the pause is.
    paused: bool,
    /// What the person wants to see.
    appearance: Appearance,
    /// How far the first steps are.
    steps: Steps,
    /// The tab that the page stands beside.
    here: Option<HereView>,
    /// What the panel is to show now.
    revealed: Option<Revealed>,
    /// What is being done.
    now: Vec<Happening>,
    /// What was done of late.
    happened: Vec<Happening>,
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
    tabs: Vec<TabView>,
    /// Where it may be and where not, as decided.
    sites: Sites,
}

/// The toolbar button: at most four characters, and what its tooltip says.
pub fn badge(core: &Core) -> (&'static str, Vec<Sentence>) {
    let text = if core.consent.decisions.borrow().stopped {
        "stop"
    } else if core.consent.decisions.borrow().paused {
        "hold"
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
    let Standing { state, next } = standing(core);
    (text, std::iter::once(state).chain(next).collect())
}

/// How things stand, in one sentence, and what to do where something is missing.
pub struct Standing {
    pub state: Sentence,
    pub next: Option<Sentence>,
}

impl Standing {
    fn well(state: &'static str) -> Self {
        Self { state: Sentence::plain(state), next: None }
    }

    fn wanting(state: Sentence, next: &'static str) -> Self {
        Self { state, next: Some(Sentence::plain(next)) }
    }
}

/// How things stand: what the person is asked for first, then what is missing.
pub fn standing(core: &Core) -> Standing {
    if core.consent.decisions.borrow().stopped {
        return Standing::wanting(Sentence::plain("state_stopped"), "next_lift");
    }
    if core.consent.decisions.borrow().paused {
        return Standing::wanting(Sentence::plain("state_paused"), "next_lift");
    }
    if let Some(panic) = &core.started.borrow().panic {
        return Standing::wanting(Sentence::with("state_panic", [panic]), "next_report");
    }
    let waiting = core.consent.waiting.borrow();
    if let Some(Who { label, .. }) = waiting.iter().next() {
        let known = core.consent.decisions.borrow().allowed.contains(label);
        let state = if known { "state_waiting_other" } else { "state_waiting" };
        return Standing::wanting(Sentence::with(state, [label]), "next_admit");
    }
    if let Some(Visit { who: Who { label, .. }, site }) = core.consent.asked.borrow().iter().next() {
        return Standing::wanting(Sentence::with("state_visit", [label, site]), "next_say");
    }
    if let Some(question) = core.consent.questions().first() {
        return Standing::wanting(Sentence::with("state_confirm", [&question.who.label]), "next_say");
    }
    let host = core.host.borrow();
    match &host.port {
        Port::Greeted(_) if core.consent.in_force().is_some() => Standing::well("state_policy"),
        Port::Greeted(_) => Standing::well("state_ready"),
        Port::Mismatched(hello) => {
            let versions =
                [hello.version.as_str(), core.started.borrow().version.as_str()].map(str::to_owned);
            let [host, ours] = &versions;
            Standing::wanting(Sentence::with("state_mismatch", [host, ours]), "next_update")
        }
        Port::Open | Port::Closed => match host.error.as_deref() {
            None => Standing::wanting(Sentence::plain("state_connecting"), "next_retry"),
            Some(error) if error.contains("not found") => {
                Standing::wanting(Sentence::plain("state_unregistered"), "next_install")
            }
            Some(error) if error.contains("forbidden") => {
                Standing::wanting(Sentence::plain("state_forbidden"), "next_install")
            }
            Some(error) => Standing::wanting(Sentence::with("state_broken", [error]), "next_retry"),
        },
    }
}

/// The view as JSON.
pub fn view(core: &Core, here: Option<&Here>, revealed: Option<Revealed>) -> String {
    let Standing { state, next } = standing(core);
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
    let present = agents.all.values().filter(|agent| !agent.connections.is_empty()).map(Agent::who);
    // Whoever is refused is so as any program.
    all.extend(present.filter(|who| !is_refused(who) || core.consent.in_force().is_some()));
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
        let tabs = tabs.filter_map(|tab| panel::tab_view(tab));
        let sites = core.consent.decisions.borrow().sites(&who).cloned().unwrap_or_default();
        AgentView { standing, present, by_policy, tabs: tabs.collect(), sites, who }
    });
    let views: Vec<_> = views.collect();
    let view = View {
        connected: core.host.borrow().port.is_greeted(),
        state,
        next,
        stopped: core.consent.decisions.borrow().stopped,
        paused: core.consent.decisions.borrow().paused,
        appearance: core.appearance.get(),
        steps: welcome::steps(core),
        here: here.map(|here| panel::here(core, here)),
        revealed,
        now: panel::happening(core),
        happened: panel::happened(core),
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
        // What is pointed at and what is seen are answered where they are asked.
        Intent::Status { .. } | Intent::See { .. } | Intent::Pointed { .. } => return,
        Intent::Reveal { tab, reference } => return panel::reveal(core, tab, Ref(reference)),
        Intent::PointOut { reference } => return mark::point_out(core, reference.map(Ref)),
        Intent::Share { tab, who } => return hand::share(core, tab, who),
        Intent::TakeBack { tab } => hand::take_back(core, tab),
        Intent::TakeOver { tab } => hand::take_over(core, tab),
        Intent::GiveBack { tab } => hand::give_back(core, tab),
        Intent::Outline { on } => core.appearance.set(Appearance { outline: on }),
        Intent::Pause => hand::pause(core),
        Intent::Allow { who, everywhere } => {
            let what = if everywhere { "allow everywhere" } else { "allow" };
            journal::decision(core, what, Some(&who.label), None, Some(&who.program));
            let mut decisions = core.consent.decisions.borrow_mut();
            decisions.sites_mut(&who).everywhere = everywhere;
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
            journal::decision(core, answer.words(), Some(&visit.who.label), Some(&visit.site), None);
            core.consent.answer(&visit, answer);
        }
        Intent::Confirm { shown, answer, typed } => confirm::answered(core, &shown, answer, typed),
        Intent::Settings { change } => settings::change(core, change),
        Intent::ForgetSites { who } => {
            journal::decision(core, "ask again about sites", Some(&who.label), None, Some(&who.program));
            core.consent.forget_sites(&who);
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
            let mut decisions = core.consent.decisions.borrow_mut();
            decisions.stopped = false;
            decisions.paused = false;
            drop(decisions);
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
        // While the tab is still held: what is pressed comes up.
        crate::act::let_go(core, tab);
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
