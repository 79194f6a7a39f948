//! `act`: one tool with kinds. Agents see it flat (some model providers refuse nested schemas); inside, each kind
//! is a variant that holds what it needs and nothing else. The flat form, and how it becomes this one, is in `flat`.

use crate::word::Misspelt;
use crate::{RefName, TabName, lenient, point::Point};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum Button {
    /// The primary one.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one that opens context menus.
    Right,
}

/// A key held during a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "PascalCase"))]
pub enum Modifier {
    /// Alt, Option.
    Alt,
    /// Control.
    Control,
    /// Meta, Command, Windows.
    Meta,
    /// Shift.
    Shift,
}

/// Where typed text goes in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum At {
    /// Behind what is there.
    #[default]
    End,
    /// Before what is there.
    Start,
    /// Where the caret is.
    Caret,
}

/// Which way to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum Direction {
    /// Towards the end.
    #[default]
    Down,
    /// Towards the start.
    Up,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Where to scroll to; written `top`, `bottom` or `50%`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum ScrollTo {
    /// The very start.
    Top,
    /// The very end.
    Bottom,
    /// A share of the whole, 0 to 100.
    Percent(u8),
}

impl From<ScrollTo> for String {
    fn from(to: ScrollTo) -> Self {
        match to {
            ScrollTo::Top => "top".to_owned(),
            ScrollTo::Bottom => "bottom".to_owned(),
            ScrollTo::Percent(share) => format!("{share}%"),
        }
    }
}

impl FromStr for ScrollTo {
    type Err = Misspelt;
    fn from_str(text: &str) -> Result<Self, Misspelt> {
        let text = text.trim();
        let share = text.strip_suffix('%').unwrap_or(text).trim();
        match text {
            "top" => Ok(Self::Top),
            "bottom" => Ok(Self::Bottom),
            _ => share.parse().ok().filter(|share| *share <= 100).map(Self::Percent).ok_or_else(|| {
                Misspelt(format!(
                    "{text:?} is no place to scroll to; write `top`, `bottom` or a percent like `50%`"
                ))
            }),
        }
    }
}

impl FromStr for Field {
    type Err = Misspelt;
    fn from_str(text: &str) -> Result<Self, Misspelt> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| Misspelt(format!("{text:?} is no field; write e12=value")))?;
        Ok(Self { reference: name.parse()?, value: value.to_owned() })
    }
}

/// One field of a form and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Field {
    /// The field.
    #[serde(rename = "ref")]
    pub reference: RefName,
    /// What it shall hold.
    #[serde(deserialize_with = "lenient::text")]
    pub value: String,
}

/// A secret, as agents name it: they are never given its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretName {
    /// The person types it when it is needed; written `ask`.
    Ask,
    /// One that the person stored under this name.
    Stored(String),
}

impl From<String> for SecretName {
    fn from(name: String) -> Self {
        if name == "ask" { Self::Ask } else { Self::Stored(name) }
    }
}

/// What is done, with what it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A press and release of the mouse.
    Click {
        /// On what.
        on: RefName,
        /// With which button.
        button: Button,
        /// 1, 2 or 3 times.
        count: u8,
        /// Keys held meanwhile.
        modifiers: Vec<Modifier>,
    },
    /// Replaces what fields hold; one field, or several in order.
    Fill {
        /// The fields.
        fields: Vec<Field>,
    },
    /// Types text with real keys.
    Type {
        /// Into what; what has focus when absent.
        into: Option<RefName>,
        /// The text.
        text: String,
        /// Where in the field.
        at: At,
        /// Text that occurs exactly once in the field and is typed over.
        replace: Option<String>,
        /// Whether Enter follows.
        submit: bool,
    },
    /// Puts a secret into a field.
    Give {
        /// The field.
        into: RefName,
        /// Which secret.
        secret: SecretName,
        /// Whether with real keys, behind what is there; else in place of it.
        typed: bool,
    },
    /// Presses a key or a chord.
    Press {
        /// As in `Control+A`, `Enter`.
        key: String,
        /// Focused first; what has focus when absent.
        on: Option<RefName>,
    },
    /// Chooses options of a select.
    Select {
        /// The select.
        on: RefName,
        /// Labels or values.
        values: Vec<String>,
    },
    /// Makes a checkbox, radio or switch checked or not.
    Check {
        /// Which.
        on: RefName,
        /// The state it shall have.
        checked: bool,
    },
    /// Moves the mouse over an element.
    Hover {
        /// Which.
        on: RefName,
    },
    /// Gives an element the focus.
    Focus {
        /// Which.
        on: RefName,
    },
    /// Scrolls an element or the page.
    Scroll {
        /// The element; the page when absent.
        on: Option<RefName>,
        /// How.
        by: ScrollBy,
    },
    /// Drags an element onto another.
    Drag {
        /// What is dragged.
        from: RefName,
        /// What it is dropped on.
        to: RefName,
    },
    /// Gives files to a file field, to what opens a chooser, or to a drop zone.
    Upload {
        /// Which.
        on: RefName,
        /// Absolute paths.
        files: Vec<String>,
    },
    /// A press and release of the mouse at a point, on whatever is there.
    ClickAt {
        /// Where.
        at: Point,
        /// With which button.
        button: Button,
        /// 1, 2 or 3 times.
        count: u8,
        /// Keys held meanwhile.
        modifiers: Vec<Modifier>,
    },
    /// A click at a point, then real keys.
    TypeAt {
        /// Where.
        at: Point,
        /// The text.
        text: String,
    },
    /// Moves the mouse to a point.
    HoverAt {
        /// Where.
        at: Point,
    },
    /// Drags from one point to another.
    DragAt {
        /// From where.
        from: Point,
        /// To where.
        to: Point,
    },
}

/// How far to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrollBy {
    /// Into a direction, by CSS pixels; nine tenths of what is visible when absent.
    Amount(Direction, Option<u32>),
    /// To a place.
    To(ScrollTo),
    /// Until the element is in view.
    IntoView,
}

/// The kinds of `act`. What each takes is in `flat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum ActKind {
    /// Presses and releases the mouse on it.
    Click,
    /// Replaces what it holds.
    Fill,
    /// Types with real keys.
    Type,
    /// Presses a key or chord.
    Press,
    /// Chooses options.
    Select,
    /// Makes it checked.
    Check,
    /// Makes it unchecked.
    Uncheck,
    /// Moves the mouse over it.
    Hover,
    /// Gives it the focus.
    Focus,
    /// Scrolls.
    Scroll,
    /// Drags it onto another.
    Drag,
    /// Gives it files.
    Upload,
    /// Clicks at a point.
    ClickAt,
    /// Clicks at a point and types.
    TypeAt,
    /// Moves the mouse to a point.
    HoverAt,
    /// Drags from a point to a point.
    DragAt,
}

/// How much of what changed the reply tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum DiffMode {
    /// Each change.
    #[default]
    Full,
    /// The counts.
    Summary,
    /// Nothing.
    None,
    /// The whole page again.
    Page,
}

/// A second step, looked for only among what the first step's diff added or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Then {
    /// What to do with it: click when only a role or name was given. One of click, fill, type, press, check,
    /// uncheck, hover, focus.
    pub kind: ActKind,
    /// Its role.
    pub role: Option<String>,
    /// Its name, white space collapsed, whole and case-sensitive; else, when none matches so, a part of the name in any case.
    pub name: Option<String>,
    /// What `fill` and `type` put in, or the key that `press` presses.
    pub value: Option<String>,
}

/// Arguments of `act`, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// What is done.
    pub step: Step,
    /// Words that the element's name or row must contain.
    pub expect: Option<String>,
    /// How much the reply tells.
    pub diff: DiffMode,
    /// Budget of the diff, in tokens; 1,500 when absent.
    pub max_tokens: Option<u32>,
    /// Acts although a check says no.
    pub force: bool,
    /// The second step.
    pub then: Option<Then>,
    /// How long the whole may take, in milliseconds.
    pub timeout_ms: Option<u32>,
    /// The tab, where no ref names it.
    pub tab: Option<TabName>,
}

#[cfg(feature = "schema")]
mod schema {
    crate::schema::text_schema!(super::ScrollTo);
}
