//! Registers this program as a native-messaging host with the browsers of this user, and takes exactly that back.
//! Linux; the other systems come with `doctor`.

use crate::trouble::Trouble;
use serde_json::{Value, json};
use std::{
    env, fmt, fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};
use wire::HOST_NAME;

/// The folders of browsers' profiles, below the user's configuration folder.
const BROWSERS: [(&str, &str); 14] = [
    ("Google Chrome", "google-chrome"),
    ("Google Chrome Beta", "google-chrome-beta"),
    ("Google Chrome Dev", "google-chrome-unstable"),
    ("Google Chrome Canary", "google-chrome-canary"),
    ("Chrome for Testing", "google-chrome-for-testing"),
    ("Chromium", "chromium"),
    ("Microsoft Edge", "microsoft-edge"),
    ("Microsoft Edge Beta", "microsoft-edge-beta"),
    ("Microsoft Edge Dev", "microsoft-edge-dev"),
    ("Brave", "BraveSoftware/Brave-Browser"),
    ("Brave Beta", "BraveSoftware/Brave-Browser-Beta"),
    ("Vivaldi", "vivaldi"),
    ("Opera", "opera"),
    ("Yandex Browser", "yandex-browser"),
];

/// What was done for one browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    browser: String,
    file: PathBuf,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Registered,
    Unchanged,
    Removed,
    NotOurs,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let what = match self.what {
            What::Registered => "registered",
            What::Unchanged => "registered already",
            What::Removed => "removed",
            What::NotOurs => "left alone, not written by tabwright",
        };
        write!(f, "{}: {what}: {}", self.browser, self.file.display())
    }
}

/// What to do after `install`.
pub const NEXT: &str = "\
next: load the extension once (chrome://extensions, Developer mode, Load unpacked), and give your agent this MCP \
server: tabwright mcp";

/// Registers with every browser found, or with one profile folder.
pub fn install(profiles: Option<&Path>) -> Result<Vec<Done>, Trouble> {
    let program = env::current_exe()?;
    let manifest = manifest(&program);
    places(profiles)?.into_iter().map(|(browser, file)| register(browser, file, &manifest)).collect()
}

/// Takes back what [`install`] wrote.
pub fn uninstall(profiles: Option<&Path>) -> Result<Vec<Done>, Trouble> {
    let places = places(profiles)?.into_iter().filter(|(_, file)| file.exists());
    places.map(|(browser, file)| unregister(browser, file)).collect()
}

/// Whether any browser of this user knows the host.
pub fn is_registered() -> bool {
    places(None).is_ok_and(|places| places.iter().any(|(_, file)| file.exists()))
}

fn manifest(program: &Path) -> Value {
    json!({
        "name": HOST_NAME,
        "description": "Tabwright: lets agents work this browser, as far as its person allows",
        "path": program,
        "type": "stdio",
        "allowed_origins": [wire::extension_origin()],
    })
}

/// The manifest files, each with its browser.
fn places(profiles: Option<&Path>) -> Result<Vec<(String, PathBuf)>, Trouble> {
    if let Some(profiles) = profiles {
        let folder = std::path::absolute(profiles)?;
        return Ok(vec![(folder.display().to_string(), file_in(&folder))]);
    }
    if !cfg!(target_os = "linux") {
        return Err(Trouble::NotOnThisSystem { what: "registering with installed browsers" });
    }
    let configured = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder =
        configured.or_else(|| env::home_dir().map(|home| home.join(".config"))).ok_or_else(|| {
            Trouble::Folder { folder: "~/.config".into(), why: "is not known: HOME is not set".to_owned() }
        })?;
    let found = BROWSERS.iter().map(|(name, place)| ((*name).to_owned(), folder.join(place)));
    Ok(found.filter(|(_, folder)| folder.is_dir()).map(|(name, folder)| (name, file_in(&folder))).collect())
}

fn file_in(profiles: &Path) -> PathBuf {
    profiles.join("NativeMessagingHosts").join(format!("{HOST_NAME}.json"))
}

fn register(browser: String, file: PathBuf, manifest: &Value) -> Result<Done, Trouble> {
    let written = || -> io::Result<What> {
        let text = format!("{manifest:#}\n");
        if fs::read_to_string(&file).is_ok_and(|there| there == text) {
            return Ok(What::Unchanged);
        }
        let folder = file.parent().ok_or(io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(folder)?;
        // Whole or not at all: browsers read it whenever they like.
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.persist(&file)?;
        Ok(What::Registered)
    };
    match written() {
        Ok(what) => Ok(Done { browser, file, what }),
        Err(source) => Err(Trouble::File { what: "cannot write", path: file, source }),
    }
}

fn unregister(browser: String, file: PathBuf) -> Result<Done, Trouble> {
    let ours = fs::read(&file)
        .ok()
        .and_then(|text| serde_json::from_slice::<Value>(&text).ok())
        .is_some_and(|manifest| manifest.get("name").is_some_and(|name| name == HOST_NAME));
    if !ours {
        return Ok(Done { browser, file, what: What::NotOurs });
    }
    match fs::remove_file(&file) {
        Ok(()) => Ok(Done { browser, file, what: What::Removed }),
        Err(source) => Err(Trouble::File { what: "cannot remove", path: file, source }),
    }
}
