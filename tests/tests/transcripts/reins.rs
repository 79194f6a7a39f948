//! The person takes the reins in the middle of an act: pauses all agents, takes the tab over, or stops everything, at
//! each call of the act. The agent is told at once and by name, and nothing stays pressed.

use crate::{
    chaos::Act,
    killed::{gone, held},
};
use anyhow::{Context as _, Result, ensure};
use engine::{ChromeCall, ChromeTab, Input, Intent, Output};
use tests::transcript::{
    Point, Transcript, before_answer,
    port::{given, replied},
};

/// Takes them in every way at each call.
pub fn everywhere(transcript: &Transcript, act: &Act) -> Result<()> {
    let mut in_the_middle = 0;
    for call in &act.calls {
        let tab = tab_of(&before_answer(transcript, *call).outputs);
        let Some(tab) = tab else { continue };
        for (intent, code) in
            [(Intent::Pause, "paused"), (Intent::TakeOver { tab }, "taken_over"), (Intent::Stop, "stopped")]
        {
            let taken = at(before_answer(transcript, *call), act, intent, code);
            in_the_middle += usize::from(taken.with_context(|| format!("{code} at call {}", call.0))?);
        }
    }
    ensure!(in_the_middle > 0, "the act was never in the middle");
    Ok(())
}

/// Whether the act was still under way.
fn at(point: Point, act: &Act, intent: Intent, code: &str) -> Result<bool> {
    let Point { mut engine, now, mut outputs, inputs, rest: _ } = point;
    let is_answered = |outputs: &[Output]| {
        outputs.iter().filter_map(replied).any(|((_, request), _)| request.0 == act.request)
    };
    if is_answered(&outputs) {
        return Ok(false);
    }
    let before = outputs.len();
    let taken = Input::Asked { question: 1, intent };
    outputs.extend(given(&mut engine, now, taken)?);
    let reply = outputs[before..]
        .iter()
        .filter_map(replied)
        .find_map(|((_, request), reply)| (request.0 == act.request).then_some(reply));
    let text = reply.context("the agent is not told")?.joined_text();
    ensure!(text.contains(&format!("error {code}:")), "told otherwise: {text}");
    ensure!(text.contains("\nnext: "), "no next step: {text}");
    let still = held(&outputs, &gone(&inputs));
    ensure!(still.is_empty(), "{still:?} stays pressed");
    Ok(true)
}

/// The tab that was worked last.
fn tab_of(outputs: &[Output]) -> Option<ChromeTab> {
    outputs.iter().rev().find_map(|output| match output {
        Output::Call { call: ChromeCall::Send { tab, .. }, .. } => Some(*tab),
        Output::Call { .. }
        | Output::Post { .. }
        | Output::KeepSession { .. }
        | Output::KeepRequest { .. }
        | Output::KeepLocal { .. }
        | Output::Badge { .. }
        | Output::Answer { .. }
        | Output::Alarm { .. } => None,
    })
}
