//! Closed shadow roots: the browser describes what may have one, hands it over, and the collector enters it from then on.
//!
//! Which elements are likely to have one is told by their facts. Where many are of one kind (a name and a class), a few
//! that have none speak for the rest, as long as others are to be asked: a page may draw ten thousand empty boxes.

use super::{Learnt, Purpose, collector, group, learnt, list, release, resolve, tolerable};
use crate::{failure::Failure, nodes, place::Reach, task::all};
use cdp::dom::{self, RootKind};
use snapshot::{
    ElementNo, Facts,
    facts::{Element, Namespace},
};
use std::collections::HashSet;

/// So many likely ones are asked for at a time, and so many of all.
const MOST: usize = 256;
const MOST_OF_ALL: usize = 1024;

/// So many of one kind without a closed root speak for the rest of it.
const ENOUGH: u32 = 3;

/// Elements of HTML that may be given a shadow root; custom elements besides (DOM §4.9, "attach a shadow root").
const HOSTS: [&str; 18] = [
    "article",
    "aside",
    "blockquote",
    "body",
    "div",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "main",
    "nav",
    "p",
    "section",
    "span",
];

/// Which elements are asked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Among {
    /// Those whose facts speak for a root.
    Likely,
    /// All that may have one.
    All,
}

/// What came of asking.
#[derive(Debug, Default)]
pub(super) struct Revealed {
    /// How many closed roots came to light.
    pub fresh: u32,
    /// Those that could not be read, and why.
    pub unread: Vec<(ElementNo, String)>,
    /// Whether more were to be asked than are asked at a time.
    pub more: bool,
}

/// Hands the closed shadow roots of elements to the collector; none where no element is left to ask.
pub(super) async fn reveal(reach: &Reach, facts: &Facts, among: Among) -> Result<Option<Revealed>, Failure> {
    let document = facts.document();
    let (asked, more) = learnt(reach, document, |learnt| match among {
        Among::Likely => likely(facts, learnt),
        Among::All => any(facts, learnt),
    });
    if asked.is_empty() {
        return Ok(None);
    }
    let mut revealed = Revealed { more, ..Revealed::default() };
    let numbers: Vec<u32> = asked.iter().map(|element| element.0).collect();
    let expression = format!("{numbers:?}.map(globalThis[Symbol.for(\"collector\")].element)");
    let hosts = list(reach, &expression, document, Purpose::Roots).await?;
    let described = all(asked.into_iter().zip(hosts).filter_map(|(element, host)| {
        let host = host?;
        let asked = reach.session.call(&dom::DescribeNode { object_id: host });
        Some(async move { (element, asked.await) })
    }));
    let mut closed = Vec::new();
    for (element, answer) in described.await {
        // A host that went meanwhile has nothing to hide.
        let Ok(described) = tolerable(answer)? else { continue };
        let root = described.node.shadow_roots.iter().find(|root| root.shadow_root_type == RootKind::Closed);
        closed.extend(root.map(|root| (element, root.backend_node_id)));
    }
    let resolved = resolve(reach, document, Purpose::Roots, closed.iter().map(|(_, root)| *root)).await?;
    let mut roots = Vec::new();
    for ((element, _), root) in closed.into_iter().zip(resolved) {
        match root {
            Ok(root) => roots.push(root),
            Err(failure) => revealed.unread.push((element, failure.to_string())),
        }
    }
    let told: Vec<u32> =
        if roots.is_empty() { Vec::new() } else { collector(reach, "numbers", roots).await? };
    release(reach, document, Purpose::Roots);
    revealed.fresh = told.first().copied().unwrap_or(0);
    Ok(Some(revealed))
}

/// How many closed roots come to light by the slots that the browser finds in them, of some that it finds.
pub(super) async fn reveal_by_slots(reach: &Reach, facts: &Facts) -> Result<u32, Failure> {
    let document = facts.document();
    let session = &reach.session;
    let found = tolerable(nodes::search(session, "<slot>").await)?;
    let nodes = match &found {
        Ok(found) => tolerable(found.nodes(MOST_OF_ALL as u64).await)?.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let resolved = all(nodes.into_iter().map(|node_id| {
        session.call(&dom::ResolveFound {
            node_id,
            execution_context_id: reach.place.context,
            object_group: group(document, Purpose::Roots),
        })
    }));
    let mut slots = Vec::new();
    for answer in resolved.await {
        // One of another document of the session is refused.
        if let Ok(resolved) = tolerable(answer)? {
            slots.extend(resolved.object.object_id);
        }
    }
    drop(found);
    let told: Vec<u32> =
        if slots.is_empty() { Vec::new() } else { collector(reach, "numbers", slots).await? };
    release(reach, document, Purpose::Roots);
    Ok(told.first().copied().unwrap_or(0))
}

/// Of all elements that may be hosts, those to ask now, and whether that leaves some. What is empty comes first.
fn any(facts: &Facts, learnt: &mut Learnt) -> (Vec<ElementNo>, bool) {
    let left = |element: &Element<'_>| is_able(element) && !learnt.asked.contains_key(&element.number());
    let (empty, rest): (Vec<_>, Vec<_>) = facts.elements().filter(left).partition(is_empty);
    let more = empty.len() + rest.len() > MOST_OF_ALL;
    let chosen: Vec<_> = empty.into_iter().chain(rest).take(MOST_OF_ALL).collect();
    learnt.asked.extend(chosen.iter().map(|element| (element.number(), height(element))));
    (chosen.iter().map(Element::number).collect(), more)
}

/// The likely elements to ask now, and whether that leaves some.
fn likely(facts: &Facts, learnt: &mut Learnt) -> (Vec<ElementNo>, bool) {
    let suspects: Vec<Element<'_>> = facts.elements().filter(may_hide).collect();
    if suspects.is_empty() {
        return (Vec::new(), false);
    }
    let hosts: HashSet<String> =
        facts.elements().filter(Element::is_host).filter_map(|element| kind(&element)).collect();
    learnt.asked.retain(|element, _| facts.find(*element).is_some());
    let mut chosen = Vec::new();
    for element in suspects {
        let height = height(&element);
        let asked = learnt.asked.get(&element.number());
        // What takes another room now may have been given a root since.
        if asked.is_some_and(|asked| *asked == height) {
            continue;
        }
        let kind = kind(&element).filter(|kind| !hosts.contains(kind));
        let without = kind.as_ref().and_then(|kind| learnt.kinds.get(kind)).copied().unwrap_or(0);
        if without >= ENOUGH {
            continue;
        }
        if chosen.len() == MOST {
            return (chosen, true);
        }
        if let Some(kind) = kind {
            learnt.kinds.insert(kind, without + 1);
        }
        learnt.asked.insert(element.number(), height);
        chosen.push(element.number());
    }
    (chosen, false)
}

/// In CSS pixels; 0 for what has no box.
fn height(element: &Element<'_>) -> i32 {
    element.bounds().map_or(0, |bounds| bounds.height)
}

/// Whether an element may have a shadow root that is not known.
fn is_able(element: &Element<'_>) -> bool {
    !element.is_host()
        && element.namespace() == Namespace::Html
        && (element.name().contains('-') || HOSTS.contains(&element.name()))
}

fn is_empty(element: &Element<'_>) -> bool {
    element.facts().children(element.at()).next().is_none()
}

/// Whether an element is likely to have a shadow root that is not known: there is nothing in it, and yet it takes room; or
/// it has a child that no slot takes.
fn may_hide(element: &Element<'_>) -> bool {
    if !is_able(element) {
        return false;
    }
    let is_custom = element.name().contains('-');
    let takes_room = element.bounds().is_some_and(|bounds| bounds.width > 0 && bounds.height > 0);
    takes_room && (is_custom || is_empty(element)) || element.children().any(|child| child.is_untaken())
}

/// The kind an element is of: what holds of some of it holds of all. One that has an id and no class is its own.
fn kind(element: &Element<'_>) -> Option<String> {
    let name = element.name();
    if name.contains('-') {
        // One that is not defined yet says nothing of those that are.
        return Some(format!("{name}{}", if element.is_defined() { "" } else { "?" }));
    }
    let class = |element: &Element<'_>| element.attribute("class").unwrap_or_default().to_owned();
    let look = class(element);
    if !look.is_empty() {
        return Some(format!("{name}.{look}"));
    }
    if element.attribute("id").is_some_and(|id| !id.is_empty()) {
        return None;
    }
    element.parent().map(|outer| format!("{name}<{}.{}", outer.name(), class(&outer)))
}
