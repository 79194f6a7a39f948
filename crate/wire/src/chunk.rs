//! How messages of any size share one link: a large one travels in parts, and the messages of different lanes
//! take turns, so that ten megabytes of reply do not hold up a short one. The same in the host and in the wasm.
//! Knows text only, not what the messages mean; no clock: who waits for a last part sets the time limit.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The largest request, as JSON text in bytes.
pub const REQUEST_LIMIT: usize = 4 * 1024 * 1024;

/// The largest reply, as JSON text in bytes.
pub const REPLY_LIMIT: usize = 32 * 1024 * 1024;

/// The largest text in one envelope, counted as it will be when escaped inside a JSON string: with its wrapping
/// it stays well below Chrome's limit of 1 MiB.
pub const CHUNK: usize = 256 * 1024;

/// How many messages may be under way in parts at once between host and worker, where many agents share a link. Both
/// ends keep to it: it bounds what an assembler holds.
pub const STREAMS: usize = 4;

/// How many messages of one agent may be under way in parts at once.
pub const AGENT_STREAMS: usize = 1;

/// How many envelopes the worker may have sent that the host has not read: the browser takes whatever the worker posts,
/// so that without this a small reply would wait behind all of a large one.
pub const CREDIT: u32 = 8;

/// How much of an oversize message is kept, so that its reader can say which request it was.
const HEAD: usize = 256;

/// What travels on a link: every frame is one of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Envelope {
    /// A whole message, as JSON text.
    Whole(String),
    /// A part of a message.
    Part {
        /// Which message, numbered by its sender.
        stream: u32,
        /// Which part of it, from 0.
        seq: u32,
        /// Whether it is the last one.
        last: bool,
        /// The text.
        data: String,
    },
}

/// A message over the limit: it is not sent, and the link stays usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a message of {size} bytes: at most {limit} can be sent")]
pub struct TooLarge {
    /// Its size in bytes.
    pub size: usize,
    /// The limit.
    pub limit: usize,
}

/// What cannot be put together. The message it belongs to is lost; others are not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChunkError {
    /// The message grew over the limit; the rest of it is skipped.
    #[error("a message over {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
        /// How the message began.
        head: String,
    },
    /// A part that does not follow the one before it.
    #[error("part {seq} of stream {stream} where part {expected} was due")]
    Order {
        /// The stream.
        stream: u32,
        /// The part that came.
        seq: u32,
        /// The part that was due.
        expected: u32,
    },
    /// More messages in parts than may be under way at once.
    #[error("stream {stream} begun while {most} others are under way")]
    Streams {
        /// The stream that was one too many.
        stream: u32,
        /// How many may be.
        most: usize,
    },
}

/// Messages of one lane arrive in the order they were pushed; those of different lanes take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(pub u64);

#[derive(Debug)]
struct Outgoing {
    text: String,
    sent: usize,
    /// The stream and the next part, once it was begun in parts.
    under_way: Option<(u32, u32)>,
}

/// The sending end: takes messages, gives envelopes.
#[derive(Debug)]
pub struct Chunker {
    limit: usize,
    chunk: usize,
    lanes: BTreeMap<Lane, VecDeque<Outgoing>>,
    turns: VecDeque<Lane>,
    streams: usize,
    most_streams: usize,
    next_stream: u32,
    queued: usize,
    /// How many envelopes may go out yet; any number where there is none.
    credit: Option<u32>,
}

impl Chunker {
    /// A sender of messages up to `limit` bytes: [`REQUEST_LIMIT`] or [`REPLY_LIMIT`]. Of [`STREAMS`] streams, and
    /// without credit.
    pub fn new(limit: usize) -> Self {
        Self::with_chunk(limit, CHUNK)
    }

    /// Begins no more than so many messages in parts at once.
    #[must_use]
    pub fn with_streams(mut self, streams: usize) -> Self {
        self.most_streams = streams;
        self
    }

    /// Gives so many envelopes, and more only after [`Self::grant`].
    #[must_use]
    pub fn on_credit(mut self, envelopes: u32) -> Self {
        self.credit = Some(envelopes);
        self
    }

    /// The largest message, in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// So many more envelopes may go out.
    pub fn grant(&mut self, envelopes: u32) {
        self.credit = self.credit.map(|left| left.saturating_add(envelopes));
    }

    fn with_chunk(limit: usize, chunk: usize) -> Self {
        Self {
            limit,
            chunk,
            lanes: BTreeMap::new(),
            turns: VecDeque::new(),
            streams: 0,
            most_streams: STREAMS,
            next_stream: 0,
            queued: 0,
            credit: None,
        }
    }

    /// Queues a message.
    ///
    /// # Errors
    /// When it is over the limit; then nothing of it is sent.
    pub fn push(&mut self, lane: Lane, text: String) -> Result<(), TooLarge> {
        let size = text.len();
        if size > self.limit {
            return Err(TooLarge { size, limit: self.limit });
        }
        self.queued += size;
        let queue = self.lanes.entry(lane).or_default();
        if queue.is_empty() {
            self.turns.push_back(lane);
        }
        queue.push_back(Outgoing { text, sent: 0, under_way: None });
        Ok(())
    }

    /// The next envelope to send, if any message waits and there is credit.
    pub fn next_envelope(&mut self) -> Option<Envelope> {
        if self.credit == Some(0) {
            return None;
        }
        // A lane whose large message must wait for a free stream lets the others pass; a message under way
        // never waits, so that one of them always goes on.
        for _ in 0..self.turns.len() {
            let lane = self.turns.pop_front()?;
            let envelope = self.serve(lane);
            if self.lanes.contains_key(&lane) {
                self.turns.push_back(lane);
            }
            if envelope.is_some() {
                self.credit = self.credit.map(|left| left - 1);
                return envelope;
            }
        }
        None
    }

    fn serve(&mut self, lane: Lane) -> Option<Envelope> {
        let queue = self.lanes.get_mut(&lane)?;
        let message = queue.front_mut()?;
        let rest = message.text.get(message.sent..).unwrap_or_default();
        let cut = cut(rest, self.chunk);
        let last = cut == rest.len();
        let envelope = match message.under_way {
            None if last => Envelope::Whole(std::mem::take(&mut message.text)),
            None if self.streams >= self.most_streams => return None,
            None => {
                let stream = self.next_stream;
                self.next_stream = self.next_stream.wrapping_add(1);
                self.streams += 1;
                message.under_way = Some((stream, 1));
                Envelope::Part { stream, seq: 0, last, data: rest.get(..cut).unwrap_or_default().to_owned() }
            }
            Some((stream, seq)) => {
                message.under_way = Some((stream, seq.saturating_add(1)));
                if last {
                    self.streams -= 1;
                }
                Envelope::Part { stream, seq, last, data: rest.get(..cut).unwrap_or_default().to_owned() }
            }
        };
        message.sent += cut;
        self.queued -= cut;
        if last {
            queue.pop_front();
            if queue.is_empty() {
                self.lanes.remove(&lane);
            }
        }
        Some(envelope)
    }

    /// Bytes of messages that wait to be sent.
    pub fn queued(&self) -> usize {
        self.queued
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }
}

/// How much of the text fits into `room` bytes when escaped inside a JSON string; whole characters, at least one.
fn cut(text: &str, room: usize) -> usize {
    let mut left = room;
    for (at, byte) in text.bytes().enumerate() {
        let cost = match byte {
            b'"' | b'\\' => 2,
            // Some writers escape these for the sake of HTML.
            0..=0x1f | 0x7f | b'<' | b'>' | b'&' => 6,
            _ => 1,
        };
        if cost > left && at > 0 {
            let mut end = at;
            while end > 0 && !text.is_char_boundary(end) {
                end -= 1;
            }
            // Only where the room is smaller than one character.
            return if end > 0 { end } else { text.chars().next().map_or(0, char::len_utf8) };
        }
        left = left.saturating_sub(cost);
    }
    text.len()
}

#[derive(Debug)]
struct Incoming {
    text: String,
    expected: u32,
    /// It grew over the limit: what still comes of it is dropped.
    skipped: bool,
}

impl Incoming {
    /// Takes a part. Grows by doubling, but never beyond the limit.
    fn append(&mut self, data: &str, limit: usize) {
        let needed = self.text.len() + data.len();
        if needed > self.text.capacity() {
            let room = needed.saturating_mul(2).min(limit).max(needed);
            self.text.reserve_exact(room - self.text.len());
        }
        self.text.push_str(data);
    }
}

/// The receiving end: takes envelopes, gives messages. Holds at most [`STREAMS`] messages of `limit` bytes, or as many
/// as it was told.
#[derive(Debug)]
pub struct Assembler {
    limit: usize,
    most_streams: usize,
    streams: BTreeMap<u32, Incoming>,
}

impl Assembler {
    /// A receiver of messages up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, most_streams: STREAMS, streams: BTreeMap::new() }
    }

    /// Takes no more than so many messages in parts at once.
    #[must_use]
    pub fn with_streams(mut self, streams: usize) -> Self {
        self.most_streams = streams;
        self
    }

    /// Takes an envelope; gives the message it completes.
    ///
    /// # Errors
    /// When it is out of order, one too many or over the limit. The receiver stays usable.
    pub fn take(&mut self, envelope: Envelope) -> Result<Option<String>, ChunkError> {
        let (stream, seq, last, data) = match envelope {
            Envelope::Whole(text) if text.len() > self.limit => {
                return Err(ChunkError::TooLarge { limit: self.limit, head: head(&text) });
            }
            Envelope::Whole(text) => return Ok(Some(text)),
            Envelope::Part { stream, seq, last, data } => (stream, seq, last, data),
        };
        let expected = self.streams.get(&stream).map_or(0, |incoming| incoming.expected);
        if seq != expected {
            self.streams.remove(&stream);
            return Err(ChunkError::Order { stream, seq, expected });
        }
        if expected == 0 && !self.streams.contains_key(&stream) && self.streams.len() >= self.most_streams {
            return Err(ChunkError::Streams { stream, most: self.most_streams });
        }
        let mut incoming = self.streams.remove(&stream).unwrap_or(Incoming {
            text: String::new(),
            expected: 0,
            skipped: false,
        });
        incoming.expected = incoming.expected.saturating_add(1);
        let mut result = Ok(None);
        if !incoming.skipped {
            if incoming.text.len() + data.len() > self.limit {
                let head = head_of(&incoming.text, &data);
                result = Err(ChunkError::TooLarge { limit: self.limit, head });
                incoming = Incoming { text: String::new(), skipped: true, ..incoming };
            } else {
                incoming.append(&data, self.limit);
            }
        }
        if !last {
            self.streams.insert(stream, incoming);
        } else if !incoming.skipped {
            result = Ok(Some(incoming.text));
        }
        result
    }

    /// Whether no message is unfinished.
    pub fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }
}

/// The beginning of two texts, one after the other.
fn head_of(first: &str, second: &str) -> String {
    let mut start = head(first);
    if start.len() < first.len() {
        return start;
    }
    start.push_str(&head(second));
    head(&start)
}

fn head(text: &str) -> String {
    let end = (0..=HEAD.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part(stream: u32, seq: u32, last: bool, data: &str) -> Envelope {
        Envelope::Part { stream, seq, last, data: data.to_owned() }
    }

    #[test]
    fn a_small_message_overtakes_a_large_one() {
        let mut chunker = Chunker::with_chunk(1000, 10);
        chunker.push(Lane(1), "a".repeat(100)).unwrap();
        chunker.push(Lane(2), "small".to_owned()).unwrap();
        assert!(matches!(chunker.next_envelope(), Some(Envelope::Part { seq: 0, .. })));
        assert_eq!(chunker.next_envelope(), Some(Envelope::Whole("small".to_owned())));
    }

    #[test]
    fn a_lane_keeps_its_order() {
        let mut chunker = Chunker::with_chunk(1000, 10);
        chunker.push(Lane(1), "a".repeat(15)).unwrap();
        chunker.push(Lane(1), "after".to_owned()).unwrap();
        let sent: Vec<_> = std::iter::from_fn(|| chunker.next_envelope()).collect();
        assert_eq!(
            sent,
            [
                part(0, 0, false, &"a".repeat(10)),
                part(0, 1, true, &"a".repeat(5)),
                Envelope::Whole("after".to_owned())
            ]
        );
        assert_eq!(chunker.queued(), 0);
    }

    #[test]
    fn oversize_is_refused_and_the_next_one_passes() {
        let mut chunker = Chunker::new(10);
        assert_eq!(chunker.push(Lane(0), "x".repeat(11)), Err(TooLarge { size: 11, limit: 10 }));
        assert!(chunker.push(Lane(0), "x".repeat(10)).is_ok());

        let mut assembler = Assembler::new(10);
        assert_eq!(assembler.take(part(7, 0, false, "{\"id\":1,")), Ok(None));
        let error = assembler.take(part(7, 1, false, "xxxxx")).unwrap_err();
        assert_eq!(error, ChunkError::TooLarge { limit: 10, head: "{\"id\":1,xxxxx".to_owned() });
        assert_eq!(assembler.take(part(7, 2, false, "xxxxxx")), Ok(None), "said once");
        assert_eq!(assembler.take(part(7, 3, true, "x")), Ok(None));
        assert!(assembler.is_empty());
        assert_eq!(assembler.take(part(7, 0, true, "fine")), Ok(Some("fine".to_owned())));
    }

    #[test]
    fn without_credit_nothing_goes_out_and_a_small_message_needs_one_envelope_of_it() {
        let mut chunker = Chunker::with_chunk(1000, 10).on_credit(2);
        chunker.push(Lane(1), "a".repeat(100)).unwrap();
        assert!(chunker.next_envelope().is_some() && chunker.next_envelope().is_some());
        assert_eq!(chunker.next_envelope(), None);
        // What comes now waits for two envelopes to be read, not for the other eight.
        chunker.push(Lane(2), "small".to_owned()).unwrap();
        assert!(!chunker.is_empty());
        chunker.grant(2);
        let sent: Vec<_> = std::iter::from_fn(|| chunker.next_envelope()).collect();
        assert!(matches!(sent.as_slice(), [Envelope::Part { seq: 2, .. }, Envelope::Whole(_)]), "{sent:?}");
    }

    #[test]
    fn an_agent_has_one_message_under_way() {
        let mut chunker = Chunker::with_chunk(1000, 10).with_streams(AGENT_STREAMS);
        chunker.push(Lane(1), "a".repeat(20)).unwrap();
        chunker.push(Lane(2), "b".repeat(20)).unwrap();
        let sent: Vec<_> = std::iter::from_fn(|| chunker.next_envelope()).collect();
        let mut assembler = Assembler::new(1000).with_streams(AGENT_STREAMS);
        let came: Vec<_> =
            sent.into_iter().filter_map(|envelope| assembler.take(envelope).unwrap()).collect();
        assert_eq!(came, ["a".repeat(20), "b".repeat(20)]);
        assembler.take(part(7, 0, false, "x")).unwrap();
        assert_eq!(assembler.take(part(8, 0, false, "x")), Err(ChunkError::Streams { stream: 8, most: 1 }));
    }

    #[test]
    fn parts_out_of_order_are_named() {
        let mut assembler = Assembler::new(100);
        assert_eq!(
            assembler.take(part(1, 3, false, "x")),
            Err(ChunkError::Order { stream: 1, seq: 3, expected: 0 })
        );
        assembler.take(part(1, 0, false, "x")).unwrap();
        assert_eq!(
            assembler.take(part(1, 2, true, "x")),
            Err(ChunkError::Order { stream: 1, seq: 2, expected: 1 })
        );
        for stream in 0..u32::try_from(STREAMS).unwrap() {
            assembler.take(part(stream, 0, false, "x")).unwrap();
        }
        assert_eq!(
            assembler.take(part(99, 0, false, "x")),
            Err(ChunkError::Streams { stream: 99, most: STREAMS })
        );
    }

    #[test]
    fn a_full_chunk_of_the_worst_text_stays_below_chromes_limit() {
        for worst in ["\u{1}", "\"", "\\", "é", "😀", "<"] {
            let mut chunker = Chunker::new(REPLY_LIMIT);
            chunker.push(Lane(0), worst.repeat(2 * CHUNK)).unwrap();
            let json = serde_json::to_string(&chunker.next_envelope()).unwrap();
            assert!(json.len() < CHUNK + 100, "{worst:?}: {}", json.len());
            assert!(json.len() < crate::frame::TO_CHROME);
        }
    }

    proptest! {
        #[test]
        fn what_was_pushed_comes_out(
            messages in prop::collection::vec((0_u64..4, ".{0,60}"), 0..20),
            chunk in 1_usize..30,
            pulls in prop::collection::vec(0_usize..4, 0..20),
        ) {
            let mut chunker = Chunker::with_chunk(10_000, chunk);
            let mut assembler = Assembler::new(10_000);
            let mut out = Vec::new();
            let mut pulls = pulls.into_iter();
            for (lane, text) in &messages {
                chunker.push(Lane(*lane), format!("{lane}{text}")).unwrap();
                for _ in 0..pulls.next().unwrap_or(0) {
                    let Some(envelope) = chunker.next_envelope() else { break };
                    // As on the link: through JSON.
                    let envelope = serde_json::from_str(&serde_json::to_string(&envelope).unwrap()).unwrap();
                    out.extend(assembler.take(envelope).unwrap());
                }
            }
            while let Some(envelope) = chunker.next_envelope() {
                out.extend(assembler.take(envelope).unwrap());
            }
            prop_assert!(chunker.is_empty() && assembler.is_empty() && chunker.queued() == 0);
            for lane in 0..4_u64 {
                let sent: Vec<_> =
                    messages.iter().filter(|(l, _)| *l == lane).map(|(l, t)| format!("{l}{t}")).collect();
                let key = lane.to_string();
                let came: Vec<_> = out.iter().filter(|m| m.starts_with(&key)).cloned().collect();
                prop_assert_eq!(sent, came);
            }
        }

        #[test]
        fn any_envelopes_are_taken_without_panic(
            parts in prop::collection::vec((0_u32..6, 0_u32..4, any::<bool>(), ".{0,9}"), 0..60),
        ) {
            let mut assembler = Assembler::new(16);
            for (stream, seq, last, data) in parts {
                let _ = assembler.take(Envelope::Part { stream, seq, last, data });
                prop_assert!(assembler.streams.len() <= STREAMS);
            }
        }
    }
}
