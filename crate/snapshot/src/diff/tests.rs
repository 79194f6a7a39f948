//! What a diff says of small changes, and that it says everything.

#![allow(clippy::needless_raw_string_hashes)] // expect-test writes them

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Outline, diff, page_state};
use crate::facts::sketch::sketch;
use crate::page::Page;
use crate::refs::Refs;
use crate::render;
use crate::tree::Tree;

fn check(before: &str, after: &str, expected: &Expect) {
    let mut refs = Refs::new();
    let old = Tree::build(&Page::single(sketch(1, before)), &mut refs);
    let new = Tree::build_after(&Page::single(sketch(1, after)), &mut refs, &old);
    let diff = diff(&old, &new);
    assert_eq!(diff.apply(&Outline::of(&old), &new), Outline::of(&new));
    assert_eq!(diff.is_empty(), page_state(&old) == page_state(&new));
    expected.assert_eq(&render::diff(&diff, &new, 1500).text);
}

#[test]
fn equal_trees_have_no_diff() {
    let page = "body#1\n  button#2 \"Save\"\n  p#3 \"words\"";
    check(
        page,
        page,
        &expect![[r#"
        no change
    "#]],
    );
}

#[test]
fn a_list_rendered_anew_alike_is_no_change() {
    let list = |first: u32| {
        let item = |n: u32, name: &str| {
            let at = first + n * 10;
            format!("\n    li#{at}\n      span#{} \"{name}\"\n      button#{} \"Drop\"", at + 1, at + 2)
        };
        let items: String = [(1, "Alice"), (2, "Bob"), (3, "Carol")].map(|(n, name)| item(n, name)).concat();
        format!("body#1\n  h1#2 \"People\"\n  button#{} \"Add\"\n  ul#{}{items}", first + 1, first + 2)
    };
    let no_change = &expect![[r#"
        no change
    "#]];
    check(&list(100), &list(1000), no_change);
    let two = list(1000).replace("\"Bob\"", "\"Robert\"");
    check(
        &list(100),
        &two,
        &expect![[r#"
        ~ item "Robert" was "Bob"
        ~ e6 button "Drop" was e4
    "#]],
    );
}

#[test]
fn twins_rendered_anew_alike_have_new_refs_and_nothing_else() {
    let twins = |first: u32| {
        format!(
            "body#1\n  ul#2\n    li#{}\n      button#{} \"Drop\"\n    li#{}\n      button#{} \"Drop\"",
            first,
            first + 1,
            first + 2,
            first + 3
        )
    };
    check(
        &twins(10),
        &twins(20),
        &expect![[r#"
        - e1 button "Drop"
        - e2 button "Drop"
        + e3 button "Drop"
        + e4 button "Drop"
    "#]],
    );
}

#[test]
fn states_that_went_and_came() {
    check(
        "body#1\n  button#2 :disabled \"Pay\"\n  input#3 type=checkbox aria-label=Save",
        "body#1\n  button#2 \"Pay\"\n  input#3 type=checkbox aria-label=Save :checked",
        &expect![[r#"
            ~ e1 button "Pay" -disabled
            ~ e2 checkbox "Save" +checked
        "#]],
    );
}

#[test]
fn names_and_values() {
    check(
        "body#1\n  button#2 \"Follow\"\n  input#3 aria-label=Name :value=\"\"\n  p#4 \"3 left\"",
        "body#1\n  button#2 \"Following\"\n  input#3 aria-label=Name :value=\"Ada\"\n  p#4 \"2 left\"",
        &expect![[r#"
            ~ e1 button "Following" was "Follow"
            ~ e2 textbox "Name" ="Ada"
            ~ "2 left" was "3 left"
        "#]],
    );
}

#[test]
fn an_added_subtree_is_one_entry() {
    check(
        "body#1\n  main#2 aria-label=Shop\n    button#3 \"Buy\"",
        "body#1\n  main#2 aria-label=Shop\n    button#3 \"Buy\"\n    div#4 role=dialog aria-label=Sure\n      p#5 \"Really?\"\n      button#6 \"Yes\"",
        &expect![[r#"
            + e3 dialog "Sure" in e1 main "Shop"
               "Really?"
               e4 button "Yes"
        "#]],
    );
}

#[test]
fn a_removed_row_is_one_entry() {
    check(
        "body#1\n  table#2\n    tr#3\n      td#4 \"Alice\"\n      td#5\n        button#6 \"Delete\"\n    tr#7\n      td#8 \"Bob\"\n      td#9\n        button#10 \"Delete\"",
        "body#1\n  table#2\n    tr#7\n      td#8 \"Bob\"\n      td#9\n        button#10 \"Delete\"",
        &expect![[r#"
            - e2 row "Alice" with 1 more in e1 table
        "#]],
    );
}

#[test]
fn a_row_that_moved_is_the_only_one_to() {
    check(
        "body#1\n  table#2\n    tr#3\n      td#4 \"A\"\n    tr#5\n      td#6 \"B\"\n    tr#7\n      td#8 \"C\"",
        "body#1\n  table#2\n    tr#7\n      td#8 \"C\"\n    tr#3\n      td#4 \"A\"\n    tr#5\n      td#6 \"B\"",
        &expect![[r#"
            > e4 row "C" now first
        "#]],
    );
}

#[test]
fn a_recycled_row_says_so() {
    check(
        "body#1\n  table#2\n    tr#3\n      td#4 \"Alice\"\n      td#5\n        button#6 \"Delete\"",
        "body#1\n  table#2\n    tr#3\n      td#4 \"Bob\"\n      td#5\n        button#6 \"Delete\"",
        &expect![[r#"
            ~ e2 row "Bob" was "Alice"
        "#]],
    );
}

#[test]
fn what_was_made_anew_and_says_the_same_is_no_change() {
    check(
        "body#1\n  div#2 role=toolbar aria-label=Tools\n    button#3 \"Cut\"\n    button#4 \"Copy\"\n  p#5 \"Ready\"",
        "body#1\n  div#12 role=toolbar aria-label=Tools\n    button#13 \"Cut\"\n    button#14 \"Copy\"\n  p#15 \"Ready\"",
        &expect![[r#"
            no change
        "#]],
    );
}

#[test]
fn namesakes_made_anew_get_new_refs_and_that_is_said() {
    check(
        "body#1\n  p#2\n    button#3 \"Go\"\n    button#4 \"Go\"",
        "body#1\n  p#2\n    button#13 \"Go\"\n    button#14 \"Go\"",
        &expect![[r#"
            - e1 button "Go"
            - e2 button "Go"
            + e3 button "Go"
            + e4 button "Go"
        "#]],
    );
}

#[test]
fn focus_that_went_is_told_of_where_it_went() {
    let mut refs = Refs::new();
    let page = "body#1\n  button#2 \"A\"\n  button#3 \"B\"";
    let old = Tree::build(&Page::single(crate::facts::sketch::focused(1, 2, page)), &mut refs);
    let new = Tree::build(&Page::single(crate::facts::sketch::focused(1, 3, page)), &mut refs);
    let changes = render::diff(&diff(&old, &new), &new, 1500);
    expect![[r#"
        ~ e2 button "B" +focused
    "#]]
    .assert_eq(&changes.text);
}

/// A small page: each entry is an element's number, its depth, and which words it has.
fn drawing(nodes: &[(u32, usize, u8)]) -> String {
    let mut out = String::from("body#1\n");
    // How deep the next element may be: buttons, headings and paragraphs hold nothing.
    let mut deepest = 1;
    for (number, deep, words) in nodes {
        let depth = (*deep).min(deepest).max(1);
        deepest = if matches!(number % 6, 1 | 2 | 4) { depth + 1 } else { depth };
        let kind = match number % 6 {
            0 => format!("button#{number} \"Word {words}\""),
            1 => format!("ul#{number}"),
            2 => format!("li#{number} \"Item {words}\""),
            3 => format!("p#{number} \"Text {words}\""),
            4 => format!("div#{number} role=group aria-label=\"Group {words}\""),
            _ => format!("h2#{number} \"Head {words}\""),
        };
        let _ = writeln!(out, "{}{kind}", "  ".repeat(depth));
    }
    out
}

fn nodes() -> impl Strategy<Value = Vec<(u32, usize, u8)>> {
    let numbers = Just((2..26).collect::<Vec<u32>>()).prop_shuffle();
    (numbers, prop::collection::vec((1usize..5, 0u8..3), 0..24))
        .prop_map(|(numbers, rest)| numbers.into_iter().zip(rest).map(|(n, (d, w))| (n, d, w)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn applied_to_the_old_tree_a_diff_gives_the_new(before in nodes(), after in nodes()) {
        let mut refs = Refs::new();
        let old = Tree::build(&Page::single(sketch(1, &drawing(&before))), &mut refs);
        let new = Tree::build_after(&Page::single(sketch(1, &drawing(&after))), &mut refs, &old);
        let diff = diff(&old, &new);
        prop_assert_eq!(diff.apply(&Outline::of(&old), &new), Outline::of(&new));
        let same = super::diff(&new, &new);
        prop_assert!(same.is_empty());
    }

    #[test]
    fn one_change_of_words_is_one_entry(before in nodes(), which in any::<prop::sample::Index>()) {
        prop_assume!(!before.is_empty());
        let mut after = before.clone();
        let changed = which.index(before.len());
        after[changed].2 += 10;
        let mut refs = Refs::new();
        let old = Tree::build(&Page::single(sketch(1, &drawing(&before))), &mut refs);
        let new = Tree::build_after(&Page::single(sketch(1, &drawing(&after))), &mut refs, &old);
        prop_assert!(diff(&old, &new).entries().len() <= 2);
    }

    #[test]
    fn one_element_taken_out_is_at_most_two_entries(before in nodes(), which in any::<prop::sample::Index>()) {
        prop_assume!(!before.is_empty());
        let taken = which.index(before.len());
        // With all that is in it, so that nothing else changes place.
        let deep = drawing(&before);
        let lines: Vec<&str> = deep.lines().collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = indent(lines[taken + 1]);
        let end = (taken + 2..lines.len()).find(|at| indent(lines[*at]) <= own).unwrap_or(lines.len());
        let mut left = lines.clone();
        left.drain(taken + 1..end);
        let mut refs = Refs::new();
        let old = Tree::build(&Page::single(sketch(1, &deep)), &mut refs);
        let new = Tree::build_after(&Page::single(sketch(1, &left.join("\n"))), &mut refs, &old);
        let entries = diff(&old, &new).entries().len();
        prop_assert!(entries <= 2, "{entries} entries");
    }
}
