//! Code editors that draw their text themselves and take what is typed through a text area that nobody sees. What that
//! area holds says nothing: all is selected by the editor's own key, and what the editor shows is read back.

use super::{
    Done, Stage, control,
    fill::js,
    keyboard::{self, Chord, Key},
    typing::{self, LineEnd},
};
use crate::{clock::Millis, failure::Failure, reply::clip, target::Target};
use serde::Deserialize;

/// How a text area is drawn, and what is drawn around it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Drawn {
    context: bool,
    width: f64,
    height: f64,
    opacity: f64,
    apple: bool,
    text: String,
}

/// CSS pixels below which nobody reads a field.
const UNREADABLE: f64 = 8.0;

/// How long an editor may take to draw what was typed.
const DRAWING: Millis = Millis(1_000);

/// How often it is looked at.
const PACE: Millis = Millis(30);

/// Lines up to which all must be seen; of more, an editor draws only those in view.
const ALL_SEEN: usize = 12;

/// The editor around a text area, if the area is of one.
///
/// # Errors
/// When the element or its document went.
pub async fn around(target: &Target) -> Result<Option<Drawn>, Failure> {
    let drawn = look(target).await?;
    let unseen =
        drawn.context || drawn.width < UNREADABLE || drawn.height < UNREADABLE || drawn.opacity == 0.0;
    Ok(unseen.then_some(drawn))
}

async fn look(target: &Target) -> Result<Drawn, Failure> {
    let drawn: Option<Drawn> = target.reach.ask(&format!("drawnAround({})", target.element.0)).await?;
    drawn.ok_or_else(|| Failure::Vanished { target: target.said.clone() })
}

/// Replaces what an editor holds.
///
/// # Errors
/// When it does not show the text afterwards.
pub async fn fill(stage: &Stage, target: &Target, before: &Drawn, text: &str) -> Result<Done, Failure> {
    stage.touch();
    control::give_focus(target).await?;
    let all = Chord::read(if before.apple { "Meta+A" } else { "Control+A" })?;
    keyboard::strike(stage, &all).await?;
    keyboard::stroke(stage, &Key::named("Delete"), 0).await?;
    // Lines that are typed are indented and their brackets closed; those that are pasted stay as they are.
    let pasted = text.contains('\n') && {
        let question = format!("paste({},{})", target.element.0, js(text));
        target.reach.ask::<Option<bool>>(&question).await?.ok_or(Failure::DocumentChanged)?
    };
    if !text.is_empty() && !pasted {
        keyboard::insert(stage, text).await?;
    }
    let holds = |drawn: &str| shows_only(drawn, text);
    let (done, drawn) = shown(stage, Done::on("fill", target), target, text, holds).await?;
    Ok(if is_indented(&drawn, text) { done } else { done.noting("indented in its own way") })
}

/// Types into an editor, where its caret is.
///
/// # Errors
/// When it does not show the text afterwards.
pub async fn type_text(stage: &Stage, target: &Target, before: &Drawn, text: &str) -> Result<Done, Failure> {
    stage.touch();
    control::give_focus(target).await?;
    typing::strike_all(stage, text, LineEnd::Text).await?;
    let was = count(&before.text, text);
    let holds = |drawn: &str| count(drawn, text) > was;
    shown(stage, Done::on("type", target), target, text, holds).await.map(|(done, _)| done)
}

async fn shown(
    stage: &Stage,
    done: Done,
    target: &Target,
    wanted: &str,
    holds: impl Fn(&str) -> bool,
) -> Result<(Done, String), Failure> {
    let limit = stage.core.desk.now() + DRAWING;
    loop {
        let drawn = look(target).await?.text;
        if holds(&drawn) {
            return Ok((
                done.holding(&snapshot::without_line_numbers(&drawn)).noting("as its editor shows it"),
                drawn,
            ));
        }
        if stage.core.desk.now() >= limit {
            let (wanted, is) = (clip(wanted), clip(drawn.trim()));
            return Err(Failure::NotTaken { target: target.said.clone(), wanted, is });
        }
        stage.core.desk.sleep(PACE).await;
    }
}

/// Without white space and what has no width: editors draw blanks in their own ways.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\u{200b}' | '\u{feff}' | '·')).collect()
}

fn count(drawn: &str, text: &str) -> usize {
    let text = bare(text);
    if text.is_empty() { 0 } else { bare(drawn).matches(&text).count() }
}

/// Whether each line is drawn as far in as it is wanted, as far as that can be told: a tab is drawn in many ways, and of
/// a long text only what is in view.
fn is_indented(drawn: &str, wanted: &str) -> bool {
    let plain = |text: &str| text.replace('\u{a0}', " ").trim_end().to_owned();
    let drawn: Vec<_> = drawn.lines().map(plain).collect();
    let told = wanted.lines().count() <= ALL_SEEN && !wanted.contains('\t');
    let is_drawn = |line: &String| {
        drawn.iter().any(|it| it == line || it.trim_start_matches(|c: char| c.is_ascii_digit()) == line)
    };
    !told || wanted.lines().map(plain).filter(|line| !line.is_empty()).all(|line| is_drawn(&line))
}

/// Whether what is drawn is of the text and of nothing else but line numbers; of a short text, all of it.
fn shows_only(drawn: &str, text: &str) -> bool {
    let lines = |of: &str| of.lines().map(bare).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    let (drawn, wanted) = (lines(drawn), lines(text));
    let ours = |line: &String| wanted.iter().any(|wanted| wanted.contains(line) || line.ends_with(wanted));
    let number = |line: &String| line.chars().all(|c| c.is_ascii_digit());
    let only = drawn.iter().all(|line| ours(line) || number(line));
    let there = |wanted: &String| drawn.iter().any(|line| line.ends_with(wanted));
    only && if wanted.len() <= ALL_SEEN { wanted.iter().all(there) } else { wanted.iter().any(there) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_further_in_is_told() {
        assert!(is_indented("1\nif (a) {\n2\n\u{a0}\u{a0}b();\n3\n}", "if (a) {\n  b();\n}"));
        assert!(is_indented("1if (a) {\n2  b();", "if (a) {\n  b();"));
        assert!(!is_indented("if (a) {\n  b();\n  }", "if (a) {\n  b();\n}"));
        assert!(is_indented("    b();", "\tb();"));
    }

    #[test]
    fn line_numbers_and_blanks_are_no_content() {
        assert!(shows_only("1\nlet a = 1;\n2\n  b();", "let a = 1;\n  b();"));
        assert!(shows_only("1let\u{a0}a\n2b", "let a\nb"));
        assert!(!shows_only("1\nlet a = 1;\n2\nold();", "let a = 1;"));
        assert!(!shows_only("1\nlet a = 1;", "let a = 1;\nb();"));
        assert!(shows_only("1", ""));
        assert!(!shows_only("old", ""));
    }
}
