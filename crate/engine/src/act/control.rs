//! What a control is and holds now, and the refusals that follow from it before anything is touched.

use super::{
    Done, Stage,
    aim::{Brief, way_out},
};
use crate::{
    clock::Millis,
    failure::Failure,
    reply,
    target::{Care, Target},
};
use serde::Deserialize;
use snapshot::{DocumentNo, ElementNo};
use tools::RefName;

/// A control as the page's script reports it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "independent facts of one element")]
pub struct Control {
    /// Local name of the element.
    pub tag: String,
    /// The type of an input.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether its content is editable.
    pub editable: bool,
    /// Whether its text may be drawn by something else: a text area, or an element with an `EditContext`.
    pub drawn_apart: bool,
    /// Whether it is disabled, by itself or by what it is in.
    pub disabled: bool,
    /// What disables it, where that is not itself.
    pub disabled_by: Option<Brief>,
    /// Whether it is read-only.
    pub read_only: bool,
    /// The most characters it takes; -1 for no limit.
    pub max_length: i64,
    /// Whether it is within something inert.
    pub inert: bool,
    /// Whether it takes several options or files.
    pub multiple: bool,
    /// Whether what it holds must not leave the page.
    pub secret: bool,
    /// Whether it is for card data.
    pub card: bool,
    /// What it holds; of a secret field, as many dots.
    pub value: String,
    /// Whether it is checked.
    pub checked: bool,
    /// Whether it is neither.
    pub indeterminate: bool,
    /// The least value.
    pub min: String,
    /// The greatest value.
    pub max: String,
    /// The step between values.
    pub step: String,
    /// Whether it has the focus.
    pub focused: bool,
    /// The options of a select.
    pub options: Vec<OptionOf>,
    /// The select that an option is of; 0 for others.
    pub select_of: u32,
    /// Its labels.
    pub labels: Vec<ElementNo>,
}

/// An option of a select.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OptionOf {
    /// What it says.
    pub label: String,
    /// What it stands for.
    pub value: String,
    /// Whether it is chosen.
    pub selected: bool,
    /// Whether it cannot be.
    pub disabled: bool,
    /// Its number.
    pub element: ElementNo,
}

/// How a control takes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// One line.
    Line,
    /// Several lines.
    Lines,
    /// A value that the browser's picker sets.
    Picked,
    /// A checked state.
    Checked,
    /// An option.
    Option,
    /// No text.
    Nothing,
}

impl Control {
    /// How it takes text (HTML, the input element's types).
    pub fn takes(&self) -> Takes {
        match (self.tag.as_str(), self.kind.as_str()) {
            ("input", "checkbox" | "radio") => Takes::Checked,
            ("input", "date" | "time" | "month" | "week" | "datetime-local" | "color" | "range") => {
                Takes::Picked
            }
            ("input", "button" | "submit" | "reset" | "image" | "file" | "hidden") => Takes::Nothing,
            ("input", _) => Takes::Line,
            ("textarea", _) => Takes::Lines,
            ("select", _) => Takes::Option,
            _ if self.editable => Takes::Lines,
            _ => Takes::Nothing,
        }
    }

    /// The chosen options, by label and value.
    pub fn chosen(&self) -> Vec<(String, String)> {
        let chosen = self.options.iter().filter(|option| option.selected);
        chosen.map(|option| (option.label.clone(), option.value.clone())).collect()
    }

    /// Whether a text that would make it `length` characters long can be put in, before anything is touched.
    ///
    /// # Errors
    /// When it is too long, has line ends where one line is taken, or is no number where one is.
    pub fn accepts(&self, target: &Target, text: &str, length: usize) -> Result<(), Failure> {
        let said = || target.said.clone();
        if let Ok(most) = usize::try_from(self.max_length)
            && length > most
        {
            return Err(Failure::TooLong { target: said(), length, most });
        }
        let bad = |wanted: &str| Failure::BadValue {
            target: said(),
            value: text.to_owned(),
            wanted: wanted.to_owned(),
        };
        if self.takes() == Takes::Line && text.contains(['\n', '\r']) {
            return Err(bad("one line; press Enter, or type with submit=true, sends it"));
        }
        if self.kind == "number" && !text.is_empty() && text.trim().parse::<f64>().is_err() {
            return Err(bad("a number like 12.5"));
        }
        Ok(())
    }
}

/// How long a text is in a field (HTML, the API value's length): in UTF-16, a line end being one.
pub fn length(text: &str) -> usize {
    text.replace("\r\n", "\n").encode_utf16().count()
}

/// Reads a control.
///
/// # Errors
/// When the element or its document went.
pub async fn read(target: &Target) -> Result<Control, Failure> {
    let control: Option<Control> = target.reach.ask(&format!("control({})", target.element.0)).await?;
    control.ok_or_else(|| Failure::Vanished { target: target.said.clone() })
}

/// How often it is looked at meanwhile.
const PACE: Millis = Millis(60);

/// Reads a control that must be enabled; one that becomes so in a moment is waited for.
///
/// # Errors
/// When it stays disabled, or is inert.
pub async fn enabled(stage: &Stage, target: &Target) -> Result<Control, Failure> {
    let limit = stage.core.desk.now() + stage.patience();
    loop {
        let control = read(target).await?;
        if stage.force || !(control.disabled || control.inert) {
            stage.waits_for(None);
            return Ok(control);
        }
        let failure = if control.inert {
            Failure::Inert { target: target.said.clone() }
        } else {
            let by = control.disabled_by.as_ref();
            let by = by.map(|by| format!(" by {}", named(target, Some(by), target.document)));
            Failure::Disabled { target: target.said.clone(), by: by.unwrap_or_default() }
        };
        if stage.core.desk.now() >= limit {
            return Err(failure);
        }
        stage.waits_for(Some(failure));
        stage.core.desk.sleep(PACE).await;
    }
}

/// How an element that is in the way is named: as the tree does, else by its tag, id and words.
pub fn named(target: &Target, brief: Option<&Brief>, document: DocumentNo) -> String {
    let Some(brief) = brief else { return "nothing".into() };
    let core = &target.reach.session.core;
    let known = core.refs.borrow().get(document, brief.element);
    if let Some(reference) = known.filter(|reference| target.tree.node_of(*reference).is_some()) {
        return crate::target::said(&target.tree, reference);
    }
    let id = if brief.id.is_empty() { String::new() } else { format!(" id={}", reply::quoted(&brief.id)) };
    let name = if brief.name.is_empty() { String::new() } else { format!(" {}", reply::quoted(&brief.name)) };
    format!("<{}>{id}{name}", brief.tag)
}

#[derive(Debug, Deserialize)]
struct Focused {
    focused: bool,
}

/// Gives an element the focus, frames on the way included. Until the act ends keys reach it alone.
///
/// # Errors
/// When it does not take it.
pub async fn give_focus(target: &Target) -> Result<(), Failure> {
    for (outer, element) in way_out(target).iter().rev() {
        let _: Option<Focused> = outer.have_done(&format!("focus({})", element.0)).await?;
    }
    let focused: Option<Focused> = target.reach.have_done(&format!("focus({})", target.element.0)).await?;
    if focused.is_some_and(|focused| focused.focused) {
        super::keys::heed(target).await
    } else {
        Err(Failure::NoFocus { target: target.said.clone() })
    }
}

/// `act kind=focus`.
///
/// # Errors
/// When the element does not take the focus.
pub async fn focus(stage: &Stage, on: RefName) -> Result<Done, Failure> {
    let target = stage.find(on, Care::Look).await?;
    enabled(stage, &target).await?;
    stage.touch();
    give_focus(&target).await?;
    Ok(Done::on("focus", &target))
}

/// How a text compares with what a secret field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Compared {
    /// Whether it is all of it.
    pub same: bool,
    /// Whether it is in it, but for what a page may format.
    pub within: bool,
}

/// Compares within the page: what a secret field holds does not leave it.
///
/// # Errors
/// When the element or its document went.
pub async fn compare(target: &Target, text: &str) -> Result<Compared, Failure> {
    let question = format!("compare({},{})", target.element.0, super::js(text));
    let compared: Option<Compared> = target.reach.ask(&question).await?;
    compared.ok_or_else(|| Failure::Vanished { target: target.said.clone() })
}
