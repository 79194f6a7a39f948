//! Ways of breaking an installation, one test each: the doctor finds it, the command that it names is run where it
//! can be run, and then the doctor is content.

use crate::browser::{Browser, folder, soon};
use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};
use tokio::process::Command;

/// An installation in a home of its own.
struct Patient {
    folder: tempfile::TempDir,
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tabwright"))
}

impl Patient {
    /// Installed for Chromium, and well.
    async fn well() -> Self {
        let patient = Self::without_browser();
        patient.write(".config/chromium/Local State", "{}");
        let installed = patient.run(&["install"]).await;
        assert!(installed.status.success(), "{installed:?}");
        patient.is_well().await;
        patient
    }

    fn without_browser() -> Self {
        let patient = Self { folder: folder() };
        let version = json!({ "version": env!("CARGO_PKG_VERSION") }).to_string();
        patient.write("packed/manifest.json", &version);
        patient.write("packed/worker/main.js", "// the worker");
        fs::create_dir(patient.path("run")).unwrap();
        fs::set_permissions(patient.path("run"), fs::Permissions::from_mode(0o700)).unwrap();
        patient
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn manifest(&self) -> PathBuf {
        self.path(".config/chromium/NativeMessagingHosts/dev.tabwright.host.json")
    }

    /// Changes a field of the manifest.
    fn set(&self, field: &str, value: Value) {
        let mut manifest: Value = serde_json::from_slice(&fs::read(self.manifest()).unwrap()).unwrap();
        manifest[field] = value;
        fs::write(self.manifest(), manifest.to_string()).unwrap();
    }

    /// The same environment for everything: nothing of the person's who runs the tests.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .env("TABWRIGHT_EXTENSION", self.path("packed"))
            .env("TABWRIGHT_ROOT", self.path("root"))
            .env("TABWRIGHT_RUNTIME_DIR", self.path("run"))
            .kill_on_drop(true);
        command
    }

    async fn run(&self, words: &[&str]) -> Output {
        soon("its end", self.command(program()).args(words).output()).await.unwrap()
    }

    /// What is wrong: word and command.
    async fn findings(&self) -> Vec<(String, String)> {
        let output = self.run(&["doctor", "--json"]).await;
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(report["well"], findings.is_empty());
        assert_eq!(output.status.code(), Some(i32::from(!findings.is_empty())));
        let word = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
        findings
            .iter()
            .map(|finding| {
                assert!(!word(finding, "what").is_empty() && !word(finding, "why").is_empty());
                (word(finding, "code"), word(finding, "command"))
            })
            .collect()
    }

    async fn is_well(&self) {
        assert_eq!(self.findings().await, []);
        let told = self.run(&["doctor"]).await;
        assert!(told.status.success() && String::from_utf8_lossy(&told.stdout).ends_with("all is well\n"));
    }

    /// The command that mends it.
    async fn finds(&self, code: &str) -> String {
        let findings = self.findings().await;
        let found = findings.iter().find(|(word, _)| word == code);
        found.unwrap_or_else(|| panic!("{code} is not among {findings:?}")).1.clone()
    }

    /// Runs a command as a person does who copies it.
    async fn types(&self, command: &str) {
        let mut shell = self.command("/bin/sh");
        let output = soon("the command's end", shell.arg("-c").arg(command).output()).await.unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
    }

    /// It is found, mended by its command, and then all is well.
    async fn is_mended(&self, code: &str) {
        let command = self.finds(code).await;
        self.types(&command).await;
        self.is_well().await;
    }

    /// It is found; its command needs the administrator, who takes this file away.
    async fn is_mended_by_root(&self, code: &str, policy: &Value) {
        let name = "root/etc/chromium/policies/managed/rules.json";
        self.write(name, &policy.to_string());
        let command = self.finds(code).await;
        assert_eq!(command, format!("sudoedit {}", self.path(name).display()));
        fs::remove_file(self.path(name)).unwrap();
        self.is_well().await;
    }
}

#[tokio::test]
async fn the_manifest_is_missing() {
    let patient = Patient::well().await;
    fs::remove_file(patient.manifest()).unwrap();
    patient.is_mended("manifest_missing").await;
}

#[tokio::test]
async fn the_manifest_is_no_json() {
    let patient = Patient::well().await;
    fs::write(patient.manifest(), "{ half").unwrap();
    patient.is_mended("manifest_unreadable").await;
}

#[tokio::test]
async fn the_manifest_has_another_name() {
    let patient = Patient::well().await;
    patient.set("name", json!("dev.tabwright.other"));
    patient.is_mended("manifest_wrong").await;
}

#[tokio::test]
async fn the_manifest_lets_another_extension_in() {
    let patient = Patient::well().await;
    patient.set("allowed_origins", json!(["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"]));
    patient.is_mended("origin_missing").await;
}

#[tokio::test]
async fn the_path_is_relative() {
    let patient = Patient::well().await;
    patient.set("path", json!("tabwright"));
    patient.is_mended("program_relative").await;
}

#[tokio::test]
async fn the_program_has_gone() {
    let patient = Patient::well().await;
    patient.set("path", json!(patient.path("was/here/tabwright")));
    patient.is_mended("program_gone").await;
}

#[tokio::test]
async fn the_program_is_another_build() {
    let patient = Patient::well().await;
    let other = patient.path("other build");
    fs::copy(program(), &other).unwrap();
    let mut longer = fs::OpenOptions::new().append(true).open(&other).unwrap();
    std::io::Write::write_all(&mut longer, b"another").unwrap();
    drop(longer);
    patient.set("path", json!(other));
    patient.is_mended("program_other").await;
}

#[tokio::test]
async fn the_program_may_not_be_started() {
    let patient = Patient::well().await;
    let copy = patient.path("my copy");
    // By another process: what this one has open for writing, its other children hold until they are started, and so
    // long it cannot be started itself.
    patient.types(&format!("cp {} '{}'", program().display(), copy.display())).await;
    patient.set("path", json!(copy));
    patient.is_well().await;
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    let command = patient.finds("program_not_executable").await;
    assert_eq!(command, format!("chmod u+x '{}'", copy.display()));
    patient.is_mended("program_not_executable").await;
}

#[tokio::test]
async fn the_extension_lacks_a_file() {
    let patient = Patient::well().await;
    fs::remove_file(patient.path(".local/share/tabwright/extension/worker/main.js")).unwrap();
    patient.is_mended("extension_incomplete").await;
}

#[tokio::test]
async fn the_extension_is_of_another_version() {
    let patient = Patient::well().await;
    patient.write(".local/share/tabwright/extension/manifest.json", "{\"version\": \"0.0.9\"}");
    patient.is_mended("extension_other").await;
}

#[tokio::test]
async fn the_record_is_missing() {
    let patient = Patient::well().await;
    fs::remove_file(patient.path(".local/share/tabwright/installed.json")).unwrap();
    patient.is_mended("record_missing").await;
    let taken_back = patient.run(&["uninstall"]).await;
    assert!(taken_back.status.success() && !patient.manifest().exists(), "{taken_back:?}");
}

#[tokio::test]
async fn the_record_cannot_be_read() {
    let patient = Patient::well().await;
    patient.write(".local/share/tabwright/installed.json", "[]");
    patient.is_mended("record_unreadable").await;
}

#[tokio::test]
async fn the_folder_of_sockets_is_open_to_others() {
    let patient = Patient::well().await;
    fs::set_permissions(patient.path("run"), fs::Permissions::from_mode(0o755)).unwrap();
    patient.is_mended("folder_unsafe").await;
}

#[tokio::test]
async fn dead_hosts_left_their_files() {
    let patient = Patient::well().await;
    for kind in ["json", "sock", "lock"] {
        patient.write(&format!("run/0123456789abcdef0123456789abcdef.{kind}"), "{}");
    }
    let command = patient.finds("socket_stale").await;
    assert_eq!(fs::read_dir(patient.path("run")).unwrap().count(), 3, "the doctor removes nothing");
    // It also says that no browser is connected, and fails for that.
    patient.types(&format!("{command}; true")).await;
    patient.is_well().await;
}

#[tokio::test]
async fn the_host_says_what_no_browser_understands() {
    let patient = Patient::well().await;
    let script = patient.path("wrapper");
    fs::write(&script, "#!/bin/sh\necho starting the host\ncat > /dev/null\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    patient.set("path", json!(script));
    patient.is_mended("host_silent").await;
}

#[tokio::test]
async fn the_host_ends_at_once() {
    let patient = Patient::well().await;
    let script = patient.path("wrapper");
    // It would find its own program only with the person's PATH.
    fs::write(&script, "#!/bin/sh\nexec tabwright \"$@\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    patient.set("path", json!(script));
    patient.is_mended("host_silent").await;
}

#[tokio::test]
async fn a_host_of_another_version_runs() {
    let patient = Patient::well().await;
    let mut host = patient.command(program());
    host.arg(wire::extension_origin()).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut host = host.spawn().unwrap();
    let descriptor = async {
        loop {
            let mut files = fs::read_dir(patient.path("run")).unwrap().flatten().map(|entry| entry.path());
            if let Some(path) = files.find(|path| path.extension().is_some_and(|kind| kind == "json")) {
                return path;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    let descriptor = soon("the descriptor", descriptor).await;
    let mut told: Value = serde_json::from_slice(&fs::read(&descriptor).unwrap()).unwrap();
    told["version"] = json!("0.0.9");
    fs::write(&descriptor, told.to_string()).unwrap();
    let command = patient.finds("host_other").await;
    assert_eq!(command, format!("kill {}", host.id().unwrap()));
    patient.types(&command).await;
    soon("its end", host.wait()).await.unwrap();
    // The extension, which would start the next one, is not here.
    let command = patient.finds("socket_stale").await;
    patient.types(&format!("{command}; true")).await;
    patient.is_well().await;
}

#[tokio::test]
async fn an_extension_of_another_version_runs() {
    let patient = Patient::well().await;
    let browser = Browser::start(&patient.path("run")).await;
    let command = patient.finds("extension_running_other").await;
    patient.types(&command).await;
    // Only a person can press Reload.
    patient.finds("extension_running_other").await;
    browser.close().await;
    patient.is_well().await;
}

#[tokio::test]
async fn a_client_names_a_program_that_has_gone() {
    let patient = Patient::well().await;
    patient.write(
        ".codex/config.toml",
        "model = \"x\"\n[mcp_servers.tabwright]\ncommand = \"/old/tabwright\"\nargs = [\"mcp\", \"--label\", \"me\"]\n",
    );
    patient.is_mended("client_program_gone").await;
    let settings = fs::read_to_string(patient.path(".codex/config.toml")).unwrap();
    assert!(
        settings.starts_with("model = \"x\"\n") && settings.contains("\"--label\", \"me\""),
        "{settings}"
    );
}

#[tokio::test]
async fn no_browser_was_ever_started() {
    let patient = Patient::without_browser();
    patient.run(&["install"]).await;
    let command = patient.finds("browser_missing").await;
    patient.write(".config/chromium/Local State", "{}");
    patient.types(&command).await;
    patient.is_well().await;
}

#[tokio::test]
async fn a_policy_forbids_the_host() {
    let patient = Patient::well().await;
    patient.is_mended_by_root("host_blocked", &json!({"NativeMessagingBlocklist": ["*"]})).await;
}

#[tokio::test]
async fn a_policy_forbids_hosts_of_users() {
    let patient = Patient::well().await;
    patient.is_mended_by_root("user_hosts_blocked", &json!({"NativeMessagingUserLevelHosts": false})).await;
}

#[tokio::test]
async fn a_policy_forbids_the_extension() {
    let patient = Patient::well().await;
    patient.is_mended_by_root("extension_blocked", &json!({"ExtensionInstallBlocklist": ["*"]})).await;
}

#[tokio::test]
async fn a_policy_forbids_unpacked_extensions() {
    let patient = Patient::well().await;
    patient.is_mended_by_root("developer_mode_blocked", &json!({"ExtensionDeveloperModeSettings": 1})).await;
}

#[tokio::test]
async fn the_probe_is_no_browser_to_agents() {
    let patient = Patient::well().await;
    // The doctor shook hands with a host: nothing of it is where agents look.
    assert_eq!(fs::read_dir(patient.path("run")).unwrap().count(), 0);
}
