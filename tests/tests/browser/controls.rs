//! Ordinary controls: each takes its value, and the form submits what the agent put in.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

cases!(beside:
    every_ordinary_control_of_a_form_is_filled,
    a_value_that_does_not_fit_is_refused,
    a_formatted_value_is_told,
    a_mask_takes_what_fits_its_blanks,
    a_field_that_keeps_its_value_is_a_failure,
    a_controlled_field_takes_the_value,
    a_select_takes_labels_and_values,
    an_option_that_is_not_there_lists_the_options,
    several_options_are_selected,
    check_and_uncheck_may_be_repeated,
    readonly_and_disabled_fields_are_refused,
    a_radio_is_checked,
    what_secret_fields_hold_stays_in_the_page,
    text_that_was_there_is_no_proof_of_typing,
);

/// Label, what is filled in, the name of the field, what the form submits.
const FIELDS: &[(&str, &str, &str, &str)] = &[
    ("Name", "Ada Lovelace", "name", "Ada Lovelace"),
    ("E-mail", "ada@example.org", "email", "ada@example.org"),
    ("Phone", "+44 20 1234", "tel", "+44 20 1234"),
    ("Web", "https://example.org/", "url", "https://example.org/"),
    ("Find", "engines", "search", "engines"),
    ("Amount", "12.5", "number", "12.5"),
    ("Volume", "8", "range", "8"),
    ("Day", "2026-11-30", "date", "2026-11-30"),
    ("Hour", "09:45", "time", "09:45"),
    ("Meeting", "2026-11-30T09:45", "moment", "2026-11-30T09:45"),
    ("Month", "2026-11", "month", "2026-11"),
    ("Week", "2026-W48", "week", "2026-W48"),
    ("Colour", "#3366cc", "color", "#3366cc"),
    ("Notes", "one\ntwo", "notes", "one\r\ntwo"),
    ("Country", "Peru", "country", "pe"),
    ("Newsletter", "true", "news", "yes"),
    ("Large", "true", "size", "l"),
];

/// The ref of the control with this name, whatever its role is called.
fn control(it: &Trial, name: &str) -> Result<String> {
    const ROLES: &[&str] = &[
        "textbox",
        "searchbox",
        "spinbutton",
        "slider",
        "combobox",
        "checkbox",
        "radio",
        "date",
        "time",
        "datetime",
        "month",
        "week",
        "inputtime",
        "color",
        "colorpicker",
        "input",
    ];
    let found = ROLES.iter().find_map(|role| it.reference(role, name).ok());
    found.with_context(|| format!("no reply showed a control {name:?}"))
}

async fn every_ordinary_control_of_a_form_is_filled(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    let fields: Result<Vec<Value>> = FIELDS
        .iter()
        .map(|(label, value, ..)| Ok(json!({ "ref": control(it, label)?, "value": value })))
        .collect();
    it.act("fill", json!({ "fields": fields? })).await?;
    it.click("button", "Send").await?;
    let submitted = it.recorded("submit", "form").await?;
    let pairs: Vec<(String, String)> = serde_json::from_str(&submitted.value)?;
    for (label, _, name, value) in FIELDS {
        let held = pairs.iter().find(|(field, _)| field == name).map(|(_, held)| held.as_str());
        // How line ends are submitted is the form's affair.
        let same = held.is_some_and(|held| held.replace("\r\n", "\n") == value.replace("\r\n", "\n"));
        ensure!(same, "{label} was submitted as {held:?}, not {value:?}");
    }
    Ok(())
}

async fn a_value_that_does_not_fit_is_refused(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    for (label, value) in
        [("Amount", "many"), ("Day", "tomorrow"), ("Colour", "blue-ish"), ("Newsletter", "perhaps")]
    {
        let field = control(it, label)?;
        it.act_refused("fill", json!({ "ref": field, "value": value }), "bad_value").await?;
    }
    Ok(())
}

async fn a_formatted_value_is_told(it: &mut Trial) -> Result<()> {
    it.open("masked.html").await?;
    let card = it.reference("textbox", "Card")?;
    let reply = it.act("fill", json!({ "ref": card, "value": "4242424242424242" })).await?;
    contains(&reply, &["4242 4242 4242 4242", "formatted by the page"])
}

async fn a_mask_takes_what_fits_its_blanks(it: &mut Trial) -> Result<()> {
    it.open("masked.html").await?;
    let phone = it.reference("textbox", "Phone")?;
    let reply = it.act("fill", json!({ "ref": phone, "value": "555 123" })).await?;
    contains(&reply, &["+1 (555) 123", "formatted by the page"])?;
    it.recorded_value("state", "phone", "555123").await?;
    it.act_refused("fill", json!({ "ref": phone, "value": "5551234" }), "not_taken").await?;
    // Filled once, it shows no blank that would tell it for a mask before it is filled anew.
    let reply = it.act("fill", json!({ "ref": phone, "value": "77" })).await?;
    contains(&reply, &["=\"+1 (77_) ___\"", "places left to fill"])?;
    it.recorded_value("state", "phone", "77").await?;
    it.open("masked.html").await?;
    let phone = it.reference("textbox", "Phone")?;
    it.act("type", json!({ "ref": phone, "text": "55" })).await?;
    it.recorded_value("state", "phone", "55").await
}

async fn a_field_that_keeps_its_value_is_a_failure(it: &mut Trial) -> Result<()> {
    it.open("masked.html").await?;
    let stubborn = it.reference("textbox", "Stubborn")?;
    it.act_refused("fill", json!({ "ref": stubborn, "value": "yours" }), "not_taken").await?;
    Ok(())
}

async fn a_controlled_field_takes_the_value(it: &mut Trial) -> Result<()> {
    it.open("masked.html").await?;
    let field = it.reference("textbox", "Controlled")?;
    let reply = it.act("fill", json!({ "ref": field, "value": "hello" })).await?;
    contains(&reply, &["state: hello"])?;
    it.recorded_value("state", "controlled", "hello").await
}

async fn a_select_takes_labels_and_values(it: &mut Trial) -> Result<()> {
    it.open("selects.html").await?;
    let town = it.reference("combobox", "Town")?;
    let reply = it.act("select", json!({ "ref": town, "values": ["Bergen"] })).await?;
    contains(&reply, &["Off to Bergen"])?;
    it.recorded_value("change", "town", "bgo").await?;
    it.act("select", json!({ "ref": town, "values": ["lim"] })).await?;
    it.recorded_value("change", "town", "lim").await
}

async fn an_option_that_is_not_there_lists_the_options(it: &mut Trial) -> Result<()> {
    it.open("selects.html").await?;
    let town = it.reference("combobox", "Town")?;
    let reply = it.act_refused("select", json!({ "ref": town, "values": ["Atlantis"] }), "no_option").await?;
    contains(&reply, &["Atlantis", "Oslo", "Bergen", "Lima"])?;
    it.act_refused("select", json!({ "ref": town, "values": ["Cusco"] }), "no_option").await?;
    ensure!(it.visit.record().is_empty(), "something changed");
    Ok(())
}

async fn several_options_are_selected(it: &mut Trial) -> Result<()> {
    it.open("selects.html").await?;
    let toppings = it.reference("listbox", "Toppings")?;
    it.act("select", json!({ "ref": toppings, "values": ["Cheese", "Olives"] })).await?;
    it.recorded_value("change", "toppings", "c,o").await
}

async fn check_and_uncheck_may_be_repeated(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    let news = it.reference("checkbox", "Newsletter")?;
    for (kind, checked) in [("check", true), ("check", true), ("uncheck", false), ("uncheck", false)] {
        it.act(kind, json!({ "ref": news })).await?;
        let held = it.page_eval("form.html", "document.querySelector('[name=news]').checked").await?;
        ensure!(held == checked, "{kind} leaves it {held}");
    }
    Ok(())
}

async fn readonly_and_disabled_fields_are_refused(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    let fixed = it.reference("textbox", "Fixed")?;
    it.act_refused("fill", json!({ "ref": fixed, "value": "else" }), "read_only").await?;
    let off = it.reference("textbox", "Off")?;
    it.act_refused("fill", json!({ "ref": off, "value": "else", "timeout_ms": 1500 }), "disabled").await?;
    Ok(())
}

async fn a_radio_is_checked(it: &mut Trial) -> Result<()> {
    it.open("form.html").await?;
    let large = it.reference("radio", "Large")?;
    it.act("check", json!({ "ref": large })).await?;
    let held = it.page_eval("form.html", "document.querySelector('[name=size]:checked').value").await?;
    ensure!(held == "l", "{held} is checked");
    Ok(())
}

async fn what_secret_fields_hold_stays_in_the_page(it: &mut Trial) -> Result<()> {
    let page = it.open("secret.html").await?;
    ensure!(!page.text.contains("hunter2"), "the snapshot tells a saved password");
    for (label, value) in [("Password", "open sesame"), ("Card", "4111 1111 1111 1111"), ("Code", "123456")] {
        let field = it.reference("textbox", label)?;
        let reply = it.act("fill", json!({ "ref": field, "value": value })).await?;
        ensure!(reply.text.contains("••••"), "no length is told: {}", reply.text);
        ensure!(!reply.text.contains(value), "the value is told: {}", reply.text);
    }
    let held = it
        .page_eval(
            "secret.html",
            "['password','card','code'].map((id) => document.getElementById(id).value).join('|')",
        )
        .await?;
    ensure!(held == json!("open sesame|4111 1111 1111 1111|123456"), "the page holds {held}");
    // Showing a password does not make it less of a secret.
    it.click("button", "Show").await?;
    let shown = it.call("snapshot", json!({ "mode": "verbose" })).await?;
    ensure!(!shown.text.contains("hunter2"), "a shown password is told: {}", shown.text);
    let refusing = it.reference("textbox", "Refusing")?;
    it.act_refused("fill", json!({ "ref": refusing, "value": "###" }), "not_taken").await?;
    Ok(())
}

async fn text_that_was_there_is_no_proof_of_typing(it: &mut Trial) -> Result<()> {
    it.open("masked.html").await?;
    let stubborn = it.reference("textbox", "Stubborn")?;
    it.act_refused("type", json!({ "ref": stubborn, "text": "in" }), "not_taken").await?;
    Ok(())
}
