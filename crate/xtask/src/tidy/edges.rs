//! Who may depend on whom (ARCHITECTURE.md). Pure crates know nothing of shells, and nothing depends on a shell.

use crate::{process, workspace::Workspace};
use anyhow::Result;
use cargo_metadata::{DependencyKind, MetadataCommand};

/// Each member and the members it may name. `xtask` and `tests` are shells for us alone: they may use anything pure.
const ALLOWED: &[(&str, &[&str])] = &[
    ("snapshot", &[]),
    ("cdp", &[]),
    ("wire", &[]),
    ("tools", &["wire"]),
    ("engine", &["snapshot", "cdp", "wire", "tools"]),
    ("worker", &["engine"]),
    ("host", &["tools", "wire"]),
    ("tests", &["snapshot", "cdp", "wire", "tools", "engine"]),
    ("fuzz", &["snapshot", "wire", "tools", "engine"]),
    ("xtask", &["snapshot", "cdp", "wire", "tools", "engine", "tests"]),
];

/// What only shells may know: where bytes come from and where they go.
const SHELLS_ONLY: &[&str] = &["axum", "interprocess", "js-sys", "rmcp", "tokio", "wasm-bindgen", "web-sys"];

const PURE: &[&str] = &["snapshot", "cdp", "wire", "tools", "engine"];

/// The rule.
pub fn allowed(workspace: &Workspace) -> Result<Vec<String>> {
    let mut command = MetadataCommand::new();
    command.cargo_path(process::cargo().get_program()).current_dir(&workspace.root).no_deps();
    let metadata = command.exec()?;
    let members: Vec<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();

    let mut breaches = Vec::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        let Some((_, may)) = ALLOWED.iter().find(|(member, _)| *member == name) else {
            breaches.push(format!("{name} is a new crate: say in tidy/edges.rs what it may depend on"));
            continue;
        };
        for dependency in &package.dependencies {
            let on = dependency.name.as_str();
            if members.contains(&on) && !may.contains(&on) {
                breaches.push(format!("{name} depends on {on}"));
            }
            let ships = dependency.kind != DependencyKind::Development;
            if ships && PURE.contains(&name) && SHELLS_ONLY.contains(&on) {
                breaches.push(format!("{name} is pure and depends on {on}"));
            }
        }
    }
    Ok(breaches)
}
