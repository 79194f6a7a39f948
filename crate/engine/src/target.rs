//! From a ref to the element it means, or the reason why not: a ref is acted on only if it stands for what the agent
//! was shown (design: refs that never lie).

use crate::{
    act::Stage, agent::AgentId, browser::Core, capture, failure::Failure, place::Reach, reply, tab::Tab,
};
use snapshot::{DocumentNo, ElementNo, Ref, Tree, fingerprint};
use std::rc::Rc;

/// How sure an act must be of its element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// It changes something: another meaning than shown is refused.
    Act,
    /// It changes nothing of note (hover, focus, scroll, looking): another meaning is told.
    Look,
}

/// An element, with the means to work it.
#[derive(Clone)]
pub struct Target {
    /// Its document.
    pub reach: Reach,
    /// The document's number.
    pub document: DocumentNo,
    /// Its number there.
    pub element: ElementNo,
    /// Its ref.
    pub reference: Ref,
    /// `e7 textbox "Card number"`
    pub said: String,
    /// What the reply should mention.
    pub note: Option<String>,
    /// The tree it was found in.
    pub tree: Rc<Tree>,
}

/// How an element is named in replies.
pub fn said(tree: &Tree, reference: Ref) -> String {
    match tree.node_of(reference) {
        Some(node) if node.name().is_empty() => format!("{reference} {}", node.role().as_str()),
        Some(node) => {
            format!("{reference} {} {}", node.role().as_str(), reply::quoted(&reply::clip(node.name())))
        }
        None => reference.to_string(),
    }
}

/// The element that a ref means to this agent.
///
/// # Errors
/// When it is gone, of another document, not what was shown, not shown, or not as expected.
pub async fn find(
    core: &Rc<Core>,
    agent: AgentId,
    tab: &Rc<Tab>,
    reference: Ref,
    expect: Option<&str>,
    force: bool,
    sure: Care,
) -> Result<Target, Failure> {
    let tree = capture::capture(core, tab).await?;
    let (document, _) = core.refs.borrow().lookup(reference).ok_or(Failure::Forgotten { reference })?;
    if !tab.state.borrow().homes.contains_key(&document) {
        return Err(Failure::WrongDocument { reference });
    }
    let (was, base) = {
        let mut agents = core.agents.borrow_mut();
        let view = agents.view(agent, tab.name);
        let was = view.as_ref().and_then(|view| view.shown.get(reference));
        (was, view.and_then(|view| view.base.tree().cloned()))
    };
    let mut note = None;
    let mut reference = reference;
    if tree.node_of(reference).is_none() {
        let alike = was.as_ref().map(|was| fingerprint::find(&tree, was)).unwrap_or_default();
        match (alike.as_slice(), &was, &base) {
            ([only], Some(was), Some(base)) if fingerprint::find(base, was).len() == 1 => {
                note = Some(format!("{reference} was re-created by the page; found again as {only}"));
                reference = *only;
                if let Some(view) = core.agents.borrow_mut().view(agent, tab.name) {
                    view.shown.insert(reference, fingerprint::Fingerprint::clone(was));
                }
            }
            _ => {
                let was = was.map(|was| was.to_string()).unwrap_or_default();
                let candidates = alike.iter().take(5).map(|like| said(&tree, *like)).collect();
                return Err(Failure::Gone { reference, was, candidates });
            }
        }
    }
    // A file field is given its files where it is: pages hide it behind a button of their own.
    let hidden = |node: &snapshot::tree::Node| node.is_hidden() && node.role() != snapshot::Role::FileInput;
    if tree.node_of(reference).is_some_and(hidden) && !force {
        return Err(Failure::NoBox { target: hidden_said(&tree, reference, was.as_deref()) });
    }
    let is = fingerprint::of(&tree, reference).ok_or(Failure::WrongDocument { reference })?;
    if let Some(expected) = expect {
        if !holds(&tree, reference, &is, expected) {
            return Err(Failure::Unexpected {
                target: format!("{reference} {is}"),
                expected: expected.to_owned(),
            });
        }
    } else if !force && note.is_none() {
        match &was {
            None if sure == Care::Act => return Err(Failure::Unseen { target: format!("{reference} {is}") }),
            Some(was) if !fingerprint::stands_for(&tree, reference, was) => {
                let old = match fingerprint::find(&tree, was).as_slice() {
                    [only] => Some(*only),
                    _ => None,
                };
                if sure == Care::Act {
                    return Err(changed(reference, was, &is, old));
                }
                note = Some(format!("{reference} was {was}, is now {is}"));
            }
            None | Some(_) => {}
        }
    }
    target(core, tab, tree, reference, note)
}

/// Whether the words are in the element's name or among those that tell it from its namesakes.
fn holds(tree: &Tree, reference: Ref, is: &fingerprint::Fingerprint, expected: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let expected = plain(expected);
    let name = tree.node_of(reference).map(|node| plain(node.name())).unwrap_or_default();
    !expected.is_empty()
        && (name.contains(&expected) || is.words().any(|words| plain(words).contains(&expected)))
}

/// A hidden element has no name of its own: what it was shown as tells more.
fn hidden_said(tree: &Tree, reference: Ref, was: Option<&fingerprint::Fingerprint>) -> String {
    was.map_or_else(|| said(tree, reference), |was| format!("{reference} {was}"))
}

/// Makes sure that an element still reads as it did when the act began; says whether the page changed meanwhile.
///
/// # Errors
/// [`Failure::Changed`] when it stands for something else, [`Failure::Vanished`] when it is gone.
pub async fn confirm(stage: &Stage, target: &mut Target) -> Result<bool, Failure> {
    let tree = capture::capture(&stage.core, &stage.tab).await?;
    if Rc::ptr_eq(&tree, &target.tree) {
        return Ok(false);
    }
    let reference = target.reference;
    if !stage.force {
        let gone = || Failure::Vanished { target: target.said.clone() };
        let is = fingerprint::of(&tree, reference).ok_or_else(gone)?;
        // What it was shown as says more than what it was when the act began: it may have lost its namesakes since.
        let shown = stage.core.agents.borrow_mut().view(stage.agent, stage.tab.name).and_then(|view| {
            let was = view.shown.get(reference)?;
            fingerprint::stands_for(&target.tree, reference, &was).then_some(was)
        });
        let was = shown.or_else(|| fingerprint::of(&target.tree, reference).map(Rc::new));
        if let Some(was) = was.filter(|was| !fingerprint::stands_for(&tree, reference, was)) {
            let old = match fingerprint::find(&tree, &was).as_slice() {
                [only] => Some(*only),
                _ => None,
            };
            return Err(changed(reference, &was, &is, old));
        }
    }
    target.tree = tree;
    Ok(true)
}

fn changed(
    reference: Ref,
    was: &fingerprint::Fingerprint,
    is: &fingerprint::Fingerprint,
    old: Option<Ref>,
) -> Failure {
    Failure::Changed {
        was: format!("{reference} was {was}"),
        is: is.to_string(),
        old_is_now: old,
        expect: is.telling().to_owned(),
    }
}

/// An element of a tree, without asking what it was.
///
/// # Errors
/// When its document has gone.
pub fn target(
    core: &Rc<Core>,
    tab: &Rc<Tab>,
    tree: Rc<Tree>,
    reference: Ref,
    note: Option<String>,
) -> Result<Target, Failure> {
    let known = core.refs.borrow().lookup(reference);
    let (document, element) = known.ok_or(Failure::WrongDocument { reference })?;
    let place =
        tab.state.borrow().homes.get(&document).cloned().ok_or(Failure::WrongDocument { reference })?;
    let said = said(&tree, reference);
    Ok(Target { reach: Reach::new(core, tab, place), document, element, reference, said, note, tree })
}
