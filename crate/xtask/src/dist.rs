//! `cargo xtask dist`: a loadable extension in `dist/`: our JavaScript and pages as they are, the worker's wasm
//! with its glue, and the stamped manifest. No bundler, no minifier. `dist/` is replaced as a whole or not at all,
//! and left untouched when nothing changed.

use crate::{interrupt, manifest, wasm, workspace::Workspace};
use anyhow::{Context as _, Result, bail};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};
use walkdir::WalkDir;

#[derive(clap::Args, Debug, Clone, Default)]
pub struct Options {
    /// Compile unoptimised: quick, but large and slow
    #[arg(long)]
    pub dev: bool,
    /// Features of the worker crate, e.g. `record`
    #[arg(long, value_delimiter = ',')]
    pub features: Vec<String>,
    /// The folder to write instead of dist/
    #[arg(long)]
    pub out: Option<PathBuf>,
}

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    let start = Instant::now();
    let built = build(&Workspace::find()?, options)?;
    eprintln!("{built} in {:.1} s", start.elapsed().as_secs_f32());
    Ok(ExitCode::SUCCESS)
}

/// What came of it.
pub struct Built {
    /// The folder to load into a browser.
    pub folder: PathBuf,
    changed: bool,
    wasm_bytes: u64,
}

impl std::fmt::Display for Built {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = if self.changed { "written" } else { "unchanged" };
        write!(out, "{} {state} (wasm {} kB)", self.folder.display(), self.wasm_bytes / 1000)
    }
}

/// Builds everything that `dist/` holds and puts it in place.
pub fn build(workspace: &Workspace, options: &Options) -> Result<Built> {
    let folder = match &options.out {
        Some(out) => std::path::absolute(out)?,
        None => workspace.root.join("dist"),
    };
    if folder.exists() && !folder.join("manifest.json").is_file() {
        bail!("{} exists and is no extension; it is not replaced. Name another folder.", folder.display());
    }
    let manifest = manifest::read(&workspace.root.join("manifest.json"))?;
    let glue = wasm::glue(workspace, &wasm::Build { dev: options.dev, features: options.features.clone() })?;

    let parent = folder.parent().context("the folder to write has no parent")?;
    fs::create_dir_all(parent)?;
    // Whoever is interrupted here would leave the folder behind.
    let _held_off = interrupt::hold_off();
    // Beside its final place, so that a rename is all that is left to do.
    let fresh = tempfile::Builder::new().prefix(".dist-").tempdir_in(parent)?;
    let inside = fresh.path().join("dist");
    copy(&workspace.root.join("extension"), &inside)?;
    let core = inside.join("worker/core");
    fs::create_dir_all(&core)?;
    for name in ["core.js", "core_bg.wasm"] {
        fs::copy(glue.join(name), core.join(name))
            .with_context(|| format!("wasm-bindgen wrote no {name}"))?;
    }
    fs::write(inside.join("manifest.json"), manifest::stamped(&manifest, Workspace::version())?)?;

    let missing = manifest::missing(&manifest, &inside);
    if !missing.is_empty() {
        bail!("manifest.json names what is not there: {}", missing.join(", "));
    }
    let wasm_bytes = fs::metadata(core.join("core_bg.wasm"))?.len();
    let changed = content(&inside)? != content(&folder)?;
    if changed {
        replace(&folder, &inside, fresh.path())?;
    }
    Ok(Built { folder, changed, wasm_bytes })
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in WalkDir::new(from).sort_by_file_name() {
        let entry = entry.context("cannot read extension/")?;
        let place = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// Every file below a folder with its bytes; nothing when there is no such folder.
pub fn content(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    if folder.exists() {
        for entry in WalkDir::new(folder) {
            let entry = entry?;
            if entry.file_type().is_file() {
                files.insert(entry.path().strip_prefix(folder)?.to_path_buf(), fs::read(entry.path())?);
            }
        }
    }
    Ok(files)
}

/// Two renames: the old folder into the temporary one, which takes it along when it goes, and the new one in.
fn replace(folder: &Path, inside: &Path, temporary: &Path) -> Result<()> {
    let old = temporary.join("old");
    if folder.exists() {
        fs::rename(folder, &old).with_context(|| format!("cannot move {} away", folder.display()))?;
    }
    if let Err(error) = fs::rename(inside, folder) {
        if old.exists() {
            fs::rename(&old, folder)?;
        }
        return Err(error).with_context(|| format!("cannot put {} in place", folder.display()));
    }
    Ok(())
}
