//! The product as a person has it: one program, which unpacks the extension; a browser that loads what was unpacked;
//! an agent that gets through to it; a doctor that is content; and nothing left once it is uninstalled.

use super::tally::Tally;
use crate::{dist, release, workspace::Workspace};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use tests::{
    Product,
    browser::{self, Browser},
    client::Agent,
};

/// The step.
pub fn check(workspace: &Workspace) -> Result<Tally> {
    let (built, host) = release::for_tests(workspace)?;
    let folder = tempfile::Builder::new().prefix("tabwright-installed-").tempdir()?;
    let it = Installed { host, home: folder.path().to_owned(), profile: folder.path().join("profile") };
    it.say("install", "extension: unpacked")?;
    it.say("install", "nothing changed")?;
    let extension = it.profile.join("Tabwright/extension");
    ensure!(dist::content(&extension)? == dist::content(&built.folder)?, "what was unpacked is not dist/");
    it.say("doctor", "all is well")?;

    let product = Product { extension, host: it.host.clone() };
    tokio::runtime::Runtime::new()?.block_on(meet(&product))?;

    it.say("uninstall", "removed: the extension's")?;
    ensure!(!it.profile.exists(), "{} is left", it.profile.display());
    Ok(Tally::PASSED)
}

struct Installed {
    host: PathBuf,
    home: PathBuf,
    profile: PathBuf,
}

impl Installed {
    /// Runs a command of the program, which must succeed and say this.
    fn say(&self, word: &str, wanted: &str) -> Result<()> {
        let mut command = Command::new(&self.host);
        command.arg(word).arg("--user-data-dir").arg(&self.profile);
        command.env("HOME", &self.home).env("TABWRIGHT_RUNTIME_DIR", self.home.join("runtime"));
        let output =
            command.output().with_context(|| format!("{} cannot be started", self.host.display()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success() && said.contains(wanted), "{word}: {said}{output:?}");
        Ok(())
    }
}

async fn meet(product: &Product) -> Result<()> {
    let browser = Browser::launch(&browser::find_or_install()?, product, false).await?;
    browser.wait_for_host().await?;
    let agent = Agent::connect(&product.host, &browser.runtime(), "installed").await?;
    let reply = agent.call("tabs", json!({})).await?;
    ensure!(!reply.is_error, "{}", reply.text);
    agent.close().await?;
    let running = doctor(&product.host, &browser.runtime())?;
    let connected = format!("with extension {}", Workspace::version());
    ensure!(running.contains(&connected), "the doctor does not see the browser: {running}");
    browser.close().await;
    Ok(())
}

/// What the doctor says where a browser is connected.
fn doctor(host: &Path, runtime: &Path) -> Result<String> {
    let profile = runtime.join("../profile");
    let mut command = Command::new(host);
    command.args(["doctor", "--user-data-dir"]).arg(profile).env("TABWRIGHT_RUNTIME_DIR", runtime);
    Ok(String::from_utf8_lossy(&command.output()?.stdout).into_owned())
}
