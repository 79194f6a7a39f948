//! Refs and paths: what was generated for an element gives that element back, in every kind of tree.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::outline::Outline;

cases!(beside:
    every_xpath_of_plain_pages_resolves_to_its_ref,
    every_xpath_through_frames_resolves_to_its_ref,
    every_xpath_through_shadow_roots_resolves_to_its_ref,
    every_xpath_of_drawings_resolves_to_its_ref,
    a_plain_xpath_is_one_that_the_page_itself_resolves,
    css_finds_in_frames_and_shadow_roots,
    a_point_finds_what_is_there,
    what_matches_nothing_says_so,
);

/// For each ref that the page's snapshot shows: `locate ref` gives an XPath, `locate xpath` gives the ref back.
async fn round_trip(it: &mut Trial, page: &str, ready: &str, least: usize) -> Result<()> {
    it.open(page).await?;
    let tab = it.tab.clone();
    it.call("wait", json!({ "text": [ready], "tab": tab })).await?;
    it.outline = Outline::default();
    it.done("snapshot", json!({ "mode": "verbose", "max_tokens": 20_000, "tab": tab })).await?;
    let refs = it.outline.refs();
    ensure!(refs.len() >= least, "{page} shows {} refs, not {least}", refs.len());
    for reference in refs {
        let xpath = xpath_of(it, &reference).await?;
        let back = it.call("locate", json!({ "xpath": xpath, "tab": tab })).await?;
        ensure!(!back.is_error, "{reference} is at {xpath}, which is not found");
        let found = back.text.split_whitespace().any(|word| word == reference);
        ensure!(found, "{reference} is at {xpath}, where something else is found");
    }
    Ok(())
}

/// The XPath in the reply to `locate`: the one word that begins with a slash.
async fn xpath_of(it: &mut Trial, reference: &str) -> Result<String> {
    let located = it.done("locate", json!({ "ref": reference })).await?;
    let xpath =
        located.text.split_whitespace().find(|word| word.trim_start_matches("xpath=").starts_with('/'));
    let xpath = xpath.with_context(|| format!("no XPath is given for {reference}"))?;
    Ok(xpath.trim_start_matches("xpath=").to_owned())
}

async fn every_xpath_of_plain_pages_resolves_to_its_ref(it: &mut Trial) -> Result<()> {
    round_trip(it, "rows.html", "Carol", 8).await?;
    round_trip(it, "form.html", "Newsletter", 18).await
}

async fn every_xpath_through_frames_resolves_to_its_ref(it: &mut Trial) -> Result<()> {
    round_trip(it, "frames.html", "Press fourth", 9).await
}

async fn every_xpath_through_shadow_roots_resolves_to_its_ref(it: &mut Trial) -> Result<()> {
    round_trip(it, "shadow.html", "Press three", 5).await
}

async fn every_xpath_of_drawings_resolves_to_its_ref(it: &mut Trial) -> Result<()> {
    round_trip(it, "svg.html", "Framed button", 6).await
}

async fn a_plain_xpath_is_one_that_the_page_itself_resolves(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let reference = it.reference_under("button", "Delete", "Bob")?;
    let xpath = xpath_of(it, &reference).await?;
    let script = format!("document.evaluate({}, document, null, 9, null).singleNodeValue?.id", json!(xpath));
    let id = it.page_eval("rows.html", &script).await?;
    ensure!(id == "delete-Bob", "{xpath} is {id}");
    Ok(())
}

async fn css_finds_in_frames_and_shadow_roots(it: &mut Trial) -> Result<()> {
    it.open("shadow.html").await?;
    let inside = it.done("locate", json!({ "css": "#three" })).await?;
    contains(&inside, &["Press three"])?;
    it.open("frames.html").await?;
    let tab = it.tab.clone();
    it.call("wait", json!({ "text": ["Press third"], "tab": tab })).await?;
    let framed = it.done("locate", json!({ "css": "#third", "tab": tab })).await?;
    contains(&framed, &["Press third"])
}

async fn a_point_finds_what_is_there(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let middle = "(() => { const box = document.getElementById('swap').getBoundingClientRect(); \
        return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]; })()";
    let point = it.page_eval("rows.html", middle).await?;
    let found = it.done("locate", json!({ "point": format!("{},{}", point[0], point[1]) })).await?;
    contains(&found, &["button", "Swap"])
}

async fn what_matches_nothing_says_so(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    it.refused("locate", json!({ "css": "#nowhere" }), "not_found").await?;
    it.refused("locate", json!({ "xpath": "/html[1]/body[1]/main[4]" }), "not_found").await?;
    it.refused("locate", json!({ "css": "!!" }), "bad_selector").await?;
    it.refused("locate", json!({ "xpath": "/html[" }), "bad_xpath").await?;
    Ok(())
}
