//! Tables: cells in their places, spans filled, said as markdown, tab-separated text or comma-separated values.

use std::fmt::Write as _;

/// A span counts at most so much: a page may claim anything.
const MOST_SPAN: usize = 100;

/// A table that is being read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grid {
    rows: Vec<Row>,
    /// For each column, how many rows below a cell still covers.
    covered: Vec<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    cells: Vec<String>,
    /// Whether all its cells are headers.
    heads: bool,
}

impl Grid {
    /// Begins a row.
    pub(super) fn row(&mut self) {
        self.rows.push(Row { cells: Vec::new(), heads: true });
        self.skip();
    }

    /// Puts in the next cell of the row.
    pub(super) fn cell(&mut self, text: String, header: bool, columns: usize, rows: usize) {
        if self.rows.is_empty() {
            self.row();
        }
        let Some(row) = self.rows.last_mut() else { return };
        row.heads &= header;
        let from = row.cells.len();
        row.cells.push(text);
        let columns = if from < MOST_SPAN { columns.clamp(1, MOST_SPAN) } else { 1 };
        row.cells.resize(from + columns, String::new());
        let end = row.cells.len();
        if rows > 1 {
            self.covered.resize(self.covered.len().max(end), 0);
            self.covered[from..end].fill(rows.min(MOST_SPAN));
        }
        self.skip();
    }

    /// Ends the row.
    pub(super) fn end_row(&mut self) {
        for left in &mut self.covered {
            *left = left.saturating_sub(1);
        }
        if self.rows.last().is_some_and(|row| row.cells.is_empty()) {
            self.rows.pop();
        }
    }

    /// Passes over places that a cell above covers.
    fn skip(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        while self.covered.get(row.cells.len()).is_some_and(|left| *left > 0) {
            // A cell of this very row has covered its own place already.
            row.cells.push(String::new());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.cells.iter().all(String::is_empty))
    }

    fn width(&self) -> usize {
        self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0)
    }

    /// As lines of markdown. A table without a row of headers gets an empty one: markdown has no other.
    pub(super) fn markdown(&self) -> Vec<String> {
        let width = self.width();
        let line = |cells: &[String]| {
            let mut line = String::from("|");
            for column in 0..width {
                let text = cells.get(column).map_or("", String::as_str);
                let _ = write!(line, " {} |", text.replace('|', "\\|").replace('\n', " "));
            }
            line
        };
        let headed = self.rows.first().is_some_and(|row| row.heads);
        let mut lines = Vec::with_capacity(self.rows.len() + 2);
        let mut rows = self.rows.iter();
        lines.push(if headed {
            rows.next().map(|row| line(&row.cells)).unwrap_or_default()
        } else {
            line(&[])
        });
        lines.push(format!("|{}", " --- |".repeat(width)));
        lines.extend(rows.map(|row| line(&row.cells)));
        lines
    }

    /// As lines whose cells are parted by tabs.
    pub(super) fn text(&self) -> Vec<String> {
        let rows = self.rows.iter();
        rows.map(|row| {
            row.cells.iter().map(|cell| cell.replace(['\n', '\t'], " ")).collect::<Vec<_>>().join("\t")
        })
        .collect()
    }

    /// As comma-separated values; every row has the same number of them.
    pub(super) fn csv(&self) -> String {
        let width = self.width();
        let mut out = String::new();
        for row in &self.rows {
            for column in 0..width {
                if column > 0 {
                    out.push(',');
                }
                let cell = row.cells.get(column).map_or("", String::as_str);
                if cell.contains(['"', ',', '\n', '\r']) {
                    let _ = write!(out, "\"{}\"", cell.replace('"', "\"\""));
                } else {
                    out.push_str(cell);
                }
            }
            out.push('\n');
        }
        out
    }
}
