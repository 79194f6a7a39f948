//! What gets a ref, what keeps it, and what stays in the tree.

#![allow(clippy::needless_raw_string_hashes)] // expect-test writes them

mod pointing;

use expect_test::{Expect, expect};

use super::Tree;
use crate::facts::Filled;
use crate::facts::sketch::{focused, sketch};
use crate::fingerprint;
use crate::ids::{DocumentNo, ElementNo, Ref};
use crate::page::Page;
use crate::query::Query;
use crate::refs::Refs;
use crate::render::{self, Mode, Options};
use crate::role::Role;

fn tree(drawing: &str) -> Tree {
    Tree::build(&Page::single(sketch(1, drawing)), &mut Refs::new())
}

fn says(drawing: &str, expected: &Expect) {
    expected.assert_eq(&render::page(&tree(drawing), &Options::default()).text);
}

const ROWS: &str = r#"
table#1
  tr#2
    td#3 "Alice"
    td#4 "3 May"
    td#5
      button#6 "Delete"
  tr#7
    td#8 "Bob"
    td#9 "4 May"
    td#10
      button#11 "Delete"
"#;

#[test]
fn cells_that_keys_go_to_get_refs_but_not_around_what_is_worked() {
    says(
        r#"
div#1 role=grid aria-label="People"
  div#2 role=row
    div#3 role=gridcell tabindex=0
      "Ada"
    div#4 role=gridcell tabindex=-1
      "36"
    div#5 role=gridcell tabindex=-1
      button#6
        "Call"
    div#7 role=gridcell
      "plain"
"#,
        &expect![[r#"
            e1 grid "People"
             e2 "|||plain"
              e3 gridcell "Ada"
              e4 gridcell "36"
              e5 button "Call"
        "#]],
    );
}

#[test]
fn what_looks_clickable_gets_a_ref_once() {
    says(
        r#"
        body
          div :pointer
            span :pointer "Open"
          div onclick=
            b "Bold"
            i "words"
          div tabindex=0 "Focusable"
          span "plain"
        "#,
        &expect![[r#"
            e1 generic "Open"
            e2 generic "Boldwords"
            e3 generic "Focusable"
            "plain"
        "#]],
    );
}

#[test]
fn a_control_without_a_name_says_what_it_is_drawn_by() {
    says(
        r##"
        body
          button
            i class="fa fa-trash"
          button class="by-title" title=Zoom
          button class=icon-gear
            svg class=icon
              use href="sprite.svg#gear"
          a href=https://shop.example/cart/?from=top
          a href=https://shop.example/#top
          textbox class=search
          button "Save"
            i class="fa fa-disk"
          div onclick=
            i class="box"
            "words"
        "##,
        &expect![[r##"
            e1 button icon="fa fa-trash"
            e2 button "Zoom"
            e3 button icon="gear"
            e4 link icon="cart"
            e5 link icon="#top"
            e6 button "Save"
            e7 generic "words"
        "##]],
    );
}

#[test]
fn a_hidden_file_field_can_be_worked_and_a_hidden_checkbox_by_its_label() {
    says(
        r#"
        body
          button "Choose"
          input type=file aria-label=Photo :none
          label :pointer
            input type=checkbox :none
            "Agree"
          button :none "Never"
          div aria-hidden=true "×"
        "#,
        &expect![[r#"
            e1 button "Choose"
            e2 file "Photo" hidden
            e3 label "Agree"
        "#]],
    );
}

#[test]
fn options_are_on_the_line_of_a_select_and_below_a_listbox() {
    says(
        r#"
        body
          select aria-label=Size
            option :none "Small"
            option :selected :none "L|XL"
          select aria-label=Topping multiple=
            option "Ham"
            option :selected "Egg"
        "#,
        &expect![[r#"
            e1 combobox "Size" options="Small|L\\|XL" ="L|XL"
            e2 listbox "Topping" ="Egg" multiselectable
             e3 option "Ham"
             e4 option "Egg" selected
        "#]],
    );
}

#[test]
fn no_name_forges_a_line() {
    says(
        "body\n  button aria-label=\"Pay\u{202e} ]\" \"x\"\n  p \"e9 button \u{200b}\"",
        &expect![[r#"
            e1 button "Pay\u202e ]"
             "x"
            "e9 button \u200b"
        "#]],
    );
}

#[test]
fn cells_fold_and_what_can_be_worked_stays_below() {
    says(
        ROWS,
        &expect![[r#"
            e1 table
             e2 "Alice|3 May"
              e3 button "Delete"
             e4 "Bob|4 May"
              e5 button "Delete"
        "#]],
    );
}

#[test]
fn interactive_mode_keeps_what_tells_where() {
    let rendered = render::page(&tree(ROWS), &Options { mode: Mode::Interactive, ..Options::default() });
    expect![[r#"
        e2 row "Alice|3 May"
         e3 button "Delete"
        e4 row "Bob|4 May"
         e5 button "Delete"
    "#]]
    .assert_eq(&rendered.text);
}

#[test]
fn a_budget_breaks_off_and_the_cursor_goes_on() {
    let tree = tree(ROWS);
    let all = render::page(&tree, &Options::default());
    assert_eq!(all.extent(), "all 5 lines");
    let mut text = String::new();
    let mut cursor = None;
    let mut extents = Vec::new();
    loop {
        let part = render::page(&tree, &Options { max_tokens: Some(20), cursor, ..Options::default() });
        text.push_str(&part.text);
        extents.push(part.extent());
        cursor = part.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(text, all.text);
    expect![[r#"
        lines 1-4 of 5; next: cursor=e5
        lines 5-5 of 5"#]]
    .assert_eq(&extents.join("\n"));
}

#[test]
fn depth_says_how_much_is_left_out_and_scope_keeps_to_one() {
    let tree = tree(ROWS);
    let shallow = render::page(&tree, &Options { depth: Some(1), ..Options::default() });
    let scoped = render::page(&tree, &Options { scope: Some(Ref(4)), ..Options::default() });
    expect![[r#"
        e1 table
         e2 "Alice|3 May" …1 inside
         e4 "Bob|4 May" …1 inside
        e4 row "Bob|4 May"
         e5 button "Delete"
    "#]]
    .assert_eq(&(shallow.text + &scoped.text));
}

#[test]
fn a_fingerprint_names_the_row() {
    let tree = tree(ROWS);
    let print = fingerprint::of(&tree, Ref(5)).unwrap();
    assert_eq!(print.to_string(), r#"button "Delete" in row "Bob" "4 May""#);
    assert_eq!(fingerprint::find(&tree, &print), [Ref(5)]);
    let stored = serde_json::to_string(&print).unwrap();
    assert_eq!(serde_json::from_str::<fingerprint::Fingerprint>(&stored).unwrap(), print);
}

#[test]
fn an_item_is_known_by_its_words_and_not_by_its_counters() {
    let tree = tree(
        "ul\n  li\n    div \"12:30\"\n    div \"Ada\"\n    button \"Like (3)\"\n  li\n    button \"Like (9)\"\n    span \"Bob\"",
    );
    let prints: Vec<String> = [Ref(1), Ref(2)].map(|r| fingerprint::of(&tree, r).unwrap().to_string()).into();
    assert_eq!(prints, [r#"button "Like" in listitem "Ada""#, r#"button "Like" in listitem "Bob""#]);
}

/// What each fingerprint says of the elements named `Delete`.
fn deletes(drawing: &str) -> Vec<String> {
    let tree = tree(drawing);
    let prints = tree.iter().filter(|(_, node)| node.name() == "Delete" && node.reference().is_some());
    prints.map(|(at, _)| fingerprint::at(&tree, at).to_string()).collect()
}

#[test]
fn namesakes_in_rows_without_roles_are_told_by_what_stands_beside_them() {
    let rows = r#"
        body
          div
            span "Alice"
            span "42 likes"
            button "Delete"
          div
            span "Bob"
            button "Delete"
        "#;
    let told = [r#"button "Delete" beside "Alice" "likes""#, r#"button "Delete" beside "Bob""#];
    assert_eq!(deletes(rows), told);
    let flat = "body\n  span \"Alice\"\n  button \"Delete\"\n  span \"Bob\"\n  button \"Delete\"";
    assert_eq!(deletes(flat), [r#"button "Delete" beside "Alice""#, r#"button "Delete" beside "Bob""#]);
    let others = flat.replace("  button", "  button \"Edit\"\n  button");
    assert_eq!(deletes(&others), deletes(flat));
    // One alone is told by its name.
    assert_eq!(deletes("body\n  span \"Alice\"\n  button \"Delete\""), [r#"button "Delete""#]);
}

#[test]
fn numbers_tell_namesakes_apart_where_words_do_not() {
    let rows = "table\n  tr\n    td \"Order\"\n    td \"1001\"\n    td \"7\"\n    td\n      button \"Delete\"\n\
         \x20 tr\n    td \"Order\"\n    td \"1002\"\n    td\n      button \"Delete\"";
    let told = [r#"button "Delete" in row "Order" "1001""#, r#"button "Delete" in row "Order" "1002""#];
    assert_eq!(deletes(rows), told);
    // A badge on one of them does not make words tell.
    let rows =
        "div\n  span \"1001\"\n  button \"Delete\"\ndiv\n  b \"New\"\n  span \"1002\"\n  button \"Delete\"";
    let rows = format!("body\n  {}", rows.replace('\n', "\n  "));
    assert_eq!(
        deletes(&rows),
        [r#"button "Delete" beside "1001""#, r#"button "Delete" beside "New" "1002""#]
    );
}

#[test]
fn namesakes_that_go_make_no_one_another() {
    let row = |name: &str| format!("  div\n    span \"{name}\"\n    button \"Delete\"\n");
    let two = tree(&format!("body\n{}{}", row("Alice"), row("Bob")));
    let print = fingerprint::of(&two, Ref(1)).unwrap();
    let one = tree(&format!("body\n{}", row("Alice")));
    assert!(fingerprint::stands_for(&one, Ref(1), &print));
    let other = tree(&format!("body\n{}", row("Bob")));
    assert!(!fingerprint::stands_for(&other, Ref(1), &print));
}

#[test]
fn a_view_is_known_by_its_heading() {
    let view = "main\n  div\n    h2 \"Alice (3)\"\n  div\n    button \"Delete\"";
    assert_eq!(deletes(view), [r#"button "Delete" under heading "Alice""#]);
}

#[test]
fn no_key_comes_from_what_a_field_holds() {
    let group = "fieldset\n  legend\n    \"Other:\"\n    input value=7\n  button \"Delete\"";
    assert_eq!(deletes(group), [r#"button "Delete" in group "Other:""#]);
    let row = "table\n  tr\n    td\n      input value=Ada\n    td \"Bob\"\n    td\n      button \"Delete\"";
    assert_eq!(deletes(row), [r#"button "Delete" in row "Bob""#]);
}

#[test]
fn a_ref_passes_on_when_that_is_certain_and_else_does_not() {
    let mut refs = Refs::new();
    let old = Tree::build(&Page::single(sketch(1, ROWS)), &mut refs);
    // Every element made anew: rows and buttons are each unique by what they stand in.
    let again = ROWS.replace('#', "#10");
    let new = Tree::build_after(&Page::single(sketch(1, &again)), &mut refs, &old);
    assert_eq!(new.rebound(), [Ref(1), Ref(2), Ref(3), Ref(4), Ref(5)]);
    assert_eq!(refs.lookup(Ref(5)), Some((DocumentNo(1), ElementNo(1011))));
    assert!(crate::diff::diff(&old, &new).is_empty());

    // Two namesakes in one place: no telling which is which.
    let twins = "body#1\n  button#2 \"Go\"\n  button#3 \"Go\"";
    let mut refs = Refs::new();
    let old = Tree::build(&Page::single(sketch(1, twins)), &mut refs);
    let new = Tree::build_after(&Page::single(sketch(1, &twins.replace('#', "#10"))), &mut refs, &old);
    assert!(new.rebound().is_empty());

    // Another document: never.
    let mut refs = Refs::new();
    let old = Tree::build(&Page::single(sketch(1, ROWS)), &mut refs);
    let new = Tree::build_after(&Page::single(sketch(2, ROWS)), &mut refs, &old);
    assert!(new.rebound().is_empty());
    assert_eq!(new.node_of(Ref(5)).map(super::Node::role), None);
}

#[test]
fn an_element_that_is_still_there_gives_its_ref_to_no_one() {
    let mut refs = Refs::new();
    let old = Tree::build(&Page::single(sketch(1, "body#1\n  button#2 \"Go\"")), &mut refs);
    let new = "body#1\n  button#2 :none \"Go\"\n  button#3 \"Go\"";
    let new = Tree::build_after(&Page::single(sketch(1, new)), &mut refs, &old);
    assert!(new.rebound().is_empty());
    assert_eq!(new.at(Ref(2)).map(|at| new.node(at).name()), Some("Go"));
    assert!(new.node_of(Ref(1)).unwrap().is_hidden());
}

#[test]
fn a_query_prefers_the_exact_name() {
    let tree = tree("body\n  button \"Save\"\n  button \"Save as\"\n  a href=/ \"save it\"\n  p \"Save\"");
    let find = |role, name: &str| Query { role, name: Some(name.to_owned()) }.find(&tree);
    assert_eq!(find(None, "Save"), [Ref(1)]);
    assert_eq!(find(None, " SAVE "), [Ref(1), Ref(2), Ref(3)]);
    assert_eq!(find(Some(Role::Link), "save"), [Ref(3)]);
    assert_eq!(find(None, "nothing"), []);
}

#[test]
fn focus_is_in_one_place() {
    let page = Page::single(focused(1, 3, "body#1\n  button#2 \"A\"\n  input#3 aria-label=B"));
    let tree = Tree::build(&page, &mut Refs::new());
    expect![[r#"
        e1 button "A"
        e2 textbox "B" focused
    "#]]
    .assert_eq(&render::page(&tree, &Options::default()).text);
}

#[test]
fn three_thousand_levels_are_no_trouble() {
    let mut drawing = String::new();
    for depth in 0..3000 {
        drawing.push_str(&"  ".repeat(depth));
        drawing.push_str("div role=group aria-label=x\n");
    }
    let tree = tree(&drawing);
    let rendered = render::page(&tree, &Options { max_tokens: Some(1000), ..Options::default() });
    assert_eq!(rendered.total, 3000);
    assert!(crate::diff::diff(&tree, &tree.clone()).is_empty());
    render::json(&tree, Some(Ref(1)));
}

#[test]
fn a_bare_table_is_for_layout_and_one_with_borders_for_data() {
    says(
        r#"
        body
          table
            tr
              td :bare "Left"
              td :bare "Right"
          table
            tr
              td "Alice"
              td "3 May"
          table
            tr
              th :bare "Name"
              th :bare "Day"
            tr
              td :bare "Bob"
              td :bare "4 May"
        "#,
        &expect![[r#"
            "Left"
            "Right"
            e1 table
             e2 "Alice|3 May"
            e3 table
             e4 "Name|Day"
             e5 "Bob|4 May"
        "#]],
    );
}

#[test]
fn roles_without_their_context_are_not_followed() {
    says(
        r#"
        body
          div role=option "Lone"
          div role=listbox aria-label=Colours
            div
              div role=option "Red"
          div role=listbox aria-label=Owner aria-owns=far
          div role=option id=far "Owned"
          div role=treeitem tabindex=0 "Leaf"
        "#,
        &expect![[r#"
            "Lone"
            e1 listbox "Colours"
             e2 option "Red"
            e3 listbox "Owner"
             e4 option "Owned"
            e5 generic "Leaf"
        "#]],
    );
}

#[test]
fn states_come_from_what_is_around_a_control_too() {
    says(
        r#"
        body
          div role=toolbar aria-label=Tools aria-disabled=true
            button "Cut"
          button popovertarget=more "More"
          div id=more popover= :popover-open "Shown"
          input aria-label=Mail :refused :value="x"
          input aria-label=Name required= :refused :value=
          h2 aria-expanded=true "Not for headings"
          div role=slider aria-label=Volume aria-valuemax=10
        "#,
        &expect![[r#"
            toolbar "Tools" disabled
             e1 button "Cut" disabled
            e2 button "More" expanded
            "Shown"
            e3 textbox "Mail" ="x" invalid
            e4 textbox "Name" required
            e5 h2 "Not for headings"
            e6 slider "Volume" ="5" range=..10
        "#]],
    );
}

#[test]
fn what_a_closed_details_holds_is_hidden_text_and_all() {
    says(
        r#"
        body
          details
            summary "More"
            "right in it"
          details open=
            summary "Less"
            "seen"
          div hidden=until-found "sought"
        "#,
        &expect![[r#"
            e1 summary "More" collapsed
            e2 summary "Less" expanded
            "seen"
        "#]],
    );
}

/// The text form of facts that were told more than the collector knows.
fn told(drawing: &str, tell: impl FnOnce(&mut crate::Facts), expected: &Expect) {
    let mut facts = sketch(1, drawing);
    tell(&mut facts);
    let tree = Tree::build(&Page::single(facts), &mut Refs::new());
    expected.assert_eq(&render::page(&tree, &Options::default()).text);
}

#[test]
fn what_listens_for_itself_is_clickable_and_what_listens_for_others_is_not() {
    told(
        r#"
        body#1 :box=0,0,800,600
          div#2 :box=0,0,100,20 "Plain word"
          div#3 :box=0,20,100,20
            button "First"
          div#4 :box=0,40,0,0 "No box"
          div#5 :box=0,60,100,20 "Put it here"
          input#6 :box=0,80,100,20 aria-label=Line
          ul#7 :box=0,100,100,40
            li :box=0,100,100,20 "One"
            li :box=0,120,100,20 "Two"
        "#,
        |facts| {
            facts.fill(Filled {
                clicks: [1, 2, 3, 4].map(ElementNo).into_iter().collect(),
                drops: [5, 6].map(ElementNo).into_iter().collect(),
                sorts: [ElementNo(7)].into_iter().collect(),
                ..Filled::default()
            });
        },
        &expect![[r#"
            e1 generic "Plain word"
            e2 button "First"
            "No box"
            e3 generic "Put it here" dropzone
            e4 textbox "Line"
            e5 list dropzone
             e6 item "One"
             e7 item "Two"
        "#]],
    );
}

#[test]
fn a_class_gives_what_attributes_do_not_say() {
    let implied = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    told(
        r#"
        body
          label for=a "Wifi"
          x-switch#2 id=a :defined= :form=
          x-switch#3 aria-label=Own aria-checked=true
          x-plain for=b "Plain words"
        "#,
        |facts| {
            let said = [
                (ElementNo(2), implied(&[("role", "switch"), ("aria-checked", "true")])),
                (ElementNo(3), implied(&[("role", "switch"), ("aria-checked", "false")])),
            ];
            facts.fill(Filled { implied: said.into_iter().collect(), ..Filled::default() });
        },
        &expect![[r#"
            e1 switch "Wifi" checked
            e2 switch "Own" checked
            "Plain words"
        "#]],
    );
}

#[test]
fn a_root_that_could_not_be_read_says_so_in_its_place() {
    told(
        "body\n  p \"Before\"\n  div#2 :box=0,0,9,9\n  p \"After\"",
        |facts| {
            let unread = [(ElementNo(2), "the browser refused".into())].into_iter().collect();
            facts.fill(Filled { unread, ..Filled::default() });
        },
        &expect![[r#"
            "Before"
            e1 generic "shadow root unreadable: the browser refused"
            "After"
        "#]],
    );
}

#[test]
fn what_is_wrong_with_a_value_is_said() {
    says(
        r#"
        body
          input aria-label=Mail aria-invalid=true aria-errormessage=why
          input aria-label=Age :value=99 :refused :complaint="At most 5."
          input aria-label=Empty required= :refused :complaint="Fill this in."
          p id=why "No such place"
        "#,
        &expect![[r#"
            e1 textbox "Mail" invalid="No such place"
            e2 textbox "Age" ="99" invalid="At most 5."
            e3 textbox "Empty" required
            "No such place"
        "#]],
    );
}

#[test]
fn the_authors_word_for_a_thing_and_its_keys_are_said() {
    says(
        "body\n  button aria-label=Next aria-roledescription=slide aria-keyshortcuts=\"Alt+N\"\n  progress aria-label=Done max=5 :value=2",
        &expect![[r#"
            e1 button "Next" roledescription="slide" keys="Alt+N"
            progressbar "Done" ="2" range=..5
        "#]],
    );
}

#[test]
fn the_option_that_focus_works_is_marked() {
    let drawing = r#"
        body
          input#2 role=combobox aria-label=City aria-activedescendant=b aria-expanded=true
          ul role=listbox
            li role=option "Graz"
            li id=b role=option aria-selected=true "Linz"
        "#;
    let tree = Tree::build(&Page::single(focused(1, 2, drawing)), &mut Refs::new());
    expect![[r#"
        e1 combobox "City" expanded focused
        e2 listbox
         e3 option "Graz"
         e4 option "Linz" selected active
    "#]]
    .assert_eq(&render::page(&tree, &Options::default()).text);
}

#[test]
fn what_is_kept_from_assistive_technology_and_seen_can_be_worked() {
    says(
        r#"
        body
          div aria-hidden=true
            button :box=0,0,40,20
              span "Close"
            button :box=0,0,0,0 "Nowhere"
            button :box=0,0,40,20 :invisible "Unseen"
            span :box=0,0,40,20 "mere words"
        "#,
        &expect![[r#"
            e1 button "Close" aria-hidden
        "#]],
    );
}

#[test]
fn what_is_behind_a_dialog_is_what_it_was() {
    let page = |veil: &str, dialog: &str| {
        format!(
            r#"
            body
              div :box=0,-200,800,400{veil}
                h1 "Settings"
                button "Delete…"
                p "Words"
              div {dialog} "Sure?"
            "#
        )
    };
    let text = |drawing: &str| render::page(&tree(drawing), &Options::default()).text;
    let dialog = "role=dialog aria-label=Question :box=300,200,200,100";
    let open = text(&page("", dialog));
    assert_eq!(text(&page(" aria-hidden=true", dialog)), open);
    assert!(open.contains("button \"Delete…\"\n\"Words\""), "{open}");
    // With nothing open it is kept away for other reasons, and so is what there is nothing to do in.
    assert_eq!(text(&page(" aria-hidden=true", ":box=0,0,9,9")), "\"Sure?\"\n");
    let drawn =
        "body\n  div :box=0,0,800,600 aria-hidden=true\n    p \"Drawn\"\n  div role=menu :box=0,0,9,9";
    assert!(!text(drawn).contains("Drawn"));
}

#[test]
fn an_editor_that_draws_its_text_holds_it() {
    says(
        r#"
        body
          div#1 role=textbox aria-label=Code aria-multiline=true :drawn=let
          div#2 :drawn=words
        "#,
        &expect![[r#"
            e1 textbox "Code" ="let" multiline
            e2 textbox ="words"
        "#]],
    );
}

#[test]
fn what_a_style_writes_beside_a_name_makes_no_one_another() {
    let read = |after: &str| {
        let tree = tree(&format!("body\n  div#1 role=button{after} \"Cherry\""));
        let at = tree.at_element(DocumentNo(1), ElementNo(1)).unwrap();
        (tree.node(at).name().to_owned(), fingerprint::at(&tree, at))
    };
    let (plain, was) = read("");
    let (lit, is) = read(" :after='Choose'");
    assert_eq!([plain.as_str(), lit.as_str()], ["Cherry", "CherryChoose"]);
    assert_eq!(was, is);
}
