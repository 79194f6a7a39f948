//! The host dies somewhere in a transcript, and the browser answers nothing more: the engine must not panic, must not
//! spin, and must let go of every button and key that it pressed.

use anyhow::{Result, ensure};
use engine::{ChromeCall, ChromeTab, Input, Instant, Millis, Output};
use serde_json::Value;
use std::collections::BTreeSet;
use tests::transcript::{Entry, Transcript, until};

/// How many cuts a transcript gets at most: each replays it from its beginning.
const CUTS: usize = 40;

/// How long the engine is watched afterwards.
const AFTERWARDS: Millis = Millis(60_000);

/// What is down: the tab, and `mouse` or the key.
type Held = BTreeSet<(ChromeTab, String)>;

/// Cuts it at even distances.
pub fn anywhere(transcript: &Transcript) -> Result<()> {
    let outputs = transcript.lines.iter().filter(|line| matches!(line.entry, Entry::Out(_))).count();
    for cut in (1..=outputs).step_by(outputs.div_ceil(CUTS)) {
        at(transcript, cut).map_err(|error| error.context(format!("cut after output {cut} of {outputs}")))?;
    }
    Ok(())
}

fn at(transcript: &Transcript, cut: usize) -> Result<()> {
    let mut point = until(transcript, cut);
    let mut outputs = std::mem::take(&mut point.outputs);
    let gone = gone(&point.inputs);
    let end = point.now + AFTERWARDS;
    let mut now = point.now;
    let mut input = Input::PortClosed { error: Some("the host ended".into()) };
    let mut steps = 0;
    loop {
        point.engine.handle(now, input);
        outputs.extend(std::iter::from_fn(|| point.engine.poll()));
        let wake = point.engine.next_wake();
        ensure!(wake.is_none_or(|at| at >= now), "at {now:?} a timer is left that was due at {wake:?}");
        steps += 1;
        ensure!(steps < 1_000, "it does not come to rest: a thousand wakes by {now:?}");
        match wake.filter(|at| *at <= end) {
            Some(at) => (now, input) = (at, Input::Woke),
            None => break,
        }
    }
    let held = held(&outputs, &gone);
    ensure!(held.is_empty(), "still down at the end, {:?} after the cut: {held:?}", end - point.now);
    let _: Instant = now;
    Ok(())
}

/// Tabs whose page crashed or that went: nothing is held there any more.
fn gone(inputs: &[Input]) -> BTreeSet<ChromeTab> {
    inputs
        .iter()
        .filter_map(|input| match input {
            Input::TabRemoved { tab } | Input::Detached { tab, .. } => Some(*tab),
            Input::Event { tab, method, .. } if method == "Inspector.targetCrashed" => Some(*tab),
            _ => None,
        })
        .collect()
}

fn held(outputs: &[Output], gone: &BTreeSet<ChromeTab>) -> Held {
    let mut held = Held::new();
    for output in outputs {
        let Output::Call { call: ChromeCall::Send { tab, method, params, .. }, .. } = output else {
            continue;
        };
        let params: Value = serde_json::from_str(params).unwrap_or_default();
        let key = || (*tab, params["code"].as_str().unwrap_or_default().to_owned());
        match (method.as_str(), params["type"].as_str().unwrap_or_default()) {
            ("Input.dispatchMouseEvent", "mousePressed") => drop(held.insert((*tab, "mouse".into()))),
            ("Input.dispatchMouseEvent", "mouseReleased") => drop(held.remove(&(*tab, "mouse".into()))),
            ("Input.dispatchKeyEvent", "keyDown" | "rawKeyDown") => drop(held.insert(key())),
            ("Input.dispatchKeyEvent", "keyUp") => drop(held.remove(&key())),
            _ => {}
        }
    }
    held.retain(|(tab, _)| !gone.contains(tab));
    held
}
