//! What either side says of a node, in the words of both.

use serde_json::Value;
use snapshot::{Role, facts::Element, state::State, tree::Node};
use std::collections::BTreeSet;

/// A node as one side exposes it.
#[derive(Clone, Debug, Default)]
pub struct Exposed {
    /// Empty for what is hidden, ignored or generic.
    pub role: String,
    pub name: String,
    pub value: String,
    pub states: BTreeSet<String>,
}

/// What we say of an element.
pub fn ours(node: &Node, element: Element<'_>) -> Exposed {
    let role = node.role();
    if node.is_hidden() && node.cut().is_some() || matches!(role, Role::Generic | Role::None) {
        return Exposed::default();
    }
    let mut states: BTreeSet<String> = node.states().iter().filter_map(our_state).collect();
    if role == Role::Combobox && element.tag() == "select" && !states.contains("expanded") {
        // Goes without saying; the browser says it.
        states.insert("collapsed".to_owned());
    }
    Exposed {
        role: role.as_str().to_owned(),
        name: collapse(node.name()),
        value: collapse(node.value().unwrap_or_default()),
        states,
    }
}

/// States that the browser's protocol can tell.
fn our_state(state: &State) -> Option<String> {
    let said = match state {
        State::Checked
        | State::Mixed
        | State::Pressed
        | State::HalfPressed
        | State::Selected
        | State::Expanded
        | State::Collapsed
        | State::Disabled
        | State::Readonly
        | State::Required
        | State::Invalid
        | State::Multiselectable
        | State::Focused
        | State::Busy
        | State::Modal => state.word().to_owned(),
        State::Level(level) => format!("level={level}"),
        State::HasPopup(kind) => format!("haspopup={kind}"),
        // Not in the protocol, or the judge's own.
        State::Current(_)
        | State::Multiline
        | State::Inert
        | State::Scrollable
        | State::Sort(_)
        | State::Vertical
        | State::Hidden => return None,
    };
    Some(said)
}

/// What the browser says of an element.
pub fn theirs(node: Option<&Value>, element: Element<'_>) -> Exposed {
    let Some(node) = node.filter(|node| node["ignored"] != true) else { return Exposed::default() };
    let role = role(node["role"]["value"].as_str().unwrap_or_default(), element);
    if role.is_empty() {
        return Exposed::default();
    }
    let mut states = BTreeSet::new();
    for property in node["properties"].as_array().into_iter().flatten() {
        let value = &property["value"]["value"];
        if let Some(state) = their_state(property["name"].as_str().unwrap_or_default(), value, &role) {
            states.insert(state);
        }
    }
    Exposed {
        role,
        name: collapse(node["name"]["value"].as_str().unwrap_or_default()),
        value: collapse(&text(&node["value"]["value"])),
        states,
    }
}

fn their_state(name: &str, value: &Value, role: &str) -> Option<String> {
    let said = text(value);
    let is_true = said == "true";
    let word = match name {
        "checked" if is_true => "checked",
        "checked" if said == "mixed" => "mixed",
        "pressed" if is_true => "pressed",
        "pressed" if said == "mixed" => "pressed=mixed",
        "expanded" if is_true => "expanded",
        "expanded" => "collapsed",
        "invalid" if said != "false" => "invalid",
        "level" => return Some(format!("level={said}")),
        "hasPopup" if said != "false" => {
            let usual = role == "combobox" && matches!(said.as_str(), "listbox" | "menu");
            let kind = if said == "true" { "menu" } else { &said };
            return (!usual).then(|| format!("haspopup={kind}"));
        }
        "selected" | "disabled" | "readonly" | "required" | "multiselectable" | "focused" | "busy" | "modal"
            if is_true =>
        {
            name
        }
        _ => return None,
    };
    Some(word.to_owned())
}

/// The browser's role in our words; empty for what groups without meaning.
fn role(role: &str, element: Element<'_>) -> String {
    let kind = element.attribute("type").unwrap_or_default().to_ascii_lowercase();
    let ours = match role {
        "Audio" => "audio",
        "Canvas" => "canvas",
        "ColorWell" => "color",
        "Date" if kind == "month" => "month",
        "Date" if kind == "week" => "week",
        "Date" => "date",
        "DateTime" if kind == "month" => "month",
        "DateTime" if kind == "week" => "week",
        "DateTime" => "datetime",
        "DescriptionList" => "list",
        "Details" => "group",
        "DisclosureTriangle" | "DisclosureTriangleGrouped" => "summary",
        "EmbeddedObject" | "PluginObject" => "embed",
        "Figcaption" => "caption",
        "HeaderAsNonLandmark" => "sectionheader",
        "FooterAsNonLandmark" => "sectionfooter",
        "Iframe" | "IframePresentational" => "iframe",
        "InputTime" => "inputtime",
        "LabelText" => "label",
        "Legend" => "legend",
        "MathMLMath" => "math",
        "RootWebArea" => "document",
        "SvgRoot" | "image" => "img",
        "Video" => "video",
        "button" if element.tag() == "input" && kind == "file" => "file",
        "generic" | "none" | "Abbr" | "GenericContainer" | "LayoutTable" | "LayoutTableRow" | "LayoutTableCell"
        | "LineBreak" | "Pre" | "Ruby" | "RubyAnnotation" | "Section" => "",
        other => other,
    };
    ours.to_owned()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// White space made one blank each, as the eye has it.
pub fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
