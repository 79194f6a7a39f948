//! What is held of the pages.

use crate::{page::Page, parse, world::World};
use anyhow::{Context as _, Result, ensure};
use snapshot::{
    Role, Tree,
    render::{self, Cursor, Mode, Options},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};
use tests::client::tokens;

/// The widget examples in full, against the text on them.
const FULL: f64 = 1.4;
/// Tokens in interactive mode for each thing to act on.
const EACH: f64 = 18.0;
/// The list of 10,000 elements in full: half of what the accessibility tree's usual text form costs for such a list.
const LIST: usize = 123_524 / 2;
/// Whole pages as found in life, in tokens as chrome-devtools-mcp 1.11.0 and @playwright/mcp 0.0.83 told them in
/// Chromium 156 (`cargo xtask bench --peers`).
const SAVES: [(&str, usize, usize); 6] = [
    ("saves-article", 12_491, 15_114),
    ("saves-dashboard", 9_916, 22_559),
    ("saves-issues", 26_268, 30_802),
    ("saves-mail", 15_216, 16_515),
    ("saves-news", 18_646, 21_133),
    ("saves-shop", 17_191, 21_163),
];
/// Budgets that are tried on every page.
const BUDGETS: [usize; 7] = [0, 50, 120, 400, 1_000, 6_000, 50_000];
/// A budget cannot be so small that not one line fits.
const LEAST: usize = 40;

/// The widget examples' text, and the sum of all of them in full.
pub fn full(world: &World) -> Result<()> {
    eprintln!("{}{}", table(world.examples()?), table(world.others()?));
    let [text, full, ..] = sum(world.examples()?);
    ensure!(ratio(full, text) <= FULL, "{full} tokens for {text} of text: {:.2} ×", ratio(full, text));
    Ok(())
}

/// The widget examples, and the other pages.
pub fn interactive(world: &World) -> Result<()> {
    for [.., interactive, things] in [sum(world.examples()?), sum(world.others()?)] {
        let each = ratio(interactive, things);
        ensure!(each <= EACH, "{interactive} tokens for {things} things to act on: {each:.1} each");
    }
    Ok(())
}

/// The long list.
pub fn list(world: &World) -> Result<()> {
    let page = world.list()?;
    eprintln!("{}", table(std::iter::once(page)));
    let [_, full, ..] = figures(page);
    ensure!(full <= LIST, "{full} tokens");
    Ok(())
}

/// Pages as found in life, beside what others make of them.
pub fn saves(world: &World) -> Result<()> {
    let mut complaint = String::new();
    eprintln!("{}", table(world.saves()?));
    for page in world.saves()? {
        let [_, full, ..] = figures(page);
        let (_, devtools, playwright) =
            SAVES.iter().find(|(name, ..)| *name == page.name).context("a page without figures")?;
        let most = (devtools / 2).min(playwright * 6 / 10);
        // A String takes whatever is written to it.
        let _ = match full {
            full if full > most => writeln!(complaint, "{}: {full} tokens, not {most}", page.name),
            _ => Ok(()),
        };
    }
    ensure!(complaint.is_empty(), "{complaint}");
    Ok(())
}

/// A table of what was measured.
fn table<'a>(pages: impl Iterator<Item = &'a Page>) -> String {
    let mut out = "\n| page | innerText | full | × | interactive | things | each |\n".to_owned();
    let pages: Vec<&Page> = pages.collect();
    let rows = pages.iter().map(|page| (page.name.as_str(), figures(page)));
    for (name, [text, full, interactive, things]) in rows.chain([("all", sum(pages.iter().copied()))]) {
        let (times, each) = (ratio(full, text), ratio(interactive, things));
        // A String takes whatever is written to it.
        let _ =
            writeln!(out, "| {name} | {text} | {full} | {times:.2} | {interactive} | {things} | {each:.1} |");
    }
    out
}

/// Tokens of the text, in full, in interactive mode; things to act on.
fn figures(page: &Page) -> [usize; 4] {
    [tokens(&page.text), tokens(&page.full), tokens(&page.interactive), page.workable.len()]
}

fn sum<'a>(pages: impl Iterator<Item = &'a Page>) -> [usize; 4] {
    let add = |sum: [usize; 4], page| {
        let figures = figures(page);
        std::array::from_fn(|index| sum[index] + figures[index])
    };
    pages.fold([0; 4], add)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn ratio(one: usize, other: usize) -> f64 {
    one as f64 / other as f64
}

/// Every word of `innerText` is said at least as often as it stands there.
pub fn nothing_said_is_missing(world: &World) -> Result<()> {
    let mut complaint = String::new();
    for page in world.pages()? {
        let mut said = String::new();
        for line in parse::lines(&page.full).with_context(|| page.name.clone())? {
            let others = line.states.into_iter().filter_map(|(_, value)| value);
            for text in line.texts.into_iter().chain(line.value).chain(others) {
                said.push(' ');
                said.push_str(&text);
            }
        }
        // Of a select, options beyond the first few are counted; it has them all when it is asked for by itself.
        for (_, node) in page.tree()?.iter().filter(|(_, node)| node.role() == Role::Combobox) {
            said.push(' ');
            said.push_str(&node.folded().join(" "));
        }
        let said = words(&said);
        for (word, times) in words(&page.text) {
            let found = said.get(&word).copied().unwrap_or(0);
            if found < times && !is_glued(&word, &said) {
                let name = &page.name;
                // A String takes whatever is written to it.
                let _ =
                    writeln!(complaint, "{name}: {word:?} stands there {times} times, is said {found} times");
            }
        }
    }
    ensure!(complaint.is_empty(), "{complaint}");
    Ok(())
}

/// Whether a word is two that are said: `innerText` has no blank where only a text box stands between.
fn is_glued(word: &str, said: &BTreeMap<String, usize>) -> bool {
    let mut splits = word.char_indices().skip(1).map(|(at, _)| word.split_at(at));
    splits.any(|(one, other)| said.contains_key(one) && said.contains_key(other))
}

/// The words of a text, each with how often it is there.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *words.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    words
}

/// Everything on the independent list has a line with a ref, in both modes.
pub fn nothing_to_act_on_is_missing(world: &World) -> Result<()> {
    let mut complaint = String::new();
    for page in world.pages()? {
        let tree = page.tree()?;
        let document = tree.document().context("no document")?;
        ensure!(page.workable.len() > 20, "{} has little to work", page.name);
        for (mode, text) in [("full", &page.full), ("interactive", &page.interactive)] {
            let lines = parse::lines(text).context("it does not read")?;
            let said: BTreeSet<String> = lines.into_iter().filter_map(|line| line.reference).collect();
            for number in &page.workable {
                let node = tree.at_element(document, *number).map(|at| tree.node(at));
                let reference = node.and_then(snapshot::tree::Node::reference).map(|it| it.to_string());
                if !reference.is_some_and(|reference| said.contains(&reference)) {
                    let what = node.map(|node| format!("{} {:?} {:?}", node.role(), node.name(), node.cut()));
                    // A String takes whatever is written to it.
                    let _ = writeln!(complaint, "{}, {mode}: {what:?} cannot be worked", page.name);
                }
            }
        }
    }
    ensure!(complaint.is_empty(), "{complaint}");
    Ok(())
}

/// What is written is what the tree holds.
pub fn reads_back(world: &World) -> Result<()> {
    for page in world.pages()? {
        let tree = page.tree()?;
        let lines = parse::lines(&page.full).with_context(|| page.name.clone())?;
        let said: Vec<(Option<String>, Option<&str>)> = lines
            .iter()
            .map(|line| (line.reference.clone(), line.texts.first().map(String::as_str)))
            .collect();
        let held: Vec<(Option<String>, Option<&str>)> = tree
            .shown()
            .map(|(_, node)| {
                let first =
                    node.folded().first().filter(|_| node.role() != Role::Combobox).map(|text| &**text);
                let name = Some(node.brief()).filter(|name| !name.is_empty()).or(first);
                (node.reference().map(|reference| reference.to_string()), name)
            })
            .collect();
        ensure!(said == held, "{} is not said as it is", page.name);
    }
    Ok(())
}

/// No reply costs more than it may.
pub fn is_kept(world: &World) -> Result<()> {
    for page in world.pages()?.chain([world.list()?]) {
        let tree = page.tree()?;
        for (mode, budget) in BUDGETS.iter().flat_map(|budget| MODES.map(|mode| (mode, *budget))) {
            let options = Options { mode, max_tokens: Some(budget), ..Options::default() };
            let reply = render::page(&tree, &options);
            let cost = tokens(&reply.text);
            ensure!(cost <= budget.max(LEAST), "{}, {mode:?}: {cost} tokens for {budget}", page.name);
            let is_whole = reply.cursor.is_none() && reply.folded == 0;
            ensure!(
                is_whole || cost * 3 >= budget.min(6_000) || budget < 500,
                "{}: {cost} of {budget}",
                page.name
            );
        }
    }
    Ok(())
}

const MODES: [Mode; 3] = [Mode::Full, Mode::Interactive, Mode::Verbose];

/// The first reply and those to all cursors, of the page and of its folds, say each line once.
pub fn walks(world: &World) -> Result<()> {
    for page in world.pages()? {
        let tree = page.tree()?;
        for (mode, whole) in [(Mode::Full, &page.full), (Mode::Interactive, &page.interactive)] {
            // No line is longer than that.
            for budget in [2_500, 4_000] {
                let options = Options { mode, max_tokens: Some(budget), ..Options::default() };
                let said = walk(&tree, &options)?;
                let mut lines: Vec<String> = whole.lines().map(bare).collect();
                lines.sort_unstable();
                let other = said.iter().zip(&lines).find(|(said, line)| said != line);
                ensure!(said == lines, "{}, {mode:?}, {budget}: {other:?}", page.name);
            }
        }
    }
    Ok(())
}

/// A line without its indentation, and without the word for a row: whether that is said depends on where a reply begins.
fn bare(line: &str) -> String {
    line.trim_start().replacen(" row \"", " \"", 1)
}

fn walk(tree: &Tree, options: &Options) -> Result<Vec<String>> {
    let mut said = Vec::new();
    let mut cursors: Vec<Option<Cursor>> = vec![None];
    while let Some(cursor) = cursors.pop() {
        let reply = render::page(tree, &Options { cursor, ..options.clone() });
        said.extend(reply.text.lines().map(bare).filter(|line| !line.starts_with('…')));
        for cursor in reply.cursor.into_iter().chain(reply.folds) {
            cursors.push(Some(cursor.to_string().parse()?));
        }
    }
    said.sort_unstable();
    Ok(said)
}
