//! `act kind=click`.

use super::{
    Done, Stage,
    aim::{self, Accept, Poised},
    control::{self, Control},
    gate::{self, Worked},
    keyboard,
    point::{self, Arrival, Press},
    select,
};
use crate::{
    failure::Failure,
    target::{Care, Target},
};
use cdp::input::MouseButton;
use futures::future::join;
use tools::{
    RefName,
    act::{Button, Modifier},
};

/// Clicks an element.
///
/// # Errors
/// When it is not what was shown, cannot be pressed, or the press did not reach it.
pub async fn click(
    stage: &Stage,
    on: RefName,
    button: Button,
    count: u8,
    modifiers: &[Modifier],
) -> Result<Done, Failure> {
    let press = press_of(button, count, modifiers);
    // A session answers in turn: what the element is asked is true of the page that was just looked at.
    let (found, poised) = join(stage.find(on, Care::Act), aim::poise(stage, on)).await;
    let ready = found.as_ref().ok().and_then(|target| poised.as_ref()?.ready(target));
    if ready.is_none()
        && let Some(reach) = poised.as_ref().and_then(Poised::guarded)
    {
        point::stand_down(reach).await;
    }
    let mut target = found?;
    let verb = verb(button, press.count);
    let ready = if gate::needs(&target) {
        if ready.is_some()
            && let Some(reach) = poised.as_ref().and_then(Poised::guarded)
        {
            point::stand_down(reach).await;
        }
        gate::pass(stage, &mut target, verb, Worked::Pressed).await?;
        None
    } else {
        ready
    };
    let takes = |control: &Control| if control.labels.is_empty() { Accept::Itself } else { Accept::Label };
    let (tag, (aim, arrival)) = if let Some((aim, control)) = ready {
        let aimed = (aim, takes(control));
        (control.tag.clone(), point::press_ready(stage, &mut target, aimed, press).await?)
    } else {
        let control = control::enabled(stage, &target).await?;
        if control.select_of != 0 {
            return select::choose_option(stage, &target, &control).await;
        }
        // Forced, a box is not waited for.
        if stage.force && !aim::is_drawn(&target).await? {
            return without_a_place(stage, &target).await;
        }
        match point::press(stage, &mut target, takes(&control), press).await {
            Err(Failure::NoBox { .. }) if stage.force => return without_a_place(stage, &target).await,
            pressed => (control.tag, pressed?),
        }
    };
    if arrival == Arrival::PressedOnly && button == Button::Left && tag != "select" {
        return Err(Failure::NoClick { target: target.said.clone() });
    }
    let done = arrival.of(Done::on(verb, &target));
    Ok(match &aim.instead {
        Some(instead) => done.noting(format!("forced: {instead} lay over it and took the press")),
        None => done,
    })
}

/// The press that was asked for.
pub fn press_of(button: Button, count: u8, modifiers: &[Modifier]) -> Press {
    Press {
        button: match button {
            Button::Left => MouseButton::Left,
            Button::Middle => MouseButton::Middle,
            Button::Right => MouseButton::Right,
        },
        count: count.clamp(1, 3),
        modifiers: modifiers.iter().fold(0, |bits, modifier| bits | keyboard::bit(*modifier)),
    }
}

/// How a reply calls it.
pub fn verb(button: Button, count: u8) -> &'static str {
    match (button, count) {
        (Button::Left, 1) => "click",
        (Button::Left, 2) => "double click",
        (Button::Left, _) => "triple click",
        (Button::Middle, _) => "middle click",
        (Button::Right, _) => "right click",
    }
}

/// Clicks what is not drawn, as a script would: only where that was forced.
async fn without_a_place(stage: &Stage, target: &Target) -> Result<Done, Failure> {
    stage.touch();
    let clicked: Option<bool> = target.reach.have_done(&format!("click({})", target.element.0)).await?;
    clicked.ok_or_else(|| Failure::Vanished { target: target.said.clone() })?;
    Ok(Done::on("click", target).noting("forced: it has no place, so a script clicked it"))
}
