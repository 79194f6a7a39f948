//! `act kind=scroll`: an element or the page; says how far it went and whether there is more.

use super::{Done, Stage, aim::Brief};
use crate::{
    failure::Failure,
    place::Reach,
    target::{Care, Target},
};
use serde::Deserialize;
use tools::{
    RefName,
    act::{Direction, ScrollBy, ScrollTo},
};

#[derive(Debug, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "one for each way")]
struct More {
    up: bool,
    down: bool,
    left: bool,
    right: bool,
}

#[derive(Debug, Deserialize)]
struct Scrolled {
    scroller: Option<Brief>,
    moved: (f64, f64),
    more: More,
}

/// Scrolls.
///
/// # Errors
/// When the element is gone.
pub async fn scroll(stage: &Stage, on: Option<RefName>, by: ScrollBy) -> Result<Done, Failure> {
    let target = match on {
        Some(on) => Some(stage.find(on, Care::Look).await?),
        None => None,
    };
    match (by, &target) {
        (ScrollBy::IntoView, Some(target)) => into_view(target).await,
        (ScrollBy::IntoView, None) => {
            Err(Failure::BadArgument("to scroll something into view, name it with ref".into()))
        }
        (ScrollBy::Amount(direction, amount), _) => {
            let (dx, dy) = match direction {
                Direction::Down => (0, 1),
                Direction::Up => (0, -1),
                Direction::Left => (-1, 0),
                Direction::Right => (1, 0),
            };
            let amount = amount.map_or("null".to_owned(), |amount| amount.to_string());
            run(stage, target, &format!("{dx},{dy},{amount},null")).await
        }
        (ScrollBy::To(to), _) => {
            let share = match to {
                ScrollTo::Top => 0,
                ScrollTo::Bottom => 100,
                ScrollTo::Percent(share) => share,
            };
            run(stage, target, &format!("0,0,null,{share}")).await
        }
    }
}

async fn into_view(target: &Target) -> Result<Done, Failure> {
    super::aim::reveal(target, true).await?;
    Ok(Done::on("scroll into view", target))
}

async fn run(stage: &Stage, target: Option<Target>, how: &str) -> Result<Done, Failure> {
    let (reach, element) = match &target {
        Some(target) => (target.reach.clone(), target.element.0),
        None => (root(stage).await?, 0),
    };
    stage.touch();
    let scrolled: Option<Scrolled> = reach.have_done(&format!("scroll({element},{how})")).await?;
    let scrolled = scrolled.ok_or(Failure::DocumentChanged)?;
    let mut done = match (&target, &scrolled.scroller) {
        (Some(target), Some(_)) => Done::on("scroll", target),
        (Some(target), None) => {
            Done::on("scroll", target).noting("it does not scroll by itself; the page was scrolled")
        }
        (None, _) => Done::plainly("scroll the page"),
    };
    let (x, y) = scrolled.moved;
    done = done.noting(match (x.abs() >= 0.5, y.abs() >= 0.5) {
        (false, false) => "it did not move: it is at its end".to_owned(),
        (true, _) => format!("moved {} px {}", x.abs().round(), if x > 0.0 { "right" } else { "left" }),
        (false, true) => format!("moved {} px {}", y.abs().round(), if y > 0.0 { "down" } else { "up" }),
    });
    let more = [
        (scrolled.more.up, "above"),
        (scrolled.more.down, "below"),
        (scrolled.more.left, "to the left"),
        (scrolled.more.right, "to the right"),
    ];
    let more: Vec<_> = more.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    Ok(if more.is_empty() { done } else { done.noting(format!("more {}", more.join(", "))) })
}

async fn root(stage: &Stage) -> Result<Reach, Failure> {
    let found = crate::place::places(&stage.core, &stage.tab).await?;
    let first = found.into_iter().next().ok_or(Failure::DocumentChanged)?;
    Ok(Reach::new(&stage.core, &stage.tab, first.place?))
}
