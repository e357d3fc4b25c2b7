//! The codes of lowering diagnostics: types, arguments and durations of sentences, and what formulas cannot express.

diagnostics::codes! {
    TYPE_MISMATCH "E0201" "A value has the wrong type.",
        "A number is neither true nor false, and a Boolean is not a number.",
        "the pump shall always satisfy level & level > 3" => "the pump shall always satisfy level > 3";
    WRONG_ARGUMENTS "E0202" "A predicate has the wrong number of arguments.",
        "With too few or too many arguments, a predicate means something else, or nothing.",
        "the pump shall always satisfy persisted(p)" => "the pump shall always satisfy persisted(3, p)";
    UNKNOWN_CONSTANT "E0204" "A named constant has no value.",
        "A duration has no meaning until its number is known.",
        "the pump shall within DELAY ticks satisfy on" => "| DELAY | constant | int | | 3 |\n\n\
                the pump shall within DELAY ticks satisfy on";
    FRACTIONAL_STEPS "E0205" "A duration is not a whole number of steps.",
        "Something can be due at a step, but not between two. Nothing is rounded silently.",
        "[project]\nstep = \"100 ms\"\n\nthe pump shall within 250 ms satisfy on"
            => "[project]\nstep = \"50 ms\"\n\nthe pump shall within 250 ms satisfy on";
    MIXED_UNITS "E0206" "Durations in different units need the length of a step.",
        "As long as a step has no length, one unit counts as one step. That cannot be true of two units.",
        "the pump shall within 3 seconds satisfy on\nthe pump shall within 2 minutes satisfy off"
            => "[project]\nstep = \"1 s\"\n\n\
                the pump shall within 3 seconds satisfy on\nthe pump shall within 2 minutes satisfy off";
    UNITS_AS_STEPS "W0101" "One unit of time counts as one step.",
        "Formulas count steps. That one second is one step is a guess.",
        "the pump shall within 3 seconds satisfy on"
            => "[project]\nstep = \"100 ms\"\n\nthe pump shall within 3 seconds satisfy on";
    PROBABILITY_LEFT_OUT "W0102" "The formulas do not express the probability.",
        "A temporal formula is about one run; a probability is about all of them.",
        "the pump shall with probability > 0.9 eventually satisfy on" => "the pump shall eventually satisfy on";
    NO_PAST_FORMULA "W0104" "The requirement has no past-time formula.",
        "A predicate about the future has no formula that looks back, so some tools cannot use it.",
        "the pump shall always satisfy persists(3, p)" => "the pump shall always satisfy persisted(3, p)";
    NO_FUTURE_FORMULA "W0105" "The requirement has no future-time formula.",
        "A predicate about the past has no formula that looks ahead, so some tools cannot use it.",
        "the pump shall always satisfy persisted(3, p)" => "the pump shall always satisfy persists(3, p)";
    FREEFORM "W0106" "A text in quotes is kept, but has no formal meaning.",
        "A text in quotes is for people; no check looks at it.",
        "\"the pump shall be nice\"" => "the pump shall always satisfy nice";
}
