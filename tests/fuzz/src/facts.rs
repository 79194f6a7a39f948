//! What the collector says of a page: pages that were recorded, changed in some numbers and strings.

use crate::{Memory, mutate};
use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use snapshot::{
    Facts, Page, Refs, Tree,
    diff::{diff, page_state},
    query,
    read::{self, Form},
    render::{self, Mode, Options},
    xpath,
};
use std::sync::LazyLock;
use wire::chunk::REPLY_LIMIT;

static PAGES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let texts = [
        include_str!("../../../crate/snapshot/tests/pages/form.json"),
        include_str!("../../../crate/snapshot/tests/pages/odd.json"),
        include_str!("../../../crate/snapshot/tests/pages/shadow.json"),
        include_str!("../../../crate/snapshot/tests/pages/table.json"),
    ];
    texts.iter().map(|text| serde_json::from_str(text).expect("a recorded page is JSON")).collect()
});

/// The bytes choose a page and what is changed of it; then what is told of it as a change.
///
/// # Panics
/// When a tree of it cannot be said in every way.
pub fn check(bytes: &[u8]) {
    drop(std::str::from_utf8(bytes).map(Facts::parse));
    let mut given = Unstructured::new(bytes);
    let Ok((whole, delta)) = changed(&mut given) else { return };
    let way = given.arbitrary().unwrap_or_default();
    Memory::now().bounded(REPLY_LIMIT, || {
        let Ok(facts) = Facts::parse(&whole.to_string()) else { return };
        let updated = facts.update(&delta.to_string()).ok().flatten();
        let mut refs = Refs::new();
        let tree = Tree::build(&Page::single(facts), &mut refs);
        say(&tree, way);
        if let Some(updated) = updated {
            let next = Tree::build_after(&Page::single(updated), &mut refs, &tree);
            say(&next, way);
            let changes = diff(&tree, &next);
            render::diff(&changes, &next, 400);
        }
    });
}

/// Says a tree in one of the ways there are.
fn say(tree: &Tree, way: u8) {
    let as_page = |mode| {
        render::page(tree, &Options { mode, max_tokens: Some(500), links: true, ..Options::default() })
    };
    match way % 8 {
        0 => drop(as_page(Mode::Full)),
        1 => drop(as_page(Mode::Interactive)),
        2 => drop(as_page(Mode::Verbose)),
        3 => drop(render::json(tree, None)),
        4 => drop(page_state(tree)),
        5 => drop(read::read(tree, None, Form::Markdown)),
        6 => drop(query::text(tree, "a")),
        _ => {
            for (at, _) in tree.iter() {
                tree.headers(at);
                drop(xpath::of(tree, at).map(|path| path.to_string()));
            }
        }
    }
}

fn changed(given: &mut Unstructured<'_>) -> Result<(Value, Value)> {
    let page = given.choose(&PAGES)?;
    let mut whole = page.clone();
    if !given.ratio(1, 8)? {
        mutate::value(&mut whole, given)?;
    }
    let count = page["nodes"].as_array().map_or(0, Vec::len);
    let mut delta = page.clone();
    delta["epoch"] = (whole["epoch"].as_u64().unwrap_or(0) + 1).into();
    delta["strings"] = json!(["fresh", "div"]);
    let mut edits = Vec::new();
    for _ in 0..given.int_in_range(0..=6)? {
        let from = given.int_in_range(0..=count)?;
        for number in [from, given.int_in_range(0..=count)?, given.int_in_range(0..=3)?, 0, 0] {
            edits.push(number);
        }
    }
    delta["edits"] = json!(edits);
    delta["nodes"] = json!([]);
    if given.arbitrary()? {
        mutate::value(&mut delta, given)?;
    }
    Ok((whole, delta))
}
