//! One small model in all file formats: as text, as a package in one part and in several; and what tests share.
//!
//! All of them say the same, so each reader is compared with the others.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod chart;
pub(crate) mod model;

use shall_simulink::diagram::Diagram;
use shall_simulink::{Limits, Reading, read};

/// The model as text.
pub(crate) const TEXT: &str = r#"# a comment
Model {
  Name			  "tank"
  Version		  8.0
  SavedCharacterEncoding  "UTF-8"
  PreLoadFcn		  "load limits.mat"
  Array {
    Type		    "Handle"
    Dimension		    2
    Simulink.ConfigSet {
      $ObjectID		      5
      Array {
	Type			"Handle"
	Dimension		1
	Simulink.SolverCC {
	  $ObjectID		  6
	  Solver		  "ode45"
	}
	PropName		"Components"
      }
      Name		      "Other"
    }
    Simulink.ConfigSet {
      $ObjectID		      7
      Array {
	Type			"Handle"
	Dimension		1
	Simulink.SolverCC {
	  $ObjectID		  8
	  Version		  "1.12.1"
	  FixedStep		  "0.1"
	  Solver		  "FixedStepDiscrete"
	}
	PropName		"Components"
      }
      Name		      "Configuration"
    }
    PropName		    "ConfigurationSets"
  }
  Simulink.ConfigSet {
    $PropName		    "ActiveConfigurationSet"
    $ObjectID		    7
  }
  BlockParameterDefaults {
    Block {
      BlockType		      Gain
      Gain		      "1"
      SaturateOnIntegerOverflow	on
    }
  }
  System {
    Name		    "tank"
    Block {
      BlockType		      Inport
      Name		      "level"
      SID		      "1"
      Position		      [75, 127, 105, 143]
      Port {
	PortNumber		1
	Name			"measured"
      }
    }
    Block {
      BlockType		      SubSystem
      Name		      "Pump\n\"A\" \\ B"
      SID		      "2"
      Ports		      [1, 1, 0, 0, 0, 0, 0, 1]
      Object {
	$PropName		"MaskObject"
	$ObjectID		25
	$ClassName		"Simulink.Mask"
	Type			"pump"
	Initialization		"k = 2*speed;"
	Array {
	  Type			  "Simulink.MaskParameter"
	  Dimension		  2
	  Object {
	    $ObjectID		    26
	    Name		    "speed"
	    Value		    "3"
	  }
	  Object {
	    $ObjectID		    27
	    Name		    "title"
	    Value		    "main"
	    Evaluate		    "off"
	  }
	  PropName		  "Parameters"
	}
      }
      System {
	Name			"Pump"
	Block {
	  BlockType		  Inport
	  Name			  "u"
	  SID			  "3"
	}
	Block {
	  BlockType		  Gain
	  Name			  "k"
	  SID			  "4"
	  Gain			  "a very long g"
	  "ain, in two lines"
	}
	Block {
	  BlockType		  Outport
	  Name			  "y"
	  SID			  "5"
	}
	Line {
	  SrcBlock		  "u"
	  SrcPort		  1
	  DstBlock		  "k"
	  DstPort		  1
	}
	Line {
	  SrcBlock		  "k"
	  SrcPort		  1
	  DstBlock		  "y"
	  DstPort		  1
	}
      }
    }
    Block {
      BlockType		      If
      Name		      "If"
      SID		      "6"
      IfExpression	      "u1 > 0"
    }
    Block {
      BlockType		      Terminator
      Name		      "end"
      SID		      "7"
    }
    Line {
      Name		      "measured"
      SrcBlock		      "level"
      SrcPort		      1
      Points		      [10, 0;
      20, 5]
      Branch {
	DstBlock		"If"
	DstPort			1
      }
      Branch {
	Points			[5, 0]
	Branch {
	  DstBlock		  "Pump\n\"A\" \\ B"
	  DstPort		  1
	}
      }
    }
    Line {
      SrcBlock		      "If"
      SrcPort		      1
      DstBlock		      "Pump\n\"A\" \\ B"
      DstPort		      ifaction
    }
    Line {
      SrcBlock		      "Pump\n\"A\" \\ B"
      SrcPort		      1
      DstBlock		      "end"
      DstPort		      1
    }
    Annotation {
      Name		      "äöü: a tank"
    }
  }
}
"#;

const ROOT: &str = r#"<System>
      <P Name="Location">[1, 2, 3, 4]</P>
      <Block BlockType="Inport" Name="level" SID="1">
        <P Name="Position">[75, 127, 105, 143]</P>
        <Port><P Name="PortNumber">1</P><P Name="Name">measured</P></Port>
      </Block>
      <Block BlockType="SubSystem" Name="Pump&#xA;&quot;A&quot; \ B" SID="2">
        <P Name="Ports">[1, 1, 0, 0, 0, 0, 0, 1]</P>
        <Mask>
          <Type>pump</Type>
          <Initialization>k = 2*speed;</Initialization>
          <MaskParameter Name="speed" Type="edit"><Value>3</Value></MaskParameter>
          <MaskParameter Name="title" Type="edit" Evaluate="off"><Value>main</Value></MaskParameter>
        </Mask>
        @INSIDE@
      </Block>
      <Block BlockType="If" Name="If" SID="6"><P Name="IfExpression">u1 &gt; 0</P></Block>
      <Block BlockType="Terminator" Name="end" SID="7"/>
      <Line>
        <P Name="Name">measured</P>
        <P Name="Src">1#out:1</P>
        <P Name="Points">[10, 0; 20, 5]</P>
        <Branch><P Name="Dst">6#in:1</P></Branch>
        <Branch><P Name="Points">[5, 0]</P><Branch><P Name="Dst">2#in:1</P></Branch></Branch>
      </Line>
      <Line><P Name="Src">6#out:1</P><P Name="Dst">2#ifaction</P></Line>
      <Line><P Name="Src">2#out:1</P><P Name="Dst">7#in:1</P></Line>
      <Annotation><P Name="Name">äöü: a tank</P></Annotation>
    </System>"#;

const INSIDE: &str = r#"<System>
          <Block BlockType="Inport" Name="u" SID="3"/>
          <Block BlockType="Gain" Name="k" SID="4"><P Name="Gain">a very long gain, in two lines</P></Block>
          <Block BlockType="Outport" Name="y" SID="5"/>
          <Line><P Name="Src">3#out:1</P><P Name="Dst">4#in:1</P></Line>
          <Line><P Name="Src">4#out:1</P><P Name="Dst">5#in:1</P></Line>
        </System>"#;

/// The parts of the model as a package: all in one part, or a part for each system.
pub(crate) fn parts(split: bool) -> Vec<(&'static str, String)> {
    let model = |system: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ModelInformation Version=\"1.0\"><Model>\
             <P Name=\"PreLoadFcn\">load limits.mat</P>{system}</Model></ModelInformation>"
        )
    };
    let mut parts = vec![
        (
            "simulink/configSetInfo.xml",
            "<ConfigSetInfo><ConfigSet PartName=\"/simulink/configSet1.xml\" Active=\"true\">C</ConfigSet></ConfigSetInfo>"
                .to_owned(),
        ),
        ("simulink/configSet0.xml", "<ConfigSet><Object><P Name=\"Solver\">ode45</P></Object></ConfigSet>".to_owned()),
        (
            "simulink/configSet1.xml",
            "<ConfigSet><Object ClassName=\"Simulink.ConfigSet\"><Array PropName=\"Components\"><Object Version=\"1\" \
             ClassName=\"Simulink.SolverCC\"><P Name=\"FixedStep\">0.1</P><P Name=\"Solver\">FixedStepDiscrete</P>\
             </Object></Array></Object></ConfigSet>"
                .to_owned(),
        ),
        (
            "simulink/bddefaults.xml",
            "<BlockDiagramDefaults><BlockParameterDefaults><Block BlockType=\"Gain\"><P Name=\"Gain\">1</P>\
             <P Name=\"SaturateOnIntegerOverflow\">on</P></Block></BlockParameterDefaults></BlockDiagramDefaults>"
                .to_owned(),
        ),
    ];
    if split {
        parts.push(("simulink/blockdiagram.xml", model("<System Ref=\"system_root\"/>")));
        parts.push((
            "simulink/systems/system_root.xml",
            ROOT.replace("@INSIDE@", "<System Ref=\"system_2\"/>"),
        ));
        parts.push(("simulink/systems/system_2.xml", INSIDE.to_owned()));
    } else {
        parts.push(("simulink/blockdiagram.xml", model(&ROOT.replace("@INSIDE@", INSIDE))));
    }
    parts
}

/// An archive of parts.
pub(crate) fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    container::archive::create(parts).expect("parts of a test fit")
}

/// The parts as a text.
pub(crate) fn text_package(parts: &[(&str, String)]) -> Vec<u8> {
    let mut text =
        "# MathWorks OPC Text Package\nModel {\n  Version 24.1\n}\n__MWOPC_PACKAGE_BEGIN__ R2024a\n"
            .to_owned();
    for (name, part) in parts {
        text.push_str(&format!("__MWOPC_PART_BEGIN__ /{name}\n{part}\n"));
    }
    text.push_str("__MWOPC_PART_BEGIN__ /metadata/thumbnail.png BASE64\niVBORw0K\n__MWOPC_PACKAGE_END__\n");
    text.into_bytes()
}

/// Reads with the limits that tools use.
pub(crate) fn reading(bytes: &[u8]) -> Reading {
    read(bytes, &Limits::default())
}

/// What formats and the writer keep: not the name, the lines, the order of the settings, and parameters with names that a
/// text cannot have.
pub(crate) fn kept(diagram: &Diagram) -> Diagram {
    let mut diagram = diagram.clone();
    diagram.name.clear();
    diagram.settings.0.sort();
    diagram.workspace = diagram.workspace.and_then(|file| file.get(124..).map(<[u8]>::to_vec));
    let is_key =
        |key: &str| !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || "{}[]\"#\\$".contains(c));
    diagram.settings.0.retain(|(key, _)| is_key(key));
    diagram.defaults.values_mut().for_each(|it| it.0.retain(|(key, _)| is_key(key)));
    for block in diagram.sheets.iter_mut().flat_map(|sheet| &mut sheet.blocks) {
        block.line = 0;
        block.parameters.0.retain(|(key, _)| is_key(key));
    }
    diagram
}
