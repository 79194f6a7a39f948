//! What the developer tools report as selected: which of a tab's frames it is in, and the path to it. All of it is what
//! pages say; nothing here is taken for more.

use crate::clock::{Instant, Millis};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, hash::BuildHasher as _};

/// What one frame answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The address by which it was asked; empty for the tab's own document.
    pub frame: String,
    /// JSON text: where the last five selected nodes are, the newest first.
    #[serde(default)]
    pub nodes: Option<String>,
    /// Why it could not be asked.
    #[serde(default)]
    pub error: Option<String>,
}

/// What a part of a path goes on in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Within {
    /// The outermost document that the page could reach.
    Document,
    /// The shadow root of the node before.
    Shadow,
    /// The document that the frame before shows.
    Frame,
}

/// A step: the place among all children, from 0, and the name of what stood there.
pub type Step = (u32, String);

/// Where a node is, as the page says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Whereabouts {
    /// The address of the document that the path begins in.
    pub url: String,
    /// Whether that is the tab's own.
    pub top: bool,
    /// The parts of the path, outermost first.
    pub parts: Vec<(Within, Vec<Step>)>,
}

impl Whereabouts {
    /// Whether it is what the tools select by themselves when they open.
    fn is_usual(&self) -> bool {
        let [(Within::Document, steps)] = self.parts.as_slice() else { return false };
        self.top && steps.len() <= 2 && steps.last().is_none_or(|(_, name)| name == "BODY" || name == "HTML")
    }
}

/// What the reports come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selected {
    /// This node was selected.
    Node(Whereabouts),
    /// Nothing new.
    Same,
    /// Something in a frame that could not be asked, or in one of several of one address.
    Unseen,
}

/// The longest answer that is read, in bytes.
const LONGEST: usize = 256 * 1024;

/// So many frames are kept.
const MOST: usize = 64;

/// How many nodes a frame tells of.
const NODES: usize = 5;

type Nodes = Vec<Option<Whereabouts>>;

/// What the frames of a tab told last. Nodes are kept as hashes: paths are long, and it only matters whether they are others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    frames: BTreeMap<String, Vec<u64>>,
    /// How many selections were told before the tools said that there was one.
    ahead: u32,
    /// When they were, or when the tools were opened.
    since: Instant,
}

/// How long the tools may take to say that something was selected.
const LATE: Millis = Millis(2_000);

impl Heard {
    /// Takes reports in, with how often the tools said since the last ones that something was selected. The selection is in
    /// the frame whose list has moved on: frames of other processes go on telling of what was selected in them before.
    pub fn take(&mut self, now: Instant, events: u32, reports: Vec<Report>) -> Selected {
        let first = self.frames.is_empty();
        let refused = reports.iter().any(|report| report.error.is_some());
        let mut fresh: Vec<Whereabouts> = Vec::new();
        let mut steps = 0;
        let mut stood = false;
        for report in reports.into_iter().take(MOST) {
            let Some(nodes) = report.nodes.as_deref().and_then(read) else { continue };
            let list: Vec<u64> = nodes.iter().map(|node| FxBuildHasher.hash_one(node)).collect();
            let before = self.frames.get(&report.frame);
            let told = nodes.iter().flatten().count();
            let moved = before.map_or(told, |before| moved(before, &list));
            steps = steps.max(moved);
            // Five times the same: one more leaves no trace.
            stood |= moved == 0
                && list.len() == NODES
                && nodes[0].is_some()
                && list.iter().all(|of| *of == list[0]);
            if let Some(Some(newest)) = nodes.first().filter(|_| moved > 0)
                && !fresh.contains(newest)
            {
                fresh.push(newest.clone());
            }
            if self.frames.len() < MOST || before.is_some() {
                self.frames.insert(report.frame, list);
            }
        }
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let told_before = now - self.since < LATE && self.ahead >= events;
        if first {
            // Among several, what the tools did not select by themselves.
            fresh.retain(|node| !node.is_usual());
            (self.ahead, self.since) = (u32::MAX, now);
        } else if steps > 0 {
            (self.ahead, self.since) = (steps.saturating_sub(events), now);
        } else if told_before && self.ahead != u32::MAX {
            self.ahead -= events;
        }
        match fresh.len() {
            0 if first || stood || told_before || events == 0 || !refused => Selected::Same,
            1 => Selected::Node(fresh.remove(0)),
            _ => Selected::Unseen,
        }
    }
}

/// By how many nodes a list has moved on.
fn moved(before: &[u64], now: &[u64]) -> usize {
    let fits = |by: &usize| now[*by..].iter().zip(before).all(|(now, before)| now == before);
    (0..now.len()).find(fits).unwrap_or(now.len())
}

fn read(text: &str) -> Option<Nodes> {
    if text.len() > LONGEST {
        return None;
    }
    let mut nodes: Nodes = serde_json::from_str(text).ok()?;
    nodes.truncate(NODES);
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str, top: bool, name: &str) -> Whereabouts {
        let steps = vec![(1, "HTML".into()), (2, "BODY".into()), (0, name.into())];
        Whereabouts { url: url.into(), top, parts: vec![(Within::Document, steps)] }
    }

    fn told(frame: &str, nodes: &[Option<&Whereabouts>]) -> Report {
        let mut nodes = nodes.to_vec();
        nodes.resize(NODES, None);
        Report { frame: frame.into(), nodes: serde_json::to_string(&nodes).ok(), error: None }
    }

    fn refused(frame: &str) -> Report {
        Report { frame: frame.into(), nodes: None, error: Some("Permission denied".into()) }
    }

    const LONG: Instant = Instant(60_000);

    /// Opens the tools a long time before.
    fn opened(reports: Vec<Report>) -> Heard {
        let mut heard = Heard::default();
        assert_eq!(heard.take(Instant(1), 0, reports), Selected::Same);
        heard
    }

    #[test]
    fn the_selection_is_where_the_list_moved_on() {
        let (a, b) = (at("http://a/", true, "A"), at("http://b/", false, "B"));
        let mut heard = opened(vec![told("", &[])]);
        let one = vec![told("", &[Some(&a)]), told("http://b/", &[])];
        assert_eq!(heard.take(LONG, 1, one), Selected::Node(a.clone()));
        let both = vec![told("", &[Some(&a)]), told("http://b/", &[Some(&b)])];
        assert_eq!(heard.take(LONG, 1, both.clone()), Selected::Node(b.clone()));
        assert_eq!(heard.take(LONG, 1, both), Selected::Same);
        // Back to what was selected in the other frame before: its list moves on all the same.
        let back = vec![told("", &[Some(&a), Some(&a)]), told("http://b/", &[Some(&b)])];
        assert_eq!(heard.take(LONG, 1, back), Selected::Node(a));
    }

    #[test]
    fn what_the_tools_select_as_they_open_is_nobodys_choice() {
        let body = Whereabouts {
            parts: vec![(Within::Document, vec![(1, "HTML".into()), (2, "BODY".into())])],
            ..at("http://a/", true, "")
        };
        let button = at("http://a/", true, "BUTTON");
        let mut heard = opened(vec![told("", &[Some(&body)])]);
        let chosen = vec![told("", &[Some(&button), Some(&body)])];
        assert_eq!(heard.take(LONG, 1, chosen), Selected::Node(button.clone()));
        let chosen = vec![told("", &[Some(&body), Some(&button), Some(&body)])];
        assert_eq!(heard.take(LONG, 1, chosen), Selected::Node(body), "chosen now");
        // Opened on an element; that the tools say so later is nothing new.
        let mut heard = Heard::default();
        let on = vec![told("", &[Some(&button)]), refused("http://a/sand")];
        assert_eq!(heard.take(LONG, 0, on.clone()), Selected::Node(button));
        assert_eq!(heard.take(LONG, 1, on), Selected::Same);
    }

    #[test]
    fn frames_of_one_process_tell_the_same_and_those_that_cannot_be_asked_nothing() {
        let (a, b) = (at("http://a/", true, "A"), at("http://a/", true, "B"));
        let mut heard = opened(vec![told("", &[]), told("http://a/in", &[])]);
        let twice = vec![told("", &[Some(&a)]), told("http://a/in", &[Some(&a)]), refused("http://a/sand")];
        assert_eq!(heard.take(LONG, 1, twice.clone()), Selected::Node(a.clone()));
        assert_eq!(
            heard.take(LONG, 0, twice.clone()),
            Selected::Same,
            "nobody said that something was selected"
        );
        assert_eq!(heard.take(LONG, 1, twice), Selected::Unseen);
        // Two were told at once, of which the tools had said one: that of the other is no third.
        let two = vec![told("", &[Some(&a), Some(&b), Some(&a)]), refused("http://a/sand")];
        assert_eq!(heard.take(LONG, 1, two.clone()), Selected::Node(a));
        assert_eq!(heard.take(LONG, 1, two.clone()), Selected::Same);
        assert_eq!(heard.take(LONG, 1, two), Selected::Unseen);
    }

    #[test]
    fn what_a_page_makes_up_is_not_read() {
        let mut heard = Heard::default();
        let made_up = |nodes: String| vec![Report { frame: String::new(), nodes: Some(nodes), error: None }];
        for nodes in ["", "7", r#"[{"url":7}]"#, r#"[{"url":"","top":true,"parts":[["window",[]]]}]"#] {
            assert_eq!(heard.take(LONG, 1, made_up(nodes.into())), Selected::Same, "{nodes}");
        }
        let long = format!("[{}]", vec!["null"; LONGEST].join(","));
        assert_eq!(heard.take(LONG, 1, made_up(long)), Selected::Same);
    }
}
