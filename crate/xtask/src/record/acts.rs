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

async fn then(it: &mut Scene) -> Result<()> {
    it.visit("dropdown.html").await?;
    let choice = json!({ "then_role": "option", "then_name": "Banana" });
    it.act_on("click", "combobox", "Fruit", choice).await?;
    Ok(())
}
