//! The codes of what lowering controlled English reports.

diagnostics::codes! {
    SORT_CLASH "E0401" "The values of a variable have different types.",
        "A variable holds numbers, truth values or names, but not a mixture of them.",
        "When the level is low, the pump shall: assign 3 to the valve.\n\
         When the level is high, the pump shall: assign open to the valve."
            => "When the level is low, the pump shall: assign closed to the valve.\n\
                When the level is high, the pump shall: assign open to the valve.";
    UNORDERED "E0402" "Names and truth values can only be equal or different.",
        "Names and truth values have no order, so neither of two is greater.",
        "When the mode is greater than idle, the pump shall: assign on to the motor."
            => "When the mode is not idle, the pump shall: assign on to the motor.";
    TIMER_ASSIGNED "E0403" "A timer can only be reset.",
        "Time passes by itself; a timer can only start again.",
        "When the level is low, the pump shall: assign 3 to the filling timer."
            => "When the level is low, the pump shall: reset the filling timer.";
    NOT_A_TIMER "E0404" "Only a timer can be reset.",
        "Only what measures time can start again.",
        "When the level is low, the pump shall: reset the valve.\n\
         When the level is high, the pump shall: assign open to the valve."
            => "When the level is low, the pump shall: assign closed to the valve.\n\
                When the level is high, the pump shall: assign open to the valve.";
    TIMER_PAST "E0405" "A timer has no previous value.",
        "A timer runs continuously; its earlier values are not kept.",
        "When the filling timer was 3, the pump shall: reset the filling timer."
            => "When the filling timer is 3, the pump shall: reset the filling timer.";
    TIMER_VALUE "E0406" "A timer is compared with a number.",
        "The time on a timer is a number.",
        "When the filling timer is long, the pump shall: reset the filling timer."
            => "When the filling timer is greater than 30, the pump shall: reset the filling timer.";
    ASSIGNED_TWICE "E0407" "A requirement assigns a variable twice.",
        "An action can give a variable only one value.",
        "When the level is low, the pump shall: assign on to the lamp, assign off to the lamp."
            => "When the level is low, the pump shall: assign on to the lamp.";
    DUPLICATE_ID "E0408" "An id is given twice.",
        "Links and reports cannot tell apart two requirements with the same id.",
        "## P-1: Fill\n\n## P-1: Drain" => "## P-1: Fill\n\n## P-2: Drain";
    NOT_AN_INPUT "E0409" "The environment decides only inputs.",
        "The system decides what it writes; the environment does not.",
        "When the level is low, the pump shall: assign on to the motor.\nThe motor is never on."
            => "When the level is low, the pump shall: assign on to the motor.\nThe level is never high.";
    NOT_CONSTANT "E0410" "An initial or assigned value is one constant.",
        "An initial value is known before anything runs.",
        "When the level is 3, the pump shall: assign 1 to the lamp.\nInitially the lamp is the level."
            => "When the level is 3, the pump shall: assign 1 to the lamp.\nInitially the lamp is 0.";
    INITIAL_TWICE "E0411" "An initial value is given twice.",
        "A variable can start with only one value.",
        "When the level is low, the pump shall: assign on to the lamp.\nInitially the lamp is off.\nInitially the lamp is on."
            => "When the level is low, the pump shall: assign on to the lamp.\nInitially the lamp is off.";
    TOO_MANY_CASES "E0412" "The conditions have more cases than the limit.",
        "Nested conditions lead to more alternatives than anyone can check.",
        "a condition with hundreds of alternatives" => "several requirements";
    BAD_DICTIONARY "E0413" "A line of the dictionary is invalid.",
        "A line that cannot be read declares nothing.",
        "inputs level" => "input the level";
    NOT_LINEAR "E0414" "A product needs a number as one of its factors.",
        "Conditions with a product of two variables cannot be decided exactly.",
        "When the level is lower than the level times the level, the pump shall: assign on to the motor."
            => "When the level is lower than 2 times the level, the pump shall: assign on to the motor.";
    DEFAULT_INITIAL "W0301" "Initial values are not given.",
        "Without initial values, defaults are chosen, which may differ from what is built.",
        "When the level is low, the pump shall: assign on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.\n\
                Initially the level is low.\nInitially the motor is off.";
    WHOLE_AS_REAL "W0302" "Whole numbers become reals beside fractional numbers.",
        "If one value of a variable is fractional, all of its values are real numbers.",
        "When the level is low, the pump shall: assign 3 to the motor.\n\
         When the level is high, the pump shall: assign 3.5 to the motor."
            => "When the level is low, the pump shall: assign 3.0 to the motor.\n\
                When the level is high, the pump shall: assign 3.5 to the motor.";
    NEVER_RESET "W0303" "A timer is never reset.",
        "A timer that is never reset measures the time since the start.",
        "When the filling timer is 3, the pump shall: assign off to the motor."
            => "When the filling timer is 3, the pump shall: assign off to the motor, reset the filling timer.";
    FRACTIONAL_BOUND "W0304" "A timer is compared with a number that is not whole.",
        "With whole steps, a timer never has this value.",
        "When the filling timer is 2.5, the pump shall: reset the filling timer."
            => "When the filling timer is 3, the pump shall: reset the filling timer.";
    UNKNOWN_PHRASE "W0305" "A phrase is not in the dictionary.",
        "A phrase that the dictionary does not have may be a typo.",
        "the presure is low" => "the pressure is low";
    NEVER_USED "W0306" "No requirement uses a variable.",
        "A variable that only has an initial value decides nothing.",
        "When the level is low, the pump shall: assign on to the motor.\nInitially the lamp is off."
            => "When the level is low, the pump shall: assign on to the lamp.\nInitially the lamp is off.";
    NEVER_ASSIGNED "W0307" "No requirement assigns an output of the dictionary.",
        "An output that no requirement assigns keeps its initial value forever.",
        "output the motor" => "When the level is low, the pump shall: assign on to the motor.";
    ARTICLE_VALUE "W0308" "A phrase with an article is read as a value.",
        "A phrase with an article is usually a variable; here it is read as a value.",
        "When the lamp is the same, the pump shall: assign on to the motor."
            => "When the lamp is on, the pump shall: assign on to the motor.";
    ONE_NAME "W0309" "An output has one name as its only value.",
        "An output with one name as its only value is read as a truth value that is never false.",
        "When the level is low, the pump shall: assign on to the motor."
            => "When the level is low, the pump shall: assign on to the motor.\n\
                When the level is high, the pump shall: assign off to the motor.";
}
