//! Files that an agent wants to give to a page: whether each is one, and lies where the worker says that it must. Nothing
//! of them is read here. Links are followed before anything is judged, so that none leads out; hidden places (a part
//! that begins with a dot, below the folder) are out of reach, and so is whatever is no plain file.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};
use wire::FoundFile;

/// Why a file is not given.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("is no absolute path")]
    Relative,
    #[error("leads nowhere: {0}")]
    Nowhere(io::Error),
    #[error("is in none of the folders that files may come from")]
    Outside,
    #[error("is in a hidden folder, or hidden itself")]
    Hidden,
    #[error("is no plain file")]
    NoFile,
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("has a name that is not text")]
    NoText,
}

/// What each path is. A root that is not there holds nothing.
pub fn look(roots: &[String], paths: &[String]) -> Vec<FoundFile> {
    let roots: Vec<PathBuf> = roots
        .iter()
        .map(Path::new)
        .filter(|root| root.is_absolute())
        .filter_map(|root| root.canonicalize().ok())
        .collect();
    paths
        .iter()
        .map(|path| match file(&roots, path) {
            Ok((path, name)) => FoundFile::File { path, name },
            Err(refusal) => FoundFile::Refused { why: refusal.to_string() },
        })
        .collect()
}

fn file(roots: &[PathBuf], named: &str) -> Result<(String, String), Refusal> {
    let named = Path::new(named);
    if !named.is_absolute() {
        return Err(Refusal::Relative);
    }
    let path = named.canonicalize().map_err(Refusal::Nowhere)?;
    let below = roots.iter().find_map(|root| path.strip_prefix(root).ok()).ok_or(Refusal::Outside)?;
    let hidden = |part: Component<'_>| match part {
        Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => true,
    };
    if below.components().any(hidden) {
        return Err(Refusal::Hidden);
    }
    // What is no file is not opened: opening a pipe waits for its other end.
    if !fs::symlink_metadata(&path).map_err(Refusal::Nowhere)?.is_file() {
        return Err(Refusal::NoFile);
    }
    let opened = fs::File::open(&path).and_then(|file| file.metadata()).map_err(Refusal::Unreadable)?;
    if !opened.is_file() {
        return Err(Refusal::NoFile);
    }
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(Refusal::NoText)?.to_owned();
    Ok((path.to_str().ok_or(Refusal::NoText)?.to_owned(), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a root in it, and what `look` says of paths below the folder.
    fn said(prepare: impl Fn(&Path), paths: &[&str]) -> Vec<String> {
        let folder = tempfile::Builder::new().prefix("files").tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        prepare(folder.path());
        let absolute = |path: &&str| folder.path().join(path).display().to_string();
        let paths: Vec<String> = paths.iter().map(absolute).collect();
        let found = look(&[root.display().to_string()], &paths);
        found
            .into_iter()
            .map(|found| match found {
                FoundFile::File { path, name } => {
                    assert!(path.ends_with(&name), "{path}");
                    name
                }
                FoundFile::Refused { why } => why.split(':').next().unwrap_or_default().to_owned(),
            })
            .collect()
    }

    #[test]
    fn files_in_the_root_are_found() {
        let prepare = |folder: &Path| {
            fs::create_dir(folder.join("root/deep")).unwrap();
            fs::write(folder.join("root/deep/a b.txt"), "x").unwrap();
        };
        assert_eq!(
            said(prepare, &["root/deep/a b.txt", "root/deep/../deep/a b.txt"]),
            ["a b.txt", "a b.txt"]
        );
    }

    #[test]
    fn what_is_elsewhere_hidden_or_no_file_is_refused() {
        let prepare = |folder: &Path| {
            fs::create_dir_all(folder.join("root/.git")).unwrap();
            fs::create_dir_all(folder.join("rooted")).unwrap();
            for file in ["root/.git/config", "root/.env", "secret.txt", "rooted/x"] {
                fs::write(folder.join(file), "x").unwrap();
            }
        };
        let paths = [
            "root/.git/config",
            "root/.env",
            "secret.txt",
            "rooted/x",
            "root/../secret.txt",
            "root",
            "root/no",
        ];
        let hidden = "is in a hidden folder, or hidden itself";
        let outside = "is in none of the folders that files may come from";
        let expected = [hidden, hidden, outside, outside, outside, "is no plain file", "leads nowhere"];
        assert_eq!(said(prepare, &paths), expected);
        assert!(
            matches!(&look(&[], &["x".into()])[..], [FoundFile::Refused { why }] if why == "is no absolute path")
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_they_are_judged() {
        use std::os::unix::fs::symlink;
        let prepare = |folder: &Path| {
            fs::write(folder.join("secret.txt"), "x").unwrap();
            fs::write(folder.join("root/real.txt"), "x").unwrap();
            symlink(folder.join("secret.txt"), folder.join("root/out.txt")).unwrap();
            symlink(folder, folder.join("root/up")).unwrap();
            symlink(folder.join("root/real.txt"), folder.join("into.txt")).unwrap();
        };
        let outside = "is in none of the folders that files may come from";
        let paths = ["root/out.txt", "root/up/secret.txt", "into.txt"];
        assert_eq!(said(prepare, &paths), [outside, outside, "real.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_no_files() {
        let said = look(&["/dev".to_owned()], &["/dev/null".to_owned()]);
        assert_eq!(said, [FoundFile::Refused { why: "is no plain file".into() }]);
    }
}
