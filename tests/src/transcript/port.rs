//! What goes through the port in a transcript: messages that travel whole, for transcripts hold no larger ones.

use engine::{Input, Output};
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

fn message<T: DeserializeOwned>(envelope: &str) -> Option<T> {
    match serde_json::from_str(envelope).ok()? {
        Envelope::Whole(text) => serde_json::from_str(&text).ok(),
        Envelope::Part { .. } => None,
    }
}
