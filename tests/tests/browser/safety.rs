//! Refs never lie, whatever changes between an agent's look and its act: lists of namesakes that change by chance,
//! judged by a model of their own. `cargo xtask soak` plays more of the same.

use crate::{cases, trial::Trial};
use anyhow::Result;
use tests::namesakes;

cases!(beside:
    no_act_lands_on_what_was_not_shown_one,
    no_act_lands_on_what_was_not_shown_two,
);

/// How many rounds each of them plays.
const ROUNDS: u32 = 45;

async fn no_act_lands_on_what_was_not_shown_one(it: &mut Trial) -> Result<()> {
    play(it, 1).await
}

async fn no_act_lands_on_what_was_not_shown_two(it: &mut Trial) -> Result<()> {
    play(it, 1_000_000).await
}

async fn play(it: &mut Trial, first: u32) -> Result<()> {
    let figures = namesakes::play(it.browser(), it.agent(), &it.visit, first..first + ROUNDS).await?;
    eprintln!("{figures}");
    figures.judge()
}
