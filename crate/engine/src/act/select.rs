//! `act kind=select`, and a click on a native option.

use super::{
    Done, Stage,
    control::{self, Control, OptionOf},
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
        select.reach.ask(&format!("choose({},{places:?})", select.element.0)).await?;
    let chosen = chosen.ok_or(Failure::DocumentChanged)?.selected;
    let mut labels: Vec<_> = wanted.iter().map(|option| option.label.clone()).collect();
    let mut got = chosen.clone();
    labels.sort();
    labels.dedup();
    got.sort();
    got.dedup();
    if got != labels {
        let target = select.said.clone();
        return Err(Failure::NotTaken { target, wanted: labels.join(", "), is: chosen.join(", ") });
    }
    Ok(Done::on("select", select).holding(&chosen.join(", ")))
}

/// Label first, then value, then label in any case.
fn place_of(target: &Target, control: &Control, wanted: &str) -> Result<usize, Failure> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = plain(wanted);
    let by = |fits: &dyn Fn(&OptionOf) -> bool| {
        // Of several alike an enabled one is meant.
        let all = || control.options.iter().enumerate().filter(|(_, option)| fits(option));
        all().find(|(_, option)| !option.disabled).or_else(|| all().next()).map(|(place, _)| place)
    };
    by(&|option| plain(&option.label) == wanted)
        .or_else(|| by(&|option| option.value == wanted))
        .or_else(|| by(&|option| plain(&option.label).to_lowercase() == wanted.to_lowercase()))
        .ok_or_else(|| Failure::NoOption {
            target: target.said.clone(),
            value: wanted,
            options: control
                .options
                .iter()
                .take(40)
                .map(|option| crate::reply::quoted(&crate::reply::clip(&option.label)))
                .collect(),
        })
}
