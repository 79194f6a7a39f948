//! What our pane in the developer tools shows: the same that an agent is told. The pane draws it and decides nothing; its
//! words are the extension's messages, by their names.

use super::{
    PickEnd, Trouble,
    describe::{self, Description, Detail},
    hold, look_up, watch,
};
use crate::{browser::Core, failure::Failure, io::ChromeTab, tabs, target};
use serde::Serialize;
use std::rc::Rc;

/// How the tab stands to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Standing {
    /// No agent is told of it.
    Private,
    /// Any agent that the person let in may take it.
    Sent,
    /// An agent holds it.
    Held,
}

/// What the pane shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    standing: Standing,
    /// Whether the person is picking an element with the mouse.
    picking: bool,
    /// How many choices have ended, in any tab: one that came and went between two looks is told by it.
    ended: u32,
    /// The message that says what the person should know: a limit, a refusal.
    note: Option<&'static str>,
    /// What the browser or the page said of it.
    why: Option<String>,
    /// The element.
    element: Option<Description>,
    detail: Option<Detail>,
    /// What is in it, as an agent sees it.
    lines: String,
    /// What to tell an agent: a sentence with the ref.
    sentence: Option<String>,
}

/// Lines of what is in it, in tokens.
const LINES: usize = 600;

/// What the pane of a tab shows now. As long as it asks, the tab is held.
pub async fn view(core: &Rc<Core>, chrome: ChromeTab) -> View {
    match look(core, chrome).await {
        Ok(view) => view,
        Err(failure) => {
            let note = if matches!(failure, Failure::Stopped | Failure::Cancelled) {
                "pane_note_stopped"
            } else if matches!(failure, Failure::DialogOpen { .. }) {
                "pane_note_dialog"
            } else {
                "pane_note_refused"
            };
            View {
                standing: Standing::Private,
                picking: false,
                ended: core.pointing.ended.get(),
                note: Some(note),
                why: Some(failure.to_string()),
                element: None,
                detail: None,
                lines: String::new(),
                sentence: None,
            }
        }
    }
}

async fn look(core: &Rc<Core>, chrome: ChromeTab) -> Result<View, Failure> {
    let tab = hold(core, chrome).await?;
    watch(core, chrome);
    let _turn = tabs::turn(core, &tab).await;
    look_up(core, &tab).await?;
    // Before the element: one that is picked meanwhile is told next time, and is not missing in what is told of the end.
    let ended = core.pointing.ended.get();
    let (standing, picking, outcome) = {
        let state = tab.state.borrow();
        let standing = match (state.private, state.owner) {
            (true, _) => Standing::Private,
            (false, None) => Standing::Sent,
            (false, Some(_)) => Standing::Held,
        };
        (standing, state.picking.as_ref().is_some_and(|picking| picking.begun), state.pick_ended)
    };
    let subject = describe::subject(core, &tab).await?;
    let mut view = View {
        standing,
        picking,
        ended,
        note: None,
        why: None,
        element: None,
        detail: None,
        lines: String::new(),
        sentence: None,
    };
    if let Some(subject) = subject {
        let element = subject.describe(core, &tab).await?;
        let said = target::said(&subject.tree, subject.reference);
        view.sentence = (standing != Standing::Private)
            .then(|| format!("In tab {tab} of my browser, look at {said} (tool `selection`)."));
        view.element = Some(element);
        view.detail = Some(subject.detail().await?);
        view.lines = subject.lines(LINES).text;
    } else {
        view.note = Some(match (core.pointing.trouble(chrome), outcome) {
            (Some(Trouble::Unseen), _) => "pane_note_unseen",
            (Some(Trouble::Unproven), _) => "pane_note_unproven",
            (None, Some(PickEnd::Left)) => "pane_note_left",
            (None, Some(PickEnd::Late)) => "pane_note_late",
            (None, _) => "pane_note_nothing",
        });
    }
    Ok(view)
}
