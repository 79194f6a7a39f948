//! A scene for every kind of act, and for the act with a second step.

use super::{scene::Scene, takes};
use anyhow::Result;
use serde_json::json;

takes! {
    "act-click": "clicks: one of a row's button, one with keys held" by click,
    "act-fill": "a field filled, then several at once" by fill,
    "act-type": "text typed behind and over what is there" by type_text,
    "act-press": "a chord and a key" by press,
    "act-select": "an option chosen by its label, several in a list" by select,
    "act-check": "a box checked" by check,
    "act-uncheck": "a box checked and unchecked again" by uncheck,
    "act-hover": "a menu that is there while the mouse is over it" by hover,
    "act-focus": "a field focused" by focus,
    "act-scroll": "the page scrolled by an amount, to its end, and to an element" by scroll,
    "act-drag": "a thing dragged onto another" by drag,
    "not-dropped": "a thing dragged to where nothing takes it" by not_dropped,
    "act-upload": "files given to a field, through a chooser and to a drop zone; one that may not be given" by upload,
    "act-click-at": "clicks at points of canvases, one of them in a frame of another site" by click_at,
    "act-type-at": "text typed at a point, keys to a canvas" by type_at,
    "act-hover-at": "the mouse brought to a point" by hover_at,
    "act-drag-at": "a line drawn on a canvas" by drag_at,
    "act-then": "a dropdown opened and chosen from in one call" by then,
}

async fn click(it: &mut Scene) -> Result<()> {
    it.visit("rows.html").await?;
    let bobs = it.reference_under("button", "Delete", "Bob")?;
    it.done("act", json!({ "kind": "click", "ref": bobs })).await?;
    it.act_on("click", "button", "Drop Bob", json!({ "modifiers": ["Shift"] })).await?;
    Ok(())
}

async fn fill(it: &mut Scene) -> Result<()> {
    it.visit("form.html").await?;
    it.act_on("fill", "textbox", "Name", json!({ "value": "Ada", "diff": "summary" })).await?;
    let fields = json!([
        { "ref": it.reference("textbox", "E-mail")?, "value": "ada@example.org" },
        { "ref": it.reference("spinbutton", "Amount")?, "value": "12.5" },
        { "ref": it.reference("combobox", "Country")?, "value": "Peru" },
        { "ref": it.reference("checkbox", "Newsletter")?, "value": "true" },
    ]);
    it.done("act", json!({ "kind": "fill", "fields": fields })).await?;
    Ok(())
}

async fn type_text(it: &mut Scene) -> Result<()> {
    it.visit("editable.html").await?;
    it.act_on("type", "textbox", "Line", json!({ "text": " four" })).await?;
    it.act_on("type", "textbox", "Line", json!({ "text": "2", "replace": "two" })).await?;
    Ok(())
}

async fn press(it: &mut Scene) -> Result<()> {
    it.visit("editable.html").await?;
    it.act_on("press", "textbox", "Line", json!({ "key": "Control+A" })).await?;
    it.done("act", json!({ "kind": "press", "key": "Delete" })).await?;
    Ok(())
}

async fn select(it: &mut Scene) -> Result<()> {
    it.visit("selects.html").await?;
    it.act_on("select", "combobox", "Town", json!({ "values": ["Bergen"] })).await?;
    it.act_on("select", "listbox", "Toppings", json!({ "values": ["Cheese", "Olives"] })).await?;
    Ok(())
}

async fn check(it: &mut Scene) -> Result<()> {
    it.visit("covered.html").await?;
    it.act_on("check", "checkbox", "Styled box", json!({})).await?;
    Ok(())
}

async fn uncheck(it: &mut Scene) -> Result<()> {
    it.visit("covered.html").await?;
    it.act_on("check", "checkbox", "Styled box", json!({})).await?;
    it.act_on("uncheck", "checkbox", "Styled box", json!({})).await?;
    Ok(())
}

async fn hover(it: &mut Scene) -> Result<()> {
    it.visit("hover.html").await?;
    it.act_on("hover", "button", "Products", json!({})).await?;
    it.act_on("click", "link", "Coffee", json!({})).await?;
    Ok(())
}

async fn focus(it: &mut Scene) -> Result<()> {
    it.visit("editable.html").await?;
    it.act_on("focus", "textbox", "Line", json!({})).await?;
    Ok(())
}

async fn scroll(it: &mut Scene) -> Result<()> {
    it.visit("covered.html").await?;
    it.done("act", json!({ "kind": "scroll", "amount": 300 })).await?;
    it.done("act", json!({ "kind": "scroll", "to": "bottom" })).await?;
    it.act_on("scroll", "button", "Hide", json!({})).await?;
    Ok(())
}

async fn drag(it: &mut Scene) -> Result<()> {
    it.visit("drag.html").await?;
    let done = it.reference("group", "Done")?;
    it.act_on("drag", "button", "Alpha", json!({ "to_ref": done })).await?;
    Ok(())
}

async fn not_dropped(it: &mut Scene) -> Result<()> {
    it.visit("drag.html").await?;
    let (alpha, closed) = (it.reference("button", "Alpha")?, it.reference("group", "Closed")?);
    it.refused("act", json!({ "kind": "drag", "ref": alpha, "to_ref": closed }), "not_dropped").await?;
    Ok(())
}

async fn upload(it: &mut Scene) -> Result<()> {
    let file = it.browser().files().join("paper.txt");
    std::fs::write(&file, "paper")?;
    it.visit("upload.html").await?;
    it.act_on("upload", "file", "Photo", json!({ "files": [file] })).await?;
    it.act_on("upload", "button", "Choose a file", json!({ "files": [file] })).await?;
    it.act_on("upload", "group", "Drop here", json!({ "files": [file] })).await?;
    let photo = it.reference("file", "Photo")?;
    it.refused("act", json!({ "kind": "upload", "ref": photo, "files": ["/etc/passwd"] }), "bad_file")
        .await?;
    Ok(())
}

async fn click_at(it: &mut Scene) -> Result<()> {
    it.visit("canvas.html").await?;
    it.done("act", json!({ "kind": "click_at", "x": 120, "y": 90, "modifiers": ["Shift"] })).await?;
    it.done("act", json!({ "kind": "click_at", "x": 458, "y": 88 })).await?;
    Ok(())
}

async fn type_at(it: &mut Scene) -> Result<()> {
    it.visit("canvas.html").await?;
    it.done("act", json!({ "kind": "type_at", "x": 150, "y": 310, "text": "cd" })).await?;
    it.done("act", json!({ "kind": "type_at", "x": 120, "y": 90, "text": "Hi" })).await?;
    Ok(())
}

async fn hover_at(it: &mut Scene) -> Result<()> {
    it.visit("canvas.html").await?;
    it.done("act", json!({ "kind": "hover_at", "x": 50, "y": 70 })).await?;
    Ok(())
}

async fn drag_at(it: &mut Scene) -> Result<()> {
    it.visit("canvas.html").await?;
    it.done("act", json!({ "kind": "drag_at", "x": 40, "y": 60, "to_x": 240, "to_y": 160 })).await?;
    Ok(())
}

async fn then(it: &mut Scene) -> Result<()> {
    it.visit("dropdown.html").await?;
    let choice = json!({ "then_role": "option", "then_name": "Banana" });
    it.act_on("click", "combobox", "Fruit", choice).await?;
    Ok(())
}
