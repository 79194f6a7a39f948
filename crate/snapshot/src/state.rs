//! The states that hold of an element: only those that hold are kept.

use std::fmt;

use crate::facts::{Element, LiveValue};
use crate::role::Role;
use crate::role::explicit::is_editing_host;
use crate::role::html::is_summary;
use crate::text::{clip, collapse, quote};

/// A state that holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// On.
    Checked,
    /// Between on and off.
    Mixed,
    /// A toggle that is down.
    Pressed,
    /// A toggle between up and down.
    HalfPressed,
    /// Chosen among others.
    Selected,
    /// What it opens is open.
    Expanded,
    /// What it opens is closed.
    Collapsed,
    /// The current one, in this sense: `page`, `step`, `true`…
    Current(Box<str>),
    /// Cannot be worked.
    Disabled,
    /// Its value cannot be changed.
    Readonly,
    /// Must be filled in.
    Required,
    /// Its value is not accepted, for this reason; empty when none is given.
    Invalid(Box<str>),
    /// Depth of a heading or tree item.
    Level(u32),
    /// Takes the keys.
    Focused,
    /// What has the focus works this one (`aria-activedescendant`).
    Active,
    /// Takes several lines.
    Multiline,
    /// Several may be chosen.
    Multiselectable,
    /// Opens this: `menu`, `dialog`…
    HasPopup(Box<str>),
    /// Being changed.
    Busy,
    /// Keeps everything else from being worked.
    Modal,
    /// Set aside by the author: cannot be worked for now.
    Inert,
    /// Content can be scrolled to.
    Scrollable,
    /// Something can be dropped on it.
    DropZone,
    /// Sorted this way.
    Sort(Box<str>),
    /// Direction of a separator or slider that is not the usual.
    Vertical,
    /// What its author calls it, beside its role (`aria-roledescription`).
    Called(Box<str>),
    /// Keys that work it (`aria-keyshortcuts`).
    Keys(Box<str>),
    /// Kept from assistive technology by its author (`aria-hidden`), though it is seen.
    AriaHidden,
    /// Is not seen, though it can be worked.
    Hidden,
}

impl State {
    /// Where it comes among the states of a node.
    pub(crate) fn rank(&self) -> usize {
        ORDER.iter().position(|word| *word == self.word()).unwrap_or(ORDER.len())
    }

    /// The state as it is written: one word, or `word=value`.
    pub fn word(&self) -> &'static str {
        match self {
            State::Checked => "checked",
            State::Mixed => "mixed",
            State::Pressed => "pressed",
            State::HalfPressed => "pressed=mixed",
            State::Selected => "selected",
            State::Expanded => "expanded",
            State::Collapsed => "collapsed",
            State::Current(_) => "current",
            State::Disabled => "disabled",
            State::Readonly => "readonly",
            State::Required => "required",
            State::Invalid(_) => "invalid",
            State::Level(_) => "level",
            State::Focused => "focused",
            State::Active => "active",
            State::Multiline => "multiline",
            State::Multiselectable => "multiselectable",
            State::HasPopup(_) => "popup",
            State::Busy => "busy",
            State::Modal => "modal",
            State::Inert => "inert",
            State::Scrollable => "scrollable",
            State::DropZone => "dropzone",
            State::Sort(_) => "sort",
            State::Vertical => "vertical",
            State::Called(_) => "roledescription",
            State::Keys(_) => "keys",
            State::AriaHidden => "aria-hidden",
            State::Hidden => "hidden",
        }
    }
}

/// Longer words of the author are cut.
const LONGEST_WORDS: usize = 160;

/// The order in which states are written.
const ORDER: [&str; 29] = [
    "checked",
    "mixed",
    "pressed",
    "pressed=mixed",
    "selected",
    "expanded",
    "collapsed",
    "current",
    "disabled",
    "readonly",
    "required",
    "invalid",
    "level",
    "focused",
    "active",
    "multiline",
    "multiselectable",
    "popup",
    "busy",
    "modal",
    "inert",
    "scrollable",
    "dropzone",
    "sort",
    "vertical",
    "roledescription",
    "keys",
    "aria-hidden",
    "hidden",
];

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            State::Level(level) => write!(f, "={level}"),
            State::Current(kind) if &**kind == "true" => Ok(()),
            State::HasPopup(kind) if &**kind == "menu" => Ok(()),
            State::Current(kind) | State::HasPopup(kind) | State::Sort(kind) => write!(f, "={kind}"),
            State::Invalid(said) if said.is_empty() => Ok(()),
            State::Invalid(said) | State::Called(said) | State::Keys(said) => {
                write!(f, "={}", quote(&clip(said, LONGEST_WORDS)))
            }
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
            | State::Focused
            | State::Active
            | State::Multiline
            | State::Multiselectable
            | State::Busy
            | State::Modal
            | State::Inert
            | State::Scrollable
            | State::DropZone
            | State::Vertical
            | State::AriaHidden
            | State::Hidden => Ok(()),
        }
    }
}

/// Adds a state to those of a node, in the order they are written.
pub(crate) fn add(states: &mut Vec<State>, state: State) {
    let at = states.partition_point(|other| other.rank() <= state.rank());
    states.insert(at, state);
}

/// The states of an element, in the order they are written. Focus is added by who knows of frames.
pub fn of(element: Element<'_>, role: Role) -> Vec<State> {
    let mut states = Vec::new();
    checked(element, role, &mut states);
    pressed(element, role, &mut states);
    if (role == Role::Option && element.is_selected())
        || (can_be_selected(role) && element.says_true("aria-selected"))
    {
        states.push(State::Selected);
    }
    expanded(element, role, &mut states);
    if let Some(kind) = token(element, "aria-current", &["page", "step", "location", "date", "time", "true"])
    {
        states.push(State::Current(kind));
    }
    if element.is_disabled() || element.says_true("aria-disabled") {
        states.push(State::Disabled);
    }
    if (element.has_attribute("readonly") && takes_readonly(element))
        || (element.says_true("aria-readonly") && supports_readonly(role) && !is_editing_host(element))
    {
        states.push(State::Readonly);
    }
    if (element.has_attribute("required") && role.is_input())
        || (element.says_true("aria-required") && supports_required(role))
    {
        states.push(State::Required);
    }
    let invalid = element.said("aria-invalid").map(|said| !said.eq_ignore_ascii_case("false"));
    if invalid.unwrap_or_else(|| element.is_invalid() || has_bad_value(element)) {
        states.push(State::Invalid(element.said(":complaint").unwrap_or_default().into()));
    }
    if let Some(level) = level(element, role) {
        states.push(State::Level(level));
    }
    if is_multiline(element, role) {
        states.push(State::Multiline);
    }
    if (element.says_true("aria-multiselectable") && is_collection(role))
        || (role == Role::Listbox && element.tag() == "select" && element.has_attribute("multiple"))
    {
        states.push(State::Multiselectable);
    }
    if let Some(kind) =
        token(element, "aria-haspopup", &["menu", "true", "listbox", "tree", "grid", "dialog"])
    {
        let usual = role == Role::Combobox && &*kind == "listbox";
        if !usual {
            states.push(State::HasPopup(if &*kind == "true" { "menu".into() } else { kind }));
        }
    }
    if element.says_true("aria-busy") {
        states.push(State::Busy);
    }
    if element.is_modal()
        || (element.says_true("aria-modal") && matches!(role, Role::Dialog | Role::AlertDialog))
    {
        states.push(State::Modal);
    }
    if element.has_attribute("inert") {
        states.push(State::Inert);
    }
    if element.scrolls_x() || element.scrolls_y() {
        states.push(State::Scrollable);
    }
    if element.takes_drops() {
        states.push(State::DropZone);
    }
    if let Some(kind) = token(element, "aria-sort", &["ascending", "descending", "other"]) {
        states.push(State::Sort(kind));
    }
    let lies_flat =
        matches!(role, Role::Menubar | Role::Separator | Role::Slider | Role::TabList | Role::Toolbar);
    if lies_flat && element.said("aria-orientation").is_some_and(|said| said.eq_ignore_ascii_case("vertical"))
    {
        states.push(State::Vertical);
    }
    if let Some(said) = element.said("aria-roledescription").filter(|_| !role.is_plain()) {
        states.push(State::Called(collapse(said).into()));
    }
    if let Some(keys) = element.said("aria-keyshortcuts") {
        states.push(State::Keys(collapse(keys).into()));
    }
    states
}

/// Whether it takes several lines: a text area, what is edited in place, or what says so (ARIA 1.2 `aria-multiline`).
fn is_multiline(element: Element<'_>, role: Role) -> bool {
    if !matches!(role, Role::Textbox | Role::Searchbox) {
        return false;
    }
    match element.tag() {
        "input" => false,
        "textarea" => true,
        _ if element.has_attribute("aria-multiline") => element.says_true("aria-multiline"),
        _ => is_editing_host(element),
    }
}

fn token(element: Element<'_>, name: &str, known: &[&str]) -> Option<Box<str>> {
    let said = element.said(name)?;
    if said.eq_ignore_ascii_case("false") {
        return None;
    }
    let known = known.iter().find(|known| said.eq_ignore_ascii_case(known));
    // An unknown word still says that it is so.
    match known {
        Some(known) => Some((*known).into()),
        None if name == "aria-current" => Some("true".into()),
        None => None,
    }
}

fn checked(element: Element<'_>, role: Role, states: &mut Vec<State>) {
    let native = element.tag() == "input"
        && matches!(
            role,
            Role::Checkbox | Role::Radio | Role::Switch | Role::MenuItemCheckbox | Role::MenuItemRadio
        );
    if native
        && matches!(
            element.attribute("type").map(str::to_ascii_lowercase).as_deref(),
            Some("checkbox" | "radio")
        )
    {
        if element.is_indeterminate() && role == Role::Checkbox {
            states.push(State::Mixed);
        } else if element.is_checked() {
            states.push(State::Checked);
        }
        return;
    }
    let takes = matches!(
        role,
        Role::Checkbox
            | Role::Radio
            | Role::Switch
            | Role::MenuItemCheckbox
            | Role::MenuItemRadio
            | Role::Option
            | Role::TreeItem
    );
    if !takes {
        return;
    }
    let Some(said) = element.said("aria-checked") else { return };
    if said.eq_ignore_ascii_case("mixed") {
        if !matches!(role, Role::Radio | Role::MenuItemRadio | Role::Switch) {
            states.push(State::Mixed);
        }
    } else if !is_no(said) {
        states.push(State::Checked);
    }
}

fn pressed(element: Element<'_>, role: Role, states: &mut Vec<State>) {
    if role != Role::Button {
        return;
    }
    if element.tag() == "input"
        && element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"))
    {
        // A checkbox that is made a toggle button is down when it is on.
        if element.is_checked() {
            states.push(State::Pressed);
        }
        return;
    }
    match element.said("aria-pressed") {
        Some("true") => states.push(State::Pressed),
        Some("mixed") => states.push(State::HalfPressed),
        Some(_) | None => {}
    }
}

fn can_be_selected(role: Role) -> bool {
    role.is_cell() || matches!(role, Role::Option | Role::Tab | Role::Row | Role::TreeItem)
}

fn expanded(element: Element<'_>, role: Role, states: &mut Vec<State>) {
    if role == Role::Summary || is_summary(element) {
        let open = element.parent().is_some_and(|details| details.has_attribute("open"));
        states.push(if open { State::Expanded } else { State::Collapsed });
        return;
    }
    // Chrome says of every select whether it is open: that it is closed goes without saying.
    match element.said("aria-expanded") {
        Some(_) if !supports_expanded(role) => {}
        Some(said) if said.eq_ignore_ascii_case("false") => states.push(State::Collapsed),
        Some(said) if !is_no(said) => states.push(State::Expanded),
        Some(_) | None => {}
    }
}

/// Whether a word for a state says that it does not hold.
fn is_no(said: &str) -> bool {
    said.eq_ignore_ascii_case("false") || said.eq_ignore_ascii_case("undefined")
}

/// ARIA 1.2: roles that take `aria-readonly`.
fn supports_readonly(role: Role) -> bool {
    role.is_input()
        || role.is_cell()
        || matches!(
            role,
            Role::Grid | Role::MenuItemCheckbox | Role::MenuItemRadio | Role::RadioGroup | Role::TreeGrid
        )
}

/// ARIA 1.2: roles that take `aria-required`.
fn supports_required(role: Role) -> bool {
    role.is_input() || role.is_cell() || matches!(role, Role::RadioGroup | Role::Tree | Role::TreeGrid)
}

/// ARIA 1.2: roles that take `aria-multiselectable`.
fn is_collection(role: Role) -> bool {
    matches!(role, Role::Grid | Role::Listbox | Role::TabList | Role::Tree | Role::TreeGrid)
}

/// ARIA 1.2: roles that take `aria-expanded`; what has no role and is worked all the same among them.
fn supports_expanded(role: Role) -> bool {
    role.is_interactive()
        || role.is_cell()
        || matches!(role, Role::Application | Role::Generic | Role::Row | Role::Summary)
}

/// Whether what a field holds would not be accepted. That nothing is in it yet is said by `required`.
fn has_bad_value(element: Element<'_>) -> bool {
    let holds = matches!(element.value(), Some(LiveValue::Plain(value)) if !value.is_empty());
    element.is_refused() && holds
}

/// Whether `readonly` means something there.
fn takes_readonly(element: Element<'_>) -> bool {
    element.tag() == "textarea" || element.tag() == "input"
}

fn level(element: Element<'_>, role: Role) -> Option<u32> {
    let said = element.said("aria-level").map(|level| level.parse().ok().filter(|level| *level > 0));
    if role == Role::Heading {
        // A level that is none counts as the first, as Chrome has it.
        let usual = || element.tag().strip_prefix('h')?.parse().ok();
        return said.map_or_else(|| usual().or(Some(2)), |said| said.or(Some(1)));
    }
    said.flatten().filter(|_| matches!(role, Role::TreeItem | Role::Row))
}
