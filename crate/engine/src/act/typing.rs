//! `act kind=type` and `kind=press`: real keys, to the field that was named or that has the focus.

use super::{
    Done, Stage,
    control::{self, Control, Takes},
    editor,
    fill::js,
    formatted::{self, is_formatted, is_half_filled, is_in_mask},
    gate::{self, Worked},
    kept::Held,
    keyboard::{self, Chord, Key},
};
use crate::{
    capture,
    failure::Failure,
    place::Reach,
    reply::clip,
    target::{self, Care, Target},
};
use serde::Deserialize;
use snapshot::{ElementNo, Ref};
use tools::{RefName, act::At};

#[derive(Debug, Deserialize)]
struct Marked {
    times: u32,
}

/// Types a text.
///
/// # Errors
/// When nothing that takes text has the focus, or it does not hold the text afterwards.
pub async fn type_text(
    stage: &Stage,
    into: Option<RefName>,
    text: &str,
    at: At,
    replace: Option<&str>,
    submit: bool,
) -> Result<Done, Failure> {
    let target = match into {
        Some(into) => Some(stage.find(into, Care::Act).await?),
        None => with_focus(stage).await?,
    };
    let Some(mut target) = target else { return Err(Failure::NothingFocused) };
    if submit {
        gate::pass(stage, &mut target, "type and press Enter in", Worked::Entered).await?;
    }
    let done = put(stage, &target, into.is_some(), text, at, replace).await?;
    if submit {
        keyboard::stroke(stage, &Key::named("Enter"), 0).await?;
        // What was sent is mostly taken out of the field.
        return Ok(Done { kept: Vec::new(), ..done.noting("Enter pressed") });
    }
    Ok(done)
}

/// Types into an element that has the focus.
///
/// # Errors
/// As [`type_text`].
pub async fn type_into(
    stage: &Stage,
    target: Target,
    text: &str,
    at: At,
    replace: Option<&str>,
) -> Result<Done, Failure> {
    put(stage, &target, false, text, at, replace).await
}

/// Types into an element, which is given the focus where that is said.
///
/// # Errors
/// As [`type_text`].
pub async fn put(
    stage: &Stage,
    target: &Target,
    focus: bool,
    text: &str,
    at: At,
    replace: Option<&str>,
) -> Result<Done, Failure> {
    let control = control::enabled(stage, target).await?;
    gate::pass_field(stage, &mut target.clone(), &control, "type into").await?;
    if control.read_only {
        return Err(Failure::ReadOnly { target: target.said.clone() });
    }
    let takes = control.takes();
    if !matches!(takes, Takes::Line | Takes::Lines) {
        return Err(Failure::NotEditable { target: target.said.clone() });
    }
    if control.secret && replace.is_some() {
        return Err(Failure::BadArgument(
            "replace reads what a field holds; not of one whose content is secret".into(),
        ));
    }
    if control.drawn_apart
        && let Some(drawn) = editor::around(target).await?
    {
        if replace.is_some() {
            return Err(Failure::BadArgument(
                "replace finds nothing in an editor that draws its text itself; use fill, or keys".into(),
            ));
        }
        return editor::type_text(stage, target, &drawn, text).await;
    }
    let holds = control::length(&control.value);
    let length = holds + control::length(text) - replace.map_or(0, control::length).min(holds);
    control.accepts(target, text, length)?;
    if focus {
        super::aim::reveal(target, false).await?;
        stage.touch();
        control::give_focus(target).await?;
    }
    match (replace, at) {
        (Some(replaced), _) => {
            let question = format!("mark({},{})", target.element.0, js(replaced));
            let times =
                target.reach.ask::<Option<Marked>>(&question).await?.ok_or(Failure::DocumentChanged)?.times;
            if times != 1 {
                return Err(Failure::NotOnce {
                    target: target.said.clone(),
                    text: replaced.to_owned(),
                    times,
                });
            }
        }
        (None, At::End | At::Start) => {
            let blank = formatted::blank(&control.value).map(String::from).unwrap_or_default();
            let question = format!("caret({},{},{})", target.element.0, at == At::Start, js(&blank));
            target.reach.ask::<Option<bool>>(&question).await?.ok_or(Failure::DocumentChanged)?;
            if matches!(control.kind.as_str(), "number" | "email") {
                // Their selection cannot be set by script (HTML, the input element's API).
                let end = if at == At::Start { "Home" } else { "End" };
                keyboard::stroke(stage, &Key::named(end), 0).await?;
            }
        }
        (None, At::Caret) => {}
    }
    let line_end = if control.editable { LineEnd::Command } else { LineEnd::Text };
    strike_all(stage, text, line_end).await?;
    let expected = match (replace, at) {
        (Some(replaced), _) => Some(control.value.replacen(replaced, text, 1)),
        (None, At::End) => Some(format!("{}{text}", control.value.trim_end_matches('\n'))),
        (None, At::Start) => Some(format!("{text}{}", control.value)),
        (None, At::Caret) => None,
    };
    read_back(target, &control, text, expected.as_deref()).await
}

/// How a line is ended without the Enter key, which would send what was only typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnd {
    /// As text, which a plain field takes as it is.
    Text,
    /// By the browser's own command: what is edited in place makes lines of more than text.
    Command,
}

/// Strikes one character after the other, whoever has the focus.
///
/// # Errors
/// When the tab is lost, or shows another page meanwhile.
pub async fn strike_all(stage: &Stage, text: &str, line_end: LineEnd) -> Result<(), Failure> {
    let page = stage.tab.state.borrow().commit.at;
    for character in text.chars() {
        if stage.tab.state.borrow().commit.at != page {
            return Err(Failure::DocumentChanged);
        }
        strike(stage, character, line_end).await?;
    }
    Ok(())
}

/// One character: as a key where the keyboard has one, else put in as an input method does.
async fn strike(stage: &Stage, character: char, line_end: LineEnd) -> Result<(), Failure> {
    if character == '\n' && line_end == LineEnd::Command {
        keyboard::end_line(stage).await
    } else if let Some((key, modifiers)) = Key::of_character(character) {
        keyboard::stroke(stage, &key, modifiers).await
    } else {
        keyboard::insert(stage, &character.to_string()).await
    }
}

/// What the field holds after the keys. Where it cannot be known what it should hold, the text must be new in it.
async fn read_back(
    target: &Target,
    before: &Control,
    text: &str,
    expected: Option<&str>,
) -> Result<Done, Failure> {
    let now = match control::read(target).await {
        Ok(now) => now,
        Err(
            Failure::DialogOpen { .. } | Failure::DocumentChanged | Failure::FrameGone | Failure::Gone { .. },
        ) => {
            return Ok(Done::on("type", target).noting("the page answered before it could be read back"));
        }
        Err(failure) => return Err(failure),
    };
    let held = if before.secret {
        Held::Secret(text.to_owned())
    } else {
        Held::Text {
            wanted: expected.map(str::to_owned),
            put: text.to_owned(),
            held: now.value.trim_end_matches('\n').to_owned(),
        }
    };
    let done = Done::on("type", target).holding(now.value.trim_end_matches('\n')).keeping(target, held);
    let grown = now.value != before.value;
    let (there, formatted) = if before.secret {
        let within = control::compare(target, text).await?.within;
        (within && grown, false)
    } else if let Some(expected) = expected {
        let trimmed = now.value.trim_end_matches('\n');
        let formatted = is_formatted(trimmed, expected) || is_in_mask(trimmed, &before.value, text);
        (trimmed == expected.trim_end_matches('\n'), formatted)
    } else {
        (now.value.contains(text) && grown, false)
    };
    if there {
        return Ok(done);
    }
    if formatted {
        return Ok(done.noting("formatted by the page"));
    }
    let half = expected.is_some_and(|expected| is_half_filled(now.value.trim_end_matches('\n'), expected));
    if !before.secret && half {
        return Ok(done.noting("formatted by the page, with places left to fill"));
    }
    let wanted = if before.secret { "•".repeat(text.chars().count()) } else { text.to_owned() };
    Err(Failure::NotTaken { target: target.said.clone(), wanted: clip(&wanted), is: clip(&now.value) })
}

/// Has the person asked where a key works an element as a press would, or sends what it is in.
async fn pass_key(stage: &Stage, target: &mut Target, chord: &Chord) -> Result<(), Failure> {
    let (enter, space) = (chord.strikes("Enter"), chord.strikes(" "));
    if !enter && !space {
        return Ok(());
    }
    let takes = control::read(target).await?.takes();
    let (verb, how) = match (takes, enter) {
        (Takes::Line | Takes::Picked, true) => ("press Enter in", Worked::Entered),
        // There a line end, there a blank.
        (Takes::Lines | Takes::Line | Takes::Picked, _) => return Ok(()),
        (Takes::Checked | Takes::Option | Takes::Nothing, true) => ("press Enter on", Worked::Pressed),
        (Takes::Checked | Takes::Option | Takes::Nothing, false) => ("press Space on", Worked::Pressed),
    };
    gate::pass(stage, target, verb, how).await.map(drop)
}

/// Presses a key or a chord.
///
/// # Errors
/// When there is no such key, or the element does not take the focus.
pub async fn press(stage: &Stage, key: &str, on: Option<RefName>) -> Result<Done, Failure> {
    let chord = Chord::read(key)?;
    let target = if let Some(on) = on {
        let mut target = stage.find(on, Care::Act).await?;
        control::enabled(stage, &target).await?;
        pass_key(stage, &mut target, &chord).await?;
        stage.touch();
        control::give_focus(&target).await?;
        target::confirm(stage, &mut target).await?;
        gate::holds(stage, &target)?;
        Some(target)
    } else {
        let mut target = with_focus(stage).await?;
        if let Some(target) = &mut target {
            pass_key(stage, target, &chord).await?;
        }
        target
    };
    keyboard::strike(stage, &chord).await?;
    Ok(match target {
        Some(target) => {
            let notes = target.note.into_iter().collect();
            Done { notes, ..Done::plainly(format!("press {key} on {}", target.said)) }
        }
        None => Done::plainly(format!("press {key}")).noting("nothing had the focus"),
    })
}

#[derive(Debug, Deserialize)]
struct Active {
    element: ElementNo,
}

/// What has the focus, through all frames; none where it is the page itself.
///
/// # Errors
/// When the page cannot be asked.
pub async fn with_focus(stage: &Stage) -> Result<Option<Target>, Failure> {
    let tree = capture::capture(&stage.core, &stage.tab).await?;
    let mut homes = {
        let known = stage.tab.state.borrow();
        let inner: Vec<_> = known.owners.keys().copied().collect();
        known.homes.iter().find(|(document, _)| !inner.contains(document)).map(|(d, p)| (*d, p.clone()))
    };
    while let Some((document, place)) = homes {
        let reach = Reach::new(&stage.core, &stage.tab, place);
        let Some(Active { element }) = reach.ask::<Option<Active>>("active()").await? else {
            return Ok(None);
        };
        let below = {
            let known = stage.tab.state.borrow();
            let inner = known
                .owners
                .iter()
                .find(|(_, owner)| **owner == (document, element))
                .map(|(inner, _)| *inner);
            inner.and_then(|inner| Some((inner, known.homes.get(&inner)?.clone())))
        };
        if below.is_some() {
            homes = below;
            continue;
        }
        let reference = stage.core.refs.borrow().get(document, element);
        let said = reference
            .map_or_else(|| "what has the focus".to_owned(), |reference| target::said(&tree, reference));
        let reference = reference.unwrap_or(Ref(0));
        return Ok(Some(Target { reach, document, element, reference, said, note: None, tree }));
    }
    Ok(None)
}
