//! The run is cut short somewhere in a transcript, in each of several ways: the engine must not panic, must not spin,
//! must leave no timer behind, must press nothing more, and must let go of every button and key that it pressed.

use anyhow::{Result, bail, ensure};
use engine::{CallError, CallId, ChromeCall, ChromeTab, Input, Instant, Millis, Output};
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use tests::transcript::port::{heard, says};
use tests::transcript::{Entry, Point, Transcript, until};
use wire::ToWorker;

/// How many cuts a transcript gets at most: each replays it from its beginning.
const CUTS: usize = 60;

/// How long the engine is watched afterwards.
const AFTERWARDS: Millis = Millis(60_000);

/// What cuts it short.
#[derive(Debug, Clone, Copy)]
enum End {
    /// The host dies, and the browser answers nothing more.
    AllGone,
    /// The host dies; the browser goes on as it did when it was recorded.
    HostGone,
    /// The host dies; the browser refuses every call that was open or comes.
    AllRefused,
    /// The agent takes its requests back; the browser goes on as it did.
    Cancelled,
}

/// What is down: the tab, and the button or the key.
pub type Held = BTreeSet<(ChromeTab, String)>;

/// Cuts it at even distances.
pub fn anywhere(transcript: &Transcript) -> Result<()> {
    let outputs = transcript.lines.iter().filter(|line| matches!(line.entry, Entry::Out(_))).count();
    for cut in (1..=outputs).step_by(outputs.div_ceil(CUTS)) {
        for end in [End::AllGone, End::HostGone, End::AllRefused, End::Cancelled] {
            at(transcript, cut, end)
                .map_err(|error| error.context(format!("{end:?} after output {cut} of {outputs}")))?;
        }
    }
    Ok(())
}

fn at(transcript: &Transcript, cut: usize, end: End) -> Result<()> {
    let Point { mut engine, mut now, mut outputs, inputs, rest } = until(transcript, cut);
    let last = now + AFTERWARDS;
    let mut due = ending(end, &inputs, &outputs)?;
    let mut goes_on = going_on(end, rest);
    let before = outputs.len();
    let mut steps = 0;
    loop {
        let input = due.pop_front().unwrap_or(Input::Woke);
        engine.handle(now, input);
        for output in std::iter::from_fn(|| engine.poll()) {
            if let (End::AllRefused, Output::Call { id, .. }) = (end, &output) {
                due.push_back(refusal(*id));
            }
            outputs.push(output);
        }
        steps += 1;
        ensure!(steps < 2_000, "it does not come to rest: still awake at {now:?}");
        if !due.is_empty() {
            continue;
        }
        let wake = engine.next_wake();
        ensure!(wake.is_none_or(|wake| wake >= now), "at {now:?} a timer is left that was due at {wake:?}");
        let next = goes_on.front().map(|(at, _)| *at).filter(|at| wake.is_none_or(|wake| *at <= wake));
        match next.or(wake) {
            Some(at) if at <= last => now = at,
            Some(_) | None => break,
        }
        if next.is_some() {
            due.extend(goes_on.pop_front().map(|(_, input)| input));
        }
    }
    let more = presses(&outputs[before..]);
    ensure!(more == 0, "{more} presses after the run was cut short");
    let held = held(&outputs, &gone(&inputs));
    ensure!(held.is_empty(), "still down a minute after the cut: {held:?}");
    Ok(())
}

/// The inputs that cut it short.
fn ending(end: End, inputs: &[Input], outputs: &[Output]) -> Result<VecDeque<Input>> {
    let closed = Input::PortClosed { error: Some("the host ended".into()) };
    match end {
        End::AllGone | End::HostGone => Ok([closed].into()),
        End::AllRefused => {
            Ok(std::iter::once(closed).chain(open_calls(inputs, outputs).map(refusal)).collect())
        }
        End::Cancelled => inputs.iter().filter_map(request).map(|request| cancellation(&request)).collect(),
    }
}

/// What the browser still says: all that it said until the worker ended, but nothing of the host.
fn going_on(end: End, rest: Vec<(Instant, Input)>) -> VecDeque<(Instant, Input)> {
    match end {
        End::AllGone | End::AllRefused => VecDeque::new(),
        End::HostGone | End::Cancelled => {
            let life = rest.into_iter().take_while(|(_, input)| !matches!(input, Input::Started(_)));
            life.filter(|(_, input)| !matches!(input, Input::Port { .. } | Input::PortClosed { .. }))
                .collect()
        }
    }
}

/// The calls that were not answered, of the engine's present life.
fn open_calls(inputs: &[Input], outputs: &[Output]) -> impl Iterator<Item = CallId> {
    let begun = inputs.iter().rposition(|input| matches!(input, Input::Started(_))).unwrap_or(0);
    let mut open = BTreeSet::new();
    for output in outputs {
        if let Output::Call { id, .. } = output {
            open.insert(*id);
        }
    }
    for input in &inputs[begun..] {
        if let Input::Answered { call, .. } = input {
            open.remove(call);
        }
    }
    open.into_iter()
}

fn refusal(call: CallId) -> Input {
    let message = "Debugger is not attached to the tab.".to_owned();
    Input::Answered { call, result: Err(CallError { code: None, message }) }
}

/// The request that an input brings.
pub fn request(input: &Input) -> Option<ToWorker> {
    heard(input).filter(|message| matches!(message, ToWorker::Request { .. }))
}

fn cancellation(request: &ToWorker) -> Result<Input> {
    let &ToWorker::Request { connection, id, .. } = request else { bail!("no request") };
    Ok(says(&ToWorker::Cancel { connection, id })?)
}

/// Tabs whose page crashed or that went: nothing is held there any more.
pub fn gone(inputs: &[Input]) -> BTreeSet<ChromeTab> {
    let mut gone = BTreeSet::new();
    for input in inputs {
        if let Input::TabRemoved { tab }
        | Input::Detached { tab, .. }
        | Input::TabReplaced { removed: tab, .. } = input
        {
            gone.insert(*tab);
        }
        if let Input::Event { tab, method, .. } = input
            && method == "Inspector.targetCrashed"
        {
            gone.insert(*tab);
        }
    }
    gone
}

/// How often a button or key goes down.
fn presses(outputs: &[Output]) -> usize {
    const DOWN: &[&str] = &["\"mousePressed\"", "\"keyDown\"", "\"rawKeyDown\""];
    let down = |output: &&Output| {
        matches!(output, Output::Call { call: ChromeCall::Send { method, params, .. }, .. }
            if method.starts_with("Input.") && DOWN.iter().any(|word| params.contains(word)))
    };
    outputs.iter().filter(down).count()
}

/// What was pressed and not released.
pub fn held(outputs: &[Output], gone: &BTreeSet<ChromeTab>) -> Held {
    let mut held = Held::new();
    for output in outputs {
        let Output::Call { call: ChromeCall::Send { tab, method, params, .. }, .. } = output else {
            continue;
        };
        let params: Value = serde_json::from_str(params).unwrap_or_default();
        let word = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
        match (method.as_str(), word("type").as_str()) {
            ("Input.dispatchMouseEvent", "mousePressed") => drop(held.insert((*tab, word("button")))),
            ("Input.dispatchMouseEvent", "mouseReleased") => drop(held.remove(&(*tab, word("button")))),
            ("Input.dispatchKeyEvent", "keyDown" | "rawKeyDown") => drop(held.insert((*tab, word("code")))),
            ("Input.dispatchKeyEvent", "keyUp") => drop(held.remove(&(*tab, word("code")))),
            _ => {}
        }
    }
    held.retain(|(tab, _)| !gone.contains(tab));
    held
}
