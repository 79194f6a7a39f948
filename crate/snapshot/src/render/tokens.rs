//! About how many tokens a model reads in a text: never far below what o200k counts, without its tables.

/// An upper estimate of a text's tokens.
pub fn estimate(text: &str) -> usize {
    // In twelfths of a token. Letters come in words of a few letters a token, digits in threes, signs mostly alone.
    let mut twelfths = 0;
    let mut word = 0;
    let mut digits = 0;
    let mut before = ' ';
    for c in text.chars() {
        let cost = if c.is_ascii_alphabetic() {
            word += 1;
            digits = 0;
            // A word's first letter pays for most of it; long words come in pieces.
            if word == 1 || (before.is_ascii_lowercase() && c.is_ascii_uppercase()) {
                11
            } else if word > 6 {
                3
            } else {
                1
            }
        } else {
            word = 0;
            if c.is_ascii_digit() {
                digits += 1;
                // A blank before a number is a token of its own.
                if digits % 3 != 1 {
                    0
                } else if before == ' ' {
                    21
                } else {
                    12
                }
            } else {
                digits = 0;
                match c {
                    ' ' if before == ' ' => 1,
                    ' ' => 2,
                    '\n' => 9,
                    c if c.is_ascii() => 9,
                    '\u{c0}'..='\u{24f}' => 8,
                    '\u{370}'..='\u{52f}' => 5,
                    '\u{2010}'..='\u{205e}' => 10,
                    '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => 12,
                    c if (c as u32) < 0x2000 => 9,
                    _ => 24,
                }
            }
        };
        twelfths += cost;
        before = c;
    }
    twelfths / 12 + 1
}
