//! `doctor`: looks at everything that an installation is made of, and starts the host as a browser would. Each thing
//! that is wrong is told with why it matters and the command that mends it. Mends nothing itself.

mod browser;
mod client;
mod executable;
mod extension;
mod fault;
mod handshake;
mod manifest;
mod origin;
mod policy;
mod program;
mod record;
mod running;
mod socket;

#[cfg(test)]
mod tests;

use crate::{
    home::Home,
    install::{
        self,
        browsers::{self, Browser},
        extension::Packed,
        plan,
        registry::{Registry, host_key},
    },
    trouble::Trouble,
};
use fault::Fault;
use serde::Serialize;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing.
    code: Fault,
    /// What is wrong, and where.
    what: String,
    /// Why that matters.
    why: &'static str,
    /// What mends it.
    command: String,
}

/// What was found.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Whether nothing is wrong.
    well: bool,
    /// What is wrong.
    findings: Vec<Finding>,
    /// What was looked at and is as it should be.
    seen: Vec<String>,
}

impl Report {
    fn found(&mut self, code: Fault, what: String, command: String) {
        let finding = Finding { code, what, why: code.why(), command };
        // Two browsers may read one folder.
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn seen(&mut self, what: String) {
        if !self.seen.contains(&what) {
            self.seen.push(what);
        }
    }
}

/// What is looked at.
struct View<'a> {
    home: &'a Home,
    program: &'a Path,
    extension: &'a [Packed],
    browsers: Vec<Browser>,
    registrations: Vec<Registration>,
}

/// A manifest of ours where a browser looks for it.
struct Registration {
    browser: String,
    /// Locked up in something, so that it has a program of its own.
    caged: bool,
    /// The program that it should name.
    expected: PathBuf,
    /// The manifest.
    manifest: PathBuf,
    text: Text,
}

/// What a manifest holds.
enum Text {
    Missing,
    NotJson(String),
    Json(Value),
}

impl Registration {
    /// The manifest, if it can be read.
    fn json(&self) -> Option<&Value> {
        match &self.text {
            Text::Json(json) => Some(json),
            Text::Missing | Text::NotJson(_) => None,
        }
    }

    /// The program that it names, if that is a file that is there.
    fn program(&self) -> Option<&Path> {
        let path = Path::new(self.json()?.get("path")?.as_str()?);
        (path.is_absolute() && path.is_file()).then_some(path)
    }
}

impl<'a> View<'a> {
    fn new(home: &'a Home, program: &'a Path, extension: &'a [Packed], registry: &dyn Registry) -> Self {
        let browsers = browsers::found(home);
        let registrations =
            browsers.iter().flat_map(|browser| registrations(home, program, browser, registry)).collect();
        Self { home, program, extension, browsers, registrations }
    }
    /// A command line of this program, for the same profile folder.
    fn ours(&self, words: &str) -> String {
        let quoted = |path: &Path| install::quoted(self.home.system(), path);
        let profiles = self.home.profiles().map(|profiles| format!(" --user-data-dir {}", quoted(profiles)));
        format!("{} {words}{}", quoted(self.program), profiles.unwrap_or_default())
    }

    fn install(&self) -> String {
        self.ours("install")
    }
}

/// Looks at everything.
pub async fn examine(
    home: &Home,
    program: &Path,
    extension: &[Packed],
    registry: &dyn Registry,
) -> Result<Report, Trouble> {
    let view = View::new(home, program, extension, registry);
    let mut report = Report::default();
    look_at_files(&view, &mut report);
    socket::check(&view, &mut report);
    running::check(&view, &mut report);
    handshake::check(&view, &mut report).await?;
    report.well = report.findings.is_empty();
    Ok(report)
}

/// All that is told by what lies in the home.
fn look_at_files(view: &View, report: &mut Report) {
    browser::check(view, report);
    record::check(view, report);
    manifest::check(view, report);
    origin::check(view, report);
    program::check(view, report);
    executable::check(view, report);
    extension::check(view, report);
    policy::check(view, report);
    client::check(view, report);
}

fn registrations(
    home: &Home,
    program: &Path,
    browser: &Browser,
    registry: &dyn Registry,
) -> Vec<Registration> {
    let manifests = match &browser.key {
        // Where the registry says; the key itself, if there is none.
        Some(key) => match registry.get(&host_key(key)) {
            Some(path) => vec![path.into()],
            None => vec![format!(r"HKEY_CURRENT_USER\{}", host_key(key)).into()],
        },
        None => plan::manifests(home, browser),
    };
    manifests
        .into_iter()
        .map(|manifest| Registration {
            browser: browser.name.clone(),
            caged: browser.cage.is_some(),
            expected: browser.program(program),
            text: match fs::read(&manifest).map(|text| serde_json::from_slice(&text)) {
                Ok(Ok(json)) => Text::Json(json),
                Ok(Err(error)) => Text::NotJson(error.to_string()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Text::Missing,
                Err(error) => Text::NotJson(error.to_string()),
            },
            manifest,
        })
        .collect()
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_well(&self) -> bool {
        self.well
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for seen in &self.seen {
            text.push_str(&format!("ok  {seen}\n"));
        }
        for Finding { code, what, why, command } in &self.findings {
            text.push_str(&format!("NO  {}: {what}\n    why: {why}\n    mend: {command}\n", code.word()));
        }
        text.push_str(&match self.findings.len() {
            0 => "all is well".to_owned(),
            1 => "1 thing is wrong".to_owned(),
            count => format!("{count} things are wrong"),
        });
        text
    }

    /// For programs.
    pub fn json(&self) -> Result<String, Trouble> {
        Ok(serde_json::to_string(self).map_err(std::io::Error::from)?)
    }
}
