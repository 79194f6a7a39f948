//! What the person sets in the options page: folders that files may be given from. And what is asked each time although
//! they did: whether these files go to this page.

use crate::{
    cases, popup,
    trial::{Trial, contains, on_stage},
    world::Stage,
};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tests::client::Reply;

cases!(beside: files_go_to_pages_from_the_folders_that_the_person_set_and_by_their_word);

/// The page.
const OPTIONS: &str = "/options/options.html";

/// How long it may take to draw what it was told.
const SOON: Duration = Duration::from_secs(10);

async fn files_go_to_pages_from_the_folders_that_the_person_set_and_by_their_word(
    _: &mut Trial,
) -> Result<()> {
    on_stage(Stage::attended().await?, "giver", async |it| {
        popup::open(it).await?;
        let open = json!({ "action": "open", "url": it.visit.page("upload.html") });
        let (reply, ()) =
            tokio::try_join!(it.agent().call("tabs", open), popup::choose(it, "[aria-label='Allow giver']"))?;
        it.outline.read(&reply.text);
        reply.text.split(' ').next().unwrap_or_default().clone_into(&mut it.tab);
        let (folder, file) = files(it)?;
        let photo = it.reference("file", "Photo")?;
        let give = |file: &Path| json!({ "kind": "upload", "ref": photo, "files": [file] });
        // By default there is no folder.
        it.refused("act", give(&file), "upload_denied").await?;
        the_person_sets_a_folder(it, &folder).await?;

        let outside = folder.with_file_name("outside.txt");
        for (path, code) in [
            (outside.clone(), "bad_file"),
            (folder.join("link.txt"), "bad_file"),
            (folder.join(".hidden/key.txt"), "bad_file"),
            (folder.clone(), "bad_file"),
        ] {
            it.refused("act", give(&path), code).await?;
        }
        let reply = asked(it, &give(&file), "refuse", async |_| Ok(())).await?;
        contains(&reply, &["error refused_by_person:", "Nothing done"])?;
        // Something else lies there by the time of the answer.
        let reply = asked(it, &give(&file), "once", async |_| {
            std::fs::remove_file(&file)?;
            Ok(link(&outside, &file)?)
        })
        .await?;
        contains(&reply, &["error bad_file:"])?;
        ensure!(it.visit.record().is_empty(), "something was given: {:?}", it.visit.record());

        std::fs::remove_file(&file)?;
        std::fs::write(&file, "content")?;
        let reply = asked(it, &give(&file), "once", async |it| {
            popup::shows(it, "It gives files of yours to the site.").await?;
            popup::shows(it, &file.display().to_string()).await
        })
        .await?;
        contains(&reply, &["ok upload", "=\"given.txt\""])?;
        it.recorded_value("file", "photo", "given.txt:content").await?;
        // It was for once.
        let reply = asked(it, &give(&file), "refuse", async |_| Ok(())).await?;
        contains(&reply, &["error refused_by_person:"])?;
        let journal = it.shell(&["journal", "--last", "1000"]).await?;
        for line in ["the person: give files from /", "\"giver\" act upload", "confirmed by the person"] {
            ensure!(journal.contains(line), "the journal does not say {line:?}:\n{journal}");
        }
        Ok(())
    })
    .await
}

/// A folder with a file in it, and beside them what must not be reached through it.
fn files(it: &Trial) -> Result<(PathBuf, PathBuf)> {
    let folder = it.browser().files().join("given");
    std::fs::create_dir_all(folder.join(".hidden"))?;
    std::fs::write(folder.join(".hidden/key.txt"), "private")?;
    std::fs::write(folder.with_file_name("outside.txt"), "private")?;
    link(&folder.with_file_name("outside.txt"), &folder.join("link.txt"))?;
    let file = folder.join("given.txt");
    std::fs::write(&file, "content")?;
    Ok((folder, file))
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_file(to, at)
}

async fn the_person_sets_a_folder(it: &Trial, folder: &Path) -> Result<()> {
    let address = format!("chrome-extension://{}{OPTIONS}", it.browser().extension());
    let target = it.browser().open_in_front(&address).await?;
    shows(it, "none yet").await?;
    write(it, "Documents").await?;
    // A click of a script is nobody's.
    it.browser().page_eval(OPTIONS, "document.getElementById('add').click()").await?;
    press(it, "add").await?;
    shows(it, "Write the whole path of a folder").await?;
    write(it, &folder.display().to_string()).await?;
    press(it, "add").await?;
    shows(it, &format!("{} Remove", folder.display())).await?;
    let refused = it.browser().page_eval(OPTIONS, "document.getElementById('refused').textContent").await?;
    ensure!(refused == "", "it says {refused}");
    // What goes to no agent is not told to anybody without its page: another one may only ask for the same view.
    ensure!(text(it).await?.contains("secret"), "secrets are not spoken of");
    it.browser().close_target(&target).await
}

async fn write(it: &Trial, text: &str) -> Result<()> {
    let empty = "(() => { const it = document.getElementById('folder'); it.focus(); it.select(); })()";
    it.browser().page_eval(OPTIONS, empty).await?;
    it.browser().page_call(OPTIONS, "Input.insertText", json!({ "text": text })).await.map(drop)
}

async fn press(it: &Trial, id: &str) -> Result<()> {
    let middle = format!(
        "(() => {{ const box = document.getElementById({}).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
        json!(id)
    );
    let (x, y): (f64, f64) = serde_json::from_value(it.browser().page_eval(OPTIONS, &middle).await?)?;
    it.browser().press(OPTIONS, x, y).await
}

async fn text(it: &Trial) -> Result<String> {
    let text =
        it.browser().page_eval(OPTIONS, "document.body?.innerText.replace(/\\s+/g, ' ') ?? ''").await?;
    Ok(text.as_str().context("no text")?.to_owned())
}

async fn shows(it: &Trial, wanted: &str) -> Result<()> {
    let start = Instant::now();
    loop {
        let shown = text(it).await;
        if shown.as_ref().is_ok_and(|shown| shown.contains(wanted)) {
            return Ok(());
        }
        ensure!(start.elapsed() < SOON, "the options do not show {wanted:?}, but {shown:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Has the agent do what the person is asked about; something else happens before they answer.
async fn asked(
    it: &Trial,
    act: &Value,
    answer: &str,
    meanwhile: impl AsyncFnOnce(&Trial) -> Result<()>,
) -> Result<Reply> {
    let button = format!("#questions [aria-label*='giver'][data-answer={answer}]");
    let (reply, ()) = tokio::try_join!(it.agent().call("act", act.clone()), async {
        popup::has(it, &button).await?;
        meanwhile(it).await?;
        popup::choose(it, &button).await
    })?;
    Ok(reply)
}
