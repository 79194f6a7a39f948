//! The extension as this program carries it.

use super::EXTENSION;
use crate::trouble::Trouble;
use std::{
    borrow::Cow,
    env, fs,
    path::{Path, PathBuf},
};

include!(concat!(env!("OUT_DIR"), "/extension.rs"));

/// A folder whose extension is taken instead of the one within the program. For development builds and tests.
const OVERRIDE: &str = "TABWRIGHT_EXTENSION";

/// A file, with its path within the extension.
pub type Packed = (String, Cow<'static, [u8]>);

/// Its files; none in a build without it.
pub fn files() -> Result<Vec<Packed>, Trouble> {
    match env::var_os(OVERRIDE).filter(|folder| !folder.is_empty()) {
        Some(folder) => read(Path::new(&folder), ""),
        None => {
            Ok(EMBEDDED.iter().map(|(name, content)| ((*name).to_owned(), Cow::Borrowed(*content))).collect())
        }
    }
}

/// Where it is unpacked.
pub fn folder(data: &Path) -> PathBuf {
    data.join(EXTENSION)
}

/// The version that its manifest says.
pub fn version(manifest: &[u8]) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_slice(manifest).ok()?;
    Some(manifest.get("version")?.as_str()?.to_owned())
}

fn read(folder: &Path, within: &str) -> Result<Vec<Packed>, Trouble> {
    let failed = |source| Trouble::File { what: "cannot read", path: folder.to_owned(), source };
    let mut entries: Vec<_> = fs::read_dir(folder).and_then(Iterator::collect).map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut files = Vec::new();
    for entry in entries {
        let name = format!("{within}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files.extend(read(&entry.path(), &(name + "/"))?);
        } else {
            let content = fs::read(entry.path()).map_err(failed)?;
            files.push((name, Cow::Owned(content)));
        }
    }
    Ok(files)
}
