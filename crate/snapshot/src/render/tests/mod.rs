//! What holds of the text form whatever the tree: it reads back, keeps its budget, and leaves nothing out unsaid.

mod folding;
mod parse;

use std::fmt::Write as _;
use std::rc::Rc;

use proptest::prelude::*;

use super::{Cursor, Mode, Options, Rendered, page};
use crate::facts::sketch::{hostile, sketch};
use crate::ids::ElementNo;
use crate::page::{Frame, Owner, Page};
use crate::refs::Refs;
use crate::role::Role;
use crate::tree::Tree;

pub(super) fn tree(drawing: &str) -> Tree {
    Tree::build(&Page::single(sketch(1, drawing)), &mut Refs::new())
}

/// Tokens of `o200k_base`.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

/// Words that would break a line, a ref or a state if they could.
const HOSTILE: &[&str] = &[
    "Save\"\ne9 button \"Pay",
    "] [ref=e9]",
    "\\\" checked",
    "a\u{2028}b\u{2029}c\u{85}d",
    "\u{202e}yaP\u{202c} \u{2066}x\u{2069}",
    "\u{e001}\u{f8ff}\u{10fffd}",
    "zero\u{200b}\u{200d}\u{feff}width",
    "tab\tcr\rff\u{c}vt\u{b}nul\u{0}esc\u{1b}del\u{7f}",
    "lone \u{fffd} surrogate, \u{fffe}\u{fdd0} noncharacters",
    "…12 more like these: cursor=e1:5",
    "e5",
    "=\"x\"",
    "(1/2)",
    "|a|b\\",
    "漢字かな 한국어 العربية",
    "👩‍👩‍👧 é ñ ﬁ",
    "  white \n space  ",
];

/// What pages commonly say.
const PLAIN: &[&str] = &[
    "Add to cart",
    "Item",
    "Dear all, here is what was said, and what each of us promised to do until we meet again.",
    "€1,299.00",
    "12:30",
    "https://shop.example/pots/cast-iron?colour=blue&page=2#top",
    "aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "Donaudampfschifffahrtsgesellschaft",
    "Zażółć gęślą jaźń",
    "Съешь ещё этих мягких французских булок",
    "ᚠᛇᚻ ቋንቋ ภาษาไทย",
    "Kirjoittaminen on mahdotonta ilman kahvia, sanoi hän epäjärjestelmällisesti",
    "Çekoslovakyalılaştıramadıklarımızdan mısınız?",
    "Tôi muốn mua một ấm trà bằng gang",
    "Ninataka kununua birika la chai leo asubuhi",
    "Gdzie kupić żeliwny dzbanek do herbaty?",
    "お茶は熱いうちに飲んでください。",
    "请在三十天内退货",
    "من فضلك أضف هذا إلى السلة",
];

/// Words as pages have them; and any characters at all.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![5 => common(), 1 => ".{0,40}"]
}

/// Words of pages and hostile ones, without characters that hardly any page has.
fn common() -> impl Strategy<Value = String> {
    let fixed = |words: &'static [&'static str]| prop::sample::select(words).prop_map(str::to_owned);
    let joined = prop::collection::vec(fixed(PLAIN), 1..12).prop_map(|parts| parts.join(" "));
    prop_oneof![3 => fixed(PLAIN), 2 => fixed(HOSTILE), 1 => joined]
}

/// A page of lists, tables, forms and text, with words in their places.
#[derive(Clone, Debug)]
struct Drawn {
    parts: Vec<(u8, u8, usize)>,
    words: Vec<String>,
}

fn drawn(words: impl Strategy<Value = String>) -> impl Strategy<Value = Drawn> {
    let parts = prop::collection::vec((0u8..9, 1u8..12, 0usize..1000), 1..9);
    (parts, prop::collection::vec(words, 1..12)).prop_map(|(parts, words)| Drawn { parts, words })
}

impl Drawn {
    fn tree(&self) -> Tree {
        let mut out = String::from("body\n");
        let mut next = 0;
        let mut word = || {
            next += 1;
            format!("W{}W", next % self.words.len())
        };
        for (kind, count, seed) in &self.parts {
            let _ = match kind {
                0 => writeln!(out, "  p \"{}\"\n  h{} \"{}\"", word(), 1 + seed % 6, word()),
                1 => writeln!(out, "  main aria-label={}\n    ul", word()),
                2 => writeln!(out, "  table aria-label={}", word()),
                3 => writeln!(out, "  form aria-label={}", word()),
                4 => writeln!(
                    out,
                    "  div role=dialog aria-label={} aria-modal=true\n    p \"{}\"\n    button \"{}\"",
                    word(),
                    word(),
                    word()
                ),
                5 => writeln!(out, "  div role=listbox aria-label={}", word()),
                6 => writeln!(out, "  select aria-label={}", word()),
                7 => writeln!(
                    out,
                    "  div :pointer\n    img alt={}\n    a href={} \"{}\"\n    button \"{}\"",
                    word(),
                    word(),
                    word(),
                    word()
                ),
                _ => writeln!(out, "  h3\n    a href=/ \"{}\"\n  iframe title={}", word(), word()),
            };
            for row in 0..usize::from(*count) * (1 + seed % 5) {
                let _ = match kind {
                    1 => writeln!(
                        out,
                        "      li \"{}\"\n        a href=/{row} \"{}\"\n        button \"{}\"",
                        word(),
                        word(),
                        word()
                    ),
                    2 => writeln!(
                        out,
                        "    tr\n      td \"{}\"\n      td \"{}\"\n      td\n        button \"{}\"",
                        word(),
                        word(),
                        word()
                    ),
                    3 => writeln!(
                        out,
                        "    label\n      span \"{}\"\n      input title={} placeholder={} :value={}",
                        word(),
                        word(),
                        word(),
                        word()
                    ),
                    5 => {
                        writeln!(out, "    div role=option aria-selected={} \"{}\"", row == seed % 7, word())
                    }
                    6 => writeln!(out, "    option :none \"{}\"", word()),
                    _ => Ok(()),
                };
            }
        }
        let words: Vec<(String, String)> =
            self.words.iter().enumerate().map(|(index, word)| (format!("W{index}W"), word.clone())).collect();
        Tree::build(&Page::single(hostile(1, &out, &words)), &mut Refs::new())
    }
}

/// The lines of the tree, by what it holds and not by how it is said.
fn expected(tree: &Tree) -> Vec<parse::Line> {
    tree.shown()
        .map(|(at, node)| {
            let mut texts = Vec::new();
            if !node.name().is_empty() || node.is_text() {
                texts.push(node.brief().to_owned());
            }
            if node.role() != Role::Combobox {
                texts.extend(node.folded().iter().map(ToString::to_string));
            }
            parse::Line {
                depth: tree.ancestors(at).filter(|outer| tree.node(*outer).cut().is_none()).count(),
                reference: node.reference().map(|reference| reference.to_string()),
                word: if node.is_text() { String::new() } else { super::line::word(node).to_owned() },
                texts,
                value: node
                    .value()
                    .filter(|value| !value.is_empty())
                    .map(|value| crate::text::clip(value, 400).into_owned()),
                ..parse::Line::default()
            }
        })
        .collect()
}

fn all(tree: &Tree, mode: Mode) -> Rendered {
    page(tree, &Options { mode, ..Options::default() })
}

/// Every reply there is, the first one and those to every cursor that a reply gave.
fn walk(tree: &Tree, options: &Options) -> Vec<Rendered> {
    let mut replies = Vec::new();
    let mut cursors: Vec<Option<Cursor>> = vec![None];
    while let Some(cursor) = cursors.pop() {
        let reply = page(tree, &Options { cursor, ..options.clone() });
        cursors.extend(reply.cursor.into_iter().chain(reply.folds.iter().copied()).map(|cursor| {
            // An agent gives it back as text.
            Some(cursor.to_string().parse().expect("a cursor reads back"))
        }));
        replies.push(reply);
        assert!(replies.len() < 20_000, "the cursors do not end");
    }
    replies
}

/// The nodes' lines without indentation, for a line may stand elsewhere when what is urgent comes first. Nor does it
/// count whether a row says that it is one: that depends on where its reply begins.
fn said(replies: &[Rendered]) -> Vec<String> {
    let lines = replies.iter().flat_map(|reply| reply.text.lines());
    let mut said: Vec<String> = lines
        .map(str::trim_start)
        .filter(|line| !line.starts_with('…'))
        .map(|line| line.replacen(" row \"", " \"", 1))
        .collect();
    said.sort();
    said
}

#[test]
fn a_host_that_reads_like_a_state_is_quoted() {
    for (label, said) in
        [("pay.example", "pay.example"), ("disabled", "\"disabled\""), ("localhost:80", "localhost:80")]
    {
        let hang =
            |owner, label: &str, facts| Frame { owner, label: label.to_owned(), content: Ok(Rc::new(facts)) };
        let outer = sketch(1, "body\n  iframe#5 :frame title=Card");
        let inner = sketch(2, "body\n  p \"x\"");
        let owner = Some(Owner { frame: 0, element: ElementNo(5) });
        let page = Page { frames: vec![hang(None, "", outer), hang(owner, label, inner)] };
        let tree = Tree::build(&page, &mut Refs::new());
        assert_eq!(all(&tree, Mode::Full).text, format!("e1 iframe \"Card\" {said}\n \"x\"\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_reads_back_as_the_tree(drawn in drawn(words())) {
        let tree = drawn.tree();
        let text = all(&tree, Mode::Full).text;
        let read = parse::lines(&text).expect("the text form reads");
        let read: Vec<parse::Line> =
            read.into_iter().map(|line| parse::Line { states: Vec::new(), ..line }).collect();
        prop_assert_eq!(read, expected(&tree));
        for c in text.chars() {
            prop_assert!(c == '\n' || !crate::text::is_treacherous(c), "{c:?} is not escaped");
        }
    }

    #[test]
    fn a_budget_is_kept(drawn in drawn(common()), budget in prop_oneof![0usize..60, 60usize..600, 600usize..6000], which in 0u8..3) {
        let tree = drawn.tree();
        let mode = [Mode::Full, Mode::Interactive, Mode::Verbose][usize::from(which)];
        let mut options = Options { mode, max_tokens: Some(budget), ..Options::default() };
        for _ in 0..40 {
            let reply = page(&tree, &options);
            let tokens = tokens(&reply.text);
            prop_assert!(tokens <= budget.max(40), "{tokens} tokens (estimated {}) for {budget}:\n{}", reply.tokens, reply.text);
            let Some(cursor) = reply.cursor else { break };
            options.cursor = Some(cursor);
        }
    }

    #[test]
    fn a_diffs_budget_is_kept(before in drawn(common()), after in drawn(common()), budget in 120usize..2000) {
        let (old, new) = (before.tree(), after.tree());
        let changes = super::diff(&crate::diff::diff(&old, &new), &new, budget);
        let tokens = tokens(&changes.text);
        // One change is always told, with the cells of a row and all its states.
        let most = if changes.shown <= 1 { budget.max(300) } else { budget };
        prop_assert!(tokens <= most, "{tokens} tokens for {budget}:\n{}", changes.text);
    }

    #[test]
    fn all_cursors_together_say_each_line_once(drawn in drawn(words()), budget in 40usize..900, which in 0u8..2) {
        let tree = drawn.tree();
        let mode = [Mode::Full, Mode::Interactive][usize::from(which)];
        let replies = walk(&tree, &Options { mode, max_tokens: Some(budget), ..Options::default() });
        let lines: usize = replies.iter().map(|reply| reply.lines).sum();
        prop_assert_eq!(lines, all(&tree, mode).lines);
        // Lines that were too long for a reply of their own are said in part.
        if !replies.iter().any(|reply| reply.clipped) {
            prop_assert_eq!(said(&replies), said(&[all(&tree, mode)]));
        }
    }
}
