//! The keywords of the grammar. They are contextual: where the grammar does not expect one of them, the same text is an ordinary
//! name.

macro_rules! words {
    ($($variant:ident $($text:literal)+,)*) => {
        /// A keyword; case-insensitive.
        #[allow(missing_docs)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Word { $($variant,)* }

        impl Word {
            /// The keyword with this spelling, if any.
            pub fn of(text: &str) -> Option<Word> {
                const LONGEST: usize = 12;
                if text.len() > LONGEST { return None; }
                let mut lower = [0; LONGEST];
                let lower = &mut lower[..text.len()];
                lower.copy_from_slice(text.as_bytes());
                lower.make_ascii_lowercase();
                match std::str::from_utf8(lower).ok()? {
                    $($($text)|+ => Some(Word::$variant),)*
                    _ => None,
                }
            }

            /// Every spelling of every keyword, in lower case.
            pub const SPELLINGS: &'static [&'static str] = &[$($($text,)+)*];
        }
    };
}

words! {
    In "in", Mode "mode", During "during", While "while", Except "except", Only "only",
    Before "before", After "after",
    When "when", If "if", Upon "upon", Where "where", Unless "unless", Whenever "whenever",
    And "and", Or "or", Not "not", Xor "xor", Implies "implies", Iff "iff", Mod "mod",
    Is "is", True "true" "⊤", False "false" "⊥", Then "then",
    At "at", The "the", Previous "previous", Next "next", Occurrence "occurrence", Of "of",
    First "first", Same "same", Last "last", Timepoint "timepoint", Time "time", Point "point",
    Shall "shall", Satisfy "satisfy", With "with", Probability "probability",
    Immediately "immediately", Initially "initially", Finally "finally", Eventually "eventually",
    Always "always", Never "never", Within "within", For "for", Until "until",
    Must "must", Should "should", Will "will", Satisfies "satisfies" "satisfied",
    Tick "tick" "ticks" "step" "steps" "timepoints",
    Microsecond "microsecond" "microseconds" "microsec" "microsecs" "us" "usec",
    Millisecond "millisecond" "milliseconds" "millisec" "millisecs" "ms" "msec",
    Second "second" "seconds" "sec" "secs" "s",
    Minute "minute" "minutes" "min" "mins",
    Hour "hour" "hours" "h",
}

impl Word {
    /// Whether it introduces a clause of a condition.
    pub(crate) fn is_qualifier(self) -> bool {
        use Word::{If, Unless, Upon, When, Whenever, Where};
        matches!(self, When | If | Upon | Where | Unless | Whenever)
    }

    /// Whether it opens a scope.
    pub(crate) fn opens_scope(self) -> bool {
        use Word::{After, Before, During, Except, In, Only, While};
        matches!(self, In | During | While | Before | After | Except | Only)
    }

    /// Whether it comes after an operand, so that the word before it is a name.
    pub(crate) fn follows_operand(self) -> bool {
        use Word::{And, Iff, Implies, Is, Mod, Or, Satisfy, Shall, The, Then, Xor};
        matches!(self, And | Or | Xor | Implies | Iff | Is | Mod | The | Then | Shall | Satisfy)
    }

    /// Whether it can be a word of a phrase: it neither separates nor joins the parts of a sentence.
    pub(crate) fn fits_phrase(self) -> bool {
        use Word::{
            At, First, For, In, Is, Last, Mode, Next, Occurrence, Of, Point, Previous, Probability, Same,
            The, Time, Timepoint, With,
        };
        let is_plain = matches!(
            self,
            At | First
                | For
                | In
                | Is
                | Last
                | Mode
                | Next
                | Occurrence
                | Of
                | Point
                | Previous
                | Probability
        );
        is_plain || matches!(self, Same | The | Time | Timepoint | With) || self.is_unit()
    }

    /// Whether it is a unit of time.
    pub(crate) fn is_unit(self) -> bool {
        use Word::{Hour, Microsecond, Millisecond, Minute, Second, Tick};
        matches!(self, Tick | Microsecond | Millisecond | Second | Minute | Hour)
    }

    /// Whether it opens a timing of one word.
    pub(crate) fn is_plain_timing(self) -> bool {
        use Word::{Always, Eventually, Finally, Immediately, Initially, Never};
        matches!(self, Immediately | Initially | Finally | Eventually | Always | Never)
    }
}

/// The number that an English word stands for: up to twelve, and round ones up to a hundred.
///
/// ```
/// assert_eq!(["five", "Thirty", "some"].map(shall_syntax::number_word), [Some(5), Some(30), None]);
/// ```
pub fn number_word(word: &str) -> Option<u32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    const ROUND: [(&str, u32); 10] = [
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("seventy", 70),
        ("eighty", 80),
        ("ninety", 90),
        ("hundred", 100),
    ];
    let small = (0..).zip(WORDS).find(|(_, known)| word.eq_ignore_ascii_case(known));
    let round = || ROUND.iter().find(|(known, _)| word.eq_ignore_ascii_case(known));
    small.map(|(number, _)| number).or_else(|| round().map(|(_, number)| *number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_decides_and_case_does_not() {
        for (text, word) in [
            ("shall", Some(Word::Shall)),
            ("SHALL", Some(Word::Shall)),
            ("Secs", Some(Word::Second)),
            ("immediately", Some(Word::Immediately)),
            ("shal", None),
            ("ſhall", None),
            ("", None),
            ("averyveryverylongname", None),
        ] {
            assert_eq!(Word::of(text), word, "{text}");
        }
        assert!(Word::SPELLINGS.iter().all(|text| Word::of(text).is_some()));
    }
}
