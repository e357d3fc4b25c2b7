//! The codes of parser diagnostics: sentences and formulas, controlled English, and the syntax of Lustre.

diagnostics::codes! {
    EMPTY "E0100" "There is no sentence or formula.",
        "An empty text says nothing.",
        "```fretish\n```" => "```fretish\nthe pump shall always satisfy on\n```";
    MISSING_SHALL "E0101" "A requirement needs the word `shall`.",
        "`shall` is what makes a sentence a requirement.",
        "the pump always satisfy on" => "the pump shall always satisfy on";
    MISSING_SATISFY "E0102" "The response comes after `satisfy`.",
        "`satisfy` separates when something is due from what is due.",
        "the pump shall always on" => "the pump shall always satisfy on";
    MISSING_COMPONENT "E0103" "A requirement names the component that it constrains.",
        "Without a component, nobody is responsible for the response.",
        "shall always satisfy on" => "the pump shall always satisfy on";
    EXPECTED_EXPRESSION "E0104" "An expression is missing.",
        "After a word such as `when` or `satisfy`, the sentence must say what holds.",
        "when the pump shall always satisfy on" => "when level > 3 the pump shall always satisfy on";
    COMPONENT_WORDS "E0105" "The name of a component is one word.",
        "With several words, it is unclear where the name ends.",
        "the water pump shall always satisfy on" => "the water_pump shall always satisfy on";
    SHALL_NOT "E0106" "`shall not` is rejected because it does not say when.",
        "`shall not` could mean never, or not always. Say which one you mean.",
        "the pump shall not satisfy on" => "the pump shall never satisfy on";
    MISPLACED "E0107" "A field is in the wrong place.",
        "The fields of a sentence have a fixed order: scope, condition, component, timing, response.",
        "the pump shall satisfy on within 3 ticks" => "the pump shall within 3 ticks satisfy on";
    REPEATED "E0108" "A field is given twice.",
        "With two scopes or timings, it is unclear which one counts.",
        "the pump shall always within 3 ticks satisfy on" => "the pump shall within 3 ticks satisfy on";
    UNEXPECTED "E0109" "A word or symbol is unexpected here.",
        "A word that has no place in the sentence would be ignored, although it was written for a reason.",
        "the pump shall always satisfy on on" => "the pump shall always satisfy on";
    UNKNOWN_CHARACTER "E0110" "A character is not part of any name, number or operator.",
        "A symbol without a meaning cannot be part of an expression.",
        "the pump shall always satisfy $level > 3" => "the pump shall always satisfy level > 3";
    UNCLOSED_PAREN "E0111" "A parenthesis is never closed.",
        "Without the closing parenthesis, it is unclear what belongs together.",
        "the pump shall always satisfy (a | b & c" => "the pump shall always satisfy (a | b) & c";
    UNMATCHED_PAREN "E0112" "A closing parenthesis has no opening one.",
        "Without the opening parenthesis, it is unclear what belongs together.",
        "the pump shall always satisfy a | b) & c" => "the pump shall always satisfy (a | b) & c";
    CHAINED_COMPARISON "E0113" "Comparisons cannot be chained.",
        "In most languages, `a < b < c` compares a Boolean with a number.",
        "the pump shall always satisfy 1 < level < 3" => "the pump shall always satisfy 1 < level & level < 3";
    MISSING_UNIT "E0114" "A duration needs a unit.",
        "Three steps, three seconds and three hours are not the same.",
        "the pump shall within 3 satisfy on" => "the pump shall within 3 seconds satisfy on";
    UNKNOWN_UNIT "E0115" "The word is not a unit of time.",
        "A duration in a unit that does not measure time has no length.",
        "the pump shall within 3 metres satisfy on" => "the pump shall within 3 seconds satisfy on";
    BAD_DURATION "E0116" "A duration is a number or a named constant.",
        "A duration is zero or more units of time, known before anything runs.",
        "the pump shall within -3 ticks satisfy on" => "the pump shall within 3 ticks satisfy on";
    ONLY_NEEDS_SCOPE "E0117" "`only` qualifies a scope, not a condition.",
        "`only` forbids the response outside a scope. A condition is a moment; it has no outside.",
        "only when p the pump shall always satisfy on" => "only in filling mode the pump shall always satisfy on";
    MISSING_THEN "E0118" "`if p then q` needs its `then`.",
        "`if p` alone is half of an implication.",
        "the pump shall always satisfy if p q" => "the pump shall always satisfy if p then q";
    UNCLOSED_QUOTE "E0119" "A quotation mark is never closed.",
        "Without the closing mark, the rest of the sentence is part of the name.",
        "the pump shall always satisfy \"water level > 3" => "the pump shall always satisfy \"water level\" > 3";
    TOO_LONG "E0120" "The text is longer than the limit.",
        "A text of this length is data, not a sentence, and parsing it would take very long.",
        "a sentence of two million characters" => "several sentences";
    TOO_DEEP "E0121" "The expression is nested deeper than the limit.",
        "Expressions nested this deeply come from generators, and no one can review them.",
        "((((… on …))))" => "the pump shall always satisfy on";
    BAD_BOUND "E0122" "The bound of a temporal operator is invalid.",
        "A bound counts steps, so it consists of integers.",
        "G[0.5,3] p" => "G[0,3] p";
    TOO_MANY_ERRORS "E0123" "Further errors are not listed.",
        "After this many errors, a longer list would not help.",
        "a text in another language" => "the pump shall always satisfy on";
    NOT_UTF8 "E0124" "The text is not UTF-8.",
        "Bytes that are not text cannot be shown or compared.",
        "a file saved as Latin-1" => "the file saved as UTF-8";
    GLUED_OPERATOR "E0125" "A word is a name, or operators without a space.",
        "`Xgrant` is a fine name. In many papers, it is the operator `X` before `grant`.",
        "G (grant -> Xgrant)" => "G (grant -> X grant)";
    BAD_PREDICATE_BOUND "E0203" "The bound of a temporal predicate is not a whole number of steps.",
        "Predicates count steps.",
        "the pump shall always satisfy persisted(x + 1, p)" => "the pump shall always satisfy persisted(3, p)";
    TOO_LARGE "E0207" "A number is larger than the limit.",
        "A number this large is a mistake, or makes every computation endless.",
        "the pump shall within 1e30 ticks satisfy on" => "the pump shall eventually satisfy on";
    MISSING_WHEN "E0301" "A requirement begins with `when`, `if` or `while`.",
        "A requirement first says in which situation it applies.",
        "The level is low, the pump shall: assign on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.";
    UNCONDITIONAL "E0302" "A requirement needs a condition.",
        "Without a condition, the action would be due at every instant.",
        "The pump shall: assign on to the motor." => "When the level is low, the pump shall: assign on to the motor.";
    MISSING_COMMA "E0303" "A comma is missing.",
        "The comma separates the situation from the component that acts in it.",
        "When the level is low the pump shall: assign on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.";
    MISSING_AND "E0304" "Conditions are joined with `, and` or `or`.",
        "Without `, and` or `or`, it is unclear how two conditions belong together.",
        "When the level is low the tank is closed, the pump shall: assign on to the motor."
            => "When the level is low, and the tank is closed, the pump shall: assign on to the motor.";
    COMMA_OR "E0305" "There is no comma before `or`.",
        "A comma ends a group of alternatives, so there is none inside the group.",
        "When the level is low, or the level is high, the pump shall: assign on to the lamp."
            => "When the level is low or the level is high, the pump shall: assign on to the lamp.";
    MISSING_VERB "E0306" "A condition needs a verb.",
        "The verb says whether something is, was or becomes true.",
        "When the level low, the pump shall: assign on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.";
    MISSING_VARIABLE "E0307" "A variable is missing.",
        "A condition is about a variable.",
        "When is low, the pump shall: assign on to the motor." => "When the level is low, the pump shall: assign on to the motor.";
    MISSING_VALUE "E0308" "A value is missing.",
        "A comparison needs something to compare with.",
        "When the level is, the pump shall: assign on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.";
    BAD_COMPARATIVE "E0309" "The words are not a comparison.",
        "There are few ways to write a comparison, so that each has one meaning.",
        "When the level is bigger than 3, the pump shall: assign on to the motor."
            => "When the level is greater than 3, the pump shall: assign on to the motor.";
    UNKNOWN_VERB "E0310" "The word is not the verb of an action.",
        "Only known verbs say what changes.",
        "When the level is low, the pump shall: bring on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.";
    INCOMPLETE_ACTION "E0311" "A part of an action is missing.",
        "An action names what changes and its new value.",
        "When the level is low, the pump shall: assign on." => "When the level is low, the pump shall: assign on to the motor.";
    AMBIGUOUS "E0312" "The sentence has two readings.",
        "A sentence that two readers may understand differently does not specify anything.",
        "a sentence whose words can be grouped in two ways" => "two sentences, or names without `and` and `or`";
    BAD_LUSTRE "E0601" "The program does not follow the syntax of Lustre.",
        "A program that cannot be parsed has no meaning.",
        "node f(x: int) returns (y: int) let y = x tel" => "node f(x: int) returns (y: int); let y = x; tel";
    UNCLOSED_COMMENT "E0602" "A comment or a contract is never closed.",
        "The rest of the file would be part of the comment.",
        "(* not yet" => "(* not yet *)";
    NOT_SUPPORTED "E0603" "A construct of Lustre is not supported.",
        "Leaving out a construct silently would change what is proved.",
        "node f(x: int) returns (y: bool); let y = forall (i: int) x > i; tel"
            => "node f(x: int) returns (y: bool); let y = x > 0 and x > 1; tel";
    IS_APPLIES_TO_ALL "W0103" "`is true` or `is false` applies to the whole expression.",
        "In `a & b is true`, the words apply to all of `a & b`, which may come as a surprise.",
        "the pump shall always satisfy a | b is false" => "the pump shall always satisfy a | !b";
    GLUED_NAME "W0107" "A name begins like a temporal operator.",
        "Other tools read `Xgrant` as the operator `X` before `grant`. Here it is a name.",
        "G (request -> Xgrant)" => "G (request -> X grant)";
}
