//! What follows an act outside of its page: downloads, windows of their own, pages that are not there.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    downloads_are_named_and_waited_for,
    a_window_joins_the_group_of_its_agent,
    a_page_that_is_not_there_is_told_with_its_status;
    alone: windows_at_once_leave_the_person_where_they_were,
);

async fn downloads_are_named_and_waited_for(it: &mut Trial) -> Result<()> {
    it.open("downloads.html").await?;
    let reply = it.click("link", "At once").await?;
    contains(&reply, &["download \"at once.txt\""])?;
    let reply = it.click("button", "Made").await?;
    // The browser makes a name of it that the system takes.
    contains(&reply, &["download \"made"])?;
    let reply = it.click("link", "Later").await?;
    ensure!(!reply.text.contains("\"later.txt\" completed"), "it cannot have come yet");
    let reply = it.done("wait", json!({ "download": true })).await?;
    contains(&reply, &["met: download \"later.txt\" completed"])?;
    for name in ["at once.txt", "later.txt"] {
        let held = std::fs::read_to_string(it.browser().downloads().join(name))?;
        ensure!(held == "at last", "{name} holds {held:?}");
    }
    Ok(())
}

async fn a_window_joins_the_group_of_its_agent(it: &mut Trial) -> Result<()> {
    it.open("downloads.html").await?;
    let reply = it.click("link", "Window").await?;
    contains(&reply, &["new tab t"])?;
    let opener = it.chrome_tabs("downloads.html").await?;
    let group = &opener[0]["groupId"];
    ensure!(group.as_i64().is_some_and(|group| group >= 0), "the agent's tab is in no group");
    for _ in 0..50 {
        let windows = it.chrome_tabs("rows.html").await?;
        // The person's view stays where it was.
        if windows.iter().any(|tab| &tab["groupId"] == group && tab["active"] == false) {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    anyhow::bail!("the new window is not in the agent's group, or stays in front")
}

async fn windows_at_once_leave_the_person_where_they_were(it: &mut Trial) -> Result<()> {
    let mut tabs = Vec::new();
    for _ in 0..4 {
        it.open("downloads.html").await?;
        tabs.push((it.tab.clone(), it.reference("link", "Window")?));
    }
    let it = &*it;
    let opened = futures::future::try_join_all(tabs.iter().map(|(tab, link)| async move {
        let act = json!({ "kind": "click", "ref": link });
        let reply = it.agent().call("act", act).await?;
        ensure!(reply.text.contains("new tab t"), "{tab} opened nothing: {}", reply.text);
        anyhow::Ok(())
    }));
    opened.await?;
    // The person's tab is none of this test's.
    let start = std::time::Instant::now();
    while it.chrome_tabs("").await?.iter().any(|tab| tab["active"] == true) {
        ensure!(start.elapsed().as_secs() < 10, "a window that an agent opened stays in front");
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    Ok(())
}

async fn a_page_that_is_not_there_is_told_with_its_status(it: &mut Trial) -> Result<()> {
    it.open("downloads.html").await?;
    let reply = it.click("link", "Nowhere").await?;
    contains(&reply, &["another page now · status 404", "nowhere.html"])
}
