//! Twenty agents at once on one browser. `cargo xtask soak` plays more of the same.

use crate::{cases, trial::Trial};
use anyhow::Result;
use tests::crowd::Crowd;

cases!(alone: twenty_agents_at_once_get_their_own_and_in_fair_turns);

async fn twenty_agents_at_once_get_their_own_and_in_fair_turns(it: &mut Trial) -> Result<()> {
    let stage = it.stage();
    let mut crowd = Crowd::gather(&stage.browser, &stage.product.host, &stage.site, 20).await?;
    let figures = crowd.play(10, 1).await?;
    crowd.close().await?;
    eprintln!("{figures}");
    figures.judge()
}
