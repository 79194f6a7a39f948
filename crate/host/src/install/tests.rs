//! Homes of all three systems, faked: what is written there, byte for byte, and that it can be taken back. (Paths are
//! joined as this system joins them.)

use super::*;
use expect_test::{ExpectFile, expect, expect_file};
use std::{borrow::Cow, collections::BTreeMap};

/// A registry that is a map.
#[derive(Debug, Default)]
pub struct Fake(BTreeMap<String, String>);

impl Registry for Fake {
    fn get(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }

    fn set(&mut self, key: &str, path: &str) -> io::Result<()> {
        self.0.insert(key.to_owned(), path.to_owned());
        Ok(())
    }

    fn remove(&mut self, key: &str) -> io::Result<()> {
        self.0.remove(key).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A home, and what is installed into it.
pub struct Faked {
    folder: tempfile::TempDir,
    pub home: Home,
    pub program: PathBuf,
    pub extension: Vec<extension::Packed>,
    pub registry: Fake,
}

fn packed(files: &[(&'static str, &'static str)]) -> Vec<extension::Packed> {
    files.iter().map(|(name, text)| ((*name).to_owned(), Cow::Borrowed(text.as_bytes()))).collect()
}

impl Faked {
    /// A home with these profile folders of browsers that were started.
    pub fn new(system: System, user: &str, profiles: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let user = folder.path().join(user);
        for profile in profiles {
            fs::create_dir_all(user.join(profile)).unwrap();
            fs::write(user.join(profile).join("Local State"), "{}").unwrap();
        }
        fs::create_dir_all(&user).unwrap();
        let program = folder.path().join("bin/tabwright");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "#!program").unwrap();
        let home = Home::new(system, user, |_| None);
        let extension = packed(&[("manifest.json", "{\"version\": \"1\"}"), ("worker/main.js", "//")]);
        Self { folder, home, program, extension, registry: Fake::default() }
    }

    pub fn install(&mut self, wanted: &Wanted) -> String {
        let source = Source { program: &self.program, extension: &self.extension };
        let told = install(&self.home, &source, wanted, &mut self.registry).unwrap();
        self.named(&told)
    }

    pub fn uninstall(&mut self) -> (String, bool) {
        let (told, all) = uninstall(&self.home, &mut self.registry).unwrap();
        (self.named(&told), all)
    }

    /// Without the name of the folder that all is in, and what depends on it.
    pub fn named(&self, text: &str) -> String {
        let text = text.replace(self.folder.path().to_str().unwrap(), "");
        let lines = text.split_inclusive('\n').map(|line| {
            let hash = line.split('"').find(|word| word.len() == 64 && !word.contains('/'));
            match (hash, line.trim_start().strip_prefix("\"new\": ")) {
                (Some(hash), _) => line.replace(hash, "HASH"),
                (None, Some(length)) => line.replace(length, "LENGTH,\n"),
                (None, None) => line.to_owned(),
            }
        });
        lines.collect()
    }

    /// Every folder and file with its content, and the registry.
    fn all(&self) -> BTreeMap<String, String> {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap().flatten() {
                let path = entry.path();
                let name = self.named(path.to_str().unwrap());
                if path.is_dir() {
                    all.insert(name + "/", String::new());
                    folders.push(path);
                } else {
                    all.insert(name, self.named(&fs::read_to_string(&path).unwrap()));
                }
            }
        }
        let keys = self.registry.0.iter();
        all.extend(keys.map(|(key, path)| (format!("HKCU {key}"), self.named(path) + "\n")));
        all
    }

    /// Installs, shows what was written, sees that a second time changes nothing and that all can be taken back.
    fn whole_life(mut self, wanted: &Wanted, shown: &ExpectFile) {
        let before = self.all();
        let dry = Wanted { dry_run: true, ..wanted.clone() };
        self.install(&dry);
        assert_eq!(self.all(), before, "a dry run writes nothing");

        let told = self.install(wanted);
        assert!(!told.contains("nothing changed"), "{told}");
        let after = self.all();
        let mut text = String::new();
        for (name, content) in after.iter().filter(|(name, content)| before.get(*name) != Some(*content)) {
            text.push_str(&format!("=== {name}\n{content}"));
            if !content.is_empty() && !content.ends_with('\n') {
                text.push('\n');
            }
        }
        shown.assert_eq(&text);

        let told = self.install(wanted);
        assert!(told.contains("nothing changed"), "{told}");
        assert_eq!(self.all(), after, "a second time changes nothing");

        let (told, all) = self.uninstall();
        assert!(all, "{told}");
        assert_eq!(self.all(), before, "all is taken back: {told}");
        assert!(self.uninstall().0.starts_with("nothing was installed"));
    }
}

#[test]
fn linux() {
    let profiles = [
        ".config/google-chrome",
        ".config/BraveSoftware/Brave-Browser",
        ".config/opera",
        ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
        "snap/chromium/common/chromium",
    ];
    let wanted = Wanted { clients: vec!["codex".to_owned()], dry_run: false };
    Faked::new(System::Linux, "home/ada", &profiles).whole_life(&wanted, &expect_file!["homes/linux.txt"]);
}

#[test]
fn mac() {
    let profiles = [
        "Library/Application Support/Google/Chrome Canary",
        "Library/Application Support/Arc/User Data",
        "Library/Application Support/com.operasoftware.Opera",
        "Library/Application Support/Google/Chrome for Testing",
    ];
    let wanted = Wanted { clients: vec!["claude-desktop".to_owned()], dry_run: false };
    Faked::new(System::Mac, "Users/ada", &profiles).whole_life(&wanted, &expect_file!["homes/mac.txt"]);
}

#[test]
fn windows() {
    let profiles = [
        "AppData/Local/Google/Chrome/User Data",
        "AppData/Local/Microsoft/Edge Dev/User Data",
        "AppData/Local/Vivaldi/User Data",
        "AppData/Roaming/Opera Software/Opera Stable",
    ];
    let wanted = Wanted { clients: vec!["vscode".to_owned()], dry_run: false };
    Faked::new(System::Windows, "Users/ada", &profiles)
        .whole_life(&wanted, &expect_file!["homes/windows.txt"]);
}

#[test]
fn what_is_told() {
    let mut faked = Faked::new(System::Linux, "home/ada", &[".config/chromium"]);
    let wanted = Wanted { clients: vec!["cursor".to_owned()], dry_run: false };
    let dry = faked.install(&Wanted { dry_run: true, ..wanted.clone() });
    expect![[r#"
        nothing is written; this would be:
        Chromium: write: /home/ada/.config/chromium/NativeMessagingHosts/dev.tabwright.host.json
            {
              "allowed_origins": [
                "chrome-extension://beblpbbhiieclfgnineacfcdfpkkllod/"
              ],
              "description": "Tabwright: lets agents work this browser, as far as its person allows",
              "name": "dev.tabwright.host",
              "path": "/bin/tabwright",
              "type": "stdio"
            }
        cursor: write: /home/ada/.cursor/mcp.json
            {
              "mcpServers": {
                "tabwright": {
                  "command": "/bin/tabwright",
                  "args": ["mcp"]
                }
              }
            }
        extension: 2 files, 0 there already

        next, once in each browser: open chrome://extensions, switch on Developer mode, press "Load unpacked", choose
            /home/ada/.local/share/tabwright/extension
        then tell your agent, by one of these lines:
            claude-code     claude mcp add --scope user tabwright -- /bin/tabwright mcp
            codex           codex mcp add tabwright -- /bin/tabwright mcp
            cursor          in /home/ada/.cursor/mcp.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
            vscode          in /home/ada/.config/Code/User/mcp.json: {"servers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright","type":"stdio"}}}
            gemini          gemini mcp add --scope user tabwright /bin/tabwright mcp
            windsurf        in /home/ada/.codeium/windsurf/mcp_config.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
            zed             in /home/ada/.config/zed/settings.json: {"context_servers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright","source":"custom"}}}
            claude-desktop  in /home/ada/.config/Claude/claude_desktop_config.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
            copilot         in /home/ada/.copilot/mcp-config.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright","type":"local"}}}
            opencode        in /home/ada/.config/opencode/opencode.json: {"mcp":{"tabwright":{"command":["/bin/tabwright","mcp"],"type":"local"}}}
            lm-studio       in /home/ada/.lmstudio/mcp.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
        or have it written: tabwright install --client NAME
    "#]].assert_eq(&dry);
    let told = faked.install(&wanted);
    expect![[r#"
        extension: unpacked, 2 of 2 files written
        Chromium: registered: /home/ada/.config/chromium/NativeMessagingHosts/dev.tabwright.host.json
        cursor: written: /home/ada/.cursor/mcp.json

        next, once in each browser: open chrome://extensions, switch on Developer mode, press "Load unpacked", choose
            /home/ada/.local/share/tabwright/extension
        then tell your agent, by one of these lines:
            claude-code     claude mcp add --scope user tabwright -- /bin/tabwright mcp
            codex           codex mcp add tabwright -- /bin/tabwright mcp
            cursor          in /home/ada/.cursor/mcp.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
            vscode          in /home/ada/.config/Code/User/mcp.json: {"servers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright","type":"stdio"}}}
            gemini          gemini mcp add --scope user tabwright /bin/tabwright mcp
            windsurf        in /home/ada/.codeium/windsurf/mcp_config.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
            zed             in /home/ada/.config/zed/settings.json: {"context_servers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright","source":"custom"}}}
            claude-desktop  in /home/ada/.config/Claude/claude_desktop_config.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
            copilot         in /home/ada/.copilot/mcp-config.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright","type":"local"}}}
            opencode        in /home/ada/.config/opencode/opencode.json: {"mcp":{"tabwright":{"command":["/bin/tabwright","mcp"],"type":"local"}}}
            lm-studio       in /home/ada/.lmstudio/mcp.json: {"mcpServers":{"tabwright":{"args":["mcp"],"command":"/bin/tabwright"}}}
        or have it written: tabwright install --client NAME
    "#]].assert_eq(&told);
    expect![[r"
        extension: unpacked already, 2 files
        Chromium: registered already: /home/ada/.config/chromium/NativeMessagingHosts/dev.tabwright.host.json
        cursor: written already: /home/ada/.cursor/mcp.json
        nothing changed
    "]]
    .assert_eq(faked.install(&wanted).split("\nnext").next().unwrap());
    expect![[r"
        cursor: removed from: /home/ada/.cursor/mcp.json
        removed: /home/ada/.config/chromium/NativeMessagingHosts/dev.tabwright.host.json
        removed: the extension's 2 files in /home/ada/.local/share/tabwright/extension
    "]]
    .assert_eq(&faked.uninstall().0);
}

#[test]
fn a_browser_that_is_not_there_gets_nothing() {
    let mut faked = Faked::new(System::Linux, "home/ada", &[]);
    // What other installers leave of a browser.
    fs::create_dir_all(faked.home.user().join(".config/vivaldi/NativeMessagingHosts")).unwrap();
    let told = faked.install(&Wanted::default());
    assert!(told.contains("no browser of this user was found; start one once"), "{told}");
    let all = faked.all();
    assert!(!all.keys().any(|name| name.ends_with("dev.tabwright.host.json")), "{all:?}");
}

#[test]
fn one_profile_folder_alone() {
    let mut faked = Faked::new(System::Linux, "home/ada", &[".config/chromium"]);
    let user = faked.named(faked.home.user().to_str().unwrap());
    faked.home = faked.home.clone().only(faked.folder.path().join("profile"));
    let before = faked.all();
    faked.install(&Wanted::default());
    let after = faked.all();
    assert_eq!(
        after.keys().filter(|name| name.starts_with(&user)).collect::<Vec<_>>(),
        before.keys().filter(|name| name.starts_with(&user)).collect::<Vec<_>>()
    );
    assert!(after.contains_key("/profile/NativeMessagingHosts/dev.tabwright.host.json"), "{after:?}");
    faked.uninstall();
    assert_eq!(faked.all(), before);
}

#[test]
fn an_update_takes_away_what_the_new_extension_has_not() {
    let mut faked = Faked::new(System::Linux, "home/ada", &[".config/chromium"]);
    let before = faked.all();
    faked.install(&Wanted::default());
    faked.extension = packed(&[("manifest.json", "{\"version\": \"2\"}"), ("worker/new.js", "//")]);
    faked.install(&Wanted::default());
    let all = faked.all();
    let data = "/home/ada/.local/share/tabwright/extension";
    assert!(all.contains_key(&format!("{data}/worker/new.js")));
    assert!(!all.contains_key(&format!("{data}/worker/main.js")));
    assert!(all[&format!("{data}/manifest.json")].contains('2'));
    faked.uninstall();
    assert_eq!(faked.all(), before);
}

#[test]
fn what_somebody_changed_stays() {
    let mut faked = Faked::new(System::Linux, "home/ada", &[".config/chromium"]);
    faked.install(&Wanted { clients: vec!["cursor".to_owned()], dry_run: false });
    let data = faked.home.data();
    let user = faked.home.user().to_owned();
    fs::write(data.join("extension/worker/main.js"), "// mine").unwrap();
    fs::write(data.join("notes"), "mine").unwrap();
    let cursor = user.join(".cursor/mcp.json");
    let mine = fs::read_to_string(&cursor).unwrap().replace("mcpServers\": {", "mcpServers\": {\"x\": {},");
    fs::write(&cursor, mine).unwrap();
    let (told, all) = faked.uninstall();
    assert!(!all && told.contains("left alone, changed since"), "{told}");
    let left = faked.all();
    assert!(left.values().any(|content| content == "// mine"));
    assert!(left.contains_key("/home/ada/.local/share/tabwright/notes"));
    assert!(!left.keys().any(|name| name.ends_with("dev.tabwright.host.json")));
    let cursor = fs::read_to_string(&cursor).unwrap();
    assert!(cursor.contains("\"x\"") && !cursor.contains("tabwright"), "{cursor}");
}

#[test]
fn settings_come_back_to_the_byte_also_after_updates() {
    let there = "{\"mcpServers\":{\"other\":{\"command\":\"x\"}},\"a\":1}";
    let own = "[mcp_servers.tabwright]\ncommand = '/my/own'  # kept\n";
    let mut faked = Faked::new(System::Linux, "home/ada", &[".config/chromium"]);
    let user = faked.home.user().to_owned();
    let (cursor, codex) = (user.join(".cursor/mcp.json"), user.join(".codex/config.toml"));
    for (path, text) in [(&cursor, there), (&codex, own)] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let wanted = Wanted { clients: vec!["cursor".to_owned(), "codex".to_owned()], dry_run: false };
    faked.install(&wanted);
    faked.program = faked.folder.path().join("elsewhere");
    fs::write(&faked.program, "#!program").unwrap();
    faked.install(&wanted);
    assert!(fs::read_to_string(&cursor).unwrap().contains("/elsewhere"));
    faked.uninstall();
    assert_eq!(fs::read_to_string(&cursor).unwrap(), there);
    assert_eq!(fs::read_to_string(&codex).unwrap(), own);
}

#[cfg(unix)]
#[test]
fn settings_keep_their_link_and_their_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let mut faked = Faked::new(System::Linux, "home/ada", &[".config/chromium"]);
    let user = faked.home.user().to_owned();
    let real = user.join("dotfiles.json");
    fs::write(&real, "{}\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(user.join(".cursor")).unwrap();
    std::os::unix::fs::symlink(&real, user.join(".cursor/mcp.json")).unwrap();
    faked.install(&Wanted { clients: vec!["cursor".to_owned()], dry_run: false });
    assert!(fs::read_to_string(&real).unwrap().contains("tabwright"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(user.join(".cursor/mcp.json")).unwrap().is_symlink());
    faked.uninstall();
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
}
