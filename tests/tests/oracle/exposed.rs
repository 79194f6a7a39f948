//! What either side says of a node, in the words of both.

use serde_json::Value;
use snapshot::{
    Role, facts::Element, name::Source, role::explicit::is_editing_host, state::State, tree::Node,
};
use std::collections::BTreeSet;

/// A node as one side exposes it.
#[derive(Clone, Debug, Default)]
pub struct Exposed {
    /// Empty for what is hidden, ignored or generic.
    pub role: String,
    pub name: String,
    pub value: String,
    pub description: String,
    pub states: BTreeSet<String>,
}

/// What we say of an element.
pub fn ours(node: &Node, element: Element<'_>) -> Exposed {
    let role = node.role();
    if node.is_hidden() && node.cut().is_some() || matches!(role, Role::Generic | Role::None | Role::Label) {
        return Exposed::default();
    }
    let mut states: BTreeSet<String> =
        node.states().iter().filter_map(|state| our_state(state, role.as_str(), element)).collect();
    if role == Role::Combobox && element.tag() == "select" && !states.contains("expanded") {
        // Goes without saying; the browser says it.
        states.insert("collapsed".to_owned());
    }
    Exposed {
        role: role.as_str().to_owned(),
        name: if has_own_name(node) { collapse(node.name()) } else { String::new() },
        value: collapse(node.value().unwrap_or_default()),
        description: collapse(node.description()),
        states,
    }
}

/// Whether the name is the accessible name: what can be acted on is called by its only text where it has none.
fn has_own_name(node: &Node) -> bool {
    node.source() != Source::Content || node.role().is_named_by_content()
}

/// States that the browser's protocol can tell.
fn our_state(state: &State, role: &str, element: Element<'_>) -> Option<String> {
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
        | State::Invalid(_)
        | State::Multiselectable
        | State::Focused
        | State::Busy
        | State::Vertical
        | State::Modal => state.word().to_owned(),
        State::Level(_) if !tells_level(role, element) => return None,
        State::Level(level) => format!("level={level}"),
        State::HasPopup(kind) => format!("haspopup={kind}"),
        // Of what is a text box only by being edited, it tells that it is edited.
        State::Multiline if is_editing_host(element) && !element.has_attribute("role") => return None,
        State::Called(words) => format!("roledescription={words}"),
        State::Keys(keys) => format!("keys={keys}"),
        State::Multiline => "multiline".to_owned(),
        // Not in the protocol, or the judge's own.
        State::Current(_)
        | State::Inert
        | State::Scrollable
        | State::Sort(_)
        | State::Active
        | State::DropZone
        | State::AriaHidden
        | State::Hidden => return None,
    };
    is_told(&said, role).then_some(said)
}

/// Whether the protocol tells this state of this role: it keeps to a list of its own, shorter than ARIA's.
fn is_told(state: &str, role: &str) -> bool {
    match state {
        "readonly" => matches!(role, "combobox" | "grid" | "treegrid" | "textbox" | "searchbox"),
        "required" => {
            matches!(role, "listbox" | "radiogroup" | "spinbutton" | "textbox" | "searchbox" | "tree")
        }
        "multiline" => role == "textbox",
        _ => true,
    }
}

/// Whether a level is more than the depth at which one stands anyway.
fn tells_level(role: &str, element: Element<'_>) -> bool {
    match role {
        "heading" => element.attribute("role") != Some("doc-subtitle"),
        "treeitem" | "row" => element.has_attribute("aria-level"),
        _ => false,
    }
}

/// What the browser says of an element.
pub fn theirs(node: Option<&Value>, element: Element<'_>) -> Exposed {
    let Some(node) = node.filter(|node| node["ignored"] != true) else { return Exposed::default() };
    let properties = || node["properties"].as_array().into_iter().flatten();
    let property =
        |name: &str| properties().find(|it| it["name"] == name).map(|it| text(&it["value"]["value"]));
    let mut role = role(node["role"]["value"].as_str().unwrap_or_default(), element);
    if property("editable").is_some() && is_editing_host(element) && matches!(&*role, "" | "paragraph") {
        // It says by a property what we say by the role.
        "textbox".clone_into(&mut role);
    }
    let name = collapse(node["name"]["value"].as_str().unwrap_or_default());
    if is_unnamed(&role, &name) {
        role = String::new();
    }
    if role.is_empty() {
        return Exposed::default();
    }
    let mut states = BTreeSet::new();
    for property in properties() {
        let value = &property["value"]["value"];
        if let Some(state) = their_state(property["name"].as_str().unwrap_or_default(), value, &role, element)
        {
            states.insert(state);
        }
    }
    Exposed {
        role,
        name,
        value: collapse(
            &property("valuetext").filter(|text| !text.is_empty()).unwrap_or(text(&node["value"]["value"])),
        ),
        description: collapse(node["description"]["value"].as_str().unwrap_or_default()),
        states,
    }
}

/// Roles that mean something only with a name.
fn is_unnamed(role: &str, name: &str) -> bool {
    name.is_empty() && matches!(role, "region" | "form")
}

fn their_state(name: &str, value: &Value, role: &str, element: Element<'_>) -> Option<String> {
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
        "level" if !tells_level(role, element) => return None,
        "level" => return Some(format!("level={said}")),
        "hasPopup" if said != "false" => {
            let usual = role == "combobox" && matches!(said.as_str(), "listbox" | "menu");
            let kind = if said == "true" { "menu" } else { &said };
            return (!usual).then(|| format!("haspopup={kind}"));
        }
        "busy" if is_true || said == "1" => "busy",
        "orientation" if said == "vertical" && lies_flat(role) => "vertical",
        "roledescription" if !said.is_empty() => return Some(format!("roledescription={said}")),
        "keyshortcuts" if !said.is_empty() => return Some(format!("keys={said}")),
        "multiline" | "selected" | "disabled" | "readonly" | "required" | "multiselectable" | "focused"
        | "modal"
            if is_true =>
        {
            name
        }
        _ => return None,
    };
    is_told(word, role).then(|| word.to_owned())
}

/// Whether what has the role lies flat if nothing else is said.
fn lies_flat(role: &str) -> bool {
    matches!(role, "menubar" | "separator" | "slider" | "tablist" | "toolbar")
}

/// The browser's role in our words; empty for what groups without meaning.
fn role(role: &str, element: Element<'_>) -> String {
    let kind = element.attribute("type").unwrap_or_default().to_ascii_lowercase();
    let ours = match role {
        "Audio" => "audio",
        "Canvas" => "canvas",
        "ColorWell" => "color",
        "Date" | "DateTime" if kind == "month" => "month",
        "Date" | "DateTime" if kind == "week" => "week",
        "Date" => "date",
        "DateTime" => "datetime",
        "DescriptionList" => "list",
        "Details" | "doc-abstract" | "doc-colophon" | "doc-credit" | "doc-dedication" | "doc-epigraph"
        | "doc-example" | "doc-pagefooter" | "doc-pageheader" | "doc-pullquote" | "doc-qna" => "group",
        "DisclosureTriangle" | "DisclosureTriangleGrouped" => "summary",
        "EmbeddedObject" | "PluginObject" if element.holds_frame() && element.tag() == "object" => "iframe",
        "EmbeddedObject" | "PluginObject" => "embed",
        "Figcaption" => "caption",
        "HeaderAsNonLandmark" => "sectionheader",
        "FooterAsNonLandmark" => "sectionfooter",
        "Iframe" | "IframePresentational" => "iframe",
        "InputTime" => "inputtime",

        "Legend" => "legend",
        "MathMLMath" => "math",
        "doc-backlink" | "doc-noteref" => "link",
        "doc-pagebreak" => "separator",
        "doc-biblioentry" | "doc-endnote" => "listitem",
        "doc-subtitle" => "heading",
        "doc-toc" | "doc-index" | "doc-pagelist" => "navigation",
        "doc-tip" | "doc-notice" | "doc-footnote" => "note",
        "doc-cover" => "img",
        role if role.starts_with("doc-") => "region",
        "graphics-symbol" if !element.has_attribute("role") => "img",
        "RootWebArea" => "document",
        "SvgRoot" | "image" => "img",
        "Video" => "video",
        "button" if element.tag() == "input" && kind == "file" => "file",
        "generic" | "none" | "Abbr" | "GenericContainer" | "LabelText" | "LayoutTable" | "LayoutTableRow"
        | "LayoutTableCell" | "LineBreak" | "Pre" | "Ruby" | "RubyAnnotation" | "Section" => "",
        math if math.starts_with("MathML") => "",
        other => other,
    };
    ours.to_owned()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// White space made one blank each, as the eye has it.
pub fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
