//! Whether a field holds what was asked for, but for what a page may format: spaces, case, and punctuation that only
//! groups. A sign, a digit and what stands behind a decimal point are content, and so is every letter.

/// Whether `held` is `wanted` as a page may write it. A text of signs alone must be the same.
pub fn is_formatted(held: &str, wanted: &str) -> bool {
    let wanted = readings(wanted, Point::Plain);
    readings(held, Point::Either).iter().any(|held| !held.is_empty() && wanted.contains(held))
}

/// What one point or comma with three digits behind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Point {
    /// As programs write numbers: a point is decimal, a comma groups.
    Plain,
    /// It may be either, by the page's language.
    Either,
}

/// Signs that masks show for what is not filled in.
const BLANKS: [char; 3] = ['_', '•', '＿'];

/// The sign that a mask shows for what is not filled in, if a value looks like one with some left.
pub fn blank(value: &str) -> Option<char> {
    BLANKS.into_iter().find(|blank| value.chars().filter(|c| c == blank).count() > 1)
}

/// Whether `held` is what a mask makes of `wanted`: letters and digits in place of its blanks, in their order.
pub fn is_in_mask(held: &str, mask: &str, wanted: &str) -> bool {
    let Some(blank) = blank(mask) else { return false };
    let mut given = wanted.chars().filter(|c| c.is_alphanumeric());
    let filled: String =
        mask.chars().map(|c| if c == blank { given.next().unwrap_or(blank) } else { c }).collect();
    given.next().is_none() && filled != mask && held == filled
}

/// Whether `held` is a mask of which `wanted` fills the first places, and some are left: letters and digits that end with
/// it, and after the first blank nothing but signs and blanks. What the mask has of its own may stand before.
pub fn is_half_filled(held: &str, wanted: &str) -> bool {
    let wanted: String = wanted.chars().filter(|c| c.is_alphanumeric()).collect();
    let Some((filled, left)) = held.split_once(BLANKS) else { return false };
    let filled: String = filled.chars().filter(|c| c.is_alphanumeric()).collect();
    !wanted.is_empty() && filled.ends_with(&wanted) && !left.contains(char::is_alphanumeric)
}

/// What is left of a text without what groups: one reading, or two where a point could group or be decimal.
fn readings(text: &str, point: Point) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut readings = vec![String::new()];
    let mut at = 0;
    let mut before = None;
    while at < characters.len() {
        let character = characters[at];
        if character.is_ascii_digit() {
            let end = number_end(&characters, at);
            let found = number(&characters[at..end], point);
            readings = readings
                .iter()
                .flat_map(|so_far| found.iter().map(move |number| format!("{so_far}{number}")))
                .collect();
            before = Some('0');
            at = end;
            continue;
        }
        if let Some(sign) = sign(before, &characters[at..]) {
            for reading in &mut readings {
                reading.push(sign);
            }
        } else if character.is_alphanumeric() {
            let small: String = character.to_lowercase().collect();
            for reading in &mut readings {
                reading.push_str(&small);
            }
        }
        if !character.is_whitespace() {
            before = Some(character);
        }
        at += 1;
    }
    readings
}

/// A sign before a number: one that stands behind no letter or digit. A plus says nothing.
fn sign(before: Option<char>, rest: &[char]) -> Option<char> {
    let minus = matches!(rest.first(), Some('-' | '−'));
    let free = before.is_none_or(|before| !before.is_alphanumeric());
    let mut behind = rest.iter().skip(1).skip_while(|c| !c.is_alphanumeric() && !matches!(c, '-' | '−'));
    (minus && free && behind.next().is_some_and(char::is_ascii_digit)).then_some('-')
}

fn groups(character: char) -> bool {
    matches!(character, '.' | ',' | '\'' | '’' | '٬' | '_') || character.is_whitespace()
}

/// Where a number ends: digits, with single separators between them.
fn number_end(characters: &[char], from: usize) -> usize {
    let mut end = from;
    while end < characters.len() {
        let next = characters.get(end + 1).copied();
        if characters[end].is_ascii_digit() {
            end += 1;
        } else if groups(characters[end]) && next.is_some_and(|next| next.is_ascii_digit()) {
            end += 2;
        } else {
            break;
        }
    }
    end
}

/// The readings of a number: its digits, and a point where one is decimal. What is zero behind it says nothing.
fn number(characters: &[char], point: Point) -> Vec<String> {
    let digits = |part: &[char]| part.iter().filter(|c| c.is_ascii_digit()).collect::<String>();
    let whole = digits(characters);
    let Some(last) = characters.iter().rposition(|c| matches!(c, '.' | ',')) else { return vec![whole] };
    let separator = characters[last];
    let times = characters.iter().filter(|c| **c == separator).count();
    let behind = digits(&characters[last + 1..]);
    let spaced = characters[last..].iter().any(|c| c.is_whitespace());
    if times > 1 || spaced {
        // Of the same sign several: it groups, as in a date or an address.
        return vec![whole];
    }
    let decimal = {
        let fraction = behind.trim_end_matches('0');
        let head = digits(&characters[..last]);
        if fraction.is_empty() { head } else { format!("{head}.{fraction}") }
    };
    let other = characters[..last].iter().any(|c| matches!(c, '.' | ',') && *c != separator);
    match (behind.len() == 3 && !other, point, separator) {
        (false, ..) | (true, Point::Plain, '.') => vec![decimal],
        (true, Point::Plain, _) => vec![whole],
        (true, Point::Either, _) => vec![decimal, whole],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_groups_may_differ() {
        for (held, wanted) in [
            ("4242 4242 4242 4242", "4242424242424242"),
            ("(555) 123-4567", "5551234567"),
            ("+44 20 1234", "+44201234"),
            ("1,250", "1250"),
            ("1.250", "1250"),
            ("1 250", "1250"),
            ("1,250.00", "1250"),
            ("1.250,50", "1250.5"),
            ("12,50 ", "12.5"),
            ("€ 12.50", "12.50"),
            ("-$12.50", "-12.50"),
            ("- 12.50", "-12.5"),
            ("−12.5", "-12.5"),
            ("30.11.2026", "30112026"),
            ("12:30", "1230"),
            ("ABC-12", "abc12"),
            ("ab 12", "AB-12"),
            ("1'000'000", "1000000"),
        ] {
            assert!(is_formatted(held, wanted), "{held} for {wanted}");
        }
    }

    #[test]
    fn a_mask_takes_what_fits_its_blanks() {
        let mask = "+1 (___) ___-____";
        assert!(is_in_mask("+1 (555) 123-4567", mask, "5551234567"));
        assert!(is_in_mask("+1 (555) 123-4567", mask, "555 123 4567"));
        assert!(is_in_mask("+1 (55_) ___-____", mask, "55"));
        assert!(!is_in_mask("+1 (555) 123-4567", mask, "55512345678"));
        assert!(!is_in_mask("+1 (555) 123-4568", mask, "5551234567"));
        assert!(!is_in_mask("+1 (555) 123-4567", "+1 (555) 123-4567", "5551234567"));
        assert!(!is_in_mask(mask, mask, ""));
    }

    #[test]
    fn a_mask_may_be_filled_in_part() {
        assert!(is_half_filled("+1 (55_) ___-____", "55"));
        assert!(is_half_filled("(555) 123-456_", "555 123 456"));
        assert!(is_half_filled("24.12.____", "24.12"));
        assert!(!is_half_filled("+1 (55_) ___-____", "54"));
        assert!(!is_half_filled("+1 (5__) ___-____", "55"));
        assert!(!is_half_filled("(55_) ___-__00", "55"));
        assert!(!is_half_filled("(___) ___-____", ""));
        assert!(!is_half_filled("555", "555"));
    }

    #[test]
    fn what_is_content_may_not() {
        for (held, wanted) in [
            ("1250", "-12.50"),
            ("12.50", "-12.50"),
            ("-12.50", "12.50"),
            ("1250", "12.50"),
            ("12", "12.50"),
            ("12.5", "125"),
            ("1250", "1.250"),
            ("171", "0171"),
            ("42 kg", "42"),
            ("424", "42"),
            ("", "---"),
            ("", "x"),
            ("x", "y"),
        ] {
            assert!(!is_formatted(held, wanted), "{held} for {wanted}");
        }
    }
}
