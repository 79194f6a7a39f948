//! `act` as agents write it: flat, one struct for all kinds; and how it becomes an [`Act`], where each kind holds
//! what it needs and nothing else. What a kind takes is said here once.

use crate::{
    Act, ActKind, DiffMode, Field, RefName, Step, TabName, Then,
    act::{At, Button, Direction, Modifier, ScrollBy, ScrollTo},
    call::BadCall,
    lenient,
    point::Point,
};
use serde::{Deserialize, Serialize};

/// What the second step of an act can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum ThenKind {
    /// Presses and releases the mouse on it.
    Click,
    /// Replaces what it holds.
    Fill,
    /// Types with real keys.
    Type,
    /// Presses a key or chord.
    Press,
    /// Makes it checked.
    Check,
    /// Makes it unchecked.
    Uncheck,
    /// Moves the mouse over it.
    Hover,
    /// Gives it the focus.
    Focus,
}

impl From<ThenKind> for ActKind {
    fn from(kind: ThenKind) -> Self {
        match kind {
            ThenKind::Click => Self::Click,
            ThenKind::Fill => Self::Fill,
            ThenKind::Type => Self::Type,
            ThenKind::Press => Self::Press,
            ThenKind::Check => Self::Check,
            ThenKind::Uncheck => Self::Uncheck,
            ThenKind::Hover => Self::Hover,
            ThenKind::Focus => Self::Focus,
        }
    }
}

/// Arguments of `act`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct ActArguments {
    /// What to do.
    #[cfg_attr(feature = "cli", arg(long, required = true))]
    #[cfg_attr(feature = "schema", schemars(required))]
    pub kind: Option<ActKind>,
    /// The element, e.g. e12. type, press: what has focus when absent; scroll: the page.
    #[serde(rename = "ref")]
    #[cfg_attr(feature = "cli", arg(long = "ref", value_name = "REF"))]
    pub reference: Option<RefName>,
    /// fill: the new content; true/false for a checkbox.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub value: Option<String>,
    /// fill, type: a stored secret's name, or ask.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub secret: Option<String>,
    /// fill: several in order, instead of ref and value.
    #[serde(default, deserialize_with = "lenient::list")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "REF=VALUE"))]
    pub fields: Vec<Field>,
    /// type: the text.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub text: Option<String>,
    /// type: where; end when absent.
    #[cfg_attr(feature = "cli", arg(long))]
    pub at: Option<At>,
    /// type: text that occurs once, typed over.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub replace: Option<String>,
    /// type: then press Enter.
    #[cfg_attr(feature = "cli", arg(long, num_args = 0..=1, default_missing_value = "true"))]
    pub submit: Option<bool>,
    /// press: e.g. Enter, Control+A.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub key: Option<String>,
    /// select: labels or values.
    #[serde(default, deserialize_with = "lenient::texts")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub values: Vec<String>,
    /// click: left when absent.
    #[cfg_attr(feature = "cli", arg(long))]
    pub button: Option<Button>,
    /// click: 1 to 3 times.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub count: Option<u32>,
    /// click: keys held.
    #[serde(default, deserialize_with = "lenient::list")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub modifiers: Vec<Modifier>,
    /// scroll: down when absent.
    #[cfg_attr(feature = "cli", arg(long))]
    pub direction: Option<Direction>,
    /// scroll: CSS pixels; most of a screen when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub amount: Option<u32>,
    /// scroll: top, bottom or 50%.
    #[serde(default, deserialize_with = "lenient::some_parsed")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub to: Option<ScrollTo>,
    /// drag: what it is dropped on.
    #[cfg_attr(feature = "cli", arg(long))]
    pub to_ref: Option<RefName>,
    /// upload: absolute paths.
    #[serde(default, deserialize_with = "lenient::texts")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub files: Vec<String>,
    /// *_at: CSS pixels in view.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub x: Option<u32>,
    /// *_at
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub y: Option<u32>,
    /// End.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub to_x: Option<u32>,
    /// End.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub to_y: Option<u32>,
    /// Words that its name or row must contain, else nothing is done.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub expect: Option<String>,
    /// How much of what changed is told; full when absent.
    #[cfg_attr(feature = "cli", arg(long))]
    pub diff: Option<DiffMode>,
    /// Budget of the diff; 1,500 when absent.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub max_tokens: Option<u32>,
    /// Act although a check refuses.
    #[cfg_attr(feature = "cli", arg(long, num_args = 0..=1, default_missing_value = "true"))]
    pub force: Option<bool>,
    /// Second step, on the one element that the first added or changed and that `then_role` and `then_name` fit;
    /// click when absent.
    #[cfg_attr(feature = "cli", arg(long))]
    pub then_kind: Option<ThenKind>,
    /// Its role.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub then_role: Option<String>,
    /// Its name.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub then_name: Option<String>,
    /// The content, text or key.
    #[serde(default, deserialize_with = "lenient::some_text")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub then_value: Option<String>,
    /// At most 50,000.
    #[serde(default, deserialize_with = "lenient::some_number")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub timeout_ms: Option<u32>,
    /// The tab, where no ref names it.
    #[cfg_attr(feature = "cli", arg(long))]
    pub tab: Option<TabName>,
}

/// What every kind takes besides its own.
const EVERY: [&str; 11] = [
    "kind",
    "expect",
    "diff",
    "max_tokens",
    "force",
    "then_kind",
    "then_role",
    "then_name",
    "then_value",
    "timeout_ms",
    "tab",
];

/// The kinds, in the order of the documentation.
pub const KINDS: [ActKind; 16] = [
    ActKind::Click,
    ActKind::Fill,
    ActKind::Type,
    ActKind::Press,
    ActKind::Select,
    ActKind::Check,
    ActKind::Uncheck,
    ActKind::Hover,
    ActKind::Focus,
    ActKind::Scroll,
    ActKind::Drag,
    ActKind::Upload,
    ActKind::ClickAt,
    ActKind::TypeAt,
    ActKind::HoverAt,
    ActKind::DragAt,
];

impl ActKind {
    /// Its name, as agents write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::Fill => "fill",
            Self::Type => "type",
            Self::Press => "press",
            Self::Select => "select",
            Self::Check => "check",
            Self::Uncheck => "uncheck",
            Self::Hover => "hover",
            Self::Focus => "focus",
            Self::Scroll => "scroll",
            Self::Drag => "drag",
            Self::Upload => "upload",
            Self::ClickAt => "click_at",
            Self::TypeAt => "type_at",
            Self::HoverAt => "hover_at",
            Self::DragAt => "drag_at",
        }
    }

    /// The arguments that are this kind's own.
    pub fn own_arguments(self) -> &'static [&'static str] {
        match self {
            Self::Click => &["ref", "button", "count", "modifiers"],
            Self::Fill => &["ref", "value", "secret", "fields"],
            Self::Type => &["ref", "text", "secret", "at", "replace", "submit"],
            Self::Press => &["ref", "key"],
            Self::Select => &["ref", "values"],
            Self::Check | Self::Uncheck | Self::Hover | Self::Focus => &["ref"],
            Self::Scroll => &["ref", "direction", "amount", "to"],
            Self::Drag => &["ref", "to_ref"],
            Self::Upload => &["ref", "files"],
            Self::ClickAt => &["x", "y", "button", "count", "modifiers"],
            Self::TypeAt => &["x", "y", "text"],
            Self::HoverAt => &["x", "y"],
            Self::DragAt => &["x", "y", "to_x", "to_y"],
        }
    }

    /// All arguments it takes, its own first.
    pub(crate) fn arguments(self) -> impl Iterator<Item = &'static str> {
        self.own_arguments().iter().copied().chain(EVERY)
    }
}

impl TryFrom<ActArguments> for Act {
    type Error = BadCall;

    fn try_from(flat: ActArguments) -> Result<Self, BadCall> {
        let kind = flat.kind.ok_or_else(|| {
            let kinds: Vec<_> = KINDS.iter().map(|kind| kind.name()).collect();
            BadCall::argument("`kind` of act is missing", format!("give `kind` one of {}", kinds.join(", ")))
        })?;
        let then = then(&flat)?;
        let (expect, diff, max_tokens) =
            (flat.expect.clone(), flat.diff.unwrap_or_default(), flat.max_tokens);
        let (force, timeout_ms, tab) = (flat.force.unwrap_or_default(), flat.timeout_ms, flat.tab);
        let step = step(kind, flat)?;
        Ok(Self { step, expect, diff, max_tokens, force, then, timeout_ms, tab })
    }
}

fn step(kind: ActKind, flat: ActArguments) -> Result<Step, BadCall> {
    let element = || needed(kind, "ref", "the element, e.g. e12 as snapshots show it", flat.reference);
    if let Some(secret) = &flat.secret {
        return give(kind, secret, &flat);
    }
    Ok(match kind {
        ActKind::Click => Step::Click {
            on: element()?,
            button: flat.button.unwrap_or_default(),
            count: count(kind, flat.count)?,
            modifiers: flat.modifiers,
        },
        ActKind::Fill => Step::Fill { fields: fields(flat)? },
        ActKind::Type => {
            if flat.replace.is_some() && flat.at.is_some() {
                let next = "give `replace` to type over a text, or `at` to insert, not both";
                return Err(BadCall::argument("type was given both `at` and `replace`", next));
            }
            Step::Type {
                into: flat.reference,
                text: needed(kind, "text", "the text to type", flat.text)?,
                at: flat.at.unwrap_or_default(),
                replace: flat.replace,
                submit: flat.submit.unwrap_or_default(),
            }
        }
        ActKind::Press => Step::Press {
            key: needed(kind, "key", "a key or chord, e.g. Enter or Control+A", flat.key)?,
            on: flat.reference,
        },
        ActKind::Select => {
            let values = Some(flat.values.clone()).filter(|values| !values.is_empty());
            Step::Select {
                on: element()?,
                values: needed(kind, "values", "a list of labels or values of options", values)?,
            }
        }
        ActKind::Check => Step::Check { on: element()?, checked: true },
        ActKind::Uncheck => Step::Check { on: element()?, checked: false },
        ActKind::Hover => Step::Hover { on: element()? },
        ActKind::Focus => Step::Focus { on: element()? },
        ActKind::Scroll => Step::Scroll { on: flat.reference, by: scroll(&flat)? },
        ActKind::Drag => Step::Drag {
            from: element()?,
            to: needed(kind, "to_ref", "what it is dropped on, e.g. e12", flat.to_ref)?,
        },
        ActKind::Upload => {
            let files = Some(flat.files.clone()).filter(|files| !files.is_empty());
            Step::Upload { on: element()?, files: needed(kind, "files", "a list of absolute paths", files)? }
        }
        ActKind::ClickAt => Step::ClickAt {
            at: at(kind, &flat)?,
            button: flat.button.unwrap_or_default(),
            count: count(kind, flat.count)?,
            modifiers: flat.modifiers,
        },
        ActKind::TypeAt => {
            Step::TypeAt { at: at(kind, &flat)?, text: needed(kind, "text", "the text to type", flat.text)? }
        }
        ActKind::HoverAt => Step::HoverAt { at: at(kind, &flat)? },
        ActKind::DragAt => Step::DragAt {
            from: at(kind, &flat)?,
            to: Point {
                x: needed(kind, "to_x", "CSS pixels from the left of the viewport", flat.to_x)?,
                y: needed(kind, "to_y", "CSS pixels from the top of the viewport", flat.to_y)?,
            },
        },
    })
}

/// A secret goes alone, into one field, and what is done with it then is an act of its own.
fn give(kind: ActKind, secret: &str, flat: &ActArguments) -> Result<Step, BadCall> {
    let beside = flat.value.is_some()
        || flat.text.is_some()
        || !flat.fields.is_empty()
        || flat.at.is_some()
        || flat.replace.is_some()
        || flat.submit.is_some();
    if beside {
        let what = format!("{} was given `secret` and more than `ref`", kind.name());
        return Err(BadCall::argument(
            what,
            "give `ref` and `secret` alone; press Enter by an act of its own",
        ));
    }
    let into = needed(kind, "ref", "the field, e.g. e12 as snapshots show it", flat.reference)?;
    Ok(Step::Give { into, secret: secret.to_owned().into(), typed: kind == ActKind::Type })
}

/// How many times a click presses.
fn count(kind: ActKind, count: Option<u32>) -> Result<u8, BadCall> {
    let count = count.unwrap_or(1);
    u8::try_from(count).ok().filter(|count| (1..=3).contains(count)).ok_or_else(|| {
        BadCall::argument(format!("`count` of {} is {count}", kind.name()), "give `count` 1, 2 or 3")
    })
}

/// The point that a kind is at.
fn at(kind: ActKind, flat: &ActArguments) -> Result<Point, BadCall> {
    Ok(Point {
        x: needed(kind, "x", "CSS pixels from the left of the viewport", flat.x)?,
        y: needed(kind, "y", "CSS pixels from the top of the viewport", flat.y)?,
    })
}

fn fields(flat: ActArguments) -> Result<Vec<Field>, BadCall> {
    match (flat.reference, flat.value, flat.fields.is_empty()) {
        (None, None, false) => Ok(flat.fields),
        (Some(reference), Some(value), true) => Ok(vec![Field { reference, value }]),
        (_, _, false) => Err(BadCall::argument(
            "fill was given both `fields` and `ref` or `value`",
            "put the field into `fields`, or leave `fields` out",
        )),
        (reference, value, true) => {
            needed(ActKind::Fill, "ref", "the field, e.g. e12 (or `fields` for several)", reference)?;
            let value = needed(ActKind::Fill, "value", "the new content; \"\" empties the field", value)?;
            // Both were there after all: the second arm has it.
            Ok(reference.map(|reference| Field { reference, value }).into_iter().collect())
        }
    }
}

fn scroll(flat: &ActArguments) -> Result<ScrollBy, BadCall> {
    match (flat.to, flat.direction, flat.amount) {
        (Some(to), None, None) => Ok(ScrollBy::To(to)),
        (Some(_), _, _) => Err(BadCall::argument(
            "scroll was given both `to` and `direction` or `amount`",
            "give `to` for a place, or `direction` and `amount` for a distance",
        )),
        (None, None, None) if flat.reference.is_some() => Ok(ScrollBy::IntoView),
        (None, direction, amount) => Ok(ScrollBy::Amount(direction.unwrap_or_default(), amount)),
    }
}

fn then(flat: &ActArguments) -> Result<Option<Then>, BadCall> {
    let ActArguments { then_kind, then_role: role, then_name: name, then_value: value, .. } = flat;
    if then_kind.is_none() && role.is_none() && name.is_none() && value.is_none() {
        return Ok(None);
    }
    if role.is_none() && name.is_none() {
        let next = "give `then_role`, `then_name` or both: what the second element is";
        return Err(BadCall::argument("the second step names no element", next));
    }
    let kind = then_kind.map_or(ActKind::Click, ActKind::from);
    let takes_value = matches!(kind, ActKind::Fill | ActKind::Type | ActKind::Press);
    match (takes_value, value) {
        (true, None) => {
            let what = format!("the second step is {} without `then_value`", kind.name());
            Err(BadCall::argument(what, "give `then_value`: the content, the text or the key"))
        }
        (false, Some(_)) => {
            let what = format!("the second step is {} and takes no `then_value`", kind.name());
            Err(BadCall::argument(what, "leave `then_value` out, or give `then_kind` fill, type or press"))
        }
        (true, Some(_)) | (false, None) => {
            Ok(Some(Then { kind, role: role.clone(), name: name.clone(), value: value.clone() }))
        }
    }
}

fn needed<T>(kind: ActKind, name: &str, meaning: &str, value: Option<T>) -> Result<T, BadCall> {
    value.ok_or_else(|| {
        let kind = kind.name();
        BadCall::argument(format!("{kind} was given no `{name}`"), format!("give `{name}`: {meaning}"))
    })
}
