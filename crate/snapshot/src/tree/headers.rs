//! Which header cells speak for a cell of a table (HTML §4.9.12.2): those its `headers` attribute names, else those
//! above and before it. Tables made by ARIA roles count their cells in order, spans included.

use rustc_hash::FxHashMap;

use super::{At, Tree};
use crate::facts::Element;
use crate::role::Role;

/// Spans count at most so much: a page may claim anything.
const MOST_SPAN: u32 = 100;

/// A cell and the places it covers.
struct Slot {
    at: At,
    role: Role,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    /// The row group it is in, if it heads one.
    heads_group: Option<At>,
    group: Option<At>,
}

impl Tree {
    /// The header cells of a table's cell: those of its column from above, then those of its row; empty of what is no
    /// cell, and of what has no headers.
    pub fn headers(&self, cell: At) -> Vec<At> {
        if !self.node(cell).role.is_cell() {
            return Vec::new();
        }
        if let Some(named) = self.named_headers(cell) {
            return named;
        }
        let table = self.ancestors(cell).find(|at| is_table(self.node(*at).role));
        let Some(table) = table else { return Vec::new() };
        let slots = self.slots(table);
        let Some(own) = slots.iter().find(|slot| slot.at == cell) else { return Vec::new() };
        let columns = slots.iter().filter(|slot| {
            slot.role == Role::ColumnHeader && slot.y < own.y && meet(slot.x, slot.width, own.x, own.width)
        });
        let rows = slots.iter().filter(|slot| {
            let in_row = slot.x < own.x && meet(slot.y, slot.height, own.y, own.height);
            let in_group = slot.heads_group.is_some()
                && slot.heads_group == own.group
                && slot.y < own.y
                && slot.x <= own.x;
            slot.role == Role::RowHeader && (in_row || in_group)
        });
        columns.chain(rows).map(|slot| slot.at).filter(|at| *at != cell).collect()
    }

    /// The cells that the `headers` attribute names, if there is one that names any.
    fn named_headers(&self, cell: At) -> Option<Vec<At>> {
        let element = self.element(cell)?;
        let ids = element.said("headers")?;
        let document = self.node(cell).document;
        let named = ids.split_ascii_whitespace().filter_map(|id| {
            let mut all = element.facts().elements();
            let header = all.find(|it| it.attribute("id") == Some(id) && it.scope() == element.scope())?;
            self.at_element(document, header.number())
                .filter(|at| *at != cell && self.node(*at).role.is_cell())
        });
        let named: Vec<_> = named.collect();
        (!named.is_empty()).then_some(named)
    }

    /// Every cell of a table, in its place.
    fn slots(&self, table: At) -> Vec<Slot> {
        let mut slots = Vec::new();
        // Per column, the first row that no cell from above covers.
        let mut free: FxHashMap<u32, u32> = FxHashMap::default();
        let (mut x, mut y) = (0, 0);
        let mut row = None;
        let mut at = At(table.0 + 1);
        while at.0 < self.node(table).end {
            let node = self.node(at);
            if is_table(node.role) {
                // Its cells are its own.
                at = At(node.end);
                continue;
            }
            if node.role == Role::Row {
                y = if row.is_some() { y + 1 } else { 0 };
                x = 0;
                row = Some(at);
            } else if let Some(row) = row.filter(|_| node.role.is_cell()) {
                while free.get(&x).is_some_and(|from| *from > y) {
                    x += 1;
                }
                let (width, height) = self.spans(at);
                for column in x..x + width {
                    free.insert(column, y + height);
                }
                let group = self.node(row).parent();
                let heads_group = self.scope(at).filter(|scope| scope == "rowgroup").and(group);
                slots.push(Slot { at, role: node.role, x, y, width, height, heads_group, group });
                x += width;
            }
            at = At(at.0 + 1);
        }
        slots
    }

    fn spans(&self, cell: At) -> (u32, u32) {
        let Some(element) = self.element(cell) else { return (1, 1) };
        let span = |native, aria| {
            let said = element.said(native).or_else(|| element.said(aria));
            said.and_then(|said| said.parse::<u32>().ok()).unwrap_or(1).clamp(1, MOST_SPAN)
        };
        (span("colspan", "aria-colspan"), span("rowspan", "aria-rowspan"))
    }

    fn scope(&self, cell: At) -> Option<String> {
        self.element(cell)?.said("scope").map(str::to_ascii_lowercase)
    }

    fn element(&self, at: At) -> Option<Element<'_>> {
        let node = self.node(at);
        self.facts(node.frame())?.find(node.element()?)
    }
}

fn is_table(role: Role) -> bool {
    matches!(role, Role::Table | Role::Grid | Role::TreeGrid)
}

/// Whether two stretches have a place in common.
fn meet(a: u32, a_length: u32, b: u32, b_length: u32) -> bool {
    a < b + b_length && b < a + a_length
}

#[cfg(test)]
#[allow(clippy::needless_raw_string_hashes)] // expect-test writes them
mod tests {
    use crate::facts::sketch::sketch;
    use crate::page::Page;
    use crate::refs::Refs;
    use crate::role::Role;
    use crate::tree::{Node, Tree};
    use expect_test::{Expect, expect};

    /// Every data cell and what heads it.
    fn heads(drawing: &str, expected: &Expect) {
        let tree = Tree::build(&Page::single(sketch(1, drawing)), &mut Refs::new());
        let words = |at| {
            let texts = tree.inside(at).map(|at| tree.node(at)).filter(|node| node.is_text());
            texts.map(Node::name).collect::<Vec<_>>().join(" ")
        };
        let mut out = String::new();
        for (at, node) in tree.iter().filter(|(_, node)| node.role().is_cell()) {
            if matches!(node.role(), Role::Cell | Role::GridCell) {
                let headers: Vec<_> = tree.headers(at).into_iter().map(words).collect();
                out.push_str(format!("{}: {}", words(at), headers.join(", ")).trim_end());
                out.push('\n');
            }
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn a_cell_is_headed_from_above_and_from_before() {
        heads(
            r#"
            table
              thead
                tr
                  th "Name"
                  th colspan=2 "When"
              tbody
                tr
                  th rowspan=2 "Ann"
                  td "May"
                  td "3"
                tr
                  td "June"
                  td "4"
            "#,
            &expect![[r#"
                May: When, Ann
                3: When, Ann
                June: When, Ann
                4: When, Ann
            "#]],
        );
    }

    #[test]
    fn what_the_author_names_comes_first() {
        heads(
            r#"
            table
              tr
                th id=a "A"
                th id=b "B"
              tr
                td headers="b gone" "under A by place"
                td "under B"
            "#,
            &expect![[r#"
                under A by place: B
                under B: B
            "#]],
        );
    }

    #[test]
    fn a_header_of_a_group_of_rows_heads_all_that_follow_in_it() {
        heads(
            r#"
            table
              tbody
                tr
                  th scope=rowgroup "Fruit"
                  td "x"
                tr
                  td "apple"
                  td "y"
              tbody
                tr
                  td "other"
                  td "z"
            "#,
            &expect![[r#"
                x: Fruit
                apple: Fruit
                y: Fruit
                other:
                z:
            "#]],
        );
    }

    #[test]
    fn a_table_of_roles_and_one_within_another_keep_to_themselves() {
        heads(
            r#"
            div role=grid
              div role=row
                div role=columnheader "City"
                div role=columnheader "Size"
              div role=row
                div role=rowheader "Graz"
                div role=gridcell "large"
                  table
                    caption "Inner"
                    tr
                      th "In"
                    tr
                      td "deep"
            "#,
            &expect![[r#"
                large Inner In deep: Size, Graz
                deep: In
            "#]],
        );
    }
}
