//! Pages as Chromium's collector reported them, read, judged and said: what an agent sees of each.

#![allow(clippy::unwrap_used)] // tests
#![allow(clippy::needless_raw_string_hashes)] // expect-test writes them

use std::rc::Rc;

use expect_test::{Expect, expect};
use snapshot::page::{Frame, Owner, Page, Unreadable};
use snapshot::render::{Mode, Options};
use snapshot::{Facts, Refs, Tree, render, xpath};

fn recorded(name: &str) -> Facts {
    let path = format!("{}/tests/pages/{name}.json", env!("CARGO_MANIFEST_DIR"));
    Facts::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The same facts as another document.
fn numbered(name: &str, document: u32) -> Facts {
    let path = format!("{}/tests/pages/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let mut facts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    facts["document"] = document.into();
    Facts::parse(&facts.to_string()).unwrap()
}

fn says(page: &Page, mode: Mode, expected: &Expect) {
    let tree = Tree::build(page, &mut Refs::new());
    expected.assert_eq(&render::page(&tree, &Options { mode, ..Options::default() }).text);
}

#[test]
fn a_form_in_full() {
    says(
        &Page::single(recorded("form")),
        Mode::Full,
        &expect![[r##"
            banner
             e1 link "Home"
             e2 navigation "Main"
              e3 link "Alpha"
              e4 link "Beta" current=page
            main
             e5 h1 "Sign up"
             "Fill in all of it, please."
             e6 form "Account"
              e7 textbox "E-mail *" placeholder="you@example.org" required
              e8 textbox "Password" ="•••••••"
              e9 textbox "Card" ="••••"
              group "Plan" disabled
               e10 radio "Free" checked disabled
               e11 radio "Paid" disabled
              e12 combobox "Country" options="Austria|Belgium|Chile" ="Belgium"
              e13 listbox "Toppings" ="Ham" multiselectable
               e14 option "Ham" selected
               e15 option "Egg"
              e16 textbox "Notes inner" ="hello\nworld" multiline
              e17 checkbox "I agree" checked
              e18 slider "Volume" ="3" range=0..10
              e19 date "Born" ="2001-02-03"
              e20 color "Ink" ="#000000"
              e21 file "Photo" hidden
              e22 textbox "Bio" ="I am" multiline
              e23 generic "Click me"
              e24 button "Send" disabled
              e25 button "Trash"
              e26 button "Gear"
              progressbar "Done" ="3" range=..10
              meter =".5"
              "42"
             e27 textbox
             e28 form "Clobber"
              e29 textbox (1/2)
              e30 textbox "kid"
              e31 textbox (2/2)
             e32 summary "More" collapsed
             e33 summary "Less" expanded
             "Shown inside"
            "lone � end"
            contentinfo
             "© 2026"
        "##]],
    );
}

#[test]
fn a_form_to_act_on() {
    says(
        &Page::single(recorded("form")),
        Mode::Interactive,
        &expect![[r##"
            e1 link "Home"
            e2 navigation "Main"
             e3 link "Alpha"
             e4 link "Beta" current=page
            e6 form "Account"
             e7 textbox "E-mail *" placeholder="you@example.org" required
             e8 textbox "Password" ="•••••••"
             e9 textbox "Card" ="••••"
             group "Plan" disabled
              e10 radio "Free" checked disabled
              e11 radio "Paid" disabled
             e12 combobox "Country" options="Austria|Belgium|Chile" ="Belgium"
             e13 listbox "Toppings" ="Ham" multiselectable
              e14 option "Ham" selected
              e15 option "Egg"
             e16 textbox "Notes inner" ="hello\nworld" multiline
             e17 checkbox "I agree" checked
             e18 slider "Volume" ="3" range=0..10
             e19 date "Born" ="2001-02-03"
             e20 color "Ink" ="#000000"
             e21 file "Photo" hidden
             e22 textbox "Bio" ="I am" multiline
             e23 generic "Click me"
             e24 button "Send" disabled
             e25 button "Trash"
             e26 button "Gear"
            e27 textbox
            e28 form "Clobber"
             e29 textbox (1/2)
             e30 textbox "kid"
             e31 textbox (2/2)
            e32 summary "More" collapsed
            e33 summary "Less" expanded
        "##]],
    );
}

#[test]
fn tables_lists_and_pictures() {
    says(
        &Page::single(recorded("table")),
        Mode::Full,
        &expect![[r#"
            e1 table "People"
             e2 "Name|Due"
             e3 "Alice|3 May"
              e4 button "Delete"
             e5 "Bob|4 May"
              e6 button "Delete"
              e7 link "Edit"
            "lay"
            "out"
            "single"
            item "One"
             e8 button "x"
            "Two"
            "Term"
            "Def"
            e9 img "Cat"
            e10 img "Fig"
            "Caption"
            e11 dialog "Confirm" modal
             "Sure?"
             e12 button "Yes"
            e13 treeitem "Root" collapsed
            e14 generic "Long" scrollable
            e15 h2 "Unnamed"
            e16 region "Named"
             e17 heading "Seven" level=7
            "Quote"
            "a b"
            "x"
            "y"
            "co"
        "#]],
    );
}

#[test]
fn everything_that_is_odd() {
    says(
        &Page::single(recorded("odd")),
        Mode::Full,
        &expect![[r#"
            e1 textbox (1/8)
            e2 textbox (2/8)
            e3 textbox (3/8)
            e4 textbox (4/8)
            e5 textbox (5/8)
            e6 textbox (6/8)
            e7 textbox (7/8)
            e8 textbox (8/8)
            e9 link "one"
            e10 link "two"
            e11 link "three"
            e12 link "four"
            "nsns2"
            "a"
            "b"
            "shadow p"
            e13 button "nested"
            "slotted 1"
            "slotted 2"
            "default"
            math
             "x"
             "="
            "1"
            e14 link "Area A"
            e15 img "Map"
            e16 iframe
            e17 iframe
            e18 embed
            e19 button "Abs"
            e20 dialog modal
             "Hello"
             e21 button "Close" focused
            e22 button "vis"
            "Owner late early"
            e23 combobox "City"
            e24 label "Styled"
            e25 button "ah"
            e26 button "inert" inert
            e27 textbox multiline
             "Para bold"
             "Two"
            e28 listbox "Fruit"
             e29 option "Apple" selected
             e30 option "Pear"
            "quote tagbothupper"
        "#]],
    );
}

#[test]
fn frames_stand_under_their_element_and_say_when_they_cannot_be_read() {
    let outer = recorded("odd");
    let frames = outer.frames();
    let hang = |element, label: &str, content| Frame {
        owner: Some(Owner { frame: 0, element }),
        label: label.to_owned(),
        content,
    };
    let page = Page {
        frames: vec![
            Frame { owner: None, label: String::new(), content: Ok(Rc::new(outer)) },
            hang(frames[0], "pay.example", Ok(Rc::new(numbered("shadow", 8)))),
            hang(frames[1], "", Err(Unreadable { reason: "this site is denied".to_owned() })),
        ],
    };
    let tree = Tree::build(&page, &mut Refs::new());
    let deep = tree.iter().find(|(_, node)| node.name() == "Deep").unwrap().0;
    expect!["/html[1]/body[1]/iframe[1]::frame/html[1]/body[1]/x-card[1]::shadow/x-in[1]::shadow/input[1]"]
        .assert_eq(&xpath::of(&tree, deep).unwrap().to_string());
    let text = render::page(&tree, &Options::default()).text;
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.contains("iframe")).take(12).collect();
    expect![[r#"
        e16 iframe pay.example
         e17 h2 "Card title"
         e18 button "Slotted"
         e19 textbox "Deep"
         "no hreffallback"
         e20 iframe "Inner"
         e21 img "Chart"
          e22 link "Bar"
          e23 generic
        e24 iframe "unreadable: this site is denied"
        e25 embed
        e26 button "Abs""#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn json_carries_the_same_tree() {
    let tree = Tree::build(&Page::single(recorded("shadow")), &mut Refs::new());
    expect![[r##"
        [
          {
            "box": [
              8,
              20,
              1184,
              27
            ],
            "name": "Card title",
            "ref": "e1",
            "role": "heading",
            "states": [
              "level=2"
            ],
            "xpath": "/html[1]/body[1]/x-card[1]::shadow/h2[1]"
          },
          {
            "box": [
              8,
              67,
              58,
              21
            ],
            "name": "Slotted",
            "ref": "e2",
            "role": "button",
            "xpath": "/html[1]/body[1]/x-card[1]/button[1]"
          },
          {
            "box": [
              8,
              227,
              177,
              21
            ],
            "name": "Deep",
            "ref": "e3",
            "role": "textbox",
            "xpath": "/html[1]/body[1]/x-card[1]::shadow/x-in[1]::shadow/input[1]"
          },
          {
            "name": "no hreffallback",
            "role": "text"
          },
          {
            "box": [
              286,
              88,
              304,
              154
            ],
            "name": "Inner",
            "ref": "e4",
            "role": "iframe",
            "xpath": "/html[1]/body[1]/iframe[1]"
          },
          {
            "box": [
              594,
              202,
              40,
              40
            ],
            "children": [
              {
                "box": [
                  594,
                  208,
                  24,
                  17
                ],
                "href": "#x",
                "name": "Bar",
                "ref": "e6",
                "role": "link",
                "xpath": "/html[1]/body[1]/*[name()='svg'][1]/*[name()='a'][1]"
              },
              {
                "box": [
                  594,
                  202,
                  9,
                  9
                ],
                "ref": "e7",
                "role": "generic",
                "xpath": "/html[1]/body[1]/*[name()='svg'][1]/*[name()='g'][1]/*[name()='rect'][1]"
              }
            ],
            "name": "Chart",
            "ref": "e5",
            "role": "img",
            "xpath": "/html[1]/body[1]/*[name()='svg'][1]"
          }
        ]"##]]
    .assert_eq(&serde_json::to_string_pretty(&render::json(&tree, None)).unwrap());
}

#[test]
fn nothing_that_is_no_facts_is_taken_for_facts() {
    let path = format!("{}/tests/pages/odd.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let whole: serde_json::Value = serde_json::from_str(&text).unwrap();
    let nodes = whole["nodes"].as_array().unwrap();
    // Each number of the list set to each of a few others: facts or an error, and what is facts can be told.
    for index in 0..nodes.len() {
        for number in [-4_294_967_297_i64, -1, 0, 1, 40, 4_294_967_295, i64::MAX] {
            let mut broken = whole.clone();
            broken["nodes"][index] = number.into();
            if let Ok(facts) = Facts::parse(&broken.to_string()) {
                let tree = Tree::build(&Page::single(facts), &mut Refs::new());
                let _ = render::page(&tree, &Options::default());
            }
        }
    }
    for cut in (0..text.len()).step_by(97).filter(|cut| text.is_char_boundary(*cut)) {
        assert!(Facts::parse(&text[..cut]).is_err());
    }
}
