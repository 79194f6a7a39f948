//! `act kind=fill`: replaces what fields hold, and reads back what they hold then.

use super::{
    Done, Stage, check,
    control::{self, Control, Takes},
    editor,
    formatted::{is_formatted, is_half_filled, is_in_mask},
    gate,
    kept::Held,
    keyboard, select,
};
use crate::{
    failure::Failure,
    reply::clip,
    tab::{Busy, Sequence},
    target::{Care, Target},
};
use serde::Deserialize;
use tools::Field;

/// Fills fields in order. The first that fails stops the rest, and so does a page that goes elsewhere or asks something;
/// the failure lists what was done and what was not.
///
/// # Errors
/// As the first field's.
pub async fn fill(stage: &Stage, fields: &[Field]) -> Result<Done, Failure> {
    if let [field] = fields {
        let target = stage.find(field.reference, Care::Act).await?;
        return fill_one(stage, &target, &field.value).await;
    }
    let mut all = Done::default();
    let mut filled = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let done = async {
            if index > 0 {
                going_on(stage, stage.begun)?;
            }
            let target = stage.find(field.reference, Care::Act).await?;
            fill_one(stage, &target, &field.value).await
        };
        match done.await {
            Ok(done) => {
                filled.push(done.what.strip_prefix("fill ").map_or_else(|| done.what.clone(), str::to_owned));
                all.notes.extend(done.notes);
                all.kept.extend(done.kept);
            }
            Err(failure) => {
                return Err(Failure::FieldFailed {
                    done: filled,
                    failed: format!("e{}", field.reference.0),
                    what: failure.to_string(),
                    code: failure.code(),
                    next: failure.next(),
                    untried: fields[index + 1..]
                        .iter()
                        .map(|field| format!("e{}", field.reference.0))
                        .collect(),
                });
            }
        }
    }
    all.what = format!("fill {}", filled.join(", "));
    Ok(all)
}

/// Whether the page is still the one that is filled.
fn going_on(stage: &Stage, begun: Sequence) -> Result<(), Failure> {
    let known = stage.tab.state.borrow();
    if let Some(trouble) = known.trouble(true) {
        return Err(trouble);
    }
    match known.busy_since(begun) {
        Some(Busy::Navigating) => Err(Failure::WentOn { what: "a field's change began a navigation".into() }),
        Some(Busy::Opening | Busy::Loading | Busy::Asking(_) | Busy::Changing) | None => Ok(()),
    }
}

#[derive(Debug, Deserialize)]
struct Set {
    value: String,
}

async fn fill_one(stage: &Stage, target: &Target, value: &str) -> Result<Done, Failure> {
    let control = control::enabled(stage, target).await?;
    gate::pass_field(stage, &mut target.clone(), &control, "fill").await?;
    if control.read_only {
        return Err(Failure::ReadOnly { target: target.said.clone() });
    }
    match control.takes() {
        Takes::Checked => check::set(stage, target, truth(target, value)?).await,
        Takes::Option => select::choose(stage, target, &[value.to_owned()]).await,
        Takes::Picked => pick(stage, target, &control, value).await,
        Takes::Line | Takes::Lines => {
            control.accepts(target, value, control::length(value))?;
            if control.drawn_apart
                && let Some(drawn) = editor::around(target).await?
            {
                return editor::fill(stage, target, &drawn, value).await;
            }
            replace(stage, target, &control, value).await
        }
        Takes::Nothing => match target.tree.node_of(target.reference).map(snapshot::tree::Node::role) {
            Some(snapshot::Role::Checkbox | snapshot::Role::Switch | snapshot::Role::Radio) => {
                check::set(stage, target, truth(target, value)?).await
            }
            Some(snapshot::Role::Combobox | snapshot::Role::Listbox) => {
                select::choose(stage, target, &[value.to_owned()]).await
            }
            Some(_) | None => Err(Failure::NotEditable { target: target.said.clone() }),
        },
    }
}

fn truth(target: &Target, value: &str) -> Result<bool, Failure> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Failure::BadValue {
            target: target.said.clone(),
            value: value.to_owned(),
            wanted: "true or false".into(),
        }),
    }
}

/// A control that is set by the browser's picker, not typed into (HTML, input types with a value sanitisation).
async fn pick(stage: &Stage, target: &Target, control: &Control, value: &str) -> Result<Done, Failure> {
    let n = target.element.0;
    let same = |now: &str| now == value || now.eq_ignore_ascii_case(value) || same_number(now, value);
    let fits: Option<Set> = target.reach.ask(&format!("fits({n},{})", js(value))).await?;
    let fits = fits.ok_or_else(|| Failure::Vanished { target: target.said.clone() })?;
    if same(&fits.value) {
        stage.touch();
        let set: Option<Set> = target.reach.have_done(&format!("set({n},{})", js(value))).await?;
        let now = set.ok_or(Failure::DocumentChanged)?.value;
        if same(&now) {
            let held =
                Held::Text { wanted: Some(value.to_owned()), put: value.to_owned(), held: now.clone() };
            return Ok(Done::on("fill", target).holding(&now).keeping(target, held));
        }
        return Err(Failure::NotTaken { target: target.said.clone(), wanted: clip(value), is: clip(&now) });
    }
    let wanted = match control.kind.as_str() {
        "date" => "a date like 2026-11-30".to_owned(),
        "time" => "a time like 09:30".to_owned(),
        "month" => "a month like 2026-11".to_owned(),
        "week" => "a week like 2026-W48".to_owned(),
        "datetime-local" => "a date and time like 2026-11-30T09:30".to_owned(),
        "color" => "a colour like #3366ff".to_owned(),
        _ => {
            let or =
                |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { text.to_owned() };
            let (min, max) = (or(&control.min, "0"), or(&control.max, "100"));
            format!("a number from {min} to {max} in steps of {}", or(&control.step, "1"))
        }
    };
    Err(Failure::BadValue { target: target.said.clone(), value: value.to_owned(), wanted })
}

/// Whether two texts are the same number.
pub fn same_number(a: &str, b: &str) -> bool {
    matches!((a.parse::<f64>(), b.trim().parse::<f64>()), (Ok(a), Ok(b)) if (a - b).abs() < 1e-9)
}

#[derive(Debug, Deserialize)]
struct Selected {
    empty: bool,
}

/// Puts a text in place of what a field holds.
///
/// # Errors
/// When it does not take it.
pub async fn replace(
    stage: &Stage,
    target: &Target,
    control: &Control,
    value: &str,
) -> Result<Done, Failure> {
    super::aim::reveal(target, false).await?;
    stage.touch();
    control::give_focus(target).await?;
    let selected: Option<Selected> = target.reach.ask(&format!("selectAll({})", target.element.0)).await?;
    let empty = selected.ok_or(Failure::DocumentChanged)?.empty;
    if !value.is_empty() {
        keyboard::insert(stage, value).await?;
    } else if !empty {
        keyboard::stroke(stage, &keyboard::Key::named("Backspace"), 0).await?;
    }
    read_back(target, control, value).await
}

/// What the field holds now, compared with what was asked. Values of secret fields are not told.
///
/// # Errors
/// When it holds something else.
pub async fn read_back(target: &Target, control: &Control, wanted: &str) -> Result<Done, Failure> {
    let now = match control::read(target).await {
        Ok(now) => now,
        Err(Failure::DialogOpen { .. }) => {
            return Ok(Done::on("fill", target).noting("a dialog opened; its value could not be read back"));
        }
        Err(failure) => return Err(failure),
    };
    let held = now.value.trim_end_matches('\n').to_owned();
    let wanted = wanted.trim_end_matches('\n');
    let keep = if control.secret {
        Held::Secret(wanted.to_owned())
    } else {
        Held::Text { wanted: Some(wanted.to_owned()), put: wanted.to_owned(), held: held.clone() }
    };
    let done = Done::on("fill", target).holding(&held).keeping(target, keep);
    let (same, formatted) = if control.secret {
        let compared = control::compare(target, wanted).await?;
        (compared.same, compared.within)
    } else {
        let number = control.kind == "number" && same_number(&held, wanted);
        let formatted = is_formatted(&held, wanted) || is_in_mask(&held, &control.value, wanted);
        (held == wanted || number, formatted)
    };
    if same {
        return Ok(done);
    }
    if formatted {
        return Ok(done.noting("formatted by the page"));
    }
    if !control.secret && is_half_filled(&held, wanted) {
        return Ok(done.noting("formatted by the page, with places left to fill"));
    }
    let wanted = if control.secret { "•".repeat(wanted.chars().count()) } else { wanted.to_owned() };
    Err(Failure::NotTaken { target: target.said.clone(), wanted: clip(&wanted), is: clip(&held) })
}

/// A text as a JavaScript literal.
pub fn js(text: &str) -> String {
    // JSON strings are JavaScript strings (ECMA-262 since 2019).
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_literal() {
        assert_eq!(js("a\"); alert(1); (\"\u{2028}"), "\"a\\\"); alert(1); (\\\"\u{2028}\"");
    }
}
