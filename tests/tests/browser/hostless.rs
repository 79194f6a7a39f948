//! A browser that knows no host: it says so to the person, and finds the host by itself once it is registered.

use crate::{
    cases, popup,
    trial::{Trial, on_stage},
    world::Stage,
};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};

cases!(beside: a_missing_host_is_named_and_found_once_it_is_registered);

/// The longest pause between two tries.
const PAUSE: Duration = Duration::from_secs(35);

async fn a_missing_host_is_named_and_found_once_it_is_registered(_: &mut Trial) -> Result<()> {
    on_stage(Stage::hostless().await?, "early", async |it| {
        let reply = it.call("tabs", json!({})).await?;
        ensure!(reply.is_error && reply.text.contains("no browser is connected"), "there is no host yet");
        ensure!(reply.text.contains("\nnext: "), "no next step");
        popup::open(it).await?;
        popup::shows(it, "The program that agents reach is not registered. Run: tabwright install").await?;
        popup::badge(it, "off").await?;
        it.browser().register().await?;
        let start = Instant::now();
        while it.call("tabs", json!({})).await?.is_error {
            ensure!(start.elapsed() < PAUSE, "the host is not found");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        popup::badge(it, "auto").await?;
        popup::shows(it, "An unattended policy is in force in this profile.").await?;
        it.open("rows.html").await?;
        it.click("button", "Swap").await?;
        it.clicked(&["swap"]).await
    })
    .await
}
