//! What stands beside an element and tells it from its namesakes, where nothing around it has a key: the first texts of
//! the largest thing that holds it and none of them. Nothing that is worked, and nothing that changes by itself, counts.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::key;
use super::steady::{parted, steady};
use crate::ids::DocumentNo;
use crate::role::Role;
use crate::text::clip;
use crate::tree::{At, Tree};

/// What tells an element from its namesakes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Beside {
    /// How many levels above it that stands whose texts these are; 0: they stand before it.
    pub height: u32,
    /// Texts with letters.
    pub words: Vec<String>,
    /// The first number, where words do not tell all namesakes apart.
    pub number: Option<String>,
}

impl Beside {
    /// The words, or the number.
    pub fn said(&self) -> impl Iterator<Item = &str> {
        self.words.iter().chain(&self.number).map(String::as_str)
    }
}

/// More texts than this are rather what is said of a thing than what it is.
const TEXTS: usize = 3;
/// In something that has a key already, fewer tell enough.
const TEXTS_KEYED: usize = 2;
/// So many nodes are looked at.
const FAR_ENOUGH: usize = 64;
/// So many nodes before an element are looked at.
const NEAR: u32 = 12;
/// Longer texts tell no more.
const LONGEST: usize = 80;

/// What namesakes have in common.
type Kin = (DocumentNo, Role, Box<str>);

/// The namesakes of a tree, and the heading over each of its nodes.
#[derive(Clone, Debug)]
pub struct Surroundings {
    namesakes: FxHashMap<Kin, Namesakes>,
    headings: Vec<Option<At>>,
}

#[derive(Clone, Debug, Default)]
struct Namesakes {
    /// In document order.
    all: Vec<At>,
    /// What stands beside each, whether or not it is told by that.
    beside: OnceCell<Rc<[Option<Beside>]>>,
}

impl Surroundings {
    /// Those of a tree.
    pub fn of(tree: &Tree) -> Self {
        let mut namesakes = FxHashMap::<Kin, Namesakes>::default();
        for (at, node) in tree.iter() {
            if node.is_referable() && !node.is_hidden() {
                let kin = (node.document(), node.role(), steady(node.name()).into());
                namesakes.entry(kin).or_default().all.push(at);
            }
        }
        namesakes.retain(|_, those| those.all.len() > 1);
        Self { namesakes, headings: headings(tree) }
    }

    /// The heading over a node among its siblings.
    pub fn heading(&self, at: At) -> Option<At> {
        self.headings[at.index()]
    }
}

/// What tells a node from its namesakes; `None` when it has none, or nothing does.
pub fn of(tree: &Tree, at: At) -> Option<Beside> {
    let node = tree.node(at);
    let kin = (node.document(), node.role(), steady(node.name()).into());
    let those = tree.surroundings().namesakes.get(&kin)?;
    let place = those.all.binary_search(&at).ok()?;
    let beside = those.beside.get_or_init(|| all(tree, &those.all));
    beside.get(place).cloned().flatten()
}

/// Whether a node stands in another without a namesake.
pub fn is_alone_in(tree: &Tree, at: At, above: At) -> bool {
    let node = tree.node(at);
    let kin = (node.document(), node.role(), steady(node.name()).into());
    let Some(those) = tree.surroundings().namesakes.get(&kin) else { return true };
    let first = those.all.partition_point(|other| *other <= above);
    let within = those.all[first..].iter().take_while(|other| other.0 < tree.node(above).end);
    within.take(2).count() < 2
}

/// Whether the same stands beside a node now, whatever its namesakes: as far around it, or nearer, where others came.
pub fn is_same(tree: &Tree, at: At, was: &Beside) -> bool {
    let nearest = was.height.min(1);
    (nearest..=was.height)
        .rev()
        .map(|height| read(tree, at, height))
        .any(|now| now.words == was.words && (was.number.is_none() || now.number == was.number))
}

/// What stands beside each of some namesakes. Numbers are left out where words tell them all apart: they may count.
fn all(tree: &Tree, namesakes: &[At]) -> Rc<[Option<Beside>]> {
    let read: Vec<Beside> = namesakes
        .iter()
        .enumerate()
        .map(|(place, at)| {
            let before = place.checked_sub(1).map(|place| namesakes[place]);
            let after = namesakes.get(place + 1).copied();
            let within = read(tree, *at, height(tree, *at, before, after));
            if within.height > 0 && within.words.is_empty() && within.number.is_none() {
                read_before(tree, *at)
            } else {
                within
            }
        })
        .collect();
    let mut said = FxHashMap::<&str, usize>::default();
    for text in read.iter().flat_map(|one| &one.words) {
        *said.entry(text).or_default() += 1;
    }
    // A row whose words are all told of others too is told by its number, and so are the others like it.
    let is_told = |one: &Beside| one.words.iter().any(|text| said[text.as_str()] == 1);
    let by_number = !read.iter().all(is_told);
    read.iter()
        .map(|one| {
            let number = one.number.clone().filter(|_| by_number);
            let tells = !one.words.is_empty() || number.is_some();
            tells.then(|| Beside { number, ..one.clone() })
        })
        .collect()
}

/// How far above a node the largest thing stands that holds none of its namesakes: within its document, and not above
/// what has a key of its own.
fn height(tree: &Tree, at: At, before: Option<At>, after: Option<At>) -> u32 {
    let document = tree.node(at).document();
    let mut height = 0;
    for above in tree.ancestors(at) {
        let node = tree.node(above);
        let holds = |other: Option<At>| other.is_some_and(|other| other > above && other.0 < node.end);
        if node.document() != document || holds(before) || holds(after) {
            break;
        }
        height += 1;
        if key::is_item(node.role()) {
            break;
        }
    }
    height
}

fn read(tree: &Tree, at: At, height: u32) -> Beside {
    let levels = usize::try_from(height).unwrap_or(usize::MAX);
    let Some(above) = levels.checked_sub(1).and_then(|levels| tree.ancestors(at).nth(levels)) else {
        return read_before(tree, at);
    };
    let most = if key::is_item(tree.node(above).role()) { TEXTS_KEYED } else { TEXTS };
    let mut words = Vec::new();
    let mut number = None;
    for text in key::texts(tree, above, Some(at)).take(FAR_ENOUGH) {
        let (said, first) = parted(text);
        if !said.is_empty() {
            words.push(clip(&said, LONGEST).into_owned());
        }
        number = number.or(first);
        if words.len() == most {
            break;
        }
    }
    Beside { height, words, number }
}

/// The nearest text before an element, up to its next namesake: where rows are not even boxes.
fn read_before(tree: &Tree, at: At) -> Beside {
    let mut beside = Beside { height: 0, words: Vec::new(), number: None };
    let own = tree.node(at);
    let Some(above) = own.parent() else { return beside };
    for place in (above.0 + 1..at.0).rev().take(NEAR as usize).map(At) {
        let node = tree.node(place);
        if node.role() == own.role() && steady(node.name()) == steady(own.name()) {
            break;
        }
        let worked = |at: At| tree.node(at).is_referable() && tree.node(at).role().is_interactive();
        if tree.ancestors(place).take_while(|around| *around != above).any(worked) {
            continue;
        }
        if !node.is_text() || node.is_hidden() {
            continue;
        }
        let (said, first) = parted(node.own_text());
        beside.number = beside.number.or(first);
        if !said.is_empty() {
            beside.words.push(clip(&said, LONGEST).into_owned());
            break;
        }
    }
    beside
}

/// The heading over each node: the last one among the siblings before it, or in one of them that holds nothing else to
/// work with.
fn headings(tree: &Tree) -> Vec<Option<At>> {
    /// What a node holds.
    #[derive(Clone, Copy)]
    enum Holds {
        Nothing,
        Heading(At),
        Other,
    }
    let many = tree.len();
    let mut holds = vec![Holds::Nothing; many];
    for index in (0..many).rev() {
        let at = At::new(index);
        let node = tree.node(at);
        let own = if node.is_hidden() {
            Holds::Nothing
        } else if node.role() == Role::Heading {
            Holds::Heading(at)
        } else if node.acts() || key::is_item(node.role()) {
            Holds::Other
        } else {
            holds[index]
        };
        holds[index] = own;
        if let Some(parent) = node.parent() {
            let sum = &mut holds[parent.index()];
            *sum = match (*sum, own) {
                (known, Holds::Nothing) => known,
                (Holds::Nothing, own) => own,
                (Holds::Heading(_) | Holds::Other, Holds::Heading(_) | Holds::Other) => Holds::Other,
            };
        }
    }
    let mut last = vec![None; many];
    let mut over = vec![None; many];
    for index in 0..many {
        let Some(parent) = tree.node(At::new(index)).parent() else { continue };
        over[index] = last[parent.index()];
        if let Holds::Heading(heading) = holds[index] {
            last[parent.index()] = Some(heading);
        }
    }
    over
}
