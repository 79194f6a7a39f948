//! Transcripts of real runs: what went into the engine, with its time, and what came out of it, line by line. They
//! are recorded by `cargo xtask record` and replayed without a browser. Knows the form and the replay; plays nothing.
//!
//! `# about` lines come first, `# browser: ` and its version before all others; then `< time {Input}` and `> {Output}` in the order in which they happened.

pub mod port;
mod redact;
mod replay;

pub use redact::{PLACEHOLDER, redact};
pub use replay::{Point, before_answer, strictly, until};

use anyhow::{Context as _, Result, bail};
use engine::{Input, Instant, Output};
use std::{
    fs,
    path::{Path, PathBuf},
};
use wire::{FromWorker, ToWorker};

/// One line.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What it says.
    pub entry: Entry,
}

/// What a line says.
#[derive(Debug, Clone)]
pub enum Entry {
    /// The engine was given this at this time.
    In(Instant, Box<Input>),
    /// The engine asked for this: its JSON text.
    Out(String),
}

/// One transcript.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// The name of its file, without the ending.
    pub name: String,
    /// The browser it was recorded in, as in `Chrome/156.0.0.0`.
    pub browser: String,
    /// All but its head.
    pub lines: Vec<Line>,
}

/// The folder of the transcripts.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts")
}

/// All transcripts of the folder, by name.
pub fn all() -> Result<Vec<Transcript>> {
    let folder = folder();
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    paths.sort();
    paths.iter().map(|path| Transcript::open(path)).collect()
}

impl Transcript {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        Self::read(name, &fs::read_to_string(path)?).with_context(|| path.display().to_string())
    }

    /// Reads text.
    pub fn read(name: &str, text: &str) -> Result<Self> {
        let browser = text.strip_prefix("# browser: ").and_then(|rest| rest.lines().next());
        let browser = browser.filter(|browser| browser.contains('/')).context("line 1 names no browser")?;
        let mut lines = Vec::new();
        for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
            let number = index + 1;
            let entry = entry(text).with_context(|| format!("line {number} does not read"))?;
            lines.push(Line { number, entry });
        }
        Ok(Self { name: name.to_owned(), browser: browser.to_owned(), lines })
    }

    /// The inputs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.lines.iter().filter_map(|line| match &line.entry {
            Entry::In(_, input) => Some(&**input),
            Entry::Out(_) => None,
        })
    }

    /// The outputs, in order; none for a line that no longer reads as one.
    pub fn outputs(&self) -> impl Iterator<Item = Output> {
        self.lines.iter().filter_map(|line| match &line.entry {
            Entry::Out(text) => serde_json::from_str(text).ok(),
            Entry::In(..) => None,
        })
    }

    /// What agents and the host said, in order.
    pub fn heard(&self) -> impl Iterator<Item = ToWorker> {
        self.inputs().filter_map(port::heard)
    }

    /// What they were told, in order.
    pub fn told(&self) -> impl Iterator<Item = FromWorker> {
        self.outputs().filter_map(|output| port::told(&output))
    }
}

fn entry(line: &str) -> Result<Entry> {
    if let Some(output) = line.strip_prefix("> ") {
        return Ok(Entry::Out(output.to_owned()));
    }
    let Some((time, input)) = line.strip_prefix("< ").and_then(|rest| rest.split_once(' ')) else {
        bail!("neither `< time input` nor `> output`")
    };
    Ok(Entry::In(Instant(time.parse()?), serde_json::from_str(input)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_reads_line_by_line() {
        let head = "# browser: Chrome/156.0.0.0\n# about\n";
        let text = format!("{head}< 7 {{\"input\":\"woke\"}}\n> {{\"output\":\"alarm\",\"every\":1}}\n");
        let read = Transcript::read("x", &text).unwrap();
        assert_eq!(read.browser, "Chrome/156.0.0.0");
        assert_eq!(read.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [3, 4]);
        let error = Transcript::read("x", &format!("{head}! what\n")).unwrap_err();
        assert!(error.to_string().contains("line 3"), "{error}");
    }

    #[test]
    fn a_transcript_names_its_browser() {
        for head in ["", "# about\n", "# browser: \n", "# about\n# browser: Chrome/156.0.0.0\n"] {
            assert!(
                Transcript::read("x", &format!("{head}< 7 {{\"input\":\"woke\"}}\n")).is_err(),
                "{head:?}"
            );
        }
    }
}
