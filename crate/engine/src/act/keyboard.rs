//! The keyboard: keys by name and by character (UI Events: `key`, `code`, `keyCode`), chords, strokes.

use super::Stage;
use crate::{failure::Failure, session::Session, tab::Dialog, task::all};
use cdp::{
    Command,
    input::{DispatchKeyEvent, InsertText, KeyEventType, modifiers},
};
use futures::future::{Either, select};
use std::pin::pin;
use tools::act::Modifier;

/// A key of the keyboard (US layout, as `code` means it).
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_field_names, reason = "named as the properties of KeyboardEvent")]
pub struct Key {
    /// `KeyboardEvent.key` without modifiers.
    pub key: String,
    /// `KeyboardEvent.code`
    pub code: String,
    /// `KeyboardEvent.keyCode`
    pub number: u16,
    /// What it types.
    pub text: Option<String>,
}

/// Keys with names: `key`, `code`, `keyCode`, the text they make.
const NAMED: &[(&str, &str, u16, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("Space", "Space", 32, " "),
    ("Shift", "ShiftLeft", 16, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Alt", "AltLeft", 18, ""),
    ("Meta", "MetaLeft", 91, ""),
    ("ContextMenu", "ContextMenu", 93, ""),
    ("F1", "F1", 112, ""),
    ("F2", "F2", 113, ""),
    ("F3", "F3", 114, ""),
    ("F4", "F4", 115, ""),
    ("F5", "F5", 116, ""),
    ("F6", "F6", 117, ""),
    ("F7", "F7", 118, ""),
    ("F8", "F8", 119, ""),
    ("F9", "F9", 120, ""),
    ("F10", "F10", 121, ""),
    ("F11", "F11", 122, ""),
    ("F12", "F12", 123, ""),
];

/// Other names for them that agents use.
const ALIASES: &[(&str, &str)] = &[
    ("Return", "Enter"),
    ("Esc", "Escape"),
    ("Del", "Delete"),
    ("Up", "ArrowUp"),
    ("Down", "ArrowDown"),
    ("Left", "ArrowLeft"),
    ("Right", "ArrowRight"),
    ("Spacebar", "Space"),
    ("Ctrl", "Control"),
    ("Cmd", "Meta"),
    ("Command", "Meta"),
    ("Option", "Alt"),
];

/// Keys that type signs: without and with Shift, `code`, `keyCode`.
const SIGNS: &[(char, char, &str, u16)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('0', ')', "Digit0", 48),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
];

impl Key {
    /// A key of the table of names; one that is not there types nothing.
    pub fn named(name: &str) -> Self {
        let (key, code, number, text) =
            NAMED.iter().find(|(key, ..)| *key == name).copied().unwrap_or(("", "", 0, ""));
        let text = if text.is_empty() { None } else { Some(text.to_owned()) };
        let key = if key == "Space" { " " } else { key };
        Self { key: key.into(), code: code.into(), number, text }
    }

    /// The key that types a character, and the modifiers it needs. None for those that the keyboard has not.
    pub fn of_character(character: char) -> Option<(Self, u8)> {
        if character == ' ' {
            return Some((Self::named("Space"), 0));
        }
        if character.is_ascii_alphabetic() {
            let upper = character.to_ascii_uppercase();
            let shift = if character.is_ascii_uppercase() { modifiers::SHIFT } else { 0 };
            let text = Some(character.to_string());
            return Some((
                Self { key: character.into(), code: format!("Key{upper}"), number: upper as u16, text },
                shift,
            ));
        }
        let (plain, _, code, number) =
            SIGNS.iter().find(|(plain, shifted, ..)| *plain == character || *shifted == character)?;
        let shift = if *plain == character { 0 } else { modifiers::SHIFT };
        let text = Some(character.to_string());
        Some((Self { key: character.into(), code: (*code).into(), number: *number, text }, shift))
    }
}

/// The bit of a modifier.
pub fn bit(modifier: Modifier) -> u8 {
    match modifier {
        Modifier::Alt => modifiers::ALT,
        Modifier::Control => modifiers::CONTROL,
        Modifier::Meta => modifiers::META,
        Modifier::Shift => modifiers::SHIFT,
    }
}

fn modifier_named(name: &str) -> Option<u8> {
    match name {
        "Alt" => Some(modifiers::ALT),
        "Control" => Some(modifiers::CONTROL),
        "Meta" => Some(modifiers::META),
        "Shift" => Some(modifiers::SHIFT),
        _ => None,
    }
}

/// A key with the modifiers held while it is struck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord {
    held: Vec<(Key, u8)>,
    key: Key,
    bits: u8,
}

impl Chord {
    /// Whether this key is struck, whatever is held meanwhile.
    pub fn strikes(&self, key: &str) -> bool {
        self.key.key == key
    }

    /// Reads `Control+Shift+K`, `Enter`, `+`.
    ///
    /// # Errors
    /// [`Failure::UnknownKey`] with the names there are.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        let unknown = || {
            let names: Vec<_> = NAMED.iter().map(|(name, ..)| *name).collect();
            Failure::UnknownKey {
                key: text.to_owned(),
                known: format!("{}, single characters, and chords like Control+Shift+K", names.join(", ")),
            }
        };
        let (before, last) = match text.strip_suffix('+') {
            // `+` itself, alone or behind modifiers.
            Some(before) => (before.strip_suffix('+').unwrap_or(before), "+"),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let mut held = Vec::new();
        let mut bits = 0;
        for name in before.split('+').filter(|name| !name.is_empty()) {
            let name = canonical(name);
            let bit = modifier_named(&name).ok_or_else(unknown)?;
            bits |= bit;
            held.push((Key::named(&name), bit));
        }
        let mut characters = last.chars();
        let key = if let (Some(character), None) = (characters.next(), characters.next()) {
            let (key, shift) = Key::of_character(character).ok_or_else(unknown)?;
            if shift != 0 && bits & !modifiers::SHIFT == 0 {
                bits |= shift;
            }
            shifted(key, bits)
        } else {
            let name = canonical(last);
            if !NAMED.iter().any(|(key, ..)| *key == name) {
                return Err(unknown());
            }
            Key::named(&name)
        };
        Ok(Self { held, key, bits })
    }
}

fn canonical(name: &str) -> String {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    let name = ALIASES.iter().find(|(alias, _)| same(alias)).map_or(name, |(_, name)| name);
    let known = NAMED.iter().find(|(key, ..)| key.eq_ignore_ascii_case(name));
    known.map_or(name, |(key, ..)| key).to_owned()
}

/// A letter with Shift is a capital.
fn shifted(mut key: Key, bits: u8) -> Key {
    if bits & modifiers::SHIFT != 0 && key.code.starts_with("Key") {
        key.key = key.key.to_uppercase();
        key.text = key.text.map(|text| text.to_uppercase());
    }
    key
}

fn event(r#type: KeyEventType, key: &Key, bits: u8) -> DispatchKeyEvent {
    let typed = bits & !modifiers::SHIFT == 0;
    let text = key.text.clone().filter(|_| typed && r#type == KeyEventType::KeyDown);
    DispatchKeyEvent {
        r#type,
        modifiers: bits,
        key: key.key.clone(),
        code: key.code.clone(),
        windows_virtual_key_code: key.number,
        unmodified_text: text.clone(),
        text,
        location: u8::from(matches!(key.number, 16 | 17 | 18 | 91)),
        commands: commands(r#type, key, bits),
    }
}

/// What a Mac's keyboard binds by itself, and a synthetic key does not (Chromium sends editing commands along).
fn commands(r#type: KeyEventType, key: &Key, bits: u8) -> Vec<String> {
    let all = r#type != KeyEventType::KeyUp && bits == modifiers::META && key.code == "KeyA";
    if all { vec!["selectAll".into()] } else { Vec::new() }
}

/// The event that lets a key come up.
pub fn up(key: &Key, bits: u8) -> DispatchKeyEvent {
    event(KeyEventType::KeyUp, key, bits)
}

fn down(key: &Key, bits: u8) -> DispatchKeyEvent {
    let types = key.text.is_some() && bits & !modifiers::SHIFT == 0;
    event(if types { KeyEventType::KeyDown } else { KeyEventType::RawKeyDown }, key, bits)
}

/// Strikes a key with modifiers that are not themselves pressed.
///
/// # Errors
/// When the tab is lost.
pub async fn stroke(stage: &Stage, key: &Key, bits: u8) -> Result<(), Failure> {
    send(stage, vec![down(key, bits), up(key, bits)]).await
}

/// Strikes a chord: modifiers down, key down, key up, modifiers up.
///
/// # Errors
/// When the tab is lost.
pub async fn strike(stage: &Stage, chord: &Chord) -> Result<(), Failure> {
    let mut events = Vec::new();
    let mut bits = 0;
    for (key, bit) in &chord.held {
        bits |= bit;
        events.push(down(key, bits));
    }
    events.push(down(&chord.key, chord.bits));
    events.push(up(&chord.key, chord.bits));
    for (key, bit) in chord.held.iter().rev() {
        bits &= !bit;
        events.push(up(key, bits));
    }
    stage.tab.state.borrow_mut().held.keys = chord.held.iter().map(|(key, _)| key.clone()).collect();
    let sent = send(stage, events).await;
    stage.tab.state.borrow_mut().held.keys.clear();
    sent
}

/// Ends a line where the caret is, as the Enter key does where it does nothing else: by the browser's own command, under
/// a key that is none. (`insertNewline` would leave a line too many where white space is kept.)
///
/// # Errors
/// When the tab is lost.
pub async fn end_line(stage: &Stage) -> Result<(), Failure> {
    let none = Key::named("");
    let down = DispatchKeyEvent { commands: vec!["insertParagraph".into()], ..down(&none, 0) };
    send(stage, vec![down, up(&none, 0)]).await
}

/// Puts a text in at once, as an input method does.
///
/// # Errors
/// When the tab is lost, or the document that is typed into has gone.
pub async fn insert(stage: &Stage, text: &str) -> Result<(), Failure> {
    send(stage, vec![InsertText { text: text.to_owned() }]).await
}

/// Sends events at once; a dialog that opens on the way ends the wait, not the events. Nothing is sent to a page that
/// came after the one that is typed into.
async fn send<C: Command>(stage: &Stage, events: Vec<C>) -> Result<(), Failure> {
    if stage.tab.state.borrow().heeds_nobody() {
        return Err(Failure::DocumentChanged);
    }
    stage.touch();
    let root = Session::root(&stage.core, &stage.tab);
    let sent: Vec<_> = events.iter().map(|event| root.call(event)).collect();
    let dialog =
        stage.tab.signal.until(|| matches!(stage.tab.state.borrow().dialog, Dialog::Open(_)).then_some(()));
    match select(pin!(all(sent)), pin!(dialog)).await {
        Either::Left((answers, _)) => answers.into_iter().try_for_each(|answer| answer.map(|_| ())),
        Either::Right(((), _)) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let got = match Chord::read(text) {
            Ok(chord) => {
                let held: Vec<_> = chord.held.iter().map(|(key, _)| key.code.as_str()).collect();
                format!(
                    "[{}] {} {} {:?} {}",
                    held.join(" "),
                    chord.key.key,
                    chord.key.code,
                    chord.key.text,
                    chord.bits
                )
            }
            Err(failure) => failure.code().into(),
        };
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn chords_read() {
        check("Enter", r#"[] Enter Enter Some("\r") 0"#);
        check("enter", r#"[] Enter Enter Some("\r") 0"#);
        check("Control+A", r#"[ControlLeft] A KeyA Some("A") 2"#);
        check("ctrl+a", r#"[ControlLeft] a KeyA Some("a") 2"#);
        check("Control+Shift+k", r#"[ControlLeft ShiftLeft] K KeyK Some("K") 10"#);
        check("+", r#"[] + Equal Some("+") 8"#);
        check("Control++", r#"[ControlLeft] + Equal Some("+") 2"#);
        check("A", r#"[] A KeyA Some("A") 8"#);
        check("?", r#"[] ? Slash Some("?") 8"#);
        check("Space", r#"[]   Space Some(" ") 0"#);
        check("Enterr", "unknown_key");
        check("A+B", "unknown_key");
        check("", "unknown_key");
    }

    #[test]
    fn a_key_with_control_types_nothing() {
        let chord = Chord::read("Control+a").unwrap();
        let event = down(&chord.key, chord.bits);
        assert_eq!((event.r#type, event.text), (KeyEventType::RawKeyDown, None));
    }

    #[test]
    fn a_mac_is_told_what_its_keyboard_would_do() {
        for (text, expected) in
            [("Meta+A", "selectAll"), ("Meta+a", "selectAll"), ("Control+A", ""), ("A", "")]
        {
            let chord = Chord::read(text).unwrap();
            assert_eq!(down(&chord.key, chord.bits).commands.join(","), expected, "{text}");
            assert_eq!(up(&chord.key, chord.bits).commands.join(","), "", "{text}");
        }
    }
}
