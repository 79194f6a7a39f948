//! Fills in what no script of ours can see of a document: closed shadow roots, listeners, and what the classes of custom
//! elements say of them. Asked only where there may be something, bounded, and remembered as long as the document is
//! attached. What was asked for closed roots is remembered in the page, by the collector.

use crate::{failure::Failure, place::Reach, task::all};
use cdp::{
    BackendId, ObjectId, accessibility,
    dom::{self, RootKind},
    dom_debugger, runtime,
};
use futures::future::join;
use litemap::LiteMap;
use snapshot::{
    DocumentNo, ElementNo, Facts, Role,
    facts::{Element, Filled, Implied},
};
use std::collections::{BTreeSet, HashMap};

/// How often a document is read again for closed roots in what was just revealed.
const ROUNDS: u32 = 4;

/// So many closed roots are asked for at a time, by the collector's own limit; the rest comes with the next capture.
const MOST_SUSPECTS: u32 = 256;

/// So many nodes with listeners are looked up at a time: the rest comes with the next capture.
const MOST_LISTENERS: usize = 256;

/// So many custom elements are asked for at a time.
const MOST_CUSTOM: usize = 128;

/// So many of a name that say nothing speak for the rest of that name.
const ENOUGH: u32 = 3;

/// Events that make an element worth a click.
const CLICKS: [&str; 6] = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"];

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
}

/// What comes to light while a document is filled in.
#[derive(Debug, Default)]
pub struct Filling {
    filled: Filled,
    /// Whether what listens is known already.
    heard: bool,
    /// Whether there was more to ask than is asked at a time.
    more: bool,
    rounds: u32,
}

impl Filling {
    /// Begins; `heard` is what is known, if no listener was added since.
    pub fn new(heard: Option<&Filled>) -> Self {
        let filled = heard.map(|known| Filled {
            clicks: known.clicks.clone(),
            drops: known.drops.clone(),
            ..Filled::default()
        });
        Self { heard: filled.is_some(), filled: filled.unwrap_or_default(), ..Self::default() }
    }

    /// Asks for closed roots and listeners. Says whether roots came to light: then the facts must be read again before
    /// going on, so long as there is not one root in the other without end.
    ///
    /// # Errors
    /// When the document or the tab went meanwhile.
    pub async fn reveals(&mut self, reach: &Reach, facts: &Facts) -> Result<bool, Failure> {
        let mut unread = Vec::new();
        let listeners =
            async { if self.heard { Ok(None) } else { hear(reach, facts.document()).await.map(Some) } };
        let (revealed, listeners) = join(closed_roots(reach, facts, &mut unread), listeners).await;
        let mut fresh = revealed?;
        if let Some(listeners) = listeners? {
            fresh += listeners.fresh;
            // What listens in roots that just came to light is asked for with them.
            self.heard = listeners.fresh == 0;
            self.more |= listeners.more;
            self.filled.clicks = listeners.clicks.into_iter().collect();
            self.filled.drops = listeners.drops.into_iter().collect();
        }
        self.filled.unread.extend(unread.into_iter().map(|(element, reason)| (element, reason.into())));
        self.more |= facts.suspects() > MOST_SUSPECTS;
        self.rounds += 1;
        let again = fresh > 0 && self.rounds < ROUNDS;
        self.more |= fresh > 0 && !again;
        Ok(again)
    }

    /// All that was told, with what custom elements say; and whether that is all there is to ask.
    ///
    /// # Errors
    /// As [`Filling::reveals`].
    pub async fn end(mut self, reach: &Reach, facts: &Facts) -> Result<(Filled, bool), Failure> {
        let (said, more) = custom(reach, facts).await?;
        self.filled.implied = said.into_iter().collect();
        // What could not be read stays so until it is asked again.
        for (element, reason) in &facts.filled().unread {
            if facts.find(*element).is_some() {
                self.filled.unread.entry(*element).or_insert_with(|| reason.clone());
            }
        }
        Ok((self.filled, !self.more && !more))
    }
}

/// Whether custom elements say the same as when they were last asked: no mutation shows when they do not.
pub async fn unchanged(reach: &Reach, document: DocumentNo) -> bool {
    let mut known = learnt(reach, document, |learnt| learnt.said.clone());
    known.retain(|_, said| !said.is_empty());
    if known.is_empty() {
        return true;
    }
    let asked: Vec<_> = known.keys().copied().collect();
    match ask(reach, document, &asked).await {
        Ok(said) => said.into_iter().collect::<LiteMap<_, _>>() == known,
        Err(_) => false,
    }
}

fn learnt<T>(reach: &Reach, document: DocumentNo, with: impl FnOnce(&mut Learnt) -> T) -> T {
    let mut state = reach.session.tab.state.borrow_mut();
    with(state.learnt.entry(document).or_default())
}

/// The group of what is held for one document's filling in.
fn group(document: DocumentNo) -> String {
    format!("tabwright-{}", document.0)
}

fn release(reach: &Reach, document: DocumentNo) {
    // Its answer tells nothing.
    drop(reach.session.call(&runtime::ReleaseObjectGroup { object_group: group(document) }));
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
) -> Result<Vec<Option<ObjectId>>, Failure> {
    let held = hold(reach, expression, group(document)).await?;
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
    nodes: impl Iterator<Item = BackendId>,
) -> Result<Vec<Result<ObjectId, Failure>>, Failure> {
    let asked = nodes.map(|backend_node_id| {
        reach.session.call(&dom::ResolveNode {
            backend_node_id,
            execution_context_id: Some(reach.place.context),
            object_group: Some(group(document)),
        })
    });
    let answers = all(asked).await.into_iter().map(|answer| {
        let resolved = tolerable(answer)?;
        Ok(resolved.and_then(|resolved| resolved.object.object_id.ok_or(Failure::DocumentChanged)))
    });
    answers.collect()
}

/// Hands the closed shadow roots of suspects to the collector; says how many.
async fn closed_roots(
    reach: &Reach,
    facts: &Facts,
    unread: &mut Vec<(ElementNo, String)>,
) -> Result<u32, Failure> {
    if facts.suspects() == 0 {
        return Ok(0);
    }
    let document = facts.document();
    let hosts = list(reach, "globalThis[Symbol.for(\"collector\")].suspects()", document).await?;
    let described = all(hosts.into_iter().flatten().map(|host| {
        let asked = reach.session.call(&dom::DescribeNode { object_id: host.clone() });
        async move { (host, asked.await) }
    }));
    let mut closed = Vec::new();
    for (host, answer) in described.await {
        // A host that went meanwhile has nothing to hide.
        let Ok(described) = tolerable(answer)? else { continue };
        let root = described.node.shadow_roots.iter().find(|root| root.shadow_root_type == RootKind::Closed);
        closed.extend(root.map(|root| (host, root.backend_node_id)));
    }
    let resolved = resolve(reach, document, closed.iter().map(|(_, root)| *root)).await?;
    let mut roots = Vec::new();
    for ((host, _), root) in closed.into_iter().zip(resolved) {
        match root {
            Ok(root) => roots.push(root),
            Err(failure) => {
                let numbers: Vec<u32> = collector(reach, "numbers", vec![host]).await?;
                unread.extend(numbers.get(1).map(|number| (ElementNo(*number), failure.to_string())));
            }
        }
    }
    let told: Vec<u32> =
        if roots.is_empty() { Vec::new() } else { collector(reach, "numbers", roots).await? };
    release(reach, document);
    Ok(told.first().copied().unwrap_or(0))
}

/// What listens in a document.
#[derive(Debug, Default)]
struct Listeners {
    clicks: Vec<ElementNo>,
    drops: Vec<ElementNo>,
    /// How many closed roots came to light, for something in them listens.
    fresh: u32,
    /// Whether not all were looked up.
    more: bool,
}

/// Holds the document for asking what listens in it: as an object of the page's own world, which nothing is called
/// with. Asked through an isolated world's object, Chrome 156 crashes at a later collection of garbage.
async fn hold_document(reach: &Reach, document: DocumentNo) -> Result<ObjectId, Failure> {
    let ours = hold(reach, "document", group(document)).await?;
    let node = reach.session.call(&dom::DescribeNode { object_id: ours }).await?.node;
    release(reach, document);
    let asked = dom::ResolveNode {
        backend_node_id: node.backend_node_id,
        execution_context_id: None,
        object_group: None,
    };
    reach.session.call(&asked).await?.object.object_id.ok_or(Failure::DocumentChanged)
}

/// Which elements of a document listen for clicks and drops.
async fn hear(reach: &Reach, document: DocumentNo) -> Result<Listeners, Failure> {
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
    let mut clicks = BTreeSet::new();
    let mut drops = BTreeSet::new();
    for listener in told.listeners {
        let Some(node) = listener.backend_node_id else { continue };
        if CLICKS.contains(&&*listener.event) {
            clicks.insert(node);
        } else if listener.event == "drop" {
            drops.insert(node);
        }
    }
    let mut unknown: Vec<_> = learnt(reach, document, |learnt| {
        clicks.union(&drops).filter(|node| !learnt.nodes.contains_key(node)).copied().collect()
    });
    let mut heard = Listeners { more: unknown.len() > MOST_LISTENERS, ..Listeners::default() };
    unknown.truncate(MOST_LISTENERS);
    if !unknown.is_empty() {
        let resolved = resolve(reach, document, unknown.iter().copied()).await?;
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
        release(reach, document);
    }
    learnt(reach, document, |learnt| {
        let known = |node: &BackendId| learnt.nodes.get(node).copied().flatten();
        heard.clicks = clicks.iter().filter_map(known).collect();
        heard.drops = drops.iter().filter_map(known).collect();
    });
    Ok(heard)
}

/// What custom elements have by their class, and whether more are to be asked. Those that were never asked come first.
/// Those of a name of which none said anything are not asked any more.
async fn custom(reach: &Reach, facts: &Facts) -> Result<(Vec<(ElementNo, Implied)>, bool), Failure> {
    let document = facts.document();
    let able = facts.elements().filter(|element| element.is_defined() && element.display() != "none");
    // A role that was filled in before is no attribute of the element's own.
    let spoke = |element: &Element<'_>| facts.filled().implied.contains_key(&element.number());
    let able: Vec<_> = able.filter(|element| !element.has_attribute("role") || spoke(element)).collect();
    let (asked, more) = learnt(reach, document, |learnt| {
        let (known, new): (Vec<&Element<'_>>, Vec<&Element<'_>>) =
            able.iter().partition(|element| learnt.said.contains_key(&element.number()));
        let mut asked: Vec<ElementNo> = Vec::new();
        let mut more = false;
        for element in new {
            let (times, speaks) = learnt.names.entry(element.name().into()).or_default();
            if !*speaks && *times >= ENOUGH {
                continue;
            }
            if asked.len() == MOST_CUSTOM {
                more = true;
                break;
            }
            *times = times.saturating_add(1);
            asked.push(element.number());
        }
        let again = known.into_iter().map(Element::number).take(MOST_CUSTOM - asked.len());
        asked.extend(again);
        (asked, more)
    });
    let said: LiteMap<_, _> = ask(reach, document, &asked).await?.into_iter().collect();
    let said = learnt(reach, document, |learnt| {
        learnt.said.retain(|element, _| facts.find(*element).is_some());
        for element in asked {
            let implied = said.get(&element).cloned().unwrap_or_default();
            let name = facts.find(element).map(|element| Element::name(&element)).unwrap_or_default();
            if let Some((_, speaks)) = learnt.names.get_mut(name).filter(|_| !implied.is_empty()) {
                *speaks = true;
            }
            learnt.said.insert(element, implied);
        }
        let here: BTreeSet<_> = able.iter().map(Element::number).collect();
        let speaking =
            learnt.said.iter().filter(|(element, said)| here.contains(element) && !said.is_empty());
        speaking.map(|(element, said)| (*element, said.clone())).collect()
    });
    Ok((said, more))
}

/// What elements have by their class; those that have nothing are left out.
async fn ask(
    reach: &Reach,
    document: DocumentNo,
    elements: &[ElementNo],
) -> Result<Vec<(ElementNo, Implied)>, Failure> {
    if elements.is_empty() {
        return Ok(Vec::new());
    }
    let numbers: Vec<u32> = elements.iter().map(|element| element.0).collect();
    let expression = format!("{numbers:?}.map(globalThis[Symbol.for(\"collector\")].element)");
    let objects = list(reach, &expression, document).await?;
    let asked = elements.iter().zip(objects).filter_map(|(element, object)| {
        let command = accessibility::GetPartialTree { object_id: object?, fetch_relatives: false };
        let answer = reach.session.call(&command);
        Some(async move { (*element, answer.await) })
    });
    let mut said = Vec::new();
    for (element, answer) in all(asked).await {
        let Ok(answer) = tolerable(answer)? else { continue };
        let implied = answer.nodes.first().map(implied).unwrap_or_default();
        if !implied.is_empty() {
            said.push((element, implied));
        }
    }
    release(reach, document);
    Ok(said)
}

/// The browser's word on a custom element, as the ARIA attributes that would say the same.
fn implied(node: &accessibility::Node) -> Implied {
    let mut implied: Vec<(&str, String)> = Vec::new();
    let role = node.role.text();
    let is_plain = role.parse().is_ok_and(|role: Role| role.is_plain() || role == Role::Text);
    if node.ignored || is_plain || role.parse::<Role>().is_err() {
        return Vec::new();
    }
    implied.push(("role", role));
    let given = |origin: &accessibility::Origin| {
        let by = matches!(origin.attribute.as_deref(), Some("aria-label" | "aria-labelledby"));
        (by && !origin.superseded && origin.value.is_some()).then(|| node.name.text())
    };
    implied.extend(node.name.sources.iter().find_map(given).map(|name| ("aria-label", name)));
    for property in &node.properties {
        if let Some(attribute) = attribute(&property.name) {
            implied.push((attribute, property.value.text()));
        }
    }
    implied.push(("aria-description", node.description.text()));
    implied.push(("aria-valuenow", node.value.text()));
    let said = implied.into_iter().filter(|(_, value)| !value.is_empty());
    said.map(|(name, value)| (name.into(), value.into())).collect()
}

/// The ARIA attribute that says what a property of the browser's says.
fn attribute(property: &str) -> Option<&'static str> {
    Some(match property {
        "busy" => "aria-busy",
        "checked" => "aria-checked",
        "disabled" => "aria-disabled",
        "expanded" => "aria-expanded",
        "hasPopup" => "aria-haspopup",
        "keyshortcuts" => "aria-keyshortcuts",
        "level" => "aria-level",
        "modal" => "aria-modal",
        "multiline" => "aria-multiline",
        "multiselectable" => "aria-multiselectable",
        "orientation" => "aria-orientation",
        "pressed" => "aria-pressed",
        "readonly" => "aria-readonly",
        "required" => "aria-required",
        "roledescription" => "aria-roledescription",
        "selected" => "aria-selected",
        "valuemax" => "aria-valuemax",
        "valuemin" => "aria-valuemin",
        "valuetext" => "aria-valuetext",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cdp::{Answer, Command as _};

    fn read(node: &str) -> Implied {
        let json = format!(r#"{{"nodes":[{node}]}}"#);
        implied(&accessibility::GetPartialTree::read(Answer::Json(json)).unwrap().nodes[0])
    }

    fn said(node: &str) -> String {
        let parts: Vec<_> = read(node).iter().map(|(name, value)| format!("{name}={value}")).collect();
        parts.join(" ")
    }

    #[test]
    fn a_class_that_says_nothing_implies_nothing() {
        assert_eq!(said(r#"{"role":{"value":"generic"},"name":{"value":""}}"#), "");
        assert_eq!(said(r#"{"ignored":true,"role":{"value":"none"}}"#), "");
        assert_eq!(said(r#"{"role":{"value":"Section"}}"#), "");
    }

    #[test]
    fn what_the_class_says_reads_as_attributes() {
        let node = r#"{"role":{"value":"switch"},"name":{"value":"Wifi","sources":[
            {"type":"attribute","attribute":"aria-label","value":{"value":"Wifi"}}]},
            "properties":[{"name":"invalid","value":{"value":"false"}},{"name":"checked","value":{"value":"true"}}]}"#;
        assert_eq!(said(node), "role=switch aria-label=Wifi aria-checked=true");
    }

    #[test]
    fn a_name_from_content_is_left_to_the_content() {
        let node = r#"{"role":{"value":"button"},"name":{"value":"Go","sources":[
            {"type":"contents","value":{"value":"Go"}}]}}"#;
        assert_eq!(said(node), "role=button");
    }
}
