//! Folds rows of the same shape when a tree is over its budget: the first few are said, then one line counts the others
//! and gives the cursor that unfolds them. What has focus, is chosen, is wrong, is a dialog, or was just told of is
//! never folded away.

use rustc_hash::FxHashSet;

use super::outline::Line;
use crate::ids::Ref;
use crate::role::Role;
use crate::state::State;
use crate::tree::{Node, Tree};

/// What is said of the lines, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line, by its index.
    Line(usize),
    /// Lines that are folded.
    Fold {
        /// The first.
        from: usize,
        /// How many lines.
        lines: usize,
        /// How many rows these are.
        rows: usize,
    },
}

/// How many rows of a run are said, the most first: the first number that fits the budget is taken.
pub(super) const SAID: [usize; 16] = [512, 384, 256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3];

/// What is known of the lines before anything is folded.
pub(super) struct Shapes {
    /// One past the last line inside each.
    ends: Vec<usize>,
    /// The role of each, and the roles inside it, as bits.
    roles: Vec<(Role, u128)>,
    /// Whether something in it, or itself, must be said.
    kept: Vec<bool>,
}

impl Shapes {
    pub(super) fn of(tree: &Tree, lines: &[Line], told: &FxHashSet<Ref>) -> Self {
        let mut ends = vec![lines.len(); lines.len()];
        let mut open: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            while let Some(last) = open.last().filter(|last| lines[**last].depth >= line.depth) {
                ends[*last] = index;
                open.pop();
            }
            open.push(index);
        }
        let mut shapes: Vec<(Role, u128)> = lines.iter().map(|line| (tree.node(line.at).role(), 0)).collect();
        let mut kept: Vec<bool> = lines.iter().map(|line| must_be_said(tree.node(line.at), told)).collect();
        // From the inside out: a line's parent is the nearest line before it that is less deep.
        let mut parents: Vec<Option<usize>> = vec![None; lines.len()];
        let mut path: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            while path.last().is_some_and(|last| lines[*last].depth >= line.depth) {
                path.pop();
            }
            parents[index] = path.last().copied();
            path.push(index);
        }
        for index in (0..lines.len()).rev() {
            if let Some(parent) = parents[index] {
                let bits = shapes[index].1 | 1 << (shapes[index].0 as u8);
                shapes[parent].1 |= bits;
                kept[parent] = kept[parent] || kept[index];
            }
        }
        Self { ends, roles: shapes, kept }
    }

    /// The lines with so many rows of each run said and the others folded.
    pub(super) fn fold(&self, said: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        // What is still to be done, the next last.
        let mut open = vec![Todo::Siblings(0, self.ends.len())];
        while let Some(todo) = open.pop() {
            let (from, to) = match todo {
                Todo::Row(row) => {
                    pieces.push(Piece::Line(row));
                    open.push(Todo::Siblings(row + 1, self.ends[row]));
                    continue;
                }
                Todo::Fold(fold) => {
                    pieces.push(fold);
                    continue;
                }
                Todo::Siblings(from, to) if from < to => (from, to),
                Todo::Siblings(..) => continue,
            };
            let run = self.run(from, to);
            open.push(Todo::Siblings(self.ends[run[run.len() - 1]], to));
            let parts = self.parts(&run, said);
            open.extend(parts.into_iter().rev());
        }
        pieces
    }

    /// The rows of a run: the first ones, and those that must be said; between them, folds.
    fn parts(&self, run: &[usize], said: usize) -> Vec<Todo> {
        let mut parts: Vec<Todo> = Vec::new();
        for (index, row) in run.iter().copied().enumerate() {
            let lines = self.ends[row] - row;
            if run.len() <= said + 1 || index < said || self.kept[row] {
                parts.push(Todo::Row(row));
            } else if let Some(Todo::Fold(Piece::Fold { lines: before, rows, .. })) = parts.last_mut() {
                *before += lines;
                *rows += 1;
            } else {
                parts.push(Todo::Fold(Piece::Fold { from: row, lines, rows: 1 }));
            }
        }
        for part in &mut parts {
            // One line for one line saves nothing.
            if let Todo::Fold(Piece::Fold { from, lines: 1, .. }) = part {
                *part = Todo::Row(*from);
            }
        }
        parts
    }

    /// The row at a place and its siblings of the same shape right after it.
    fn run(&self, from: usize, to: usize) -> Vec<usize> {
        let mut run = vec![from];
        if !folds(self.roles[from].0) {
            return run;
        }
        let mut next = self.ends[from];
        while next < to && alike(self.roles[from], self.roles[next]) {
            run.push(next);
            next = self.ends[next];
        }
        run
    }
}

/// What is to be done yet.
enum Todo {
    /// Siblings from one line up to another, each with what is in it.
    Siblings(usize, usize),
    /// One row, and what is in it.
    Row(usize),
    /// A fold.
    Fold(Piece),
}

/// Of one shape: the same role, and no role in the one that could not be in the other: a row may lack what its
/// neighbour has.
fn alike(one: (Role, u128), other: (Role, u128)) -> bool {
    one.0 == other.0 && (one.1 & other.1 == one.1 || one.1 & other.1 == other.1)
}

/// Roles of which there are many of a kind. Each field of a form is its own; texts and headings are content.
fn folds(role: Role) -> bool {
    matches!(
        role,
        Role::Article
            | Role::Button
            | Role::Cell
            | Role::Comment
            | Role::Figure
            | Role::Generic
            | Role::GridCell
            | Role::Group
            | Role::Image
            | Role::Link
            | Role::ListItem
            | Role::MenuItem
            | Role::Option
            | Role::Row
            | Role::TreeItem
    )
}

fn must_be_said(node: &Node, told: &FxHashSet<Ref>) -> bool {
    let holds = node.states().iter().any(|state| {
        matches!(
            state,
            State::Focused
                | State::Selected
                | State::Checked
                | State::Current(_)
                | State::Invalid(_)
                | State::Modal
                | State::Busy
        )
    });
    holds
        || node.pointed().is_some()
        || matches!(node.role(), Role::Alert | Role::AlertDialog | Role::Dialog)
        || node.reference().is_some_and(|reference| told.contains(&reference))
}
