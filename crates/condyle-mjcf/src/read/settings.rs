//! The sections that set how a model is compiled, simulated and shown.

use super::Reader;
use super::attributes::Attributes;
use crate::schema::parse_memory;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_model::{Flag, disable, enable};
use condyle_spec::Sizes;
use condyle_spec::edit::{Attributed, Value};

impl Reader<'_> {
    /// `<compiler>`: several are applied one after another.
    pub(super) fn compiler(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        if a.word("coordinate", "coordinate") == Some(1) {
            self.report_at(
                Diagnostic::error("E0402", "coordinate=\"global\" was removed in MuJoCo 2.3.4"),
                &element.location_of("coordinate"),
                "load and save the model once with MuJoCo 2.3.3 or older",
            );
        }
        if let Some(text) = a.get("eulerseq") {
            match <[u8; 3]>::try_from(text.as_bytes()) {
                Ok(sequence) if sequence.iter().all(|letter| b"xyzXYZ".contains(letter)) => {
                    self.spec.compiler.eulerseq = sequence;
                }
                Ok(sequence) => {
                    // The reference notices wrong letters only when an orientation needs them.
                    self.spec.compiler.eulerseq = sequence;
                    self.report_at(
                        Diagnostic::warning("W0401", format!("'{text}' is not a sequence of axes")),
                        &element.location_of("eulerseq"),
                        "use three letters of x, y, z (moving axes) or X, Y, Z (fixed axes)",
                    );
                }
                Err(_) => self.report_at(
                    Diagnostic::error("E0403", format!("'{text}' is not a sequence of three axes")),
                    &element.location_of("eulerseq"),
                    "use three letters of x, y, z (moving axes) or X, Y, Z (fixed axes)",
                ),
            }
        }
        let compiler = &mut self.spec.compiler;
        a.read(compiler);
        a.set_flag("strippath", &mut self.spec.strippath);
        if let Some(angle) = a.word("angle", "angle") {
            compiler.degree = angle == 1;
        }
        if let Some(folder) = a.get("assetdir") {
            folder.clone_into(&mut compiler.meshdir);
            folder.clone_into(&mut compiler.texturedir);
        }
        a.set_text("meshdir", &mut compiler.meshdir);
        a.set_text("texturedir", &mut compiler.texturedir);
        if let Some((_, range)) = tree.child(node, "lengthrange") {
            Attributes(range).read(&mut compiler.length_range);
        }
    }

    /// `<option>`.
    pub(super) fn option(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        let option = &mut self.spec.option;
        a.read_record(option);
        let mut bad_group = None;
        for group in a.numbers::<i32>("actuatorgroupdisable").unwrap_or_default() {
            match group {
                0..=30 => option.disableactuator |= 1 << group,
                _ => bad_group = Some(group),
            }
        }
        if let Some((_, flags)) = tree.child(node, "flag") {
            let a = Attributes(flags);
            for &Flag { name, bit, .. } in disable::FLAGS {
                if let Some(on) = a.word(name, "enable") {
                    option.disableflags = option.disableflags & !bit | if on == 1 { 0 } else { bit };
                }
            }
            for &Flag { name, bit, .. } in enable::FLAGS {
                if let Some(on) = a.word(name, "enable") {
                    option.enableflags = option.enableflags & !bit | if on == 1 { bit } else { 0 };
                }
            }
        }
        if let Some(group) = bad_group {
            self.report_at(
                Diagnostic::error("E0404", format!("{group} is not an actuator group that can be disabled")),
                &element.location_of("actuatorgroupdisable"),
                "groups 0 to 30 can be disabled",
            );
        }
    }

    /// `<size>`.
    pub(super) fn size(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        if let Some(bytes) = a.get("memory").and_then(parse_memory)
            && bytes != -1
        {
            self.spec.sizes.memory = bytes;
        }
        let sizes = &mut self.spec.sizes;
        a.read(sizes);
        let mut too_small: Vec<&'static str> = Vec::new();
        let mut both: Vec<&'static str> = Vec::new();
        if let Some(stack) = a.number::<i32>("nstack") {
            if sizes.memory != -1 && stack != -1 {
                both.push("nstack");
            }
            sizes.nstack = i64::from(stack);
        }
        if let Some(rows) = a.number::<i32>("njmax") {
            if sizes.memory != -1 && rows != -1 {
                both.push("njmax");
            }
            sizes.njmax = rows;
        }
        for row in Sizes::ATTRIBUTES {
            let may_be_chosen = row.name == "nconmax" || row.name.starts_with("nuser_");
            if may_be_chosen && matches!((row.value)(sizes), Value::Int(value) if value < -1) {
                too_small.push(row.name);
            }
        }
        for name in too_small {
            self.report_at(
                Diagnostic::error("E0405", format!("{name} must be at least -1")),
                &element.location_of(name),
                "-1 lets the compiler choose",
            );
        }
        for name in both {
            self.report_at(
                Diagnostic::error("E0406", format!("'memory' and '{name}' cannot both be given")),
                &element.location_of(name),
                format!("delete '{name}'; 'memory' replaces it"),
            );
        }
    }

    /// `<statistic>`.
    pub(super) fn statistic(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        let statistic = &mut self.spec.statistic;
        a.read(statistic);
        if statistic.extent.is_some_and(|extent| extent <= 0.0) {
            self.report_at(
                Diagnostic::error("E0407", "extent must be positive"),
                &element.location_of("extent"),
                "it is the radius of the model in metres; delete it to have it computed",
            );
        }
    }

    /// `<visual>`: every topic is a record whose fields are named like the attributes.
    pub(super) fn visual(&mut self, node: NodeId) {
        let tree = self.tree;
        let mut problems: Vec<(&str, &str, NodeId)> = Vec::new();
        for (child, element) in tree.children(node) {
            let a = Attributes(element);
            for (topic, record) in self.spec.visual.records_mut() {
                if topic != &*element.name {
                    continue;
                }
                a.read_record(record);
            }
            let visual = &self.spec.visual;
            if &*element.name == "global" && a.has("realtime") && visual.global.realtime <= 0.0 {
                problems.push(("realtime", "realtime must be positive", child));
            }
            if &*element.name == "map" && visual.map.znear <= 0.0 {
                problems.push(("znear", "znear must be positive", child));
            }
        }
        for (name, message, child) in problems {
            self.report_at(
                Diagnostic::error("E0408", message),
                &tree.get(child).location_of(name),
                "write a number larger than 0",
            );
        }
    }
}
