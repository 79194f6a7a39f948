//! About how many tokens a model reads in a text: hardly ever below what o200k counts, without its tables. Words of
//! common languages are judged by their length, what looks like no word (random letters, hashes) and rare scripts by
//! what such pieces cost at most.

/// An upper estimate of a text's tokens.
pub fn estimate(text: &str) -> usize {
    let mut sum = Sum::default();
    for c in text.chars() {
        sum.add(c);
    }
    // Other languages in these letters have fewer of their words in the table.
    let foreign = if sum.words >= MANY_WORDS && !is_english(text) { sum.letters * 3 / 5 } else { 0 };
    // A sixteenth more: what looks like no word varies by about that.
    let twelfths = sum.twelfths + foreign;
    (twelfths + twelfths / 16) / 12 + 1
}

/// With fewer words than this a language cannot be told.
const MANY_WORDS: usize = 5;

/// Whether a text has one of the words without which hardly anything is said in English.
fn is_english(text: &str) -> bool {
    const USUAL: [&str; 24] = [
        "a", "all", "and", "are", "as", "at", "be", "by", "for", "from", "has", "in", "is", "it", "not",
        "of", "on", "or", "that", "the", "this", "to", "with", "you",
    ];
    let mut words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() <= 4);
    words.any(|word| USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(word)))
}

/// Costs so far, in twelfths of a token.
struct Sum {
    twelfths: usize,
    /// Of them, for letters; and how many words these make.
    letters: usize,
    words: usize,
    /// Letters of the word so far, and how many of the last ones are consonants, or capitals.
    word: usize,
    consonants: usize,
    capitals: usize,
    digits: usize,
    before: char,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            twelfths: 0,
            letters: 0,
            words: 0,
            word: 0,
            consonants: 0,
            capitals: 0,
            digits: 0,
            before: ' ',
        }
    }
}

impl Sum {
    fn add(&mut self, c: char) {
        self.twelfths += if c.is_ascii_alphabetic() {
            self.digits = 0;
            let cost = self.letter(c);
            self.letters += cost;
            self.words += usize::from(self.word == 1);
            cost
        } else {
            (self.word, self.consonants, self.capitals) = (0, 0, 0);
            if c.is_ascii_digit() {
                self.digits += 1;
                self.digit()
            } else {
                self.digits = 0;
                self.other(c)
            }
        };
        self.before = c;
    }

    /// Letters come in words of a few letters a token.
    fn letter(&mut self, c: char) -> usize {
        self.word += 1;
        let is_vowel = matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        self.consonants = if is_vowel { 0 } else { self.consonants + 1 };
        self.capitals = if c.is_ascii_uppercase() { self.capitals + 1 } else { 0 };
        // A word's first letter pays for most of it; long words come in pieces.
        let base = if self.word == 1 || (self.before.is_ascii_lowercase() && c.is_ascii_uppercase()) {
            11
        } else if self.word > 6 {
            3
        } else {
            1
        };
        // Few words have so many consonants in a row, or are in capitals.
        let odd = match self.consonants {
            0..=1 => 0,
            2 => 1,
            3 => 3,
            _ => 7,
        } + usize::from(self.capitals > 1) * 3
            + usize::from(matches!(c, 'q' | 'x' | 'z' | 'j') && self.word > 1) * 4;
        base + odd
    }

    /// Digits come in threes; a blank before a number is a token of its own.
    fn digit(&self) -> usize {
        match (self.digits % 3, self.before) {
            (1, ' ') if self.digits == 1 => 21,
            (1, _) => 12,
            (_, _) => 0,
        }
    }

    /// Signs mostly stand alone; letters of other scripts cost by script.
    fn other(&self, c: char) -> usize {
        match c {
            ' ' if self.before == ' ' => 1,
            ' ' => 2,
            c if c.is_ascii_punctuation() && self.before.is_ascii_digit() => 12,
            c if c.is_ascii() => 9,
            '\u{c0}'..='\u{ff}' => 9,
            '\u{370}'..='\u{52f}' | '\u{600}'..='\u{6ff}' => 7,
            '\u{530}'..='\u{5ff}' | '\u{900}'..='\u{dff}' => 10,
            '\u{a0}'..='\u{bf}' | '\u{e00}'..='\u{10ff}' => 14,
            '\u{100}'..='\u{24f}' | '\u{2010}'..='\u{205e}' | '\u{20a0}'..='\u{20bf}' => 13,
            '\u{2190}'..='\u{27bf}' => 24,
            '\u{3000}'..='\u{33ff}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{ff00}'..='\u{ffef}' => 16,
            '\u{1f000}'..='\u{1faff}' => 36,
            // Byte by byte, at worst.
            c => c.len_utf8() * 12,
        }
    }
}
