//! What a tab downloads: each download by its file's name and how far it is. Where the file goes is the browser's and
//! the person's affair; it is not told.

use crate::reply;
use std::fmt;

/// How a download stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// Bytes so far, and in all where that is known.
    UnderWay {
        /// So far.
        received: f64,
        /// In all; 0 where it is not known.
        total: f64,
    },
    /// The file is there.
    Completed,
    /// It was called off, by the person, the browser or the site.
    Canceled,
}

/// One download.
#[derive(Debug, Clone, PartialEq)]
pub struct Download {
    guid: String,
    /// The file's name, as the site or the page has it.
    name: String,
    stage: Stage,
    /// Whether a reply said how it stands.
    told: bool,
}

impl Download {
    /// Whether it has ended, well or not.
    pub fn has_ended(&self) -> bool {
        match self.stage {
            Stage::UnderWay { .. } => false,
            Stage::Completed | Stage::Canceled => true,
        }
    }
}

impl fmt::Display for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "download {} ", reply::quoted(&reply::clip(&self.name)))?;
        match self.stage {
            Stage::UnderWay { received, total } if total > 0.0 => {
                write!(f, "under way ({received} of {total} bytes)")
            }
            Stage::UnderWay { received, .. } => write!(f, "under way ({received} bytes)"),
            Stage::Completed => f.write_str("completed"),
            Stage::Canceled => f.write_str("was canceled"),
        }
    }
}

/// How many are remembered.
const MOST: usize = 16;

/// The downloads of a tab, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Downloads(Vec<Download>);

impl Downloads {
    /// One begins.
    pub fn begin(&mut self, guid: String, name: &str) {
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        let stage = Stage::UnderWay { received: 0.0, total: 0.0 };
        self.0.push(Download { guid, name: name.to_owned(), stage, told: false });
    }

    /// One goes on, or ended.
    pub fn go_on(&mut self, guid: &str, state: &str, received: f64, total: f64) {
        let Some(download) = self.0.iter_mut().find(|download| download.guid == guid) else { return };
        download.stage = match state {
            "completed" => Stage::Completed,
            "canceled" => Stage::Canceled,
            _ => Stage::UnderWay { received, total },
        };
        if download.has_ended() {
            download.told = false;
        }
    }

    /// What no reply has told yet.
    pub fn news(&mut self) -> Vec<String> {
        let fresh = self.0.iter_mut().filter(|download| !download.told);
        fresh
            .map(|download| {
                download.told = true;
                download.to_string()
            })
            .collect()
    }

    /// One that has ended and of whose end no reply told.
    pub fn ended(&mut self) -> Option<String> {
        let ended = self.0.iter_mut().find(|download| download.has_ended() && !download.told)?;
        ended.told = true;
        Some(ended.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_is_told_once() {
        let mut downloads = Downloads::default();
        assert!(downloads.ended().is_none());
        downloads.begin("g".into(), "a\nb.csv");
        downloads.go_on("g", "inProgress", 5.0, 10.0);
        assert_eq!(downloads.news(), [r#"download "a\nb.csv" under way (5 of 10 bytes)"#]);
        downloads.go_on("g", "inProgress", 7.0, 10.0);
        assert!(downloads.news().is_empty());
        downloads.go_on("g", "completed", 10.0, 10.0);
        assert_eq!(downloads.ended().as_deref(), Some(r#"download "a\nb.csv" completed"#));
        assert!(downloads.ended().is_none() && downloads.news().is_empty());
        downloads.begin("h".into(), "c");
        downloads.go_on("h", "canceled", 0.0, 0.0);
        assert_eq!(downloads.news(), [r#"download "c" was canceled"#]);
        downloads.go_on("other", "completed", 1.0, 1.0);
        assert!(downloads.news().is_empty());
    }
}
