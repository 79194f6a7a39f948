//! The budgets that a run can judge. Each is a sentence, the limit, and what was measured.

use super::{
    Run,
    figures::{Figures, count, megabytes},
    pages::Kind,
    peers::{self, Name},
};

/// A budget and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub what: String,
    pub unit: &'static str,
    pub limit: Limit,
    /// None when this run did not measure it.
    pub measured: Option<f64>,
}

/// Which side of the figure is good.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

impl Judged {
    pub fn is_met(&self) -> Option<bool> {
        self.measured.map(|measured| match self.limit {
            Limit::AtMost(most) => measured <= most,
            Limit::AtLeast(least) => measured >= least,
        })
    }
}

/// What a thing to act on may cost in interactive mode: 16,000 tokens for 885 of them.
const TOKENS_OF_A_CONTROL: f64 = 16_000.0 / 885.0;

/// Judges a run.
pub fn judge(run: &Run) -> Vec<Judged> {
    let mut judged = seeing(run);
    judged.extend(acting(run));
    judged.extend(sizes(run));
    judged.extend(loading(run));
    judged
}

fn seeing(run: &Run) -> Vec<Judged> {
    let of_ten = |figure: &dyn Fn(&Figures) -> Option<f64>| list(run, 10_000).and_then(figure);
    let fastest = |fits: fn(Name) -> bool| {
        of_ten(&|page| {
            let theirs = page.peers.iter().filter(|(name, _)| fits(**name));
            let fastest = theirs.filter_map(|(_, seen)| seen.first.median()).min_by(f64::total_cmp)?;
            Some(fastest / page.whole.median()?)
        })
    };
    vec![
        at_most(
            "first snapshot of 10,000 elements at rest, against the collector alone",
            1.4,
            "×",
            of_ten(&|page| page.first.against(&page.collector_first)),
        ),
        at_least("how much faster than the fastest peer, 10,000 elements whole", 3.0, "×", fastest(|_| true)),
        at_least(
            "how much faster than the fastest peer that asks for the accessibility tree",
            6.0,
            "×",
            fastest(Name::asks_for_accessibility),
        ),
        at_most(
            "snapshot again, nothing changed, 10,000 elements",
            20.0,
            "ms",
            of_ten(&|page| page.again.median()),
        ),
        at_most(
            "diff of one change, settled before, 10,000 elements",
            60.0,
            "ms",
            of_ten(&|page| page.diff.median()),
        ),
        at_most(
            "diff of one change, 10,000 elements",
            60.0,
            "tokens",
            of_ten(&|page| page.diff_tokens.median()),
        ),
    ]
}

fn acting(run: &Run) -> Vec<Judged> {
    let of_thousand = |figure: fn(&Figures) -> Option<f64>| list(run, 1_000).and_then(figure);
    vec![
        at_most(
            "click on a ready button, from the request's arrival in the worker to the press, 1,000 elements",
            10.0,
            "ms",
            of_thousand(|page| page.reach.median()),
        ),
        at_most(
            "click on a ready button, settled and with its diff, 1,000 elements",
            120.0,
            "ms",
            of_thousand(|page| page.click.median()),
        ),
    ]
}

fn sizes(run: &Run) -> Vec<Judged> {
    let against_peer = |name: Name| {
        worst(run, |page| {
            let theirs: &peers::Figures = page.peers.get(&name)?;
            ratio(page.whole_tokens, theirs.tokens)
        })
    };
    let against_text = worst(run, |page| match page.kind {
        Kind::Found { of_text: true } => ratio(page.whole_tokens, page.text_tokens),
        Kind::Found { of_text: false } | Kind::List(_) | Kind::Frames => None,
    });
    let of_a_control = worst(run, |page| {
        let controls = usize::try_from(page.controls).ok()?;
        ratio(page.interactive_tokens, controls)
    });
    vec![
        worst_at_most("whole page of text, against the text alone", 1.4, "× the tokens", against_text),
        worst_at_most(
            "whole page, against chrome-devtools-mcp",
            0.5,
            "× the tokens",
            against_peer(Name::DevTools),
        ),
        worst_at_most(
            "whole page, against @playwright/mcp",
            0.6,
            "× the tokens",
            against_peer(Name::Playwright),
        ),
        worst_at_most(
            "interactive mode, for each thing to act on",
            TOKENS_OF_A_CONTROL,
            "tokens",
            of_a_control,
        ),
    ]
}

fn loading(run: &Run) -> Vec<Judged> {
    let worker = &run.worker;
    let size = |bytes: u64| (bytes > 0).then(|| megabytes(bytes));
    let memory = list(run, 50_000).and_then(|page| size(page.wasm_memory));
    vec![
        at_most("worker cold start, new", 40.0, "ms", worker.fresh.cold.median()),
        at_most("wasm", 1.2, "MB", size(worker.wasm)),
        at_most("wasm, gzip", 0.45, "MB", size(worker.wasm_gzip)),
        at_most("the wasm's memory after 50,000 elements", 64.0, "MB", memory),
    ]
}

fn at_most(what: &str, limit: f64, unit: &'static str, measured: Option<f64>) -> Judged {
    Judged { what: what.to_owned(), unit, limit: Limit::AtMost(limit), measured }
}

fn at_least(what: &str, limit: f64, unit: &'static str, measured: Option<f64>) -> Judged {
    Judged { what: what.to_owned(), unit, limit: Limit::AtLeast(limit), measured }
}

/// A budget for every page, judged by the worst, which is named.
fn worst_at_most(what: &str, limit: f64, unit: &'static str, worst: Option<(&str, f64)>) -> Judged {
    let what = worst.map_or_else(|| what.to_owned(), |(page, _)| format!("{what} (worst: {page})"));
    Judged { what, unit, limit: Limit::AtMost(limit), measured: worst.map(|(_, figure)| figure) }
}

fn list(run: &Run, elements: u32) -> Option<&Figures> {
    run.pages.iter().find(|page| page.kind == Kind::List(elements))
}

fn worst(run: &Run, figure: impl Fn(&Figures) -> Option<f64>) -> Option<(&str, f64)> {
    let figures = run.pages.iter().filter_map(|page| Some((&*page.name, figure(page)?)));
    figures.max_by(|(_, one), (_, other)| one.total_cmp(other))
}

fn ratio(figure: usize, base: usize) -> Option<f64> {
    (base > 0).then(|| count(figure) / count(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pages: Vec<Figures>) -> Run {
        Run { pages, ..Run::default() }
    }

    #[test]
    fn what_was_not_measured_is_neither_met_nor_missed() {
        let judged = judge(&run(Vec::new()));
        assert!(judged.iter().all(|budget| budget.is_met().is_none()), "{judged:?}");
    }

    #[test]
    fn the_page_of_text_that_costs_most_is_judged_and_named() {
        let page = |name: &str, whole_tokens| {
            let new = Figures::new(name.to_owned(), Kind::Found { of_text: true });
            Figures { whole_tokens, text_tokens: 100, ..new }
        };
        let against_text = &sizes(&run(vec![page("short", 120), page("long", 150), page("plain", 101)]))[0];
        assert_eq!(against_text.what, "whole page of text, against the text alone (worst: long)");
        assert_eq!(against_text.measured, Some(1.5));
        assert_eq!(against_text.is_met(), Some(false));
    }

    #[test]
    fn being_faster_is_good() {
        let mut page = Figures::new("list".to_owned(), Kind::List(10_000));
        page.whole.add(100.0);
        let mut theirs = peers::Figures::default();
        theirs.first.add(400.0);
        page.peers.insert(Name::Playwright, theirs);
        let judged = seeing(&run(vec![page]));
        assert_eq!((judged[1].measured, judged[1].is_met()), (Some(4.0), Some(true)));
        // It does not ask for the tree.
        assert_eq!(judged[2].measured, None);
    }
}
