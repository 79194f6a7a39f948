//! What the demo's agent does: it orders three packets of Sencha for tomorrow at ten. It knows the words on the
//! page, as one who was told what to buy would; every ref comes from a reply.

use super::talk::Talk;
use anyhow::Result;
use serde_json::json;
use tests::shop::Order;

const SLOT: &str = "Tomorrow 10:00–12:00";

/// The order that the shop must have when the story is told.
pub fn wanted() -> Order {
    Order {
        product: "sencha".into(),
        quantity: 3,
        slot: SLOT.into(),
        token: String::new(),
        card: "4242".into(),
    }
}

/// Tells the story.
pub async fn order_some_tea(talk: &mut Talk, shop: &str) -> Result<()> {
    talk.call("tabs", json!({ "action": "open", "url": shop })).await?;

    // The search and filter form. The list has been re-sorting itself ever since the page was read.
    let kind = talk.reference("combobox", "Kind")?;
    talk.act("select", json!({ "ref": kind, "values": ["Tea"] })).await?;
    let in_stock = talk.reference("checkbox", "In stock only")?;
    talk.act("check", json!({ "ref": in_stock })).await?;
    let submit = talk.reference("button", "Show")?;
    talk.act("click", json!({ "ref": submit })).await?;

    // Sorting moves the rows: the button meant is the one in Sencha's, wherever that is now.
    let sort = talk.reference("combobox", "Sort by")?;
    talk.act("select", json!({ "ref": sort, "values": ["Price, highest first"] })).await?;
    let add = talk.outline.find_under("button", "Add", "Sencha")?.reference.clone();
    talk.act("click", json!({ "ref": add })).await?;

    // The stepper is a custom element with a shadow root; it appeared with the last act.
    let more = talk.reference("button", "One more")?;
    talk.act("click", json!({ "ref": more })).await?;
    talk.act("click", json!({ "ref": more })).await?;

    // The list of slots exists only once the box is pressed: two steps, one call.
    let slot = talk.reference("combobox", "Delivery slot")?;
    talk.act("click", json!({ "ref": slot, "then_role": "option", "then_name": SLOT })).await?;

    // The card form is a frame of another site.
    let fields = json!([
        { "ref": talk.reference("textbox", "Card number")?, "value": "4242424242424242" },
        { "ref": talk.reference("textbox", "Expiry")?, "value": "12/30" },
        { "ref": talk.reference("textbox", "CVC")?, "value": "123" },
    ]);
    talk.act("fill", json!({ "fields": fields })).await?;
    let use_card = talk.reference("button", "Use this card")?;
    talk.act("click", json!({ "ref": use_card })).await?;
    talk.call("wait", json!({ "text": ["ending in 4242"] })).await?;

    // The shop asks back with a dialog.
    let order = talk.reference("button", "Place order")?;
    talk.act("click", json!({ "ref": order })).await?;
    talk.call("dialog", json!({ "action": "accept" })).await?;
    talk.call("wait", json!({ "text": ["Thank you!"] })).await?;
    Ok(())
}
