//! A short CSS selector for an element: what its author gave it to be found by, else its place below what has such a thing.
//! The page tells what there is, and which of some selectors finds the element alone; which are tried is decided here.

use serde::Deserialize;

/// Attributes that are given to be found by, the best first.
pub const TELLING: [&str; 11] = [
    "data-testid",
    "data-test",
    "data-cy",
    "name",
    "aria-label",
    "for",
    "href",
    "type",
    "role",
    "title",
    "alt",
];

/// So many steps up are tried.
const STEPS: usize = 6;

/// Longer values, in bytes, tell a person nothing.
const LONGEST: usize = 60;

/// So many classes are tried.
const CLASSES: usize = 4;

/// An element on the way from the one that is meant up to its document or shadow root. What names it stands as the browser
/// escapes it for selectors (CSSOM §2.1, serialize an identifier).
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Step {
    tag: String,
    /// Empty without one.
    id: String,
    classes: Vec<String>,
    /// Values of [`TELLING`], in that order; empty where there is none.
    telling: Vec<String>,
    /// Its place among siblings of its type, from 1, and how many they are.
    place: u32,
    of: u32,
}

/// Selectors to try, in this order; the last one is the whole way down from the root.
pub fn candidates(way: &[Step]) -> Vec<String> {
    let Some((element, outside)) = way.split_first() else { return Vec::new() };
    let mut found = element.own();
    let mut below = element.placed();
    for (step, outer) in outside.iter().enumerate() {
        if step < STEPS {
            found.extend(outer.own().into_iter().map(|css| format!("{css} > {below}")));
        }
        below = format!("{} > {below}", outer.placed());
        if step < STEPS {
            found.push(below.clone());
        }
    }
    found.push(below);
    found.dedup();
    found
}

impl Step {
    /// Selectors for it by itself.
    fn own(&self) -> Vec<String> {
        let tag = &self.tag;
        let mut found = Vec::new();
        if !self.id.is_empty() {
            found.push(format!("#{}", self.id));
        }
        for (name, value) in TELLING.iter().zip(&self.telling) {
            if !value.is_empty() && value.len() <= LONGEST {
                found.push(format!("{tag}[{name}={}]", string(value)));
            }
        }
        let classes = self.classes.get(..CLASSES).unwrap_or(&self.classes);
        found.extend(classes.iter().map(|class| format!("{tag}.{class}")));
        if classes.len() > 1 {
            found.push(format!("{tag}.{}", classes.join(".")));
        }
        found.push(tag.clone());
        found
    }

    /// The selector of its place among its siblings.
    fn placed(&self) -> String {
        let tag = &self.tag;
        if self.of == 1 { tag.clone() } else { format!("{tag}:nth-of-type({})", self.place) }
    }
}

/// A text as a string of CSS (CSSOM §2.1, serialize a string).
fn string(text: &str) -> String {
    let mut css = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => css.extend(['\\', c]),
            '\u{1}'..='\u{1f}' | '\u{7f}' => css.push_str(&format!("\\{:x} ", u32::from(c))),
            _ => css.push(c),
        }
    }
    css.push('"');
    css
}

#[cfg(test)]
#[allow(clippy::needless_raw_string_hashes)] // expect-test writes them
mod tests {
    use super::*;

    fn step(tag: &str, place: u32, of: u32) -> Step {
        Step { tag: tag.into(), place, of, ..Step::default() }
    }

    #[test]
    fn what_is_given_to_be_found_by_comes_first_and_the_whole_way_last() {
        let mut button =
            Step { id: "\\31 st".into(), classes: vec!["big".into(), "red".into()], ..step("button", 2, 3) };
        button.telling = vec!["pay\n\"now\"".into(), "x".repeat(LONGEST + 1)];
        let way = [
            button,
            Step { id: "form".into(), ..step("form", 1, 1) },
            step("body", 1, 1),
            step("html", 1, 1),
        ];
        expect_test::expect![[r##"
            #\31 st
            button[data-testid="pay\a \"now\""]
            button.big
            button.red
            button.big.red
            button
            #form > button:nth-of-type(2)
            form > button:nth-of-type(2)
            body > form > button:nth-of-type(2)
            html > body > form > button:nth-of-type(2)"##]]
        .assert_eq(&candidates(&way).join("\n"));
    }

    #[test]
    fn a_deep_element_costs_no_more_than_its_way() {
        let way = vec![step("div", 1, 2); 3_000];
        let found = candidates(&way);
        assert!(found.len() <= 2 + 3 * STEPS, "{} selectors", found.len());
        assert_eq!(candidates(&[]), Vec::<String>::new());
    }
}
