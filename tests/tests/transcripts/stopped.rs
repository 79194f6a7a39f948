//! The person presses Cancel in Chrome's bar somewhere in a transcript: all that is under way ends at once, every tab
//! is let go, nothing more is begun, the toolbar button says so; until the person lifts it.

use anyhow::{Context as _, Result, ensure};
use engine::{ChromeCall, ChromeTab, Input, Intent, Output};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use tests::transcript::{
    Entry, Point, Transcript,
    port::{given, heard, replied, says},
    until,
};
use wire::{ConnectionId, Reply, RequestId, ToWorker};

/// How many cuts a transcript gets at most.
const CUTS: usize = 12;

/// Numbers of requests that no transcript uses.
const OURS: [u64; 2] = [900_001, 900_002];

/// Presses it at even distances, wherever a tab is held.
pub fn anywhere(transcript: &Transcript) -> Result<()> {
    let outputs = transcript.lines.iter().filter(|line| matches!(line.entry, Entry::Out(_))).count();
    let mut under_way = 0;
    for cut in (1..=outputs).step_by(outputs.div_ceil(CUTS)) {
        under_way += at(until(transcript, cut))
            .map_err(|error| error.context(format!("after output {cut} of {outputs}")))?;
    }
    ensure!(under_way > 0, "no request was under way in any of the moments");
    Ok(())
}

/// Presses it there, unless no tab is held, so that there is no bar, or no agent is there. Gives back how many requests
/// were under way.
fn at(point: Point) -> Result<usize> {
    let Point { mut engine, now, outputs, inputs, .. } = point;
    let Standing { held, open, connection } = standing(&inputs, &outputs);
    let (Some(cancelled), Some(connection)) = (held.first().copied(), connection) else { return Ok(0) };
    let reason = "canceled_by_user".to_owned();
    let after = given(&mut engine, now, Input::Detached { tab: cancelled, reason })?;
    let answered = replies(&after);
    for request in &open {
        let reply = answered.get(request).with_context(|| format!("{request:?} goes on"))?;
        failed(reply, "stopped").or_else(|_| failed(reply, "cancelled_by_person"))?;
    }
    let let_go: BTreeSet<_> = after.iter().filter_map(detached).collect();
    let others: BTreeSet<_> = held.iter().copied().filter(|tab| *tab != cancelled).collect();
    ensure!(let_go.is_superset(&others), "{others:?} were held, {let_go:?} were let go");
    ensure!(badge(&after) == Some("stop"), "the badge says {:?}", badge(&after));
    ensure!(keeps(&after, true), "a stop that the worker does not keep ends with it");

    let refused = given(&mut engine, now, request(connection, OURS[0])?)?;
    let reply =
        replies(&refused).remove(&(connection, RequestId(OURS[0]))).context("no answer while stopped")?;
    failed(&reply, "stopped")?;
    ensure!(!refused.iter().any(|output| matches!(output, Output::Call { .. })), "something was begun");

    let lifted = given(&mut engine, now, Input::Asked { question: 1, intent: Intent::Resume })?;
    ensure!(badge(&lifted).is_some_and(|badge| badge != "stop"), "the badge says {:?}", badge(&lifted));
    ensure!(keeps(&lifted, false), "the worker does not keep that it was lifted");
    let served = given(&mut engine, now, request(connection, OURS[1])?)?;
    let reply =
        replies(&served).remove(&(connection, RequestId(OURS[1]))).context("no answer once lifted")?;
    ensure!(!reply.is_error, "refused although it was lifted: {:?}", reply.content);
    Ok(open.len())
}

/// How things stand for the browser and the host.
#[derive(Default)]
struct Standing {
    /// Tabs with the bar.
    held: BTreeSet<ChromeTab>,
    /// Requests without an answer.
    open: BTreeSet<(ConnectionId, RequestId)>,
    /// An agent's connection.
    connection: Option<ConnectionId>,
}

/// What the worker's present life knows.
fn standing(inputs: &[Input], outputs: &[Output]) -> Standing {
    let mut it = Standing::default();
    for output in outputs {
        if let Output::Call { call: ChromeCall::Send { tab, .. }, .. } = output {
            it.held.insert(*tab);
        } else if let Some(tab) = detached(output) {
            it.held.remove(&tab);
        }
    }
    let begun = inputs.iter().rposition(|input| matches!(input, Input::Started(_))).unwrap_or(0);
    if begun > 0 {
        // What an earlier life held is taken over when it is used, which the outputs do not date.
        it.held.clear();
    }
    for input in &inputs[begun..] {
        if let Input::TabRemoved { tab } | Input::Detached { tab, .. } = input {
            it.held.remove(tab);
        } else if let Input::PortClosed { .. } = input {
            it.connection = None;
        }
        match heard(input) {
            Some(ToWorker::Joined { connection, .. }) => it.connection = Some(connection),
            Some(ToWorker::Left { connection }) if it.connection == Some(connection) => it.connection = None,
            Some(ToWorker::Request { connection, id, .. }) => drop(it.open.insert((connection, id))),
            Some(ToWorker::Cancel { connection, id }) => drop(it.open.remove(&(connection, id))),
            Some(
                ToWorker::Left { .. }
                | ToWorker::Hello(_)
                | ToWorker::Inquire { .. }
                | ToWorker::Credit { .. }
                | ToWorker::Looked { .. }
                | ToWorker::Secrets { .. }
                | ToWorker::Ping { .. }
                | ToWorker::Pong { .. },
            )
            | None => {}
        }
    }
    it.open.retain(|(connection, _)| it.connection == Some(*connection));
    for answered in replies(outputs).keys() {
        it.open.remove(answered);
    }
    it
}

fn request(connection: ConnectionId, id: u64) -> Result<Input> {
    let tool = "tabs".to_owned();
    Ok(says(&ToWorker::Request { connection, id: RequestId(id), tool, arguments: json!({}) })?)
}

/// The answers among these, by request.
fn replies(outputs: &[Output]) -> BTreeMap<(ConnectionId, RequestId), Reply> {
    outputs.iter().filter_map(replied).collect()
}

/// It failed with this code, and says what to do.
fn failed(reply: &Reply, code: &str) -> Result<()> {
    let text = reply.joined_text();
    let fits = text.contains(&format!("error {code}:"));
    ensure!(reply.is_error && fits && text.contains("\nnext: "), "to fail with {code}, but: {text}");
    Ok(())
}

fn detached(output: &Output) -> Option<ChromeTab> {
    if let Output::Call { call: ChromeCall::Detach { tab }, .. } = output { Some(*tab) } else { None }
}

/// What the toolbar button says last.
fn badge(outputs: &[Output]) -> Option<&str> {
    outputs
        .iter()
        .rev()
        .find_map(|output| if let Output::Badge { text, .. } = output { Some(text.as_str()) } else { None })
}

/// Whether it is kept for good that agents are stopped, or that they are not.
fn keeps(outputs: &[Output], stopped: bool) -> bool {
    let word = format!("\"stopped\":{stopped}");
    outputs.iter().any(|output| matches!(output, Output::KeepLocal { text } if text.contains(&word)))
}
