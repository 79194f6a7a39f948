//! A tree as indented lines, within a budget. What is left out is counted, and where to go on is told.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use thiserror::Error;

use super::line::{Style, line_onto};
use super::{Mode, Options, Rendered, estimate};
use crate::ids::Ref;
use crate::role::Role;
use crate::state::State;
use crate::tree::{At, Cut, Node, Tree};

/// Where a reply broke off: at the line of a ref, or so many lines after it; without a ref, after the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The last ref whose line was not left out, or the one to go on with.
    pub reference: Option<Ref>,
    /// Lines after it.
    pub lines: usize,
}

/// The text is no cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a cursor is what a reply said after cursor=, such as e390")]
pub struct NotACursor;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reference) = self.reference {
            write!(f, "{reference}")?;
        }
        if self.lines > 0 || self.reference.is_none() { write!(f, "+{}", self.lines) } else { Ok(()) }
    }
}

impl FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let text = text.trim();
        let text = text.strip_prefix("cursor=").unwrap_or(text);
        let (reference, lines) = text.split_once('+').unwrap_or((text, "0"));
        let reference =
            if reference.is_empty() { None } else { Some(reference.parse().map_err(|_| NotACursor)?) };
        if reference.is_none() && !text.starts_with('+') {
            return Err(NotACursor);
        }
        Ok(Self { reference, lines: lines.parse().map_err(|_| NotACursor)? })
    }
}

/// One line to be.
struct Line {
    at: At,
    depth: usize,
    /// Lines inside that the depth leaves out.
    inside: usize,
}

/// The tree's lines. A scope that is not in the tree gives no lines.
pub fn page(tree: &Tree, options: &Options) -> Rendered {
    let mut lines = outline(tree, options);
    if options.max_tokens.is_some() {
        first_things_first(tree, &mut lines, options);
    }
    let start = options.cursor.map_or(0, |cursor| cursor.find(tree, &lines));
    let mut rendered = Rendered { total: lines.len(), shown: start..start, ..Rendered::default() };
    let budget = options.max_tokens.unwrap_or(usize::MAX);
    // Where each line starts, and the tokens before it.
    let mut starts = Vec::new();
    let mut text = String::new();
    for line in &lines[start..] {
        text.clear();
        write_line(&mut text, tree, line, options);
        let tokens = estimate(&text);
        // One line is always said, whatever it costs: else no one would get on.
        if rendered.tokens + tokens > budget && !starts.is_empty() {
            break;
        }
        starts.push((rendered.text.len(), rendered.tokens));
        rendered.tokens += tokens;
        rendered.text.push_str(&text);
    }
    let mut end = start + starts.len();
    if end < lines.len() {
        // Better to go on with a line that has a ref.
        let referable =
            (start + 1..=end).rev().find(|index| tree.node(lines[*index].at).reference().is_some());
        if let Some(earlier) = referable.filter(|earlier| earlier - start > starts.len() / 2) {
            if let Some((length, tokens)) = starts.get(earlier - start).copied() {
                rendered.text.truncate(length);
                rendered.tokens = tokens;
            }
            end = earlier;
        }
        rendered.cursor = Some(Cursor::to(tree, &lines, end));
    }
    rendered.shown.end = end;
    rendered.shown_refs =
        lines[start..end].iter().filter_map(|line| tree.node(line.at).reference()).collect();
    rendered
}

impl Cursor {
    fn to(tree: &Tree, lines: &[Line], index: usize) -> Self {
        for (back, line) in lines[..=index].iter().rev().enumerate() {
            if let Some(reference) = tree.node(line.at).reference() {
                return Self { reference: Some(reference), lines: back };
            }
        }
        Self { reference: None, lines: index }
    }

    fn find(&self, tree: &Tree, lines: &[Line]) -> usize {
        let from = match self.reference {
            None => 0,
            Some(reference) => {
                let line = lines.iter().position(|line| tree.node(line.at).reference() == Some(reference));
                // What the ref stood for is no longer a line: go on with what follows its place.
                line.or_else(|| {
                    let at = tree.at(reference)?;
                    lines.iter().position(|line| line.at >= at)
                })
                .unwrap_or(0)
            }
        };
        from.saturating_add(self.lines).min(lines.len())
    }
}

fn write_line(out: &mut String, tree: &Tree, line: &Line, options: &Options) {
    for _ in 0..line.depth {
        out.push_str("  ");
    }
    let node = tree.node(line.at);
    let all_options = options.scope.is_some() && options.scope == node.reference();
    line_onto(out, node, Style { links: options.links, mode: options.mode, all_options });
    if line.inside > 0 {
        let _ = write!(out, " …{} lines inside", line.inside);
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
    let mut open: Vec<u32> = Vec::new();
    // The line whose inside is being left out.
    let mut deep: Option<usize> = None;
    for at in (from..to).map(At) {
        while open.last().is_some_and(|end| *end <= at.0) {
            open.pop();
        }
        let node = tree.node(at);
        let says = match &chosen {
            Some(chosen) => chosen[at.index()],
            None => is_said(node, options.mode) || at.0 == from && options.scope.is_some(),
        };
        if !says {
            continue;
        }
        let depth = open.len();
        open.push(node.end);
        if depth > most {
            if let Some(line) = deep.and_then(|deep| lines.get_mut(deep)) {
                line.inside += 1;
            }
            continue;
        }
        deep = Some(lines.len());
        lines.push(Line { at, depth, inside: 0 });
    }
    lines
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
    for (at, node) in tree.shown() {
        if !node.acts() || node.reference().is_none() {
            continue;
        }
        chosen[at.index()] = true;
        for ancestor in tree.ancestors(at) {
            if chosen[ancestor.index()] {
                break;
            }
            let node = tree.node(ancestor);
            if node.cut().is_none() && tells_where(node) {
                chosen[ancestor.index()] = true;
            }
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

/// When not all lines fit, what is open above the page comes first: dialogs that keep everything else from being worked.
fn first_things_first(tree: &Tree, lines: &mut Vec<Line>, options: &Options) {
    let Some(budget) = options.max_tokens else { return };
    let modal = lines.iter().position(|line| tree.node(line.at).is(&State::Modal));
    let Some(first) = modal.filter(|first| *first > 0) else { return };
    let mut tokens = 0;
    let mut text = String::new();
    for line in lines.iter() {
        text.clear();
        write_line(&mut text, tree, line, options);
        tokens += estimate(&text);
        if tokens > budget {
            break;
        }
    }
    if tokens <= budget {
        return;
    }
    let end = tree.node(lines[first].at).end;
    let last =
        lines[first..].iter().position(|line| line.at.0 >= end).map_or(lines.len(), |length| first + length);
    let base = lines[first].depth;
    let mut dialog: Vec<Line> = lines.drain(first..last).collect();
    for line in &mut dialog {
        line.depth -= base;
    }
    lines.splice(0..0, dialog);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_read_back() {
        for text in ["e390", "e390+5", "+120", "+0"] {
            assert_eq!(text.parse::<Cursor>().unwrap().to_string(), text);
        }
        for text in ["", "390", "e", "+", "e1+", "x+1"] {
            assert_eq!(text.parse::<Cursor>(), Err(NotACursor), "{text}");
        }
    }
}
