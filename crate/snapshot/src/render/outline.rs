//! A tree as indented lines, within a budget. What is left out is counted, and where to go on is told.
//!
//! A tree that is over its budget is told in this order: what is open above the page ([`super::urgent`]), then the page
//! with rows of one shape folded ([`super::fold`]), as many as the budget asks, then cut. A reply to a cursor goes on
//! line by line, with nothing folded: all cursors together give each line once.

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

use super::cursor::Cursor;
use super::fold::{Piece, SAID, Shapes};
use super::line::{Style, line_onto};
use super::{Mode, Options, Rendered, estimate, urgent};
use crate::ids::Ref;
use crate::role::Role;
use crate::state::State;
use crate::tree::{At, Cut, Node, Tree};

/// A smaller budget is taken for this: room for one line.
const LEAST: usize = 40;

/// One line to be.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub at: At,
    pub depth: usize,
    /// Lines inside that the depth leaves out.
    pub inside: usize,
    /// Which of how many siblings that read the same; nothing when there is no other.
    pub twin: Option<(u32, u32)>,
    /// A row right under its table: its role goes without saying.
    pub is_plain: bool,
}

/// The tree's lines. A scope that is not in the tree gives no lines.
pub fn page(tree: &Tree, options: &Options) -> Rendered {
    let mut lines = outline(tree, options);
    let budget = options.max_tokens.map_or(usize::MAX, |most| most.max(LEAST));
    let told: FxHashSet<Ref> = options.told.iter().copied().collect();
    let writer = Writer { tree, options, budget };
    let mut rendered = Rendered { total: lines.len(), ..Rendered::default() };
    rendered.deeper = lines.iter().map(|line| line.inside).sum();
    if options.mode == Mode::Interactive && options.cursor.is_none() {
        let full = outline(tree, &Options { mode: Mode::Full, ..options.clone() });
        rendered.of_full = Some(full.len());
    }
    let whole: Vec<Piece> = (0..lines.len()).map(Piece::Line).collect();
    if options.cursor.is_none() && writer.fits(&lines, &whole) {
        writer.write(&lines, &whole, &mut rendered);
        rendered.shown = 0..lines.len();
        return rendered;
    }
    rendered.urgent_first = urgent::first(tree, &mut lines);
    let (start, end) = match options.cursor {
        None => (0, lines.len()),
        Some(cursor) => {
            let start = cursor.find(tree, &lines);
            (start, cursor.most.map_or(lines.len(), |most| start.saturating_add(most).min(lines.len())))
        }
    };
    let pieces = if options.cursor.is_some() {
        say_rows_of_tables_above(&mut lines[start..end]);
        (start..end).map(Piece::Line).collect()
    } else {
        let shapes = Shapes::of(tree, &lines, &told);
        let mut folded = SAID.iter().map(|said| shapes.fold(*said));
        let mut last = whole;
        loop {
            let Some(pieces) = folded.next() else { break last };
            if writer.fits(&lines, &pieces) {
                break pieces;
            }
            last = pieces;
        }
    };
    let next = writer.write(&lines, &pieces, &mut rendered).unwrap_or(end);
    rendered.shown = start..next;
    if next < end {
        let most = options.cursor.and_then(|cursor| cursor.most).map(|_| end - next);
        rendered.cursor = Some(Cursor::to(tree, &lines, next, most));
    }
    rendered
}

struct Writer<'a> {
    tree: &'a Tree,
    options: &'a Options,
    budget: usize,
}

impl Writer<'_> {
    /// Whether it all fits the budget.
    fn fits(&self, lines: &[Line], pieces: &[Piece]) -> bool {
        if self.budget == usize::MAX {
            return true;
        }
        let mut tokens = 0;
        let mut text = String::new();
        pieces.iter().all(|piece| {
            text.clear();
            self.piece(&mut text, lines, *piece, None);
            tokens += estimate(&text);
            tokens <= self.budget
        })
    }

    /// Writes what fits; gives the index of the first line that did not.
    fn write(&self, lines: &[Line], pieces: &[Piece], rendered: &mut Rendered) -> Option<usize> {
        let mut text = String::new();
        for (place, piece) in pieces.iter().enumerate() {
            text.clear();
            self.piece(&mut text, lines, *piece, None);
            let mut tokens = estimate(&text);
            // One line is always said, cut in itself if it must be: else no one would get on.
            if tokens > self.budget && place == 0 {
                text.clear();
                self.shortened(&mut text, lines, *piece);
                tokens = estimate(&text);
                rendered.clipped = true;
            }
            if rendered.tokens + tokens > self.budget && place > 0 {
                return Some(match *piece {
                    Piece::Line(index) => index,
                    Piece::Fold { from, .. } => from,
                });
            }
            rendered.tokens += tokens;
            rendered.text.push_str(&text);
            match *piece {
                Piece::Line(index) => {
                    rendered.lines += 1;
                    rendered.shown_refs.extend(self.tree.node(lines[index].at).reference());
                }
                Piece::Fold { from, lines: folded, .. } => {
                    rendered.folded += folded;
                    rendered.folds.push(Cursor::to(self.tree, lines, from, Some(folded)));
                }
            }
        }
        None
    }

    fn piece(&self, out: &mut String, lines: &[Line], piece: Piece, longest: Option<usize>) {
        match piece {
            Piece::Line(index) => write_line(out, self.tree, &lines[index], self.options, longest),
            Piece::Fold { from, lines: folded, rows } => {
                indent(out, lines[from].depth);
                let cursor = Cursor::to(self.tree, lines, from, Some(folded));
                let _ = writeln!(out, "…{rows} more like these: cursor={cursor}");
            }
        }
    }

    /// A line with its texts cut as far as the budget asks.
    fn shortened(&self, out: &mut String, lines: &[Line], piece: Piece) {
        let mut longest = self.budget * 2;
        loop {
            out.clear();
            self.piece(out, lines, piece, Some(longest));
            if estimate(out) <= self.budget || longest == 0 {
                return;
            }
            longest /= 2;
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push(' ');
    }
}

fn write_line(out: &mut String, tree: &Tree, line: &Line, options: &Options, longest: Option<usize>) {
    indent(out, if longest == Some(0) { 0 } else { line.depth });
    let node = tree.node(line.at);
    let all_options = options.scope.is_some() && options.scope == node.reference();
    line_onto(
        out,
        node,
        Style {
            links: options.links,
            mode: options.mode,
            all_options,
            longest,
            twin: line.twin,
            is_plain: line.is_plain,
            bounds: if options.mode == Mode::Verbose { tree.bounds(node) } else { None },
        },
    );
    if line.inside > 0 {
        let _ = write!(out, " …{} inside", line.inside);
    }
    out.push('\n');
}

/// The lines there are to say.
fn outline(tree: &Tree, options: &Options) -> Vec<Line> {
    let (from, to) = match options.scope {
        None => (0, At::new(tree.len()).0),
        Some(scope) => match tree.at(scope) {
            Some(at) => (at.0, tree.node(at).end),
            None => return Vec::new(),
        },
    };
    let chosen = (options.mode == Mode::Interactive).then(|| interactive(tree));
    let most = options.depth.map_or(usize::MAX, |depth| depth as usize);
    let mut lines: Vec<Line> = Vec::new();
    let mut open: Vec<(u32, Role)> = Vec::new();
    // The line whose inside is being left out.
    let mut deep: Option<usize> = None;
    for at in (from..to).map(At) {
        while open.last().is_some_and(|(end, _)| *end <= at.0) {
            open.pop();
        }
        let node = tree.node(at);
        let is_scope = at.0 == from && options.scope.is_some();
        let says = match &chosen {
            Some(chosen) => chosen[at.index()] || is_scope,
            None => is_said(node, options.mode) || is_scope,
        };
        if !says {
            continue;
        }
        let depth = open.len();
        let is_plain = node.role() == Role::Row
            && node.reference().is_some()
            && !(node.name().is_empty() && node.folded().is_empty())
            && open.last().is_some_and(|(_, over)| matches!(over, Role::Table | Role::Grid | Role::TreeGrid));
        open.push((node.end, node.role()));
        if depth > most {
            if let Some(line) = deep.and_then(|deep| lines.get_mut(deep)) {
                line.inside += 1;
            }
            continue;
        }
        deep = Some(lines.len());
        lines.push(Line { at, depth, inside: 0, twin: None, is_plain });
    }
    number_twins(tree, &mut lines);
    lines
}

/// Where a reply begins inside a table, its rows say what they are.
fn say_rows_of_tables_above(lines: &mut [Line]) {
    let mut outermost = usize::MAX;
    for line in lines {
        line.is_plain &= outermost < line.depth;
        outermost = outermost.min(line.depth);
    }
}

/// What a line says besides its ref.
type Reads<'a> = (Role, &'a str, &'a str, Option<&'a str>, &'a [State], &'a [Box<str>]);

/// Numbers siblings that can be acted on and read the same: nothing else would tell them apart.
fn number_twins(tree: &Tree, lines: &mut [Line]) {
    let mut groups: FxHashMap<(Option<At>, Reads<'_>), Vec<usize>> = FxHashMap::default();
    let mut open: Vec<(u32, At)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        while open.last().is_some_and(|(end, _)| *end <= line.at.0) {
            open.pop();
        }
        let node = tree.node(line.at);
        // What has lines of its own inside is told apart by them.
        let is_leaf = lines.get(index + 1).is_none_or(|next| next.depth <= line.depth);
        if node.acts() && node.reference().is_some() && is_leaf {
            let reads = (node.role(), node.name(), node.icon(), node.value(), node.states(), node.folded());
            groups.entry((open.last().map(|(_, parent)| *parent), reads)).or_default().push(index);
        }
        open.push((node.end, line.at));
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let twins: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    for group in twins {
        for (place, index) in group.iter().enumerate() {
            lines[*index].twin = Some((count(place + 1), count(group.len())));
        }
    }
}

fn is_said(node: &Node, mode: Mode) -> bool {
    match node.cut() {
        None => true,
        Some(Cut::Plain | Cut::Wrapper | Cut::Repeated) => mode == Mode::Verbose,
        Some(Cut::Hidden | Cut::Merged | Cut::Folded) => false,
    }
}

/// What can be acted on, and what tells where it stands.
fn interactive(tree: &Tree) -> Vec<bool> {
    let mut chosen = vec![false; tree.len()];
    let acting = || tree.shown().filter(|(_, node)| node.acts() && node.reference().is_some());
    let mut namesakes: FxHashMap<(Role, &str), u32> = FxHashMap::default();
    for (_, node) in acting() {
        *namesakes.entry((node.role(), node.name())).or_default() += 1;
    }
    // What is around a node is looked at once for one that is alone, and once for a namesake.
    let mut looked = vec![0; tree.len()];
    for (at, node) in acting() {
        chosen[at.index()] = true;
        let is_alone = namesakes.get(&(node.role(), node.name())) == Some(&1);
        let closely = if is_alone { 1 } else { 2 };
        for ancestor in tree.ancestors(at) {
            if looked[ancestor.index()] >= closely {
                break;
            }
            looked[ancestor.index()] = closely;
            let around = tree.node(ancestor);
            // An item's words are told where they tell namesakes apart.
            let tells = tells_where(around) || (!is_alone && !around.folded().is_empty());
            chosen[ancestor.index()] |= around.cut().is_none() && tells;
        }
    }
    chosen
}

fn tells_where(node: &Node) -> bool {
    if matches!(node.role(), Role::Row | Role::Iframe | Role::Dialog | Role::AlertDialog) {
        return true;
    }
    !node.name().is_empty() && !node.is_text() && node.role() != Role::Heading
}
