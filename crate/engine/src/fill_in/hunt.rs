//! The hunt for closed shadow roots: on where nodes are hidden, and over when none is. First the likely hosts are asked,
//! then the slots that the browser finds, then every element that may be a host.

use super::{
    learnt,
    roots::{self, Among, Revealed},
};
use crate::{
    census::{self, Hidden},
    failure::Failure,
    place::Reach,
};
use snapshot::Facts;

/// What is to be asked next.
#[derive(Debug, Default, Clone, Copy)]
enum Stage {
    #[default]
    Likely,
    Slots,
    All,
}

/// A hunt in one document.
#[derive(Debug, Default)]
pub(super) struct Hunt {
    stage: Stage,
    hidden: Option<Hidden>,
    begun: bool,
}

impl Hunt {
    /// Begins with what was counted before the document was read.
    pub fn new(hidden: Option<Hidden>) -> Self {
        Self { hidden, ..Self::default() }
    }

    /// What is hidden still; none where the browser does not count.
    pub fn hidden(&self) -> Option<Hidden> {
        self.hidden
    }

    /// Asks once, unless nothing is hidden. `beside` are the documents of the tab.
    pub async fn go_on(
        &mut self,
        reach: &Reach,
        beside: &[Reach],
        facts: &Facts,
    ) -> Result<Revealed, Failure> {
        // What was counted may be another moment's by now.
        if self.hidden.is_some_and(|hidden| hidden != 0) {
            self.hidden = census::hidden(reach, beside).await;
        }
        let hidden = self.hidden;
        let (before, now) = learnt(reach, facts.document(), |learnt| {
            let (before, now) = (learnt.hidden, hidden.unwrap_or(0));
            // Who had none may have been given one since.
            if now > before {
                learnt.asked.clear();
                learnt.kinds.clear();
            }
            learnt.hidden = now;
            (before, now)
        });
        if hidden == Some(0) {
            return Ok(Revealed::default());
        }
        // What stayed hidden when all were asked is not to be had: only who came since is asked.
        if hidden.is_some() && now == before && !self.begun {
            self.stage = Stage::All;
        }
        self.begun = true;
        if matches!(self.stage, Stage::Likely) {
            match roots::reveal(reach, facts, Among::Likely).await? {
                Some(revealed) => {
                    // Others are asked next, unless this was all that is known of roots.
                    let more = revealed.more || hidden.is_some();
                    return Ok(Revealed { more, ..revealed });
                }
                None if hidden.is_none() => return Ok(Revealed::default()),
                None => self.stage = Stage::Slots,
            }
        }
        if matches!(self.stage, Stage::Slots) {
            self.stage = Stage::All;
            let fresh = roots::reveal_by_slots(reach, facts).await?;
            if fresh > 0 {
                return Ok(Revealed { fresh, ..Revealed::default() });
            }
        }
        Ok(roots::reveal(reach, facts, Among::All).await?.unwrap_or_default())
    }
}
