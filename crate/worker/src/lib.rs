//! The engine inside the service worker: carries events in and calls out. The only crate that knows JavaScript
//! values. It decides nothing.
//!
//! JavaScript calls `start` once and `deliver` for each event; everything the engine asks for goes through the
//! functions of `extension/worker/chrome.js`.

mod chrome;
mod panic;
mod pump;
#[cfg(feature = "record")]
mod record;

use engine::{Input, Started};
use wasm_bindgen::prelude::*;

/// Starts the engine of this instance.
///
/// # Errors
/// When `started` is not the JSON text of a [`Started`]: then the two halves of the extension do not fit together.
#[wasm_bindgen]
pub fn start(started: &str) -> Result<(), JsError> {
    panic::watch();
    let started: Started = serde_json::from_str(started)?;
    #[cfg(feature = "record")]
    record::expose();
    pump::feed(Input::Started(started));
    Ok(())
}

/// Takes an event in.
///
/// # Errors
/// When `input` is not the JSON text of an [`Input`].
#[wasm_bindgen]
pub fn deliver(input: &str) -> Result<(), JsError> {
    pump::feed(serde_json::from_str(input)?);
    Ok(())
}

/// The events of `chrome.debugger` that are of any use to the engine.
#[wasm_bindgen(js_name = knownEvents)]
pub fn known_events() -> Vec<String> {
    engine::KNOWN_EVENTS.iter().map(|method| (*method).to_owned()).collect()
}
