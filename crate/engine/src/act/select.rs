//! `act kind=select`, and a click on a native option.

use super::{
    Done, Stage,
    control::{self, Control},
    kept::Held,
    listbox, options,
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
/// When it is nothing to choose from, or has no such option.
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
        return listbox::choose(stage, target, &control, values).await;
    }
    if values.len() > 1 && !control.multiple {
        let wanted = "one option: it takes no more".to_owned();
        return Err(Failure::BadValue { target: target.said.clone(), value: values.join(", "), wanted });
    }
    let places = values
        .iter()
        .map(|value| options::place_of(target, &control.options, value))
        .collect::<Result<Vec<_>, _>>()?;
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
