//! The figures as tables for a terminal or a page.

use super::{Figures, budget::Judged, page::Measured, series::Series};
use std::fmt::Write as _;

type Row = (&'static str, fn(&Measured) -> String);

const ROWS: &[Row] = &[
    ("first snapshot, ms", |page| beside(&page.first, &page.collector_first)),
    ("snapshot again, ms", |page| beside(&page.again, &page.collector_again)),
    ("diff of one change, ms", |page| beside(&page.diff, &page.collector_again)),
    ("click, whole call, ms", |page| time(&page.click)),
    ("click, request to press, ms", |page| time(&page.press)),
    ("click far down, whole call, ms", |page| time(&page.far_click)),
    ("whole page, no cap, ms", |page| beside(&page.whole, &page.collector_again)),
    ("raw: collector, first, ms", |page| time(&page.collector_first)),
    ("raw: collector, again, ms", |page| time(&page.collector_again)),
    ("raw: accessibility tree, ms", |page| time(&page.accessibility)),
    ("first snapshot / accessibility", |page| ratio(page.first.against(&page.accessibility))),
    ("snapshot, usual budget, tokens", |page| page.capped_tokens.to_string()),
    ("diff of one change, tokens", |page| time(&page.diff_tokens)),
    ("whole page, tokens", |page| page.whole_tokens.to_string()),
    ("interactive mode, tokens", |page| page.interactive_tokens.to_string()),
    ("visible text alone, tokens", |page| page.text_tokens.to_string()),
];

/// Everything measured: medians, and in brackets the multiple of the collector's own time.
pub fn table(figures: &Figures) -> String {
    let mut text = format!("\n{}; medians; in brackets: × the collector alone\n\n", figures.browser);
    let mut line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        // A String takes whatever is written to it.
        let _ = write!(text, "| {name:<31} |");
        for cell in cells {
            let _ = write!(text, " {cell:>15} |");
        }
        text.push('\n');
    };
    let pages = &figures.pages;
    line("elements", &mut pages.iter().map(|page| page.elements.to_string()));
    line(&"-".repeat(31), &mut pages.iter().map(|_| "--------------:".to_owned()));
    for (name, figure) in ROWS {
        line(name, &mut pages.iter().map(figure));
    }
    let worker = &figures.worker;
    let _ = writeln!(
        text,
        "\nworker: cold start {} ms when new, {} ms after these pages (an answer when running: {} ms)\n\
         wasm: {} kB, gzip {} kB, its memory after these pages {} MB; host: peak {}",
        time(&worker.fresh.cold),
        time(&worker.laden.cold),
        time(&worker.fresh.warm),
        worker.wasm / 1_000,
        worker.wasm_gzip / 1_000,
        worker.memory / 1_000_000,
        worker.host_peak.map_or_else(|| "not known".to_owned(), |bytes| format!("{} MB", bytes / 1_000_000)),
    );
    text
}

/// The budgets, met or missed.
pub fn budgets(judged: &[Judged]) -> String {
    let mut text = "\nbudgets\n".to_owned();
    for budget in judged {
        let verdict = match budget.is_met() {
            Some(true) => "met   ",
            Some(false) => "missed",
            None => "-     ",
        };
        let measured = budget.measured.map_or_else(|| "not measured".to_owned(), short);
        let Judged { what, unit, limit, .. } = budget;
        // A String takes whatever is written to it.
        let _ = writeln!(text, "  {verdict} {what}: {measured} (at most {} {unit})", short(*limit));
    }
    text
}

fn beside(figure: &Series, base: &Series) -> String {
    format!("{} ({})", time(figure), ratio(figure.against(base)))
}

fn time(figure: &Series) -> String {
    figure.median().map_or_else(|| "-".to_owned(), short)
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}×"))
}

/// Three digits that count.
fn short(figure: f64) -> String {
    if figure < 10.0 {
        format!("{figure:.2}")
    } else if figure < 100.0 {
        format!("{figure:.1}")
    } else {
        format!("{figure:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_three_digits() {
        assert_eq!(short(1.234), "1.23");
        assert_eq!(short(12.34), "12.3");
        assert_eq!(short(1234.5), "1234");
    }

    #[test]
    fn a_budget_that_was_not_measured_is_neither_met_nor_missed() {
        let judged = Judged { what: "x", unit: "ms", limit: 1.0, measured: None };
        assert_eq!(budgets(&[judged]), "\nbudgets\n  -      x: not measured (at most 1.00 ms)\n");
    }
}
