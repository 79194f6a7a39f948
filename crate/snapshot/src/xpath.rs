//! Where an element is, as a path that can be stored: positional `XPath` steps, and two hops that `XPath` lacks.
//!
//! `/html[1]/body[1]/iframe[1]::frame/html[1]/body[1]/x-card[1]::shadow/button[2]` goes into the frame that the iframe
//! holds, and into the shadow root of the card. `::frame` and `::shadow` cannot occur there in `XPath`, so a path without
//! them is `XPath` that `document.evaluate` takes as it is. Namespaced names are compared by `name()`:
//! `*[name()='svg'][1]`. A slotted element is where the DOM has it: among its host's children.
//!
//! Resolving a path is the collector's (`resolve`), one document at a time.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::facts::Element;
use crate::tree::{At, Tree};

/// A path from the root document to one element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct XPath {
    /// The part of the path in each document, outermost first.
    documents: Vec<Segment>,
}

/// The part of a path in one document: from the document, then from each shadow root it hops into. Its JSON is what the
/// collector's `resolve` takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Segment(Vec<Vec<Step>>);

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The element's name.
    pub name: String,
    /// Its position, from 1, among siblings the same test matches.
    pub position: u32,
    /// Whether the test compares `name()`.
    pub named: bool,
}

/// The text is no path of this form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a positional path at byte {at}: {expected} expected")]
pub struct NotAPath {
    /// Where reading stopped.
    pub at: usize,
    /// What could have stood there.
    pub expected: &'static str,
}

/// The path of a node: of a text, that of its element.
pub fn of(tree: &Tree, at: At) -> Option<XPath> {
    let mut documents = Vec::new();
    let node = tree.node(at);
    let holder = if node.element().is_some() { Some(at) } else { node.parent() };
    let mut frame = node.frame();
    let mut element = tree.node(holder?).element()?;
    loop {
        let facts = tree.facts(frame)?;
        documents.push(segment(facts.find(element)?));
        match tree.page().frames.get(frame)?.owner {
            None => break,
            Some(owner) if owner.frame < frame => {
                frame = owner.frame;
                element = owner.element;
            }
            Some(_) => return None,
        }
    }
    documents.reverse();
    Some(XPath { documents })
}

/// The path of an element in its own document.
pub fn segment(element: Element<'_>) -> Segment {
    let mut parts = vec![Vec::new()];
    let mut next = Some(element);
    while let Some(element) = next {
        let step =
            Step { name: element.name().to_owned(), position: element.position(), named: element.is_named() };
        if let Some(part) = parts.last_mut() {
            part.push(step);
        }
        if element.is_root_child() {
            parts.push(Vec::new());
        }
        next = element.dom_parent();
    }
    for part in &mut parts {
        part.reverse();
    }
    parts.reverse();
    Segment(parts)
}

impl XPath {
    /// The part of the path in each document, outermost first; each but the last ends on the element that holds the
    /// next one's frame.
    pub fn segments(&self) -> &[Segment] {
        &self.documents
    }

    /// Whether `document.evaluate` of the root document takes it as it is.
    pub fn is_plain(&self) -> bool {
        self.documents.len() == 1 && self.documents[0].0.len() == 1
    }
}

impl Segment {
    /// The steps from the document, then those from each shadow root.
    pub fn parts(&self) -> &[Vec<Step>] {
        &self.0
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.name, self.position, self.named).serialize(serializer)
    }
}

impl fmt::Display for XPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, document) in self.documents.iter().enumerate() {
            if index > 0 {
                f.write_str("::frame")?;
            }
            document.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("::shadow")?;
            }
            for step in part {
                step.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, position, named } = self;
        if !named {
            return write!(f, "/{name}[{position}]");
        }
        if !name.contains('\'') {
            return write!(f, "/*[name()='{name}'][{position}]");
        }
        if !name.contains('"') {
            return write!(f, "/*[name()=\"{name}\"][{position}]");
        }
        // XPath strings know no escapes: a name with both quotes is put together.
        f.write_str("/*[name()=concat(")?;
        for (index, piece) in name.split('\'').enumerate() {
            if index > 0 {
                f.write_str(",\"'\",")?;
            }
            write!(f, "'{piece}'")?;
        }
        write!(f, ")][{position}]")
    }
}

impl FromStr for XPath {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, NotAPath> {
        Self::parse(text)
    }
}

impl XPath {
    /// Reads what [`XPath`] prints; a position that is left out is 1.
    ///
    /// # Errors
    ///
    /// When the text is anything else, other `XPath` included.
    pub fn parse(text: &str) -> Result<Self, NotAPath> {
        let mut reader = Reader { text, at: 0 };
        let mut documents = vec![Segment(vec![Vec::new()])];
        loop {
            reader.expect("/", "/")?;
            let step = reader.step()?;
            let Some(Segment(parts)) = documents.last_mut() else { return Err(reader.fail("/")) };
            if let Some(part) = parts.last_mut() {
                part.push(step);
            }
            if reader.take("::shadow") {
                parts.push(Vec::new());
            } else if reader.take("::frame") {
                documents.push(Segment(vec![Vec::new()]));
            } else if reader.at == text.len() {
                return Ok(Self { documents });
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), NotAPath> {
        if self.take(word) { Ok(()) } else { Err(self.fail(expected)) }
    }

    fn fail(&self, expected: &'static str) -> NotAPath {
        NotAPath { at: self.at, expected }
    }

    fn step(&mut self) -> Result<Step, NotAPath> {
        let named = self.take("*[name()=");
        let name = if named {
            let name = self.literal()?;
            self.expect("]", "]")?;
            name
        } else {
            let end = self.rest().find(['/', '[', ':', '*', '@', '(', ' ']).unwrap_or(self.rest().len());
            if end == 0 || self.rest().starts_with('.') {
                return Err(self.fail("an element's name"));
            }
            let name = self.rest()[..end].to_owned();
            self.at += end;
            name
        };
        let position = if self.take("[") {
            let end = self.rest().find(']').ok_or_else(|| self.fail("]"))?;
            let position: u32 =
                self.rest()[..end].parse().ok().filter(|n| *n > 0).ok_or_else(|| self.fail("a position"))?;
            self.at += end + 1;
            position
        } else {
            1
        };
        Ok(Step { name, position, named })
    }

    fn literal(&mut self) -> Result<String, NotAPath> {
        if !self.take("concat(") {
            return self.quoted();
        }
        let mut whole = String::new();
        loop {
            whole.push_str(&self.quoted()?);
            if self.take(")") {
                return Ok(whole);
            }
            self.expect(",", ", or )")?;
        }
    }

    fn quoted(&mut self) -> Result<String, NotAPath> {
        let quote = self
            .rest()
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"'))
            .ok_or_else(|| self.fail("a quote"))?;
        let inner = &self.rest()[1..];
        let end = inner.find(quote).ok_or_else(|| self.fail("the closing quote"))?;
        self.at += end + 2;
        Ok(inner[..end].to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        for text in [
            "/html[1]/body[1]/div[12]",
            "/html[1]/body[1]/*[name()='svg'][1]/*[name()='svg:path'][2]",
            "/html[1]/x-card[1]::shadow/div[1]::shadow/button[2]",
            "/html[1]/iframe[1]::frame/html[1]/a[1]::shadow/b[1]::frame/c[1]",
            "/html[1]/*[name()=\"it's::shadow/x[1]\"][1]",
            "/html[1]/*[name()=concat('a',\"'\",'b\"c')][3]",
        ] {
            assert_eq!(XPath::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(XPath::parse("/html/body").unwrap().to_string(), "/html[1]/body[1]");
    }

    #[test]
    fn what_is_no_path_says_where() {
        for (text, at) in [
            ("", 0),
            ("html", 0),
            ("//a", 1),
            ("/a[0]", 3),
            ("/a[x]", 3),
            ("/a::b", 2),
            ("/a/", 3),
            ("/a[1]x", 5),
            ("/*[name()='a][1]", 10),
            ("/.", 1),
        ] {
            assert_eq!(XPath::parse(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn segments_are_what_the_collector_takes() {
        let path = XPath::parse("/html[1]/x-y[2]::shadow/*[name()='svg'][1]::frame/a[1]").unwrap();
        let json: Vec<String> = path.segments().iter().map(|s| serde_json::to_string(s).unwrap()).collect();
        assert_eq!(
            json,
            [r#"[[["html",1,false],["x-y",2,false]],[["svg",1,true]]]"#, r#"[[["a",1,false]]]"#]
        );
        assert!(!path.is_plain());
    }
}
