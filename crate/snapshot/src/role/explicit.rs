//! The `role` attribute: its first valid token, with the conflict resolution of WAI-ARIA 1.2 §5.3.2 and §7.1.
//! What the host language says without it is in [`super::html`].

use super::{Role, html};
use crate::facts::{Element, Facts};
use rustc_hash::FxHashSet;

/// The role of every element of a document, by node place. Text nodes are [`Role::Text`].
pub fn judge(facts: &Facts) -> Vec<Role> {
    let owned = owned(facts);
    let mut roles = Vec::with_capacity(facts.len());
    for at in 0..facts.len() {
        let role = match facts.element(at) {
            None => Role::Text,
            Some(element) => role_of(element, &roles, &owned),
        };
        roles.push(role);
    }
    roles
}

/// Ids that some element owns by `aria-owns`: where what has them belongs is not told by where it stands.
fn owned(facts: &Facts) -> FxHashSet<&str> {
    let owners = facts.elements().filter_map(|element| element.said("aria-owns"));
    owners.flat_map(str::split_ascii_whitespace).collect()
}

/// The role of one element, given those of all that come before it.
fn role_of(element: Element<'_>, before: &[Role], owned: &FxHashSet<&str>) -> Role {
    let native = || html::role(element, before);
    for token in element.attribute("role").unwrap_or_default().split_ascii_whitespace() {
        let Some(role) = valid(token, element) else { continue };
        if role == Role::None {
            if refuses_presentation(element) {
                return native();
            }
            return Role::None;
        }
        let is_owned = element.said("id").is_some_and(|id| owned.contains(id));
        let is_native = element.tag() == "li" || token.starts_with("doc-");
        if !is_owned && !is_native && !has_context(element, role, before) {
            continue;
        }
        return role;
    }
    let role = native();
    // A presentational table, list or the like takes its parts with it.
    if !element.has_attribute("role") && is_part(element) && whole_is_presentational(element, before) {
        return if refuses_presentation(element) { role } else { Role::None };
    }
    role
}

/// Whether it stands where its role has a meaning, as far as Chrome insists (ARIA 1.2 §5.2.8 "required context").
fn has_context(element: Element<'_>, role: Role, before: &[Role]) -> bool {
    let (wholes, groups) = if role == Role::ListItem {
        ([Role::List, Role::Directory], false)
    } else if role == Role::Option {
        ([Role::Listbox, Role::Combobox], true)
    } else if role == Role::TreeItem {
        ([Role::Tree, Role::TreeItem], true)
    } else {
        return true;
    };
    let mut outer = element.ancestors().map(|ancestor| before[ancestor.at()]);
    let between =
        |role: &Role| matches!(role, Role::Generic | Role::None) || (groups && *role == Role::Group);
    let outer = outer.find(|role| !between(role));
    outer.is_some_and(|role| wholes.contains(&role))
}

/// The role that a token of the attribute means.
fn valid(token: &str, element: Element<'_>) -> Option<Role> {
    let token = token.to_ascii_lowercase();
    let role = match token.as_str() {
        "presentation" | "none" => Role::None,
        "image" | "img" | "doc-cover" => Role::Image,
        "doc-link" | "doc-backlink" | "doc-biblioref" | "doc-glossref" | "doc-noteref" => Role::Link,
        "doc-pagebreak" => Role::Separator,
        "doc-biblioentry" | "doc-endnote" => Role::ListItem,
        "doc-acknowledgments"
        | "doc-afterword"
        | "doc-appendix"
        | "doc-bibliography"
        | "doc-chapter"
        | "doc-conclusion"
        | "doc-credits"
        | "doc-endnotes"
        | "doc-epilogue"
        | "doc-errata"
        | "doc-foreword"
        | "doc-glossary"
        | "doc-introduction"
        | "doc-part"
        | "doc-preface"
        | "doc-prologue" => Role::Region,
        "doc-abstract" | "doc-colophon" | "doc-credit" | "doc-dedication" | "doc-epigraph"
        | "doc-example" | "doc-pagefooter" | "doc-pageheader" | "doc-pullquote" | "doc-qna" => Role::Group,
        "doc-subtitle" => Role::Heading,
        "doc-toc" | "doc-index" | "doc-pagelist" => Role::Navigation,
        "doc-tip" | "doc-notice" | "doc-footnote" => Role::Note,
        "directory" => Role::List,
        "textbox" | "searchbox" if element.tag() == "input" && element.has_attribute("list") => {
            Role::Combobox
        }
        // No roles of ARIA, though we have them for host elements.
        "text" | "audio" | "video" | "canvas" | "embed" | "file" | "color" | "date" | "datetime"
        | "month" | "week" | "inputtime" | "iframe" | "summary" | "label" | "legend" => return None,
        other => other.parse().ok()?,
    };
    Some(role)
}

/// Whether `presentation` is set aside: what can be focused or bears a global ARIA attribute stays what it is.
fn refuses_presentation(element: Element<'_>) -> bool {
    if is_focusable(element) {
        return true;
    }
    element.attributes().any(|(name, _)| is_global(name))
}

/// Global ARIA states and properties that speak against `presentation` (`aria-hidden` does not).
fn is_global(name: &str) -> bool {
    matches!(
        name,
        "aria-atomic"
            | "aria-busy"
            | "aria-controls"
            | "aria-current"
            | "aria-describedby"
            | "aria-description"
            | "aria-details"
            | "aria-dropeffect"
            | "aria-flowto"
            | "aria-grabbed"
            | "aria-keyshortcuts"
            | "aria-live"
            | "aria-owns"
            | "aria-relevant"
            | "aria-label"
            | "aria-labelledby"
            | "aria-roledescription"
    )
}

/// Whether the keyboard or a script can put focus on it.
pub fn is_focusable(element: Element<'_>) -> bool {
    if element.attribute("tabindex").is_some_and(|value| value.trim().parse::<i32>().is_ok()) {
        return true;
    }
    if is_editing_host(element) {
        return true;
    }
    match element.tag() {
        "a" | "area" => element.has_attribute("href"),
        "button" | "select" | "textarea" => !element.is_disabled(),
        "input" => !element.is_disabled() && element.attribute("type") != Some("hidden"),
        "iframe" | "frame" => true,
        "summary" => html::is_summary(element),
        "audio" | "video" => element.has_attribute("controls"),
        _ => element.name() == "a" && (element.has_attribute("href") || element.has_attribute("xlink:href")),
    }
}

/// Whether it makes its content editable.
pub fn is_editing_host(element: Element<'_>) -> bool {
    element.attribute("contenteditable").is_some_and(|value| {
        value.is_empty() || value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("plaintext-only")
    })
}

/// Whether an element is a required part of a table, list or the like.
fn is_part(element: Element<'_>) -> bool {
    matches!(element.tag(), "li" | "tr" | "td" | "th" | "thead" | "tbody" | "tfoot" | "caption" | "colgroup")
}

fn whole_is_presentational(element: Element<'_>, before: &[Role]) -> bool {
    let wholes: &[&str] = match element.tag() {
        "li" => &["ul", "ol", "menu"],
        _ => &["table"],
    };
    element
        .ancestors()
        .take_while(|ancestor| !ancestor.has_attribute("role") || wholes.contains(&ancestor.tag()))
        .find(|ancestor| wholes.contains(&ancestor.tag()))
        .is_some_and(|whole| before[whole.at()] == Role::None)
}
