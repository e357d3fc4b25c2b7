//! Blocks that remember: delays with their ports, and crossings. The outputs are those of the formulas that the blocks are documented with.

mod common;

use common::model::{check, lowered};

/// A model with a block `k`, whose inputs are those of the model.
fn with_inputs(block: &str, inputs: usize) -> String {
    let mut text = format!("@ Solver=FixedStepDiscrete; FixedStep=1\n{block}\nOutport y\nk -> y");
    for number in 1..=inputs {
        text += &format!("\nInport u{number} Port={number}\nu{number} -> k:{number}");
    }
    text
}

fn refused(text: &str) -> String {
    let problems = lowered(text).err().unwrap_or_else(|| panic!("not refused: {text}"));
    problems.first().map(|it| it.message.clone()).unwrap_or_default()
}

#[test]
fn delays_of_a_fixed_length() {
    let delay = |parameters: &str| with_inputs(&format!("Delay k {parameters}; SampleTime=-1"), 1);
    check(&delay("DelayLength=2; InitialCondition=7"), "1 | 7\n 2 | 7\n 3 | 1\n 4 | 2");
    check(&delay("DelayLength=2; InitialCondition=[7 8]"), "1 | 7\n 2 | 8\n 3 | 1");
    check(&delay("DelayLength=0; InitialCondition=7"), "1 | 1\n 2 | 2");
    assert!(refused(&delay("DelayLength=-1")).contains("not an integer from 0"));
    assert!(refused(&delay("DelayLength=1.5")).contains("not an integer from 0"));
}

/// The length is limited, and its fraction is cut off.
#[test]
fn delays_whose_length_is_a_signal() {
    let delay = |parameters: &str| {
        with_inputs(
            &format!("Delay k DelayLengthSource=Input port; InitialCondition=9; SampleTime=-1; {parameters}"),
            2,
        )
    };
    let limited = delay("DelayLengthUpperLimit=3");
    check(
        &limited,
        "1 0 | 1\n 2 1 | 1\n 3 2 | 1\n 4 3 | 1\n 5 3 | 2\n 6 9 | 3\n 7 0 | 7\n 8 1.9 | 7\n 9 -4 | 9",
    );
    check(&limited, "1 2 | 9\n 2 2 | 9\n 3 2 | 1");
    // Without direct feedthrough, the delay is at least one step, and loops are not algebraic.
    let late = delay("DelayLengthUpperLimit=3; PreventDirectFeedthrough=on");
    check(&late, "1 0 | 9\n 2 0 | 1\n 3 2 | 1\n 4 0.5 | 3");
    let looped = "Inport d\nDelay k DelayLengthSource=Input port; DelayLengthUpperLimit=4; PreventDirectFeedthrough=PREVENT; \
                  InitialCondition=1; SampleTime=-1\nSum a Inputs=++\nConstant c Value=1\nOutport y\nd -> k:2\nk -> a -> k\nc -> a:2\nk -> y";
    check(&looped.replace("PREVENT", "on"), "1 | 1\n 1 | 2\n 1 | 3\n 3 | 2");
    assert!(refused(&looped.replace("PREVENT", "off")).contains("algebraic loop"));
    // The default limit is 100.
    check(&delay(""), "1 100 | 9\n 2 1 | 1");
    let many = delay("").replace("InitialCondition=9", "InitialCondition=[1 2 3]");
    assert!(refused(&many).contains("an initial value for each step"));
    // A Boolean and an integer stay what they are.
    let typed = "Inport u OutDataTypeStr=int8\nInport d Port=2; OutDataTypeStr=uint8\nDelay k DelayLengthSource=Input port; \
                 DelayLengthUpperLimit=2; InitialCondition=-1; SampleTime=-1\nOutport y\nu -> k -> y\nd -> k:2";
    check(typed, "100 1 | -1\n 5 1 | 100\n 6 2 | 100\n 7 0 | 7");
}

/// Ports follow the data in this order: length, enable, reset, initial value.
#[test]
fn delays_with_ports() {
    let delay = |parameters: &str, inputs| {
        with_inputs(&format!("Delay k DelayLength=1; SampleTime=-1; {parameters}"), inputs)
    };
    let reset = |kind: &str| delay(&format!("InitialCondition=5; ExternalReset={kind}"), 2);
    check(&reset("Rising"), "1 0 | 5\n 2 1 | 5\n 3 1 | 2\n 4 0 | 3\n 5 1 | 5");
    check(&reset("Falling"), "1 1 | 5\n 2 1 | 1\n 3 0 | 5\n 4 0 | 3");
    check(&reset("Either"), "1 1 | 5\n 2 1 | 1\n 3 0 | 5\n 4 0 | 3\n 5 1 | 5");
    check(&reset("Level"), "1 0 | 5\n 2 1 | 5\n 3 1 | 5\n 4 0 | 5\n 5 0 | 4");
    check(&reset("Level hold"), "1 0 | 5\n 2 1 | 5\n 3 1 | 5\n 4 0 | 3");
    let both = delay("InitialConditionSource=Input port; ExternalReset=Level hold", 3);
    check(&both, "1 0 8 | 8\n 2 0 8 | 1\n 3 1 6 | 6\n 4 0 4 | 3");
    // Disabled, it keeps its state and its output; before that, its output is zero.
    let enabled = delay("InitialCondition=5; ShowEnablePort=on", 2);
    check(&enabled, "1 0 | 0\n 2 1 | 5\n 3 1 | 2\n 4 0 | 2\n 5 0 | 2\n 6 1 | 3\n 7 1 | 6");
    let all = delay(
        "DelayLengthSource=Input port; DelayLengthUpperLimit=2; ShowEnablePort=on; ExternalReset=Level hold; InitialConditionSource=Input port",
        5,
    );
    check(
        &all,
        "1 1 0 0 7 | 0\n 2 1 1 0 8 | 8\n 3 1 1 0 0 | 2\n 4 2 1 0 0 | 2\n 5 1 0 1 0 | 2\n 6 1 1 1 9 | 9\n 7 2 1 0 0 | 9\n 8 0 1 0 0 | 8",
    );
    let edge = delay("InitialCondition=5; ShowEnablePort=on; ExternalReset=Rising", 3);
    assert!(refused(&edge).contains("while it is disabled"));
}

#[test]
fn crossings() {
    let hit = |parameters: &str| with_inputs(&format!("HitCross k HitCrossingOffset=2; {parameters}"), 1);
    // Two steps on both sides: the second one is a hit.
    check(&hit("HitCrossingDirection=either"), "0 | 0\n 3 | 1\n 4 | 0\n 1 | 1\n 1 | 0");
    check(&hit("HitCrossingDirection=rising"), "0 | 0\n 3 | 1\n 4 | 0\n 1 | 0\n 3 | 1");
    check(&hit("HitCrossingDirection=falling"), "0 | 0\n 3 | 0\n 4 | 0\n 1 | 1\n 3 | 0");
    // At the offset it stays a hit.
    check(&hit("HitCrossingDirection=rising"), "0 | 0\n 2 | 1\n 2 | 1\n 2 | 1\n 3 | 0\n 3 | 0");
    check(&hit("HitCrossingDirection=falling"), "0 | 0\n 2 | 0\n 2 | 0\n 0 | 1");
    // At first, being there counts without a direction alone.
    check(&hit("HitCrossingDirection=either"), "2 | 1\n 2 | 1\n 5 | 0");
    check(&hit("HitCrossingDirection=rising"), "2 | 0\n 2 | 0\n 3 | 1\n 4 | 0");
    // Each element on its own.
    let two = "Inport u PortDimensions=2\nHitCross k HitCrossingOffset=[0 1]; HitCrossingDirection=rising\nOutport y\nu -> k -> y";
    check(two, "-1 0 | 0 0\n 1 0 | 1 0\n 1 2 | 0 1");
    assert!(refused(&hit("OutputType=Function-Call")).contains("messages and calls"));
    // Without an output it only looks.
    let silent = "Inport u\nHitCross k ShowOutputPort=off\nGain g Gain=2\nOutport y\nu -> k\nu -> g -> y";
    check(silent, "1 | 2");
}
