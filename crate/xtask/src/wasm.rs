//! From the worker crate to the three files a browser loads: compile to wasm, then write the glue with
//! wasm-bindgen's own library (its version is pinned to the crate's; no tool needs to be installed).

use crate::{process, workspace::Workspace};
use anyhow::{Context as _, Result, anyhow};
use sha2::{Digest as _, Sha256};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const TARGET: &str = "wasm32-unknown-unknown";

/// How the wasm is compiled.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// Unoptimised: quick to compile, large.
    pub dev: bool,
    /// Features of the worker crate.
    pub features: Vec<String>,
}

/// Compiles the worker and writes its glue. Gives back the folder that holds `core.js` and `core_bg.wasm`.
/// When the wasm is the same as last time, so is the glue, and it is left alone.
pub fn glue(workspace: &Workspace, build: &Build) -> Result<PathBuf> {
    let wasm = compile(workspace, build)?;
    let bytes = fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let mut stamp = String::new();
    for byte in Sha256::digest(&bytes) {
        write!(stamp, "{byte:02x}")?;
    }

    // A folder for each kind of build, so that one does not undo the other.
    let kind = if build.dev { "dev" } else { "ship" };
    let out =
        workspace.target.join("glue").join([&[kind.to_owned()], &build.features[..]].concat().join("-"));
    let stamp_file = out.join("input.sha256");
    if fs::read_to_string(&stamp_file).is_ok_and(|last| last == stamp) && types_exist(workspace) {
        return Ok(out);
    }
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    bind(&wasm, &out)?;
    keep_types(workspace, &out)?;
    fs::write(stamp_file, stamp)?;
    Ok(out)
}

fn compile(workspace: &Workspace, build: &Build) -> Result<PathBuf> {
    let profile = if build.dev { "dev" } else { "wasm" };
    let mut cargo = process::cargo();
    cargo.current_dir(&workspace.root).args(["build", "--quiet", "--package", "worker", "--lib"]);
    cargo.args(["--target", TARGET, "--profile", profile]);
    if !build.features.is_empty() {
        cargo.arg("--features").arg(build.features.join(","));
    }
    add_target(workspace, TARGET)?;
    process::run(&mut cargo)?;
    let folder = if build.dev { "debug" } else { profile };
    Ok(workspace.target.join(TARGET).join(folder).join("worker.wasm"))
}

/// Adds a target where rustup manages the toolchain and it is not there yet. A toolchain without rustup
/// is left alone: cargo then says itself what is missing.
pub fn add_target(workspace: &Workspace, target: &str) -> Result<()> {
    let Ok(rustup) = which::which("rustup") else { return Ok(()) };
    let mut list = Command::new(&rustup);
    list.current_dir(&workspace.root).args(["target", "list", "--installed"]);
    if process::output(&mut list)?.lines().any(|line| line.trim() == target) {
        return Ok(());
    }
    eprintln!("adding the Rust target {target}");
    process::run(Command::new(rustup).current_dir(&workspace.root).args(["target", "add", target]))
}

fn bind(wasm: &Path, out: &Path) -> Result<()> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen
        .input_path(wasm)
        .out_name("core")
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(out))
        .map_err(|error| anyhow!("wasm-bindgen cannot write the glue: {error:#}"))
}

/// `extension/worker/main.js` imports `./core/core.js`: its declarations stand at the same place under
/// `target/types`, which `tsconfig.json` lays over `extension/`.
fn keep_types(workspace: &Workspace, out: &Path) -> Result<()> {
    let folder = workspace.types().join("worker/core");
    fs::create_dir_all(&folder)?;
    for name in ["core.d.ts", "core_bg.wasm.d.ts"] {
        fs::rename(out.join(name), folder.join(name))
            .with_context(|| format!("wasm-bindgen wrote no {name}"))?;
    }
    Ok(())
}

fn types_exist(workspace: &Workspace) -> bool {
    workspace.types().join("worker/core/core.d.ts").exists()
}
