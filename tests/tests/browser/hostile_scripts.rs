//! Pages whose scripts are against us: they redefine everything that can be redefined, name their elements like what is
//! called, and watch for whoever reads them. They learn nothing and change nothing.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;

cases!(beside:
    a_page_that_throws_from_every_getter_is_read_and_worked,
    a_page_of_named_properties_is_read_and_worked,
    a_page_that_watches_notices_no_look,
);

async fn a_page_that_throws_from_every_getter_is_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = it.open("hostile/poisoned.html").await?;
    let armed = it.recorded("armed", "5").await.context("the page is not armed")?;
    ensure!(armed.value.parse::<u32>()? > 5_000, "only {} properties throw", armed.value);
    contains(
        &page,
        &[
            "Plain words",
            "textbox \"Field\"",
            "checkbox \"Box\"",
            "combobox \"Choice\"",
            "In a root",
            "In a frame",
        ],
    )?;
    it.done("snapshot", json!({ "mode": "verbose" })).await?;
    it.done("find", json!({ "text": "words" })).await?;
    it.done("locate", json!({ "css": "#press" })).await?;
    let read = it.done("read", json!({ "scope": "body" })).await?;
    contains(&read, &["Plain words"])?;
    it.done("screenshot", json!({})).await?;
    let (field, tick) = (it.reference("textbox", "Field")?, it.reference("checkbox", "Box")?);
    it.act("fill", json!({ "ref": field, "value": "in spite" })).await?;
    it.act("check", json!({ "ref": tick })).await?;
    let choice = it.reference("combobox", "Choice")?;
    it.act("select", json!({ "ref": choice, "values": ["Two"] })).await?;
    it.click("button", "In a root").await?;
    it.click("button", "In a frame").await?;
    it.click("button", "Press it").await?;
    it.recorded_value("changed", "field", "in spite").await?;
    let pressed = it.recorded("pressed", "press").await?;
    ensure!(pressed.value.trim() == "0", "the page's own properties were used: {}", pressed.value);
    Ok(())
}

async fn a_page_of_named_properties_is_read_and_worked(it: &mut Trial) -> Result<()> {
    let page = it.open("hostile/clobbered.html").await?;
    contains(&page, &["\"Clobbered\"", "In a named frame", "textbox \"Field childNodes\""])?;
    it.done("snapshot", json!({ "mode": "verbose", "max_tokens": 30_000 })).await?;
    for name in ["Press in full", "Press in each", "Press last"] {
        it.click("button", name).await?;
    }
    it.clicked(&["infull", "ineach", "last"]).await?;
    for name in ["In full", "Field attributes", "Field children", "Field shadowRoot", "Field id"] {
        let field = it.reference("textbox", name)?;
        it.act("fill", json!({ "ref": field, "value": format!("for {name}") })).await?;
    }
    // The document's and the form's own names lead elsewhere; the prototypes' do not.
    let held = "Array.from(Element.prototype.querySelectorAll.call(\
        Document.prototype.querySelector.call(document, '#each'), 'input'), (it) => it.value).join()";
    let held = it.page_eval("hostile/clobbered.html", held).await?;
    ensure!(
        held == "for Field attributes,,,for Field shadowRoot,,for Field id,for Field children",
        "the fields hold {held}"
    );
    // The forms themselves are worked, too.
    for name in ["Full form", "Second form"] {
        let form = it.reference("form", name)?;
        it.act("scroll", json!({ "ref": form, "to": "bottom" })).await?;
        it.act("hover", json!({ "ref": form })).await?;
    }
    let under = it.reference("button", "Under")?;
    it.act_refused("click", json!({ "ref": under, "timeout_ms": 1500 }), "covered").await?;
    let found = it.done("locate", json!({ "css": "#all", "tab": it.tab })).await?;
    contains(&found, &["form \"Full form\""])
}

async fn a_page_that_watches_notices_no_look(it: &mut Trial) -> Result<()> {
    let page = "hostile/watchful.html";
    it.open(page).await?;
    it.recorded("ready", "").await?;
    // What came with the opening is over: from here on, looking is all that happens.
    it.done("snapshot", json!({})).await?;
    it.page_eval(page, "void report()").await?;
    let before = it.page_eval(page, "report()").await?;
    it.done("snapshot", json!({ "mode": "verbose", "links": true })).await?;
    it.done("diff", json!({})).await?;
    it.done("find", json!({ "text": "words" })).await?;
    it.done("find", json!({ "role": "button" })).await?;
    it.done("locate", json!({ "css": "#tell" })).await?;
    it.done("locate", json!({ "point": "20,20" })).await?;
    it.done("read", json!({ "scope": "body" })).await?;
    it.done("read", json!({ "format": "links" })).await?;
    it.done("wait", json!({ "text": ["Plain words"] })).await?;
    it.done("screenshot", json!({})).await?;
    let noticed = it.page_eval(page, "report()").await?;
    ensure!(noticed == json!({}), "the page noticed {noticed} (before: {before})");
    it.click("button", "Tell").await?;
    it.recorded("click", "tell").await?;
    let noticed = it.page_eval(page, "report()").await?;
    let noticed = noticed.as_object().context("no report")?;
    // What a person's mouse would do, too.
    let human = |what: &str| ["event ", "window "].iter().any(|kind| what.starts_with(kind));
    ensure!(noticed.keys().any(|what| human(what)), "the page notices nothing at all: {noticed:?}");
    let odd: Vec<_> = noticed.keys().filter(|what| !human(what) && *what != "call stringify").collect();
    ensure!(odd.is_empty(), "the page noticed {odd:?}");
    Ok(())
}
