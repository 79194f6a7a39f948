//! `find`: the lines that match, with where they stand; what it finds can be acted on; what it cannot see it says.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_match_is_told_with_its_row_and_can_be_acted_on,
    a_pattern_and_a_role_narrow_the_search,
    what_is_found_is_no_more_than_was_asked_for,
    nothing_found_is_said_and_no_failure,
    a_virtual_list_is_said_to_be_one,
    frames_and_shadow_roots_are_searched,
    a_bad_pattern_and_a_bad_role_are_named,
);

async fn a_match_is_told_with_its_row_and_can_be_acted_on(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.act("click", json!({ "ref": it.reference("button", "Insert above")? })).await?;
    let found = it.done("find", json!({ "text": "delete", "role": "button" })).await?;
    contains(&found, &["4 matches", "row \"Carol\""])?;
    let bob = found.text.lines().find(|line| line.contains("\"Bob\"")).unwrap_or_default();
    let reference = bob.split(' ').next().unwrap_or_default();
    it.act("click", json!({ "ref": reference })).await?;
    it.clicked(&["insert", "delete-Bob"]).await
}

async fn a_pattern_and_a_role_narrow_the_search(it: &mut Trial) -> Result<()> {
    it.open("large.html").await?;
    let found = it.done("find", json!({ "pattern": "^Buy 1[0-3]$", "role": "button" })).await?;
    contains(&found, &["4 matches", "button \"Buy 10\"", "button \"Buy 13\""])?;
    ensure!(found.tokens() < 300, "four matches cost {} tokens", found.tokens());
    Ok(())
}

async fn what_is_found_is_no_more_than_was_asked_for(it: &mut Trial) -> Result<()> {
    it.open("large.html").await?;
    let found = it.done("find", json!({ "role": "button", "limit": 3 })).await?;
    ensure!(found.text.lines().count() == 4, "a limit of 3 gave {} lines", found.text.lines().count());
    contains(&found, &["the first 3 of "])
}

async fn nothing_found_is_said_and_no_failure(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let found = it.done("find", json!({ "text": "Mallory" })).await?;
    contains(&found, &["nothing matches \"Mallory\""])
}

async fn a_virtual_list_is_said_to_be_one(it: &mut Trial) -> Result<()> {
    it.open("virtual.html").await?;
    let found = it.done("find", json!({ "text": "Alice" })).await?;
    contains(&found, &["3 of 5000 rows", "4 of 300 items", "\"Feed\" shows only a part"])?;
    it.open("rows.html").await?;
    let tab = it.tab.clone();
    let found = it.done("find", json!({ "text": "Alice", "tab": tab })).await?;
    ensure!(
        !found.text.contains("rendered") && !found.text.contains("only a part"),
        "a whole table is said to be virtual"
    );
    Ok(())
}

async fn frames_and_shadow_roots_are_searched(it: &mut Trial) -> Result<()> {
    it.open("article.html").await?;
    it.done("wait", json!({ "text": ["From another site"] })).await?;
    let found = it.done("find", json!({ "text": "from a" })).await?;
    contains(&found, &["\"From a shadow root\"", "\"From another site\" in ", "iframe \"Card\""])
}

async fn a_bad_pattern_and_a_bad_role_are_named(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.refused("find", json!({ "pattern": "(" }), "bad_argument").await?;
    it.refused("find", json!({ "role": "knob" }), "bad_argument").await?;
    Ok(())
}
