//! Writes what a call wanted in a file, in the agent's own process and with its rights. The path is the call's, never
//! the reply's: nothing that a page or a browser says can choose where. A file that is there is never overwritten, and
//! added to only if this process wrote it; hidden places (a part that begins with a dot) are out of reach, since what
//! a page says must not become a setting. The shell is a person's or a script's: it may add to any file, as `>>` does.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use std::{
    collections::BTreeSet,
    fs::OpenOptions,
    io::{ErrorKind, Write as _},
    path::{Component, Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use wire::{AgentKind, Content, Reply, Save};

/// The files that this process wrote.
#[derive(Debug, Default)]
pub struct Written(Mutex<BTreeSet<PathBuf>>);

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("{0:?} leads out of the folder that the agent works in")]
    Outside(String),
    #[error("{0:?} has a part that begins with a dot")]
    Hidden(String),
    #[error("{0} is there already")]
    Exists(PathBuf),
    #[error("{0} is there already, and was not written by this agent")]
    Foreign(PathBuf),
    #[error("the reply brought nothing that can be written")]
    Nothing,
    #[error("{path} cannot be written: {why}")]
    Io { path: PathBuf, why: std::io::Error },
}

impl Refusal {
    fn next(&self) -> &'static str {
        match self {
            Self::Outside(_) => "give an absolute path, or one in the folder that you work in",
            Self::Hidden(_) => "choose a path that is not hidden",
            Self::Exists(_) => "give a path where there is no file yet",
            Self::Foreign(_) => "give a new path; append adds to files that you wrote in this session",
            Self::Nothing => "try once more",
            Self::Io { .. } => "choose a folder that exists and can be written to",
        }
    }
}

impl Written {
    /// Writes what the reply brings for the file that the call named, and says so in it.
    pub fn carry(&self, mut reply: Reply, path: &str, append: bool, kind: AgentKind) -> Reply {
        let save = reply.save.take();
        if reply.is_error {
            return reply;
        }
        match self.write(save, path, append, kind) {
            Ok((path, size)) => {
                if let Some(Content::Text { text }) = reply.content.first_mut() {
                    let end = text.find('\n').unwrap_or(text.len());
                    let place = serde_json::Value::from(path.display().to_string());
                    text.insert_str(end, &format!(" · {size} bytes written to {place}"));
                }
                reply
            }
            Err(refusal) => {
                let what = format!("{refusal}. Nothing was written.");
                Reply::failure("not_saved", &what, &format!("{}.", refusal.next()))
            }
        }
    }

    fn write(
        &self,
        save: Option<Save>,
        path: &str,
        append: bool,
        kind: AgentKind,
    ) -> Result<(PathBuf, usize), Refusal> {
        let bytes = match save {
            Some(Save::Text { text }) => text.into_bytes(),
            Some(Save::Image { data }) => BASE64_STANDARD.decode(data).map_err(|_| Refusal::Nothing)?,
            None => return Err(Refusal::Nothing),
        };
        let here = std::env::current_dir().map_err(|why| Refusal::Io { path: path.into(), why })?;
        let path = place(&here, path, kind)?;
        let mut ours = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut options = OpenOptions::new();
        if append && (kind == AgentKind::Shell || ours.contains(&path)) {
            options.append(true).create(true);
        } else {
            options.write(true).create_new(true);
        }
        let opened = options.open(&path).and_then(|mut file| file.write_all(&bytes));
        opened.map_err(|why| match (why.kind() == ErrorKind::AlreadyExists, append) {
            (true, true) => Refusal::Foreign(path.clone()),
            (true, false) => Refusal::Exists(path.clone()),
            (false, _) => Refusal::Io { path: path.clone(), why },
        })?;
        ours.insert(path.clone());
        Ok((path, bytes.len()))
    }
}

/// The file that a path means: absolute, or below the folder that the agent works in.
fn place(here: &Path, text: &str, kind: AgentKind) -> Result<PathBuf, Refusal> {
    let path = Path::new(text);
    if path.components().any(|part| part == Component::ParentDir) {
        return Err(Refusal::Outside(text.to_owned()));
    }
    let hidden = |part: Component<'_>| match part {
        Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => false,
    };
    if kind == AgentKind::Mcp && path.components().any(hidden) {
        return Err(Refusal::Hidden(text.to_owned()));
    }
    Ok(here.join(path).components().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Reply {
        let mut reply = Reply::text("t1 ok\nrest");
        reply.save = Some(Save::Text { text: words.into() });
        reply
    }

    #[test]
    fn a_file_is_written_once_and_added_to_by_its_writer_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.md");
        let path = path.to_str().unwrap();
        let written = Written::default();
        let said = written.carry(text("one"), path, false, AgentKind::Shell);
        assert!(said.joined_text().starts_with("t1 ok · 3 bytes written to "), "{}", said.joined_text());
        assert!(said.joined_text().ends_with("\nrest"));
        let again = written.carry(text("two"), path, false, AgentKind::Shell);
        assert!(again.is_error && again.joined_text().contains("is there already"), "{again:?}");
        written.carry(text("two"), path, true, AgentKind::Shell);
        assert_eq!(std::fs::read_to_string(path).unwrap(), "onetwo");
    }

    #[test]
    fn an_agent_reaches_no_hidden_place_and_adds_to_no_foreign_file() {
        let here = Path::new("/home/me");
        for (path, is_hidden) in [("../x", false), (".ssh/keys", true), ("/home/me/.bashrc", true)] {
            let refused = place(here, path, AgentKind::Mcp).unwrap_err();
            assert_eq!(matches!(refused, Refusal::Hidden(_)), is_hidden, "{path}");
        }
        assert_eq!(place(here, "./a/b.md", AgentKind::Mcp).unwrap(), Path::new("/home/me/a/b.md"));
        let folder = tempfile::Builder::new().prefix("save").tempdir().unwrap();
        let path = folder.path().join("list.txt");
        std::fs::write(&path, "mine").unwrap();
        let refused = Written::default().carry(text("x"), path.to_str().unwrap(), true, AgentKind::Mcp);
        assert!(refused.joined_text().starts_with("error not_saved: "), "{refused:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }

    #[test]
    fn what_failed_is_not_written() {
        let failed =
            Reply { save: Some(Save::Text { text: "x".into() }), ..Reply::failure("gone", "x", "y") };
        let reply = Written::default().carry(failed, "/nowhere/x", false, AgentKind::Shell);
        assert!(reply.joined_text().starts_with("error gone"));
    }
}
