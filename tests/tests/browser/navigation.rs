//! Ways to other pages, and what the agent is told when it gets there.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_link_leads_to_the_head_of_the_new_page,
    a_redirect_names_the_address_reached,
    another_site_is_reached_in_the_same_tab,
    back_and_forward,
    a_pushed_state_is_no_other_document,
    a_new_window_is_told,
    the_only_tab_need_not_be_named,
    with_several_tabs_one_must_be_named,
    a_page_that_does_not_load_is_named,
    browser_pages_may_not_be_driven,
    a_site_that_is_not_allowed_is_refused,
    a_site_in_capitals_is_the_same,
    credentials_in_an_address_are_not_told,
);

async fn a_link_leads_to_the_head_of_the_new_page(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    let reply = it.click("link", "Rows").await?;
    contains(&reply, &["rows.html", "People", "Carol"])?;
    it.click("button", "Swap").await?;
    it.recorded("click", "swap").await?;
    Ok(())
}

async fn a_redirect_names_the_address_reached(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    let reply = it.click("link", "Moved").await?;
    contains(&reply, &["/pages/rows.html", "Carol"])
}

async fn another_site_is_reached_in_the_same_tab(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    let reply = it.click("link", "Across").await?;
    contains(&reply, &["http://localhost:", "rows.html", "Carol"])?;
    it.click("button", "Swap").await?;
    it.recorded("click", "swap").await?;
    Ok(())
}

async fn back_and_forward(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    it.click("link", "Rows").await?;
    let back = it.done("navigate", json!({ "to": "back" })).await?;
    contains(&back, &["links.html"])?;
    let forward = it.done("navigate", json!({ "to": "forward" })).await?;
    contains(&forward, &["rows.html"])?;
    it.refused("navigate", json!({ "to": "forward" }), "no_history").await?;
    Ok(())
}

async fn a_pushed_state_is_no_other_document(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    let rows = it.reference("link", "Rows")?;
    let reply = it.click("button", "Push state").await?;
    contains(&reply, &["Pushed"])?;
    it.act("click", json!({ "ref": rows })).await?;
    it.recorded("click", "plain").await?;
    Ok(())
}

async fn a_new_window_is_told(it: &mut Trial) -> Result<()> {
    it.open("links.html").await?;
    let reply = it.click("link", "New window").await?;
    contains(&reply, &["new tab t"])?;
    let list = it.done("tabs", json!({})).await?;
    contains(&list, &["links.html", "rows.html"])
}

async fn the_only_tab_need_not_be_named(it: &mut Trial) -> Result<()> {
    let url = it.visit.page("rows.html");
    it.done("navigate", json!({ "url": url })).await?;
    let page = it.done("snapshot", json!({})).await?;
    contains(&page, &["Carol"])
}

async fn with_several_tabs_one_must_be_named(it: &mut Trial) -> Result<()> {
    let first = it.open("rows.html").await?;
    it.open("links.html").await?;
    let tab = first.text.split(' ').next().unwrap_or_default().to_owned();
    let refused = it.refused("snapshot", json!({}), "tab_needed").await?;
    contains(&refused, &[&tab, "links.html"])?;
    let page = it.done("snapshot", json!({ "tab": tab })).await?;
    contains(&page, &["Carol"])
}

async fn a_page_that_does_not_load_is_named(it: &mut Trial) -> Result<()> {
    // Port 9 is the discard service's; nobody listens there.
    let reply = it.call("navigate", json!({ "url": "http://127.0.0.1:9/" })).await?;
    ensure!(reply.is_error, "nobody listens there, yet it was reached");
    contains(&reply, &["error navigation_failed:", "127.0.0.1:9", "next: "])
}

async fn browser_pages_may_not_be_driven(it: &mut Trial) -> Result<()> {
    for url in [
        "chrome://settings/",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop/x.html",
        "view-source:http://localhost/",
        "https://chromewebstore.google.com/",
        "file:///",
    ] {
        it.refused("navigate", json!({ "url": url }), "not_drivable").await?;
    }
    it.refused("navigate", json!({ "url": "javascript:alert(1)" }), "not_drivable").await?;
    Ok(())
}

async fn a_site_that_is_not_allowed_is_refused(it: &mut Trial) -> Result<()> {
    it.refused("navigate", json!({ "url": "http://example.invalid/" }), "site_denied").await?;
    Ok(())
}

async fn a_site_in_capitals_is_the_same(it: &mut Trial) -> Result<()> {
    let url = it.visit.page("rows.html").replacen("http://127.0.0.1", "HTTP://LOCALHOST", 1);
    let page = it.done("navigate", json!({ "url": url })).await?;
    contains(&page, &["http://localhost:", "Carol"])
}

async fn credentials_in_an_address_are_not_told(it: &mut Trial) -> Result<()> {
    let url = it.visit.page("rows.html").replacen("http://", "http://ada:hush-hush@", 1);
    let open = json!({ "action": "open", "url": url });
    let mut said = vec![it.done("tabs", open).await?, it.done("tabs", json!({})).await?];
    said.push(it.done("snapshot", json!({})).await?);
    said.push(it.done("read", json!({})).await?);
    said.push(it.click("button", "Swap").await?);
    for address in
        ["http://ada:hush-hush@", "http://ada:hush-hush@example.invalid/", "ftp://ada:hush-hush@x.example"]
    {
        let reply = it.call("navigate", json!({ "url": address })).await?;
        ensure!(reply.is_error, "{address} was opened");
        said.push(reply);
    }
    for reply in said {
        ensure!(!reply.text.contains("hush"), "a reply tells the password: {}", reply.text);
    }
    Ok(())
}
