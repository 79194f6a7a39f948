//! Refs never lie: an act lands on the element that the agent was shown, or nowhere.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_button_that_is_rendered_anew_is_found_again,
    a_row_inserted_above_does_not_shift_the_refs,
    rows_that_swap_keep_their_refs,
    a_row_that_is_gone_is_refused,
    a_recycled_row_is_refused_and_expect_goes_on,
    a_ref_of_the_page_before_is_refused,
    a_reload_ends_all_refs,
    expect_must_be_in_the_name_or_the_row,
    a_ref_of_another_tab_implies_its_tab,
    refs_are_never_given_twice,
);

async fn a_button_that_is_rendered_anew_is_found_again(it: &mut Trial) -> Result<()> {
    it.open("rerender.html").await?;
    let button = it.reference("button", "Add one")?;
    for _ in 0..3 {
        it.act("click", json!({ "ref": button })).await?;
    }
    it.recorded_value("added", "add", "3").await
}

async fn a_row_inserted_above_does_not_shift_the_refs(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let bobs = it.reference_under("button", "Delete", "Bob")?;
    it.page_eval("rows.html", "document.getElementById('insert').click()").await?;
    it.act("click", json!({ "ref": bobs })).await?;
    it.clicked(&["delete-Bob"]).await
}

async fn rows_that_swap_keep_their_refs(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let alices = it.reference_under("button", "Delete", "Alice")?;
    let reply = it.click("button", "Swap").await?;
    ensure!(reply.text.lines().any(|line| line.starts_with('>')), "the diff tells no move");
    it.act("click", json!({ "ref": alices })).await?;
    it.clicked(&["swap", "delete-Alice"]).await
}

async fn a_row_that_is_gone_is_refused(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let bobs = it.reference_under("button", "Delete", "Bob")?;
    it.page_eval("rows.html", "document.getElementById('row-Bob').remove()").await?;
    it.act_refused("click", json!({ "ref": bobs }), "gone").await?;
    it.clicked(&[]).await
}

async fn a_recycled_row_is_refused_and_expect_goes_on(it: &mut Trial) -> Result<()> {
    it.open("recycled.html").await?;
    let archive = it.reference_under("button", "Archive", "Message 3")?;
    it.page_eval("recycled.html", "document.getElementById('on').click()").await?;
    let reply = it.act_refused("click", json!({ "ref": archive }), "changed").await?;
    contains(&reply, &["Message 3", "Message 15", "expect="])?;
    // A refusal does not count as shown: the same call again is refused again.
    it.act_refused("click", json!({ "ref": archive }), "changed").await?;
    ensure!(it.visit.record().iter().all(|entry| entry.event != "archived"), "something was archived");
    it.act("click", json!({ "ref": archive, "expect": "Message 15" })).await?;
    it.recorded("archived", "message-15").await?;
    Ok(())
}

async fn a_ref_of_the_page_before_is_refused(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    let url = it.visit.page("links.html");
    it.done("navigate", json!({ "url": url })).await?;
    it.act_refused("click", json!({ "ref": swap }), "wrong_document").await?;
    it.clicked(&[]).await
}

async fn a_reload_ends_all_refs(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let old = it.reference("button", "Swap")?;
    it.done("navigate", json!({ "to": "reload" })).await?;
    it.act_refused("click", json!({ "ref": old }), "wrong_document").await?;
    let fresh = it.reference("button", "Swap")?;
    ensure!(fresh != old, "the reloaded page reuses {old}");
    it.act("click", json!({ "ref": fresh })).await?;
    it.clicked(&["swap"]).await
}

async fn expect_must_be_in_the_name_or_the_row(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let bobs = it.reference_under("button", "Delete", "Bob")?;
    it.act_refused("click", json!({ "ref": bobs, "expect": "Alice" }), "unexpected").await?;
    it.act("click", json!({ "ref": bobs, "expect": "Bob" })).await?;
    it.clicked(&["delete-Bob"]).await
}

async fn a_ref_of_another_tab_implies_its_tab(it: &mut Trial) -> Result<()> {
    let first = it.open("rows.html").await?;
    let swap = it.reference("button", "Swap")?;
    let second = it.open("links.html").await?;
    let tab = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let (first, second) = (tab(&first.text), tab(&second.text));
    ensure!(first != second, "both tabs are {first}");
    it.act_refused("click", json!({ "ref": swap, "tab": second }), "wrong_tab").await?;
    it.act("click", json!({ "ref": swap, "tab": first })).await?;
    it.clicked(&["swap"]).await
}

async fn refs_are_never_given_twice(it: &mut Trial) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    for page in ["rows.html", "form.html", "rows.html"] {
        it.open(page).await?;
        let fresh: Vec<String> = it.outline.refs();
        it.outline = tests::outline::Outline::default();
        ensure!(!fresh.is_empty(), "{page} shows no refs");
        for reference in fresh {
            ensure!(seen.insert(reference.clone()), "{reference} was given twice");
        }
    }
    Ok(())
}
