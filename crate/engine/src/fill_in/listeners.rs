//! What listens for clicks, drags and drops, asked of the browser for a whole document at once.

use super::{Purpose, collector, group, hold, learnt, release, resolve, tolerable};
use crate::{failure::Failure, place::Reach};
use cdp::{BackendId, ObjectId, dom, dom_debugger};
use snapshot::{DocumentNo, ElementNo};
use std::collections::{BTreeMap, BTreeSet};

/// So many nodes with listeners are looked up at a time: the rest comes with the next capture.
const MOST: usize = 256;

/// Events that begin a drag with the pointer, and those by which a list follows one that HTML carries on.
const GRIPS: [&str; 3] = ["mousedown", "pointerdown", "touchstart"];
const FOLLOWS: [&str; 2] = ["dragenter", "dragover"];

/// Frameworks listen for everything at the root of what they render: what listens for so many kinds of events listens
/// for others.
const EVERYTHING: usize = 24;

/// Events that make an element worth a click.
const CLICKS: [&str; 6] = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"];

/// What listens in a document.
#[derive(Debug, Default)]
pub(super) struct Listeners {
    pub clicks: Vec<ElementNo>,
    pub drops: Vec<ElementNo>,
    /// What presses that begin a drag come to.
    pub grips: Vec<ElementNo>,
    /// What lets its children be dragged.
    pub sorts: Vec<ElementNo>,
    /// How many closed roots came to light, for something in them listens.
    pub fresh: u32,
    /// Whether not all were looked up.
    pub more: bool,
}

/// Holds the document for asking what listens in it: as an object of the page's own world, which nothing is called
/// with. Asked through an isolated world's object, Chrome 156 crashes at a later collection of garbage.
async fn hold_document(reach: &Reach, document: DocumentNo) -> Result<ObjectId, Failure> {
    let ours = hold(reach, "document", group(document, Purpose::Listeners)).await?;
    let node = reach.session.call(&dom::DescribeNode { object_id: ours }).await?.node;
    release(reach, document, Purpose::Listeners);
    let asked = dom::ResolveNode {
        backend_node_id: node.backend_node_id,
        execution_context_id: None,
        object_group: None,
    };
    reach.session.call(&asked).await?.object.object_id.ok_or(Failure::DocumentChanged)
}

/// Which elements of a document listen for clicks, drags and drops.
pub(super) async fn hear(reach: &Reach, document: DocumentNo) -> Result<Listeners, Failure> {
    let held = learnt(reach, document, |learnt| learnt.held.clone());
    let held = match held {
        Some(held) => held,
        None => hold_document(reach, document).await?,
    };
    let asked = dom_debugger::GetEventListeners { object_id: held.clone(), depth: -1, pierce: true };
    let told = tolerable(reach.session.call(&asked).await)?;
    // One that does not hold any more is held anew the next time.
    learnt(reach, document, |learnt| learnt.held = told.is_ok().then_some(held));
    let Ok(told) = told else { return Ok(Listeners::default()) };
    let mut kinds = BTreeMap::<BackendId, BTreeSet<&str>>::new();
    for listener in &told.listeners {
        if let Some(node) = listener.backend_node_id {
            kinds.entry(node).or_default().insert(&listener.event);
        }
    }
    kinds.retain(|_, events| events.len() < EVERYTHING);
    let that = |fits: &dyn Fn(&BTreeSet<&str>) -> bool| -> BTreeSet<BackendId> {
        kinds.iter().filter(|(_, events)| fits(events)).map(|(node, _)| *node).collect()
    };
    let any = |events: &BTreeSet<&str>, of: &[&str]| of.iter().any(|event| events.contains(event));
    let clicks = that(&|events| any(events, &CLICKS));
    let drops = that(&|events| events.contains("drop"));
    let grips = that(&|events| any(events, &GRIPS));
    let sorts = that(&|events| any(events, &GRIPS) && any(events, &FOLLOWS));
    let mut unknown: Vec<_> = learnt(reach, document, |learnt| {
        let all = &(&clicks | &drops) | &grips;
        all.into_iter().filter(|node| !learnt.nodes.contains_key(node)).collect()
    });
    let mut heard = Listeners { more: unknown.len() > MOST, ..Listeners::default() };
    unknown.truncate(MOST);
    if !unknown.is_empty() {
        let resolved = resolve(reach, document, Purpose::Listeners, unknown.iter().copied()).await?;
        let (mut nodes, mut objects) = (Vec::new(), Vec::new());
        for (node, object) in unknown.into_iter().zip(resolved) {
            match object {
                Ok(object) => {
                    nodes.push(node);
                    objects.push(object);
                }
                Err(_) => {
                    learnt(reach, document, |learnt| learnt.nodes.insert(node, None));
                }
            }
        }
        let numbers: Vec<u32> = collector(reach, "numbers", objects).await?;
        let (fresh, numbers) = numbers.split_first().ok_or(Failure::DocumentChanged)?;
        heard.fresh = *fresh;
        learnt(reach, document, |learnt| {
            for (node, number) in nodes.into_iter().zip(numbers) {
                learnt.nodes.insert(node, (*number != 0).then_some(ElementNo(*number)));
            }
        });
        release(reach, document, Purpose::Listeners);
    }
    learnt(reach, document, |learnt| {
        let known = |node: &BackendId| learnt.nodes.get(node).copied().flatten();
        heard.clicks = clicks.iter().filter_map(known).collect();
        heard.drops = drops.iter().filter_map(known).collect();
        heard.grips = grips.iter().filter_map(known).collect();
        heard.sorts = sorts.iter().filter_map(known).collect();
    });
    Ok(heard)
}
