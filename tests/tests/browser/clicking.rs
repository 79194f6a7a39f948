//! Clicks of every sort, as a real mouse makes them, and shortcuts as a real keyboard does.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(beside:
    every_button_count_and_key_arrives,
    the_second_press_of_a_double_click_is_guarded_too,
    shortcuts_arrive_with_their_modifiers,
);

async fn every_button_count_and_key_arrives(it: &mut Trial) -> Result<()> {
    it.open("clicks.html").await?;
    let target = it.reference("button", "Target")?;
    it.act("click", json!({ "ref": target, "count": 2 })).await?;
    it.recorded_value("on-dblclick", "target", "0 2").await?;
    it.act("click", json!({ "ref": target, "button": "middle" })).await?;
    it.recorded_value("on-auxclick", "target", "1 1").await?;
    it.act("click", json!({ "ref": target, "button": "right" })).await?;
    it.recorded_value("on-contextmenu", "target", "2 0").await?;
    for (modifier, key) in
        [("Shift", "shiftKey"), ("Alt", "altKey"), ("Control", "ctrlKey"), ("Meta", "metaKey")]
    {
        it.act("click", json!({ "ref": target, "modifiers": [modifier] })).await?;
        it.recorded_value("on-click", "target", &format!("0 1 {key}")).await?;
    }
    let words = it
        .reference("paragraph", "Some words here")
        .or_else(|_| it.reference("generic", "Some words here"))?;
    it.act("click", json!({ "ref": words, "count": 3 })).await?;
    it.recorded_value("triple", "words", "Some words here").await
}

async fn the_second_press_of_a_double_click_is_guarded_too(it: &mut Trial) -> Result<()> {
    it.open("clicks.html").await?;
    let shy = it.reference("button", "Shy")?;
    let reply = it.act_refused("click", json!({ "ref": shy, "count": 2 }), "missed").await?;
    contains(&reply, &["press 2 landed on", "Delete all", "those before arrived"])?;
    it.recorded("pressed", "shy").await?;
    let record = it.visit.record();
    ensure!(
        !record.iter().any(|entry| entry.id == "danger"),
        "what came in its place was pressed: {record:?}"
    );
    ensure!(record.iter().filter(|entry| entry.event == "pressed").count() == 1, "pressed again: {record:?}");
    Ok(())
}

async fn shortcuts_arrive_with_their_modifiers(it: &mut Trial) -> Result<()> {
    it.open("clicks.html").await?;
    for (key, code, value) in [
        ("Control+Shift+K", "KeyK", "K ctrlKey,shiftKey"),
        ("Alt+ArrowUp", "ArrowUp", "ArrowUp altKey"),
        ("?", "Slash", "? shiftKey"),
        ("Meta+b", "KeyB", "b metaKey"),
    ] {
        it.act("press", json!({ "key": key })).await?;
        it.recorded_value("shortcut", code, value).await?;
    }
    Ok(())
}
