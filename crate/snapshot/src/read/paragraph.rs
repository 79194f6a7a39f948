//! Builds lines of blocks: paragraphs with inline marks, under prefixes of lists and quotes. Knows no elements.

use super::is_readable;

/// What an inline mark puts around its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `**`, `*`, `~~` and the like.
    Around(&'static str),
    /// Code, between as many backticks as it takes.
    Code,
    /// A link to an address.
    Link(String),
}

/// A mark that is open, and where its text begins.
#[derive(Debug)]
struct Open {
    mark: Mark,
    from: usize,
    /// Its text was ended by the end of a block: what follows is not marked any more.
    spent: bool,
}

/// A level of indentation.
#[derive(Debug)]
struct Prefix {
    first: String,
    rest: String,
    used: bool,
}

/// The blocks that are done, and the paragraph that is being written.
#[derive(Debug, Default)]
pub(super) struct Paragraphs {
    pub(super) out: String,
    line: String,
    /// White space came: a blank goes before the next word.
    gap: bool,
    heading: usize,
    prefixes: Vec<Prefix>,
    marks: Vec<Open>,
    /// No empty line before the next block: items of a list stand close.
    close: bool,
    /// All in one line: the blocks of a cell.
    flat: bool,
}

impl Paragraphs {
    /// For the content of a cell: the ends of blocks are blanks.
    pub(super) fn flat() -> Self {
        Self { flat: true, ..Self::default() }
    }

    /// What the one line says.
    pub(super) fn into_line(self) -> String {
        self.line.trim().to_owned()
    }

    /// Text in which runs of white space count as one blank.
    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars() {
            if matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}') {
                self.gap = true;
            } else if is_readable(c) {
                self.blank();
                self.line.push(c);
            }
        }
    }

    /// A blank, unless one is there.
    pub(super) fn space(&mut self) {
        self.gap = true;
    }

    /// The blank that came, before what follows; marks that just opened begin after it.
    fn blank(&mut self) {
        if std::mem::take(&mut self.gap) && !self.line.is_empty() && !self.line.ends_with(['\n', ' ']) {
            let before = self.line.len();
            self.line.push(' ');
            for open in self.marks.iter_mut().rev().take_while(|open| open.from == before) {
                open.from += 1;
            }
        }
    }

    /// A new line within the paragraph.
    pub(super) fn break_line(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with('\n') {
            self.line.push('\n');
        }
        self.gap = false;
    }

    /// What is put down as it is, a word among others.
    pub(super) fn word(&mut self, word: &str) {
        self.blank();
        self.line.extend(word.chars().map(|c| if c == '\n' { ' ' } else { c }).filter(|c| is_readable(*c)));
    }

    /// Opens a mark.
    pub(super) fn open(&mut self, mark: Mark) {
        self.marks.push(Open { mark, from: self.line.len(), spent: false });
    }

    /// Closes the innermost mark.
    pub(super) fn close(&mut self, instead: &str) {
        let Some(open) = self.marks.pop() else { return };
        if open.spent {
            return;
        }
        if self.line.len() <= open.from {
            // A link without words has a name, or its picture's.
            if let Mark::Link(address) = &open.mark
                && !instead.is_empty()
            {
                let words: String = instead.chars().filter(|c| is_readable(*c)).collect();
                self.word(&format!("[{words}]({address})"));
            }
            return;
        }
        mark_from(&mut self.line, open.from, &open.mark);
    }

    /// The paragraph is a heading of that level.
    pub(super) fn heading(&mut self, level: usize) {
        self.heading = level;
    }

    /// Ends the paragraph.
    pub(super) fn end(&mut self) {
        if self.flat {
            self.gap = true;
            self.heading = 0;
            return;
        }
        for open in self.marks.iter_mut().rev().filter(|open| !open.spent) {
            if self.line.len() > open.from {
                mark_from(&mut self.line, open.from, &open.mark);
                open.spent = true;
            } else {
                open.from = 0;
            }
        }
        for open in &mut self.marks {
            open.from = 0;
        }
        self.gap = false;
        let heading = std::mem::take(&mut self.heading);
        let line = std::mem::take(&mut self.line);
        let line = line.trim_end();
        if line.is_empty() {
            return;
        }
        let line = if heading > 0 {
            format!("{} {}", "#".repeat(heading), line.replace('\n', " "))
        } else {
            line.to_owned()
        };
        self.block(line.lines());
    }

    /// Puts down lines as a block.
    pub(super) fn block<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        if !self.out.is_empty() && !self.close {
            // What has not begun yet does not stand before the gap.
            let begun: String = self
                .prefixes
                .iter()
                .take_while(|level| level.used)
                .map(|level| level.rest.as_str())
                .collect();
            self.out.push_str(begun.trim_end());
            self.out.push('\n');
        }
        self.close = false;
        for (index, line) in lines.enumerate() {
            let prefix = self.prefix(index == 0);
            let from = self.out.len();
            self.out.push_str(&prefix);
            self.out.push_str(line);
            let end = self.out.trim_end_matches(' ').len().max(from);
            self.out.truncate(end);
            self.out.push('\n');
        }
    }

    /// The next block stands apart from what is before it.
    pub(super) fn keep_apart(&mut self) {
        self.close = false;
    }

    /// The next block follows without an empty line.
    pub(super) fn keep_close(&mut self) {
        self.close = true;
    }

    /// Indents what follows.
    pub(super) fn indent(&mut self, first: &str, rest: &str) {
        self.prefixes.push(Prefix { first: first.to_owned(), rest: rest.to_owned(), used: false });
    }

    /// Ends an indentation.
    pub(super) fn outdent(&mut self) {
        self.prefixes.pop();
    }

    fn prefix(&mut self, starts: bool) -> String {
        let mut prefix = String::new();
        for level in &mut self.prefixes {
            if starts && !level.used {
                level.used = true;
                prefix.push_str(&level.first);
            } else {
                prefix.push_str(&level.rest);
            }
        }
        prefix
    }
}

/// Puts a mark around the end of a line, its blanks outside.
fn mark_from(line: &mut String, from: usize, mark: &Mark) {
    let text = line.split_off(from);
    let words = text.trim();
    let (before, after) = (&text[..text.len() - text.trim_start().len()], &text[text.trim_end().len()..]);
    line.push_str(before);
    match mark {
        Mark::Around(sign) => {
            line.push_str(sign);
            line.push_str(words);
            line.push_str(sign);
        }
        Mark::Code => {
            let ticks = "`".repeat(longest_run(words, '`') + 1);
            let pad = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
            line.push_str(&format!("{ticks}{pad}{words}{pad}{ticks}"));
        }
        Mark::Link(address) if address == words => line.push_str(&format!("<{address}>")),
        Mark::Link(address) => line.push_str(&format!("[{}]({address})", words.replace('\n', " "))),
    }
    line.push_str(after);
}

/// The longest run of a character.
pub(super) fn longest_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(|run| run.chars().count()).max().unwrap_or(0)
}
