//! What is hard to reach is reached or refused by name; keys go where they are meant, or nowhere.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    what_sticks_to_an_edge_is_scrolled_away_from,
    a_press_on_a_card_is_not_one_on_the_button_in_it,
    what_is_filled_by_another_control_is_refused_with_its_name,
    a_label_is_pressed_beside_the_link_in_it,
    what_is_drawn_by_its_content_alone_is_pressed,
    force_clicks_what_is_not_drawn_and_says_so,
    a_frame_in_scrollers_is_scrolled_to,
    text_stops_where_the_focus_is_taken_away,
    a_key_that_the_page_sends_elsewhere_is_stopped,
    a_field_that_gives_the_focus_away_is_not_filled,
);

async fn what_sticks_to_an_edge_is_scrolled_away_from(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    it.page_eval("reach.html", "scrollTo(0, 40); 0").await?;
    it.click("button", "Below the header").await?;
    it.clicked(&["below"]).await
}

async fn a_press_on_a_card_is_not_one_on_the_button_in_it(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    it.click("link", "Card").await?;
    it.clicked(&["card"]).await
}

async fn what_is_filled_by_another_control_is_refused_with_its_name(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    let full = it.reference("link", "Full")?;
    let reply = it.act_refused("click", json!({ "ref": full, "timeout_ms": 900 }), "covered").await?;
    contains(&reply, &["Filling"])?;
    it.clicked(&[]).await
}

async fn a_label_is_pressed_beside_the_link_in_it(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    let terms = it.outline.all("checkbox").first().map(|line| line.reference.clone());
    let Some(terms) = terms else { anyhow::bail!("no checkbox is shown") };
    it.act("check", json!({ "ref": terms })).await?;
    it.recorded_value("change", "terms", "true").await?;
    let followed = it.page_eval("reach.html", "location.hash").await?;
    ensure!(followed == "", "the link in the label was followed");
    Ok(())
}

async fn what_is_drawn_by_its_content_alone_is_pressed(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    it.click("button", "By content alone").await?;
    it.clicked(&["contents"]).await
}

async fn force_clicks_what_is_not_drawn_and_says_so(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    it.page_eval("reach.html", "$('none').style.display = ''; 0").await?;
    it.done("snapshot", json!({})).await?;
    let none = it.reference("button", "Not drawn")?;
    it.page_eval("reach.html", "$('none').style.display = 'none'; 0").await?;
    it.act_refused("click", json!({ "ref": none, "timeout_ms": 600 }), "hidden").await?;
    let reply = it.act("click", json!({ "ref": none, "force": true, "timeout_ms": 900 })).await?;
    contains(&reply, &["forced"])?;
    it.recorded("click", "none").await?;
    Ok(())
}

async fn a_frame_in_scrollers_is_scrolled_to(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    it.click("button", "Deep button").await?;
    it.recorded("deep", "deep").await?;
    Ok(())
}

async fn text_stops_where_the_focus_is_taken_away(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    let first = it.reference("textbox", "First")?;
    let reply = it.act_refused("type", json!({ "ref": first, "text": "secret" }), "focus_moved").await?;
    contains(&reply, &["First", "Second", "3 characters"])?;
    let held = it.page_eval("reach.html", "[$('first').value, $('second').value].join()").await?;
    ensure!(held == "sec,", "the fields hold {held}");
    // The person's keys, and the next act, are free again.
    let second = it.reference("textbox", "Second")?;
    it.act("type", json!({ "ref": second, "text": "tea" })).await?;
    it.recorded_value("change", "first", "sec").await
}

async fn a_key_that_the_page_sends_elsewhere_is_stopped(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    let third = it.reference("textbox", "Third")?;
    let reply = it.act_refused("type", json!({ "ref": third, "text": "abc" }), "focus_moved").await?;
    contains(&reply, &["Fourth", "0 characters"])?;
    let held = it.page_eval("reach.html", "[$('third').value, $('fourth').value].join()").await?;
    ensure!(held == ",", "the fields hold {held}");
    Ok(())
}

async fn a_field_that_gives_the_focus_away_is_not_filled(it: &mut Trial) -> Result<()> {
    it.open("reach.html").await?;
    it.page_eval("reach.html", "addEventListener('keydown', () => record('key', 'any'), true); 0").await?;
    let fifth = it.reference("textbox", "Fifth")?;
    let reply = it.call("act", json!({ "kind": "type", "ref": fifth, "text": "abc" })).await?;
    ensure!(reply.is_error, "it was told as typed");
    let held = it.page_eval("reach.html", "$('fifth').value").await?;
    ensure!(held != "abc", "it holds {held}");
    Ok(())
}
