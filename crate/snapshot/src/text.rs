//! White space and quoting: page text in a form that cannot be mistaken for anything else.

/// Text with each run of white space made one blank, and none at either end.
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    collapse_onto(&mut out, text);
    if out.ends_with(' ') {
        out.pop();
    }
    out
}

/// Appends text, each run of white space made one blank: none at the start, one may be left at the end.
pub fn collapse_onto(out: &mut String, text: &str) {
    for c in text.chars() {
        if is_space(c) {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push(c);
        }
    }
}

/// Whether it is all white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// White space as HTML and accname see it, the no-break space among it.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}')
}

/// Appends the text as a JSON string on one line. What cannot be seen or changes how a line reads (control, zero-width,
/// bidirectional and private-use characters, line and paragraph separators) is escaped.
pub fn quote_onto(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_treacherous(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str("\\u");
                    for shift in [12, 8, 4, 0] {
                        let digit = u32::from(*unit >> shift & 0xf);
                        out.push(char::from_digit(digit, 16).unwrap_or('0'));
                    }
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The text as a JSON string on one line.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_onto(&mut out, text);
    out
}

/// Whether a character is unseen, or changes how what is around it reads.
pub fn is_treacherous(c: char) -> bool {
    c.is_control()
        || c as u32 & 0xfffe == 0xfffe
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e007f}' | '\u{f0000}'..='\u{10ffff}')
}

/// At most so many characters, with `…` for what was left out.
pub fn clip(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}

/// What an editor draws: its lines, without blanks of no width and without the numbers that some draw before them all.
/// There are no more numbers than lines, so that lines that are numbers themselves stay.
pub fn without_line_numbers(drawn: &str) -> String {
    let lines: Vec<&str> = drawn.lines().collect();
    let is_number = |line: &&&str| !line.is_empty() && line.chars().all(|c| c.is_ascii_digit());
    let numbers = lines.iter().take_while(is_number).count().min(lines.len().div_ceil(2));
    let plain = |line: &&str| line.replace('\u{a0}', " ").replace(['\u{200b}', '\u{feff}'], "");
    lines.iter().skip(numbers).map(plain).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_forge_a_line() {
        let text = "Save\"\ne9 button \"Pay\u{202e}\u{200b}\u{e001}\u{2028}\\";
        let quoted = quote(text);
        assert_eq!(quoted, r#""Save\"\ne9 button \"Pay\u202e\u200b\ue001\u2028\\""#);
        assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
    }

    #[test]
    fn white_space_collapses() {
        assert_eq!(collapse("  a \n\t b\u{a0} "), "a b");
        assert_eq!(collapse(" \n"), "");
    }

    #[test]
    fn long_text_is_clipped_between_characters() {
        assert_eq!(clip("añb", 2), "añ…");
        assert_eq!(clip("añ", 2), "añ");
    }

    #[test]
    fn line_numbers_and_odd_blanks_are_no_text() {
        for (drawn, expected) in [
            ("1\n2\nlet\u{a0}a;\n\u{a0}\u{a0}42\u{200b}\n", "let a;\n  42"),
            ("1\n42", "42"),
            ("1\n2\n3\n4", "3\n4"),
            ("1", ""),
            ("words", "words"),
        ] {
            assert_eq!(without_line_numbers(drawn), expected);
        }
    }
}
