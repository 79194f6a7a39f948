//! What became of requests. One that changes anything is written down as begun before its first effect, and with its
//! reply before that is told: so after a break it can be said whether it was begun, and a number that comes again gets
//! the recorded outcome and is not carried out twice. One that never was begun is not in here: it is safe to repeat.
//!
//! The record is bounded: it is a ring of slots, each kept for itself, so that little is written at a time. What falls out
//! leaves the highest number that fell out, of each agent: up to there nothing is said to be not started.

use crate::{
    agent::AgentId,
    browser::Core,
    io::{Output, Slot},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wire::{Reply, RequestId};

/// How many requests are remembered.
pub const SLOTS: u16 = 256;

/// The longest reply that is remembered, as JSON text in bytes.
const LONGEST: usize = 16 * 1024;

/// A request: numbers are an agent's own.
pub type Key = (AgentId, RequestId);

/// What is known of a request that came before.
#[derive(Debug, Clone, PartialEq)]
pub enum Became {
    /// It was not begun.
    NotStarted,
    /// It was begun; whether it was done is not known.
    Unknown,
    /// It was done, and answered with this.
    Done(Reply),
    /// It was done, and answered with more than is remembered.
    Forgotten,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Begun,
    Done(Option<Reply>),
}

/// What one slot holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Kept {
    agent: AgentId,
    id: RequestId,
    state: State,
    /// Counts what was ever begun: tells which slot is next.
    turn: u64,
    /// The highest number of each agent that fell out.
    fallen: BTreeMap<AgentId, RequestId>,
}

/// The record.
#[derive(Debug, Default)]
pub struct Ledger {
    slots: BTreeMap<Slot, Kept>,
    /// How many were begun.
    turns: u64,
    fallen: BTreeMap<AgentId, RequestId>,
}

impl Ledger {
    /// Reads what was kept of an earlier life of this worker. What does not read is lost.
    pub fn restored(texts: &[String]) -> Self {
        let mut ledger = Self::default();
        for kept in texts.iter().filter_map(|text| serde_json::from_str::<Kept>(text).ok()) {
            for (agent, id) in &kept.fallen {
                ledger.fell(*agent, *id);
            }
            ledger.turns = ledger.turns.max(kept.turn + 1);
            ledger.slots.insert(slot(kept.turn), kept);
        }
        ledger
    }

    /// What became of a request.
    pub fn became(&self, (agent, id): Key) -> Became {
        let known = self.slots.values().find(|kept| (kept.agent, kept.id) == (agent, id));
        match known.map(|kept| &kept.state) {
            Some(State::Begun) => Became::Unknown,
            Some(State::Done(Some(reply))) => Became::Done(reply.clone()),
            Some(State::Done(None)) => Became::Forgotten,
            None if self.fallen.get(&agent).is_some_and(|fallen| id <= *fallen) => Became::Unknown,
            None => Became::NotStarted,
        }
    }

    /// A request is about to change something. Gives what is to be kept, if it is the first time.
    fn begin(&mut self, (agent, id): Key) -> Option<(Slot, String)> {
        if self.slots.values().any(|kept| (kept.agent, kept.id) == (agent, id)) {
            return None;
        }
        let turn = self.turns;
        self.turns += 1;
        if let Some(Kept { agent, id, .. }) = self.slots.remove(&slot(turn)) {
            self.fell(agent, id);
        }
        let kept = Kept { agent, id, state: State::Begun, turn, fallen: self.fallen.clone() };
        let text = serde_json::to_string(&kept).unwrap_or_default();
        self.slots.insert(slot(turn), kept);
        Some((slot(turn), text))
    }

    /// A request is answered. Gives what is to be kept, if it was ever begun.
    fn end(&mut self, (agent, id): Key, reply: &Reply) -> Option<(Slot, String)> {
        let fallen = self.fallen.clone();
        let (slot, kept) = self.slots.iter_mut().find(|(_, kept)| (kept.agent, kept.id) == (agent, id))?;
        let short = serde_json::to_string(reply).is_ok_and(|text| text.len() <= LONGEST);
        kept.state = State::Done(short.then(|| reply.clone()));
        kept.fallen = fallen;
        Some((*slot, serde_json::to_string(kept).unwrap_or_default()))
    }

    /// Agents that are no more ask no more.
    pub fn retain(&mut self, known: impl Fn(AgentId) -> bool) {
        self.fallen.retain(|agent, _| known(*agent));
    }

    fn fell(&mut self, agent: AgentId, id: RequestId) {
        let highest = self.fallen.entry(agent).or_insert(id);
        *highest = id.max(*highest);
    }
}

fn slot(turn: u64) -> Slot {
    Slot(u16::try_from(turn % u64::from(SLOTS)).unwrap_or_default())
}

impl Core {
    /// What is done from here on cannot be taken back: the request under way is written down as begun. To be called right
    /// before each effect; the browser carries the worker's calls in the order in which they were made, so what is kept
    /// here is kept before.
    pub fn begins(&self) {
        let Some(key) = self.current.get() else { return };
        let kept = self.ledger.borrow_mut().begin(key);
        if let Some((slot, text)) = kept {
            self.desk.tell(Output::KeepRequest { slot, text });
        }
    }

    /// The request is answered: the reply is kept before it is told.
    pub fn ends(&self, key: Key, reply: &Reply) {
        let kept = self.ledger.borrow_mut().end(key, reply);
        if let Some((slot, text)) = kept {
            self.desk.tell(Output::KeepRequest { slot, text });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(agent: u32, id: u64) -> Key {
        (AgentId(agent), RequestId(id))
    }

    /// A ledger and what was kept of it.
    #[derive(Default)]
    struct Life {
        ledger: Ledger,
        kept: BTreeMap<Slot, String>,
    }

    impl Life {
        fn begin(&mut self, key: Key) {
            self.kept.extend(self.ledger.begin(key));
        }

        fn end(&mut self, key: Key, text: &str) {
            self.kept.extend(self.ledger.end(key, &Reply::text(text)));
        }

        /// The same after the worker ended: all that was told must read alike.
        fn again(self) -> Self {
            let texts: Vec<_> = self.kept.values().cloned().collect();
            Self { ledger: Ledger::restored(&texts), kept: self.kept }
        }
    }

    #[test]
    fn each_step_of_a_request_is_told_also_by_the_next_life() {
        let mut life = Life::default().again();
        assert_eq!(life.ledger.became(key(1, 7)), Became::NotStarted);
        life.begin(key(1, 7));
        life = life.again();
        assert_eq!(life.ledger.became(key(1, 7)), Became::Unknown);
        assert_eq!(life.ledger.became(key(2, 7)), Became::NotStarted, "another agent's number");
        life.end(key(1, 7), "done");
        life = life.again();
        assert_eq!(life.ledger.became(key(1, 7)), Became::Done(Reply::text("done")));
        assert_eq!(life.ledger.begin(key(1, 7)), None, "begun once");
    }

    #[test]
    fn what_was_never_begun_is_not_kept_and_a_long_reply_is_told_as_forgotten() {
        let mut life = Life::default();
        life.end(key(1, 1), "a page was read");
        assert!(life.kept.is_empty());
        life.begin(key(1, 2));
        life.end(key(1, 2), &"x".repeat(LONGEST));
        assert_eq!(life.again().ledger.became(key(1, 2)), Became::Forgotten);
    }

    #[test]
    fn what_fell_out_is_never_told_as_not_started() {
        let mut life = Life::default();
        let last = u64::from(SLOTS) * 3;
        for id in 1..=last {
            life.begin(key(1, id));
            life.end(key(1, id), "done");
            if id % 100 == 0 {
                life = life.again();
            }
        }
        assert_eq!(life.kept.len(), usize::from(SLOTS), "the record is bounded");
        let life = life.again();
        for id in 1..=last {
            let became = life.ledger.became(key(1, id));
            assert_ne!(became, Became::NotStarted, "{id}");
            assert_eq!(became == Became::Unknown, id <= last - u64::from(SLOTS), "{id}");
        }
        assert_eq!(life.ledger.became(key(1, last + 1)), Became::NotStarted);
    }
}
