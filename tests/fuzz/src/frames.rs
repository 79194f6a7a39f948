//! Native-messaging frames, cut from a stream that comes in any pieces.

use crate::Memory;
use wire::frame::{Decoder, encode};

/// Small, so that cases reach it.
const LIMIT: usize = 1024;

/// The first byte says how large a read is; the rest is the stream.
///
/// # Panics
/// When a frame is over the limit, is not what came, or an error passes.
pub fn check(bytes: &[u8]) {
    let Some((first, stream)) = bytes.split_first() else { return };
    let read = usize::from(*first) + 1;
    let memory = Memory::now();
    let mut decoder = Decoder::new(LIMIT);
    let mut at = 0;
    for piece in stream.chunks(read) {
        // What is held is a frame and a read.
        memory.bounded(LIMIT + read, || decoder.feed(piece));
        loop {
            match memory.bounded(LIMIT + read, || decoder.next_frame()) {
                Ok(Some(payload)) => {
                    let frame = encode(&payload, LIMIT).expect("what was taken may be sent");
                    assert!(stream[at..].starts_with(&frame), "the frame is not what came");
                    at += frame.len();
                }
                Ok(None) => break,
                Err(error) => {
                    assert_eq!(decoder.next_frame(), Err(error), "it does not stay refused");
                    // The stream has lost its place: who reads it closes it.
                    return;
                }
            }
        }
    }
}
