//! The normal form of a table: every column as wide as its widest cell. Cells keep their text and their escapes.

use syntax::Span;

/// The lines of a table in normal form, each with the line that it stands for; the line ends are outside.
pub(super) fn lines(text: &str, table: Span) -> Vec<(Span, String)> {
    let mut rows = Vec::new();
    let mut start = table.start as usize;
    for line in text.get(table.range()).unwrap_or_default().split_inclusive('\n') {
        let solid = line.trim_end();
        if !solid.is_empty() {
            rows.push((Span::new(start as u32, (start + solid.len()) as u32), cells(solid)));
        }
        start += line.len();
    }
    let columns = rows.first().map_or(0, |(_, cells)| cells.len());
    let is_rule = |row: usize| row == 1;
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().enumerate().filter(|&(row, _)| !is_rule(row));
            cells
                .filter_map(|(_, (_, cells))| cells.get(column))
                .map(|cell| draw::columns(cell))
                .max()
                .unwrap_or(0)
                .max(1)
        })
        .collect();
    let line = |row: usize, cells: &[&str]| {
        let mut line = String::from("|");
        for (column, cell) in cells.iter().enumerate() {
            let width = widths.get(column).copied().unwrap_or(0);
            if is_rule(row) {
                let side = |has: bool| if has { ":" } else { "-" };
                let (left, right) =
                    (side(cell.starts_with(':')), side(cell.len() > 1 && cell.ends_with(':')));
                line.push_str(&format!("{left}{}{right}|", "-".repeat(width)));
            } else {
                let blanks = width.saturating_sub(draw::columns(cell));
                line.push_str(&format!(" {cell}{} |", " ".repeat(blanks)));
            }
        }
        line
    };
    rows.iter().enumerate().map(|(row, (span, cells))| (*span, line(row, cells))).collect()
}

/// The cells of a line, without the blanks around them. A pipe with a backslash before it belongs to its cell.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim();
    let inner = inner.strip_prefix('|').unwrap_or(inner);
    let mut cells = Vec::new();
    let mut start = 0;
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        if letter == '|' && !escaped {
            cells.push(inner[start..at].trim());
            start = at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    if start < inner.len() {
        cells.push(inner[start..].trim());
    }
    cells
}
