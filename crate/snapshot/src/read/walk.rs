//! Goes through a part of a tree once, in its order, and says each element in the form asked for. No recursion: pages
//! nest as deep as they like.

use std::collections::BTreeSet;

use super::grid::Grid;
use super::paragraph::{Mark, Paragraphs, longest_run};
use super::{Content, Form, is_readable};
use crate::facts::{self, Element, LiveValue};
use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Node, Tree};

/// Longer addresses say no more.
const LONGEST_ADDRESS: usize = 2000;

/// What an element's end does.
enum Leave {
    Nothing,
    Block,
    Space,
    Mark(String),
    Reading,
    Outdent,
    List,
    Table,
    Row,
    Cell { header: bool, columns: usize, rows: usize },
}

struct Walker<'a> {
    tree: &'a Tree,
    sources: Vec<Option<(usize, facts::At)>>,
    form: Form,
    page: Paragraphs,
    open: Vec<(u32, Leave)>,
    /// For each open list, whether it counts, and its items so far.
    lists: Vec<(bool, usize)>,
    grid: Option<Grid>,
    /// The page, while a cell is written.
    around: Option<Paragraphs>,
    /// The tables so far, as comma-separated values.
    sheet: String,
    tables: usize,
    links: usize,
    seen: BTreeSet<String>,
}

/// Reads what is in a node, the node itself among it. What surrounds a page's content is passed over if asked.
pub(super) fn walk(tree: &Tree, from: At, form: Form, content_only: bool) -> Content {
    let read = |content_only| {
        let mut walker = Walker {
            tree,
            sources: tree.sources(),
            form,
            page: Paragraphs::default(),
            open: Vec::new(),
            lists: Vec::new(),
            grid: None,
            around: None,
            sheet: String::new(),
            tables: 0,
            links: 0,
            seen: BTreeSet::new(),
        };
        walker.run(from, content_only);
        walker.page.end();
        let (text, count) = match form {
            Form::Csv => (walker.sheet, walker.tables),
            Form::Markdown | Form::Text | Form::Links => (walker.page.out, walker.links),
        };
        Content { text, part: "", count }
    };
    let content = read(content_only);
    // A page that is all navigation is read all the same.
    if content.text.is_empty() && content_only { read(false) } else { content }
}

impl<'a> Walker<'a> {
    fn run(&mut self, from: At, content_only: bool) {
        let end = self.tree.node(from).end;
        let mut at = from;
        while at.0 < end {
            self.leave_until(at.0);
            let node = self.tree.node(at);
            let passed = content_only && at != from && is_around(node) && !node.is_hidden();
            if passed || !self.enter(at, node) {
                at = At(node.end);
            } else {
                at = At(at.0 + 1);
            }
        }
        self.leave_until(end);
    }

    fn leave_until(&mut self, at: u32) {
        while self.open.last().is_some_and(|(end, _)| *end <= at) {
            if let Some((_, leave)) = self.open.pop() {
                self.leave(leave);
            }
        }
    }

    fn element(&self, at: At) -> Option<Element<'a>> {
        let (frame, place) = self.sources[at.index()]?;
        self.tree.facts(frame)?.element(place)
    }

    /// Whether what is inside is to be gone through.
    fn enter(&mut self, at: At, node: &Node) -> bool {
        if node.is_text() {
            self.text(at, node);
            return false;
        }
        let leave = match self.element(at) {
            // What a person does not meet may hold what they do.
            Some(element) if !node.is_hidden() => match self.say(at, node, element) {
                Some(leave) => leave,
                None => return false,
            },
            Some(_) | None => Leave::Nothing,
        };
        self.open.push((node.end, leave));
        true
    }

    fn text(&mut self, at: At, node: &Node) {
        let Some((frame, place)) = self.sources[at.index()] else { return };
        let Some(facts::Node::Text(text)) = self.tree.facts(frame).map(|facts| facts.node(place)) else {
            return;
        };
        if node.is_hidden() || matches!(self.form, Form::Links) {
            return;
        }
        self.page.text(text);
    }

    /// Says the beginning of an element; `None` when that was all of it.
    fn say(&mut self, at: At, node: &Node, element: Element<'_>) -> Option<Leave> {
        let tag = element.tag();
        if let Some(leave) = self.table(at, node, element) {
            return Some(leave);
        }
        let role = node.role();
        if role == Role::Heading {
            self.page.end();
            self.page.heading(if self.form == Form::Markdown { level(element) } else { 0 });
            return Some(Leave::Block);
        }
        if role == Role::Image {
            self.page.word(&self.picture(node));
            return None;
        }
        if role == Role::Link && !node.href().is_empty() {
            return Some(self.link(node));
        }
        if role == Role::Canvas {
            return None;
        }
        if role == Role::Iframe {
            self.page.end();
            if !node.label().is_empty() && matches!(self.form, Form::Markdown | Form::Text) {
                self.page.word(&format!("[frame: {}]", node.label()));
                self.page.end();
            }
            return Some(Leave::Block);
        }
        match tag {
            "br" => self.page.break_line(),
            "hr" => {
                self.page.end();
                if self.form == Form::Markdown {
                    self.page.block(std::iter::once("---"));
                }
            }
            "input" | "select" | "textarea" | "progress" | "meter" => {
                self.control(node, element);
                return None;
            }
            "ul" | "ol" | "menu" | "dir" => return Some(self.list(tag == "ol")),
            "li" if !self.lists.is_empty() => return Some(self.item(element)),
            "dd" => return Some(self.indented(": ", "  ")),
            "blockquote" => return Some(self.indented("> ", "> ")),
            "pre" | "listing" if self.around.is_none() => {
                self.page.end();
                self.code(at);
                return None;
            }
            "rt" => {
                self.page.word("(");
                return Some(Leave::Reading);
            }
            "b" | "strong" => return Some(self.marked(Mark::Around("**"))),
            "i" | "em" => return Some(self.marked(Mark::Around("*"))),
            "s" | "del" | "strike" => return Some(self.marked(Mark::Around("~~"))),
            "code" | "kbd" | "samp" | "tt" => return Some(self.marked(Mark::Code)),
            _ if role == Role::List => return Some(self.list(false)),
            _ if role == Role::ListItem && !self.lists.is_empty() => return Some(self.item(element)),
            _ => {}
        }
        Some(self.boxed(element))
    }

    /// What an element's box puts between words.
    fn boxed(&mut self, element: Element<'_>) -> Leave {
        match element.display() {
            "inline" | "contents" | "none" | "ruby" | "ruby-base" | "ruby-text" => Leave::Nothing,
            "inline-block" | "inline-flex" | "inline-grid" | "inline-table" | "table-cell" => {
                self.page.space();
                Leave::Space
            }
            _ => {
                self.page.end();
                Leave::Block
            }
        }
    }

    fn marked(&mut self, mark: Mark) -> Leave {
        if self.form != Form::Markdown {
            return Leave::Nothing;
        }
        self.page.open(mark);
        Leave::Mark(String::new())
    }

    fn indented(&mut self, first: &str, rest: &str) -> Leave {
        self.page.end();
        if self.form != Form::Markdown {
            return Leave::Block;
        }
        self.page.indent(first, rest);
        Leave::Outdent
    }

    fn list(&mut self, counts: bool) -> Leave {
        self.page.end();
        if !self.lists.is_empty() {
            self.page.keep_close();
        }
        self.lists.push((counts, 0));
        Leave::List
    }

    fn item(&mut self, element: Element<'_>) -> Leave {
        self.page.end();
        let Some((counts, items)) = self.lists.last_mut() else { return Leave::Block };
        if *items > 0 {
            self.page.keep_close();
        }
        let said = element.attribute("value").and_then(|value| value.trim().parse().ok());
        *items = said.filter(|_| *counts).unwrap_or(*items + 1);
        let first = if *counts { format!("{items}. ") } else { "- ".to_owned() };
        let rest = " ".repeat(first.len());
        self.page.indent(&first, &rest);
        Leave::Outdent
    }

    fn link(&mut self, node: &Node) -> Leave {
        self.links += 1;
        let address = address(node.href());
        match (&address, self.form) {
            (Some(address), Form::Links) => {
                let name = collapse(node.name());
                let words: String = name.chars().filter(|c| is_readable(*c)).collect();
                let line =
                    if words.is_empty() { format!("<{address}>") } else { format!("[{words}]({address})") };
                if self.seen.insert(line.clone()) {
                    self.page.keep_close();
                    self.page.block(std::iter::once(line.as_str()));
                } else {
                    self.links -= 1;
                }
                Leave::Nothing
            }
            (Some(address), Form::Markdown) => {
                self.page.open(Mark::Link(address.clone()));
                Leave::Mark(collapse(node.name()))
            }
            (Some(_), Form::Text | Form::Csv) => Leave::Nothing,
            (None, _) => {
                self.links -= 1;
                Leave::Nothing
            }
        }
    }

    fn picture(&self, node: &Node) -> String {
        let name = collapse(node.name());
        match self.form {
            Form::Markdown if !name.is_empty() => format!("![{name}]"),
            Form::Markdown | Form::Links => String::new(),
            Form::Text | Form::Csv => name,
        }
    }

    /// What a control holds. Secrets are left out.
    fn control(&mut self, node: &Node, element: Element<'_>) {
        if matches!(self.form, Form::Links) || matches!(element.value(), Some(LiveValue::Secret(_))) {
            return;
        }
        let role = node.role();
        let said = if matches!(role, Role::Checkbox | Role::Radio | Role::Switch) {
            if element.is_checked() { "[x]".to_owned() } else { "[ ]".to_owned() }
        } else if role == Role::Button {
            collapse(node.name())
        } else {
            match node.value() {
                Some(value) if !value.is_empty() => format!("[{value}]"),
                Some(_) | None => return,
            }
        };
        self.page.space();
        self.page.word(&said);
        self.page.space();
    }

    /// Tables, their rows and cells. A table that holds another is there for the layout.
    fn table(&mut self, at: At, node: &Node, element: Element<'_>) -> Option<Leave> {
        if self.form == Form::Links {
            return None;
        }
        let tables = |role| matches!(role, Role::Table | Role::Grid | Role::TreeGrid);
        let role = node.role();
        if tables(role) && self.grid.is_none() {
            if self.tree.inside(at).any(|inner| tables(self.tree.node(inner).role())) {
                return None;
            }
            self.page.end();
            self.grid = Some(Grid::default());
            return Some(Leave::Table);
        }
        if self.around.is_some() {
            return None;
        }
        if role == Role::Row {
            self.grid.as_mut()?.row();
            return Some(Leave::Row);
        }
        if !matches!(role, Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader) {
            return None;
        }
        self.grid.as_ref()?;
        self.around = Some(std::mem::replace(&mut self.page, Paragraphs::flat()));
        let span = |html, aria| {
            let said = element.said(html).or_else(|| element.said(aria));
            said.and_then(|span| span.parse().ok()).unwrap_or(1)
        };
        Some(Leave::Cell {
            header: role == Role::ColumnHeader,
            columns: span("colspan", "aria-colspan"),
            rows: span("rowspan", "aria-rowspan"),
        })
    }

    fn leave(&mut self, leave: Leave) {
        match leave {
            Leave::Nothing => {}
            Leave::Block => self.page.end(),
            Leave::Space => self.page.space(),
            Leave::Mark(instead) => self.page.close(&instead),
            Leave::Reading => self.page.word(")"),
            Leave::Outdent => {
                self.page.end();
                self.page.outdent();
            }
            Leave::List => {
                self.page.end();
                self.lists.pop();
                self.page.keep_apart();
            }
            Leave::Cell { header, columns, rows } => {
                if let Some(page) = self.around.take() {
                    let cell = std::mem::replace(&mut self.page, page).into_line();
                    if let Some(grid) = &mut self.grid {
                        grid.cell(cell, header, columns, rows);
                    }
                }
            }
            Leave::Row => {
                if let Some(grid) = &mut self.grid {
                    grid.end_row();
                }
            }
            Leave::Table => self.end_table(),
        }
    }

    /// Preformatted text, as it is.
    fn code(&mut self, at: At) {
        let Some((frame, place)) = self.sources[at.index()] else { return };
        let Some(facts) = self.tree.facts(frame) else { return };
        let code = self.tree.raw(frame, place + 1..facts.end(place));
        let code: String = code.chars().filter(|c| is_readable(*c)).collect();
        // A line end right after the tag is not shown, and one before its end shows nothing.
        let code = code.strip_prefix('\n').unwrap_or(&code).trim_end_matches('\n');
        if code.is_empty() || self.form == Form::Links {
            return;
        }
        let ticks = "`".repeat((longest_run(code, '`') + 1).max(3));
        let edge = (self.form == Form::Markdown).then_some(ticks.as_str());
        self.page.block(edge.into_iter().chain(code.lines()).chain(edge));
    }

    fn end_table(&mut self) {
        self.page.end();
        let Some(grid) = self.grid.take().filter(|grid| !grid.is_empty()) else { return };
        self.tables += 1;
        match self.form {
            Form::Csv => {
                if !self.sheet.is_empty() {
                    self.sheet.push('\n');
                }
                self.sheet.push_str(&grid.csv());
            }
            Form::Markdown => self.page.block(grid.markdown().iter().map(String::as_str)),
            Form::Text | Form::Links => self.page.block(grid.text().iter().map(String::as_str)),
        }
    }
}

/// Whether it surrounds the content of a page.
fn is_around(node: &Node) -> bool {
    matches!(node.role(), Role::Navigation | Role::Banner | Role::ContentInfo | Role::Complementary)
}

/// A heading's level, from 1 to 6.
fn level(element: Element<'_>) -> usize {
    let said = element.said("aria-level").and_then(|level| level.parse::<usize>().ok());
    let own = || element.tag().strip_prefix('h').and_then(|digit| digit.parse().ok());
    said.or_else(own).unwrap_or(2).clamp(1, 6)
}

/// An address as it stands between parentheses; `None` for what leads nowhere.
fn address(href: &str) -> Option<String> {
    let href = href.trim();
    let lower: String = href.chars().take(12).flat_map(char::to_lowercase).collect();
    if href.is_empty() || href.len() > LONGEST_ADDRESS || lower.starts_with("javascript:") {
        return None;
    }
    let mut out = String::with_capacity(href.len());
    for c in href.chars().filter(|c| is_readable(*c)) {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            c if c.is_whitespace() => out.push_str("%20"),
            c => out.push(c),
        }
    }
    Some(out)
}
