//! Widget libraries as pages have them, each worked as an agent does; judged by what the library itself told the page.
//! `tests/libraries` has the pages and says which libraries in which versions.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;
use std::path::Path;

cases!(beside:
    react_holds_what_is_filled_in,
    react_select_is_searched_and_chosen_from,
    material_lists_are_opened_and_chosen_from,
    material_dialogs_and_menus_come_and_go,
    material_controls_are_set,
    masks_are_filled,
    code_mirror_holds_the_lines_as_they_are,
    quill_is_written_in,
    dates_are_picked,
    select2_is_chosen_from,
    choices_are_chosen_from,
    select_chooses_in_one_call,
    lists_are_sorted_by_dragging,
);

/// Opens a page of `tests/libraries`, if what it loads is installed.
async fn open(it: &mut Trial, library: &str) -> Result<()> {
    let bundles = Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries/node_modules/.bundles");
    ensure!(
        bundles.is_dir(),
        "the libraries are not installed: `cargo xtask test --only browser` installs them with npm"
    );
    it.open(&format!("libraries/{library}.html")).await?;
    Ok(())
}

/// Fills the field of this name.
async fn fill(it: &mut Trial, role: &str, name: &str, value: &str) -> Result<()> {
    let field = it.reference(role, name)?;
    it.act("fill", json!({ "ref": field, "value": value })).await?;
    Ok(())
}

/// Opens what has this name, and chooses an option that then is there.
async fn choose(it: &mut Trial, name: &str, option: &str) -> Result<()> {
    let combobox = it.reference("combobox", name)?;
    let asked = json!({ "ref": combobox, "then_role": "option", "then_name": option });
    it.act("click", asked).await?;
    Ok(())
}

async fn react_holds_what_is_filled_in(it: &mut Trial) -> Result<()> {
    open(it, "react").await?;
    fill(it, "textbox", "Name", "Ada Lovelace").await?;
    it.recorded_value("state", "name", "Ada Lovelace").await?;
    fill(it, "textbox", "Capitals", "abc").await?;
    it.recorded_value("state", "caps", "ABC").await?;
    let digits = it.reference("textbox", "Digits")?;
    it.act_refused("fill", json!({ "ref": digits, "value": "1x2" }), "not_taken").await?;
    fill(it, "textbox", "Digits", "12").await?;
    it.recorded_value("state", "digits", "12").await?;
    fill(it, "spinbutton", "Amount", "12.5").await?;
    it.recorded_value("state", "amount", "12.5").await?;
    fill(it, "textbox", "Notes", "two\nlines").await?;
    it.recorded_value("state", "notes", "two\nlines").await?;
    for (role, name, value, id, state) in [
        ("checkbox", "I agree", "true", "agree", "true"),
        ("radio", "Size M", "true", "size", "m"),
        ("combobox", "Colour", "Blue", "colour", "blue"),
        ("slider", "Volume", "7", "volume", "7"),
        ("date", "Day", "2026-12-24", "day", "2026-12-24"),
    ] {
        fill(it, role, name, value).await?;
        it.recorded_value("state", id, state).await?;
    }
    it.click("button", "Add to 0").await?;
    it.click("button", "Add to 1").await?;
    it.recorded_value("state", "count", "2").await
}

async fn react_select_is_searched_and_chosen_from(it: &mut Trial) -> Result<()> {
    open(it, "react").await?;
    choose(it, "City", "Dublin").await?;
    it.recorded_value("state", "city", "dublin").await?;
    let cities = it.reference("combobox", "Cities")?;
    let asked = json!({ "ref": cities, "text": "a", "then_role": "option", "then_name": "Amsterdam" });
    it.act("type", asked).await?;
    it.act("type", json!({ "ref": cities, "text": "ed", "submit": true })).await?;
    it.recorded_value("state", "cities", "amsterdam,edinburgh").await?;
    it.click("button", "Remove Amsterdam").await?;
    it.recorded_value("state", "cities", "edinburgh").await?;
    let tags = it.reference("combobox", "Tags")?;
    it.act("type", json!({ "ref": tags, "text": "brand new", "submit": true })).await?;
    it.recorded_value("state", "tags", "brand new").await
}

async fn material_lists_are_opened_and_chosen_from(it: &mut Trial) -> Result<()> {
    open(it, "mui").await?;
    // Its list opens as the button goes down, and what dims the page takes the click.
    it.click("combobox", "Age").await?;
    it.click("option", "Twenty").await?;
    it.recorded_value("state", "age", "20").await?;
    choose(it, "Age", "Thirty").await?;
    it.recorded_value("state", "age", "30").await?;
    let fruit = it.reference("combobox", "Fruit")?;
    let asked = json!({ "ref": fruit, "text": "che", "then_role": "option", "then_name": "Cherry" });
    it.act("type", asked).await?;
    it.recorded_value("state", "fruit", "Cherry").await?;
    choose(it, "Colours", "Green").await?;
    choose(it, "Colours", "Blue").await?;
    it.recorded_value("state", "colours", "Green,Blue").await
}

async fn material_dialogs_and_menus_come_and_go(it: &mut Trial) -> Result<()> {
    open(it, "mui").await?;
    let reply = it.click("button", "Delete…").await?;
    contains(&reply, &["dialog \"Really delete?\"", "button \"Keep\""])?;
    ensure!(!reply.text.contains("aria-hidden"), "what is behind the dialog counts as changed");
    // What was behind it is what it was, at once.
    let reply = it.click("button", "Keep").await?;
    contains(&reply, &["- e"])?;
    it.click("button", "Delete…").await?;
    it.click("button", "Delete").await?;
    it.recorded_value("state", "deleted", "yes").await?;
    it.click("button", "More").await?;
    it.click("menuitem", "Logout").await?;
    it.recorded_value("state", "menu", "Logout").await
}

async fn material_controls_are_set(it: &mut Trial) -> Result<()> {
    open(it, "mui").await?;
    for (role, name, value, id, state) in [
        ("textbox", "Name", "Ada", "name", "Ada"),
        ("slider", "Volume", "70", "volume", "70"),
        ("checkbox", "I agree", "true", "agree", "true"),
        ("switch", "Wi-Fi", "true", "wifi", "true"),
        ("radio", "4 Stars", "true", "stars", "4"),
    ] {
        fill(it, role, name, value).await?;
        it.recorded_value("state", id, state).await?;
    }
    Ok(())
}

async fn masks_are_filled(it: &mut Trial) -> Result<()> {
    open(it, "masks").await?;
    for (name, value, id, held) in [
        ("Phone", "5551234567", "phone", "15551234567"),
        ("Phone", "+1 (555) 765-4321", "phone", "15557654321"),
        ("Phone", "555", "phone", "1555"),
        ("Date", "24.12.2026", "date", "24.12.2026"),
        ("Price", "1234.5", "price", "1234.5"),
        ("Lazy phone", "5551234567", "lazy", "5551234567"),
        ("Card", "4242424242424242", "card", "4242424242424242"),
    ] {
        fill(it, "textbox", name, value).await?;
        it.recorded_value("state", id, held).await?;
    }
    let card = it.reference("textbox", "Card")?;
    it.act_refused("fill", json!({ "ref": card, "value": "42424242424242429" }), "not_taken").await?;
    fill(it, "textbox", "Lazy phone", "").await?;
    let lazy = it.reference("textbox", "Lazy phone")?;
    it.act("type", json!({ "ref": lazy, "text": "5559876543" })).await?;
    it.recorded_value("state", "lazy", "5559876543").await
}

async fn code_mirror_holds_the_lines_as_they_are(it: &mut Trial) -> Result<()> {
    open(it, "codemirror").await?;
    let code = it.reference("textbox", "Code")?;
    let mut text = "let b = 2;\nif (b) {\n  c();\n}".to_owned();
    fill(it, "textbox", "Code", &text).await?;
    it.recorded_value("state", "editor", &text).await?;
    it.act("type", json!({ "ref": code, "text": "\n// end" })).await?;
    text.push_str("\n// end");
    it.recorded_value("state", "editor", &text).await?;
    it.act("type", json!({ "ref": code, "text": "foo(\"x\")\n", "at": "start" })).await?;
    text.insert_str(0, "foo(\"x\")\n");
    it.recorded_value("state", "editor", &text).await?;
    it.act("type", json!({ "ref": code, "text": "d(1)", "replace": "c()" })).await?;
    it.recorded_value("state", "editor", &text.replace("c()", "d(1)")).await?;
    fill(it, "textbox", "Code", "").await?;
    it.recorded_value("state", "editor", "").await
}

async fn quill_is_written_in(it: &mut Trial) -> Result<()> {
    open(it, "quill").await?;
    let text = it.reference("textbox", "")?;
    fill(it, "textbox", "", "First\nSecond").await?;
    it.recorded_value("state", "editor", "First\nSecond\n").await?;
    it.act("type", json!({ "ref": text, "text": " one\nThird" })).await?;
    it.recorded_value("state", "editor", "First\nSecond one\nThird\n").await?;
    it.act("press", json!({ "ref": text, "key": "Control+A" })).await?;
    it.click("button", "bold").await?;
    let held = it.page_eval("libraries/quill.html", "quill.root.innerHTML").await?;
    ensure!(held.as_str().is_some_and(|held| held.contains("<strong>Third</strong>")), "it holds {held}");
    Ok(())
}

async fn dates_are_picked(it: &mut Trial) -> Result<()> {
    open(it, "pickers").await?;
    let arrival = it.reference("textbox", "Arrival")?;
    it.act_refused("fill", json!({ "ref": arrival, "value": "2026-11-20" }), "read_only").await?;
    it.click("textbox", "Arrival").await?;
    it.click("generic", "18").await?;
    it.recorded_value("state", "arrival", "2026-11-18").await?;
    let departure = it.reference("textbox", "Departure")?;
    fill(it, "textbox", "Departure", "2026-12-01").await?;
    // It takes the focus away as the key goes down.
    it.act("press", json!({ "ref": departure, "key": "Enter" })).await?;
    it.recorded_value("state", "departure", "2026-12-01").await?;
    it.click("textbox", "Meeting").await?;
    fill(it, "spinbutton", "Hour", "15").await?;
    fill(it, "spinbutton", "Minute", "30").await?;
    it.act("press", json!({ "key": "Enter" })).await?;
    it.recorded_value("state", "meeting", "2026-11-03 15:30").await
}

async fn select2_is_chosen_from(it: &mut Trial) -> Result<()> {
    open(it, "selects").await?;
    // Its options are chosen as the button comes up, and are gone before the click.
    it.click("combobox", "Alabama").await?;
    it.click("option", "Wyoming").await?;
    it.recorded_value("state", "state", "WY").await?;
    it.click("combobox", "Wyoming").await?;
    it.act("type", json!({ "text": "cal", "submit": true })).await?;
    it.recorded_value("state", "state", "CA").await
}

async fn choices_are_chosen_from(it: &mut Trial) -> Result<()> {
    open(it, "selects").await?;
    let fruits = it.reference("searchbox", "Fruits")?;
    it.act("click", json!({ "ref": fruits, "then_role": "option", "then_name": "Cherry" })).await?;
    it.recorded_value("state", "fruits", "c").await?;
    it.act("type", json!({ "ref": fruits, "text": "ban", "submit": true })).await?;
    it.recorded_value("state", "fruits", "c,b").await
}

/// Chooses by `select`, in one call, whatever the library does for it.
async fn select(it: &mut Trial, role: &str, name: &str, values: &[&str]) -> Result<()> {
    let list = it.reference(role, name)?;
    it.act("select", json!({ "ref": list, "values": values })).await?;
    Ok(())
}

async fn select_chooses_in_one_call(it: &mut Trial) -> Result<()> {
    open(it, "react").await?;
    select(it, "combobox", "City", &["Dublin"]).await?;
    it.recorded_value("state", "city", "dublin").await?;
    select(it, "combobox", "Cities", &["Berlin", "Edinburgh"]).await?;
    it.recorded_value("state", "cities", "berlin,edinburgh").await?;
    open(it, "mui").await?;
    select(it, "combobox", "Age", &["Twenty"]).await?;
    it.recorded_value("state", "age", "20").await?;
    select(it, "combobox", "Fruit", &["Cherry"]).await?;
    it.recorded_value("state", "fruit", "Cherry").await?;
    select(it, "combobox", "Colours", &["Green", "Blue"]).await?;
    it.recorded_value("state", "colours", "Green,Blue").await?;
    open(it, "selects").await?;
    select(it, "combobox", "Alabama", &["Wyoming"]).await?;
    it.recorded_value("state", "state", "WY").await?;
    select(it, "searchbox", "Fruits", &["Cherry", "Apple"]).await?;
    it.recorded_value("state", "fruits", "c,a").await?;
    let shown = it.done("snapshot", json!({ "tab": it.tab })).await?.text;
    let lists: Vec<_> = shown
        .lines()
        .filter_map(|line| line.trim_start().split_once(" combobox"))
        .map(|(list, _)| list)
        .collect();
    for (list, value, id, state) in [(1, "California", "states", "CA"), (2, "Cherry", "fruit", "c")] {
        it.act("select", json!({ "ref": lists[list], "values": [value] })).await?;
        it.recorded_value("state", id, state).await?;
    }
    Ok(())
}

async fn lists_are_sorted_by_dragging(it: &mut Trial) -> Result<()> {
    open(it, "sortable").await?;
    let grips: Vec<_> = it.outline.all("generic").into_iter().filter(|line| line.name == "⠿").collect();
    ensure!(grips.len() == 3, "there are {} grips", grips.len());
    let (from, to) = (grips[0].reference.clone(), grips[2].reference.clone());
    it.act("drag", json!({ "ref": from, "to_ref": to })).await?;
    it.recorded_value("state", "gripped", "Tue,Wed,Mon").await?;
    for (from, to, list, order) in [
        ("One", "Three", "plain", "Two,Three,One,Four"),
        ("Red", "Blue", "fallback", "Green,Blue,Red,White"),
        // In another list the library makes room before what is dropped on.
        ("Cook", "Sleep", "done", "Cook,Sleep"),
    ] {
        let (from, to) = (it.reference("item", from)?, it.reference("item", to)?);
        it.act("drag", json!({ "ref": from, "to_ref": to })).await?;
        it.recorded_value("state", list, order).await?;
    }
    Ok(())
}
