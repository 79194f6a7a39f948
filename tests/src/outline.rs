//! What an agent knows from the replies it has read: lines with refs. It reads the text form of snapshots and diffs
//! and nothing else, so whoever works from it uses only refs that a reply gave.

use anyhow::{Result, anyhow};

/// One element, as the last reply that mentioned it had it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// As in `e12`.
    pub reference: String,
    /// As in `button`.
    pub role: String,
    /// The quoted name, unescaped; empty when there is none.
    pub name: String,
    /// The line as it was, without indentation and mark.
    pub text: String,
    /// The lines it stands under, outermost first, and then those beside it under the same line.
    pub around: Vec<String>,
}

/// All lines read so far, in the order in which they were last read.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    lines: Vec<Line>,
}

impl Outline {
    /// Takes in a reply.
    pub fn read(&mut self, reply: &str) {
        let mut lines: Vec<Raw> = Vec::new();
        for raw in reply.lines() {
            let (mark, rest) = split_mark(raw);
            let text = rest.trim_start();
            let depth = rest.len() - text.len();
            let parent = lines.iter().rposition(|above| above.depth < depth);
            lines.push(Raw { mark, depth, parent, text });
        }
        for (index, raw) in lines.iter().enumerate() {
            let Some(line) = parse(raw.text, around(&lines, index)) else { continue };
            self.lines.retain(|known| known.reference != line.reference);
            if raw.mark != Some('-') {
                self.lines.push(line);
            }
        }
    }

    /// The line with this role and exactly this name; the one read last when there are several.
    pub fn find(&self, role: &str, name: &str) -> Result<&Line> {
        self.last(|line| line.role == role && line.name == name)
            .ok_or_else(|| anyhow!("no reply showed a {role} {name:?}"))
    }

    /// The line with this role and name that stands under, or beside, a line containing `context`.
    pub fn find_under(&self, role: &str, name: &str, context: &str) -> Result<&Line> {
        let fits = |line: &Line| {
            line.role == role && line.name == name && line.around.iter().any(|other| other.contains(context))
        };
        self.last(fits).ok_or_else(|| anyhow!("no reply showed a {role} {name:?} under {context:?}"))
    }

    /// The lines with this role.
    pub fn all(&self, role: &str) -> Vec<&Line> {
        self.lines.iter().filter(|line| line.role == role).collect()
    }

    /// Every ref.
    pub fn refs(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.reference.clone()).collect()
    }

    fn last(&self, fits: impl Fn(&Line) -> bool) -> Option<&Line> {
        self.lines.iter().rev().find(|line| fits(line))
    }
}

/// A line of a reply, with the index of the line it stands under.
struct Raw<'a> {
    mark: Option<char>,
    depth: usize,
    parent: Option<usize>,
    text: &'a str,
}

/// What a line stands under, and what stands beside it there. Lines at the top have nothing in common.
fn around(lines: &[Raw], index: usize) -> Vec<String> {
    let mut around: Vec<String> = std::iter::successors(lines[index].parent, |above| lines[*above].parent)
        .map(|it| lines[it].text.to_owned())
        .collect();
    around.reverse();
    if let Some(parent) = lines[index].parent {
        let beside =
            lines.iter().enumerate().filter(|(other, raw)| *other != index && raw.parent == Some(parent));
        around.extend(beside.map(|(_, raw)| raw.text.to_owned()));
    }
    around
}

/// Takes the mark of a diff's line off: `+ `, `- `, `~ `, `> `.
fn split_mark(line: &str) -> (Option<char>, &str) {
    for mark in ['+', '-', '~', '>'] {
        if let Some(rest) = line.strip_prefix(mark).and_then(|rest| rest.strip_prefix(' ')) {
            return (Some(mark), rest);
        }
    }
    (None, line)
}

fn parse(text: &str, around: Vec<String>) -> Option<Line> {
    let (reference, rest) = text.split_once(' ')?;
    let digits = reference.strip_prefix('e')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A row right under its table has no word for what it is.
    let (role, rest) =
        if rest.starts_with('"') { ("row", rest) } else { rest.split_once(' ').unwrap_or((rest, "")) };
    let name = quoted(rest).unwrap_or_default();
    Some(Line { reference: reference.to_owned(), role: role.to_owned(), name, text: text.to_owned(), around })
}

/// The JSON string at the beginning.
fn quoted(text: &str) -> Option<String> {
    if !text.starts_with('"') {
        return None;
    }
    serde_json::Deserializer::from_str(text).into_iter::<String>().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(replies: &[&str]) -> Outline {
        let mut outline = Outline::default();
        for reply in replies {
            outline.read(reply);
        }
        outline
    }

    const PAGE: &str = "t3 \"Checkout\" http://shop.example/ · all 5 lines\n\
        e4 heading \"Payment\" level=1\n\
        e6 iframe \"Card form\" pay.example\n  e7 textbox \"Card \\\"number\\\"\" =\"42\" required\n\
        e12 row \"Alice\" \"3 May\"\n  e13 button \"Delete\"\n\
        e14 row \"Bob\"\n  e15 button \"Delete\"\n";

    #[test]
    fn lines_are_found_by_role_name_and_what_they_stand_under() {
        let outline = outline(&[PAGE]);
        assert_eq!(outline.find("textbox", "Card \"number\"").unwrap().reference, "e7");
        assert_eq!(outline.find_under("button", "Delete", "Alice").unwrap().reference, "e13");
        assert_eq!(outline.find_under("button", "Delete", "\"Bob\"").unwrap().reference, "e15");
        assert!(outline.find("button", "Save").is_err());
    }

    #[test]
    fn what_stands_beside_a_line_tells_it_from_its_namesakes() {
        let list = "list\n  listitem\n    \"Message 3\"\n    e5 button \"Archive\"\n  listitem\n    \"Message 4\"\n    e6 button \"Archive\"";
        let outline = outline(&[list]);
        assert_eq!(outline.find_under("button", "Archive", "Message 3").unwrap().reference, "e5");
    }

    #[test]
    fn a_diff_adds_changes_and_removes() {
        let diff = "t3 ok click e13 button \"Delete\"\n- e12 row \"Alice\"\n+ e16 button \"Undo\" in e4 heading\n\
            ~ e15 button \"Delete all\" was \"Delete\"";
        let outline = outline(&[PAGE, diff]);
        assert!(outline.find("row", "Alice").is_err());
        assert_eq!(outline.find("button", "Undo").unwrap().reference, "e16");
        assert_eq!(outline.find("button", "Delete all").unwrap().reference, "e15");
    }

    #[test]
    fn quoted_text_is_no_line() {
        assert!(outline(&["t1 \"x\" http://x/\n\"e5 button \\\"Pay\\\"\"\n"]).refs().is_empty());
    }
}
