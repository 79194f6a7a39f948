//! What a snapshot shows of a page and what it leaves out, and that nothing is lost by looking at a part.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, anyhow, ensure};
use serde_json::{Value, json};

cases!(beside:
    a_long_list_folds_and_unfolds,
    what_the_last_diff_told_is_not_folded_away,
    a_part_and_a_depth_leave_all_refs_good,
    a_plain_element_that_is_pointed_at_is_listed,
    json_has_exact_texts_of_cells_items_and_options,
    json_locates_and_finds,
    what_a_failing_test_saw_is_kept,
);

async fn a_long_list_folds_and_unfolds(it: &mut Trial) -> Result<()> {
    it.open("large.html").await?;
    let page = it.done("snapshot", json!({ "max_tokens": 2_000 })).await?;
    contains(&page, &["all 6002 lines, ", " of them folded", "item \"Item 0\""])?;
    ensure!(page.tokens() <= 2_050, "it costs {} tokens", page.tokens());
    let fold = page.text.lines().find(|line| line.starts_with('…')).context("nothing is folded")?;
    let cursor = fold.rsplit_once("cursor=").context("no cursor")?.1.to_owned();
    let unfolded = it.done("snapshot", json!({ "max_tokens": 2_000, "cursor": cursor })).await?;
    let last = page.text.lines().rev().find(|line| line.contains("\"Buy ")).context("no button")?;
    let number: u32 = last.rsplit_once("Buy ").context("no number")?.1.trim_end_matches('"').parse()?;
    contains(&unfolded, &[&format!("\nitem \"Item {}\"\n", number + 1), "; next: cursor=e"])?;
    ensure!(!unfolded.text.contains("like these"), "what was asked for is folded");
    // What was unfolded was shown: it can be acted on.
    it.click("button", &format!("Buy {}", number + 1)).await?;
    it.clicked(&[&format!("buy-{}", number + 1)]).await
}

async fn what_the_last_diff_told_is_not_folded_away(it: &mut Trial) -> Result<()> {
    it.open("large.html").await?;
    it.click("button", "Change one").await?;
    let rename = "document.querySelector('#buy-1500').textContent = 'Sold 1500'";
    it.page_eval("large.html", rename).await?;
    it.done("diff", json!({})).await?;
    let page = it.done("snapshot", json!({ "max_tokens": 1_000 })).await?;
    contains(&page, &["\"Sold 1500\""])
}

async fn a_part_and_a_depth_leave_all_refs_good(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let bob = it.reference_under("button", "Delete", "Bob")?;
    let row = it.outline.all("row").into_iter().find(|row| row.text.contains("Alice")).context("no row")?;
    let row = row.reference.clone();
    let part = it.done("snapshot", json!({ "scope": row })).await?;
    contains(&part, &[&format!(" in {row}"), "Delete"])?;
    ensure!(!part.text.contains("Bob"), "the part is more than was asked for");
    let first = it.done("snapshot", json!({ "scope": "tr" })).await?;
    contains(&first, &[" · the first of 4 that match", "row \"Name|Since\""])?;
    let shallow = it.done("snapshot", json!({ "depth": 0 })).await?;
    contains(&shallow, &[" lines are deeper: give more depth, or a scope", " inside"])?;
    it.act("click", json!({ "ref": bob })).await?;
    it.clicked(&["delete-Bob"]).await
}

async fn a_plain_element_that_is_pointed_at_is_listed(it: &mut Trial) -> Result<()> {
    let opened = it.open("exact.html").await?;
    ensure!(!opened.text.contains("generic"), "the plain element is listed before");
    let located = it.done("locate", json!({ "css": "#plain" })).await?;
    contains(&located, &["1 element", "generic", "xpath /html[1]/body[1]/div[1]"])?;
    let line = located.text.lines().nth(1).unwrap_or_default();
    let reference = line.split(' ').next().unwrap_or_default().to_owned();
    // It has what was listed inside it, and stays for as long as it is there.
    let page = it.done("snapshot", json!({})).await?;
    contains(&page, &[&format!("\n{reference} generic\n \"plain words\"\n e")])?;
    let part = it.done("snapshot", json!({ "scope": reference })).await?;
    contains(&part, &[&format!("\n{reference} generic\n \"plain words\"\n e"), "button \"Inner\""])?;
    it.click("button", "Inner").await?;
    Ok(())
}

async fn json_has_exact_texts_of_cells_items_and_options(it: &mut Trial) -> Result<()> {
    let page = it.visit.page("exact.html");
    let shell = it.shell_as("exact cells");
    shell(&["tabs", "open", "--url", &page])?;
    let tree: Value = serde_json::from_str(&shell(&["snapshot", "--json"])?)?;
    shell(&["tabs", "close", "--tab", tree["tab"].as_str().context("no tab")?])?;
    let mut all = Vec::new();
    flatten(&tree["nodes"], &mut all);
    let texts: Vec<&str> =
        all.iter().filter(|node| node["role"] == "text").filter_map(|it| it["name"].as_str()).collect();
    for exact in ["a\u{a0} b", "tab\tstop", "  oat   milk  ", "plain words"] {
        ensure!(texts.contains(&exact), "{exact:?} is none of {texts:?}");
    }
    let of = |role: &str| all.iter().find(|node| node["role"] == role).copied().context(role.to_owned());
    ensure!(of("option")?["text"] == "extra   large", "{}", of("option")?);
    ensure!(of("cell")?["xpath"].is_string() && of("cell")?["box"].is_array(), "{}", of("cell")?);
    ensure!(
        of("row")?["ref"].is_string()
            && of("row")?["children"].as_array().is_some_and(|cells| cells.len() == 2)
    );
    ensure!(of("combobox")?["value"] == "extra large", "{}", of("combobox")?);
    Ok(())
}

fn flatten<'a>(nodes: &'a Value, all: &mut Vec<&'a Value>) {
    for node in nodes.as_array().into_iter().flatten() {
        all.push(node);
        flatten(&node["children"], all);
    }
}

async fn json_locates_and_finds(it: &mut Trial) -> Result<()> {
    let page = it.visit.page("exact.html");
    let shell = it.shell_as("exact places");
    shell(&["tabs", "open", "--url", &page])?;
    let located: Value = serde_json::from_str(&shell(&["locate", "--css", "textarea", "--json"])?)?;
    let found: Value = serde_json::from_str(&shell(&["find", "--role", "textbox", "--json"])?)?;
    shell(&["tabs", "close", "--tab", located["tab"].as_str().context("no tab")?])?;
    for nodes in [&located["nodes"], &found["nodes"]] {
        ensure!(nodes[0]["value"] == "a  b\nc" && nodes[0]["xpath"].is_string(), "{nodes}");
    }
    Ok(())
}

async fn what_a_failing_test_saw_is_kept(it: &mut Trial) -> Result<()> {
    it.open("rows.html").await?;
    let error = it.keep("seeing::kept on purpose", &anyhow!("it failed")).await;
    let told = format!("{error:#}");
    let file = told.lines().find_map(|line| line.strip_prefix("kept: ")).with_context(|| told.clone())?;
    let text = std::fs::read_to_string(file)?;
    ensure!(
        text.contains("it failed") && text.contains("button \"Delete\""),
        "{file} holds something else: {text}"
    );
    let picture = std::fs::read(file.replace(".txt", ".0.png"))?;
    ensure!(picture.starts_with(b"\x89PNG"), "the picture is none");
    std::fs::remove_file(file)?;
    Ok(std::fs::remove_file(file.replace(".txt", ".0.png"))?)
}
