//! What is worked is marked where the person sees it, and no press is later for it: up to the press all is as in a tab
//! that nobody sees; the mark is asked for after that.

use anyhow::{Context as _, Result, ensure};
use engine::{ChromeCall, ChromeTab, Engine, Input, Output, io::WindowId};
use tests::transcript::{Transcript, port::heard};
use wire::ToWorker;

/// The click of the transcript, in a tab that is in front and in one that is not.
pub fn no_later(transcript: Option<&Transcript>) -> Result<()> {
    let transcript = transcript.context("there is no transcript of a click")?;
    let (unseen, after) = until_pressed(transcript, false)?;
    ensure!(!after.contains("spot("), "a mark in a tab that nobody sees: {after}");
    let (seen, after) = until_pressed(transcript, true)?;
    ensure!(seen == unseen, "up to the press it goes otherwise where it is seen");
    ensure!(after.contains("spot("), "no mark with the press: {after}");
    Ok(())
}

/// What the engine put out up to its first press, and what it put out after that at the same moment.
fn until_pressed(transcript: &Transcript, in_front: bool) -> Result<(String, String)> {
    let mut engine = Engine::default();
    let mut all = String::new();
    let mut tab = None;
    for (now, input) in transcript.timed() {
        let acts = matches!(heard(input), Some(ToWorker::Request { tool, .. }) if tool == "act");
        if let Some(tab) = tab.filter(|_| acts && in_front) {
            engine.handle(now, Input::TabActivated { tab, window: WindowId(1) });
            ensure!(engine.poll().is_none(), "being looked at does something by itself");
        }
        engine.handle(now, input.clone());
        let mut pressed = None;
        while let Some(output) = engine.poll() {
            all.push_str(&serde_json::to_string(&output)?);
            all.push('\n');
            if let Output::Call { call: ChromeCall::Send { tab: of, params, .. }, .. } = &output {
                tab = Some(ChromeTab(of.0));
                if params.contains("mouseReleased") {
                    pressed = Some(all.len());
                }
            }
        }
        if let Some(at) = pressed {
            let after = all.split_off(at);
            return Ok((all, after));
        }
    }
    anyhow::bail!("nothing was pressed")
}
