//! A browser for trials: a profile that is thrown away, the extension loaded, the host registered for that profile
//! alone. It ends, with everything it started, when the value is dropped. A person's own browser is never touched.

mod beheld;
mod developer;
mod find;
mod memory;
mod process;
mod target;

pub use beheld::Beheld;
pub use developer::DeveloperTools;
pub use find::{find, find_or_install};
pub use memory::WorkerMemory;
pub use process::is_root;

use crate::{
    Product,
    pipe::{Pipe, SessionId},
};
use anyhow::{Context as _, Result, bail, ensure};
use process::Group;
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::process::Command;

/// What agents may do here: everything, on this machine's own servers, with the files of one folder.
fn policy(files: &Path) -> Value {
    json!({
        "agents": ["*"],
        "sites": ["http://127.0.0.1:*", "http://localhost:*"],
        "acts": ["*"],
        "file_roots": [files],
    })
}

/// What every trial wants of Chrome: nothing that phones home, moves or asks.
const SWITCHES: &[&str] = &[
    "--remote-debugging-pipe",
    // Google Chrome's builds take `Extensions.loadUnpacked` only with this.
    "--enable-unsafe-extension-debugging",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-quic",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--password-store=basic",
    "--use-mock-keychain",
    // Frames of another site get a process of their own, as on any desktop.
    "--site-per-process",
    // Sites that are not of this machine, as far as the browser knows.
    "--host-resolver-rules=MAP *.site.example 127.0.0.1",
    "--window-size=1280,900",
];

/// How a browser is set up besides having the extension.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Whether its window is shown.
    pub headed: bool,
    /// Whether the unattended policy is in force; else the person is asked.
    pub unattended: bool,
    /// Whether the host is registered from the start.
    pub registered: bool,
    /// The language that the browser speaks; the system's where none is named.
    pub language: Option<&'static str>,
}

impl Default for Setting {
    fn default() -> Self {
        Self { headed: false, unattended: true, registered: true, language: None }
    }
}

/// A running browser.
pub struct Browser {
    // Dropped in this order: processes first, then the folders they write to.
    group: Group,
    pipe: Pipe,
    folder: TempDir,
    executable: PathBuf,
    setting: Setting,
    /// Where its host is met.
    runtime: PathBuf,
    extension: String,
    product: Option<Product>,
    version: String,
}

impl Browser {
    /// Starts `executable` with the product in it, under the unattended policy.
    pub async fn launch(executable: &Path, product: &Product, headed: bool) -> Result<Self> {
        Self::launch_as(executable, product, Setting { headed, ..Setting::default() }).await
    }

    /// Starts `executable` with the product in it.
    pub async fn launch_as(executable: &Path, product: &Product, setting: Setting) -> Result<Self> {
        let folder = Self::folder()?;
        let runtime = folder.path().join("runtime");
        Self::launch_at(executable, product, setting, folder, runtime).await
    }

    /// Starts another browser with the product in it, with a profile of its own, whose host is met in the same folder.
    pub async fn launch_beside(&self) -> Result<Self> {
        let product = self.product.as_ref().context("there is no product in it")?;
        let runtime = self.runtime.clone();
        Self::launch_at(&self.executable, product, self.setting, Self::folder()?, runtime).await
    }

    async fn launch_at(
        executable: &Path,
        product: &Product,
        setting: Setting,
        folder: TempDir,
        runtime: PathBuf,
    ) -> Result<Self> {
        ensure!(
            product.host.is_file(),
            "{} is not there; `cargo build -p host` builds it",
            product.host.display()
        );
        if setting.registered {
            register(&product.host, &folder.path().join("profile"), &runtime).await?;
        }
        let mut browser = Self::start(executable, folder, setting, runtime).await?;
        browser.load(product).await?;
        Ok(browser)
    }

    async fn load(&mut self, product: &Product) -> Result<()> {
        self.extension = self.load_from(&product.extension).await?;
        self.product = Some(product.clone());
        Ok(())
    }

    /// Loads the extension that it has once more, as an update or the person's press on Reload does.
    pub async fn reload_extension(&self) -> Result<()> {
        let product = self.product.as_ref().context("there is no product in it")?;
        self.load_from(&product.extension).await.map(drop)
    }

    /// Gives the extension's id.
    async fn load_from(&self, folder: &Path) -> Result<String> {
        let loaded = self
            .pipe
            .call("Extensions.loadUnpacked", json!({ "path": folder }))
            .await
            .with_context(|| format!("the browser does not load {}", folder.display()))?;
        Ok(loaded["id"].as_str().context("the loaded extension has no id")?.to_owned())
    }

    /// Starts `executable` without the product: for what is asked of the browser alone.
    pub async fn launch_bare(executable: &Path) -> Result<Self> {
        let folder = Self::folder()?;
        let runtime = folder.path().join("runtime");
        Self::start(executable, folder, Setting::default(), runtime).await
    }

    /// Kills the browser, as a crash or a switched-off machine would, and starts it again with the same profile.
    pub async fn kill_and_start(&mut self) -> Result<()> {
        self.group.end();
        let started = spawn(&self.executable, self.folder.path(), self.setting, &self.runtime).await?;
        (self.group, self.pipe, self.version) = started;
        if let Some(product) = self.product.take() {
            self.load(&product).await?;
        }
        Ok(())
    }

    /// A folder for one browser, with what it needs in it.
    fn folder() -> Result<TempDir> {
        let folder = tempfile::Builder::new().prefix("tabwright-trial-").tempdir()?;
        for name in ["profile", "runtime", "tmp", "files", "downloads"] {
            create_private(&folder.path().join(name))?;
        }
        let policy = policy(&folder.path().join("files"));
        std::fs::write(folder.path().join("policy.json"), policy.to_string())?;
        Ok(folder)
    }

    async fn start(executable: &Path, folder: TempDir, setting: Setting, runtime: PathBuf) -> Result<Self> {
        let (group, pipe, version) = spawn(executable, folder.path(), setting, &runtime).await?;
        let (executable, extension) = (executable.to_owned(), String::new());
        Ok(Self { group, pipe, folder, executable, setting, runtime, extension, product: None, version })
    }

    /// Registers the host, where the setting left that out.
    pub async fn register(&self) -> Result<()> {
        let product = self.product.as_ref().context("there is no product in it")?;
        register(&product.host, &self.folder.path().join("profile"), &self.runtime).await
    }

    /// Waits until the host that the extension starts can be met.
    pub async fn wait_for_host(&self) -> Result<()> {
        self.wait_for_hosts(1).await
    }

    /// Waits until so many hosts can be met where this browser's is.
    pub async fn wait_for_hosts(&self, wanted: usize) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            let files = std::fs::read_dir(&self.runtime)?.flatten();
            let told = files.filter(|file| file.path().extension().is_some_and(|kind| kind == "json"));
            if told.count() >= wanted {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        bail!("the extension started no host within 20 s (its service worker: {})", self.worker_state().await)
    }

    /// The line to the browser that does not go through the product.
    pub fn pipe(&self) -> &Pipe {
        &self.pipe
    }

    /// The folder in which the browser's host is met.
    pub fn runtime(&self) -> PathBuf {
        self.runtime.clone()
    }

    /// The folder whose files may be given to pages.
    pub fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// The folder that downloads go to.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Product and version, as in `Chrome/156.0.0.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The extension's id; empty in a bare browser.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// Kills the host that the browser started, as a crash would. Gives back how many there were.
    pub async fn kill_host(&self) -> Result<usize> {
        let product = self.product.as_ref().context("there is no product in it")?;
        self.group.signal_members(&product.host, "-KILL").await
    }

    /// Stops the host without ending it, as if it hung. Gives back how many there were.
    pub async fn freeze_host(&self) -> Result<usize> {
        let product = self.product.as_ref().context("there is no product in it")?;
        self.group.signal_members(&product.host, "-STOP").await
    }

    /// Ends the browser at once, with all that it started, and removes its folders. For a signal's handler; else
    /// dropping is enough.
    pub fn end(&self) {
        self.group.end();
        process::remove_folder(self.folder.path());
    }

    /// Asks the browser to close, then makes sure of it.
    pub async fn close(self) {
        if self.pipe.call("Browser.close", json!({})).await.is_ok() {
            self.group.wait(Duration::from_secs(3)).await;
        }
    }

    async fn eval(&self, session: &SessionId, expression: &str) -> Result<Value> {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.pipe.call_in(session, "Runtime.evaluate", asked).await?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            bail!(
                "{expression} threw: {}",
                thrown["exception"]["description"].as_str().unwrap_or("something")
            );
        }
        Ok(answer["result"]["value"].clone())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts a browser with the profile and the policy of a folder. Gives its version, too.
async fn spawn(
    executable: &Path,
    folder: &Path,
    setting: Setting,
    runtime: &Path,
) -> Result<(Group, Pipe, String)> {
    let within = |name: &str| folder.join(name);
    let mut command = Command::new(executable);
    command.args(SWITCHES).arg(format!("--user-data-dir={}", within("profile").display()));
    if !setting.headed {
        command.arg("--headless=new");
    }
    if is_root() {
        command.arg("--no-sandbox");
    }
    if let Some(language) = setting.language {
        command.arg(format!("--lang={language}")).env("LANGUAGE", language.replace('-', "_"));
    }
    command.arg("about:blank");
    command.env_remove("TABWRIGHT_POLICY").env("TABWRIGHT_RUNTIME_DIR", runtime);
    if setting.unattended {
        command.env("TABWRIGHT_POLICY", within("policy.json"));
    }
    if cfg!(target_os = "linux") {
        // A killed browser leaves its lock folder there. (Elsewhere the path would be too long for a socket.)
        command.env("TMPDIR", within("tmp"));
    }
    let log = std::fs::File::create(within("browser.log"))?;
    command.stdin(std::process::Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let (group, pipe) = process::spawn(command)?;

    let version = match pipe.call("Browser.getVersion", json!({})).await {
        Ok(answer) => answer["product"].as_str().unwrap_or("unknown").to_owned(),
        Err(error) => {
            let said = std::fs::read_to_string(within("browser.log")).unwrap_or_default();
            let what = format!("{} does not answer; it says: {}", executable.display(), said.trim());
            return Err(error.context(what));
        }
    };
    // A person's own folder of downloads is left alone.
    let downloads = json!({ "behavior": "allow", "downloadPath": within("downloads") });
    pipe.call("Browser.setDownloadBehavior", downloads).await?;
    Ok((group, pipe, version))
}

/// `tabwright install` writes the host's manifest into the profile folder alone.
async fn register(host: &Path, profile: &Path, runtime: &Path) -> Result<()> {
    let output = Command::new(host)
        .arg("install")
        .arg("--user-data-dir")
        .arg(profile)
        .env("TABWRIGHT_RUNTIME_DIR", runtime)
        .output()
        .await
        .with_context(|| format!("{} could not be started", host.display()))?;
    ensure!(
        output.status.success(),
        "`tabwright install --user-data-dir` failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}

/// The host refuses a folder that others may enter.
fn create_private(folder: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("cannot create {}", folder.display()))
}
