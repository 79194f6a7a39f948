//! Native-messaging frames: a length of four bytes in the machine's own order, then so many bytes of JSON. The
//! local socket uses the same. Takes and gives bytes; knows no sockets. After an error the stream has lost its
//! place and must be closed.

use std::mem;

/// What Chrome takes from a host in one message; one byte more ends the port.
pub const TO_CHROME: usize = 1024 * 1024;

/// What we take from the worker or from an agent in one frame. Chrome allows 64 MiB, but whatever is larger than
/// a chunk travels in parts, so that nothing honest comes near this.
pub const FROM_PEER: usize = 4 * 1024 * 1024;

const HEADER: usize = 4;

/// Bytes that are no frame of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The length is over the limit: too large a message, or no frame at all.
    #[error("a frame of {length} bytes: at most {limit} are taken")]
    TooLarge {
        /// What the header says, or what was to be sent.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// A frame without content, which no JSON is.
    #[error("an empty frame")]
    Empty,
}

/// Puts the header before a payload.
///
/// # Errors
/// When the payload is empty or over `limit`.
pub fn encode(payload: &[u8], limit: usize) -> Result<Vec<u8>, FrameError> {
    let length = payload.len();
    let header = u32::try_from(length).ok().filter(|_| length <= limit);
    let header = header.ok_or(FrameError::TooLarge { length, limit })?;
    if length == 0 {
        return Err(FrameError::Empty);
    }
    let mut bytes = Vec::with_capacity(HEADER + length);
    bytes.extend_from_slice(&header.to_ne_bytes());
    bytes.extend_from_slice(payload);
    Ok(bytes)
}

/// Cuts a stream of bytes into payloads. Holds at most one frame and what was fed with its end.
#[derive(Debug)]
pub struct Decoder {
    buffer: Vec<u8>,
    /// How much of the buffer's start was given out already.
    taken: usize,
    limit: usize,
}

impl Decoder {
    /// A decoder that refuses frames over `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), taken: 0, limit }
    }

    /// Takes the next bytes of the stream. Drain with [`Self::next_frame`] before feeding more: what is held is
    /// then bounded by the limit and one read.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.taken > 0 {
            self.buffer.drain(..mem::take(&mut self.taken));
        }
        // Room for the frame that is under way, or for what came: growing by doubling would hold three times as much.
        let under_way = self.header().map_or(0, |length| HEADER.saturating_add(length));
        let wanted =
            if under_way <= HEADER + self.limit { under_way.saturating_sub(self.buffer.len()) } else { 0 };
        self.buffer.reserve_exact(wanted.max(bytes.len()));
        self.buffer.extend_from_slice(bytes);
    }

    /// What the next header says, if all of it has come.
    fn header(&self) -> Option<usize> {
        let header = self.buffer.get(self.taken..)?.first_chunk::<HEADER>()?;
        // On a 16-bit machine the cast would not hold; there is none with a browser.
        Some(usize::try_from(u32::from_ne_bytes(*header)).unwrap_or(usize::MAX))
    }

    /// The next whole payload, if all of it has come.
    ///
    /// # Errors
    /// When the next header is no header of ours; the same again at every later call.
    pub fn next_frame(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let Some(length) = self.header() else { return Ok(None) };
        if length > self.limit {
            return Err(FrameError::TooLarge { length, limit: self.limit });
        }
        if length == 0 {
            return Err(FrameError::Empty);
        }
        let start = self.taken + HEADER;
        let Some(payload) = self.buffer.get(start..start + length) else { return Ok(None) };
        let payload = payload.to_vec();
        self.taken = start + length;
        Ok(Some(payload))
    }

    /// Whether the stream may end here: nothing of an unfinished frame is held.
    pub fn is_between_frames(&self) -> bool {
        self.taken == self.buffer.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_web_request_is_no_frame() {
        let mut decoder = Decoder::new(FROM_PEER);
        decoder.feed(b"GET / HTTP/1.1\r\n\r\n");
        assert!(matches!(decoder.next_frame(), Err(FrameError::TooLarge { .. })));
        assert!(decoder.next_frame().is_err(), "it stays refused");
    }

    #[test]
    fn the_limit_is_exact() {
        assert!(encode(&[b'1'; 10], 10).is_ok());
        assert_eq!(encode(&[b'1'; 11], 10), Err(FrameError::TooLarge { length: 11, limit: 10 }));
        assert_eq!(encode(&[], 10), Err(FrameError::Empty));
        let mut decoder = Decoder::new(10);
        decoder.feed(&encode(&[b'1'; 11], 11).unwrap());
        assert_eq!(decoder.next_frame(), Err(FrameError::TooLarge { length: 11, limit: 10 }));
    }

    proptest! {
        #[test]
        fn any_cut_of_the_stream_gives_the_same_frames(
            payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..200), 0..8),
            cut in 1_usize..64,
        ) {
            let stream: Vec<u8> = payloads.iter().flat_map(|p| encode(p, 200).unwrap()).collect();
            let mut decoder = Decoder::new(200);
            let mut seen = Vec::new();
            for piece in stream.chunks(cut) {
                decoder.feed(piece);
                while let Some(payload) = decoder.next_frame().unwrap() {
                    seen.push(payload);
                }
            }
            prop_assert!(decoder.is_between_frames());
            prop_assert_eq!(seen, payloads);
        }

        #[test]
        fn garbage_never_panics(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..20)) {
            let mut decoder = Decoder::new(1000);
            for piece in pieces {
                decoder.feed(&piece);
                while let Ok(Some(_)) = decoder.next_frame() {}
            }
        }
    }
}
