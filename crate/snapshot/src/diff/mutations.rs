//! Pages that are mutated by chance: a diff says no more than was done to the page, and what was moved is told as that.

use proptest::prelude::*;

use super::{Diff, Entry, Outline, diff};
use crate::facts::sketch::sketch;
use crate::page::Page;
use crate::refs::Refs;
use crate::tree::Tree;

/// A group with a button of its own; what is in it follows, one deeper.
#[derive(Clone, Debug)]
struct Group {
    number: u32,
    depth: usize,
    word: u32,
}

/// One thing done to a page, where it falls.
#[derive(Clone, Debug)]
enum Mutation {
    Add(prop::sample::Index),
    Remove(prop::sample::Index),
    Rename(prop::sample::Index),
    Move(prop::sample::Index, prop::sample::Index),
}

fn drawn(groups: &[Group]) -> String {
    let mut page = "body#1".to_owned();
    for Group { number, depth, word } in groups {
        let indent = "  ".repeat(depth + 1);
        page.push_str(&format!(
            "\n{indent}div#{number} role=group aria-label=w{word}\n{indent}  button#{} \"b{number}\"",
            number + 10_000
        ));
    }
    page
}

fn groups() -> impl Strategy<Value = Vec<Group>> {
    prop::collection::vec(0usize..4, 1..20).prop_map(|depths| {
        let mut groups: Vec<Group> = Vec::new();
        for (number, depth) in (2..).zip(depths) {
            let most = groups.last().map_or(0, |last| last.depth + 1);
            groups.push(Group { number, depth: depth.min(most), word: number });
        }
        groups
    })
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        index().prop_map(Mutation::Add),
        index().prop_map(Mutation::Remove),
        index().prop_map(Mutation::Rename),
        (index(), index()).prop_map(|(from, to)| Mutation::Move(from, to)),
    ]
}

/// A group with all that is in it.
fn block(groups: &[Group], at: usize) -> std::ops::Range<usize> {
    let end = groups[at + 1..].iter().position(|group| group.depth <= groups[at].depth);
    at..end.map_or(groups.len(), |end| at + 1 + end)
}

/// Does it, to a page that has at least one group.
fn mutate(groups: &mut Vec<Group>, mutation: &Mutation, fresh: u32) {
    match mutation {
        Mutation::Add(at) => {
            let at = at.index(groups.len());
            let depth = groups[at].depth;
            groups.insert(at, Group { number: fresh, depth, word: fresh });
        }
        Mutation::Remove(at) => {
            let taken = block(groups, at.index(groups.len()));
            if taken.len() < groups.len() {
                groups.drain(taken);
            }
        }
        Mutation::Rename(at) => {
            let at = at.index(groups.len());
            groups[at].word = fresh;
        }
        Mutation::Move(from, to) => {
            let taken = block(groups, from.index(groups.len()));
            let mut moved: Vec<Group> = groups.drain(taken).collect();
            let at = to.index(groups.len() + 1);
            // Beside what is there, or into the group before it at the end.
            let depth = groups.get(at).or(groups.last()).map_or(0, |beside| beside.depth);
            let by = moved[0].depth;
            for group in &mut moved {
                group.depth = group.depth - by + depth;
            }
            groups.splice(at..at, moved);
        }
    }
}

fn compared(before: &[Group], after: &[Group]) -> (Diff, Tree, Tree) {
    let mut refs = Refs::new();
    let old = Tree::build(&Page::single(sketch(1, &drawn(before))), &mut refs);
    let new = Tree::build_after(&Page::single(sketch(1, &drawn(after))), &mut refs, &old);
    (diff(&old, &new), old, new)
}

/// What is in what, in its order.
fn shape(groups: &[Group]) -> Vec<(u32, usize)> {
    groups.iter().map(|group| (group.number, group.depth)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_has_at_most_two_entries_for_each_mutation(before in groups(), mutations in prop::collection::vec(mutation(), 1..6)) {
        let mut after = before.clone();
        for (fresh, mutation) in (1_000..).zip(&mutations) {
            mutate(&mut after, mutation, fresh);
        }
        let (diff, old, new) = compared(&before, &after);
        prop_assert_eq!(diff.apply(&Outline::of(&old), &new), Outline::of(&new));
        let entries = diff.entries().len();
        prop_assert!(entries <= 2 * mutations.len(), "{} entries for {:?}", entries, mutations);
    }

    #[test]
    fn what_is_moved_is_one_move(before in groups(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let mut after = before.clone();
        mutate(&mut after, &Mutation::Move(from, to), 0);
        let (diff, _, _) = compared(&before, &after);
        let moves = diff.entries().iter().filter(|entry| matches!(entry, Entry::Moved { .. })).count();
        let expected = usize::from(shape(&before) != shape(&after));
        prop_assert_eq!((diff.entries().len(), moves), (expected, expected));
    }
}
