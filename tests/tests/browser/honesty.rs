//! What was asked is what is there: values, options and states are read back, also once the page has settled; what
//! cannot be is refused before anything is touched.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    a_lost_sign_or_decimal_is_no_formatting,
    a_value_that_is_reset_once_the_page_settled_is_a_failure,
    options_that_are_labelled_alike_need_their_value,
    a_switch_that_turns_late_is_turned,
    what_cannot_take_it_is_refused_untouched,
    fields_stop_at_a_navigation_a_dialog_and_a_gap,
    a_page_state_is_the_same_while_nothing_changes,
);

async fn a_lost_sign_or_decimal_is_no_formatting(it: &mut Trial) -> Result<()> {
    it.open("honest.html").await?;
    let digits = it.reference("textbox", "Digits")?;
    let reply = it.act_refused("fill", json!({ "ref": digits, "value": "-12.50" }), "not_taken").await?;
    contains(&reply, &["1250", "-12.50"])?;
    let grouped = it.reference("textbox", "Grouped")?;
    let reply = it.act("fill", json!({ "ref": grouped, "value": "1234567.5" })).await?;
    contains(&reply, &["1,234,567.50", "formatted by the page"])
}

async fn a_value_that_is_reset_once_the_page_settled_is_a_failure(it: &mut Trial) -> Result<()> {
    it.open("honest.html").await?;
    let late = it.reference("textbox", "Reset late")?;
    let reply = it.act_refused("fill", json!({ "ref": late, "value": "yours" }), "not_taken").await?;
    contains(&reply, &["since the page settled", "\"mine\""])?;
    let written = it.reference("textbox", "Written late")?;
    let reply = it.act("fill", json!({ "ref": written, "value": "abc" })).await?;
    contains(&reply, &["now =\"ABC\" (formatted by the page)"])?;
    let town = it.reference("combobox", "Town")?;
    let reply = it.act_refused("select", json!({ "ref": town, "values": ["Bergen"] }), "not_taken").await?;
    contains(&reply, &["\"Oslo\""])?;
    let back = it.reference("switch", "Back")?;
    it.act_refused("check", json!({ "ref": back }), "not_taken").await?;
    Ok(())
}

async fn options_that_are_labelled_alike_need_their_value(it: &mut Trial) -> Result<()> {
    it.open("honest.html").await?;
    let airport = it.reference("combobox", "Airport")?;
    let choose = |value: &str| json!({ "ref": airport, "values": [value] });
    let reply = it.act_refused("select", choose("Paris"), "no_option").await?;
    contains(&reply, &["value=\"cdg\"", "value=\"ory\"", "value=\"prx\""])?;
    for disabled in ["Dallas", "Tegel", "lhr"] {
        it.act_refused("select", choose(disabled), "no_option").await?;
    }
    ensure!(it.visit.record().is_empty(), "something was touched");
    // The second of those that read the same, the only enabled one, and a label before a value.
    for (asked, value) in [("ory", "ory"), ("London", "lgw"), ("1", "7")] {
        it.act("select", choose(asked)).await?;
        it.recorded_value("change", "airport", value).await?;
    }
    Ok(())
}

async fn a_switch_that_turns_late_is_turned(it: &mut Trial) -> Result<()> {
    it.open("honest.html").await?;
    let (slow, dead) = (it.reference("switch", "Slow")?, it.reference("switch", "Dead")?);
    it.act("check", json!({ "ref": slow })).await?;
    it.recorded_value("flip", "slow", "true").await?;
    it.act_refused("check", json!({ "ref": dead }), "not_taken").await?;
    Ok(())
}

async fn what_cannot_take_it_is_refused_untouched(it: &mut Trial) -> Result<()> {
    it.open("honest.html").await?;
    // Four characters for a person, eight for the field.
    for (name, value, code) in [
        ("Short", "12345", "too_long"),
        ("Short", "😀😀😀", "too_long"),
        ("Fixed", "y", "read_only"),
        ("In a group", "y", "disabled"),
        ("Off by words", "y", "disabled"),
        ("No text", "y", "not_editable"),
    ] {
        let field = it.reference("textbox", name)?;
        for (kind, what) in [("fill", "value"), ("type", "text")] {
            let mut asked = json!({ "ref": field, "timeout_ms": 1500 });
            asked[what] = value.into();
            it.act_refused(kind, asked, code).await?;
        }
    }
    let page = "document.activeElement === document.body && document.getElementById('fixed').value === 'x'";
    ensure!(it.page_eval("honest.html", page).await? == true, "a field was touched");
    ensure!(it.visit.record().is_empty(), "something was touched: {:?}", it.visit.record());
    Ok(())
}

async fn fields_stop_at_a_navigation_a_dialog_and_a_gap(it: &mut Trial) -> Result<()> {
    it.open("going-on.html").await?;
    let field = |it: &Trial, role: &str, name: &str, value: &str| -> Result<serde_json::Value> {
        Ok(json!({ "ref": it.reference(role, name)?, "value": value }))
    };
    let (first, last) = (field(it, "textbox", "First", "1")?, field(it, "textbox", "Last", "9")?);
    let untried = last["ref"].as_str().unwrap_or_default().to_owned();

    let asks = field(it, "textbox", "Asks", "x")?;
    let fields = json!({ "fields": [first, asks, last] });
    let reply = it.act_refused("fill", fields, "dialog_open").await?;
    contains(&reply, &["filled: e", "\"First\" =\"1\"", "Sure?"])?;
    it.done("dialog", json!({ "action": "accept" })).await?;

    let removes = field(it, "textbox", "Removes", "x")?;
    it.act_refused("fill", json!({ "fields": [removes, last, first] }), "gone").await?;

    it.open("going-on.html").await?;
    let (first, last) = (field(it, "textbox", "First", "2")?, field(it, "textbox", "Last", "9")?);
    let country = field(it, "combobox", "Country", "Peru")?;
    let fields = json!({ "fields": [first, country, last, first] });
    let reply = it.act_refused("fill", fields, "document_changed").await?;
    contains(&reply, &["\"First\" =\"2\"", "\"Country\"", "began a navigation", "not tried: e"])?;
    let touched = it.visit.record().iter().any(|entry| entry.id == "last");
    ensure!(!touched && !untried.is_empty(), "the last field was filled all the same");
    Ok(())
}

async fn a_page_state_is_the_same_while_nothing_changes(it: &mut Trial) -> Result<()> {
    let url = it.visit.page("rows.html");
    let shell = it.shell_as("state");
    let state = |words: &[&str]| -> Result<String> {
        let printed: serde_json::Value = serde_json::from_str(&shell(words)?)?;
        let state = printed["page_state"].as_str().unwrap_or_default().to_owned();
        ensure!(!state.is_empty(), "no page_state in {printed}");
        Ok(state)
    };
    shell(&["tabs", "--action", "open", "--url", &url])?;
    let first = state(&["snapshot", "--json"])?;
    ensure!(state(&["diff", "--json"])? == first, "it differs though nothing changed");
    let scrolled = ["act", "--kind", "scroll", "--to", "bottom", "--json"];
    ensure!(state(&scrolled)? == first, "scrolling changed it");
    it.page_eval("rows.html", "document.getElementById('row-Bob').remove()").await?;
    ensure!(state(&["diff", "--json"])? != first, "a row went and it is the same");
    Ok(())
}
