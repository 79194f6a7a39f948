//! Names without what changes by itself: times, ages, counts in brackets, and, of what only stands beside an element,
//! counts that stand before a word or after a colon.

use crate::text::collapse;

/// A name without what changes by itself: times, and counts in brackets.
pub fn steady(name: &str) -> String {
    if !name.bytes().any(|b| b.is_ascii_digit()) {
        return collapse(name);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let ago = words[at..]
            .iter()
            .take(3)
            .position(|word| word.trim_matches(is_edge).eq_ignore_ascii_case("ago"));
        if let Some(ago) = ago.filter(|_| words[at].starts_with(|c: char| c.is_ascii_digit())) {
            at += ago + 1;
        } else if is_time(words[at]) || is_count(words[at]) {
            at += 1;
        } else {
            kept.push(words[at]);
            at += 1;
        }
    }
    // What is nothing but a number is its name all the same: a page's "3", a key's "7".
    if kept.is_empty() && !words.iter().any(|word| is_time(word)) { words.join(" ") } else { kept.join(" ") }
}

fn is_edge(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | '(' | ')' | '[' | ']')
}

/// `12:30`, `1:02:03`.
fn is_time(word: &str) -> bool {
    let word = word.trim_matches(is_edge);
    let parts: Vec<&str> = word.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))
}

/// `(12)`, `[3]`, `(99+)`.
fn is_count(word: &str) -> bool {
    let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    let inner = inner.or_else(|| word.strip_prefix('[').and_then(|word| word.strip_suffix(']')));
    inner.is_some_and(|inner| {
        let digits = inner.trim_end_matches('+');
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b',' || b == b'.')
    })
}

/// The words of a text beside an element, without numbers that count; or the number that it is.
pub fn parted(text: &str) -> (String, Option<String>) {
    let steady = steady(text);
    let words: Vec<&str> = steady.split(' ').filter(|word| !word.is_empty() && !is_count(word)).collect();
    let is_number = |word: &&str| {
        let bare =
            word.trim_start_matches(['#', '+', '-']).trim_end_matches(['%', '+']).trim_matches(is_edge);
        !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.' | b'/' | b'-'))
    };
    let number = words.first().filter(|_| words.iter().all(is_number)).map(|word| (*word).to_owned());
    // `42 likes` counts, `4 May` and `12 Oak Street` name.
    let is_plain =
        |word: Option<&&str>| word.is_none_or(|word| word.chars().next().is_none_or(char::is_lowercase));
    let mut kept: Vec<&str> = Vec::new();
    for (place, word) in words.iter().copied().enumerate() {
        let leads = kept.is_empty() && is_plain(words.get(place + 1));
        let counts = is_number(&word) && (leads || kept.last().is_some_and(|before| before.ends_with(':')));
        if !counts {
            kept.push(word);
        }
    }
    let said = kept.join(" ");
    if said.chars().any(char::is_alphabetic) { (said, number) } else { (String::new(), number) }
}

#[cfg(test)]
mod tests {
    use super::{parted, steady};

    #[test]
    fn what_changes_by_itself_is_left_out() {
        for (name, kept) in [
            ("Inbox (12)", "Inbox"),
            ("Alerts [99+]", "Alerts"),
            ("Edited 5 minutes ago", "Edited"),
            ("Started 12:30:05", "Started"),
            ("Item 12", "Item 12"),
            ("3", "3"),
            ("12:30", ""),
            ("  plain \n name ", "plain name"),
        ] {
            assert_eq!(steady(name), kept, "{name}");
        }
    }

    #[test]
    fn what_counts_is_told_from_what_names() {
        for (text, words, number) in [
            ("Message 3", "Message 3", None),
            ("42 likes", "likes", None),
            ("Likes: 42", "Likes:", None),
            ("4 May", "4 May", None),
            ("1001", "", Some("1001")),
            ("#1001", "", Some("#1001")),
            ("12:30", "", None),
            (" (3) ", "", None),
            ("Alice", "Alice", None),
            ("—", "", None),
        ] {
            assert_eq!(parted(text), (words.to_owned(), number.map(str::to_owned)), "{text}");
        }
    }
}
