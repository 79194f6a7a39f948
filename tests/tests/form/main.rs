//! What the text form costs and what it leaves out, on pages of kinds that people use: widget examples with their long
//! explanations, a shop, an inbox, documentation, a list of issues, settings. Tokens are those of `o200k_base`; what
//! the page shows is `innerText`, what can be worked on it is found by a list of selectors that shares nothing with our
//! judgement. Needs no extension: the collector is evaluated over the pipe. The trees are left in `target/form`.

mod budget;
mod page;
#[path = "../../../crate/snapshot/src/render/tests/parse.rs"]
mod parse;
mod world;

use libtest_mimic::{Arguments, Failed, Trial};
use std::{process::ExitCode, sync::Arc};
use world::World;

type Judge = fn(&World) -> anyhow::Result<()>;

/// Everything that is held.
const TESTS: &[(&str, Judge)] = &[
    ("nothing_that_is_said_is_missing", budget::nothing_said_is_missing),
    ("nothing_that_can_be_worked_is_missing", budget::nothing_to_act_on_is_missing),
    ("a_page_of_text_costs_little_more_than_its_text", budget::full),
    ("what_can_be_worked_costs_little", budget::interactive),
    ("a_long_list_costs_little", budget::list),
    ("pages_as_found_cost_half_of_what_others_give", budget::saves),
    ("the_text_form_reads_back", budget::reads_back),
    ("no_budget_is_exceeded", budget::is_kept),
    ("all_cursors_together_give_each_line_once", budget::walks),
];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    let world = match World::new() {
        Ok(world) => Arc::new(world),
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    let trials = TESTS.iter().map(|(name, judge)| {
        let world = Arc::clone(&world);
        let run = move || judge(&world).map_err(|error| Failed::from(format!("{error:#}")));
        Trial::test(*name, run).with_ignored_flag(!tests::bare::is_asked_for())
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    // Exiting runs no destructors: the browser must have ended before.
    world.end();
    conclusion.exit_code()
}
