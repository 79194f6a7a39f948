//! Roles that HTML, SVG and `MathML` elements have of themselves, after HTML-AAM and SVG-AAM, where Chrome agrees.
//! The `role` attribute is [`super::explicit`]'s concern.

use super::Role;
use crate::facts::{Element, Namespace};

/// The native role of an element, given the roles of all that come before it.
pub fn role(element: Element<'_>, before: &[Role]) -> Role {
    match element.namespace() {
        Namespace::Html => html(element, before),
        Namespace::Svg => svg(element),
        Namespace::MathMl => {
            if element.name() == "math" {
                Role::Math
            } else {
                Role::Generic
            }
        }
        Namespace::Other => Role::Generic,
    }
}

#[allow(clippy::too_many_lines)] // a table
fn html(element: Element<'_>, before: &[Role]) -> Role {
    match element.tag() {
        "a" | "area" if element.has_attribute("href") => Role::Link,
        "a" if element.has_attribute("onclick") || element.listens() => Role::Link,
        "address" | "details" | "optgroup" | "fieldset" | "hgroup" => Role::Group,
        "article" => Role::Article,
        "aside" if within(element, &["article", "aside", "nav", "section"]) && !is_named(element) => {
            Role::Generic
        }
        "aside" => Role::Complementary,
        "audio" => Role::Audio,
        "blockquote" => Role::Blockquote,
        "button" => Role::Button,
        "canvas" => Role::Canvas,
        "caption" | "figcaption" => Role::Caption,
        "code" => Role::Code,
        "datalist" => Role::Listbox,
        "dd" => Role::Definition,
        "del" | "s" => Role::Deletion,
        "dialog" => Role::Dialog,
        "dir" | "dl" | "menu" | "ol" | "ul" => Role::List,
        "dt" | "dfn" => Role::Term,
        "em" => Role::Emphasis,
        "embed" => Role::Embed,
        "figure" => Role::Figure,
        "footer" if sectioned(element) => Role::SectionFooter,
        "footer" => Role::ContentInfo,
        "form" if is_named(element) => Role::Form,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Role::Heading,
        "header" if sectioned(element) => Role::SectionHeader,
        "header" => Role::Banner,
        "hr" => Role::Separator,
        "html" => Role::Document,
        "iframe" | "frame" => Role::Iframe,
        "img" => image(element),
        "input" => input(element),
        "ins" => Role::Insertion,
        "label" => Role::Label,
        "legend" => Role::Legend,
        "li" if is_item(element) => Role::ListItem,
        "main" => Role::Main,
        "mark" => Role::Mark,
        "math" => Role::Math,
        "meter" => Role::Meter,
        "nav" => Role::Navigation,
        "object" if element.holds_frame() => Role::Iframe,
        "option" => Role::Option,
        "output" => Role::Status,
        "p" => Role::Paragraph,
        "progress" => Role::Progressbar,
        "search" => Role::Search,
        "section" if is_named(element) => Role::Region,
        "select" if is_listbox(element) => Role::Listbox,
        "select" => Role::Combobox,
        "strong" => Role::Strong,
        "sub" => Role::Subscript,
        "summary" if is_summary(element) => Role::Summary,
        "sup" => Role::Superscript,
        "table" if is_layout(element) => Role::Generic,
        "table" => Role::Table,
        // A body says nothing that its rows do not: Chrome sets it aside.
        "thead" | "tfoot" if !is_in_layout(element, before) => Role::RowGroup,
        "td" => cell(element, before),
        "textarea" => Role::Textbox,
        "th" => header_cell(element, before),
        "time" => Role::Time,
        "tr" => row(element, before),
        "video" => Role::Video,
        "div" | "span" if element.has_attribute("popover") => Role::Group,
        _ => Role::Generic,
    }
}

/// Whether an author gave it a name (not what content would give it).
fn is_named(element: Element<'_>) -> bool {
    ["aria-label", "aria-labelledby", "title"].iter().any(|name| element.said(name).is_some())
}

/// Whether a header or footer belongs to a section of the page, not to the page.
fn sectioned(element: Element<'_>) -> bool {
    within(element, &["article", "aside", "main", "nav", "section"])
}

/// Whether it is in one of these elements, or in what has such a role. A role takes an element's own meaning away.
fn within(element: Element<'_>, tags: &[&str]) -> bool {
    element.ancestors().any(|ancestor| {
        let tag = match ancestor.attribute("role").and_then(|role| role.split_ascii_whitespace().next()) {
            None => ancestor.tag(),
            Some("article") => "article",
            Some("complementary") => "aside",
            Some("main") => "main",
            Some("navigation") => "nav",
            Some(_) => return false,
        };
        tags.contains(&tag)
    })
}

/// Whether an item is one: wherever it stands, but in a list that was made something else.
fn is_item(element: Element<'_>) -> bool {
    element.parent().is_none_or(|mut parent| {
        // Slots stand between a list in a shadow root and its items.
        while parent.tag() == "slot" {
            let Some(outer) = parent.parent() else { break };
            parent = outer;
        }
        !matches!(parent.tag(), "ul" | "ol" | "menu" | "dir")
            || parent.said("role").is_none_or(|role| matches!(role, "list" | "directory"))
    })
}

/// Whether a summary is the one that opens its details element.
pub fn is_summary(element: Element<'_>) -> bool {
    element.tag() == "summary"
        && element.parent().is_some_and(|parent| {
            parent.tag() == "details"
                && parent.children().find(|child| child.tag() == "summary").map(|first| first.at())
                    == Some(element.at())
        })
}

/// Whether a select shows several options at once.
pub fn is_listbox(element: Element<'_>) -> bool {
    match element.attribute("size").and_then(|size| size.trim().parse::<u32>().ok()) {
        Some(size @ 1..) => size > 1,
        Some(0) | None => element.has_attribute("multiple"),
    }
}

fn image(element: Element<'_>) -> Role {
    // An empty alternative says decoration; a name given otherwise says no.
    let decorative = element.attribute("alt").is_some_and(str::is_empty);
    if decorative && !is_named(element) && !element.has_attribute("tabindex") {
        Role::None
    } else {
        Role::Image
    }
}

fn input(element: Element<'_>) -> Role {
    let list = element.has_attribute("list");
    match element.attribute("type").unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "button" | "image" | "reset" | "submit" => Role::Button,
        "checkbox" => Role::Checkbox,
        "color" => Role::ColorInput,
        "date" => Role::DateInput,
        "datetime-local" => Role::DateTimeInput,
        "file" => Role::FileInput,
        "hidden" => Role::None,
        "month" => Role::MonthInput,
        "number" => Role::Spinbutton,
        "radio" => Role::Radio,
        "range" => Role::Slider,
        "search" if !list => Role::Searchbox,
        "time" => Role::TimeInput,
        "week" => Role::WeekInput,
        "password" => Role::Textbox,
        _ if list => Role::Combobox,
        _ => Role::Textbox,
    }
}

/// Whether a table only puts things side by side, by Chrome's heuristic: nothing in it speaks of data, neither words nor
/// borders nor colours.
fn is_layout(table: Element<'_>) -> bool {
    let speaks = ["role", "summary", "rules"];
    if speaks.iter().any(|name| table.said(name).is_some()) || is_editable(table) {
        return false;
    }
    if table.children().any(|part| matches!(part.tag(), "caption" | "thead" | "tfoot" | "col" | "colgroup")) {
        return false;
    }
    let rows: Vec<Element<'_>> = rows(table).collect();
    let first = rows.first().map_or(0, |row| cells(*row).count());
    if rows.len() >= SURELY_DATA {
        return false;
    }
    if rows.is_empty() || (rows.len() == 1 && first <= 1) {
        return true;
    }
    let (mut valid, mut bare, mut leading) = (0, 0, 0);
    for (index, row) in rows.iter().enumerate() {
        let mut heading = 0;
        for (column, cell) in cells(*row).enumerate() {
            if ["headers", "abbr", "scope"].iter().any(|name| cell.said(name).is_some()) {
                return false;
            }
            let heads = cell.tag() == "th";
            heading += usize::from(heads);
            leading += usize::from(heads && column == 0);
            valid += 1;
            bare += usize::from(cell.is_bare());
        }
        if index == 0 && heading == first {
            return false;
        }
    }
    if leading == rows.len() {
        return false;
    }
    valid <= 1 || valid - bare < (valid / 2).max(1)
}

/// A table of so many rows is one of data.
const SURELY_DATA: usize = 20;

fn is_editable(element: Element<'_>) -> bool {
    std::iter::once(element).chain(element.ancestors()).any(super::explicit::is_editing_host)
}

fn rows(table: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    let parts = table.children().flat_map(|part| {
        let inside = matches!(part.tag(), "tbody" | "thead" | "tfoot").then(|| part.children());
        let own = (part.tag() == "tr").then_some(part);
        own.into_iter().chain(inside.into_iter().flatten())
    });
    parts.filter(|row| row.tag() == "tr")
}

fn cells(row: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    row.children().filter(|cell| matches!(cell.tag(), "td" | "th"))
}

/// Whether the table it is part of is one for layout, or none.
fn is_in_layout(element: Element<'_>, before: &[Role]) -> bool {
    table_of(element).is_some_and(|table| before[table.at()] == Role::Generic)
}

/// The table an element of one is in.
fn table_of(element: Element<'_>) -> Option<Element<'_>> {
    element.ancestors().find(|ancestor| ancestor.tag() == "table")
}

fn row(element: Element<'_>, before: &[Role]) -> Role {
    match table_of(element).map(|table| before[table.at()]) {
        Some(Role::Table | Role::Grid | Role::TreeGrid) => Role::Row,
        Some(_) | None => Role::Generic,
    }
}

fn cell(element: Element<'_>, before: &[Role]) -> Role {
    match table_of(element).map(|table| before[table.at()]) {
        Some(Role::Grid | Role::TreeGrid) => Role::GridCell,
        Some(Role::Table) => Role::Cell,
        Some(_) | None => Role::Generic,
    }
}

fn header_cell(element: Element<'_>, before: &[Role]) -> Role {
    let plain = cell(element, before);
    if plain == Role::Generic {
        return plain;
    }
    match element.attribute("scope").unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "row" | "rowgroup" => return Role::RowHeader,
        "col" | "colgroup" => return Role::ColumnHeader,
        _ => {}
    }
    // Without scope: beside data cells it heads its row, else its column.
    let heads_row = element.parent().is_some_and(|row| {
        row.parent().is_none_or(|group| group.tag() != "thead")
            && row.children().any(|cell| cell.tag() == "td")
    });
    if heads_row { Role::RowHeader } else { Role::ColumnHeader }
}

fn svg(element: Element<'_>) -> Role {
    match element.name() {
        "a" if element.has_attribute("href") || element.has_attribute("xlink:href") => Role::Link,
        "svg" => Role::Image,
        "image" if is_titled(element) => Role::Image,
        "g" if is_titled(element)
            || element.has_attribute("tabindex")
            || element.has_attribute("onclick") =>
        {
            Role::Group
        }
        "circle" | "ellipse" | "line" | "path" | "polygon" | "polyline" | "rect" | "use"
            if is_titled(element) =>
        {
            Role::Image
        }
        _ => Role::Generic,
    }
}

/// Whether an SVG element has a name of its own.
fn is_titled(element: Element<'_>) -> bool {
    ["aria-label", "aria-labelledby"].iter().any(|name| element.said(name).is_some())
        || element.children().any(|child| child.name() == "title")
}
