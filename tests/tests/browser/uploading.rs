//! Files given to pages: to fields, through choosers, to drop zones; and what is refused.

use crate::cases;
use crate::trial::{Trial, contains};
use anyhow::{Result, ensure};
use serde_json::json;
use std::path::PathBuf;

cases!(beside:
    a_file_field_is_given_a_file,
    several_files_go_where_several_are_taken,
    a_button_that_opens_a_chooser_is_answered,
    a_drop_zone_takes_files,
    what_takes_no_files_is_a_failure,
    files_outside_of_the_folders_are_refused,
);

/// A file of this test that may be given.
fn file(it: &Trial, name: &str) -> Result<PathBuf> {
    let folder = it.browser().files().join(it.visit.name());
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    std::fs::write(&path, format!("content of {name}"))?;
    Ok(path)
}

async fn a_file_field_is_given_a_file(it: &mut Trial) -> Result<()> {
    it.open("upload.html").await?;
    let path = file(it, "a b.txt")?;
    let photo = it.reference("file", "Photo")?;
    let reply = it.act("upload", json!({ "ref": photo, "files": path })).await?;
    contains(&reply, &["ok upload", "=\"a b.txt\""])?;
    let given = it.recorded("file", "photo").await?;
    ensure!(given.value == "a b.txt:content of a b.txt" && given.trusted, "given was {given:?}");
    // One that the page hides behind a button of its own.
    let hidden = it.reference("file", "")?;
    it.act("upload", json!({ "ref": hidden, "files": [path] })).await?;
    it.recorded_value("file", "hidden", "a b.txt:content of a b.txt").await
}

async fn several_files_go_where_several_are_taken(it: &mut Trial) -> Result<()> {
    it.open("upload.html").await?;
    let files = [file(it, "one.txt")?, file(it, "two.txt")?];
    let (photo, papers) = (it.reference("file", "Photo")?, it.reference("file", "Papers")?);
    it.act_refused("upload", json!({ "ref": photo, "files": files }), "bad_value").await?;
    ensure!(it.visit.record().is_empty(), "something was given");
    // The page empties the field as soon as it has them.
    it.act("upload", json!({ "ref": papers, "files": files })).await?;
    it.recorded_value("file", "papers", "one.txt:content of one.txt").await?;
    it.recorded_value("file", "papers", "two.txt:content of two.txt").await
}

async fn a_button_that_opens_a_chooser_is_answered(it: &mut Trial) -> Result<()> {
    it.open("upload.html").await?;
    let path = file(it, "chosen.txt")?;
    for (name, id) in [("Choose a file", "hidden"), ("Make a chooser", "made")] {
        let button = it.reference("button", name)?;
        let reply = it.act("upload", json!({ "ref": button, "files": [path] })).await?;
        contains(&reply, &["by the chooser"])?;
        it.recorded_value("file", id, "chosen.txt:content of chosen.txt").await?;
    }
    Ok(())
}

async fn a_drop_zone_takes_files(it: &mut Trial) -> Result<()> {
    it.open("upload.html").await?;
    let path = file(it, "dropped.txt")?;
    let zone = it.reference("group", "Drop here")?;
    it.act("upload", json!({ "ref": zone, "files": [path] })).await?;
    let given = it.recorded("file", "zone").await?;
    ensure!(given.value == "dropped.txt:content of dropped.txt" && given.trusted, "given was {given:?}");
    Ok(())
}

async fn what_takes_no_files_is_a_failure(it: &mut Trial) -> Result<()> {
    it.open("upload.html").await?;
    let path = file(it, "x.txt")?;
    let (off, folder) = (it.reference("file", "Off")?, it.reference("file", "Folder")?);
    it.act_refused("upload", json!({ "ref": off, "files": [path], "timeout_ms": 1500 }), "disabled").await?;
    it.act_refused("upload", json!({ "ref": folder, "files": [path] }), "wrong_kind").await?;
    let nothing = it.reference("button", "Nothing")?;
    it.act_refused("upload", json!({ "ref": nothing, "files": [path] }), "no_chooser").await?;
    // Choosers are no longer taken over: the button works as for a person.
    it.click("button", "Nothing").await?;
    it.clicked(&["nothing", "nothing"]).await
}

async fn files_outside_of_the_folders_are_refused(it: &mut Trial) -> Result<()> {
    it.open("upload.html").await?;
    let photo = it.reference("file", "Photo")?;
    let path = file(it, "inside.txt")?;
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    let hidden = folder.join(".secret");
    std::fs::write(&hidden, "x")?;
    let mut bad = vec![hidden, folder.join("nowhere.txt"), folder.clone(), PathBuf::from("/etc/passwd")];
    #[cfg(unix)]
    {
        let link = folder.join("link.txt");
        std::os::unix::fs::symlink("/etc/passwd", &link)?;
        bad.push(link);
    }
    for path in bad {
        it.act_refused("upload", json!({ "ref": photo, "files": [path] }), "bad_file").await?;
    }
    // All or none.
    it.act_refused("upload", json!({ "ref": photo, "files": [path, "/etc/passwd"] }), "bad_file").await?;
    ensure!(it.visit.record().is_empty(), "something was given");
    Ok(())
}
