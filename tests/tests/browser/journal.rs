//! The journal: what agents did is written down before they are told that it is done, without what they typed.

use crate::{cases, trial::Trial};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

cases!(
    beside: what_was_typed_is_not_written_down,
    ; alone: what_was_told_is_written_down_although_the_host_dies_at_once,
);

async fn what_was_typed_is_not_written_down(it: &mut Trial) -> Result<()> {
    it.open("secret.html").await?;
    let password = it.reference("textbox", "Password")?;
    it.act("fill", json!({ "ref": password, "value": "correct-horse-battery" })).await?;
    it.act_refused("click", json!({ "ref": password, "expect": "staple" }), "unexpected").await?;
    let lines = lines(it).await?;
    let filled = lines.iter().find(|line| line["what"] == "act fill").context("the fill is not there")?;
    ensure!(filled["on"] == format!("{password} textbox \"Password\""), "on what is not told: {filled}");
    ensure!(
        filled["site"] == it.visit.page("").split("/v").next().unwrap_or_default(),
        "not where: {filled}"
    );
    ensure!(filled["tab"] == it.tab && filled["outcome"] == "ok" && filled["right"] == "policy", "{filled}");
    ensure!(
        filled["by"] == "agent" && filled["time"].as_str().is_some_and(|time| time.ends_with('Z')),
        "{filled}"
    );
    ensure!(
        lines.iter().any(|line| line["what"] == "act click" && line["outcome"] == "unexpected"),
        "{lines:?}"
    );
    let kept = std::fs::read_to_string(it.browser().runtime().join("journal/journal.jsonl"))?;
    ensure!(!kept.contains("correct-horse"), "the journal has what was typed");
    Ok(())
}

async fn what_was_told_is_written_down_although_the_host_dies_at_once(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.click("button", "Swap").await?;
    ensure!(it.browser().kill_host().await? > 0, "there was no host to kill");
    let lines = lines(it).await?;
    let last = lines.last().context("the journal is empty")?;
    ensure!(last["what"] == "act click" && last["outcome"] == "ok", "the last line is {last}");
    it.browser().wait_for_host().await
}

/// What is written of this test's tab.
async fn lines(it: &mut Trial) -> Result<Vec<Value>> {
    let file = std::fs::read_to_string(it.browser().runtime().join("journal/journal.jsonl"))?;
    let first: Value = serde_json::from_str(file.lines().next().context("the journal is empty")?)?;
    ensure!(
        first["browser"].as_str().is_some_and(|name| !name.is_empty()),
        "in which browser is not told: {first}"
    );
    let printed = it.shell(&["journal", "--json", "--last", "1000"]).await?;
    let lines: Vec<Value> = printed.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(lines.into_iter().filter(|line| line["tab"] == it.tab).collect())
}
