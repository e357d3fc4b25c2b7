//! Blocks in subsystems that do not run at every step, and in loops within a step: what they remember, and what is refused.

mod common;

use common::model::{check, lowered, planned, run};

/// The message of the only problem that keeps a model from running.
fn refused(model: &str) -> String {
    let problems = lowered(model).expect_err(model);
    assert_eq!(problems.len(), 1, "{model}: {problems:?}");
    problems[0].message.clone()
}

/// A block in a triggered subsystem: the inputs are that of the block and the trigger.
fn triggered(trigger: &str, block: &str) -> String {
    format!(
        "@ Solver=FixedStepDiscrete; FixedStep=0.5\nInport u\nInport t Port=2\nSubSystem s\nTriggerPort s/t {trigger}\n\
         Inport s/u\n{block}\nOutport s/y OutputWhenDisabled=reset; InitialOutput=0\ns/u -> s/k -> s/y\nOutport y\n\
         u -> s -> y\nt -> s:trigger"
    )
}

#[test]
fn integrators_at_triggers_use_the_time_between_them() {
    let integrator = |method: &str| {
        let block = format!(
            "DiscreteIntegrator s/k IntegratorMethod={method}; gainval=2; InitialCondition=1; SampleTime=-1"
        );
        triggered("TriggerType=rising", &block)
    };
    let rows = |values: [i32; 3]| {
        let [a, b, c] = values;
        format!("3 0 | 0\n 3 1 | {a}\n 9 0 | {a}\n 5 1 | {b}\n 9 0 | {b}\n 9 0 | {b}\n 1 1 | {c}\n 0 0 | {c}")
    };
    check(&integrator("Integration: Forward Euler"), &rows([1, 7, 22]));
    check(&integrator("Integration: Backward Euler"), &rows([1, 11, 14]));
    check(&integrator("Integration: Trapezoidal"), &rows([1, 9, 18]));
    check(&integrator("Accumulation: Forward Euler"), &rows([1, 7, 17]));
    let limited = integrator(
        "Integration: Forward Euler; LimitOutput=on; UpperSaturationLimit=5; LowerSaturationLimit=0",
    );
    check(&limited, &rows([1, 5, 5]));
}

/// What runs at a trigger keeps its value at the stages of a solver; what is enabled goes on.
#[test]
fn triggered_subsystems_run_at_steps() {
    let model = |port: &str, control: &str| {
        format!(
            "@ Solver=ode4; FixedStep=0.5\nClock c\nInport t\nSubSystem s\n{port}\nInport s/u\nGain s/k Gain=1\nOutport s/y\n\
             s/u -> s/k -> s/y\nIntegrator x InitialCondition=0\nOutport y\nc -> s -> x -> y\nt -> s:{control}"
        )
    };
    // At 0.5 s and 1.5 s, the clock is read and held for a second.
    check(
        &model("TriggerPort s/t TriggerType=rising", "trigger"),
        "0 | 0\n 1 | 0\n 0 | 0.25\n 1 | 0.5\n 0 | 1.25\n 0 | 2",
    );
    check(&model("EnablePort s/t", "enable"), "1 | 0\n 1 | 0.125\n 1 | 0.5\n 1 | 1.125");
}

#[test]
fn what_needs_a_regular_time_is_refused_at_triggers() {
    for block in [
        "RateLimiter s/k RisingSlewLimit=1; FallingSlewLimit=-1; InitialCondition=0; SampleTimeMode=inherited",
        "SampleTimeMath s/k TsampMathOp=*; weightValue=1",
    ] {
        let message = refused(&triggered("TriggerType=rising", block));
        assert!(message.contains("which triggers make irregular"), "{message}");
    }
    for block in ["Derivative s/k", "TransportDelay s/k DelayTime=1"] {
        let model = triggered("TriggerType=rising", block)
            .replace("TriggerPort", "EnablePort")
            .replace("s:trigger", "s:enable");
        assert!(refused(&model).contains("does not run"), "{model}");
    }
}

/// A trigger cannot disable: outputs and states are held, whatever the ports say.
#[test]
fn triggered_subsystems_hold() {
    let delay = triggered(
        "TriggerType=rising; StatesWhenEnabling=reset",
        "UnitDelay s/k InitialCondition=7; SampleTime=-1",
    );
    check(&delay, "1 0 | 0\n 2 1 | 7\n 3 0 | 7\n 4 1 | 2\n 5 0 | 2\n 6 1 | 4");
}

#[test]
fn first_states_of_triggers() {
    let with = |state: &str| triggered(&format!("TriggerType=rising{state}"), "Gain s/k Gain=1");
    check(&with(""), "5 1 | 0\n 6 1 | 0\n 7 0 | 0\n 8 1 | 8");
    check(&with("; InitialTriggerSignalState=compatibility (no trigger on first evaluation)"), "5 1 | 0");
    check(&with("; InitialTriggerSignalState=zero"), "5 1 | 5\n 6 1 | 5");
    check(&with("; InitialTriggerSignalState=negative"), "5 0 | 5\n 6 1 | 5\n 7 1 | 5");
    check(&with("; InitialTriggerSignalState=positive"), "5 1 | 0\n 6 0 | 0\n 7 1 | 7");
    assert!(refused(&with("; InitialTriggerSignalState=other")).contains("`other`"));
}

#[test]
fn triggers_and_enables_inside() {
    let port = |kind: &str, parameters: &str| {
        triggered(parameters, "Gain s/k Gain=1")
            .replace("s/u -> s/k -> s/y", "s/t -> s/k -> s/y")
            .replace("TriggerPort", kind)
    };
    let rising = port("TriggerPort", "TriggerType=rising; ShowOutputPort=on");
    check(&rising, "0 0 | 0\n 0 5 | 1\n 0 0 | 1");
    let falling = port("TriggerPort", "TriggerType=falling; ShowOutputPort=on; OutputDataType=int8");
    check(&falling, "0 0 | 0\n 0 5 | 0\n 0 0 | -1");
    assert!(
        refused(&port("TriggerPort", "TriggerType=either; ShowOutputPort=on"))
            .contains("rising from falling")
    );
    let enable = port("EnablePort", "ShowOutputPort=on").replace("s:trigger", "s:enable");
    check(&enable, "0 3 | 3\n 0 0 | 0\n 0 5 | 5");
}

/// Whether a trigger rises is seen since the subsystem around it last ran.
#[test]
fn triggers_in_enabled_subsystems() {
    let model = "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u\nInport t Port=2\nInport e Port=3\nSubSystem s\nEnablePort s/e\n\
                 Inport s/u\nInport s/t Port=2\nSubSystem s/i\nTriggerPort s/i/t TriggerType=rising\nInport s/i/u\n\
                 Outport s/i/y\ns/i/u -> s/i/y\nOutport s/y\ns/u -> s/i -> s/y\ns/t -> s/i:trigger\nOutport y\nu -> s -> y\n\
                 t -> s:2\ne -> s:enable";
    check(model, "1 0 1 | 0\n 2 1 1 | 2\n 3 0 1 | 2\n 4 1 0 | 2\n 5 1 1 | 5\n 6 1 1 | 5");
    // The first time that it is looked at, nothing rises.
    check(model, "1 0 0 | 0\n 2 1 1 | 0\n 3 1 1 | 0\n 4 0 1 | 0\n 5 1 1 | 5");
}

/// A reset is seen at the steps of the block.
#[test]
fn resets_of_slow_blocks() {
    let model = "@ Solver=FixedStepDiscrete; FixedStep=0.5\nInport u\nInport r Port=2\n\
                 DiscreteIntegrator k gainval=1; InitialCondition=5; SampleTime=1; ExternalReset=rising\nOutport y\nu -> k -> y\nr -> k:2";
    check(model, "1 0 | 5\n 1 1 | 5\n 1 1 | 5\n 1 0 | 5\n 1 1 | 6\n 1 1 | 6\n 1 0 | 7\n 1 1 | 7\n 1 1 | 5");
}

/// A block in an enabled subsystem: the inputs are that of the block and the condition.
fn enabled(block: &str) -> String {
    triggered("StatesWhenEnabling=held", block)
        .replace("TriggerPort", "EnablePort")
        .replace("s:trigger", "s:enable")
        .replace("OutputWhenDisabled=reset", "OutputWhenDisabled=held")
}

#[test]
fn first_values_are_those_of_the_first_run() {
    check(
        &enabled("InitialCondition s/k Value=9"),
        "1 0 | 0\n 2 0 | 0\n 3 1 | 9\n 4 1 | 4\n 5 0 | 4\n 6 1 | 6",
    );
    let delay = enabled("Delay s/k DelayLength=1; InitialConditionSource=Input port") + "\ns/u -> s/k:2";
    check(&delay, "1 0 | 0\n 2 1 | 2\n 3 1 | 2\n 4 1 | 3");
}

#[test]
fn memories_run_at_every_step() {
    let model = |memory: &str| {
        format!(
            "@ Solver=FixedStepDiscrete; FixedStep=0.5\nInport u\nZeroOrderHold z SampleTime=1\nMemory m {memory}\nOutport y\n\
             u -> z -> m -> y"
        )
    };
    check(&model(""), "1 | 0\n 2 | 1\n 3 | 1\n 4 | 3\n 5 | 3");
    check(&model("InheritSampleTime=on"), "1 | 0\n 2 | 0\n 3 | 1\n 4 | 1\n 5 | 3");
}

#[test]
fn merges_have_one_input_at_a_time() {
    let model = |other: &str| {
        format!(
            "Inport e DataType=boolean; OutDataTypeStr=boolean\nInport f OutDataTypeStr=boolean; Port=2\nLogic n Operator=NOT; Inputs=1\n\
             Constant one Value=1\nConstant two Value=2\nSubSystem a\nEnablePort a/e\nInport a/u\nOutport a/y\na/u -> a/y\n\
             SubSystem b\nEnablePort b/e\nInport b/u\nOutport b/y\nb/u -> b/y\nMerge m Inputs=2; InitialOutput=0\nOutport y\n\
             one -> a -> m -> y\ntwo -> b -> m:2\ne -> n\ne -> a:enable\n{other} -> b:enable"
        )
    };
    check(&model("n"), "1 0 | 1\n 0 0 | 2\n 1 1 | 1");
    assert!(refused(&model("f")).contains("in the same step"));
}

#[test]
fn ports_that_delay_are_refused() {
    let model = triggered("TriggerType=rising", "Gain s/k Gain=1")
        .replace("Inport s/u", "Inport s/u LatchByDelayingOutsideSignal=on");
    assert!(refused(&model).contains("latched by a delay"));
}

#[test]
fn buses_that_are_not_known_have_no_value() {
    for port in ["OutDataTypeStr=Bus: Limits", "UseBusObject=on; BusObject=Limits"] {
        let model = format!("Inport u {port}\nGain k Gain=2\nOutport y\nu -> k -> y");
        assert_eq!(refused(&model), "the bus `Limits` is not known", "{port}");
        let plan = planned(&model, &[]);
        assert_eq!(plan.problems.len(), 1, "{:?}", plan.problems);
    }
    // Inside a subsystem, the signal says what the bus is.
    let inside = "Inport u\nInport v Port=2\nBusCreator b Inputs='a','b'\nSubSystem s\nInport s/u OutDataTypeStr=Bus: Limits\n\
                  BusSelector s/k OutputSignals=b\nOutport s/y\ns/u -> s/k -> s/y\nOutport y\nu -> b -> s -> y\nv -> b:2";
    check(inside, "1 2 | 2");
}

/// States have the type of their block.
#[test]
fn states_are_integers_and_singles() {
    let sum = |class: &str, rest: &str| {
        format!(
            "Inport u OutDataTypeStr={class}\nDiscreteIntegrator k IntegratorMethod=Accumulation: Forward Euler; gainval={rest}; \
             InitialCondition=0; SampleTime=-1\nOutport y\nu -> k -> y"
        )
    };
    check(&sum("int8", "1; SaturateOnIntegerOverflow=on"), "100 | 0\n 100 | 100\n -27 | 127\n 0 | 100");
    check(&sum("int8", "1; SaturateOnIntegerOverflow=off"), "100 | 0\n 100 | 100\n 0 | -56");
    assert!(refused(&sum("int8", "0.5")).contains("fixed-point"));
    let filter = "Inport u OutDataTypeStr=int8\nDiscreteFilter k Numerator=[1]; Denominator=[1 0.5]; SampleTime=-1\nOutport y\nu -> k -> y";
    assert!(refused(filter).contains("fixed-point"));
    // A single has 24 bits.
    let system = lowered(&sum("single", "1")).expect("a system");
    let found = run::<f64>(&system, &[&[16_777_216.0], &[1.0], &[1.0], &[0.0]], |it| it, |it| *it);
    assert_eq!(found[3][0], Some(16_777_216.0));
}

/// A loop that adds something in each turn to what a delay remembers.
fn adding(iterator: &str, term: &str) -> String {
    format!(
        "Inport u\nInport n Port=2; OutDataTypeStr=uint8\nSubSystem s\n{iterator}\nInport s/u\nInport s/n Port=2\n\
         Sum s/add Inputs=++; OutDataTypeStr=double\nUnitDelay s/d InitialCondition=0; SampleTime=-1\nOutport s/y InitialOutput=7\n\
         {term} -> s/add\ns/d -> s/add:2\ns/add -> s/d\ns/add -> s/y\nOutport y\nu -> s -> y\nn -> s:2"
    )
}

#[test]
fn for_loops() {
    let fixed = |rest: &str| adding(&format!("ForIterator s/i IterationLimit=3{rest}"), "s/u");
    check(&fixed("; ResetStates=reset"), "2 0 | 6\n 5 0 | 15");
    check(&fixed("; ResetStates=held"), "2 0 | 6\n 5 0 | 21\n 0 0 | 21");
    let counted =
        |rest: &str| adding(&format!("ForIterator s/i IterationLimit=3; ResetStates=reset{rest}"), "s/i");
    check(&counted(""), "0 0 | 6\n 0 0 | 6");
    check(&counted("; IndexMode=Zero-based"), "0 0 | 3");
    // The number of turns is a signal; without a turn, the output stays.
    let given =
        adding("ForIterator s/i IterationSource=external; ResetStates=reset; ShowIterationPort=off", "s/u")
            + "\ns/n -> s/i";
    check(&given, "2 0 | 7\n 2 3 | 6\n 5 0 | 6\n 1 255 | 255");
    let held = given.replace("ResetStates=reset", "ResetStates=held");
    check(&held, "2 1 | 2\n 3 2 | 8\n 9 0 | 8\n 1 1 | 9");
    let constant = given.replace("Inport n Port=2; OutDataTypeStr=uint8", "Constant n Value=2.9");
    check(&constant, "4 | 8");
    let open = given.replace("OutDataTypeStr=uint8", "OutDataTypeStr=double");
    assert!(refused(&open).contains("may be greater than 1000"));
}

#[test]
fn while_loops() {
    let until = |kind: &str| {
        adding(
            &format!(
                "WhileIterator s/i MaxIters=10; ResetStates=reset; ShowIterationPort=on; WhileBlockType={kind}"
            ),
            "s/i",
        ) + "\nRelationalOperator s/less Operator=<\ns/add -> s/less\ns/u -> s/less:2\ns/less -> s/i"
    };
    check(&until("do-while"), "5 0 | 6\n 0 0 | 1\n 1000 0 | 55\n 10 0 | 10");
    let first = until("while") + "\ns/n -> s/i:2";
    check(&first, "5 0 | 7\n 5 1 | 6\n 1000 0 | 6\n 4 2 | 6");
    assert!(refused(&until("do-while").replace("MaxIters=10", "MaxIters=-1")).contains("no limit"));
    assert!(refused(&until("while")).contains("does not come from outside"));
}

#[test]
fn loops_assign_element_by_element() {
    let model = "Inport u\nSubSystem s\nForIterator s/i IterationLimit=3\nInport s/u\nConstant s/z Value=[9 9 9 9]\n\
                 Product s/p Inputs=2; OutDataTypeStr=double\nAssignment s/a NumberOfDimensions=1; IndexMode=One-based; \
                 IndexOptions=Index vector (port)\nOutport s/y\ns/i -> s/p\ns/u -> s/p:2\ns/z -> s/a\ns/p -> s/a:2\ns/i -> s/a:3\n\
                 s/a -> s/y\nOutport y\nu -> s -> y";
    check(model, "2 | 2 4 6 9\n -1 | -1 -2 -3 9");
}

#[test]
fn loops_in_loops_and_conditions_in_loops() {
    let nested = "SubSystem s\nForIterator s/i IterationLimit=3\nSubSystem s/t\nForIterator s/t/i IterationLimit=2\n\
                  Constant s/t/one Value=1\nSum s/t/add Inputs=++\nUnitDelay s/t/d InitialCondition=0; SampleTime=-1\n\
                  Outport s/t/y\ns/t/one -> s/t/add\ns/t/d -> s/t/add:2\ns/t/add -> s/t/d\ns/t/add -> s/t/y\nOutport s/y\n\
                  s/t -> s/y\nOutport y\ns -> y";
    check(nested, " | 6\n | 12\n | 18");
    let reset = nested.replace("IterationLimit=2", "IterationLimit=2; ResetStates=reset");
    check(&reset, " | 2\n | 2");
    // A subsystem that runs in the second turn alone keeps its output in the third.
    let some = "Inport u\nSubSystem s\nForIterator s/i IterationLimit=3\nInport s/u\nConstant s/two Value=2\n\
                RelationalOperator s/is Operator===\nSubSystem s/e\nEnablePort s/e/e\nInport s/e/a\nOutport s/e/b\n\
                s/e/a -> s/e/b\nProduct s/p Inputs=2; OutDataTypeStr=double\nOutport s/y\ns/i -> s/is\ns/two -> s/is:2\n\
                s/is -> s/e:enable\ns/i -> s/p\ns/u -> s/p:2\ns/p -> s/e -> s/y\nOutport y\nu -> s -> y";
    check(some, "5 | 10\n 7 | 14");
}

#[test]
fn what_cannot_be_repeated_is_refused() {
    let with = |block: &str| adding("ForIterator s/i IterationLimit=3", "s/u") + "\n" + block;
    for (block, want) in [
        ("Assertion s/x\ns/add -> s/x", "`Assertion` in a loop is not supported"),
        ("Integrator s/x\ns/add -> s/x", "`Integrator` in a loop is not supported"),
    ] {
        assert!(refused(&with(block)).contains(want), "{block}");
    }
    let loops = "SubSystem s\nForIterator s/i IterationLimit=3\nGain s/k Gain=2\nSum s/a Inputs=++\nConstant s/c Value=1\nOutport s/y\n\
                 s/c -> s/a -> s/k -> s/y\ns/k -> s/a:2\nOutport y\ns -> y";
    assert!(refused(loops).contains("algebraic loop"));
}

/// A subsystem that is computed for each part of its input, with a block `k` inside.
fn each(size: &str, parameters: &str, block: &str) -> String {
    format!(
        "@ Solver=FixedStepDiscrete; FixedStep=1\nInport u PortDimensions={size}\nInport v Port=2\nSubSystem s\nForEach s/e {parameters}\nInport s/a\n\
         Inport s/b Port=2\n{block}\nOutport s/y\ns/a -> s/k\ns/k -> s/y\nOutport y\nu -> s -> y\nv -> s:2"
    )
}

#[test]
fn each_part_of_an_input() {
    let first =
        "InputPartition={'on', 'off'}; InputPartitionDimension={'1', '1'}; InputPartitionWidth={'1', '1'}";
    let sum = "Sum s/k Inputs=++\ns/b -> s/k:2";
    check(&each("3", first, sum), "1 2 3 10 | 11 12 13");
    // Each part has states of its own.
    let memory = "Sum s/k Inputs=++\nUnitDelay s/d InitialCondition=100; SampleTime=-1\ns/k -> s/d -> s/k:2";
    check(&each("2", first, memory), "1 2 0 | 101 102\n 1 2 0 | 102 104\n 0 5 0 | 102 109");
    let counter = "DiscreteIntegrator s/k gainval=1; InitialCondition=0; SampleTime=-1";
    check(&each("2", first, counter), "1 2 0 | 0 0\n 3 4 0 | 1 2\n 0 0 0 | 4 6");
    // Rows or columns of a matrix, which is given by columns: [1 3 5; 2 4 6].
    let total = "Sum s/k Inputs=+; CollapseMode=All dimensions";
    check(&each("[2 3]", first, total), "1 2 3 4 5 6 0 | 9 12");
    let columns = first.replace("InputPartitionDimension={'1', '1'}", "InputPartitionDimension={'2', '1'}");
    check(&each("[2 3]", &columns, total), "1 2 3 4 5 6 0 | 3 7 11");
    // Parts of a length, joined side by side.
    let pairs = first.replace("InputPartitionWidth={'1', '1'}", "InputPartitionWidth={'2', '1'}");
    check(&each("4", &pairs, "Gain s/k Gain=10"), "1 2 3 4 0 | 10 20 30 40");
    let beside = format!("{pairs}; OutputConcatenationDimension={{'2'}}");
    let model = each("4", &beside, "Gain s/k Gain=10");
    check(&model, "1 2 3 4 0 | 10 20 30 40");
    assert_eq!(common::model::shapes(&planned(&model, &[]), "s"), "double[2x2]");
    // The same two inputs divided; and the number of the turn.
    let both = first.replace("{'on', 'off'}", "{'on', 'on'}");
    let two = each("2", &both, "Product s/k Inputs=2\ns/b -> s/k:2")
        .replace("Inport v Port=2", "Inport v Port=2; PortDimensions=2");
    check(&two, "2 3 10 100 | 20 300");
    let number = each("3", &format!("{first}; ShowIterationIndex=on"), "Sum s/k Inputs=++\ns/e -> s/k:2");
    check(&number, "10 20 30 0 | 11 22 33");
    // Under a condition, and in a loop.
    let enabled = "Inport u PortDimensions=2\nInport e Port=2\nSubSystem o\nEnablePort o/e StatesWhenEnabling=reset\nInport o/u\nSubSystem o/s\n\
                   ForEach o/s/e InputPartition={'on'}\nInport o/s/a\nSum o/s/k Inputs=++\nUnitDelay o/s/d InitialCondition=0; SampleTime=-1\nOutport o/s/y\n\
                   o/s/a -> o/s/k -> o/s/y\no/s/k -> o/s/d -> o/s/k:2\nOutport o/y\no/u -> o/s -> o/y\nOutport y\nu -> o -> y\ne -> o:enable";
    check(enabled, "1 2 1 | 1 2\n 1 2 1 | 2 4\n 5 5 0 | 2 4\n 1 2 1 | 1 2\n 1 2 1 | 2 4");
    let looped = each(
        "2",
        first,
        "SubSystem s/k\nForIterator s/k/i IterationLimit=3\nInport s/k/u\nSum s/k/a Inputs=++\n\
                       UnitDelay s/k/d InitialCondition=0; SampleTime=-1\nOutport s/k/y\ns/k/u -> s/k/a -> s/k/y\ns/k/a -> s/k/d -> s/k/a:2",
    );
    check(&looped, "1 2 0 | 3 6\n 1 2 0 | 6 12");
}

#[test]
fn parts_that_are_refused() {
    let gain = "Gain s/k Gain=2";
    let part = |more: &str| format!("InputPartition={{'on', 'off'}}{more}");
    for (size, parameters, want) in [
        ("3", "InputPartition={'off', 'off'}".to_owned(), "none of its inputs is divided"),
        ("3", part("; InputPartitionWidth={'2', '1'}"), "not a multiple"),
        ("3", part("; InputPartitionOffset={'1', '0'}"), "with a distance between them"),
        ("3", part("; SubsysMaskParameterPartition={'on'}"), "mask parameter"),
        ("2000", part(""), "more than 1000 turns"),
        ("3", "InputPartition={'on', 'on'}".to_owned(), "do not have the same number of parts"),
    ] {
        let problems = lowered(&each(size, &parameters, gain)).err().unwrap_or_default();
        assert!(problems.iter().any(|it| it.message.contains(want)), "{want}: {problems:?}");
    }
}

/// Before the first run, an output whose port says nothing has the value of what feeds the port, if that has one.
#[test]
fn outputs_before_the_first_run() {
    let model = |inside: &str, port: &str| {
        format!(
            "Inport e\nInport u Port=2\nSubSystem s\nEnablePort s/e\nInport s/u\n{inside}\nOutport s/y {port}\ns/k -> s/y\nOutport y\n\
             u -> s -> y\ne -> s:enable"
        )
    };
    let constant = "Constant s/k Value=5";
    check(&model(constant, ""), "0 1 | 5\n 1 1 | 5");
    check(&model(constant, "InitialOutput=[]"), "0 1 | 5");
    check(&model(constant, "InitialOutput=3"), "0 1 | 3\n 1 1 | 5\n 0 1 | 5");
    check(&model(constant, "InitialOutput=3; OutputWhenDisabled=reset"), "0 1 | 3\n 1 1 | 5\n 0 1 | 3");
    check(&model("InitialCondition s/k Value=7\ns/u -> s/k", ""), "0 1 | 7\n 1 2 | 7\n 1 3 | 3");
    check(
        &model("UnitDelay s/k InitialCondition=7; SampleTime=-1\ns/u -> s/k", ""),
        "0 1 | 0\n 1 2 | 7\n 1 3 | 2",
    );
    let inner = "SubSystem s/k\nEnablePort s/k/e\nConstant s/k/c Value=4\nOutport s/k/o\ns/k/c -> s/k/o\ns/u -> s/k:enable";
    check(&model(inner, ""), "0 0 | 4\n 1 0 | 4\n 1 1 | 4");
}
