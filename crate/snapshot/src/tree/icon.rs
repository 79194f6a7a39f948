//! What a control is drawn by that has no name and says nothing: the class of its icon, or the symbol that it uses. No name by
//! any standard, but the page's own word for the picture, and all there is to tell such controls apart.

use super::{At, Node, Tree};
use crate::facts::Element;

/// Longer words of a page's for a picture say no more.
const LONGEST: usize = 60;

/// Says of nameless controls what they are drawn by; of a link without even that, where it leads.
pub(super) fn mark(tree: &mut Tree) {
    for at in (0..tree.len()).map(At::new) {
        let node = tree.node(at);
        if !is_mute(node) || tree.shown_children(at).next().is_some() {
            continue;
        }
        let element = node.element().and_then(|number| tree.facts(node.frame())?.find(number));
        let icon = element.and_then(|element| icon(&element)).or_else(|| leads(node));
        if let Some(icon) = icon {
            tree.nodes[at.index()].more_mut().icon = icon.into();
        }
    }
}

/// Whether it can be acted on, and nothing on its line says what it is.
fn is_mute(node: &Node) -> bool {
    node.acts()
        && node.cut().is_none()
        && node.name().is_empty()
        && node.folded().is_empty()
        && node.label().is_empty()
        && node.description().is_empty()
        && node.placeholder().is_empty()
        && !node.role().is_text_entry()
}

/// The page's word for a picture in an element, or for the element itself: the symbol that an SVG uses, else a class.
fn icon(element: &Element<'_>) -> Option<String> {
    let inside = element.descendants().find_map(|inside| symbol(&inside));
    let inside = inside.or_else(|| element.descendants().find_map(|inside| class(&inside)));
    inside.or_else(|| class(element))
}

fn symbol(element: &Element<'_>) -> Option<String> {
    let uses = Some(element).filter(|element| element.name() == "use")?;
    let address = uses.attribute("href").or_else(|| uses.attribute("xlink:href"))?;
    short(address.rsplit_once('#')?.1)
}

fn class(element: &Element<'_>) -> Option<String> {
    short(element.attribute("class")?)
}

/// The last part of where a link leads: in the page, or by its path.
fn leads(node: &Node) -> Option<String> {
    let (address, fragment) = node.href().split_once('#').unwrap_or((node.href(), ""));
    if !fragment.is_empty() {
        return short(&format!("#{fragment}"));
    }
    let path = address.split('?').next().unwrap_or_default();
    short(path.trim_end_matches('/').rsplit('/').next()?)
}

fn short(text: &str) -> Option<String> {
    let text: String = crate::text::collapse(text).chars().take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}
