//! A page that leads elsewhere by itself does not get an agent there: not by a link, a script, a form, a redirect, a frame
//! or a new tab. Judged by what the server was asked for.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside: nothing_leads_to_where_the_person_did_not_allow_it);

async fn nothing_leads_to_where_the_person_did_not_allow_it(_: &mut Trial) -> Result<()> {
    on_stage(Stage::attended().await?, "walker", async |it| {
        popup::open(it).await?;
        let denied = address(it, "denied");
        let open = json!({ "action": "open", "url": leads(it, &denied) });
        let (reply, ()) = tokio::try_join!(
            it.agent().call("tabs", open),
            popup::choose(it, "[aria-label='Allow walker']")
        )?;
        it.outline.read(&reply.text);
        reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
        let go = json!({ "url": denied, "tab": it.tab });
        let never = popup::choose(it, "#visits [data-answer=never]");
        let (reply, ()) = tokio::try_join!(it.agent().call("navigate", go), never)?;
        contains(&reply, &["error site_denied:"])?;
        a_denied_site_is_asked_for_nothing(it, &denied).await?;
        pages_that_are_no_sites_are_not_reached(it).await?;
        what_was_not_asked_about_waits_for_the_person(it).await
    })
    .await
}

/// A page of another site that this server serves, too.
fn address(it: &Trial, name: &str) -> String {
    it.visit.page("rows.html").replace("127.0.0.1", &format!("{name}.site.example"))
}

fn leads(it: &Trial, to: &str) -> String {
    format!("{}?to={to}", it.visit.page("leads.html"))
}

/// What the server was asked for at a site.
fn asked(it: &Trial, name: &str) -> Vec<String> {
    it.visit.asked().into_iter().filter(|asked| asked.contains(&format!("{name}.site.example"))).collect()
}

async fn a_denied_site_is_asked_for_nothing(it: &mut Trial, denied: &str) -> Result<()> {
    for (role, name) in [
        ("link", "Follow"),
        ("link", "Be redirected"),
        ("link", "Save"),
        ("button", "By script"),
        ("button", "Replace"),
        ("button", "Refresh"),
        ("button", "Submit form"),
    ] {
        it.done("navigate", json!({ "url": leads(it, denied), "tab": it.tab })).await?;
        let reply = it.click(role, name).await?;
        contains(
            &reply,
            &["kept from going on: http://denied.site.example", "is not allowed for \"walker\""],
        )?;
        still_there(it).await?;
    }
    // After the act, when nobody looks.
    it.done("navigate", json!({ "url": leads(it, denied), "tab": it.tab })).await?;
    it.click("button", "In a while").await?;
    it.done("wait", json!({ "time_ms": 600, "tab": it.tab })).await?;
    still_there(it).await?;
    // The server's own redirect, on the way of a call.
    let redirect = it.visit.page(&format!("../redirect?to={denied}"));
    it.refused("navigate", json!({ "url": redirect, "tab": it.tab }), "site_denied").await?;
    // A frame shows that there is nothing.
    it.done("navigate", json!({ "url": leads(it, denied), "tab": it.tab })).await?;
    it.click("button", "Show in a frame").await?;
    let shown = it.done("snapshot", json!({ "tab": it.tab })).await?;
    ensure!(!shown.text.contains("Swap"), "a frame of a denied site was read: {}", shown.text);
    ensure!(asked(it, "denied").is_empty(), "the denied site was asked for {:?}", asked(it, "denied"));
    // A new tab is closed. Its first request may have left.
    for name in ["Open", "Open empty"] {
        let reply = it.click("button", name).await?;
        ensure!(!reply.text.contains("Swap"), "a new tab was read: {}", reply.text);
        let start = std::time::Instant::now();
        let tabs = "chrome.tabs.query({}).then((all) => all.map(({ url, pendingUrl }) => (pendingUrl || url).split('?')[0]))";
        while it.browser().worker_eval(tabs).await?.to_string().contains("//denied.site.example") {
            ensure!(start.elapsed().as_secs() < 5, "a tab of a denied site stays open");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    Ok(())
}

async fn pages_that_are_no_sites_are_not_reached(it: &mut Trial) -> Result<()> {
    for name in ["To a file", "To the source", "To the extension"] {
        it.done("navigate", json!({ "url": leads(it, "about:blank"), "tab": it.tab })).await?;
        let button = it.reference("button", name)?;
        // The browser may show an error in the page's place, which it lets nobody look into.
        it.call("act", json!({ "kind": "click", "ref": button })).await?;
        let shown = it.call("snapshot", json!({ "tab": it.tab })).await?;
        for inner in ["root:", "Agents", "doctype"] {
            ensure!(!shown.text.contains(inner), "{name} led somewhere: {}", shown.text);
        }
    }
    // No page shows a question of ours, to lie over it or to lead a click there.
    for name in ["Frame the question", "Open the options"] {
        it.done("navigate", json!({ "url": leads(it, "about:blank"), "tab": it.tab })).await?;
        it.click("button", name).await?;
        let ours = format!("chrome-extension://{}/", it.browser().extension());
        let targets = it.browser().targets().await?;
        let mut shown = targets.iter().filter(|target| target.url.starts_with(&ours));
        let shown = shown.find(|target| target.kind == "iframe" || target.url.contains("/options/"));
        ensure!(shown.is_none(), "{name} did so: {}", shown.map_or("", |it| it.url.as_str()));
    }
    // Nor does a tab that the person took there stay so.
    for address in [
        format!("chrome-extension://{}/popup/popup.html", it.browser().extension()),
        "chrome://version".into(),
    ] {
        it.done("navigate", json!({ "url": leads(it, "about:blank"), "tab": it.tab })).await?;
        let tab = it.chrome_tab("leads.html").await?;
        it.browser()
            .worker_eval(&format!("chrome.tabs.update({tab}, {{ url: {} }})", json!(address)))
            .await?;
        let there = format!(
            "chrome.tabs.get({tab}).then(({{ url, status }}) => status === 'complete' && url.includes({}))",
            json!(address)
        );
        let start = std::time::Instant::now();
        while it.browser().worker_eval(&there).await? != true {
            ensure!(start.elapsed().as_secs() < 10, "the tab did not get to {address}");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        it.refused("snapshot", json!({ "tab": it.tab }), "not_drivable").await?;
        it.refused("screenshot", json!({ "tab": it.tab }), "not_drivable").await?;
    }
    it.done("navigate", json!({ "url": leads(it, "about:blank"), "tab": it.tab })).await?;
    still_there(it).await
}

async fn what_was_not_asked_about_waits_for_the_person(it: &mut Trial) -> Result<()> {
    // A form is sent once the person has said so, and not before.
    let news = address(it, "news");
    it.done("navigate", json!({ "url": leads(it, &news), "tab": it.tab })).await?;
    let reply = it.click("button", "Submit form").await?;
    contains(&reply, &["kept from going on: the person has not said yet", "http://news.site.example"])?;
    ensure!(asked(it, "news").is_empty(), "it was asked before the person was");
    popup::choose(it, "#visits [data-answer=now]").await?;
    popup::badge(it, "on").await?;
    it.click("button", "Submit form").await?;
    let times = asked(it, "news").iter().filter(|asked| asked.ends_with("/rows.html")).count();
    ensure!(times == 1, "it was asked for {:?}", asked(it, "news"));
    // A redirect on the way of a call waits within the call.
    let mail = address(it, "mail");
    let redirect = json!({ "url": it.visit.page(&format!("../redirect?to={mail}")), "tab": it.tab });
    let (reply, ()) = tokio::try_join!(it.agent().call("navigate", redirect), async {
        popup::shows(it, "“walker” wants to be at http://mail.site.example").await?;
        ensure!(asked(it, "mail").is_empty(), "it was asked before the person was");
        popup::choose(it, "#visits [data-answer=always]").await
    })?;
    contains(&reply, &["mail.site.example", "redirected from", "\"Swap\""])?;
    // Never, and the page stays where it is.
    let shop = address(it, "shop");
    it.done("navigate", json!({ "url": leads(it, &shop), "tab": it.tab })).await?;
    it.click("link", "Follow").await?;
    popup::choose(it, "#visits [data-answer=never]").await?;
    still_there(it).await?;
    ensure!(asked(it, "shop").is_empty(), "it was asked for {:?}", asked(it, "shop"));
    Ok(())
}

async fn still_there(it: &mut Trial) -> Result<()> {
    let at = it.page_eval("leads.html", "location.pathname").await?;
    ensure!(at.as_str().is_some_and(|at| at.ends_with("/leads.html")), "the page is at {at}");
    Ok(())
}
