//! `web-ext lint` on `dist/`. It is written for Firefox; what it says for Firefox alone is listed in
//! `firefox-only.txt`, and exactly that list must come out.

use super::{npm, tally::Tally};
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use serde::Deserialize;

const FIREFOX_ONLY: &str = include_str!("../../firefox-only.txt");

#[derive(Deserialize)]
struct Report {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    notices: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    code: String,
    message: String,
    #[serde(default)]
    file: Option<String>,
}

/// The step.
pub fn web_ext(workspace: &Workspace) -> Result<Tally> {
    // It exits with failure whenever it finds something, so its exit says nothing.
    let output = npm::tool(workspace, "web-ext")?
        .args(["lint", "--no-config-discovery", "--config", "web-ext-config.mjs"])
        .output()
        .context("web-ext could not be started")?;
    let report: Report = serde_json::from_slice(&output.stdout).with_context(|| {
        format!("web-ext lint gave no report: {}", String::from_utf8_lossy(&output.stderr))
    })?;
    let complaints = judge(&report);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    Ok(if complaints.is_empty() { Tally::PASSED } else { Tally { passed: 0, failed: complaints.len() } })
}

fn judge(report: &Report) -> Vec<String> {
    let expected: Vec<(&str, &str)> = FIREFOX_ONLY
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut parts = line.split('|').map(str::trim);
            Some((parts.next()?, parts.next()?))
        })
        .collect();
    let all: Vec<&Finding> =
        [&report.errors, &report.warnings, &report.notices].into_iter().flatten().collect();
    let meant = |finding: &Finding, (code, part): (&str, &str)| {
        finding.code == code && finding.message.contains(part)
    };

    let mut complaints = Vec::new();
    for finding in &all {
        if !expected.iter().any(|line| meant(finding, *line)) {
            let file = finding.file.as_deref().unwrap_or("dist");
            complaints.push(format!("{file}: {}: {}", finding.code, finding.message));
        }
    }
    for line in expected {
        if !all.iter().any(|finding| meant(finding, line)) {
            complaints.push(format!("firefox-only.txt lists {} ({}), which is said no more", line.0, line.1));
        }
    }
    complaints
}
