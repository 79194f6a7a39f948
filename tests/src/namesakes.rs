//! Refs under change, judged by a model that knows nothing of the product: the page of `safety.html` shows lists of
//! namesakes, changes them by chance between an agent's look and its act, and says itself what each control stands for
//! and what was pressed. An act may land on what its agent was shown, or nowhere; what is told as done was recorded.

use crate::{browser::Browser, client::Agent, site::Visit};
use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt, ops::Range};

/// How many acts follow a look.
const ACTS: u32 = 4;

/// What came of some rounds.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Acts in all.
    pub acts: u32,
    /// Acts that were done.
    pub done: u32,
    /// Acts that were refused, by code.
    pub refused: BTreeMap<String, u32>,
    /// Acts on what stood as it was shown.
    pub unchanged: u32,
    /// Those of them that were refused, each with its story.
    pub refused_unchanged: Vec<String>,
    /// Acts on something else than was shown, and words of success without a record: each with its story.
    pub lies: Vec<String>,
}

impl Figures {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.acts += other.acts;
        self.done += other.done;
        self.unchanged += other.unchanged;
        self.refused_unchanged.extend(other.refused_unchanged);
        self.lies.extend(other.lies);
        for (code, count) in other.refused {
            *self.refused.entry(code).or_default() += count;
        }
    }

    /// Whether no act lied, and 99 of 100 on what stood unchanged went through.
    pub fn judge(&self) -> Result<()> {
        ensure!(self.lies.is_empty(), "{} acts lied:\n{}", self.lies.len(), self.lies.join("\n"));
        let refused = self.refused_unchanged.len();
        ensure!(
            refused * 100 <= self.unchanged as usize,
            "{refused} of {} acts on what stood unchanged were refused:\n{}",
            self.unchanged,
            self.refused_unchanged.join("\n")
        );
        Ok(())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<String> = self.refused.iter().map(|(code, count)| format!("{code} {count}")).collect();
        write!(
            out,
            "{} acts: {} done, refused: {}; of {} on what stood unchanged {} were refused; {} lied",
            self.acts,
            self.done,
            codes.join(", "),
            self.unchanged,
            self.refused_unchanged.len(),
            self.lies.len()
        )
    }
}

/// A control by the page's account.
#[derive(Debug, Clone, Deserialize)]
struct Control {
    id: String,
    name: String,
    meaning: String,
    /// Whether it can be pressed.
    there: bool,
    visible: bool,
}

#[derive(Debug, Clone, Deserialize)]
struct Press {
    #[serde(rename = "type")]
    kind: String,
    meaning: String,
    trusted: bool,
}

#[derive(Debug, Deserialize)]
struct Account {
    controls: Vec<Control>,
    presses: Vec<Press>,
}

/// Plays rounds in a tab of its own, one for each seed.
pub async fn play(browser: &Browser, agent: &Agent, visit: &Visit, seeds: Range<u32>) -> Result<Figures> {
    let address = visit.page("safety.html");
    let opened = agent.call("tabs", json!({ "action": "open", "url": address })).await?;
    ensure!(!opened.is_error, "the page does not open: {}", opened.text);
    let tab = opened.text.split(' ').next().unwrap_or_default().to_owned();
    let page = Page { browser, agent, tab, address: address.trim_start_matches("http://").to_owned() };
    let mut figures = Figures::default();
    for seed in seeds {
        page.round(seed, &mut figures).await.with_context(|| format!("in the round of seed {seed}"))?;
    }
    let closed = agent.call("tabs", json!({ "action": "close", "tab": page.tab })).await?;
    ensure!(!closed.is_error, "the page does not close: {}", closed.text);
    Ok(figures)
}

struct Page<'a> {
    browser: &'a Browser,
    agent: &'a Agent,
    tab: String,
    address: String,
}

impl Page<'_> {
    /// One look, and a few acts after it, each after a change.
    async fn round(&self, seed: u32, figures: &mut Figures) -> Result<()> {
        self.eval(&format!("namesakes.begin({seed})")).await?;
        let before = self.account().await?;
        let look = self.agent.call("snapshot", json!({ "tab": self.tab, "max_tokens": 60_000 })).await?;
        ensure!(!look.is_error, "the page is not shown: {}", look.text);
        let shown = paired(&look.text, &before.controls)?;
        let mut changes = Vec::new();
        for turn in 0..ACTS {
            // Any number will do, as long as it is the same each time.
            let by_chance = seed.wrapping_mul(2_654_435_761).rotate_left(turn * 7 + 3);
            let change = self.eval(&format!("namesakes.change({by_chance})")).await?;
            changes.push(change.as_str().context("the page does not say what it changed")?.to_owned());
            let (reference, was) = &shown[(by_chance >> 8) as usize % shown.len()];
            let told = changes.last().map_or("", String::as_str);
            // What a change under way makes of it, nobody can know.
            let settled = !["underTheMouse", "recycledSoon"].iter().any(|name| told.starts_with(name));
            let now = self.account().await?;
            let stands = |account: &Account| {
                account.controls.iter().any(|it| it.id == was.id && it.meaning == was.meaning && it.there)
            };
            let unchanged = settled && stands(&now);
            let patience = if unchanged || !settled { 4_000 } else { 400 };
            let asked = json!({
                "kind": "click", "ref": reference, "diff": "none", "timeout_ms": patience
            });
            let reply = self.agent.call("act", asked).await?;
            let after = self.account().await?;
            let story = || {
                format!(
                    "seed {seed}, {}: {reference} was {}; said {:?}, pressed {:?}",
                    changes.join(", "),
                    was.meaning,
                    reply.text,
                    after.presses
                )
            };
            figures.acts += 1;
            let clicked = after.presses.iter().any(|press| press.kind == "click");
            // Out of time, it says that it does not know how far it got.
            let unsure = reply.is_error && code(&reply.text) == "timed_out";
            let lied = after.presses.iter().any(|press| press.meaning != was.meaning || !press.trusted)
                || (clicked == reply.is_error && !unsure);
            if lied {
                figures.lies.push(story());
            }
            if reply.is_error {
                *figures.refused.entry(code(&reply.text).to_owned()).or_default() += 1;
            } else {
                figures.done += 1;
            }
            if unchanged && stands(&after) {
                figures.unchanged += 1;
                if reply.is_error {
                    figures.refused_unchanged.push(story());
                }
            }
        }
        Ok(())
    }

    async fn account(&self) -> Result<Account> {
        Ok(serde_json::from_value(self.eval("namesakes.account()").await?)?)
    }

    async fn eval(&self, expression: &str) -> Result<Value> {
        self.browser.page_eval(&self.address, expression).await
    }
}

/// The refs that a look gave to the controls of the page: both are in the order of the page.
fn paired(look: &str, controls: &[Control]) -> Result<Vec<(String, Control)>> {
    let lines = look.lines().map(str::trim_start).filter_map(|line| {
        let (reference, rest) = line.split_once(' ')?;
        let (role, rest) = rest.split_once(' ')?;
        let name = rest.strip_prefix('"')?.split_once('"')?.0;
        (reference.starts_with('e') && matches!(role, "button" | "link")).then_some((reference, name))
    });
    let lines: Vec<_> = lines.collect();
    let visible: Vec<_> = controls.iter().filter(|control| control.visible).collect();
    let names = lines.iter().map(|(_, name)| *name);
    if !names.eq(visible.iter().map(|control| control.name.as_str())) {
        bail!("the look shows other controls than there are: {look}\n{visible:?}");
    }
    Ok(lines.into_iter().zip(visible).map(|((line, _), it)| (line.to_owned(), it.clone())).collect())
}

fn code(reply: &str) -> &str {
    reply.split_once("error ").and_then(|(_, rest)| rest.split_once(':')).map_or("?", |(code, _)| code)
}
