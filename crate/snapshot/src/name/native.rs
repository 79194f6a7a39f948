//! Step 2E and 2I: names that the host language gives, after HTML-AAM §4.1 and SVG-AAM.

use super::{Namer, Seen, Source, Way, content};
use crate::facts::{Element, LiveValue, Namespace};
use crate::role::Role;
use crate::role::html::is_summary;
use crate::text::collapse;

type Found = Option<(String, Source)>;

/// The name of an element by its host language, `title` apart.
pub(super) fn name(namer: &Namer<'_>, element: Element<'_>, way: Way<'_>) -> Found {
    if element.namespace() == Namespace::Svg {
        return child_text(namer, element, way, "title");
    }
    match element.tag() {
        "input" => input(namer, element, way),
        "textarea" => labels(namer, element, way).or_else(|| entry_hints(element)),
        "select" | "meter" | "progress" | "output" | "button" => labels(namer, element, way),
        "img" | "area" => alt(element),
        "fieldset" => child_text(namer, element, way, "legend"),
        "table" => child_text(namer, element, way, "caption").or_else(|| element.said("summary").map(native)),
        "optgroup" | "option" => element.said("label").map(native),
        tag if tag.contains('-') => labels(namer, element, way),
        _ => None,
    }
}

/// `title`, and what else is said last.
pub(super) fn tooltip(element: Element<'_>, role: Role) -> Found {
    if let Some(title) = element.said("title") {
        return Some((title.to_owned(), Source::Title));
    }
    if role.is_text_entry()
        && let Some(hint) = element.said("aria-placeholder")
    {
        return Some((hint.to_owned(), Source::Placeholder));
    }
    None
}

/// What the host language says of an element beside its name.
pub(super) fn description(namer: &Namer<'_>, element: Element<'_>) -> Option<String> {
    // What is written on it, where it is called otherwise.
    if is_written_on(element)
        && let Some(LiveValue::Plain(value)) = element.value()
        && !value.trim().is_empty()
    {
        return Some(value.to_owned());
    }
    if is_summary(element) {
        let text = content::of(namer, element, Way::start(&Seen::default()));
        if !text.trim().is_empty() {
            return Some(text);
        }
    }
    if element.namespace() == Namespace::Svg {
        return child_text(namer, element, Way::start(&Seen::default()), "desc").map(|(text, _)| text);
    }
    element.said("title").map(str::to_owned)
}

/// Whether its value is written on it.
pub(super) fn is_written_on(element: Element<'_>) -> bool {
    element.tag() == "input" && matches!(kind(element).as_str(), "button" | "submit" | "reset")
}

fn kind(element: Element<'_>) -> String {
    element.attribute("type").unwrap_or_default().trim().to_ascii_lowercase()
}

fn native(text: &str) -> (String, Source) {
    (text.to_owned(), Source::Native)
}

fn alt(element: Element<'_>) -> Found {
    let alt = element.attribute("alt")?;
    if alt.trim().is_empty() { None } else { Some(native(alt)) }
}

fn input(namer: &Namer<'_>, element: Element<'_>, way: Way<'_>) -> Found {
    let value = || match element.value() {
        Some(LiveValue::Plain(value)) if !value.trim().is_empty() => Some(native(value)),
        Some(LiveValue::Plain(_) | LiveValue::Secret(_)) | None => None,
    };
    let labelled = labels(namer, element, way);
    match kind(element).as_str() {
        "submit" => labelled.or_else(value).or_else(|| Some(native("Submit"))),
        "reset" => labelled.or_else(value).or_else(|| Some(native("Reset"))),
        "button" => labelled.or_else(value),
        "image" => labelled
            .or_else(|| alt(element))
            .or_else(value)
            .or_else(|| tooltip(element, Role::Button))
            .or_else(|| Some(native("Submit"))),
        "checkbox" | "radio" | "range" | "color" | "file" | "hidden" => labelled,
        _ => labelled.or_else(|| entry_hints(element)),
    }
}

/// What a field without a label says of itself.
fn entry_hints(element: Element<'_>) -> Found {
    tooltip(element, Role::Generic).or_else(|| {
        let hint = element.said("placeholder").or_else(|| element.said("aria-placeholder"))?;
        Some((hint.to_owned(), Source::Placeholder))
    })
}

/// The text of an element's labels.
fn labels(namer: &Namer<'_>, element: Element<'_>, way: Way<'_>) -> Found {
    let mut parts = Vec::new();
    for label in namer.relations.labels(element.at()) {
        let Some(label) = namer.facts.element(*label) else { continue };
        let way = way.inside();
        let text = collapse(&namer.alternative(label, way).0);
        if !text.is_empty() {
            parts.push(text);
        }
    }
    if parts.is_empty() { None } else { Some((parts.join(" "), Source::Native)) }
}

/// The text of the first child of that name.
fn child_text(namer: &Namer<'_>, element: Element<'_>, way: Way<'_>, name: &str) -> Found {
    let child = element.children().find(|child| child.name() == name)?;
    // Titles of SVG are never rendered; a legend or caption that is hidden does not count.
    let svg = element.namespace() == Namespace::Svg;
    if !svg && namer.is_hidden(child.at()) {
        return None;
    }
    let way = Way { hidden_counts: svg || way.hidden_counts, ..way.inside() };
    let text = if svg { content::of(namer, child, way) } else { namer.alternative(child, way).0 };
    if text.trim().is_empty() { None } else { Some((text, Source::Native)) }
}
