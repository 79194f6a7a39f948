//! Pages whose words would like to be more than words: lines, refs, states, failures; letters that are none or cannot be
//! seen; references without an end.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::client::Reply;

cases!(beside:
    no_word_of_a_page_forges_a_line,
    no_dialog_or_toast_forges_a_line,
    names_are_told_to_the_letter,
    letters_that_are_none_are_told_and_worked,
    references_in_circles_end,
);

/// What no line of a reply may begin with, behind its indentation and mark.
const FORGED: &[&str] =
    &["e999999999", "error none", "next: press", "t999999", "--- end 00000000", "[e999999999]"];

/// No line of a reply is the page's own.
fn unforged(it: &Trial, reply: &Reply) -> Result<()> {
    for line in reply.text.lines() {
        let bare = line.trim_start_matches(['+', '-', '~', '>', ' ']);
        for begin in FORGED {
            ensure!(!bare.starts_with(begin), "a line was forged: {line}");
        }
    }
    ensure!(!it.outline.refs().iter().any(|reference| reference == "e999999999"), "a ref was forged");
    Ok(())
}

async fn no_word_of_a_page_forges_a_line(it: &mut Trial) -> Result<()> {
    let opened = it.open("hostile/forged.html").await?;
    unforged(it, &opened)?;
    for mode in ["full", "interactive", "verbose"] {
        let shown = it.done("snapshot", json!({ "mode": mode, "links": true, "max_tokens": 60_000 })).await?;
        unforged(it, &shown)?;
        // Outside of quotes nothing of the fake is left but in words without blanks.
        for line in shown.text.lines().skip(1) {
            let bare = unquoted(line).with_context(|| format!("a quote is left open: {line}"))?;
            for fake in ["button Pay", "disabled checked", "e999999999 ", " =\"x\""] {
                ensure!(!bare.contains(fake), "{fake:?} stands outside quotes: {line}");
            }
        }
    }
    for asked in [json!({ "text": "Pay" }), json!({ "role": "button" }), json!({ "text": "e999999999" })] {
        let found = it.done("find", asked).await?;
        unforged(it, &found)?;
    }
    let tabs = it.done("tabs", json!({})).await?;
    unforged(it, &tabs)?;
    for reference in it.outline.refs() {
        let located = it.done("locate", json!({ "ref": reference })).await?;
        unforged(it, &located)?;
    }
    let changed = it.click("button", "Change").await?;
    unforged(it, &changed)?;
    contains(&changed, &["Changed Save"])?;
    it.click("button", "Of a role").await?;
    it.clicked(&["change", "role"]).await
}

/// The line without its JSON strings; none when one does not end.
fn unquoted(line: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('"') {
        out.push_str(&rest[..at]);
        let mut strings = serde_json::Deserializer::from_str(&rest[at..]).into_iter::<String>();
        strings.next()?.ok()?;
        rest = &rest[at + strings.byte_offset()..];
    }
    out.push_str(rest);
    Some(out)
}

async fn no_dialog_or_toast_forges_a_line(it: &mut Trial) -> Result<()> {
    it.open("hostile/forged.html").await?;
    let toast = it.click("button", "Toast").await?;
    unforged(it, &toast)?;
    let alert = it.reference("button", "Alert")?;
    let open = it.call("act", json!({ "kind": "click", "ref": alert })).await?;
    unforged(it, &open)?;
    contains(&open, &["Save"])?;
    let held = it.refused("snapshot", json!({ "tab": it.tab }), "dialog_open").await?;
    unforged(it, &held)?;
    let answered = it.done("dialog", json!({ "action": "accept" })).await?;
    unforged(it, &answered)?;
    it.clicked(&["toast", "alert"]).await
}

async fn names_are_told_to_the_letter(it: &mut Trial) -> Result<()> {
    it.open("hostile/forged.html").await?;
    it.done("snapshot", json!({ "max_tokens": 60_000 })).await?;
    let name = it.page_eval("hostile/forged.html", "document.getElementById('label').ariaLabel").await?;
    let name = name.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    it.click("button", &name).await?;
    it.clicked(&["label"]).await
}

async fn letters_that_are_none_are_told_and_worked(it: &mut Trial) -> Result<()> {
    let page = "hostile/letters.html";
    it.open(page).await?;
    let shown = it.done("snapshot", json!({ "max_tokens": 60_000, "mode": "verbose" })).await?;
    let unseen = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(*c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e007f}'
                | '\u{f0000}'..='\u{10ffff}')
    };
    let found = shown.text.chars().find(unseen);
    ensure!(found.is_none(), "{found:?} stands in the reply as it is");
    let letters = it.page_eval(
        page,
        "Object.fromEntries(Object.entries(LETTERS).map(([id, it]) => [id, it.toWellFormed()]))",
    );
    let letters = letters.await?;
    let letters = letters.as_object().context("the page tells no letters")?;
    ensure!(letters.len() == 11, "the page has {} texts", letters.len());
    for (id, text) in letters {
        let text = text.as_str().unwrap_or_default();
        // White space of HTML collapses in names.
        let name =
            text.split([' ', '\t', '\n', '\r', '\u{c}']).filter(|it| !it.is_empty()).collect::<Vec<_>>();
        it.click("button", &name.join(" ")).await.with_context(|| id.clone())?;
        it.recorded("click", id).await?;
    }
    let field = it.reference("textbox", letters["bidi"].as_str().unwrap_or_default())?;
    let typed = "\u{202e}typed\u{202c} 👩‍👩‍👧 \u{e001}";
    it.act("fill", json!({ "ref": field, "value": typed })).await?;
    let held = it.page_eval(page, "document.querySelectorAll('input')[3].value").await?;
    ensure!(held == typed, "the field holds {held}");
    Ok(())
}

async fn references_in_circles_end(it: &mut Trial) -> Result<()> {
    let page = it.open("hostile/cycles.html").await?;
    ensure!(page.elapsed.as_secs() < 20, "it took {:?}", page.elapsed);
    let whole = it.done("snapshot", json!({ "max_tokens": 100_000 })).await?;
    let ids = ["one", "two", "three", "four", "five", "six", "seven", "eight", "ten", "eleven", "twelve"];
    for id in ids {
        let found = it.done("locate", json!({ "css": format!("#{id}"), "tab": it.tab })).await?;
        let line = found.text.lines().map(str::trim_start).find(|line| line.contains("button"));
        let reference =
            line.and_then(|line| line.split(' ').next()).context("no button is found")?.to_owned();
        let times =
            whole.text.lines().filter(|line| line.trim_start().starts_with(&format!("{reference} "))).count();
        ensure!(times == 1, "{id} is there {times} times");
        it.act("click", json!({ "ref": reference })).await?;
    }
    it.clicked(&ids).await
}
