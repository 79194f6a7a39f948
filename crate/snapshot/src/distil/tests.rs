//! What each pass sets aside, and what it leaves.

#![allow(clippy::needless_raw_string_hashes)] // expect-test writes them

use expect_test::{Expect, expect};

use crate::facts::sketch::sketch;
use crate::page::Page;
use crate::query;
use crate::refs::Refs;
use crate::render::{self, Options};
use crate::role::Role;
use crate::tree::Tree;

fn tree(drawing: &str) -> Tree {
    Tree::build(&Page::single(sketch(1, drawing)), &mut Refs::new())
}

fn says(drawing: &str, expected: &Expect) {
    expected.assert_eq(&render::page(&tree(drawing), &Options::default()).text);
}

#[test]
fn the_parts_of_one_image_go_and_what_is_drawn_or_acts_in_it_stays() {
    says(
        r#"
        body
          div role=img aria-label="Chart of May"
            span "19"
            div role=img aria-label="morning 372"
            a href=/more
              img alt="More"
          div role=img
            img alt="Alone"
        "#,
        &expect![[r#"
            e1 img "Chart of May"
             "19"
             e2 link "More"
            e3 img "Alone"
        "#]],
    );
}

#[test]
fn signs_beside_words_go_and_signs_alone_stay() {
    says(
        r#"
        body
          button aria-label=Close "×"
          button "×"
          div role=img aria-label="4 of 5 stars" "★★★★"
          p
            a href=/1 "Guide"
            " › "
            a href=/2 "Writing"
            ", "
            a href=/3 "Ending"
            "."
          p "—"
          table
            tr
              th "Price"
              th "Left"
            tr
              td "€3"
              td "–"
        "#,
        &expect![[r#"
            e1 button "Close"
            e2 button "×"
            e3 img "4 of 5 stars"
            e4 link "Guide"
            e5 link "Writing"
            e6 link "Ending"
            "—"
            e7 table
             e8 "Price|Left"
             e9 "€3|–"
        "#]],
    );
}

#[test]
fn a_heading_and_what_is_pressed_in_it_or_around_it_are_one_line() {
    says(
        r#"
        body
          h3
            button aria-expanded=true "Who pays"
          h2
            a href=/a "Ice in the harbour"
          a href=/b
            h3 "Choir"
          a href=/c
            h3 "Market"
            span "Open today"
          h3
            a href=/d "One"
            a href=/e "Two"
          h2 "Plain"
        "#,
        &expect![[r#"
            e2 button "Who pays" expanded level=3
            e4 link "Ice in the harbour" level=2
            e5 link "Choir" level=3
            e7 link "Market Open today"
            e9 h3 "OneTwo"
             e10 link "One"
             e11 link "Two"
            e12 h2 "Plain"
        "#]],
    );
}

#[test]
fn a_heading_that_is_a_link_is_still_found_by_its_role() {
    let tree = tree(
        "body\n  h2\n    a href=/a \"News\"\n  h2 \"Old\"\n  div role=tree aria-label=T\n    div role=treeitem aria-level=2 \"Leaf\"",
    );
    let found = query::matching(&tree, Some(Role::Heading), &|_| true);
    let names: Vec<&str> = found.iter().map(|at| tree.node(*at).name()).collect();
    assert_eq!(names, ["News", "Old"]);
}

#[test]
fn a_hint_is_said_once_on_the_line_of_its_field() {
    says(
        r#"
        body
          input aria-label=Name aria-describedby=hint
          p id=hint "At most 30 letters."
          input type=checkbox aria-label=One aria-describedby=d1
          span id=d1 "By e-mail"
          input type=checkbox aria-label=Two aria-describedby=d2
          span id=d2 "By e-mail"
          p "By e-mail"
        "#,
        &expect![[r#"
            e1 textbox "Name" description="At most 30 letters."
            e2 checkbox "One" description="By e-mail"
            e3 checkbox "Two" description="By e-mail"
            "By e-mail"
        "#]],
    );
}

#[test]
fn what_names_its_place_is_said_once() {
    says(
        r#"
        body
          section aria-labelledby=h
            h2 id=h "Billing"
            p "Each month."
          nav aria-label=Chapters
            h2 "Chapters"
            a href=/1 "One"
          main aria-label=Shop
            section aria-label=Tea
              h2 "Shop"
          div role=dialog aria-labelledby=t aria-label=x
            p id=t "Sure?"
            button "Yes"
        "#,
        &expect![[r#"
            e1 region "Billing"
             "Each month."
            e3 navigation "Chapters"
             e5 link "One"
            e6 main "Shop"
             e7 region "Tea"
              e8 h2 "Shop"
            e9 dialog "Sure?"
             e10 button "Yes"
        "#]],
    );
}

#[test]
fn an_item_begins_with_its_text() {
    says(
        r#"
        body
          ul
            li
              "Oat milk"
              button "Buy"
            li
              button "Buy"
              "Tea"
            li "Salt"
          article
            p "Lou's"
            button "Keep"
        "#,
        &expect![[r#"
            item "Oat milk"
             e1 button "Buy"
            item
             e2 button "Buy"
             "Tea"
            "Salt"
            article "Lou's"
             e3 button "Keep"
        "#]],
    );
}

#[test]
fn a_list_in_a_cell_is_the_cells_text_and_empty_cells_keep_their_column() {
    says(
        r#"
        body
          table
            tr
              th "Key"
              th "Does"
              th "Note"
            tr
              td
              td
                ul
                  li "Opens."
                  li "Closes."
              td "x"
            tr
              td "Esc"
              td
                a href=/ "Leaves"
              td
        "#,
        &expect![[r#"
            e1 table
             e2 "Key|Does|Note"
             e3 "|Opens. Closes.|x"
             e4 "Esc"
              e5 link "Leaves"
        "#]],
    );
}

#[test]
fn a_label_around_a_select_is_not_said_again() {
    says(
        r#"
        body
          label
            "Sort by "
            select
              option :none :selected "Popular"
              option :none "New"
        "#,
        &expect![[r#"
            e1 combobox "Sort by" options="Popular|New" ="Popular"
        "#]],
    );
}

#[test]
fn an_authors_name_says_whole_words_only() {
    says(
        r#"
        body
          a href=/1 aria-label="11 comments" "1"
          a href=/2 aria-label="1 comments" "1"
          a href=/3 aria-label="Inbox 12 unread" "Inbox"
          a href=/4 aria-label="Go" "Read on"
        "#,
        &expect![[r#"
            e1 link "11 comments"
             "1"
            e2 link "1 comments"
            e3 link "Inbox 12 unread"
            e4 link "Go"
             "Read on"
        "#]],
    );
}

#[test]
fn a_cell_with_a_state_keeps_its_line() {
    says(
        r#"
        body
          table role=grid aria-label=G
            tr
              th aria-sort=ascending
                span role=button tabindex=0 "Date"
              th "Sum"
            tr
              td aria-selected=true "1 May"
              td "€3"
        "#,
        &expect![[r#"
            e1 grid "G"
             e2 "|Sum"
              columnheader "Date" sort=ascending
               e3 button "Date"
             e4 "|€3"
              gridcell "1 May" selected
        "#]],
    );
}

#[test]
fn words_drawn_in_an_image_are_one_text() {
    says(
        r#"
        body
          svg role=img aria-label=Chart
            text "19"
            text "61"
            a href=/more
              text "More"
            text "22"
        "#,
        &expect![[r#"
            e1 img "Chart"
             "19 61"
             e2 link "More"
             "22"
        "#]],
    );
}

#[test]
fn a_label_by_reference_is_said_with_its_control_and_a_columns_head_stays() {
    says(
        r#"
        body
          span id=w "Wifi"
          button role=switch aria-checked=true aria-labelledby=w
          progress aria-labelledby=w max=100 value=3
          table
            tr
              th id=p "Price"
              th "Note"
            tr
              td
                input aria-labelledby=p
              td "x"
        "#,
        &expect![[r#"
            e1 switch "Wifi" checked
            progressbar "Wifi" ="3"
            e2 table
             e3 "Price|Note"
             e4 "|x"
              e5 textbox "Price"
        "#]],
    );
}

#[test]
fn the_one_article_of_the_main_part_goes_and_several_stay() {
    says(
        r#"
        body
          main
            article
              h1 "Streams"
              p "Pieces arrive."
          main
            article
              "One"
              button "Keep"
            article
              "Two"
              button "Keep"
        "#,
        &expect![[r#"
            main
             e1 h1 "Streams"
             "Pieces arrive."
            main
             article "One"
              e2 button "Keep"
             article "Two"
              e3 button "Keep"
        "#]],
    );
}

#[test]
fn a_heading_leaves_to_the_link_at_its_end_what_that_says() {
    says(
        r#"
        body
          h2
            "Install "
            a href=/1 aria-label="Link to Install" "¶"
          h2
            a href=/1 "Install"
            " and run"
        "#,
        &expect![[r#"
            e1 h2 "Install"
             e2 link "Link to Install"
            e3 h2 "Install and run"
             e4 link "Install"
        "#]],
    );
    let tree = tree("body\n  h2\n    \"Install \"\n    a href=/1 aria-label=\"Link to Install\" \"¶\"");
    let (_, heading) = tree.shown().next().expect("a heading");
    assert_eq!(heading.name(), "Install Link to Install");
}

#[test]
fn what_a_place_or_an_item_is_as_a_whole_says_it() {
    says(
        r#"
        body
          aside
            nav aria-label=Chapters
              a href=/1 "One"
              a href=/2 "Two"
          main
            nav aria-label=Steps
              a href=/3 "Three"
              a href=/4 "Four"
          ul
            li
              details open=
                summary "First"
                a href=/5 "Five"
          figure
            img alt="Cat"
            figcaption "Asleep"
          div role=alert
            b "Card declined"
            p "Try another."
        "#,
        &expect![[r#"
            e1 navigation "Chapters"
             e2 link "One"
             e3 link "Two"
            main
             e4 navigation "Steps"
              e5 link "Three"
              e6 link "Four"
            e7 summary "First" expanded
            e8 link "Five"
            e9 img "Cat"
            "Asleep"
            alert "Card declined"
             "Try another."
        "#]],
    );
}

#[test]
fn a_stroke_in_a_cell_parts_nothing() {
    says(
        "body\n  table\n    tr\n      th \"A|B\"\n      th \"C\\\\\"\n    tr\n      td \"\"\n      td \"x\"",
        &expect![[r#"
            e1 table
             e2 "A\\|B|C\\\\\\\\"
             e3 "|x"
        "#]],
    );
}
