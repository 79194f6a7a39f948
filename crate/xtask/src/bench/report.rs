//! The figures of a run as tables: medians, each beside what it is to be compared with.

use super::{
    Run,
    budget::{Judged, Limit},
    figures::{Figures, count, megabytes},
    peers::{self, Name, State},
    series::Series,
    table::Table,
};

/// All tables of a run.
pub fn tables(run: &Run, judged: &[Judged]) -> Vec<Table> {
    let mut tables = vec![times(run), raw(run), tokens(run), memory(run), worker(run)];
    tables.extend(peers(run));
    tables.push(standings(run));
    tables.push(budgets(judged));
    tables
}

/// A column: its head, and what stands in it for a page.
type Column = (&'static str, fn(&Figures) -> String);

fn of_pages(run: &Run, caption: &str, columns: &[Column]) -> Table {
    let heads = std::iter::once("page").chain(columns.iter().map(|(head, _)| *head));
    let mut table = Table::new(caption, heads);
    for page in &run.pages {
        let cells = columns.iter().map(|(_, figure)| figure(page));
        table.row(std::iter::once(page.name.clone()).chain(cells));
    }
    table
}

fn times(run: &Run) -> Table {
    let columns: &[Column] = &[
        ("elements", |page| page.elements.to_string()),
        ("as it loads", |page| beside(&page.at_once, &page.collector_first)),
        ("first", |page| beside(&page.first, &page.collector_first)),
        ("first, whole", |page| beside(&page.whole, &page.collector_first)),
        ("again", |page| beside(&page.again, &page.collector_again)),
        ("diff", |page| beside(&page.diff, &page.collector_again)),
        ("click", |page| median(&page.click)),
        ("to the press", |page| median(&page.press)),
        ("from the worker to it", |page| median(&page.reach)),
        ("beyond settling", |page| beside(&page.told, &page.collector_again)),
        ("click far down", |page| median(&page.far_click)),
    ];
    of_pages(run, "Times, ms (in brackets: × the collector alone)", columns)
}

fn raw(run: &Run) -> Table {
    let columns: &[Column] = &[
        ("collector, first", |page| median(&page.collector_first)),
        ("collector, again", |page| median(&page.collector_again)),
        ("accessibility tree", |page| median(&page.accessibility)),
        ("our first / that tree", |page| times_of(page.first.against(&page.accessibility))),
    ];
    of_pages(run, "Raw calls, ms", columns)
}

fn tokens(run: &Run) -> Table {
    let columns: &[Column] = &[
        ("first", |page| page.first_tokens.to_string()),
        ("whole", |page| page.whole_tokens.to_string()),
        ("text alone", |page| page.text_tokens.to_string()),
        ("whole / text", |page| times_of(share(page.whole_tokens, page.text_tokens))),
        ("interactive", |page| page.interactive_tokens.to_string()),
        ("controls", |page| page.controls.to_string()),
        ("diff", |page| median(&page.diff_tokens)),
    ];
    of_pages(run, "Tokens (o200k)", columns)
}

fn memory(run: &Run) -> Table {
    let size = |bytes: Option<u64>| bytes.map_or_else(|| "-".to_owned(), |bytes| short(megabytes(bytes)));
    let mut table = Table::new("Memory, MB", ["page", "wasm", "host, peak", "mcp, peak"]);
    for page in &run.pages {
        let cells = [size(Some(page.wasm_memory)), size(page.host_peak), size(page.mcp_peak)];
        table.row(std::iter::once(page.name.clone()).chain(cells));
    }
    table
}

fn worker(run: &Run) -> Table {
    let worker = &run.worker;
    let mut table = Table::new("The worker", ["what", "figure"]);
    let mut row = |what: &str, figure: String| table.row([what.to_owned(), figure]);
    row("cold start, new, ms", median(&worker.fresh.cold));
    row("cold start, after these pages, whose refs it takes up again, ms", median(&worker.laden.cold));
    row("an answer when running, ms", median(&worker.fresh.warm));
    row("wasm, kB", (worker.wasm / 1_000).to_string());
    row("wasm, gzip, kB", (worker.wasm_gzip / 1_000).to_string());
    table
}

/// What we say of a page, and what a peer says, beside it.
type Beside = (&'static str, fn(&Figures) -> String, fn(&Figures, &peers::Figures) -> String);

const PEERS: &[Beside] = &[
    (
        "The whole page at first sight, ms (in brackets: × ours)",
        |page| median(&page.whole),
        |page, theirs| beside(&theirs.first, &page.whole),
    ),
    (
        "The same, tokens (in brackets: × ours)",
        |page| page.whole_tokens.to_string(),
        |page, theirs| {
            let times = times_of(share(theirs.tokens, page.whole_tokens));
            if theirs.first.median().is_some() {
                format!("{} ({times})", theirs.tokens)
            } else {
                "-".to_owned()
            }
        },
    ),
    (
        "What can be worked alone, tokens",
        |page| page.interactive_tokens.to_string(),
        |_, theirs| theirs.interactive_tokens.map_or_else(|| "-".to_owned(), |tokens| tokens.to_string()),
    ),
    (
        "One changed text, ms (in brackets: × ours)",
        |page| median(&page.diff),
        |page, theirs| beside(&theirs.change, &page.diff),
    ),
    (
        "One changed text, tokens",
        |page| median(&page.diff_tokens),
        |_, theirs| {
            let told = if theirs.is_change_told { "" } else { ", not told" };
            theirs
                .change_tokens
                .median()
                .map_or_else(|| "-".to_owned(), |tokens| format!("{}{told}", short(tokens)))
        },
    ),
    (
        "Click on a ready button, the whole call, ms",
        |page| median(&page.click),
        |_, theirs| median(&theirs.click),
    ),
];

/// A table for each figure that peers have too; none when no peer took part.
fn peers(run: &Run) -> Vec<Table> {
    let took_part = |name: &&Name| run.pages.iter().any(|page| page.peers.contains_key(*name));
    let names: Vec<Name> = Name::ALL.iter().filter(took_part).copied().collect();
    if names.is_empty() {
        return Vec::new();
    }
    let table = |(caption, ours, theirs): &Beside| {
        let heads = ["page", "ours"].into_iter().chain(names.iter().map(|name| name.package()));
        let mut table = Table::new(*caption, heads);
        for page in &run.pages {
            let cells = names.iter().map(|name| match page.peers.get(name) {
                Some(seen) if seen.trouble.is_none() || seen.first.median().is_some() => theirs(page, seen),
                Some(_) => "failed".to_owned(),
                None => "-".to_owned(),
            });
            table.row([page.name.clone(), ours(page)].into_iter().chain(cells));
        }
        table
    };
    PEERS.iter().map(table).collect()
}

fn standings(run: &Run) -> Table {
    let heads = ["tool", "version", "state", "cold start to first snapshot, ms", "own processes, peak MB"];
    let mut table = Table::new("Who took part", heads);
    let size = |bytes: Option<u64>| bytes.map_or_else(|| "-".to_owned(), |bytes| short(megabytes(bytes)));
    let own =
        run.pages.iter().filter_map(|page| Some(page.host_peak? + page.mcp_peak? + page.wasm_memory)).max();
    table.row([
        "ours (memory: host, mcp and wasm)".to_owned(),
        env!("CARGO_PKG_VERSION").to_owned(),
        "ran".to_owned(),
        median(&run.cold),
        size(own),
    ]);
    for (name, standing) in &run.peers {
        let state = match &standing.state {
            State::NotInstalled => "not installed (run with --peers)".to_owned(),
            State::NotAsked => "not asked (run with --peers)".to_owned(),
            State::Ran => "ran".to_owned(),
            State::Failed(why) => format!("failed: {why}"),
        };
        let cells = [standing.version.to_owned(), state, median(&standing.cold), size(standing.peak)];
        table.row(std::iter::once(name.to_string()).chain(cells));
    }
    for page in &run.pages {
        for (name, seen) in &page.peers {
            if let Some(trouble) = &seen.trouble {
                let cells = [name.version().to_owned(), trouble.clone(), "-".to_owned(), "-".to_owned()];
                table.row(std::iter::once(format!("{name} on {}", page.name)).chain(cells));
            }
        }
    }
    table
}

fn budgets(judged: &[Judged]) -> Table {
    let mut table = Table::new("Budgets", ["what", "measured", "budget", "verdict"]);
    for budget in judged {
        let verdict = match budget.is_met() {
            Some(true) => "met",
            Some(false) => "missed",
            None => "-",
        };
        let limit = match budget.limit {
            Limit::AtMost(most) => format!("≤ {} {}", short(most), budget.unit),
            Limit::AtLeast(least) => format!("≥ {} {}", short(least), budget.unit),
        };
        let measured = budget.measured.map_or_else(|| "not measured".to_owned(), short);
        table.row([budget.what.clone(), measured, limit, verdict.to_owned()]);
    }
    table
}

fn beside(figure: &Series, base: &Series) -> String {
    match (figure.median(), figure.against(base)) {
        (None, _) => "-".to_owned(),
        (Some(median), None) => short(median),
        (Some(median), ratio @ Some(_)) => format!("{} ({})", short(median), times_of(ratio)),
    }
}

fn median(figure: &Series) -> String {
    figure.median().map_or_else(|| "-".to_owned(), short)
}

fn times_of(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}×"))
}

fn share(figure: usize, base: usize) -> Option<f64> {
    (base > 0).then(|| count(figure) / count(base))
}

/// Three digits that count.
fn short(figure: f64) -> String {
    let digits = match figure.abs() {
        small if small < 10.0 => 2,
        middle if middle < 100.0 => 1,
        _ => 0,
    };
    format!("{figure:.digits$}")
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
        let judged = Judged { what: "x".to_owned(), unit: "ms", limit: Limit::AtMost(1.0), measured: None };
        let table = budgets(&[judged]).markdown();
        assert!(table.ends_with("| x | not measured | ≤ 1.00 ms | - |\n"), "{table}");
    }

    #[test]
    fn a_run_without_peers_has_no_tables_of_them() {
        assert!(peers(&Run::default()).is_empty());
    }
}
