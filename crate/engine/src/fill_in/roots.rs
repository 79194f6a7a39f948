//! Closed shadow roots: the browser describes what may have one, hands it over, and the collector enters it from then on.
//!
//! Which elements may have one is told by their facts. Where many are of one kind (a name and a class), a few that have none
//! speak for the rest: a page may draw ten thousand empty boxes.

use super::{Learnt, collector, learnt, list, release, resolve, tolerable};
use crate::{failure::Failure, place::Reach, task::all};
use cdp::dom::{self, RootKind};
use snapshot::{
    ElementNo, Facts,
    facts::{Element, Namespace},
};
use std::collections::HashSet;

/// So many are asked for at a time; the rest comes with the next capture.
const MOST: usize = 256;

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

/// Hands the closed shadow roots of elements that may have one to the collector.
pub(super) async fn reveal(reach: &Reach, facts: &Facts) -> Result<Revealed, Failure> {
    let document = facts.document();
    let (asked, more) = learnt(reach, document, |learnt| choose(facts, learnt));
    let mut revealed = Revealed { more, ..Revealed::default() };
    if asked.is_empty() {
        return Ok(revealed);
    }
    let numbers: Vec<u32> = asked.iter().map(|element| element.0).collect();
    let expression = format!("{numbers:?}.map(globalThis[Symbol.for(\"collector\")].element)");
    let hosts = list(reach, &expression, document).await?;
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
    let resolved = resolve(reach, document, closed.iter().map(|(_, root)| *root)).await?;
    let mut roots = Vec::new();
    for ((element, _), root) in closed.into_iter().zip(resolved) {
        match root {
            Ok(root) => roots.push(root),
            Err(failure) => revealed.unread.push((element, failure.to_string())),
        }
    }
    let told: Vec<u32> =
        if roots.is_empty() { Vec::new() } else { collector(reach, "numbers", roots).await? };
    release(reach, document);
    revealed.fresh = told.first().copied().unwrap_or(0);
    Ok(revealed)
}

/// The elements to ask now, and whether that leaves some.
fn choose(facts: &Facts, learnt: &mut Learnt) -> (Vec<ElementNo>, bool) {
    let suspects: Vec<Element<'_>> = facts.elements().filter(may_hide).collect();
    if suspects.is_empty() {
        return (Vec::new(), false);
    }
    let hosts: HashSet<String> =
        facts.elements().filter(Element::is_host).filter_map(|element| kind(&element)).collect();
    learnt.asked.retain(|element, _| facts.find(*element).is_some());
    let mut chosen = Vec::new();
    for element in suspects {
        let height = element.bounds().map_or(0, |bounds| bounds.height);
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

/// Whether an element may have a shadow root that is not known: there is nothing in it, and yet it takes room; or it has a
/// child that no slot takes.
fn may_hide(element: &Element<'_>) -> bool {
    let is_custom = element.name().contains('-');
    if element.is_host()
        || element.namespace() != Namespace::Html
        || !(is_custom || HOSTS.contains(&element.name()))
    {
        return false;
    }
    let takes_room = element.bounds().is_some_and(|bounds| bounds.width > 0 && bounds.height > 0);
    let is_empty = element.facts().children(element.at()).next().is_none();
    takes_room && (is_custom || is_empty) || element.children().any(|child| child.is_untaken())
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
