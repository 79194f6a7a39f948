//! Messages in parts: parts of any message in any order, and envelopes that are none.

use crate::Memory;
use arbitrary::{Result, Unstructured};
use wire::chunk::{Assembler, Chunker, Envelope, Lane};

/// Small, so that cases reach it.
const LIMIT: usize = 1024;
const STREAMS: usize = 3;

/// The bytes are read as envelopes, one after the other; the last ones as the text of one.
///
/// # Panics
/// When a message is over the limit, or an honest one does not come through afterwards.
pub fn check(bytes: &[u8]) {
    let memory = Memory::now();
    let mut assembler = Assembler::new(LIMIT).with_streams(STREAMS);
    let mut given = Unstructured::new(bytes);
    while let Ok(envelope) = envelope(&mut given) {
        // All that it may hold, and the part that is handed over.
        let (limit, part) = (LIMIT * STREAMS, length(&envelope));
        if let Ok(Some(text)) = memory.bounded(limit + part, || assembler.take(envelope)) {
            assert!(text.len() <= LIMIT, "a message of {} bytes came through", text.len());
        }
    }
    if let Ok(envelope) = serde_json::from_slice::<Envelope>(given.take_rest()) {
        drop(assembler.take(envelope));
    }
    comes_through(&mut assembler, bytes);
}

fn envelope(given: &mut Unstructured<'_>) -> Result<Envelope> {
    if given.is_empty() {
        return Err(arbitrary::Error::NotEnoughData);
    }
    let data: String = given.arbitrary::<&str>()?.repeat(given.int_in_range(1..=20)?);
    if given.ratio(1, 8)? {
        return Ok(Envelope::Whole(data));
    }
    // Few numbers, so that parts meet.
    let (stream, seq) = (given.int_in_range(0..=4)?, given.int_in_range(0..=6)?);
    Ok(Envelope::Part { stream, seq, last: given.ratio(1, 4)?, data })
}

fn length(envelope: &Envelope) -> usize {
    match envelope {
        Envelope::Whole(data) | Envelope::Part { data, .. } => data.len(),
    }
}

/// Whatever came, a message that is sent as it should be is received. Its stream has a number of its own.
fn comes_through(assembler: &mut Assembler, bytes: &[u8]) {
    // What others left unfinished takes up the streams; the one who waits for the rest ends them.
    if !assembler.is_empty() {
        *assembler = Assembler::new(LIMIT).with_streams(STREAMS);
    }
    let mut text: String = String::from_utf8_lossy(bytes).into_owned();
    while text.len() > LIMIT {
        text.pop();
    }
    let mut chunker = Chunker::new(LIMIT);
    chunker.push(Lane(1), text.clone()).expect("it is within the limit");
    let mut received = None;
    while let Some(envelope) = chunker.next_envelope() {
        received = assembler.take(envelope).expect("it is sent as it should be");
    }
    assert_eq!(received.as_deref(), Some(text.as_str()), "an honest message did not come through");
}
