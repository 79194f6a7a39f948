//! Reads the text form back, knowing only how it is written: one line a node, a blank for each level; then a ref, a
//! word for what it is, quoted texts (a row's cells in one, with
//! strokes between them), `(2/3)`, `="value"`, and words or `word=value` for all else. A text of its own is
//! only quoted. What is quoted is a JSON string. A line that begins with `…` counts what is folded.

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    pub depth: usize,
    pub reference: Option<String>,
    /// Empty for a text of its own.
    pub word: String,
    /// Quoted texts right after it.
    pub texts: Vec<String>,
    pub value: Option<String>,
    /// States and all else; quoted values unquoted.
    pub states: Vec<(String, Option<String>)>,
    /// The cursor of what is folded here.
    pub fold: Option<String>,
}

/// Reads all lines; `None` if one does not read.
pub fn lines(text: &str) -> Option<Vec<Line>> {
    text.split_terminator('\n').map(line).collect()
}

fn line(text: &str) -> Option<Line> {
    let mut rest = text.trim_start_matches(' ');
    let mut line = Line { depth: text.len() - rest.len(), ..Line::default() };
    if rest.starts_with('…') {
        line.fold = Some(rest.split_once("cursor=")?.1.to_owned());
        return Some(line);
    }
    if !rest.starts_with('"') {
        let first = word(&mut rest)?;
        let digits = first.strip_prefix('e').filter(|digits| !digits.is_empty());
        if digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
            line.reference = Some(first);
            // Only a row right under its table has no word.
            line.word = if rest.starts_with('"') { "row".to_owned() } else { word(&mut rest)? };
        } else {
            line.word = first;
        }
        if !line.word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return None;
        }
    }
    while rest.starts_with('"') {
        let text = quoted(&mut rest, true)?;
        if line.word == "row" { line.texts.extend(parted(&text)) } else { line.texts.push(text) }
    }
    while !rest.is_empty() {
        if let Some(value) = rest.strip_prefix('=') {
            rest = value;
            if line.value.replace(quoted(&mut rest, true)?).is_some() {
                return None;
            }
        } else if rest.starts_with('"') {
            line.states.push((String::new(), Some(quoted(&mut rest, true)?)));
        } else {
            let end = rest.find([' ', '=']).unwrap_or(rest.len());
            let name = rest[..end].to_owned();
            rest = &rest[end..];
            let mut value = None;
            if let Some(written) = rest.strip_prefix('=') {
                rest = written;
                value =
                    Some(if rest.starts_with('"') { quoted(&mut rest, false)? } else { word(&mut rest)? });
            } else {
                rest = rest.strip_prefix(' ').unwrap_or(rest);
            }
            line.states.push((name, value));
        }
    }
    Some(line)
}

/// What strokes part.
fn parted(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '|' => parts.push(String::new()),
            '\\' => parts.last_mut().expect("one at least").extend(signs.next()),
            other => parts.last_mut().expect("one at least").push(other),
        }
    }
    parts
}

fn word(rest: &mut &str) -> Option<String> {
    let end = rest.find(' ').unwrap_or(rest.len());
    let word = rest[..end].to_owned();
    *rest = rest[end..].strip_prefix(' ').unwrap_or("");
    (!word.is_empty()).then_some(word)
}

/// A JSON string, and the blank behind it; unless it stands alone, with what hangs on it (`"a|b"+4`).
fn quoted(rest: &mut &str, alone: bool) -> Option<String> {
    let mut read = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    let mut text = read.next()?.ok()?;
    let mut tail = &rest[read.byte_offset()..];
    if !alone && tail.starts_with('+') {
        text.push_str(&word(&mut tail)?);
    } else if let Some(after) = tail.strip_prefix(' ') {
        tail = after;
    } else if !tail.is_empty() {
        return None;
    }
    *rest = tail;
    Some(text)
}
