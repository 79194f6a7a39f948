//! What custom elements are by their class (`ElementInternals`): the browser's accessibility tree knows, element by
//! element, and it is said as the ARIA attributes that would say the same.

use super::{Purpose, learnt, list, release, tolerable};
use crate::{failure::Failure, place::Reach, task::all};
use cdp::accessibility;
use litemap::LiteMap;
use snapshot::{
    DocumentNo, ElementNo, Facts, Role,
    facts::{Element, Implied},
};
use std::collections::BTreeSet;

/// So many custom elements are asked for at a time.
const MOST: usize = 128;

/// So many of a name that say nothing speak for the rest of that name.
const ENOUGH: u32 = 3;

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

/// What custom elements have by their class, and whether more are to be asked. Those that were never asked come first.
/// Those of a name of which none said anything are not asked any more.
pub(super) async fn say(reach: &Reach, facts: &Facts) -> Result<(Vec<(ElementNo, Implied)>, bool), Failure> {
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
            if asked.len() == MOST {
                more = true;
                break;
            }
            *times = times.saturating_add(1);
            asked.push(element.number());
        }
        let again = known.into_iter().map(Element::number).take(MOST - asked.len());
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
    let objects = list(reach, &expression, document, Purpose::Classes).await?;
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
    release(reach, document, Purpose::Classes);
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
