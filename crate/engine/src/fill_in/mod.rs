//! Fills in what no script of ours can see of a document: closed shadow roots, listeners, and what the classes of custom
//! elements say of them. Asked only where there may be something, bounded, and remembered as long as the document is
//! attached.

mod classes;
mod hunt;
mod listeners;
mod roots;

pub use classes::unchanged;

use crate::{census::Hidden, failure::Failure, place::Reach, task::all};
use cdp::{
    BackendId, ObjectId,
    dom::{self, RootKind},
    runtime,
};
use futures::future::join;
use hunt::Hunt;
use litemap::LiteMap;
use snapshot::{
    DocumentNo, ElementNo, Facts,
    facts::{Filled, Implied},
};
use std::collections::HashMap;

/// How often closed roots are asked for in one capture: in what was just revealed, and where there are many.
const ROUNDS: u32 = 8;

/// What was learnt of one document.
#[derive(Debug, Default)]
pub struct Learnt {
    /// The document, as an object of the page's own world.
    held: Option<ObjectId>,
    /// Nodes with listeners, by the browser's id; none for what is no element of the document.
    nodes: HashMap<BackendId, Option<ElementNo>>,
    /// Custom elements by name: how many were asked, and whether one said anything.
    names: HashMap<Box<str>, (u32, bool)>,
    /// What those said that were asked; empty for nothing.
    said: LiteMap<ElementNo, Implied>,
    /// Elements that were asked for a closed root, and how high they were then, in CSS pixels.
    asked: HashMap<ElementNo, i32>,
    /// What was hidden when they were.
    hidden: Hidden,
    /// How many of a kind were asked for one.
    kinds: HashMap<String, u32>,
}

/// What comes to light while a document is filled in.
#[derive(Debug, Default)]
pub struct Filling {
    filled: Filled,
    /// Whether what listens is known already.
    heard: bool,
    /// Whether there was more to ask than is asked at a time.
    more: bool,
    hunt: Hunt,
    rounds: u32,
}

impl Filling {
    /// Begins; `heard` is what is known, if no listener was added since; `hidden` what was counted before the document
    /// was read.
    pub fn new(heard: Option<&Filled>, hidden: Option<Hidden>) -> Self {
        let filled = heard.map(|known| Filled {
            clicks: known.clicks.clone(),
            drops: known.drops.clone(),
            grips: known.grips.clone(),
            sorts: known.sorts.clone(),
            ..Filled::default()
        });
        let hunt = Hunt::new(hidden);
        Self { heard: filled.is_some(), filled: filled.unwrap_or_default(), hunt, ..Self::default() }
    }

    /// What is hidden still.
    pub fn hidden(&self) -> Option<Hidden> {
        self.hunt.hidden()
    }

    /// Asks for closed roots and listeners. Says whether there is more to ask, or roots came to light: then the facts must be
    /// read again before going on, so long as there is not one root in the other without end.
    ///
    /// # Errors
    /// When the document or the tab went meanwhile.
    pub async fn reveals(&mut self, reach: &Reach, beside: &[Reach], facts: &Facts) -> Result<bool, Failure> {
        let heard = async {
            if self.heard { Ok(None) } else { listeners::hear(reach, facts.document()).await.map(Some) }
        };
        let (revealed, listeners) = join(self.hunt.go_on(reach, beside, facts), heard).await;
        let revealed = revealed?;
        let mut more = revealed.fresh > 0 || revealed.more;
        if let Some(listeners) = listeners? {
            more |= listeners.fresh > 0;
            // What listens in roots that just came to light is asked for with them.
            self.heard = listeners.fresh == 0;
            self.more |= listeners.more;
            self.filled.clicks = listeners.clicks.into_iter().collect();
            self.filled.drops = listeners.drops.into_iter().collect();
            self.filled.grips = listeners.grips.into_iter().collect();
            self.filled.sorts = listeners.sorts.into_iter().collect();
        }
        let unread = revealed.unread.into_iter();
        self.filled.unread.extend(unread.map(|(element, reason)| (element, reason.into())));
        self.rounds += 1;
        let again = more && self.rounds < ROUNDS;
        self.more |= more && !again;
        Ok(again)
    }

    /// All that was told, with what custom elements say; and whether that is all there is to ask.
    ///
    /// # Errors
    /// As [`Filling::reveals`].
    pub async fn end(mut self, reach: &Reach, facts: &Facts) -> Result<(Filled, bool), Failure> {
        let (said, more) = classes::say(reach, facts).await?;
        self.filled.implied = said.into_iter().collect();
        // What could not be read stays so until it is asked again.
        for (element, reason) in &facts.filled().unread {
            if facts.find(*element).is_some_and(|element| !element.is_host()) {
                self.filled.unread.entry(*element).or_insert_with(|| reason.clone());
            }
        }
        Ok((self.filled, !self.more && !more))
    }
}

/// Has our world enter the closed shadow root of an element; says whether it has one that was handed over.
///
/// # Errors
/// When the document or the tab went meanwhile.
pub async fn open(reach: &Reach, document: DocumentNo, host: ElementNo) -> Result<bool, Failure> {
    let object_id = reach.object(host).await?;
    let described = reach.session.call(&dom::DescribeNode { object_id }).await?;
    reach.release();
    let root = described.node.shadow_roots.iter().find(|root| root.shadow_root_type == RootKind::Closed);
    let Some(root) = root else { return Ok(false) };
    let roots = resolve(reach, document, Purpose::Pointing, std::iter::once(root.backend_node_id)).await?;
    let roots: Vec<_> = roots.into_iter().flatten().collect();
    let told: Vec<u32> =
        if roots.is_empty() { Vec::new() } else { collector(reach, "numbers", roots).await? };
    release(reach, document, Purpose::Pointing);
    Ok(told.first().is_some_and(|fresh| *fresh > 0))
}

/// The number of the element that the browser calls so, if it is one of this document: through closed roots as well.
///
/// # Errors
/// As [`open`].
pub async fn number(
    reach: &Reach,
    document: DocumentNo,
    node: BackendId,
) -> Result<Option<ElementNo>, Failure> {
    let found = resolve(reach, document, Purpose::Pointing, std::iter::once(node)).await?;
    let found: Vec<_> = found.into_iter().flatten().collect();
    let told: Vec<u32> =
        if found.is_empty() { Vec::new() } else { collector(reach, "numbers", found).await? };
    release(reach, document, Purpose::Pointing);
    Ok(told.get(1).filter(|number| **number != 0).map(|number| ElementNo(*number)))
}

fn learnt<T>(reach: &Reach, document: DocumentNo, with: impl FnOnce(&mut Learnt) -> T) -> T {
    let mut state = reach.session.tab.state.borrow_mut();
    with(state.learnt.entry(document).or_default())
}

/// What objects are held for. Each lets go of its own: the others may be under way.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Roots,
    Listeners,
    Classes,
    Pointing,
}

/// The group of what is held for one document's filling in.
fn group(document: DocumentNo, purpose: Purpose) -> String {
    let what = match purpose {
        Purpose::Roots => "roots",
        Purpose::Listeners => "listeners",
        Purpose::Classes => "classes",
        Purpose::Pointing => "pointing",
    };
    format!("tabwright-{}-{what}", document.0)
}

fn release(reach: &Reach, document: DocumentNo, purpose: Purpose) {
    // Its answer tells nothing.
    drop(reach.session.call(&runtime::ReleaseObjectGroup { object_group: group(document, purpose) }));
}

/// What failed for one node alone is told of it; what failed for the document or the tab ends the capture.
fn tolerable<T>(answer: Result<T, Failure>) -> Result<Result<T, Failure>, Failure> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(failure @ Failure::Refused { .. }) => Ok(Err(failure)),
        Err(failure) => Err(failure),
    }
}

/// Holds an object of our world.
async fn hold(reach: &Reach, expression: &str, group: String) -> Result<ObjectId, Failure> {
    let command = runtime::EvaluateObject {
        expression: expression.into(),
        context_id: reach.place.context,
        object_group: group,
    };
    let held = reach.session.call(&command).await?.0.map_err(|e| Failure::Thrown { message: e.0 })?;
    held.ok_or(Failure::DocumentChanged)
}

/// The objects of a list of our world, in order; none for `null`.
async fn list(
    reach: &Reach,
    expression: &str,
    document: DocumentNo,
    purpose: Purpose,
) -> Result<Vec<Option<ObjectId>>, Failure> {
    let held = hold(reach, expression, group(document, purpose)).await?;
    let properties =
        reach.session.call(&runtime::GetProperties { object_id: held, own_properties: true }).await?;
    let objects = properties.result.into_iter().filter(|property| property.name.parse::<u32>().is_ok());
    Ok(objects.map(|property| property.value.and_then(|value| value.object_id)).collect())
}

/// Calls the collector with nodes.
async fn collector<T: serde::de::DeserializeOwned>(
    reach: &Reach,
    function: &str,
    nodes: Vec<ObjectId>,
) -> Result<T, Failure> {
    let command = runtime::CallWith {
        function_declaration: format!(
            "function(...nodes){{return JSON.stringify(globalThis[Symbol.for(\"collector\")].{function}(...nodes))}}"
        ),
        arguments: nodes.into_iter().map(|object_id| runtime::Argument { object_id }).collect(),
        execution_context_id: reach.place.context,
    };
    let text = reach.session.call(&command).await?.0.map_err(|e| Failure::Thrown { message: e.0 })?;
    serde_json::from_str(&text)
        .map_err(|e| Failure::Unreadable(format!("the collector's answer to {function} does not read: {e}")))
}

/// Nodes of the browser's as objects of our world.
async fn resolve(
    reach: &Reach,
    document: DocumentNo,
    purpose: Purpose,
    nodes: impl Iterator<Item = BackendId>,
) -> Result<Vec<Result<ObjectId, Failure>>, Failure> {
    let asked = nodes.map(|backend_node_id| {
        reach.session.call(&dom::ResolveNode {
            backend_node_id,
            execution_context_id: Some(reach.place.context),
            object_group: Some(group(document, purpose)),
        })
    });
    let answers = all(asked).await.into_iter().map(|answer| {
        let resolved = tolerable(answer)?;
        Ok(resolved.and_then(|resolved| resolved.object.object_id.ok_or(Failure::DocumentChanged)))
    });
    answers.collect()
}
