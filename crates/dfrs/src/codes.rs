//! The codes of what lowering controlled English reports.

diagnostics::codes! {
    SORT_CLASH "E0401" "The values of a variable have different types.",
        "A variable holds numbers, Booleans or names, but not a mixture of them.",
        "If the tank is full, the pump shall set the valve to 3.\nIf the tank is empty, the pump shall set the valve to open."
            => "If the tank is full, the pump shall set the valve to 3.\nIf the tank is empty, the pump shall set the valve to 4.";
    UNORDERED "E0402" "Names and Booleans can only be equal or different.",
        "Names and Booleans have no order, so neither of two is greater.",
        "If the mode is greater than idle, the pump shall reset the timer." => "If the mode is not idle, the pump shall reset the timer.";
    TIMER_ASSIGNED "E0403" "A timer can only be reset.",
        "Time passes by itself; a timer can only start again.",
        "If the tank is full, the pump shall set the fill timer to 3." => "If the tank is full, the pump shall reset the fill timer.";
    NOT_A_TIMER "E0404" "Only a timer can be reset.",
        "Only what measures time can start again.",
        "If the tank is full, the pump shall reset the valve.\nIf the tank is empty, the pump shall set the valve to 3."
            => "If the tank is full, the pump shall set the valve to 0.\nIf the tank is empty, the pump shall set the valve to 3.";
    TIMER_PAST "E0405" "A timer has no previous value.",
        "A timer runs continuously; its earlier values are not kept.",
        "If the fill timer was 3, the pump shall reset the fill timer." => "If the fill timer is 3, the pump shall reset the fill timer.";
    TIMER_VALUE "E0406" "A timer is compared with a number.",
        "The time on a timer is a number.",
        "If the fill timer is long, the pump shall reset the fill timer." => "If the fill timer is 30, the pump shall reset the fill timer.";
    ASSIGNED_TWICE "E0407" "A requirement assigns a variable twice.",
        "An action can give a variable only one value.",
        "If the tank is full, the pump shall: set the lamp to on, set the lamp to off."
            => "If the tank is full, the pump shall set the lamp to on.";
    DUPLICATE_ID "E0408" "An id is given twice.",
        "Links and reports cannot tell apart two requirements with the same id.",
        "## P-1: Fill\n\n## P-1: Drain" => "## P-1: Fill\n\n## P-2: Drain";
    NOT_AN_INPUT "E0409" "The environment decides only inputs.",
        "The system decides what it writes; the environment does not.",
        "If the tank is full, the pump shall set the motor to on.\nThe motor is never off."
            => "If the tank is full, the pump shall set the motor to on.\nThe tank is never empty.";
    NOT_CONSTANT "E0410" "An initial or assigned value is one constant.",
        "An initial value is known before anything runs.",
        "Initially the lamp is the level.\nIf the level is 3, the pump shall set the lamp to 1."
            => "Initially the lamp is 0.\nIf the level is 3, the pump shall set the lamp to 1.";
    INITIAL_TWICE "E0411" "An initial value is given twice.",
        "A variable can start with only one value.",
        "Initially the lamp is off.\nInitially the lamp is on.\nIf the tank is full, the pump shall set the lamp to on."
            => "Initially the lamp is off.\nIf the tank is full, the pump shall set the lamp to on.";
    TOO_MANY_CASES "E0412" "The conditions have more cases than the limit.",
        "Nested conditions lead to more alternatives than anyone can check.",
        "a condition with hundreds of alternatives" => "several requirements";
    BAD_DICTIONARY "E0413" "A line of the dictionary is invalid.",
        "A line that cannot be read declares nothing.",
        "inputs level" => "input the level";
    NOT_LINEAR "E0414" "A product needs a number as one of its factors.",
        "Conditions with a product of two variables cannot be decided exactly.",
        "If the level is lower than the level times the level, the pump shall set the motor to on."
            => "If the level is lower than 2 times the level, the pump shall set the motor to on.";
    DEFAULT_INITIAL "W0301" "Initial values are not given.",
        "Without initial values, defaults are chosen, which may differ from what is built.",
        "If the tank is full, the pump shall set the motor to on."
            => "Initially the tank is empty, and the motor is off.\nIf the tank is full, the pump shall set the motor to on.";
    WHOLE_AS_REAL "W0302" "Integers become reals beside fractional numbers.",
        "If one value of a variable is fractional, all of its values are real numbers.",
        "If the level is 3 or the level is 3.5, the pump shall set the motor to on."
            => "If the level is 3.0 or the level is 3.5, the pump shall set the motor to on.";
    NEVER_RESET "W0303" "A timer is never reset.",
        "A timer that is never reset measures the time since the start.",
        "If the fill timer is 3, the pump shall set the motor to on." => "If the fill timer is 3, the pump shall reset the fill timer.";
    FRACTIONAL_BOUND "W0304" "A timer is compared with a number that is not whole.",
        "With whole steps, a timer never has this value.",
        "If the fill timer is 2.5, the pump shall reset the fill timer." => "If the fill timer is 3, the pump shall reset the fill timer.";
    UNKNOWN_PHRASE "W0305" "A phrase is not in the dictionary.",
        "A phrase that the dictionary does not have may be a typo.",
        "the presure is low" => "the pressure is low";
    NEVER_USED "W0306" "No requirement uses a variable.",
        "A variable that only has an initial value decides nothing.",
        "Initially the lamp is off.\nIf the tank is full, the pump shall set the motor to on."
            => "Initially the lamp is off.\nIf the tank is full, the pump shall set the lamp to on.";
    NEVER_ASSIGNED "W0307" "No requirement assigns an output of the dictionary.",
        "An output that no requirement assigns keeps its initial value forever.",
        "output the motor" => "If the tank is full, the pump shall set the motor to on.";
    ARTICLE_VALUE "W0308" "A phrase with an article is read as a value.",
        "A phrase with an article is usually a variable; here it is read as a value.",
        "If the lamp is the same, the pump shall set the motor to on." => "If the lamp is on, the pump shall set the motor to on.";
    ONE_NAME "W0309" "An output has one name as its only value.",
        "An output with one name as its only value is read as a Boolean that is never false.",
        "If the tank is full, the pump shall set the motor to on."
            => "If the tank is full, the pump shall set the motor to on.\nIf the tank is empty, the pump shall set the motor to off.";
}
