//! Which nodes stand elsewhere now. Among siblings as few as possible: those outside a longest run that kept its order.

use rustc_hash::{FxHashMap, FxHashSet};

use super::pair::Pairs;
use crate::tree::{At, Tree};

/// Nodes of the new tree that moved.
pub(super) type Moved = FxHashSet<At>;

/// Compares the places of nodes that are in both trees. What a new node was put around, or what a node that is gone was
/// around, did not move by that.
pub(super) fn moved(old: &Tree, new: &Tree, pairs: &Pairs<'_>) -> Moved {
    // Where a node of the new tree stood in the old one: what it was in, and how far along.
    let mut stood: Vec<Option<(Option<At>, usize)>> = vec![None; new.len()];
    let mut along = 0;
    nearest(
        old,
        |at| pairs.new_of(at).is_some(),
        |at, holder| {
            if let Some(now) = pairs.new_of(at) {
                stood[now.index()] = Some((holder.and_then(|holder| pairs.new_of(holder)), along));
                along += 1;
            }
        },
    );
    let mut moved = Moved::default();
    let mut kept: FxHashMap<Option<At>, Vec<(At, usize)>> = FxHashMap::default();
    nearest(
        new,
        |at| pairs.old_of(at).is_some(),
        |at, holder| {
            let Some((held, along)) = stood[at.index()] else { return };
            if held == holder {
                kept.entry(holder).or_default().push((at, along));
            } else {
                moved.insert(at);
            }
        },
    );
    for siblings in kept.values() {
        if siblings.windows(2).all(|pair| pair[0].1 < pair[1].1) {
            continue;
        }
        let order: Vec<usize> = siblings.iter().map(|(_, along)| *along).collect();
        let stay: FxHashSet<usize> = longest_run(&order).into_iter().collect();
        moved.extend(
            siblings.iter().enumerate().filter(|(index, _)| !stay.contains(index)).map(|(_, (at, _))| *at),
        );
    }
    moved
}

/// Visits shown nodes that count, each with the nearest around it that counts.
fn nearest(tree: &Tree, counts: impl Fn(At) -> bool, mut visit: impl FnMut(At, Option<At>)) {
    let mut open: Vec<(At, u32)> = Vec::new();
    for (at, node) in tree.shown() {
        if !counts(at) {
            continue;
        }
        while open.last().is_some_and(|(_, end)| *end <= at.0) {
            open.pop();
        }
        visit(at, open.last().map(|(holder, _)| *holder));
        open.push((at, node.end));
    }
}

/// Indices of a longest increasing subsequence.
fn longest_run(numbers: &[usize]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (index, number) in numbers.iter().enumerate() {
        let length = tails.partition_point(|tail| numbers[*tail] < *number);
        before[index] = length.checked_sub(1).map(|last| tails[last]);
        if length == tails.len() {
            tails.push(index);
        } else {
            tails[length] = index;
        }
    }
    let mut run: Vec<usize> = std::iter::successors(tails.last().copied(), |index| before[*index]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::longest_run;

    #[test]
    fn one_number_out_of_place_is_the_only_one_to_move() {
        assert_eq!(longest_run(&[1, 2, 9, 3, 4]), [0, 1, 3, 4]);
        assert_eq!(longest_run(&[]), [0usize; 0]);
        assert_eq!(longest_run(&[3, 2, 1]).len(), 1);
    }
}
