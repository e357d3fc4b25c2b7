//! A program under test: one CSV line with the inputs of a step goes in, one with its outputs comes out.
//!
//! The program is started anew for each test. Its first line of input has the names of the inputs, and its first line of output those of
//! its outputs. It is killed when it does not answer in time and when its test ends. Its input is written by a thread of its own, so a
//! program that does not read keeps nobody waiting.

use base::counted;
use logic::Value;
use requirement::specification::{Type, Variable};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;
use suite::{Broken, Subject};

/// The longest line that is read.
const LONGEST: u64 = 1 << 20;

/// A program under test.
pub(super) struct Program<'a> {
    command: &'a [String],
    /// The variables of the requirements.
    variables: &'a [Variable],
    /// Their names in the program, where those are others.
    map: &'a [(String, String)],
    /// The time for each answer.
    patience: Duration,
    running: Option<Running>,
}

struct Running {
    child: Child,
    /// Lines for its input; closed once it takes no more.
    input: Sender<Vec<u8>>,
    lines: Receiver<Vec<u8>>,
    /// The names of the outputs; read with the first step.
    outputs: Option<Vec<String>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Program<'a> {
    pub(super) fn new(
        command: &'a [String],
        variables: &'a [Variable],
        map: &'a [(String, String)],
        patience: Duration,
    ) -> Program<'a> {
        Program { command, variables, map, patience, running: None }
    }

    fn start(&self) -> Result<Running, Broken> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(Broken("there is no program".to_owned()));
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Broken(format!("cannot start `{program}`: {error}")))?;
        let (Some(mut stdin), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Broken("the program has no input and output".to_owned()));
        };
        let (input, written) = channel::<Vec<u8>>();
        std::thread::spawn(move || {
            for line in written {
                if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (sender, lines) = sync_channel(64);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match reader.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                    Ok(1..) if sender.send(line).is_ok() => {}
                    _ => break,
                }
            }
        });
        Ok(Running { child, input, lines, outputs: None })
    }
}

impl Running {
    fn send(&mut self, cells: &[String]) -> Result<(), Broken> {
        let line = cells.join(",") + "\n";
        self.input.send(line.into_bytes()).map_err(|_| self.ended())
    }

    fn ended(&mut self) -> Broken {
        // A program that closes its output usually ends right after it.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Broken(format!("the program ended: {status}"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Broken("the program closed its input or output".to_owned())
    }

    fn line(&mut self, patience: Duration) -> Result<Vec<String>, Broken> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => {
                let text = String::from_utf8(line);
                let text =
                    text.map_err(|_| Broken("the program wrote bytes that are not UTF-8".to_owned()))?;
                Ok(text.trim_end_matches(['\r', '\n']).split(',').map(|it| it.trim().to_owned()).collect())
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = patience.as_secs_f64();
                Err(Broken(format!("the program did not answer within {seconds} s")))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }
}

impl Subject for Program<'_> {
    fn restart(&mut self) -> Result<(), Broken> {
        self.running = None;
        self.running = Some(self.start()?);
        Ok(())
    }

    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken> {
        let patience = self.patience;
        let Some(running) = &mut self.running else {
            return Err(Broken("the program was not started".to_owned()));
        };
        let names = match &running.outputs {
            Some(names) => names.clone(),
            None => {
                let header: Vec<String> = inputs.iter().map(|it| it.0.clone()).collect();
                running.send(&header)?;
                let names = running.line(patience)?;
                running.outputs = Some(names.clone());
                names
            }
        };
        let cells: Vec<String> = inputs.iter().map(|it| cell(&it.1)).collect();
        running.send(&cells)?;
        let cells = running.line(patience)?;
        if cells.len() != names.len() {
            let (found, expected) = (cells.len(), names.len());
            let (found, expected) = (counted(found, "value"), counted(expected, "output"));
            return Err(Broken(format!("a line has {found}, and the first line names {expected}")));
        }
        let mut outputs = Vec::new();
        for (name, cell) in names.into_iter().zip(cells) {
            let own = self.map.iter().find(|it| it.1 == name).map_or(&name, |it| &it.0);
            if let Some(variable) = self.variables.iter().find(|it| it.name == *own) {
                let value = value(&variable.ty, &cell);
                let value = value.ok_or_else(|| {
                    let shown: String = cell.chars().take(40).collect();
                    Broken(format!("`{shown}` is not a value of `{name}`"))
                })?;
                outputs.push((name, value));
            }
        }
        Ok(outputs)
    }
}

/// A value as a cell: 0 and 1 for Booleans, decimals, names.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::Num(number) => logic::format_decimal(number).unwrap_or_else(|| number.to_string()),
        Value::Name(name) => name.clone(),
    }
}

/// The value of a cell.
fn value(ty: &Type, cell: &str) -> Option<Value> {
    match ty {
        Type::Bool => match cell {
            "0" | "false" => Some(Value::Bool(false)),
            "1" | "true" => Some(Value::Bool(true)),
            _ => None,
        },
        Type::Int(_) => logic::parse_decimal(cell).filter(logic::RBig::is_int).map(Value::Num),
        Type::Real(_) => logic::parse_number(cell).map(Value::Num),
        Type::Enum(literals) => literals.iter().find(|it| *it == cell).map(|it| Value::Name(it.clone())),
    }
}
