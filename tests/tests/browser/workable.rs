//! What can be worked though its markup does not say so: it has a ref in a plain snapshot, and is pressed by it.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;

cases!(beside:
    what_a_person_would_press_has_a_ref_and_is_pressed,
    icons_are_named_by_their_title_or_told_by_what_they_are,
    controls_under_styled_labels_are_worked,
    file_fields_behind_styled_buttons_have_refs,
    areas_of_an_image_are_clicked,
    a_summary_unfolds,
    a_scroller_without_a_role_is_scrolled,
    namesakes_are_told_apart_by_what_they_stand_under,
    options_elsewhere_in_the_page_tell_which_is_chosen,
    options_without_a_role_are_chosen_from,
    a_toast_between_two_looks_is_told,
);

/// The ref that the last snapshot showed for the element of this id.
async fn shown(it: &mut Trial, id: &str) -> Result<String> {
    let known = it.outline.refs();
    let found = it.done("locate", json!({ "css": format!("#{id}"), "tab": it.tab })).await?;
    let mut words = found.text.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    let reference = words.find(|word| known.iter().any(|it| it == word));
    Ok(reference.with_context(|| format!("#{id} has no ref in the snapshot: {}", found.text))?.to_owned())
}

async fn open(it: &mut Trial) -> Result<()> {
    it.open("workable.html").await?;
    it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    Ok(())
}

async fn what_a_person_would_press_has_a_ref_and_is_pressed(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let ids =
        ["delegated", "word", "stop", "icon", "gear", "font", "cart", "titled", "drawn", "canvas", "dragged"];
    for id in ids {
        let reference = shown(it, id).await?;
        it.act("click", json!({ "ref": reference })).await?;
    }
    it.clicked(&ids).await?;
    it.recorded("acted", "delegated").await?;
    Ok(())
}

async fn icons_are_named_by_their_title_or_told_by_what_they_are(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let page = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    contains(&page, &["button \"Settings\"", "\"Zoom in\""])?;
    for (id, drawn) in [("gear", "icon-gear"), ("icon", "icon-trash"), ("font", "fa-heart"), ("cart", "cart")]
    {
        let reference = shown(it, id).await?;
        let line = page.text.lines().map(str::trim_start).find(|it| it.starts_with(&format!("{reference} ")));
        let line = line.with_context(|| format!("#{id} has no line of its own"))?;
        ensure!(line.contains("icon=") && line.contains(drawn), "what #{id} is drawn by is not told: {line}");
    }
    Ok(())
}

async fn controls_under_styled_labels_are_worked(it: &mut Trial) -> Result<()> {
    open(it).await?;
    for (id, name) in [("clipped", "Clipped box"), ("switch", "Night mode")] {
        let reference = shown(it, id).await?;
        ensure!(it.reference("checkbox", name)? == reference, "{name} is another");
        it.act("check", json!({ "ref": reference })).await?;
        it.recorded_value("change", id, "true").await?;
    }
    // The box itself is not drawn at all: its label is what is pressed.
    let label = shown(it, "gone-label").await?;
    it.act("click", json!({ "ref": label })).await?;
    it.recorded_value("change", "gone", "true").await
}

async fn file_fields_behind_styled_buttons_have_refs(it: &mut Trial) -> Result<()> {
    open(it).await?;
    for id in ["file", "file2"] {
        shown(it, id).await?;
    }
    Ok(())
}

async fn areas_of_an_image_are_clicked(it: &mut Trial) -> Result<()> {
    open(it).await?;
    for name in ["Hall", "Kitchen"] {
        it.click("link", name).await?;
    }
    it.clicked(&["hall", "kitchen"]).await
}

async fn a_summary_unfolds(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let summary = shown(it, "summary").await?;
    let unfolded = it.act("click", json!({ "ref": summary })).await?;
    contains(&unfolded, &["What was folded away"])?;
    it.clicked(&["summary"]).await
}

async fn a_scroller_without_a_role_is_scrolled(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let scroller = shown(it, "scroller").await?;
    it.act("scroll", json!({ "ref": scroller, "to": "bottom" })).await?;
    let top = it.page_eval("workable.html", "document.getElementById('scroller').scrollTop").await?;
    ensure!(top.as_f64().is_some_and(|top| top > 300.0), "it is scrolled to {top}");
    Ok(())
}

async fn namesakes_are_told_apart_by_what_they_stand_under(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let (alice, bob) = (shown(it, "edit-alice").await?, shown(it, "edit-bob").await?);
    ensure!(alice != bob, "two buttons have one ref");
    let page = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    let place = |part: &str| page.text.find(part).with_context(|| format!("no {part}"));
    let order =
        [place("\"Alice\"")?, place(&format!("{alice} "))?, place("\"Bob\"")?, place(&format!("{bob} "))?];
    ensure!(order.is_sorted(), "the buttons do not stand under their names: {order:?}");
    it.act("click", json!({ "ref": bob })).await?;
    it.clicked(&["edit-bob"]).await
}

async fn options_elsewhere_in_the_page_tell_which_is_chosen(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let opened = it.click("combobox", "Fruit").await?;
    contains(&opened, &["option \"Apple\"", "option \"Pear\" selected", "option \"Plum\""])?;
    let whole = it.done("snapshot", json!({ "max_tokens": 20_000 })).await?;
    let chosen = whole.text.lines().filter(|line| line.contains("option ") && line.contains(" selected"));
    ensure!(chosen.count() == 1, "not one option is chosen");
    let plum = it.reference("option", "Plum")?;
    let chose = it.act("click", json!({ "ref": plum })).await?;
    contains(&chose, &["Plum"])?;
    it.recorded_value("chose", "fruit", "Plum").await
}

async fn options_without_a_role_are_chosen_from(it: &mut Trial) -> Result<()> {
    open(it).await?;
    let select = shown(it, "plain-select").await?;
    it.act("click", json!({ "ref": select, "then_name": "Green" })).await?;
    it.recorded_value("chose", "colour", "Green").await
}

async fn a_toast_between_two_looks_is_told(it: &mut Trial) -> Result<()> {
    open(it).await?;
    it.click("button", "Toast").await?;
    let came = it.done("wait", json!({ "text": ["Kept for you"] })).await?;
    contains(&came, &["+ ", "Kept for you"])?;
    it.page_eval("workable.html", "document.getElementById('portal').replaceChildren()").await?;
    let went = it.done("diff", json!({})).await?;
    contains(&went, &["- ", "Kept for you"])
}
