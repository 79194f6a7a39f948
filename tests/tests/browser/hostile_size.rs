//! Pages of a size that nobody meant: deep, long, wide, heavy. All of them is seen and worked, in a time that goes with
//! what the page itself costs.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};
use tests::client::Reply;

cases!(beside:
    sections_three_hundred_deep_are_read_and_worked,
    wrappers_three_hundred_deep_are_read_and_worked,
    lists_three_hundred_deep_are_read_and_worked,
    open_roots_three_hundred_deep_are_read_and_worked,
    closed_roots_forty_deep_are_read_and_worked,
    frames_thirty_deep_are_read_and_worked,
    fifty_thousand_elements_are_read_and_worked,
    twenty_thousand_siblings_are_read_and_worked,
    a_megabyte_in_one_text_is_cut_and_searched,
    a_megabyte_without_a_blank_is_cut,
    a_megabyte_in_a_name_is_cut,
    a_megabyte_in_a_value_is_cut,
    a_megabyte_in_a_title_is_cut,
    a_megabyte_in_an_address_is_cut,
    a_megabyte_in_a_description_is_cut,
    a_megabyte_in_an_alternative_is_cut,
    a_megabyte_in_an_option_is_cut,
    a_megabyte_in_a_placeholder_is_cut,
    a_megabyte_of_generated_text_is_cut,
    ten_thousand_options_are_chosen_from,
);

/// What one look at everything costs in the page itself: each element's style and box.
const LOOK: &str = "(() => {
    let sum = 0;
    for (const each of document.querySelectorAll('*'))
        sum += each.getBoundingClientRect().height + getComputedStyle(each).display.length;
    return sum + document.body.innerText.length;
})()";

/// How long a call on this page may take: much more than the page's own cost, on whatever machine.
async fn bound(it: &Trial, page: &str) -> Result<Duration> {
    let start = Instant::now();
    it.page_eval(page, LOOK).await?;
    Ok(Duration::from_secs(5) + start.elapsed() * 20)
}

fn within(bound: Duration, reply: &Reply) -> Result<()> {
    ensure!(reply.elapsed < bound, "it took {:?}, more than {bound:?}", reply.elapsed);
    Ok(())
}

async fn sections_three_hundred_deep_are_read_and_worked(it: &mut Trial) -> Result<()> {
    deep(it, "section", 300).await?;
    let whole = it.done("snapshot", json!({ "max_tokens": 1_000_000 })).await?;
    for level in 1..=300 {
        contains(&whole, &[&format!("region \"Level {level}\"")])?;
    }
    Ok(())
}

async fn wrappers_three_hundred_deep_are_read_and_worked(it: &mut Trial) -> Result<()> {
    deep(it, "inline", 300).await
}

async fn lists_three_hundred_deep_are_read_and_worked(it: &mut Trial) -> Result<()> {
    deep(it, "list", 300).await
}

async fn open_roots_three_hundred_deep_are_read_and_worked(it: &mut Trial) -> Result<()> {
    deep(it, "shadow", 300).await
}

async fn closed_roots_forty_deep_are_read_and_worked(it: &mut Trial) -> Result<()> {
    deep(it, "closed", 40).await
}

async fn frames_thirty_deep_are_read_and_worked(it: &mut Trial) -> Result<()> {
    deep(it, "frame", 30).await?;
    let page = it.done("snapshot", json!({})).await?;
    contains(&page, &["\"Level 1\"", "\"Level 15\"", "\"Level 30\""])
}

/// The button at the bottom is found, pressed, and led to by its path.
async fn deep(it: &mut Trial, kind: &str, n: u32) -> Result<()> {
    let page = format!("hostile/deep.html?kind={kind}&n={n}");
    it.open(&page).await?;
    let bound = bound(it, &page).await?;
    let found = it.done("find", json!({ "text": "Press bottom" })).await?;
    within(bound, &found)?;
    ensure!(found.tokens() < 4_000, "one button costs {} tokens", found.tokens());
    let bottom = it.reference("button", "Press bottom")?;
    within(bound, &it.act("click", json!({ "ref": bottom })).await?)?;
    let pressed = it.recorded("pressed", "bottom").await?;
    ensure!(pressed.trusted, "no mouse pressed it");
    let located = it.done("locate", json!({ "ref": bottom })).await?;
    let path = located.text.split_whitespace().find(|word| word.starts_with("/html"));
    let path = path.context("no path is told")?.to_owned();
    let back = it.done("locate", json!({ "xpath": path, "tab": it.tab })).await?;
    contains(&back, &[&format!("{bottom} button")])
}

async fn fifty_thousand_elements_are_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = "large.html?n=50000";
    it.open(page).await?;
    let count = it.page_eval(page, "document.querySelectorAll('#list *').length").await?;
    ensure!(count == 50_000, "the page has {count} elements");
    let bound = bound(it, page).await?;
    let shown = it.done("snapshot", json!({})).await?;
    within(bound, &shown)?;
    ensure!(shown.tokens() < 8_000, "the page came in {} tokens", shown.tokens());
    let changed = it.click("button", "Change one").await?;
    within(bound, &changed)?;
    ensure!(changed.tokens() < 150, "one changed text costs {} tokens", changed.tokens());
    within(bound, &it.done("find", json!({ "text": "Buy 9999" })).await?)?;
    within(bound, &it.click("button", "Buy 9999").await?)?;
    it.clicked(&["one", "buy-9999"]).await
}

async fn twenty_thousand_siblings_are_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = "hostile/siblings.html";
    let shown = it.open(page).await?;
    ensure!(shown.tokens() < 8_000, "the page came in {} tokens", shown.tokens());
    let bound = bound(it, page).await?;
    let inserted = it.click("button", "Insert").await?;
    contains(&inserted, &["+ ", "Newcomer"])?;
    ensure!(inserted.tokens() < 150, "one new button costs {} tokens", inserted.tokens());
    within(bound, &inserted)?;
    for (button, most) in [("Turn round", 2_500), ("Clear", 2_500)] {
        if button == "Clear" {
            it.done("find", json!({ "text": "Take 19998" })).await?;
            within(bound, &it.click("button", "Take 19998").await?)?;
        }
        let changed = it.click("button", button).await?;
        within(bound, &changed)?;
        ensure!(changed.tokens() < most, "{button} costs {} tokens", changed.tokens());
    }
    it.clicked(&["insert", "turn", "b19998", "clear"]).await?;
    let empty = it.done("snapshot", json!({})).await?;
    ensure!(!empty.text.contains("\"Take "), "what was cleared is shown");
    Ok(())
}

/// A page with a megabyte in one place costs no more than its budget, and is worked like any other.
async fn megabyte(it: &mut Trial, place: &str) -> Result<Reply> {
    let page = format!("hostile/megabyte.html?in={place}");
    let opened = it.open(&page).await?;
    let bound = bound(it, &page).await?;
    for mode in ["full", "interactive", "verbose"] {
        let shown = it.done("snapshot", json!({ "mode": mode, "links": true })).await?;
        within(bound, &shown)?;
        ensure!(shown.tokens() < 7_000, "in {mode} mode it costs {} tokens", shown.tokens());
        // What did not fit is behind the cursor, and fits there.
        if let Some((_, cursor)) = shown.text.split_once("cursor=") {
            let cursor = cursor.split_whitespace().next().unwrap_or_default();
            let more = it.done("snapshot", json!({ "mode": mode, "cursor": cursor })).await?;
            ensure!(more.tokens() < 7_000, "what is behind the cursor costs {} tokens", more.tokens());
        }
    }
    let pressed = it.click("button", "Press beside").await?;
    within(bound, &pressed)?;
    ensure!(pressed.tokens() < 2_500, "the act costs {} tokens", pressed.tokens());
    let changed = it.click("button", "Add to it").await?;
    within(bound, &changed)?;
    ensure!(changed.tokens() < 2_500, "the change costs {} tokens", changed.tokens());
    let found = it.done("find", json!({ "text": "word1" })).await?;
    ensure!(found.tokens() < 7_000, "what is found costs {} tokens", found.tokens());
    let tabs = it.done("tabs", json!({})).await?;
    ensure!(tabs.tokens() < 1_000, "the list of tabs costs {} tokens", tabs.tokens());
    it.clicked(&["beside", "more"]).await?;
    ensure!(opened.tokens() < 7_000, "it opens in {} tokens", opened.tokens());
    Ok(opened)
}

async fn a_megabyte_in_one_text_is_cut_and_searched(it: &mut Trial) -> Result<()> {
    megabyte(it, "text").await?;
    let found = it.done("find", json!({ "text": "needle" })).await?;
    contains(&found, &[" 1 match", "\n\"…", " needle"])?;
    let read = it.done("read", json!({ "scope": "#place" })).await?;
    ensure!(read.tokens() < 7_000, "it is read in {} tokens", read.tokens());
    contains(&read, &["word0 word1 word2", "cursor="])
}

async fn a_megabyte_without_a_blank_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "unbroken").await?;
    Ok(())
}

async fn a_megabyte_in_a_name_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "name").await?;
    it.done("find", json!({ "text": "needle" })).await?;
    let long = it.outline.all("button").into_iter().find(|line| line.name.starts_with("word0 word1 "));
    let long = long.context("the button is not found")?.reference.clone();
    let pressed = it.act("click", json!({ "ref": long })).await?;
    ensure!(pressed.tokens() < 2_500, "the press costs {} tokens", pressed.tokens());
    let located = it.done("locate", json!({ "ref": long })).await?;
    ensure!(located.tokens() < 2_500, "its place costs {} tokens", located.tokens());
    let refused =
        it.refused("act", json!({ "kind": "fill", "ref": long, "value": "x" }), "not_editable").await?;
    ensure!(refused.tokens() < 2_500, "the failure costs {} tokens", refused.tokens());
    Ok(())
}

async fn a_megabyte_in_a_value_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "value").await?;
    let field = it.reference("textbox", "Held")?;
    it.act("fill", json!({ "ref": field, "value": "short" })).await?;
    let held =
        it.page_eval("hostile/megabyte.html?in=value", "document.querySelector('textarea').value").await?;
    ensure!(held == "short", "the field holds something else");
    Ok(())
}

async fn a_megabyte_in_a_title_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "title").await?;
    Ok(())
}

async fn a_megabyte_in_an_address_is_cut(it: &mut Trial) -> Result<()> {
    let page = megabyte(it, "address").await?;
    contains(&page, &["link \"Far away\""])
}

async fn a_megabyte_in_a_description_is_cut(it: &mut Trial) -> Result<()> {
    let page = megabyte(it, "description").await?;
    contains(&page, &["button \"Described\""])
}

async fn a_megabyte_in_an_alternative_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "alt").await?;
    Ok(())
}

async fn a_megabyte_in_an_option_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "option").await?;
    let choice = it.reference("combobox", "Choice")?;
    let refused =
        it.act_refused("select", json!({ "ref": choice, "values": ["Other"] }), "no_option").await?;
    ensure!(refused.tokens() < 2_000, "the failure costs {} tokens", refused.tokens());
    Ok(())
}

async fn a_megabyte_in_a_placeholder_is_cut(it: &mut Trial) -> Result<()> {
    let page = megabyte(it, "placeholder").await?;
    contains(&page, &["textbox \"Empty\""])
}

async fn a_megabyte_of_generated_text_is_cut(it: &mut Trial) -> Result<()> {
    megabyte(it, "generated").await?;
    Ok(())
}

async fn ten_thousand_options_are_chosen_from(it: &mut Trial) -> Result<()> {
    let page = "hostile/options.html";
    let shown = it.open(page).await?;
    ensure!(shown.tokens() < 7_000, "the page came in {} tokens", shown.tokens());
    let bound = bound(it, page).await?;
    let choice = it.reference("combobox", "Choice")?;
    within(bound, &it.act("select", json!({ "ref": choice, "values": ["Option 9999"] })).await?)?;
    it.recorded_value("change", "choice", "v9999").await?;
    let several = it.reference("listbox", "Several")?;
    within(bound, &it.act("select", json!({ "ref": several, "values": ["Option 3", "v9998"] })).await?)?;
    it.recorded_value("change", "several", "v3,v9998").await?;
    let refused =
        it.act_refused("select", json!({ "ref": choice, "values": ["Option 10000"] }), "no_option").await?;
    ensure!(refused.tokens() < 1_000, "the failure costs {} tokens", refused.tokens());
    let found = it.done("find", json!({ "text": "Option 7777" })).await?;
    contains(&found, &["Option 7777"])?;
    it.click("button", "Press after").await?;
    it.clicked(&["after"]).await
}
