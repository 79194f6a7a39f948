//! The journal: what agents did and what their person decided, one JSON object a line. Only ever added to, in a folder
//! of this user's alone; a full file steps back and the oldest goes. Several hosts write to one, in turns.

use crate::{folder, home::Home, trouble::Trouble};
use serde::{Deserialize, Serialize};
use std::{
    env, fmt,
    fs::{self, File, OpenOptions},
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
};
use wire::journal::{By, Entry, Right};

/// A file that is larger steps back.
const FULL: u64 = 4 << 20;

/// How many files there are at most, the one that is written included.
const FILES: usize = 5;

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When it was written: RFC 3339, UTC.
    pub time: jiff::Timestamp,
    /// In which browser, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<String>,
    /// What.
    #[serde(flatten)]
    pub entry: Entry,
}

/// The journal of this user.
#[derive(Debug, Default)]
pub struct Journal {
    /// Another folder than the usual one.
    folder: Option<PathBuf>,
    full: Option<u64>,
}

impl Journal {
    /// Where it is. Beside the sockets where those are elsewhere than usual: a trial keeps a journal of its own.
    fn place(&self) -> Result<PathBuf, Trouble> {
        match (&self.folder, env::var_os(folder::OVERRIDE).filter(|folder| !folder.is_empty())) {
            (Some(folder), _) => Ok(folder.clone()),
            (None, Some(_)) => Ok(folder::place()?.join("journal")),
            (None, None) => Ok(Home::of_this_user()?.state().join("journal")),
        }
    }

    /// Adds a line.
    pub fn write(&self, entry: Entry, browser: Option<&str>) -> Result<(), Trouble> {
        // Of a time that is read by people, the milliseconds are enough.
        let time = jiff::Timestamp::now();
        let time = time.round(jiff::Unit::Millisecond).unwrap_or(time);
        let line = Line { time, browser: browser.map(str::to_owned), entry };
        let mut text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
        text.push('\n');
        let folder = folder::private(self.place()?)?;
        let written = || {
            let lock = private(&folder.join("lock"))?;
            lock.lock()?;
            let path = file(&folder, 0);
            if fs::metadata(&path).is_ok_and(|found| found.len() >= self.full.unwrap_or(FULL)) {
                step_back(&folder)?;
            }
            // In one piece: a line is whole or not there.
            private(&path)?.write_all(text.as_bytes())
        };
        written().map_err(|source| Trouble::File { what: "cannot write to", path: folder.clone(), source })
    }

    /// The last lines, the oldest first; only those about an agent, where one is named.
    pub fn last(&self, most: usize, agent: Option<&str>) -> Result<Vec<Line>, Trouble> {
        let folder = self.place()?;
        let mut all: Vec<Line> = Vec::new();
        for number in 0..FILES {
            let path = file(&folder, number);
            let Ok(opened) = File::open(&path) else { continue };
            let lines = BufReader::new(opened).lines().map_while(Result::ok);
            // What does not read was written by another version, or by somebody else.
            let lines = lines.filter_map(|line| serde_json::from_str::<Line>(&line).ok());
            let about = |line: &Line| agent.is_none_or(|agent| line.entry.agent.as_deref() == Some(agent));
            let mut older: Vec<Line> = lines.filter(about).collect();
            older.append(&mut all);
            all = older;
            if all.len() >= most {
                break;
            }
        }
        Ok(all.split_off(all.len().saturating_sub(most)))
    }
}

fn file(folder: &Path, number: usize) -> PathBuf {
    folder.join(if number == 0 { "journal.jsonl".to_owned() } else { format!("journal.{number}.jsonl") })
}

/// Opens a file to add to it, for this user alone.
fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.append(true).create(true).open(path)
}

fn step_back(folder: &Path) -> std::io::Result<()> {
    for number in (0..FILES - 1).rev() {
        let from = file(folder, number);
        if from.exists() {
            fs::rename(from, file(folder, number + 1))?;
        }
    }
    Ok(())
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, browser: _, entry } = self;
        let Entry { by, agent, program: _, tab, site, what, on, right, outcome } = entry;
        let agent = agent.as_deref().map(|agent| format!(" {agent:?}")).unwrap_or_default();
        match by {
            By::Agent => write!(f, "{time}{agent} {what}")?,
            By::Person => write!(f, "{time} the person: {what}{agent}")?,
        }
        for word in [tab, site, on].into_iter().flatten() {
            write!(f, " {}", plain(word))?;
        }
        write!(f, " · {outcome}")?;
        match right {
            Some(Right::Confirmed) => f.write_str(" · confirmed by the person"),
            Some(Right::Unconfirmed) => f.write_str(" · not confirmed"),
            Some(Right::Policy) => f.write_str(" · by policy"),
            Some(Right::Person) | None => Ok(()),
        }
    }
}

/// A word as a terminal may show it.
fn plain(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(what: &str, agent: &str) -> Entry {
        Entry {
            by: By::Agent,
            agent: Some(agent.to_owned()),
            program: Some("/usr/bin/node".to_owned()),
            tab: Some("t3".to_owned()),
            site: Some("https://shop.example:443".to_owned()),
            what: what.to_owned(),
            on: Some("e9 button \"Pay\"\u{1b}[2J".to_owned()),
            right: Some(Right::Policy),
            outcome: "ok".to_owned(),
        }
    }

    fn journal(full: u64) -> (tempfile::TempDir, Journal) {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal { folder: Some(folder.path().join("journal")), full: Some(full) };
        (folder, journal)
    }

    #[test]
    fn lines_are_added_and_read_back() {
        let (_folder, journal) = journal(FULL);
        assert_eq!(journal.last(9, None).unwrap(), []);
        for (what, agent) in [("act click", "a"), ("snapshot", "b"), ("read", "a")] {
            journal.write(entry(what, agent), Some("Chromium 156")).unwrap();
        }
        let what = |lines: Vec<Line>| lines.into_iter().map(|line| line.entry.what).collect::<Vec<_>>();
        assert_eq!(what(journal.last(2, None).unwrap()), ["snapshot", "read"]);
        assert_eq!(what(journal.last(9, Some("a")).unwrap()), ["act click", "read"]);
        let line = journal.last(9, Some("b")).unwrap().remove(0).to_string();
        let (_, line) = line.split_once(' ').unwrap();
        expect_test::expect![[
            r#""b" snapshot t3 https://shop.example:443 e9 button "Pay"[2J · ok · by policy"#
        ]]
        .assert_eq(line);
    }

    #[test]
    fn a_full_file_steps_back_and_the_oldest_goes() {
        let (_folder, journal) = journal(1);
        for number in 0..FILES + 3 {
            journal.write(entry(&number.to_string(), "a"), None).unwrap();
        }
        let what: Vec<_> = journal.last(99, None).unwrap().into_iter().map(|line| line.entry.what).collect();
        assert_eq!(what, ["3", "4", "5", "6", "7"]);
    }

    #[test]
    fn hosts_that_write_at_once_lose_no_line() {
        let (_folder, journal) = journal(2_000);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..5).for_each(|_| journal.write(entry("x", "a"), None).unwrap()));
            }
        });
        assert_eq!(journal.last(99, None).unwrap().len(), 20);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, journal) = journal(FULL);
        journal.write(entry("x", "a"), None).unwrap();
        let place = journal.place().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&place), mode(&file(&place, 0))), (0o700, 0o600));
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(journal.write(entry("x", "a"), None), Err(Trouble::Folder { .. })));
    }
}
