//! The person points at an element: by what they select in the developer tools, or with the mouse. It becomes the tab's
//! selection, is marked in its trees, and is told to who asks for it. Pointing grants nothing: a tab that no agent holds
//! stays the person's until they send it.

mod component;
mod describe;
mod locating;
mod picker;
mod report;
mod selector;
mod style;
mod tool;
mod view;

use locating::COLOUR;
pub use picker::{PickEnd, Picking, end, pick};
pub use report::Report;
pub use tool::selection;
pub use view::view;

use crate::{
    browser::Core,
    clock::{Instant, Millis},
    failure::Failure,
    io::{ChromeCall, ChromeTab},
    journal, reply, session,
    tab::Tab,
    tabs,
};
use litemap::LiteMap;
use report::{Heard, Selected, Whereabouts};
use serde::{Deserialize, Serialize};
use snapshot::{DocumentNo, ElementNo, Ref, Tree, tree::Pointed};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// What the person points at in a tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// How they did.
    pub how: Pointed,
    /// Its document.
    pub document: DocumentNo,
    /// The element.
    pub element: ElementNo,
    /// Its ref, once it has one.
    pub reference: Option<Ref>,
    /// Where it is no element, but a text or the like in that one: its kind (`#text`), and what it says.
    pub part: Option<(String, String)>,
    /// When, to find the latest of several tabs.
    pub at: Instant,
}

/// Why nothing is selected although the person selected something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Trouble {
    /// It is in a frame that the developer tools do not let us ask, or in one of several of the same address.
    Unseen,
    /// What the page says does not lead to anything that is there.
    Unproven,
}

/// What is known of a tab whose developer tools are open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tools {
    heard: Heard,
    /// What was selected and has not been looked up yet.
    pending: Option<Whereabouts>,
    trouble: Option<Trouble>,
}

/// All that is pointed at.
#[derive(Default)]
pub struct Pointing {
    /// Tabs whose developer tools told of a selection.
    pub tools: RefCell<LiteMap<ChromeTab, Tools>>,
    /// When our pane of a tab was last drawn.
    watched: RefCell<LiteMap<ChromeTab, Instant>>,
    /// How many choices with the mouse have ended.
    ended: Cell<u32>,
}

impl Pointing {
    /// A tab went.
    pub fn forget(&self, tab: ChromeTab) {
        self.tools.borrow_mut().remove(&tab);
        self.watched.borrow_mut().remove(&tab);
    }

    fn trouble(&self, tab: ChromeTab) -> Option<Trouble> {
        self.tools.borrow().get(&tab).and_then(|tools| tools.trouble)
    }
}

/// The developer tools tell what is selected in them. It is looked up at once where the tab is held already; selecting
/// alone takes hold of no tab.
pub async fn selected(core: &Rc<Core>, chrome: ChromeTab, events: u32, reports: Vec<Report>) {
    {
        let mut all = core.pointing.tools.borrow_mut();
        let tools = all.entry(chrome).or_default();
        match tools.heard.take(core.desk.now(), events, reports) {
            Selected::Same => return,
            Selected::Unseen => (tools.pending, tools.trouble) = (None, Some(Trouble::Unseen)),
            Selected::Node(node) => (tools.pending, tools.trouble) = (Some(node), None),
        }
    }
    core.keep();
    let Some(tab) = core.tab_of(chrome) else { return };
    set(core, &tab, None);
    if tab.state.borrow().link == crate::tab::Link::Attached {
        let _turn = tabs::turn(core, &tab).await;
        // What keeps it from being looked up is told when somebody asks for it.
        let _ = look_up(core, &tab).await;
    }
}

/// Looks up what was selected and is not known yet.
async fn look_up(core: &Rc<Core>, tab: &Rc<Tab>) -> Result<(), Failure> {
    let Some(chrome) = tab.state.borrow().chrome else { return Ok(()) };
    let pending = core.pointing.tools.borrow().get(&chrome).and_then(|tools| tools.pending.clone());
    let Some(pending) = pending else { return Ok(()) };
    let found = locating::find(core, tab, &pending).await?;
    let still = {
        let mut all = core.pointing.tools.borrow_mut();
        let tools = all.entry(chrome).or_default();
        let still = tools.pending.as_ref() == Some(&pending);
        if still {
            tools.pending = None;
            tools.trouble = match &found {
                locating::Found::Node(_) => None,
                locating::Found::Nothing => Some(Trouble::Unproven),
                locating::Found::Several => Some(Trouble::Unseen),
            };
        }
        still
    };
    if let (true, locating::Found::Node(found)) = (still, found) {
        let selection = Selection {
            how: Pointed::DevTools,
            document: found.document,
            element: found.element,
            reference: None,
            part: found.part,
            at: core.desk.now(),
        };
        set(core, tab, Some(selection));
        locating::show(core, tab).await?;
    }
    Ok(())
}

/// Makes something the tab's selection, or nothing.
fn set(core: &Rc<Core>, tab: &Rc<Tab>, selection: Option<Selection>) {
    tab.state.borrow_mut().selection = selection;
    tab.signal.raise();
    core.keep();
}

/// The tree with the tab's selection marked in it, and nothing else.
pub fn marked(core: &Core, tab: &Tab, tree: Rc<Tree>) -> Rc<Tree> {
    let selection = tab.state.borrow().selection.clone();
    let refs = core.refs.borrow();
    // What was re-created by the page is what it was: its ref says so.
    let wanted = selection.and_then(|it| {
        let place = (it.document, it.element);
        let renewed = it.reference.and_then(|reference| refs.lookup(reference));
        let there =
            |(document, element): &(DocumentNo, ElementNo)| tree.at_element(*document, *element).is_some();
        Some((Some(place).filter(there).or(renewed.filter(there))?, it.how))
    });
    let is = tree.pointed().and_then(|(reference, how)| Some((refs.lookup(reference)?, how)));
    drop(refs);
    if wanted == is {
        return tree;
    }
    let mut tree = (*tree).clone();
    match wanted {
        None => tree.unselect(&mut core.refs.borrow_mut()),
        Some(((document, element), how)) => {
            let reference = tree.select(document, element, how, &mut core.refs.borrow_mut());
            core.touched.borrow_mut().insert(document);
            if let Some(selection) = &mut tab.state.borrow_mut().selection {
                (selection.document, selection.element, selection.reference) = (document, element, reference);
            }
        }
    }
    Rc::new(tree)
}

/// What the browser says of a tab.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    url: String,
    #[serde(default)]
    title: String,
}

/// Takes hold of the tab that the person points into. One that no agent holds is theirs: no agent is told of it.
async fn hold(core: &Rc<Core>, chrome: ChromeTab) -> Result<Rc<Tab>, Failure> {
    core.consent.going_on()?;
    let told: Told = reply::read(core.desk.ask(ChromeCall::GetTab { tab: chrome }).await?)?;
    crate::address::drivable(&told.url)?;
    let tab = core.tab_of(chrome).unwrap_or_else(|| {
        let tab = core.add_tab(chrome);
        tab.state.borrow_mut().private = true;
        tab
    });
    {
        let mut state = tab.state.borrow_mut();
        state.url = told.url;
        state.title = reply::clip(&told.title);
        if let Some(Failure::Detached { .. } | Failure::Cancelled | Failure::Stopped) = state.lost {
            state.lost = None;
        }
        if let Some(trouble) = state.trouble(true) {
            return Err(trouble);
        }
    }
    session::attach(core, &tab).await?;
    Ok(tab)
}

/// How long a tab of the person's is held after our pane was last drawn.
const UNWATCHED: Millis = Millis(5_000);

/// Our pane is drawn: the tab is held as long as it goes on being drawn.
fn watch(core: &Rc<Core>, chrome: ChromeTab) {
    let now = core.desk.now();
    if core.pointing.watched.borrow_mut().insert(chrome, now).is_some() {
        return;
    }
    let core2 = core.clone();
    core.desk.spawn(async move {
        loop {
            core2.desk.sleep(UNWATCHED).await;
            let watched = core2.pointing.watched.borrow().get(&chrome).copied();
            if watched.is_none_or(|at| core2.desk.now() - at >= UNWATCHED) {
                break;
            }
        }
        core2.pointing.watched.borrow_mut().remove(&chrome);
        let_go(&core2, chrome);
    });
}

/// Lets a tab go that is the person's alone.
fn let_go(core: &Rc<Core>, chrome: ChromeTab) {
    let Some(tab) = core.tab_of(chrome) else { return };
    if !tab.state.borrow().private || tab.state.borrow().picking.is_some() {
        return;
    }
    drop(core.desk.call(ChromeCall::Detach { tab: chrome }));
    core.drop_tab(&tab);
    core.keep();
}

/// The person sends what they point at: its tab is any agent's that they let in, until it is taken back or closed.
pub fn send(core: &Rc<Core>, chrome: ChromeTab) {
    let Some(tab) = core.tab_of(chrome) else { return };
    if tab.state.borrow().selection.is_none() {
        return;
    }
    let site = crate::address::site(&tab.state.borrow().url);
    journal::decision(core, "send to agent", None, site.as_deref(), Some(&tab.to_string()));
    tab.state.borrow_mut().private = false;
    tab.signal.raise();
    core.keep();
}
