//! Mistakes in C programs, token by token: other comparisons and connectives, other constants, operands and conditions that are negated or
//! fixed, statements and `else`s left out. Every mutant compiles, so that all of them fit into one program, each with names of its own.

/// A program with one mistake.
pub(crate) struct Mutant {
    /// The mistake.
    pub(crate) words: String,
    tokens: Vec<String>,
}

/// A small tokenizer for C: comments and preprocessor lines are dropped.
fn tokens(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut comment = false;
    for (line, text) in text.lines().enumerate() {
        if text.starts_with('#') {
            continue;
        }
        let mut rest = text;
        while !rest.is_empty() {
            if comment {
                comment = !rest.contains("*/");
                rest = rest.split_once("*/").map_or("", |it| it.1);
                continue;
            }
            let word = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let pair =
                ["==", "!=", "<=", ">=", "&&", "||", "->", "/*"].iter().find(|it| rest.starts_with(**it));
            let size = match (pair, rest.chars().next()) {
                (Some(_), _) => 2,
                (None, Some(first)) if word(first) => rest.find(|it| !word(it)).unwrap_or(rest.len()),
                (None, first) => first.map_or(1, char::len_utf8),
            };
            let (token, behind) = rest.split_at(size);
            rest = behind;
            match token {
                "/*" => comment = true,
                _ if token.trim().is_empty() => {}
                _ => found.push((token.to_owned(), line + 1)),
            }
        }
    }
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
}

fn is_constant(token: &str) -> bool {
    token.starts_with(|it: char| it.is_ascii_digit())
        || token.len() > 1
            && token.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
}

/// Which tokens are in an expression that is a condition, a value to be assigned or one to be returned.
fn expressions(tokens: &[(String, usize)]) -> Vec<bool> {
    let mut inside = vec![false; tokens.len()];
    let (mut value, mut depth) = (false, 0);
    for at in 0..tokens.len() {
        let token = tokens[at].0.as_str();
        match token {
            "=" | "return" => value = true,
            ";" => value = false,
            "(" if depth > 0 || at > 0 && tokens[at - 1].0 == "if" => depth += 1,
            ")" if depth > 0 => depth -= 1,
            _ => {}
        }
        inside[at] = (value || depth > 0) && !matches!(token, "=" | "return");
    }
    inside
}

/// The end of the bracket that opens here.
fn closing(tokens: &[(String, usize)], open: usize) -> usize {
    let mut depth = 0;
    for (at, (token, _)) in tokens.iter().enumerate().skip(open) {
        depth += i32::from(token == "(") - i32::from(token == ")");
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// The inputs that a program reads.
fn fields(tokens: &[(String, usize)]) -> Vec<String> {
    let reads = tokens.windows(3).filter(|it| it[0].0 == "in" && it[1].0 == "->");
    let mut found: Vec<String> = reads.map(|it| format!("in->{}", it[2].0)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The variables that have a value at some place: those of the file, and those of the function whose declaration is over.
fn variables(tokens: &[(String, usize)], at: usize) -> Vec<String> {
    let mut found: Vec<(String, i32)> = Vec::new();
    let mut depth = 0;
    let mut pending = None;
    for pair in tokens[..at].windows(2) {
        let (token, behind) = (pair[0].0.as_str(), pair[1].0.as_str());
        depth += i32::from(token == "{") - i32::from(token == "}");
        found.retain(|(_, declared)| *declared <= depth);
        match token {
            "bool" | "long" if matches!(behind, "init" | "step") => {}
            "bool" | "long" if pending.is_none() => pending = Some(behind.to_owned()),
            ";" => found.extend(pending.take().map(|name| (name, depth))),
            ")" if depth == 0 => pending = None,
            _ => {}
        }
    }
    found.into_iter().map(|it| it.0).collect()
}

/// All mutants of a program; the first is the program itself.
pub(crate) fn mutants(text: &str) -> Vec<Mutant> {
    let tokens = tokens(text);
    let inside = expressions(&tokens);
    let plain =
        |tokens: &[(String, usize)]| -> Vec<String> { tokens.iter().map(|it| it.0.clone()).collect() };
    let mut found = vec![Mutant { words: "none".to_owned(), tokens: plain(&tokens) }];
    let mut replace = |from: usize, to: usize, with: &str| {
        let was = plain(&tokens[from..to]).join(" ");
        let mut copy = plain(&tokens);
        copy.splice(from..to, [with.to_owned()]);
        let words = format!("line {}: `{was}` becomes `{with}`", tokens[from].1);
        found.push(Mutant { words, tokens: copy });
    };
    for at in 1..tokens.len() {
        let token = tokens[at].0.as_str();
        let before = tokens[at - 1].0.as_str();
        let behind = tokens.get(at + 1).map_or("", |it| it.0.as_str());
        match token {
            "<" | "<=" | ">" | ">=" | "==" | "!=" => {
                for other in ["<", "<=", ">", ">=", "==", "!="].into_iter().filter(|it| *it != token) {
                    replace(at, at + 1, other);
                }
            }
            "&&" => replace(at, at + 1, "||"),
            "||" => replace(at, at + 1, "&&"),
            "!" => replace(at, at + 1, ""),
            "-" => replace(at, at + 1, "+"),
            "else" => replace(at, at + 1, ""),
            "if" if behind == "(" => {
                let end = closing(&tokens, at + 1);
                let condition = plain(&tokens[at + 1..=end]).join(" ");
                for with in [format!("(!{condition})"), "(0)".to_owned(), "(1)".to_owned()] {
                    replace(at + 1, end + 1, &with);
                }
            }
            _ if is_constant(token) => {
                replace(at, at + 1, &format!("({token} + 1)"));
                replace(at, at + 1, &format!("({token} - 1)"));
            }
            "if" | "in" | "out" if behind != "->" => {}
            _ if is_name(token) && inside[at] && before != "->" && behind != "(" => {
                let end = if behind == "->" { at + 3 } else { at + 1 };
                let operand = plain(&tokens[at..end]).join("");
                for with in [format!("!{operand}"), "0".to_owned(), "1".to_owned()] {
                    replace(at, end, &with);
                }
                let others = if behind == "->" { fields(&tokens) } else { variables(&tokens, at) };
                others.iter().filter(|it| **it != operand).for_each(|other| replace(at, end, other));
            }
            _ => {}
        }
        // A statement: an assignment or a call.
        let first = matches!(before, ";" | "{" | "}" | ")" | "else");
        if first && is_name(token) && matches!(behind, "=" | "->" | "(") && !matches!(token, "if" | "return")
        {
            let end = (at..tokens.len()).find(|&it| tokens[it].0 == ";").unwrap_or(at);
            replace(at, end, "");
        }
    }
    found
}

/// At most this many of them, spread evenly; the first is always included.
pub(crate) fn sample(mutants: Vec<Mutant>, most: usize) -> Vec<Mutant> {
    let count = mutants.len();
    let taken = |at: usize| count <= most || at == 0 || (at * most) / count != ((at - 1) * most) / count;
    mutants.into_iter().enumerate().filter(|(at, _)| taken(*at)).map(|it| it.1).collect()
}

/// All mutants in one program, which runs the suite and then the walks on each of them and prints their results.
pub(crate) fn program(mutants: &[Mutant]) -> String {
    let mut text = String::from(
        "#include \"tested.h\"\n#include <stdio.h>\n\nint run_suite(void);\nint run_walks(void);\n",
    );
    for (number, mutant) in mutants.iter().enumerate() {
        let names = own_names(&mutants[0].tokens);
        let renamed: Vec<String> = mutant.tokens.iter().map(|token| rename(token, &names, number)).collect();
        text.push_str(&renamed.join(" ").replace(';', ";\n"));
        text.push('\n');
    }
    let list =
        |name: &str| -> String { (0..mutants.len()).map(|number| format!("{name}_{number}, ")).collect() };
    text.push_str(&format!(
        "static int mutant;\n\
         static void (*const inits[])(const struct inputs *, struct outputs *) = {{ {} }};\n\
         static void (*const steps[])(const struct inputs *, long, struct outputs *) = {{ {} }};\n\
         void init(const struct inputs *in, struct outputs *out) {{ inits[mutant](in, out); }}\n\
         void step(const struct inputs *in, long time, struct outputs *out) {{ steps[mutant](in, time, out); }}\n\
         int main(void) {{\n\
         for (mutant = 0; mutant < {}; mutant++) {{\n\
         int killed = run_suite();\n\
         printf(\"=%d %d %d\\n\", mutant, killed, killed ? 1 : run_walks());\n\
         }}\nreturn 0;\n}}\n",
        list("init"),
        list("step"),
        mutants.len()
    ));
    text
}

/// The names that a program declares at its outermost level.
fn own_names(tokens: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    for pair in tokens.windows(2) {
        depth += i32::from(pair[0] == "{") - i32::from(pair[0] == "}");
        if depth == 0 && is_name(&pair[0]) && matches!(pair[1].as_str(), "(" | ";" | "=") {
            names.push(pair[0].clone());
        }
    }
    names
}

/// Some tokens of a mutant are whole expressions.
fn rename(token: &str, names: &[String], number: usize) -> String {
    let word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut text = String::new();
    let mut rest = token;
    while let Some(first) = rest.chars().next() {
        let size =
            if word(first) { rest.find(|it| !word(it)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (part, behind) = rest.split_at(size);
        rest = behind;
        text.push_str(part);
        if names.iter().any(|name| name == part) {
            text.push_str(&format!("_{number}"));
        }
    }
    text
}
