//! The Lockheed Martin challenge problems as systems: models read by the Simulink reader, with the contracts beside them attached.
//!
//! A [`Contract`] is one row of a table: model, data, contract and where it is attached. Most wires come from the mapping files;
//! where a file lacks some, is malformed or missing, they are written here, and a matrix `X_2_1` is `X` by columns. Variables of
//! contracts without a port stay free, and are listed.

use crate::failure::{OrFail, Result, problem};
use crate::files;
use lustre::read;
use simulink::attach::{Wire, attach};
use simulink::diagram::Diagram;
use simulink::plan::Plan;
use simulink::value::Value as Datum;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use system::{System, Type};

/// A contract on a model, or on a subsystem of it.
#[derive(Clone, Copy)]
pub(crate) struct Contract {
    /// The folder of the problem.
    pub(crate) problem: &'static str,
    model: &'static str,
    data: &'static str,
    /// The file and the name of the contract; files without a folder are those beside the model.
    file: &'static str,
    name: &'static str,
    /// The mapping file; empty if there is none.
    mapping: &'static str,
    /// The path of the subsystem; empty for the whole model.
    pub(crate) at: &'static str,
    /// Variables and their ports, before those of the mapping.
    wires: &'static [(&'static str, &'static str)],
    /// The rows of the matrices in the contract.
    rows: usize,
    /// Whether the states of the contract are 0 before the first step, as in the blocks that CoCoSim makes of it.
    zero: bool,
}

const PLAIN: Contract = Contract {
    problem: "",
    model: "",
    data: "",
    file: "",
    name: "",
    mapping: "",
    at: "",
    wires: &[],
    rows: 0,
    zero: false,
};

/// All contracts.
pub(crate) const CONTRACTS: [Contract; 12] = [
    Contract {
        problem: "0_triplex",
        model: "triplex_12B.mdl",
        file: "TriplexSignalMonitorSpec.lus",
        name: "TriplexSignalMonitorSpec",
        mapping: "cocospecMappingTriplexSignalMonitor.json",
        ..PLAIN
    },
    Contract {
        problem: "1_fsm",
        model: "fsm_12B.mdl",
        file: "FSMSpec.lus",
        name: "FSMSpec",
        mapping: "cocospecMappingFSM.json",
        ..PLAIN
    },
    Contract {
        problem: "1_fsm",
        model: "fsm_12B.mdl",
        file: "FSM_AutopilotSpec.lus",
        name: "FSM_AutopilotSpec",
        mapping: "cocospecMappingFSM_Autopilot.json",
        at: "fsm_12B/FiniteStateMachine/Manager",
        ..PLAIN
    },
    // The mapping spells `MODE` in small letters.
    Contract {
        problem: "1_fsm",
        model: "fsm_12B.mdl",
        file: "FSM_SensorSpec.lus",
        name: "FSM_SensorSpec",
        mapping: "cocospecMappingFSM_Sensor.json",
        at: "fsm_12B/FiniteStateMachine/Sen",
        wires: &[("MODE", "fsm_12B/FiniteStateMachine/Sen/mode")],
        ..PLAIN
    },
    // The mapping lacks limit and initial value, and spells `RESET` in small letters.
    Contract {
        problem: "2_tustin",
        model: "integrator_12B.mdl",
        file: "Tustin_IntegratorSpec.lus",
        name: "Tustin_IntegratorSpec",
        mapping: "cocospecMappingTustin_Integrator.json",
        wires: &[("BL", "integrator_12B/BL"), ("IC", "integrator_12B/ic"), ("RESET", "integrator_12B/reset")],
        ..PLAIN
    },
    // The counters have no value before the first step.
    Contract {
        problem: "3_regulators",
        model: "regs_12B.mdl",
        data: "regs_12B_data.mat",
        file: "RegulatorSpec.lus",
        name: "RegulatorSpec",
        mapping: "cocospecMappingRegulator.json",
        zero: true,
        ..PLAIN
    },
    // The contract beside the model is not Lustre; this is the one of the recorded program.
    Contract {
        problem: "4_nlguide",
        model: "NLGuidance_12B.mdl",
        file: "lustre/lmcps/4_nlguide/NLGuidance_12B.lus",
        name: "contract_733_002",
        wires: &[("r_1", "NLGuidance_12B/r")],
        ..PLAIN
    },
    Contract {
        problem: "5_nn",
        model: "nn_12B.mdl",
        data: "nn_12B_data.mat",
        file: "NNSpec.lus",
        name: "NNSpec",
        mapping: "cocospecMappingNN.json",
        ..PLAIN
    },
    // The mapping is malformed.
    Contract {
        problem: "6_eb",
        model: "EB_12B.mdl",
        data: "EB_12B_data.mat",
        file: "EBSpec.lus",
        name: "EBSpec",
        rows: 3,
        ..PLAIN
    },
    Contract {
        problem: "7_autopilot",
        model: "ap_12BAdapted.slx",
        data: "ap_12B_data.mat",
        file: "RollAutopilotSpec.lus",
        name: "RollAutopilotSpec",
        mapping: "cocospecMappingRollAutopilot.json",
        at: "ap_12BAdapted/GlobalScope/Autopilot/Roll_Autopilot",
        ..PLAIN
    },
    Contract {
        problem: "8_swim",
        model: "swim_12B.mdl",
        data: "swim_12B_data.mat",
        file: "SWIMSpec.lus",
        name: "SWIMSpec",
        mapping: "cocospecMappingSWIM.json",
        ..PLAIN
    },
    // There is no mapping.
    Contract {
        problem: "9_euler",
        model: "euler321_I2B_12B.mdl",
        file: "euler321_Spec.lus",
        name: "euler321_Spec",
        rows: 3,
        ..PLAIN
    },
];

/// A model with a contract.
pub(crate) struct Attached {
    pub(crate) system: System,
    /// The path that the inputs belong to.
    pub(crate) scope: String,
    /// The variables of the contract that are not connected to a port.
    pub(crate) free: Vec<String>,
}

impl Contract {
    fn path(&self, folder: &Path, file: &str) -> PathBuf {
        let beside = folder.join("simulink/lmcps").join(self.problem).join(file);
        if file.contains('/') { folder.join(file) } else { beside }
    }

    /// The model.
    pub(crate) fn plan(&self, folder: &Path) -> Result<Plan> {
        // A model has the name of its file; the name inside is an older one.
        let name = self.model.split('.').next();
        let data = Some(self.data).filter(|it| !it.is_empty()).map(|it| self.path(folder, it));
        plan(&self.path(folder, self.model), name, data.as_slice())
    }

    /// The contract on its subsystem alone, or, with `whole`, inside the whole model.
    pub(crate) fn attached(&self, folder: &Path, plan: &Plan, whole: bool) -> Result<Attached> {
        let at = Some(self.at).filter(|it| !it.is_empty() && !whole);
        let mut system = lowered(plan, at)?;
        let text = files::bytes(&self.path(folder, self.file))?;
        let text = String::from_utf8_lossy(&text);
        // The clock of a recorded program is an input that must count; nothing here reads it.
        let clock = |line: &&str| line.contains("\"NB_STEP\"") || line.contains("\"TIME_STEP\"");
        let text: String = text.lines().filter(|it| !clock(it)).flat_map(|it| [it, "\n"]).collect();
        let observer = read(&text, &|_| None).observer(self.name);
        let mut observer = observer.map_err(|wrong| format!("{:?}", wrong.first())).about(self.file)?;
        if self.zero {
            zero(&mut observer);
        }
        let scope = at.unwrap_or(&plan.name).to_owned();
        let wires = self.wires(folder, &observer, &scope)?;
        let free = attach(&mut system, &scope, &observer, &wires).map_err(|it| listed(&it)).or_fail()?;
        Ok(Attached { system: well_formed(system).about(self.file)?, scope, free })
    }

    fn wires(&self, folder: &Path, observer: &System, scope: &str) -> Result<Vec<Wire>> {
        let wire = |variable: &str, path: &str, index: Option<usize>| Wire {
            variable: variable.to_owned(),
            path: path.to_owned(),
            index,
        };
        let mut wires: Vec<Wire> = self.wires.iter().map(|it| wire(it.0, it.1, None)).collect();
        if !self.mapping.is_empty() {
            let mappings = exchange::mapping::read(&files::bytes(&self.path(folder, self.mapping))?);
            let mappings = mappings.map_err(|error| format!("{error:?}")).about(self.mapping)?;
            let all = mappings.iter().flat_map(|it| it.inputs.iter().chain(&it.outputs));
            wires.extend(all.map(|it| wire(&it.name, &it.path, it.index)));
        }
        if self.rows > 0 {
            let names = observer.inputs.iter().map(|it| &observer.variables[it.index()].name);
            wires.extend(names.filter_map(|name| {
                let (rest, column) = name.rsplit_once('_')?;
                let (matrix, row) = rest.rsplit_once('_')?;
                let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
                let place = (column.checked_sub(1)?) * self.rows + row;
                Some(wire(name, &format!("{scope}/{matrix}"), Some(place)))
            }));
        }
        Ok(wires)
    }
}

/// States that may begin with any value begin with 0.
fn zero(system: &mut System) {
    for place in 0..system.state.len() {
        let state = system.state[place];
        let zero = match system.variables[state.var.index()].ty {
            Type::Bool => system.pool.bool(false),
            Type::Int => system.pool.int(0),
            Type::Real => system.pool.real(0),
            Type::Machine(width) => system.pool.machine(width, 0),
            Type::Enum(id) => system.pool.literal(id, 0),
        };
        system.state[place].init = state.init.or(Some(zero));
    }
}

/// Whether a property is the requirement of an id: `TSM-004`, or as a program spells it `NLG004_803_002`.
pub(crate) fn is_about(property: &str, id: &str) -> bool {
    let name = property.rsplit('.').next().unwrap_or(property);
    property.ends_with(id) || letters(name.split('_').next().unwrap_or(name)) == letters(id)
}

/// The letters and digits of a name.
pub(crate) fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The plan of a model file, with the variables of data files. The model has the given name, if any.
pub(crate) fn plan(model: &Path, name: Option<&str>, data: &[PathBuf]) -> Result<Plan> {
    let mut diagram = simulink::read(&files::bytes(model)?, &Default::default()).diagram;
    if let Some(name) = name {
        diagram.name = name.to_owned();
    }
    let others = beside(model, &diagram)?;
    simulink::library::link(&mut diagram, &others);
    let _ = simulink::library::expand(&mut diagram);
    let mut all = Vec::new();
    for file in data {
        all.extend(variables(file)?);
    }
    Ok(simulink::plan::plan(&diagram, &all))
}

/// The libraries and models beside a model that it leads to, directly or through others.
fn beside(model: &Path, diagram: &Diagram) -> Result<BTreeMap<String, Diagram>> {
    let mut found = BTreeMap::new();
    let mut open: Vec<String> = simulink::library::files(diagram).into_iter().collect();
    while let Some(name) = open.pop() {
        let path = ["slx", "mdl"].map(|it| model.with_file_name(format!("{name}.{it}")));
        let Some(path) = path.into_iter().find(|it| it.is_file() && it != model) else { continue };
        if found.contains_key(&name) {
            continue;
        }
        let other = simulink::read(&files::bytes(&path)?, &Default::default()).diagram;
        open.extend(simulink::library::files(&other));
        found.insert(name, other);
    }
    Ok(found)
}

/// The variables of a data file.
pub(crate) fn variables(file: &Path) -> Result<Vec<(String, Datum)>> {
    Ok(simulink::mat::read(&files::bytes(file)?, Default::default()).about(file.display())?.variables)
}

/// The system of a model, or of a subsystem of it.
pub(crate) fn lowered(plan: &Plan, at: Option<&str>) -> Result<System> {
    simulink::lower::lower(plan, at, &Default::default()).map_err(|it| listed(&it)).or_fail()
}

/// The system, if its own check finds no error in it.
pub(crate) fn well_formed(system: System) -> Result<System> {
    match system.check().first() {
        Some(wrong) => problem(wrong),
        None => Ok(system),
    }
}

fn listed(all: &[simulink::plan::Problem]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n    ")
}
