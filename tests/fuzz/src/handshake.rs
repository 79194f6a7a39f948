//! What comes through the port, from the first message on: given to an engine that knows nothing yet.

use crate::{Memory, mutate};
use arbitrary::{Result, Unstructured};
use engine::{ChromeCall, Engine, Input, Instant, Output, Started};
use serde_json::{Value, json};
use wire::{
    FromHost, FromWorker, PROTOCOL, ToHost,
    chunk::{Envelope, REPLY_LIMIT},
    salvage,
};

/// How much one message may make the engine say, and how much more for each message before it: a host's second hello
/// answers what the first one left open.
const OUTPUTS: usize = 64;
const OUTPUTS_EACH: usize = 8;

/// The bytes choose messages, which are changed here and there; the last ones are given as they are.
///
/// # Panics
/// When the engine says more than a little, or drives a page for a host that has not said hello.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // What an agent sends to a host, and what the other ends take.
    drop(serde_json::from_str::<ToHost>(&text));
    drop(serde_json::from_str::<FromHost>(&text));
    drop(serde_json::from_str::<FromWorker>(&text));
    salvage::request_in(&text);

    let mut given = Unstructured::new(bytes);
    let mut engine = Engine::default();
    tell(
        &mut engine,
        Input::Started(Started { origin: "chrome-extension://x/".into(), ..Started::default() }),
    );
    let (mut greeted, mut told) = (false, 0);
    while let Ok(message) = message(&mut given) {
        told += 1;
        greeted |= message["type"] == "hello" && message["protocol"] == PROTOCOL;
        let whole = Envelope::Whole(message.to_string());
        let envelope = serde_json::to_string(&whole).expect("an envelope is JSON");
        port(&mut engine, envelope, greeted, told);
    }
    port(&mut engine, String::from_utf8_lossy(given.take_rest()).into_owned(), greeted, told);
    port(&mut engine, text.into_owned(), greeted, told);
}

fn port(engine: &mut Engine, envelope: String, greeted: bool, told: usize) {
    let outputs = Memory::now().bounded(REPLY_LIMIT, || tell(engine, Input::Port { envelope }));
    let most = OUTPUTS + OUTPUTS_EACH * told;
    assert!(outputs.len() <= most, "{} outputs for one message", outputs.len());
    let drives = |output: &Output| matches!(output, Output::Call { call: ChromeCall::Send { .. }, .. });
    assert!(greeted || !outputs.iter().any(drives), "it works for a host that said no hello");
}

fn tell(engine: &mut Engine, input: Input) -> Vec<Output> {
    engine.handle(Instant(0), input);
    std::iter::from_fn(|| engine.poll()).collect()
}

/// A message as a host sends it, mostly.
fn message(given: &mut Unstructured<'_>) -> Result<Value> {
    if given.is_empty() {
        return Err(arbitrary::Error::NotEnoughData);
    }
    let connection: u32 = given.int_in_range(0..=2)?;
    let mut message = match given.int_in_range(0..=8)? {
        0 | 1 => {
            json!({ "type": "hello", "protocol": PROTOCOL, "version": "0.1.0", "instance": "i", "policy": null })
        }
        2 => json!({
            "type": "hello", "protocol": PROTOCOL, "version": "0.1.0", "instance": "i",
            "policy": { "agents": ["*"], "hosts": ["*"] },
        }),
        3 => json!({
            "type": "joined", "connection": connection, "key": "k", "label": "fuzz", "kind": "mcp",
            "executable": null,
        }),
        4 => json!({ "type": "left", "connection": connection }),
        5 => {
            json!({ "type": "request", "connection": connection, "id": given.int_in_range(0..=3)?, "tool": "tabs", "arguments": {} })
        }
        6 => json!({ "type": "cancel", "connection": connection, "id": given.int_in_range(0..=3)? }),
        7 => json!({ "type": "inquire", "connection": connection, "id": given.int_in_range(0..=3)? }),
        _ => json!({ "type": "credit", "envelopes": given.int_in_range(0..=9)? }),
    };
    if given.arbitrary()? {
        mutate::value(&mut message, given)?;
    }
    Ok(message)
}
