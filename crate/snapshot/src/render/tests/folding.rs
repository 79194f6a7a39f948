//! What is folded, what never is, and what comes first.

#![allow(clippy::needless_raw_string_hashes)] // expect-test writes them

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::tree;
use crate::ids::Ref;
use crate::render::{Mode, Options, page};

fn within(drawing: &str, max_tokens: usize, expected: &Expect) {
    let reply = page(&tree(drawing), &Options { max_tokens: Some(max_tokens), ..Options::default() });
    expected.assert_eq(&format!("{}\n{}", reply.extent(), reply.text));
}

/// A table of people, with something done to one row.
fn people(count: usize, odd: usize, how: &str) -> String {
    let mut out = String::from("body\n  h1 \"People\"\n  table\n");
    for row in 0..count {
        let how = if row == odd { how } else { "" };
        let _ = writeln!(out, "    tr\n      td \"Person {row}\"\n      td\n        button {how} \"Delete\"");
    }
    out.push_str("  button \"Add\"\n");
    out
}

#[test]
fn rows_fold_and_what_comes_after_them_is_still_said() {
    within(
        &people(60, 99, ""),
        150,
        &expect![[r#"
            all 123 lines, 108 of them folded
            e1 h1 "People"
            e2 table
             e3 "Person 0"
              e4 button "Delete"
             e5 "Person 1"
              e6 button "Delete"
             e7 "Person 2"
              e8 button "Delete"
             e9 "Person 3"
              e10 button "Delete"
             e11 "Person 4"
              e12 button "Delete"
             e13 "Person 5"
              e14 button "Delete"
             …54 more like these: cursor=e15:108
            e123 button "Add"
        "#]],
    );
}

#[test]
fn no_more_is_folded_than_the_budget_asks() {
    within(
        &people(12, 99, ""),
        190,
        &expect![[r#"
            all 27 lines, 8 of them folded
            e1 h1 "People"
            e2 table
             e3 "Person 0"
              e4 button "Delete"
             e5 "Person 1"
              e6 button "Delete"
             e7 "Person 2"
              e8 button "Delete"
             e9 "Person 3"
              e10 button "Delete"
             e11 "Person 4"
              e12 button "Delete"
             e13 "Person 5"
              e14 button "Delete"
             e15 "Person 6"
              e16 button "Delete"
             e17 "Person 7"
              e18 button "Delete"
             …4 more like these: cursor=e19:8
            e27 button "Add"
        "#]],
    );
}

#[test]
fn a_row_that_holds_what_is_wrong_or_chosen_is_never_folded_away() {
    for how in [":invalid", "aria-invalid=true", "aria-current=true"] {
        let drawing = people(60, 40, how);
        let reply = page(&tree(&drawing), &Options { max_tokens: Some(200), ..Options::default() });
        assert!(
            reply.text.contains("Person 40") && !reply.text.contains("Person 41"),
            "{how}: {}",
            reply.text
        );
    }
}

#[test]
fn what_was_just_told_of_is_never_folded_away() {
    let tree = tree(&people(60, 99, ""));
    let all = page(&tree, &Options::default());
    let line = all.text.lines().find(|line| line.contains("Person 30")).unwrap();
    let reference: Ref = line.trim().split(' ').next().unwrap().parse().unwrap();
    let options = Options { max_tokens: Some(200), told: vec![reference], ..Options::default() };
    let reply = page(&tree, &options);
    assert!(reply.text.contains("Person 30") && !reply.text.contains("Person 31"), "{}", reply.text);
}

#[test]
fn a_fold_opens_to_its_lines_and_no_others() {
    let tree = tree(&people(60, 99, ""));
    let reply = page(&tree, &Options { max_tokens: Some(150), ..Options::default() });
    let cursor = reply.folds[0];
    let opened = page(&tree, &Options { cursor: Some(cursor), ..Options::default() });
    assert_eq!(Some(opened.lines), cursor.most);
    assert!(opened.text.contains("Person 59") && !opened.text.contains("Add"), "{}", opened.text);
}

#[test]
fn dialogs_and_what_is_open_come_first_when_not_all_fits() {
    let mut drawing = people(30, 99, "");
    drawing.push_str(
        "  input role=combobox aria-label=City aria-expanded=true aria-controls=cities\n  ul role=listbox id=cities aria-label=Cities\n    li role=option \"Graz\"\n    li role=option \"Linz\"\n  div role=dialog aria-label=Sure\n    button \"Yes\"\n",
    );
    within(
        &drawing,
        150,
        &expect![[r#"
            all 69 lines, 54 of them folded, what is open above the page first
            e65 listbox "Cities"
             e66 option "Graz"
             e67 option "Linz"
            e68 dialog "Sure"
             e69 button "Yes"
            e1 h1 "People"
            e2 table
             e3 "Person 0"
              e4 button "Delete"
             e5 "Person 1"
              e6 button "Delete"
             e7 "Person 2"
              e8 button "Delete"
             …27 more like these: cursor=e9:54
            e63 button "Add"
            e64 combobox "City" expanded
        "#]],
    );
}

#[test]
fn fields_of_a_form_are_each_their_own() {
    let mut drawing = String::from("body\n  form aria-label=Order\n");
    for field in 0..40 {
        let _ = writeln!(drawing, "    input aria-label=Field{field}");
    }
    let reply = page(&tree(&drawing), &Options { max_tokens: Some(100), ..Options::default() });
    assert_eq!(reply.folded, 0);
    assert!(reply.cursor.is_some());
}

#[test]
fn a_text_longer_than_the_budget_is_cut_and_that_is_said() {
    let drawing = format!("body\n  p \"{}\"\n  button \"Next\"\n", "many words ".repeat(500).trim());
    let tree = tree(&drawing);
    let reply = page(&tree, &Options { max_tokens: Some(60), ..Options::default() });
    assert_eq!(reply.extent(), "lines 1-1 of 2; a text is cut: `read` has all of it; next: cursor=e1");
    assert!(reply.text.contains("many words many") && reply.text.ends_with("…\"\n"), "{}", reply.text);
}

#[test]
fn a_level_too_deep_is_counted() {
    let reply = page(&tree(&people(3, 99, "")), &Options { depth: Some(1), ..Options::default() });
    expect![[r#"
        all 6 lines; 3 lines are deeper: give more depth, or a scope
        e1 h1 "People"
        e2 table
         e3 "Person 0" …1 inside
         e5 "Person 1" …1 inside
         e7 "Person 2" …1 inside
        e9 button "Add"
    "#]]
    .assert_eq(&format!("{}\n{}", reply.extent(), reply.text));
}

#[test]
fn interactive_mode_says_what_it_leaves_out() {
    let reply = page(&tree(&people(2, 99, "")), &Options { mode: Mode::Interactive, ..Options::default() });
    expect![[r#"
        all 5 lines that can be acted on (mode=full has 7)
        e3 row "Person 0"
         e4 button "Delete"
        e5 row "Person 1"
         e6 button "Delete"
        e7 button "Add"
    "#]]
    .assert_eq(&format!("{}\n{}", reply.extent(), reply.text));
}

#[test]
fn siblings_that_read_the_same_are_numbered() {
    let drawing = "body\n  a href=/1 \"More\"\n  a href=/2 \"More\"\n  p\n    a href=/3 \"More\"\n  section aria-label=Two\n    a href=/4 \"More\"\n    button \"More\"\n";
    within(
        drawing,
        4000,
        &expect![[r#"
        all 6 lines
        e1 link "More" (1/3)
        e2 link "More" (2/3)
        e3 link "More" (3/3)
        e4 region "Two"
         e5 link "More"
         e6 button "More"
    "#]],
    );
}
