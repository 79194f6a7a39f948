//! Closed shadow roots that nothing gives away: nothing in them listens, and their hosts look like any other element.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    roots_that_nothing_gives_away_are_read_and_worked,
    a_root_that_a_plain_element_is_given_later_is_there,
    roots_that_nothing_gives_away_are_read_in_frames_of_every_site,
    roots_among_thousands_of_plain_elements_are_found_in_one_look,
);

/// Presses in roots, and the host of each.
const PRESSES: [(&str, &str); 5] = [
    ("Press fourth", "fourth"),
    ("Press afloat", "afloat"),
    ("Press around", "around"),
    ("Press declared", "declared"),
    ("Press nested", "nest"),
];

async fn roots_that_nothing_gives_away_are_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = it.open("roots.html").await?;
    contains(&page, &["Words alone", "Note four", "Around it", "In the light", "In the nest"])?;
    ensure!(!page.text.contains("look again"), "what is complete is said to be none");
    for (name, host) in PRESSES {
        it.click("button", name).await?;
        it.recorded("click", host).await?;
    }
    Ok(())
}

async fn a_root_that_a_plain_element_is_given_later_is_there(it: &mut Trial) -> Result<()> {
    it.open("roots.html").await?;
    let added = it.click("button", "Add a root").await?;
    contains(&added, &["button \"Press later\""])?;
    it.click("button", "Press later").await?;
    it.recorded("click", "later").await?;
    // One that changes no element and no style: a snapshot told that the page is what it was.
    let quiet = "shut(document.querySelector('.note'), '<slot></slot> and more words'), 0";
    it.page_eval("roots.html", quiet).await?;
    contains(&it.done("snapshot", json!({})).await?, &["and more words"])
}

async fn roots_that_nothing_gives_away_are_read_in_frames_of_every_site(it: &mut Trial) -> Result<()> {
    it.open("roots.html?around").await?;
    it.done("wait", json!({ "text": ["Another site"] })).await?;
    let page = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    for (name, _) in PRESSES {
        let times = page.text.matches(&format!("button \"{name}\"")).count();
        ensure!(times == 3, "{name} is there {times} times, not three");
    }
    Ok(())
}

async fn roots_among_thousands_of_plain_elements_are_found_in_one_look(it: &mut Trial) -> Result<()> {
    it.open("roots.html").await?;
    let many = "for (let i = 0; i < 1500; i++) { \
        const row = document.createElement('div'); \
        row.innerHTML = `<span>Row</span> <p>${i}</p>`; \
        document.body.append(row); \
        if (i % 500 === 250) shut(row, `<slot></slot><em>Deep ${i}</em>`); \
        if (i % 500 === 350) shut(row.lastChild, `<i>Deep ${i}</i>`); }";
    it.page_eval("roots.html", many).await?;
    let page = it.done("find", json!({ "text": "Deep", "limit": 20 })).await?;
    let found = [250, 350, 750, 850, 1250, 1350].map(|n| format!("Deep {n}"));
    contains(&page, &found.each_ref().map(String::as_str))
}
