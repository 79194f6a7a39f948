//! Gives a transcript's inputs to a fresh engine at their times and holds what comes out against what came out when
//! it was recorded: each output in order, to the byte, none missing and none too many. No clock, no browser.

use super::{Entry, Line, Transcript};
use anyhow::{Result, bail};
use engine::{CallId, Engine, Input, Instant, Output};
use std::{collections::VecDeque, fmt::Write as _};

/// How many lines before a mismatch are shown, and how much of each.
const LINES: usize = 6;
const WIDTH: usize = 240;

/// The engine in the middle of a transcript.
pub struct Point {
    /// The engine.
    pub engine: Engine,
    /// The time of the last input.
    pub now: Instant,
    /// All that it put out so far.
    pub outputs: Vec<Output>,
    /// All that it was given so far.
    pub inputs: Vec<Input>,
    /// What it was given afterwards when it was recorded.
    pub rest: Vec<(Instant, Input)>,
}

/// Replays it all. The error names the line, and tells what was expected and what came.
pub fn strictly(transcript: &Transcript) -> Result<()> {
    let mut engine = Engine::default();
    let mut due: VecDeque<String> = VecDeque::new();
    for (index, line) in transcript.lines.iter().enumerate() {
        match &line.entry {
            Entry::In(at, input) => {
                if let Some(more) = due.pop_front() {
                    bail!(mismatch(transcript, index, "nothing more", &more));
                }
                due.extend(take(&mut engine, *at, input).iter().map(spelled));
            }
            Entry::Out(expected) => match due.pop_front() {
                Some(got) if got == *expected => {}
                Some(got) => bail!(mismatch(transcript, index, expected, &got)),
                None => bail!(mismatch(transcript, index, expected, "nothing more")),
            },
        }
    }
    match due.pop_front() {
        Some(more) => bail!(mismatch(transcript, transcript.lines.len(), "the end", &more)),
        None => Ok(()),
    }
}

/// Replays until so many outputs came (and those of the same input with them).
pub fn until(transcript: &Transcript, outputs: usize) -> Point {
    replayed(transcript, |so_far, _| so_far.len() >= outputs)
}

/// Replays until `ends` says so of what came out so far and the next input.
fn replayed(transcript: &Transcript, ends: impl Fn(&[Output], &Input) -> bool) -> Point {
    let mut point = Point {
        engine: Engine::default(),
        now: Instant(0),
        outputs: Vec::new(),
        inputs: Vec::new(),
        rest: Vec::new(),
    };
    for line in &transcript.lines {
        let Entry::In(at, input) = &line.entry else { continue };
        if point.rest.is_empty() && !ends(&point.outputs, input) {
            point.now = *at;
            point.inputs.push((**input).clone());
            point.outputs.extend(take(&mut point.engine, *at, input));
        } else {
            point.rest.push((*at, (**input).clone()));
        }
    }
    point
}

/// Replays until a call of the transcript's only life is made and about to be answered; where it never was answered,
/// until it is made.
pub fn before_answer(transcript: &Transcript, call: CallId) -> Point {
    let is_answer = |input: &Input| matches!(input, Input::Answered { call: of, .. } if *of == call);
    let answered = transcript.inputs().any(is_answer);
    let is_made = |outputs: &[Output]| {
        outputs.iter().any(|output| matches!(output, Output::Call { id, .. } if *id == call))
    };
    replayed(transcript, |outputs, input| if answered { is_answer(input) } else { is_made(outputs) })
}

/// A worker that starts has a fresh engine.
fn take(engine: &mut Engine, at: Instant, input: &Input) -> Vec<Output> {
    if matches!(input, Input::Started(_)) {
        *engine = Engine::default();
    }
    engine.handle(at, input.clone());
    std::iter::from_fn(|| engine.poll()).collect()
}

fn spelled(output: &Output) -> String {
    serde_json::to_string(output).unwrap_or_else(|error| error.to_string())
}

fn mismatch(transcript: &Transcript, index: usize, expected: &str, got: &str) -> String {
    let number = transcript.lines.get(index).map_or_else(|| "the end".into(), |line| line.number.to_string());
    let mut told = format!("{}.txt, line {number}\n", transcript.name);
    // Where two long texts part is what one wants to see of them.
    let same = expected.bytes().zip(got.bytes()).take_while(|(one, other)| one == other).count();
    let from = if same > WIDTH / 2 { same - WIDTH / 4 } else { 0 };
    let _ = writeln!(told, "expected: {}\n     got: {}\nbefore it:", part(expected, from), part(got, from));
    for line in &transcript.lines[index.saturating_sub(LINES)..index] {
        let _ = writeln!(told, "  {}", shown(line));
    }
    told
}

fn shown(line: &Line) -> String {
    match &line.entry {
        Entry::In(at, input) => {
            let input = serde_json::to_string(input).unwrap_or_default();
            format!("{}: < {} {}", line.number, at.0, part(&input, 0))
        }
        Entry::Out(output) => format!("{}: > {}", line.number, part(output, 0)),
    }
}

fn part(text: &str, from: usize) -> String {
    let start = text.char_indices().map(|(at, _)| at).find(|at| *at >= from).unwrap_or(text.len());
    let rest = &text[start..];
    let shown: String = rest.chars().take(WIDTH).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if shown.len() < rest.len() { "…" } else { "" });
    format!("{before}{shown}{after}")
}
