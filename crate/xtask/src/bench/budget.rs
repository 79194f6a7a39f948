//! The budgets that a run can judge. Each is a sentence, the limit, and what was measured.

use super::{
    Figures,
    page::{Measured, count},
};

/// A budget and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub what: &'static str,
    pub unit: &'static str,
    pub limit: f64,
    /// None when this run did not measure it.
    pub measured: Option<f64>,
}

impl Judged {
    pub fn is_met(&self) -> Option<bool> {
        self.measured.map(|measured| measured <= self.limit)
    }
}

const MEGABYTE: f64 = 1_000_000.0;

/// Judges a run.
pub fn judge(figures: &Figures) -> Vec<Judged> {
    let page = |elements| figures.pages.iter().find(|page: &&Measured| page.elements == elements);
    let ten = page(10_000);
    let of_ten = |figure: fn(&Measured) -> Option<f64>| ten.and_then(figure);
    let worker = &figures.worker;
    // Far below 2^52 bytes.
    let bytes = |bytes: u64| usize::try_from(bytes).ok().map(count);
    let memory = page(50_000).and_then(|_| bytes(worker.memory));
    let row = |what, unit, limit, measured| Judged { what, unit, limit, measured };
    vec![
        row(
            "first snapshot of 10,000 elements, against the collector alone",
            "×",
            1.4,
            of_ten(|page| page.first.against(&page.collector_first)),
        ),
        row(
            "snapshot again, nothing changed, 10,000 elements",
            "ms",
            20.0,
            of_ten(|page| page.again.median()),
        ),
        row("diff of one change, 10,000 elements", "ms", 60.0, of_ten(|page| page.diff.median())),
        row("diff of one change, 10,000 elements", "tokens", 60.0, of_ten(|page| page.diff_tokens.median())),
        row(
            "click, from the request to the press, 1,000 elements",
            "ms",
            10.0,
            page(1_000).and_then(|page| page.press.median()),
        ),
        row("worker cold start, new", "ms", 40.0, worker.fresh.cold.median()),
        row("wasm", "MB", 1.2, bytes(worker.wasm).map(|size| size / MEGABYTE)),
        row("wasm, gzip", "MB", 0.45, bytes(worker.wasm_gzip).map(|size| size / MEGABYTE)),
        row("the wasm's memory after 50,000 elements", "MB", 64.0, memory.map(|size| size / MEGABYTE)),
    ]
}
