//! Facts from a drawing, for tests. One line a node, indented by two blanks a level:
//!
//! ```text
//! ul
//!   li#7 role=option aria-label="A b" :selected :none "text in it"
//!     "more text"
//! ```
//!
//! `#7` is the element's number (else the next free one); `:word` sets one of the collector's bits, a display
//! (`:none`, `:inline`, `:block`…) or `:value="…"`, `:secret=12`, `:after='words'`, `:svg`. An element is a block unless HTML has it inline.

use std::collections::HashMap;

use super::Facts;
use super::element::bit;

/// The facts of a drawing.
pub(crate) fn sketch(document: u32, drawing: &str) -> Facts {
    Facts::parse(&json(document, 0, drawing)).expect("a drawing gives facts")
}

/// The facts of a drawing in which an element has focus.
pub(crate) fn focused(document: u32, active: u32, drawing: &str) -> Facts {
    Facts::parse(&json(document, active, drawing)).expect("a drawing gives facts")
}

/// The facts of a drawing in which words stand for others, that no drawing could hold: quotes, control characters.
pub(crate) fn hostile(document: u32, drawing: &str, words: &[(String, String)]) -> Facts {
    let mut text = json(document, 0, drawing);
    for (word, other) in words {
        let quoted = serde_json::to_string(other).expect("a string is JSON");
        text = text.replace(word.as_str(), &quoted[1..quoted.len() - 1]);
    }
    Facts::parse(&text).expect("a drawing gives facts")
}

#[derive(Default)]
struct Sketch {
    strings: Vec<String>,
    places: HashMap<String, usize>,
    nodes: Vec<i64>,
    last: u32,
    /// Positions among siblings, by depth.
    counts: Vec<HashMap<String, u32>>,
}

fn json(document: u32, active: u32, drawing: &str) -> String {
    let mut sketch = Sketch { last: 1000, ..Sketch::default() };
    let lines: Vec<&str> = drawing.lines().filter(|line| !line.trim().is_empty()).collect();
    let margin = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    for line in lines {
        let depth = (line.len() - line.trim_start().len() - margin) / 2;
        sketch.line(depth, line.trim());
    }
    serde_json::json!({
        "version": 3, "epoch": 1, "document": document, "url": "https://shop.example/pay", "title": "Checkout", "editable": false,
        "focused": true, "active": active, "viewport": [800, 600], "scroll": [0, 0, 800, 600],
        "strings": sketch.strings, "nodes": sketch.nodes,
    })
    .to_string()
}

impl Sketch {
    fn intern(&mut self, text: &str) -> i64 {
        let next = self.strings.len();
        let place = *self.places.entry(text.to_owned()).or_insert(next);
        if place == next {
            self.strings.push(text.to_owned());
        }
        i64::try_from(place).unwrap()
    }

    fn text(&mut self, depth: usize, text: &str) {
        let place = self.intern(text);
        self.nodes.extend([-1 - place, i64::try_from(depth).unwrap()]);
    }

    fn line(&mut self, depth: usize, line: &str) {
        if line.starts_with('"') {
            return self.text(depth, &serde_json::from_str::<String>(line).expect("a quoted text"));
        }
        let words = words(line);
        let (tag, number) = if let Some((tag, number)) = words[0].split_once('#') {
            (tag, number.parse().expect("a number"))
        } else {
            self.last += 1;
            (words[0].as_str(), self.last)
        };
        let mut flags = 0;
        let mut display = if is_inline(tag) { "inline" } else { "block" }.to_owned();
        let mut value = None;
        let mut bounds = None;
        let mut generated = Vec::new();
        let mut attributes = Vec::new();
        let mut text = None;
        for word in &words[1..] {
            if let Some(quoted) = word.strip_prefix('"') {
                text = Some(quoted.to_owned());
                continue;
            }
            let (name, given) = word.split_once('=').unwrap_or((word, ""));
            let Some(word) = name.strip_prefix(':') else {
                attributes.push((name.to_owned(), given.to_owned()));
                continue;
            };
            match word {
                "value" => value = Some(self.intern(given)),
                "secret" => (value, flags) = (Some(given.parse().unwrap()), flags | bit::SECRET),
                "box" => {
                    bounds = Some(given.split(',').map(|n| n.parse::<i64>().unwrap()).collect::<Vec<_>>());
                }
                "after" => {
                    generated.push(self.intern(given));
                    flags |= bit::AFTER;
                }
                "svg" => flags |= 1,
                "none" | "inline" | "block" | "inline-block" | "contents" => word.clone_into(&mut display),
                // Facts that the collector writes as attributes of their own.
                "defined" | "form" | "complaint" | "drawn" => {
                    attributes.push((name.to_owned(), given.to_owned()));
                }
                word => flags |= flag(word),
            }
        }
        if value.is_some() && flags & bit::SECRET == 0 {
            flags |= bit::VALUE;
        }
        if bounds.is_some() {
            flags |= bit::BOX;
        }
        self.counts.truncate(depth + 1);
        self.counts.resize_with(depth + 1, HashMap::new);
        let position = *self.counts[depth].entry(tag.to_owned()).and_modify(|n| *n += 1).or_insert(1);
        let (tag, display) = (self.intern(tag), self.intern(&display));
        self.nodes.extend([tag, i64::try_from(depth).unwrap(), i64::from(number), i64::from(position)]);
        self.nodes.extend([i64::from(flags), display]);
        self.nodes.extend(bounds.unwrap_or_default());
        self.nodes.extend(value);
        self.nodes.extend(generated);
        self.nodes.push(i64::try_from(attributes.len()).unwrap());
        for (name, value) in attributes {
            let pair = [self.intern(&name), self.intern(&value)];
            self.nodes.extend(pair);
        }
        if let Some(text) = text {
            self.text(depth + 1, &text);
        }
    }
}

/// Words of a line; quotes keep blanks, and a word that is all quoted begins with a quote.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        let word = words.last_mut().unwrap();
        match c {
            '"' => {
                if !quoted && word.is_empty() {
                    word.push('"');
                }
                quoted = !quoted;
            }
            ' ' if !quoted => words.push(String::new()),
            c => word.push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "abbr"
            | "b"
            | "code"
            | "em"
            | "i"
            | "img"
            | "kbd"
            | "label"
            | "mark"
            | "q"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "time"
    )
}

fn flag(word: &str) -> u32 {
    match word {
        "host" => bit::HOST,
        "root" => bit::ROOT_CHILD,
        "slotted" => bit::SLOTTED,
        "invisible" => bit::INVISIBLE,
        "pointer" => bit::POINTER,
        "checked" => bit::CHECKED,
        "indeterminate" => bit::INDETERMINATE,
        "selected" => bit::SELECTED,
        "disabled" => bit::DISABLED,
        "invalid" => bit::INVALID,
        "scrolls" => bit::SCROLLS_Y,
        "modal" => bit::MODAL,
        "skipped" => bit::SKIPPED,
        "frame" => bit::FRAME,
        "bare" => bit::BARE,
        "refused" => bit::REFUSED,
        "popover-open" => bit::POPOVER_OPEN,
        other => panic!("no bit is called {other}"),
    }
}
