//! `act kind=select`, and a click on a native option.

use super::{
    Done, Stage,
    control::{self, Control, OptionOf},
    kept::Held,
};
use crate::{
    failure::Failure,
    target::{Care, Target},
};
use serde::Deserialize;
use snapshot::ElementNo;
use tools::RefName;

#[derive(Debug, Deserialize)]
struct Chosen {
    places: Vec<usize>,
    selected: Vec<String>,
}

/// Chooses options by label or value.
///
/// # Errors
/// When it is no select, or has no such option.
pub async fn select(stage: &Stage, on: RefName, values: &[String]) -> Result<Done, Failure> {
    let target = stage.find(on, Care::Act).await?;
    choose(stage, &target, values).await
}

/// Does it for an element that was found.
///
/// # Errors
/// As [`select`].
pub async fn choose(stage: &Stage, target: &Target, values: &[String]) -> Result<Done, Failure> {
    let control = control::enabled(stage, target).await?;
    if control.tag != "select" {
        return Err(Failure::WrongKind { target: target.said.clone(), wanted: "native select" });
    }
    if values.len() > 1 && !control.multiple {
        let wanted = "one option: it takes no more".to_owned();
        return Err(Failure::BadValue { target: target.said.clone(), value: values.join(", "), wanted });
    }
    let places =
        values.iter().map(|value| place_of(target, &control, value)).collect::<Result<Vec<_>, _>>()?;
    take(stage, target, &control, &places).await
}

/// Chooses the option that was clicked.
///
/// # Errors
/// When it is disabled or its select went.
pub async fn choose_option(stage: &Stage, target: &Target, option: &Control) -> Result<Done, Failure> {
    let select = Target { element: ElementNo(option.select_of), ..target.clone() };
    let control = control::enabled(stage, &select).await?;
    let place = control.options.iter().position(|option| option.element == target.element);
    let place = place.ok_or(Failure::DocumentChanged)?;
    let mut places: Vec<usize> = vec![place];
    if control.multiple {
        places.extend(
            control.options.iter().enumerate().filter(|(_, option)| option.selected).map(|(at, _)| at),
        );
    }
    take(stage, &select, &control, &places).await
}

async fn take(stage: &Stage, select: &Target, control: &Control, places: &[usize]) -> Result<Done, Failure> {
    let wanted: Vec<_> = places.iter().filter_map(|place| control.options.get(*place)).collect();
    if let Some(disabled) = wanted.iter().find(|option| option.disabled) {
        return Err(Failure::OptionDisabled { target: select.said.clone(), value: disabled.label.clone() });
    }
    stage.touch();
    let chosen: Option<Chosen> =
        select.reach.have_done(&format!("choose({},{places:?})", select.element.0)).await?;
    let chosen = chosen.ok_or(Failure::DocumentChanged)?;
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let is = chosen.selected.join(", ");
    if chosen.places != places {
        let wanted: Vec<_> = wanted.iter().map(|option| option.label.as_str()).collect();
        return Err(Failure::NotTaken { target: select.said.clone(), wanted: wanted.join(", "), is });
    }
    let options = places.iter().filter_map(|place| control.options.get(*place));
    let options = options.map(|option| (option.label.clone(), option.value.clone())).collect();
    Ok(Done::on("select", select).holding(&is).keeping(select, Held::Options(options)))
}

/// The one option that is meant: by label, by value, then by label in any case. Of several that are labelled alike an
/// enabled one is meant if it is the only one; else their values must tell.
fn place_of(target: &Target, control: &Control, wanted: &str) -> Result<usize, Failure> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (exact, wanted) = (wanted, plain(wanted));
    let that = |fits: &dyn Fn(&OptionOf) -> bool| -> Vec<usize> {
        let all = control.options.iter().enumerate().filter(|(_, option)| fits(option));
        let all: Vec<_> = all.map(|(place, _)| place).collect();
        let enabled: Vec<_> = all.iter().copied().filter(|place| !control.options[*place].disabled).collect();
        if enabled.is_empty() { all } else { enabled }
    };
    let by_label = that(&|option| plain(&option.label) == wanted);
    let by_value = that(&|option| option.value == exact || option.value == wanted);
    let in_any_case = that(&|option| plain(&option.label).to_lowercase() == wanted.to_lowercase());
    match (by_label.as_slice(), by_value.as_slice(), in_any_case.as_slice()) {
        ([only], ..) | ([], [only], _) | ([], [], [only]) => Ok(*only),
        // Alike in their labels, and one of them has the label as its value.
        ([_, ..], [only], _) if by_label.contains(only) => Ok(*only),
        ([], [], []) => Err(Failure::NoOption {
            target: target.said.clone(),
            value: wanted,
            options: control.options.iter().take(MOST).map(said).collect(),
        }),
        (several @ [_, ..], ..) | ([], several @ [_, ..], _) | ([], [], several) => {
            Err(Failure::ManyOptions {
                target: target.said.clone(),
                value: wanted,
                options: several
                    .iter()
                    .take(MOST)
                    .map(|place| with_value(&control.options[*place]))
                    .collect(),
            })
        }
    }
}

/// How many options a failure lists.
const MOST: usize = 40;

fn said(option: &OptionOf) -> String {
    crate::reply::quoted(&crate::reply::clip(&option.label))
}

fn with_value(option: &OptionOf) -> String {
    format!("{} value={}", said(option), crate::reply::quoted(&crate::reply::clip(&option.value)))
}
