//! A table as Markdown has it, which a terminal shows as well. Knows nothing of what is in it.

use std::fmt::Write as _;

/// A table.
pub struct Table {
    caption: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<'a>(caption: impl Into<String>, head: impl IntoIterator<Item = &'a str>) -> Self {
        Self { caption: caption.into(), rows: vec![head.into_iter().map(str::to_owned).collect()] }
    }

    /// Adds a row, of as many cells as the head has.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        // A bar in a cell would end it.
        self.rows.push(cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect());
    }

    /// With its columns under each other, for a terminal.
    pub fn aligned(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let width = |column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0).max(3);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        format!("{}\n\n{}", self.caption, self.text(&widths))
    }

    /// As narrow as can be, for a file.
    pub fn markdown(&self) -> String {
        format!("**{}**\n\n{}", self.caption, self.text(&[]))
    }

    fn text(&self, widths: &[usize]) -> String {
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            text.push('|');
            for (column, cell) in row.iter().enumerate() {
                let width = widths.get(column).copied().unwrap_or(0);
                // A String takes whatever is written to it. What stands first is words, the rest figures.
                let _ = if column == 0 {
                    write!(text, " {cell:<width$} |")
                } else {
                    write!(text, " {cell:>width$} |")
                };
            }
            text.push('\n');
            if index == 0 {
                text.push('|');
                for column in 0..row.len() {
                    let dashes = "-".repeat(widths.get(column).copied().unwrap_or(0).max(3));
                    let line = if column == 0 { dashes } else { format!("{}:", &dashes[1..]) };
                    // As above.
                    let _ = write!(text, " {line} |");
                }
                text.push('\n');
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_the_same_table_and_a_bar_ends_no_cell() {
        let mut table = Table::new("Times", ["page", "ms"]);
        table.row(["a|b".to_owned(), "1,234".to_owned()]);
        assert_eq!(table.markdown(), "**Times**\n\n| page | ms |\n| --- | --: |\n| a\\|b | 1,234 |\n");
        assert_eq!(table.aligned(), "Times\n\n| page |    ms |\n| ---- | ----: |\n| a\\|b | 1,234 |\n");
    }
}
