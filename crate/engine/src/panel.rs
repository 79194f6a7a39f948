//! What the side panel shows besides what the popup does: what was done of late and is being done now, in plain words,
//! and what an agent sees of a page.

use crate::{
    agent::Agent,
    browser::Core,
    capture,
    clock::{Instant, Millis},
    failure::Failure,
    io::{ChromeCall, ChromeTab, Here, Output},
    journal::Recent,
    session,
    tab::Tab,
    tabs,
    words::Sentence,
};
use serde::Serialize;
use snapshot::{Ref, render};
use std::rc::Rc;
use wire::journal::{By, Entry};

/// A tab of an agent's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TabView {
    tab: ChromeTab,
    name: String,
    title: String,
    /// Whether the person has taken it over.
    taken: bool,
    /// Whether it is the person's.
    shared: bool,
}

/// The tab that the page stands beside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HereView {
    tab: ChromeTab,
    /// Whose it is; empty if nobody's.
    holder: String,
    taken: bool,
    /// Whether it could be handed over to an agent.
    free: bool,
}

/// Something that happened, or is happening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Happening {
    number: u64,
    /// Milliseconds since 1970; 0 while it goes on.
    at: u64,
    /// Who; empty for the person.
    agent: String,
    tab: String,
    site: String,
    what: Sentence,
    /// On which elements.
    on: String,
    refs: Vec<Ref>,
    /// How it ended; none while it goes on.
    outcome: Option<Sentence>,
    well: bool,
}

/// An element that the panel is to show among what an agent sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Revealed {
    tab: ChromeTab,
    reference: Ref,
}

/// What waits to be shown, and when a panel last asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Revealing {
    next: Option<Revealed>,
    asked: Instant,
}

/// A panel that is open asks more often.
const OPEN: Millis = Millis(3_000);

/// Shows an element in the panel; where none is open, one comes in a tab.
pub fn reveal(core: &Core, tab: ChromeTab, reference: Ref) {
    let Revealing { asked, .. } = core.revealing.get();
    core.revealing.set(Revealing { next: Some(Revealed { tab, reference }), asked });
    if core.desk.now() - asked > OPEN {
        drop(core.desk.call(ChromeCall::OpenPage { page: "panel/panel.html".into() }));
    }
}

/// A panel asks: it is told once what it is to show.
pub fn asked(core: &Core) -> Option<Revealed> {
    core.revealing.replace(Revealing { next: None, asked: core.desk.now() }).next
}

/// How a tab of an agent's is shown.
pub fn tab_view(tab: &Tab) -> Option<TabView> {
    let state = tab.state.borrow();
    let title = if state.title.is_empty() { crate::address::bare(&state.url) } else { state.title.clone() };
    let (taken, shared) = (state.taken, state.shared.is_some());
    Some(TabView { tab: state.chrome?, name: tab.to_string(), title, taken, shared })
}

/// How the tab that the page stands beside is shown.
pub fn here(core: &Core, here: &Here) -> HereView {
    let tab = core.tab_of(here.tab);
    let owner = tab.as_ref().and_then(|tab| tab.state.borrow().owner);
    let agents = core.agents.borrow();
    let holder = owner.and_then(|owner| agents.all.get(&owner)).map(|agent| agent.label.clone());
    let taken = tab.is_some_and(|tab| tab.state.borrow().taken);
    let can_be_driven =
        crate::address::drivable(&here.url).is_ok() && crate::address::site(&here.url).is_some();
    HereView {
        tab: here.tab,
        free: holder.is_none() && can_be_driven,
        holder: holder.unwrap_or_default(),
        taken,
    }
}

/// What was done of late, the last first.
pub fn happened(core: &Core) -> Vec<Happening> {
    core.journal.recent.borrow().iter().rev().map(of_entry).collect()
}

/// What is being done.
pub fn happening(core: &Core) -> Vec<Happening> {
    let agents = core.agents.borrow();
    let running = core.running.borrow();
    let calls = running.iter().map(|((agent, _), under_way)| {
        let notes = under_way.notes.borrow();
        Happening {
            number: 0,
            at: 0,
            agent: agents.all.get(agent).map(|agent: &Agent| agent.label.clone()).unwrap_or_default(),
            tab: notes.tab.clone().unwrap_or_default(),
            site: String::new(),
            what: said(&under_way.what),
            on: notes.on.join(", "),
            refs: Vec::new(),
            outcome: None,
            well: true,
        }
    });
    calls.collect()
}

fn of_entry(recent: &Recent) -> Happening {
    let Entry { by, agent, program: _, tab, site, what, on, right: _, outcome } = recent.entry.clone();
    let agent = agent.unwrap_or_default();
    let (agent, what, on) = match by {
        By::Agent => (agent, said(&what), on.unwrap_or_default()),
        By::Person => (String::new(), decided(&what, &agent), String::new()),
    };
    Happening {
        number: recent.number,
        at: recent.at.0,
        agent,
        tab: tab.unwrap_or_default(),
        site: site.unwrap_or_default(),
        what,
        on,
        refs: recent.refs.clone(),
        well: outcome == "ok",
        outcome: Some(ended(&outcome)),
    }
}

/// Calls as the journal has them, and the sentence for each.
const CALLS: &[(&str, &str)] = &[
    ("act check", "did_check"),
    ("act click", "did_click"),
    ("act click_at", "did_click_at"),
    ("act drag", "did_drag"),
    ("act drag_at", "did_drag"),
    ("act fill", "did_fill"),
    ("act focus", "did_focus"),
    ("act hover", "did_hover"),
    ("act hover_at", "did_hover"),
    ("act press", "did_press"),
    ("act scroll", "did_scroll"),
    ("act select", "did_select"),
    ("act type", "did_type"),
    ("act type_at", "did_type"),
    ("act uncheck", "did_uncheck"),
    ("act upload", "did_upload"),
    ("dialog accept", "did_accept"),
    ("dialog dismiss", "did_dismiss"),
    ("diff", "did_look"),
    ("find", "did_find"),
    ("locate", "did_locate"),
    ("navigate", "did_navigate"),
    ("read", "did_read"),
    ("screenshot", "did_screenshot"),
    ("selection", "did_pointed"),
    ("snapshot", "did_look"),
    ("tabs", "did_list"),
    ("tabs activate", "did_activate"),
    ("tabs close", "did_close"),
    ("tabs list", "did_list"),
    ("tabs open", "did_open"),
    ("tabs release", "did_release"),
    ("wait", "did_wait"),
];

/// A call in the person's words.
fn said(what: &str) -> Sentence {
    match CALLS.iter().find(|(call, _)| *call == what) {
        Some((_, key)) => Sentence::plain(key),
        None => Sentence::with("did_other", [what]),
    }
}

/// Decisions as the journal has them, and the sentence for each, about an agent or not.
const DECISIONS: &[(&str, &str)] = &[
    ("allow", "chose_allow"),
    ("allow everywhere", "chose_everywhere"),
    ("ask again about a site", "chose_forget"),
    ("ask again about sites", "chose_forget"),
    ("confirm", "chose_confirm"),
    ("confirm, trust the site", "chose_trust"),
    ("give back", "chose_give_back"),
    ("give files from", "chose_files"),
    ("go on", "chose_go_on"),
    ("no more files from", "chose_no_files"),
    ("pause", "chose_pause"),
    ("refuse", "chose_refuse"),
    ("refuse the act", "chose_refuse_act"),
    ("send to agent", "chose_send"),
    ("share", "chose_share"),
    ("site always", "chose_site_always"),
    ("site never", "chose_site_never"),
    ("site now", "chose_site_now"),
    ("stop", "chose_stop"),
    ("take back", "chose_take_back"),
    ("take over", "chose_take_over"),
];

fn decided(what: &str, agent: &str) -> Sentence {
    match DECISIONS.iter().find(|(decision, _)| *decision == what) {
        Some((_, key)) => Sentence::with(key, [agent]),
        None => Sentence::with("chose_other", [what]),
    }
}

/// How a call ended, in the person's words.
fn ended(outcome: &str) -> Sentence {
    match outcome {
        "ok" => Sentence::plain("outcome_ok"),
        "cancelled" | "cancelled_by_person" | "paused" | "stopped" | "taken_over" => {
            Sentence::plain("outcome_interrupted")
        }
        "not_allowed" | "refused_by_person" | "site_denied" | "upload_denied" => {
            Sentence::plain("outcome_refused")
        }
        "awaiting_person" => Sentence::plain("outcome_waiting"),
        code => Sentence::with("outcome_failed", [code]),
    }
}

/// A line of a page as an agent reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Line {
    /// How far it stands in.
    depth: usize,
    text: String,
    /// What it is of.
    reference: Option<Ref>,
}

/// What an agent sees of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Sight {
    lines: Vec<Line>,
    /// Why there are none.
    trouble: Option<Sentence>,
}

/// How many tokens of a page are shown at most.
const MOST: usize = 20_000;

/// Answers a page of ours with what the agent of a tab sees there.
pub fn see(core: &Rc<Core>, question: u32, tab: ChromeTab) {
    let core2 = core.clone();
    core.desk.spawn(async move {
        let sight = match sight(&core2, tab).await {
            Ok(lines) => Sight { lines, trouble: None },
            Err(failure) => {
                Sight { lines: Vec::new(), trouble: Some(Sentence::with("see_trouble", [failure.code()])) }
            }
        };
        let view = serde_json::to_string(&sight).unwrap_or_default();
        core2.desk.tell(Output::Answer { question, view });
    });
}

/// Of a tab that neither an agent nor our tools hold nothing is read.
async fn sight(core: &Rc<Core>, tab: ChromeTab) -> Result<Vec<Line>, Failure> {
    let tab = core.tab_of(tab).ok_or(Failure::NoTab)?;
    // What is paused may be looked at.
    if core.consent.decisions.borrow().stopped {
        return Err(Failure::Stopped);
    }
    let _turn = tabs::turn(core, &tab).await;
    session::attach(core, &tab).await?;
    let tree = capture::capture(core, &tab).await?;
    let rendered = render::page(&tree, &render::Options { max_tokens: Some(MOST), ..Default::default() });
    Ok(rendered.text.lines().map(line).collect())
}

fn line(said: &str) -> Line {
    let text = said.trim_start();
    let word = text.split([' ', ':']).next().unwrap_or_default();
    Line { depth: (said.len() - text.len()) / 2, text: text.to_owned(), reference: word.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_with_what_they_are_of() {
        let of = |said| {
            let line = line(said);
            (line.depth, line.reference)
        };
        assert_eq!(of("e1 heading \"Tea\""), (0, Some(Ref(1))));
        assert_eq!(of("    e12 button \"Pay\""), (2, Some(Ref(12))));
        assert_eq!(of("  \"plain words\""), (1, None));
    }

    #[test]
    fn every_kind_of_act_has_its_sentence() {
        for kind in tools::flat::KINDS {
            let kind = kind.name();
            assert_ne!(said(&format!("act {kind}")).key, "did_other", "{kind}");
        }
        for tool in tools::table::NAMES.iter().filter(|tool| **tool != "act" && **tool != "dialog") {
            assert_ne!(said(tool).key, "did_other", "{tool}");
        }
    }
}
