//! Recorded runs, replayed natively without a browser: a case for each transcript and check. New transcripts are
//! found by themselves; `cargo xtask record` writes them.

mod chaos;
mod killed;
mod once;
mod reins;
mod stopped;

use anyhow::{Context as _, Result, bail, ensure};
use chaos::Fault;
use clap::ValueEnum as _;
use engine::{Input, Output, Started};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{collections::BTreeSet, process::ExitCode};
use tests::transcript::{self, Entry, Line, Transcript, port::replied};
use tools::ActKind;
use wire::{FromWorker, ToWorker};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let transcripts = match transcript::all() {
        Ok(transcripts) => transcripts,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials = Vec::new();
    let covered = transcripts.iter().flat_map(kinds_done).collect::<BTreeSet<_>>();
    trials.push(trial("every_kind_of_act_has_a_transcript".into(), move || every_kind(&covered)));
    let ahead = transcripts.iter().find(|transcript| transcript.name == "ahead").cloned();
    trials.push(trial("what_was_read_ahead_is_not_read_again".into(), move || read_ahead(ahead.as_ref())));
    for fault in [Fault::Detached, Fault::Swapped] {
        let all = transcripts.clone();
        let name = format!("an_act_is_begun_again_before_anything_is_done_only::{fault:?}");
        trials.push(trial(name, move || begun_again(&all, fault)));
    }
    for transcript in transcripts {
        let (name, again) = (transcript.name.clone(), transcript.clone());
        if lives(&transcript).count() > 1 {
            let kept = transcript.clone();
            trials.push(trial(format!("kept::{name}"), move || kept_comes_back(&kept)));
        }
        trials.push(trial(format!("killed::{name}"), move || killed::anywhere(&again)));
        for act in chaos::acts(&transcript) {
            let again = transcript.clone();
            let name = format!("chaos::{name}::{}", act.request);
            let (taken, under) = (transcript.clone(), act.clone());
            let reins = format!("reins::{}::{}", transcript.name, act.request);
            trials.push(trial(reins, move || reins::everywhere(&taken, &under)));
            trials.push(trial(name, move || chaos::everywhere(&again, &act)));
        }
        let again = transcript.clone();
        trials.push(trial(format!("once::{name}"), move || once::everywhere(&again)));
        let again = transcript.clone();
        trials.push(trial(format!("stopped::{name}"), move || stopped::anywhere(&again)));
        trials.push(trial(format!("replay::{name}"), move || transcript::strictly(&transcript)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(name: String, run: impl FnOnce() -> Result<()> + Send + 'static) -> Trial {
    Trial::test(name, move || run().map_err(|error| Failed::from(format!("{error:#}"))))
}

/// A kind that is added needs a transcript.
fn every_kind(covered: &BTreeSet<ActKind>) -> Result<()> {
    let missing: Vec<_> = ActKind::value_variants().iter().filter(|kind| !covered.contains(kind)).collect();
    ensure!(missing.is_empty(), "no transcript shows {missing:?}; add a scene to `cargo xtask record`");
    Ok(())
}

/// The last call of the transcript finds the page read: it asks only whether anything changed since.
fn read_ahead(transcript: Option<&Transcript>) -> Result<()> {
    let transcript = transcript.context("there is no transcript of reading ahead")?;
    let is_request =
        |line: &Line| matches!(&line.entry, Entry::In(_, input) if killed::request(input).is_some());
    let asked = transcript.lines.iter().rposition(is_request).context("nothing was asked")?;
    let (before, after) = transcript.lines.split_at(asked);
    let has = |lines: &[Line], words: &str| {
        lines.iter().any(|line| matches!(&line.entry, Entry::Out(text) if text.contains(words)))
    };
    ensure!(has(before, "c.facts("), "the page was not read before the call");
    ensure!(has(after, "counts()"), "the call did not ask whether anything changed");
    ensure!(!has(after, "c.facts("), "the call read the page again");
    let told = transcript.told().last();
    let Some(FromWorker::Reply { reply, .. }) = told else { bail!("the last word is no reply: {told:?}") };
    ensure!(reply.joined_text().contains('>'), "the diff does not tell what moved: {}", reply.joined_text());
    Ok(())
}

/// A session that was lost costs no act that had done nothing yet, and none that had is done again.
fn begun_again(transcripts: &[Transcript], fault: Fault) -> Result<()> {
    let clicks = transcripts.iter().filter(|it| ["act-click", "frames"].contains(&it.name.as_str()));
    let mut through = [0, 0];
    for transcript in clicks {
        for act in chaos::acts(transcript) {
            let [fresh, begun] = chaos::begun_again(transcript, &act, fault)?;
            through = [through[0] + fresh, through[1] + begun];
        }
    }
    ensure!(through[0] > 0, "none was begun again");
    ensure!(through[1] == 0, "{} were done again", through[1]);
    Ok(())
}

/// What the worker was given at each of its starts.
fn lives(transcript: &Transcript) -> impl Iterator<Item = &Started> {
    transcript.inputs().filter_map(|input| if let Input::Started(it) = input { Some(it) } else { None })
}

/// A worker that starts again is given what the one before it kept last.
fn kept_comes_back(transcript: &Transcript) -> Result<()> {
    let kept: BTreeSet<String> = transcript
        .outputs()
        .filter_map(|output| if let Output::KeepSession { text } = output { Some(text) } else { None })
        .collect();
    for started in lives(transcript).skip(1) {
        let given = started.session.as_ref().context("a later worker was given nothing")?;
        ensure!(kept.contains(given), "a later worker was given what none before it kept: {given}");
    }
    Ok(())
}

/// The kinds of act that were asked for in a transcript and done.
fn kinds_done(transcript: &Transcript) -> BTreeSet<ActKind> {
    let replies = transcript.outputs().filter_map(|output| replied(&output));
    let done: BTreeSet<_> = replies.filter(|(_, reply)| !reply.is_error).map(|(of, _)| of).collect();
    let asked = transcript.heard().filter_map(|message| {
        let ToWorker::Request { connection, id, tool, mut arguments } = message else { return None };
        let counts = tool == "act" && done.contains(&(connection, id));
        if counts { serde_json::from_value(arguments["kind"].take()).ok() } else { None }
    });
    asked.collect()
}
