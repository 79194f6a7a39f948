//! The words in a computed `content`: its strings, or the alternative that follows a slash.

/// The text that a `content` value says. Counters and images without an alternative say nothing.
pub fn words(content: &str) -> String {
    let mut out = String::new();
    let mut alternative = false;
    let mut rest = content;
    if rest.starts_with(' ') {
        out.push(' ');
    }
    while let Some(c) = rest.chars().next() {
        match c {
            '"' | '\'' => rest = string(&rest[1..], c, &mut out),
            '/' => {
                // What comes before was for the eye; the alternative is a word of its own.
                out.clear();
                out.push(' ');
                alternative = true;
                rest = &rest[1..];
            }
            '(' => {
                let mut skipped = String::new();
                rest = &rest[1..];
                while let Some(c) = rest.chars().next() {
                    rest = match c {
                        ')' => break,
                        '"' | '\'' => string(&rest[1..], c, &mut skipped),
                        c => &rest[c.len_utf8()..],
                    };
                }
            }
            _ if rest.starts_with("open-quote") => {
                out.push('“');
                rest = &rest["open-quote".len()..];
            }
            _ if rest.starts_with("close-quote") => {
                out.push('”');
                rest = &rest["close-quote".len()..];
            }
            c => rest = &rest[c.len_utf8()..],
        }
    }
    if alternative || content.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Appends a CSS string up to its closing quote; returns what follows.
fn string<'a>(text: &'a str, quote: char, out: &mut String) -> &'a str {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return &text[at + 1..];
        }
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escape = &text[at + 1..];
        let digits = escape.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            if let Some((_, escaped)) = chars.next() {
                out.push(escaped);
            }
            continue;
        }
        let code = u32::from_str_radix(&escape[..digits], 16).unwrap_or(0);
        out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        for _ in 0..digits {
            chars.next();
        }
        if escape[digits..].starts_with(' ') {
            chars.next();
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn strings_and_alternatives() {
        assert_eq!(words(r#""*""#), "*");
        assert_eq!(words(r#"" a " "b""#), " a b");
        assert_eq!(words(r#""→" / "next""#), " next ");
        assert_eq!(words(r#"url("x.png") / "logo""#), " logo ");
        assert_eq!(words(r#"url("x(\").png")"#), "");
        assert_eq!(words(r#"counter(n) ". ""#), ". ");
        assert_eq!(words(r#""say \"hi\" \2192 x""#), "say \"hi\" →x");
        assert_eq!(words(r#" "x" "#), " x ");
        assert_eq!(words(r#""broken"#), "broken");
        assert_eq!(words("open-quote"), "“");
    }
}
