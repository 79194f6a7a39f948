//! The picture of the pane in the developer tools: something of the shop is selected in the Elements panel.

use anyhow::{Context as _, Result};
use std::{fs, path::Path};
use tests::browser::Browser;

/// How large, in CSS pixels.
const SIZE: (u32, u32) = (1000, 640);

/// Takes it, of the page with `address` in its address.
pub async fn take(browser: &Browser, address: &str, file: &Path) -> Result<()> {
    let tools = browser.open_developer_tools(address).await?;
    tools.undock().await?;
    tools.select("", "document.querySelector('button')").await?;
    tools.show_pane().await?;
    tools.pane_shows("button \"").await?;
    fs::write(file, tools.picture(SIZE.0, SIZE.1).await?).with_context(|| format!("cannot write {}", file.display()))?;
    eprintln!("{} written", file.display());
    Ok(())
}
