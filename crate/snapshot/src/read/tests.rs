//! What is read of small pages, in each form.

#![allow(clippy::needless_raw_string_hashes)] // expect-test writes them

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Form, cut, fence, read};
use crate::facts::sketch::sketch;
use crate::page::Page;
use crate::refs::Refs;
use crate::tree::Tree;

fn tree(drawing: &str) -> Tree {
    Tree::build(&Page::single(sketch(1, drawing)), &mut Refs::new())
}

fn says(form: Form, drawing: &str, expected: &Expect) {
    expected.assert_eq(&read(&tree(drawing), None, form).text);
}

const ARTICLE: &str = r##"
body
  nav
    a href=https://a.example/ "Home"
  main
    h1 "Tea,"
      em "slowly"
    p "Water at "
      b "80 °C"
      ", then "
      a href=https://a.example/wait?x=(1) "wait"
      "."
    ul
      li "Green"
        ul
          li "Sencha"
          li "Gyokuro"
      li "Black"
    ol
      li "Boil"
      li "Pour"
    blockquote
      p "No tea"
      p "no talk."
    pre
      code
        "if  (hot) {\n\twait();\n}\n"
    p
      img alt="A cup"
      code "pour()"
    a href=https://a.example/next
      h2 "Next"
      p "Read on"
    p "お茶は"
      ruby :inline
        "漢字"
        rt :inline "かんじ"
      " و شاي"
  footer "Imprint"
"##;

#[test]
fn an_article_becomes_markdown_without_what_surrounds_it() {
    says(
        Form::Markdown,
        ARTICLE,
        &expect![[r#"
            # Tea,*slowly*

            Water at **80 °C**, then [wait](https://a.example/wait?x=%281%29).

            - Green
              - Sencha
              - Gyokuro
            - Black

            1. Boil
            2. Pour

            > No tea
            >
            > no talk.

            ```
            if  (hot) {
            	wait();
            }
            ```

            ![A cup]`pour()`

            ## [Next](https://a.example/next)

            Read on

            お茶は漢字(かんじ) و شاي
        "#]],
    );
}

#[test]
fn text_is_the_words_alone() {
    says(
        Form::Text,
        ARTICLE,
        &expect![[r#"
            Tea,slowly

            Water at 80 °C, then wait.

            - Green
              - Sencha
              - Gyokuro
            - Black

            1. Boil
            2. Pour

            No tea

            no talk.

            if  (hot) {
            	wait();
            }

            A cuppour()

            Next

            Read on

            お茶は漢字(かんじ) و شاي
        "#]],
    );
}

#[test]
fn links_are_listed_once() {
    says(
        Form::Links,
        r#"
        body
          a href=https://a.example/ "A"
          a href=https://a.example/ "A"
          a href=https://b.example/
            img alt="B"
          a href=javascript:go() "Go"
          a href=https://c.example/
        "#,
        &expect![[r#"
            [A](https://a.example/)
            [B](https://b.example/)
            <https://c.example/>
        "#]],
    );
}

const TABLES: &str = r#"
body
  table
    caption "People"
    tr
      th "Name"
      th "Since"
      th "Note"
    tr
      td "Alice"
      td rowspan=2 "May, 3"
      td
        p
          "says \"hi\""
        p "twice"
    tr
      td "Bob|Rob"
      td
        a href=https://b.example/ "more"
    tr
      td colspan=2 "both"
      td "z"
  p "between"
  table
    tr
      td
        table
          tr
            td "1"
            td "2"
"#;

#[test]
fn tables_stay_tables() {
    says(
        Form::Markdown,
        TABLES,
        &expect![[r#"
            People

            | Name | Since | Note |
            | --- | --- | --- |
            | Alice | May, 3 | says "hi" twice |
            | Bob\|Rob |  | [more](https://b.example/) |
            | both |  | z |

            between

            |  |  |
            | --- | --- |
            | 1 | 2 |
        "#]],
    );
}

#[test]
fn tables_become_comma_separated_values() {
    says(
        Form::Csv,
        TABLES,
        &expect![[r#"
            Name,Since,Note
            Alice,"May, 3","says ""hi"" twice"
            Bob|Rob,,more
            both,,z

            1,2
        "#]],
    );
}

#[test]
fn controls_say_what_they_hold_but_no_secret() {
    says(
        Form::Markdown,
        r#"
        body
          label "Name"
            input type=text :value="Ada"
          label "Password"
            input type=password :secret=8
          label
            input type=checkbox :checked
            "News"
          p :none "unseen"
        "#,
        &expect![[r#"
            Name [Ada] Password [x] News
        "#]],
    );
}

#[test]
fn what_cannot_be_seen_is_not_read() {
    says(
        Form::Text,
        "body\n  p \"a\u{202e}b\u{200b}c\u{e0041} \u{645}\u{200c}\u{647}\"",
        &expect![[r#"
        abc م‌ه
    "#]],
    );
}

#[test]
fn a_cut_ends_with_a_line_and_goes_on_there() {
    let text = "one line\nanother line\nlast\n";
    let first = cut(text, 0, 7);
    assert_eq!((first.text, first.end), ("one line\n", 9));
    let rest = cut(text, first.end, 100);
    assert_eq!(rest.text, "another line\nlast\n");
}

proptest! {
    #[test]
    fn cuts_make_up_the_whole(text in "[a-zé漢 \n]{0,80}", budget in 1..12_usize) {
        let mut whole = String::new();
        let mut at = 0;
        while at < text.len() {
            let part = cut(&text, at, budget);
            prop_assert!(part.end > at, "no step at {at} of {text:?}");
            whole.push_str(part.text);
            at = part.end;
        }
        prop_assert_eq!(whole, text);
    }

    #[test]
    fn no_content_holds_its_own_fence(text in ".{0,200}") {
        prop_assert!(!text.contains(&fence(&text)));
    }
}
