//! The kinds of blocks. [`BlockKind`] has one variant for each block type, and each variant has one [`Definition`] in a family file:
//! its numeric parameters, ports, shape rule, rate, directness and lowering.
//!
//! To add a block, add a line to `kinds!` and its definition to a family file. Only the conversion to [`BlockKind`] compares the name of
//! a block type as text. Every phase uses the definition, so none has a list of kinds of its own.

mod arithmetic;
mod bits;
mod chart;
mod continuous;
mod control;
mod delays;
mod discrete;
mod division;
mod formula;
mod functions;
mod interpolation;
mod iteration;
mod limits;
mod logic;
mod lookup;
mod matrices;
mod recorded;
mod routing;
mod script;
mod selection;
mod sources;
mod stores;
mod unsupported;

use crate::diagram::Port;
use crate::lower::{Kept, Layout, Signal, Work};
use crate::plan::{Case, Fault, Known, Outcome, Shape, Source, Unit, UnitId, classes};
use crate::value::Class;
pub(crate) use chart::bus_key;
pub(crate) use chart::{evaluated as chart_values, refusal as chart_refusal, words as chart_words};
pub(crate) use control::{activity, held_output, initial_output, restarts};
pub(crate) use division::{counted, divide, joined_along, part, taken, together, turns_of};
pub(crate) use formula::variables;
pub(crate) use iteration::{Turns, turns};
pub(crate) use logic::claimed;
pub(crate) use selection::fixed_indices;
use std::fmt;
use std::ops::Deref;
use system::Expr;

macro_rules! kinds {
    ($($kind:ident $text:literal $family:ident::$definition:ident)*) => {
        /// The type of a block.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum BlockKind {
            $(#[doc = concat!("`", $text, "`")] $kind,)*
            /// An unknown type.
            Unknown(String),
        }

        impl From<&str> for BlockKind {
            fn from(text: &str) -> BlockKind {
                match text {
                    $($text => BlockKind::$kind,)*
                    "Proof Objective" => BlockKind::ProofObjective,
                    "Assumption" => BlockKind::ProofAssumption,
                    other if DASHBOARD.contains(&other) => BlockKind::DocBlock,
                    other => BlockKind::Unknown(other.to_owned()),
                }
            }
        }

        impl BlockKind {
            /// The name of the type in files.
            pub fn name(&self) -> &str {
                match self {
                    $(BlockKind::$kind => $text,)*
                    BlockKind::Unknown(name) => name,
                }
            }

            /// The definition of this kind.
            pub(crate) fn definition(&self) -> &'static Definition {
                match self {
                    $(BlockKind::$kind => &$family::$definition,)*
                    BlockKind::Unknown(_) => &unsupported::UNKNOWN,
                }
            }
        }
    };
}

#[rustfmt::skip]
kinds! {
    Abs "Abs" arithmetic::ABS
    Abstract "a block with free outputs" unsupported::ABSTRACT
    ActionPort "ActionPort" control::ACTION_PORT
    ArithShift "ArithShift" bits::SHIFT
    Assertion "Assertion" logic::ASSERTION
    Assignment "Assignment" selection::ASSIGNMENT
    Backlash "Backlash" limits::BACKLASH
    Bias "Bias" arithmetic::BIAS
    Bitwise "Bitwise Operator" bits::BITWISE
    BusAssignment "BusAssignment" routing::BUS_ASSIGNMENT
    BusCreator "BusCreator" routing::BUS_CREATOR
    BusSelector "BusSelector" routing::BUS_SELECTOR
    BusToVector "BusToVector" routing::BUS_TO_VECTOR
    CallGenerator "Function-Call Generator" control::CALL_GENERATOR
    CallSplit "FunctionCallSplit" control::CALL_SPLIT
    Chart "Chart" chart::CHART
    Clock "Clock" sources::CLOCK
    CmBlock "CMBlock" routing::PASSIVE
    CombinatorialLogic "CombinatorialLogic" logic::COMBINATORIAL
    Concatenate "Concatenate" matrices::CONCATENATE
    Constant "Constant" arithmetic::CONSTANT
    DataStoreMemory "DataStoreMemory" stores::MEMORY
    DataStoreRead "DataStoreRead" stores::READ
    DataStoreWrite "DataStoreWrite" stores::WRITE
    DataTypeConversion "DataTypeConversion" arithmetic::DATA_TYPE_CONVERSION
    DataTypeDuplicate "DataTypeDuplicate" routing::PASSIVE
    DataTypePropagation "DataTypePropagation" routing::PASSIVE
    DeadZone "DeadZone" limits::DEAD_ZONE
    Delay "Delay" delays::DELAY
    Demux "Demux" routing::DEMUX
    Derivative "Derivative" continuous::DERIVATIVE
    DigitalClock "DigitalClock" sources::DIGITAL_CLOCK
    DiscreteFilter "DiscreteFilter" discrete::FILTER
    DiscreteFir "DiscreteFir" discrete::FIR
    DiscreteIntegrator "DiscreteIntegrator" discrete::INTEGRATOR
    DiscretePulseGenerator "DiscretePulseGenerator" sources::DISCRETE_PULSE_GENERATOR
    DiscreteStateSpace "DiscreteStateSpace" discrete::STATE_SPACE
    DiscreteTransferFcn "DiscreteTransferFcn" discrete::TRANSFER_FUNCTION
    DiscreteZeroPole "DiscreteZeroPole" discrete::ZERO_POLE
    Display "Display" routing::PASSIVE
    DocBlock "DocBlock" routing::PASSIVE
    DotProduct "DotProduct" matrices::DOT_PRODUCT
    EnablePort "EnablePort" control::ENABLE_PORT
    Fcn "Fcn" formula::FCN
    FloatingScope "FloatingScope" routing::PASSIVE
    ForEach "ForEach" division::FOR_EACH
    ForIterator "ForIterator" iteration::FOR_ITERATOR
    From "From" routing::PASSIVE
    FromFile "FromFile" recorded::FROM_FILE
    FromSpreadsheet "FromSpreadsheet" unsupported::UNKNOWN
    FromWorkspace "FromWorkspace" recorded::FROM_WORKSPACE
    Gain "Gain" arithmetic::GAIN
    Goto "Goto" routing::PASSIVE
    GotoTagVisibility "GotoTagVisibility" routing::PASSIVE
    Ground "Ground" arithmetic::GROUND
    HitCross "HitCross" logic::HIT_CROSS
    If "If" control::IF
    InitialCondition "InitialCondition" arithmetic::INITIAL_CONDITION
    Inport "Inport" routing::INPORT
    InportShadow "InportShadow" routing::PASSIVE
    Integrator "Integrator" continuous::INTEGRATOR
    Interpolation "Interpolation_n-D" interpolation::INTERPOLATION
    LinearSystem "LTI System" unsupported::LINEAR_SYSTEM
    Logic "Logic" logic::LOGIC
    Lookup "Lookup" lookup::LOOKUP
    Lookup2D "Lookup2D" lookup::LOOKUP_2D
    LookupDirect "LookupNDDirect" interpolation::DIRECT
    LookupDynamic "Lookup Table Dynamic" interpolation::DYNAMIC
    LookupNd "Lookup_n-D" lookup::LOOKUP_ND
    ManualSwitch "ManualSwitch" routing::MANUAL_SWITCH
    Math "Math" functions::MATH
    MatlabFcn "MATLABFcn" unsupported::CODE
    Memory "Memory" delays::MEMORY
    Merge "Merge" control::MERGE
    MinMax "MinMax" arithmetic::MIN_MAX
    ModelInfo "ModelInfo" routing::PASSIVE
    ModelReference "ModelReference" unsupported::MODEL_REFERENCE
    MSFunction "M-S-Function" unsupported::M_S_FUNCTION
    MultiPortSwitch "MultiPortSwitch" logic::MULTI_PORT_SWITCH
    Mux "Mux" routing::MUX
    Outport "Outport" routing::OUTPORT
    PermuteDimensions "PermuteDimensions" matrices::PERMUTE
    Polyval "Polyval" arithmetic::POLYVAL
    PreLookup "PreLookup" interpolation::PRELOOKUP
    Product "Product" arithmetic::PRODUCT
    ProofAssumption "ProofAssumption" logic::PROOF_ASSUMPTION
    ProofObjective "ProofObjective" logic::PROOF_OBJECTIVE
    PulseGenerator "PulseGenerator" sources::PULSE_GENERATOR
    Quantizer "Quantizer" limits::QUANTIZER
    RandomNumber "RandomNumber" sources::NORMAL_RANDOM
    RateLimiter "RateLimiter" limits::RATE_LIMITER
    RateTransition "RateTransition" discrete::RATE_TRANSITION
    Record "Record" routing::PASSIVE
    Reference "Reference" unsupported::REFERENCE
    RelationalOperator "RelationalOperator" logic::RELATIONAL_OPERATOR
    Relay "Relay" limits::RELAY
    ResetPort "ResetPort" control::RESET_PORT
    Reshape "Reshape" matrices::RESHAPE
    Rounding "Rounding" functions::ROUNDING
    SampleTimeMath "SampleTimeMath" arithmetic::SAMPLE_TIME_MATH
    Saturate "Saturate" limits::SATURATE
    Scope "Scope" routing::PASSIVE
    Script "MATLAB Function" script::SCRIPT
    SecondOrderIntegrator "SecondOrderIntegrator" unsupported::SECOND_ORDER
    Selector "Selector" selection::SELECTOR
    SFunction "S-Function" unsupported::CODE
    SignalConversion "SignalConversion" routing::SIGNAL_CONVERSION
    SignalGenerator "SignalGenerator" sources::SIGNAL_GENERATOR
    SignalSpecification "SignalSpecification" routing::SIGNAL_SPECIFICATION
    Signum "Signum" arithmetic::SIGNUM
    Sin "Sin" sources::SIN
    Sqrt "Sqrt" functions::SQRT
    Squeeze "Squeeze" matrices::SQUEEZE
    StateSpace "StateSpace" continuous::STATE_SPACE
    Step "Step" sources::STEP
    Stop "Stop" routing::PASSIVE
    SubSystem "SubSystem" control::SUBSYSTEM
    Sum "Sum" arithmetic::SUM
    Switch "Switch" logic::SWITCH
    SwitchCase "SwitchCase" control::SWITCH_CASE
    Terminator "Terminator" routing::PASSIVE
    ToFile "ToFile" routing::PASSIVE
    ToWorkspace "ToWorkspace" routing::PASSIVE
    TransferFcn "TransferFcn" continuous::TRANSFER_FCN
    TransportDelay "TransportDelay" continuous::TRANSPORT_DELAY
    TriggerPort "TriggerPort" control::TRIGGER_PORT
    Trigonometry "Trigonometry" functions::TRIGONOMETRY
    UnaryMinus "UnaryMinus" arithmetic::UNARY_MINUS
    UniformRandomNumber "UniformRandomNumber" sources::UNIFORM_RANDOM
    UnitDelay "UnitDelay" delays::UNIT_DELAY
    VariantSink "VariantSink" routing::VARIANT_SINK
    VariantSource "VariantSource" routing::VARIANT_SOURCE
    WhileIterator "WhileIterator" iteration::WHILE_ITERATOR
    Width "Width" arithmetic::WIDTH
    ZeroOrderHold "ZeroOrderHold" discrete::ZERO_ORDER_HOLD
    ZeroPole "ZeroPole" continuous::ZERO_POLE
}

impl BlockKind {
    /// Whether its states are continuous.
    pub(crate) fn is_integrated(&self) -> bool {
        matches!(self.definition().lowering, Lowering::Flow(_))
    }
}

impl Default for BlockKind {
    fn default() -> BlockKind {
        BlockKind::Unknown(String::new())
    }
}

/// Types of blocks that only show values or change parameters by hand.
const DASHBOARD: [&str; 22] = [
    "CallbackButton",
    "CheckBox",
    "CircularGaugeBlock",
    "ComboBox",
    "CustomWebBlock",
    "DashboardScope",
    "DisplayBlock",
    "EditField",
    "KnobBlock",
    "LampBlock",
    "LinearGaugeBlock",
    "MultiStateImageBlock",
    "PushButtonBlock",
    "QuarterGaugeBlock",
    "RadioButtonGroup",
    "RockerSwitchBlock",
    "RotarySwitchBlock",
    "SemiCircularGaugeBlock",
    "SliderBlock",
    "SliderSwitchBlock",
    "ToggleSwitchBlock",
    "XYGraph",
];

/// Kinds are ordered by their names.
impl Ord for BlockKind {
    fn cmp(&self, other: &BlockKind) -> std::cmp::Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for BlockKind {
    fn partial_cmp(&self, other: &BlockKind) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The definition of a kind of block.
pub(crate) struct Definition {
    /// Whether it only carries a wire, displays something or documents, so that a plan leaves it out.
    pub(crate) passive: bool,
    /// Parameters that are numbers.
    pub(crate) numbers: &'static [&'static str],
    /// Whether a numeric parameter is used: one that comes from a port, or that a mode ignores, need not have a value.
    pub(crate) uses: fn(&Unit, &str) -> bool,
    /// Whether numeric parameters may be cells.
    pub(crate) cells: bool,
    /// Parameters with a number for each element of the output: a vector expands a scalar input.
    pub(crate) expands: &'static [&'static str],
    /// Parameters that Simulink assumes if neither the block nor the file has them.
    pub(crate) defaults: &'static [(&'static str, &'static str)],
    /// Other names that files have for parameters, with the names that are used here.
    pub(crate) renamed: &'static [(&'static str, &'static str)],
    /// The number of data inputs; none if it is as drawn.
    pub(crate) inputs: Option<usize>,
    /// The number of outputs; none if it is as drawn.
    pub(crate) outputs: fn(&Unit) -> Option<usize>,
    /// The control input of the subsystem that the block represents inside it.
    pub(crate) control: Option<Port>,
    /// Why a block cannot be computed.
    pub(crate) refusal: fn(&Unit) -> Option<Fault>,
    /// Whether the block controls its whole sheet, so that the sheet is not supported if the block is not.
    pub(crate) governs: bool,
    /// The shape rule: outputs from inputs.
    pub(crate) shapes: fn(&Case<'_>) -> Vec<Known>,
    /// The shape rule backward: what an input has to be, with what is known about the outputs.
    pub(crate) needed: fn(&Case<'_>, usize, &[Known]) -> Known,
    /// Whether outputs inherit their shape from their readers if nothing else determines it.
    pub(crate) inherits: bool,
    /// What is wrong with the shapes of the inputs.
    pub(crate) complaint: fn(&Unit, &[Known]) -> Option<Fault>,
    /// Where the name of an unnamed signal comes from.
    pub(crate) label: Label,
    /// The parameter with the sample time; none if the time is inherited.
    pub(crate) sample_time: fn(&Unit) -> Option<&'static str>,
    /// Whether the outputs may change even if the inputs do not.
    pub(crate) remembers: bool,
    /// Whether an output is only there when the block runs: a call, which is not held until the next time.
    pub(crate) momentary: fn(&Unit, usize) -> bool,
    /// Whether outputs depend on an input within a step.
    pub(crate) direct: fn(&Unit, usize) -> bool,
    /// Where a scalar of an output comes from, for a block that only arranges signals.
    pub(crate) route: Option<Route>,
    /// How it becomes a part of the system.
    pub(crate) lowering: Lowering,
}

impl Definition {
    /// The name of a parameter here.
    pub(crate) fn name<'n>(&self, name: &'n str) -> &'n str {
        self.renamed.iter().find(|(other, _)| *other == name).map_or(name, |(_, own)| own)
    }
}

/// The input that an element of an output is taken from: where that input comes from, and its element.
pub(crate) type Origin = (Option<Source>, usize);

/// Gives the origin of an element of an output; none if the block computes it.
pub(crate) type Route = fn(&Layout<'_>, UnitId, usize, usize) -> Outcome<Option<Origin>>;

/// Where the name of an unnamed signal comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    /// Nowhere.
    None,
    /// From the element of the bus that is selected.
    Selected,
    /// From the signal inside the subsystem.
    Inner,
    /// From the first input.
    First,
}

/// How a block becomes a part of the system.
#[derive(Clone, Copy)]
pub(crate) enum Lowering {
    /// An input of the system, or of a subsystem.
    Port,
    /// A subsystem.
    Subsystem,
    /// It only carries signals.
    Wires,
    /// It computes each element of its only output on its own.
    Each(fn(&mut Work<'_>, &Instance<'_>, usize) -> Outcome<Expr>),
    /// It computes its only output.
    One(fn(&mut Work<'_>, &Instance<'_>) -> Outcome<Vec<Expr>>),
    /// It computes all its outputs.
    All(fn(&mut Work<'_>, &Instance<'_>) -> Outcome<Vec<Vec<Expr>>>),
    /// It computes its only output from its direct inputs, and later the next values of its states from all inputs.
    Memory(
        fn(&mut Work<'_>, &Instance<'_>) -> Outcome<Vec<Expr>>,
        fn(&mut Work<'_>, &Instance<'_>) -> Outcome<()>,
    ),
    /// It has continuous states, which a solver integrates.
    Flow(&'static Flow),
    /// Its input must be true, or is assumed to be true, unless a parameter is `off`.
    Claim { enabled: &'static str, assumed: bool },
    /// It has no outputs, but an effect on states.
    Sink(fn(&mut Work<'_>, &Instance<'_>) -> Outcome<()>),
    /// It has nothing to compute.
    Nothing,
    /// It has a shape, but cannot be computed.
    Unsupported,
}

/// The scalars of each output.
pub(crate) type Outputs = Vec<Vec<Expr>>;

/// A block with continuous states.
pub(crate) struct Flow {
    /// Creates the states, without a look at the inputs.
    pub(crate) states: fn(&mut Work<'_>, &Instance<'_>) -> Outcome<Vec<Kept>>,
    /// The states in this step, which inputs may reset.
    pub(crate) begin: fn(&mut Work<'_>, &Instance<'_>, Vec<Kept>) -> Outcome<Vec<Kept>>,
    /// The outputs, with the values of the states and the direct inputs.
    pub(crate) outputs: fn(&mut Work<'_>, &Instance<'_>, &[Expr]) -> Outcome<Outputs>,
    /// The derivatives of the states, with their values and all inputs.
    pub(crate) slopes: fn(&mut Work<'_>, &Instance<'_>, &[Expr]) -> Outcome<Vec<Expr>>,
    /// A state after a step, kept within its limits.
    pub(crate) limited: fn(&mut Work<'_>, &Instance<'_>, usize, Expr) -> Outcome<Expr>,
}

/// A block that is being lowered.
pub(crate) struct Instance<'a> {
    pub(crate) id: UnitId,
    pub(crate) unit: &'a Unit,
    /// Its inputs; those that its outputs do not need are empty until all outputs are computed.
    pub(crate) signals: &'a [Signal],
}

impl Deref for Instance<'_> {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        self.unit
    }
}

impl Instance<'_> {
    /// An input.
    fn signal(&self, place: usize) -> Outcome<&Signal> {
        self.signals.get(place).ok_or_else(|| Fault::new("it has no input"))
    }

    /// An element of an input.
    fn at(&self, place: usize, element: usize) -> Outcome<Expr> {
        self.signal(place)?.at(element)
    }

    /// An element of the first input, as a real number.
    fn real(&self, work: &mut Work<'_>, element: usize) -> Outcome<Expr> {
        let a = self.at(0, element)?;
        Ok(work.real_of(a))
    }

    /// The class of an input.
    fn input_class(&self, work: &Work<'_>, place: usize) -> Class {
        let shape = self.source(place).and_then(|it| work.layout.plan.shape(it));
        shape.and_then(|it| classes(it).first().copied()).unwrap_or_default()
    }

    /// An entry of a parameter as a real number, in the class of an input.
    fn parameter(&self, work: &mut Work<'_>, name: &str, element: usize, class: Class) -> Outcome<Expr> {
        work.parameter(self.entry(name, element), class)
    }

    /// The class and the number of scalars of the only output.
    fn output(&self) -> Outcome<(Class, usize)> {
        match self.outputs.first() {
            Some(shape @ Shape::Signal { class, .. }) => Ok((*class, shape.width())),
            Some(shape @ Shape::Bus(_)) => Ok((Class::Double, shape.width())),
            None => Err(Fault::new("its type is not known")),
        }
    }

    /// The classes of the scalars of the only output.
    fn output_classes(&self) -> Outcome<Vec<Class>> {
        self.outputs.first().map(classes).ok_or_else(|| Fault::new("its type is not known"))
    }

    /// Computes the outputs and creates the states.
    pub(crate) fn compute(&self, work: &mut Work<'_>) -> Outcome<Vec<Vec<Expr>>> {
        match self.kind.definition().lowering {
            Lowering::Each(element) => {
                let width = self.output()?.1;
                Ok(vec![(0..width).map(|it| element(work, self, it)).collect::<Outcome<_>>()?])
            }
            Lowering::One(output) | Lowering::Memory(output, _) => Ok(vec![output(work, self)?]),
            Lowering::All(outputs) => outputs(work, self),
            Lowering::Sink(effect) => effect(work, self).map(|()| Vec::new()),
            Lowering::Flow(flow) => {
                // At a later stage of a step the states are there.
                if !work.kept.contains_key(&self.id) {
                    let created = work.created.remove(&self.id);
                    let states = created.map_or_else(|| (flow.states)(work, self), Ok)?;
                    let states = (flow.begin)(work, self, states)?;
                    work.kept.insert(self.id, states);
                }
                let states = self.states(work);
                let mut outputs = (flow.outputs)(work, self, &states)?;
                if let Some(port) = self.unit.state_port() {
                    outputs.push(work.values.get(&(self.id, port)).cloned().unwrap_or_default());
                }
                Ok(outputs)
            }
            Lowering::Port
            | Lowering::Subsystem
            | Lowering::Wires
            | Lowering::Claim { .. }
            | Lowering::Nothing
            | Lowering::Unsupported => Err(unsupported::kind(&self.kind)),
        }
    }

    /// The values of the states.
    pub(crate) fn states(&self, work: &Work<'_>) -> Vec<Expr> {
        work.kept.get(&self.id).map_or(Vec::new(), |states| states.iter().map(|it| it.seen).collect())
    }

    /// Computes the next values of states that need all inputs.
    pub(crate) fn finish(&self, work: &mut Work<'_>) -> Outcome<()> {
        match self.kind.definition().lowering {
            Lowering::Memory(_, finish) => finish(work, self),
            _ => Ok(()),
        }
    }
}

/// Why a block cannot be computed.
pub(crate) fn refusal(unit: &Unit) -> Option<Fault> {
    (unit.kind.definition().refusal)(unit)
}

/// A block that computes element by element, in the class of its first input. Other definitions start from it.
const ELEMENTWISE: Definition = Definition {
    passive: false,
    numbers: &[],
    uses: is_given,
    cells: false,
    expands: &[],
    defaults: &[],
    renamed: &[],
    inputs: None,
    outputs: |_| Some(1),
    control: None,
    refusal: |_| None,
    governs: false,
    shapes: |case| {
        let known = match case.inputs {
            [] => Known::NOTHING,
            [first, ..] => Known::new(case.class(first.class()), case.expanded(case.size(case.inputs))),
        };
        vec![known; case.unit.outputs.len()]
    },
    needed: |_, _, _| Known::NOTHING,
    inherits: false,
    complaint: |_, _| None,
    label: Label::None,
    sample_time: |_| Some("SampleTime"),
    remembers: false,
    momentary: |_, _| false,
    direct: |_, _| true,
    route: None,
    lowering: Lowering::Unsupported,
};

/// A block that passes its input on, perhaps later.
const PASSING: Definition = Definition {
    shapes: |case| case.passed(),
    needed: |_, _, outputs| outputs.first().cloned().unwrap_or(Known::NOTHING),
    inherits: true,
    lowering: Lowering::Each(|_, block, element| block.at(0, element)),
    ..ELEMENTWISE
};

/// Whether a parameter comes from the block and not from a port.
fn is_given(unit: &Unit, name: &str) -> bool {
    let source = match name {
        "DelayLength" | "InitialCondition" | "UpperLimit" | "LowerLimit" => {
            unit.word(&format!("{name}Source"))
        }
        _ => "",
    };
    !source.contains("nput port") && source != "external"
}

/// The class and the size of the output, for the first input.
fn like_output(_: &Case<'_>, place: usize, outputs: &[Known]) -> Known {
    match outputs.first().filter(|_| place == 0) {
        Some(output) => Known::new(output.class(), output.size()),
        None => Known::NOTHING,
    }
}

/// The class that the other inputs or the output have, where the block inherits its class.
fn like_others(case: &Case<'_>, place: usize, outputs: &[Known]) -> Option<Known> {
    let word = case.unit.word("OutDataTypeStr");
    let others = case.inputs.iter().enumerate().filter(|(k, _)| *k != place);
    (word.is_empty() || word.starts_with("Inherit")).then(|| {
        let other = others.into_iter().find_map(|(_, known)| known.class());
        Known::new(other.or(outputs.first().and_then(Known::class)), None)
    })
}

/// The class that the other inputs or the output have; that of the output, where the block states its class.
fn like_others_or_output(case: &Case<'_>, place: usize, outputs: &[Known]) -> Known {
    let output = || Known::new(outputs.first().and_then(Known::class), None);
    like_others(case, place, outputs).unwrap_or_else(output)
}

/// Inputs of different sizes, none of which is a scalar.
fn misfit(inputs: &[Known]) -> Option<Fault> {
    let widths: Vec<usize> = inputs.iter().filter_map(Known::width).filter(|&width| width != 1).collect();
    let first = widths.first().filter(|_| inputs.len() > 1)?;
    let other = widths.iter().find(|width| *width != first)?;
    Some(Fault::new(format!("its inputs have {first} and {other} elements, which do not match")))
}
