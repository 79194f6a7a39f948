//! The value of a control, as an agent may read it. Secrets are bullets.

use crate::facts::{At, Element, Facts, LiveValue};
use crate::role::Role;
use crate::text::{collapse, without_line_numbers};

/// More bullets than this tell nothing.
const MOST_BULLETS: usize = 24;

/// The value of an element of that role, if the role has values.
pub(super) fn of(facts: &Facts, roles: &[Role], element: Element<'_>, role: Role) -> Option<String> {
    if role.is_ranged() || role == Role::Separator {
        let said = || element.said("aria-valuenow").or_else(|| element.said("value")).map(str::to_owned);
        return element
            .said("aria-valuetext")
            .map(str::to_owned)
            .or_else(|| live(element))
            .or_else(said)
            .or_else(|| implied(element, role));
    }
    if matches!(role, Role::Combobox | Role::Listbox) && element.tag() == "select" {
        return Some(chosen(facts, roles, element.at()));
    }
    if let Some(drawn) = element.attribute(":drawn") {
        return Some(without_line_numbers(drawn));
    }
    let is_valueless =
        matches!(role, Role::Button | Role::Checkbox | Role::Radio | Role::Switch | Role::Image);
    if !is_valueless && matches!(element.tag(), "input" | "textarea") { live(element) } else { None }
}

/// The value of a range that does not say one (ARIA 1.2: half-way; what has no bounds is at zero).
fn implied(element: Element<'_>, role: Role) -> Option<String> {
    if element.tag() == "meter" || element.tag() == "progress" {
        return None;
    }
    let edge = |name, usual: f64| element.said(name).and_then(|said| said.parse().ok()).unwrap_or(usual);
    if matches!(role, Role::Slider | Role::Scrollbar) {
        let (low, high) = (edge("aria-valuemin", 0.0), edge("aria-valuemax", 100.0));
        return Some(f64::midpoint(low, high).to_string());
    }
    matches!(role, Role::Meter | Role::Spinbutton).then(|| "0".to_owned())
}

/// Bounds of a value, as `0..10`; empty when none are said.
pub(super) fn range(element: Element<'_>, role: Role) -> String {
    if !matches!(role, Role::Slider | Role::Spinbutton | Role::Meter | Role::Progressbar | Role::Scrollbar) {
        return String::new();
    }
    let native = matches!(element.tag(), "input" | "meter" | "progress");
    let edge = |attribute, aria| if native { element.said(attribute) } else { element.said(aria) };
    let usual = |edge| if role == Role::Slider && native { edge } else { "" };
    // What goes without saying is not said; a person sets a slider, and needs its ends.
    let low = edge("min", "aria-valuemin").unwrap_or(usual("0"));
    let high = edge("max", "aria-valuemax").unwrap_or(usual("100"));
    // What a person cannot set is of hundred parts, unless it says otherwise.
    let is_percent = role == Role::Progressbar && matches!(low, "" | "0") && high == "100";
    if is_percent || low.is_empty() && high.is_empty() { String::new() } else { format!("{low}..{high}") }
}

fn live(element: Element<'_>) -> Option<String> {
    match element.value()? {
        LiveValue::Plain(value) => Some(value.to_owned()),
        LiveValue::Secret(length) => Some("•".repeat((length as usize).min(MOST_BULLETS))),
    }
}

/// The chosen options of a select.
fn chosen(facts: &Facts, roles: &[Role], select: At) -> String {
    let mut out = String::new();
    let inside = (select + 1..facts.end(select)).filter_map(|at| facts.element(at));
    for option in inside.filter(|inner| roles[inner.at()] == Role::Option && inner.is_selected()) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&option_text(facts, option));
    }
    out
}

/// What an option says.
fn option_text(facts: &Facts, option: Element<'_>) -> String {
    if let Some(label) = option.said("label") {
        return label.to_owned();
    }
    let mut text = String::new();
    for at in option.at() + 1..facts.end(option.at()) {
        if let crate::facts::Node::Text(part) = facts.node(at) {
            text.push_str(part);
        }
    }
    collapse(&text)
}
