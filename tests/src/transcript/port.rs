//! What goes through the port in a transcript: messages that travel whole, for transcripts hold no larger ones.

use engine::{Engine, Input, Instant, Output};
use serde::de::DeserializeOwned;
use wire::{FromWorker, ToWorker, chunk::Envelope};

/// What the host said, if an input is that.
pub fn heard(input: &Input) -> Option<ToWorker> {
    if let Input::Port { envelope } = input { message(envelope) } else { None }
}

/// What the host is told, if an output is that.
pub fn told(output: &Output) -> Option<FromWorker> {
    if let Output::Post { envelope } = output { message(envelope) } else { None }
}

/// What a reply answers and says, if an output is one.
pub fn replied(output: &Output) -> Option<((wire::ConnectionId, wire::RequestId), wire::Reply)> {
    match told(output)? {
        FromWorker::Reply { connection, id, reply } => Some(((connection, id), reply)),
        FromWorker::Hello(_)
        | FromWorker::Journal(_)
        | FromWorker::Look { .. }
        | FromWorker::ListSecrets { .. }
        | FromWorker::Reveal { .. }
        | FromWorker::Ping { .. }
        | FromWorker::Pong { .. } => None,
    }
}

/// The host says this.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn says(message: &ToWorker) -> serde_json::Result<Input> {
    let whole = Envelope::Whole(serde_json::to_string(message)?);
    Ok(Input::Port { envelope: serde_json::to_string(&whole)? })
}

/// Gives an input to an engine whose host reads all that it is told; all that came out.
///
/// # Errors
/// As [`says`].
pub fn given(engine: &mut Engine, now: Instant, input: Input) -> serde_json::Result<Vec<Output>> {
    let mut all = Vec::new();
    let mut next = Some(input);
    while let Some(input) = next {
        engine.handle(now, input);
        let outputs: Vec<Output> = std::iter::from_fn(|| engine.poll()).collect();
        let told = outputs.iter().filter(|output| matches!(output, Output::Post { .. })).count();
        let credit = ToWorker::Credit { envelopes: u32::try_from(told).unwrap_or(u32::MAX) };
        next = (told > 0).then(|| says(&credit)).transpose()?;
        all.extend(outputs);
    }
    Ok(all)
}

fn message<T: DeserializeOwned>(envelope: &str) -> Option<T> {
    match serde_json::from_str(envelope).ok()? {
        Envelope::Whole(text) => serde_json::from_str(&text).ok(),
        Envelope::Part { .. } => None,
    }
}
