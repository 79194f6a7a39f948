//! Puts the extension into the program: with the feature `embed`, every file of `dist/` (or of the folder that
//! `TABWRIGHT_DIST` names), as `cargo xtask dist` leaves it. Without it the list is empty, so that neither tests nor
//! plain builds wait for the extension.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TABWRIGHT_DIST");
    let mut list = String::from("/// The files of the extension, each with its path within it.\n");
    list.push_str("pub static EMBEDDED: &[(&str, &[u8])] = &[\n");
    if env::var_os("CARGO_FEATURE_EMBED").is_some() {
        let dist = folder();
        println!("cargo::rerun-if-changed={}", dist.display());
        if !dist.join("manifest.json").is_file() {
            println!(
                "cargo::error=no extension in {}: `cargo xtask dist` makes it, `cargo xtask release` both",
                dist.display()
            );
        }
        for path in files(&dist)? {
            let within = path.strip_prefix(&dist).map_err(io::Error::other)?;
            let name: Vec<_> = within.iter().map(|part| part.to_string_lossy()).collect();
            let path = path.to_string_lossy();
            let written = writeln!(list, "    ({:?}, include_bytes!({path:?})),", name.join("/"));
            written.map_err(io::Error::other)?;
        }
    }
    list.push_str("];\n");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("extension.rs"), list)
}

fn folder() -> PathBuf {
    env::var_os("TABWRIGHT_DIST")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"), PathBuf::from)
}

/// All files below, in a steady order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                found.extend(files(&path)?);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
