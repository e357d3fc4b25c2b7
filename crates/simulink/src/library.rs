//! Links to library blocks whose body is not in the file: [`expand`] puts ordinary blocks in their place.
//!
//! A library block is known by the path of its source. Its body here has the meaning of the original and ports in the same
//! order, but is drawn in our own way. What only documents or states a goal becomes a kind of its own; a link that is not
//! known stays as it is and is listed.

mod body;

use crate::diagram::{Block, BlockId, Diagram, Parameters, Sheet, SheetId};
use crate::plan::Trouble;

/// A block that only documents.
pub const DOCUMENT: &str = "DocBlock";
/// A sink whose input shall always be true.
pub const OBJECTIVE: &str = "Proof Objective";
/// A sink whose input is taken to be always true.
pub const ASSUMPTION: &str = "Assumption";

/// Resolves all links that are known; gives those that are not.
pub fn expand(diagram: &mut Diagram) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    // Bodies are appended, so links inside of them are met later.
    let mut number = 0;
    while let Some(sheet) = diagram.sheets.get(number) {
        let links = (0..).zip(&sheet.blocks).filter(|(_, it)| it.kind == "Reference" && it.inside.is_none());
        let links: Vec<u32> = links.map(|(place, _)| place).collect();
        for place in links {
            let id = BlockId { sheet: SheetId(number as u32), number: place };
            if let Err(trouble) = resolve(diagram, id) {
                troubles.push(trouble);
            }
        }
        number += 1;
    }
    troubles
}

fn resolve(diagram: &mut Diagram, id: BlockId) -> Result<(), Trouble> {
    let Some(block) = diagram.block(id) else { return Ok(()) };
    let source = source(block);
    let found = match source.as_str() {
        "simulink/Model-Wide Utilities/Model Info" | "simulink/Model-Wide Utilities/DocBlock" => {
            Found::Kind(DOCUMENT)
        }
        "sldvlib/Objectives and Constraints/Proof Objective" => Found::Kind(OBJECTIVE),
        "sldvlib/Objectives and Constraints/Assumption" => Found::Kind(ASSUMPTION),
        source => match body::body(source, block) {
            Some(sheet) => Found::Body(sheet),
            None => {
                return Err(Trouble {
                    path: diagram.path(id),
                    kind: source.to_owned(),
                    message: "the body of this library block is not in the file".to_owned(),
                    hint: Some(
                        "break the link in Simulink (Library Link > Disable, then Break) and save".to_owned(),
                    ),
                });
            }
        },
    };
    let next = SheetId(diagram.sheets.len() as u32);
    let slot =
        diagram.sheets.get_mut(id.sheet.0 as usize).and_then(|it| it.blocks.get_mut(id.number as usize));
    let Some(block) = slot else { return Ok(()) };
    match found {
        Found::Kind(kind) => kind.clone_into(&mut block.kind),
        Found::Body(sheet) => {
            "SubSystem".clone_into(&mut block.kind);
            block.inside = Some(next);
            diagram.sheets.push(Sheet { owner: Some(id), ..sheet });
        }
    }
    Ok(())
}

enum Found {
    Kind(&'static str),
    Body(Sheet),
}

/// The path of the library block. Its names are broken into lines where they are drawn: a break is a blank.
fn source(block: &Block) -> String {
    let Parameters(parameters) = &block.parameters;
    let path = parameters.iter().rfind(|(key, _)| key == "SourceBlock").map(|(_, value)| value.as_str());
    path.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(sources: &[&str]) -> Diagram {
        let mut sheet = Sheet::default();
        for source in sources {
            sheet.add("Reference", source, &[("SourceBlock", source), ("relop", "<="), ("const", "0.5")]);
        }
        Diagram { name: "m".to_owned(), sheets: vec![sheet], ..Diagram::default() }
    }

    #[test]
    fn known_links_are_expanded() {
        // Inputs, outputs, blocks of the body.
        let table = [
            ("simulink/Discontinuities/Saturation\nDynamic", 3, 1, 8),
            ("simulink/Logic and Bit\nOperations/Compare\nTo Constant", 1, 1, 4),
            ("simulink/Logic and Bit\nOperations/Compare\nTo Zero", 1, 1, 4),
            ("cocosimLibs/Implies", 2, 1, 5),
            ("aerolibutil/Create 3x3 Matrix", 9, 1, 12),
            ("aerolibutil/3x3 Cross Product/Subsystem", 2, 1, 8),
            ("aerolibtransform2/Quaternions to \nDirection Cosine Matrix/A23", 1, 1, 3),
            ("aerolibasang/Incidence, Sideslip,\n& Airspeed/Subsystem", 1, 2, 5),
            ("aerolib6dofsys/Calculate omega_dot/I x w", 2, 1, 6),
            ("aerolibadynsys/Passive", 2, 1, 4),
        ];
        for (source, inputs, outputs, blocks) in table {
            let mut diagram = linked(&[source]);
            assert_eq!(expand(&mut diagram), Vec::new(), "{source}");
            assert_eq!(diagram.sheets[0].blocks[0].kind, "SubSystem");
            let body = &diagram.sheets[1];
            let count = |kind| body.blocks.iter().filter(|it| it.kind == kind).count();
            assert_eq!(
                (count("Inport"), count("Outport"), body.blocks.len()),
                (inputs, outputs, blocks),
                "{source}"
            );
            assert_eq!(body.owner, Some(BlockId { sheet: SheetId(0), number: 0 }));
        }
    }

    #[test]
    fn bodies_may_have_links() {
        let mut diagram = linked(&["simulink/Discontinuities/Rate Limiter\nDynamic"]);
        assert_eq!(expand(&mut diagram), Vec::new());
        assert_eq!(diagram.sheets.len(), 3);
        assert!(diagram.sheets.iter().flat_map(|it| &it.blocks).all(|it| it.kind != "Reference"));
    }

    #[test]
    fn other_links() {
        let mut diagram = linked(&["simulink/Model-Wide\nUtilities/Model Info", "mylib/Filter"]);
        let troubles = expand(&mut diagram);
        assert_eq!(diagram.sheets[0].blocks[0].kind, DOCUMENT);
        assert_eq!(diagram.sheets[0].blocks[1].kind, "Reference");
        assert_eq!(troubles.len(), 1);
        assert_eq!(
            (troubles[0].path.as_str(), troubles[0].kind.as_str()),
            ("m/mylib/Filter", "mylib/Filter")
        );
    }
}
