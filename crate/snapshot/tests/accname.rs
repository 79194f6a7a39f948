//! The W3C's accessible-name cases (Web Platform Tests, `accname/name/`), as Chromium's collector reported them. Each
//! file holds the facts of one page and its cases: element, test name, expected name, and the name that Chromium itself
//! gives. Where Chromium disagrees with the expectation, it is followed.

use std::fmt::Write as _;

use expect_test::expect;
use serde::Deserialize;
use snapshot::Facts;
use snapshot::ids::ElementNo;
use snapshot::name::{Namer, Relations};
use snapshot::{role, visible};

#[derive(Deserialize)]
struct Recorded {
    facts: serde_json::Value,
    cases: Vec<Case>,
}

/// Element, test name, expected name, Chromium's name (`None`: not in its tree).
#[derive(Deserialize)]
struct Case(u32, String, Option<String>, Option<String>);

#[test]
fn every_name_is_what_the_standard_or_chromium_says() {
    let mut wrong = String::new();
    let mut checked = 0;
    let mut by_chromium = String::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accname");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    for file in files {
        let recorded: Recorded = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let facts = Facts::parse(&recorded.facts.to_string()).unwrap();
        let roles = role::explicit::judge(&facts);
        let hidden = visible::judge(&facts);
        let relations = Relations::new(&facts);
        let namer = Namer::new(&facts, &roles, &hidden, &relations);
        for Case(element, test, expected, chromium) in recorded.cases {
            let Some(expected) = expected else { continue };
            checked += 1;
            let name =
                facts.find(ElementNo(element)).map(|element| namer.name(element).text).unwrap_or_default();
            let collapsed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let wanted = match &chromium {
                Some(said) if collapsed(said) != collapsed(&expected) => {
                    let _ = writeln!(by_chromium, "{test}: {:?}", collapsed(said));
                    said
                }
                Some(_) | None => &expected,
            };
            if collapsed(&name) != collapsed(wanted) {
                let file = file.file_stem().unwrap().to_string_lossy();
                let _ = writeln!(wrong, "{file}: {test}\n  is     {name:?}\n  wanted {wanted:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(checked, 372);
    expect![[r#"
        heading with link referencing image using aria-labelledby, that in turn references text element via aria-labelledby: "link link"
        heading with link referencing image using aria-labelledby, that in turn references itself and another element via aria-labelledby: "image"
        img with tooltip label with empty alt: ""
        kbd with tooltip label: ""
    "#]].assert_eq(&by_chromium);
}
