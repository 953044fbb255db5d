//! The sections that set how a model is compiled, simulated and shown.

use super::Reader;
use super::attributes::Attributes;
use crate::schema::parse_memory;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_model::{LengthRangeMode, ValuesMut, disable, enable};
use condyle_spec::InertiaFromGeom;

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
        a.set_flag("autolimits", &mut compiler.autolimits);
        a.set("boundmass", &mut compiler.boundmass);
        a.set("boundinertia", &mut compiler.boundinertia);
        a.set("settotalmass", &mut compiler.settotalmass);
        a.set_flag("balanceinertia", &mut compiler.balanceinertia);
        a.set_flag("strippath", &mut self.spec.strippath);
        a.set_flag("fitaabb", &mut compiler.fitaabb);
        if let Some(angle) = a.word("angle", "angle") {
            compiler.degree = angle == 1;
        }
        if let Some(folder) = a.get("assetdir") {
            folder.clone_into(&mut compiler.meshdir);
            folder.clone_into(&mut compiler.texturedir);
        }
        a.set_text("meshdir", &mut compiler.meshdir);
        a.set_text("texturedir", &mut compiler.texturedir);
        a.set_flag("discardvisual", &mut compiler.discardvisual);
        a.set_flag("usethread", &mut compiler.usethread);
        a.set_flag("fusestatic", &mut compiler.fusestatic);
        compiler.inertiafromgeom = match a.word("inertiafromgeom", "auto") {
            Some(0) => InertiaFromGeom::False,
            Some(1) => InertiaFromGeom::True,
            Some(_) => InertiaFromGeom::Auto,
            None => compiler.inertiafromgeom,
        };
        a.set_all("inertiagrouprange", &mut compiler.inertiagrouprange);
        a.set_flag("alignfree", &mut compiler.alignfree);
        a.set_flag("saveinertial", &mut compiler.saveinertial);
        if let Some((_, range)) = tree.child(node, "lengthrange") {
            let a = Attributes(range);
            let options = &mut compiler.length_range;
            a.set_word("mode", "lengthrangemode", LengthRangeMode::from_i32, &mut options.mode);
            a.set_flag("useexisting", &mut options.useexisting);
            a.set_flag("uselimit", &mut options.uselimit);
            a.set("accel", &mut options.accel);
            a.set("maxforce", &mut options.maxforce);
            a.set("timeconst", &mut options.timeconst);
            a.set("timestep", &mut options.timestep);
            a.set("inttotal", &mut options.inttotal);
            a.set("interval", &mut options.interval);
            a.set("tolrange", &mut options.tolrange);
        }
    }

    /// `<option>`.
    pub(super) fn option(&mut self, node: NodeId) {
        let tree = self.tree;
        let element = tree.get(node);
        let a = Attributes(element);
        let option = &mut self.spec.option;
        a.set("timestep", &mut option.timestep);
        a.set("impratio", &mut option.impratio);
        a.set("tolerance", &mut option.tolerance);
        a.set("ls_tolerance", &mut option.ls_tolerance);
        a.set("noslip_tolerance", &mut option.noslip_tolerance);
        a.set("ccd_tolerance", &mut option.ccd_tolerance);
        a.set("sleep_tolerance", &mut option.sleep_tolerance);
        a.set_all("gravity", &mut option.gravity);
        a.set_all("wind", &mut option.wind);
        a.set_all("magnetic", &mut option.magnetic);
        a.set("density", &mut option.density);
        a.set("viscosity", &mut option.viscosity);
        a.set("o_margin", &mut option.o_margin);
        a.set_first("o_solref", &mut option.o_solref);
        a.set_first("o_solimp", &mut option.o_solimp);
        a.set_first("o_friction", &mut option.o_friction);
        a.set_word("integrator", "integrator", Some, &mut option.integrator);
        a.set_word("cone", "cone", Some, &mut option.cone);
        a.set_word("jacobian", "jacobian", Some, &mut option.jacobian);
        a.set_word("solver", "solver", Some, &mut option.solver);
        a.set("iterations", &mut option.iterations);
        a.set("ls_iterations", &mut option.ls_iterations);
        a.set("noslip_iterations", &mut option.noslip_iterations);
        a.set("ccd_iterations", &mut option.ccd_iterations);
        a.set("sdf_iterations", &mut option.sdf_iterations);
        a.set("sdf_initpoints", &mut option.sdf_initpoints);
        let mut bad_group = None;
        for group in a.numbers::<i32>("actuatorgroupdisable").unwrap_or_default() {
            match group {
                0..=30 => option.disableactuator |= 1 << group,
                _ => bad_group = Some(group),
            }
        }
        if let Some((_, flags)) = tree.child(node, "flag") {
            let a = Attributes(flags);
            for (name, bit) in DISABLE {
                if let Some(on) = a.word(name, "enable") {
                    option.disableflags = option.disableflags & !bit | if on == 1 { 0 } else { bit };
                }
            }
            for (name, bit) in ENABLE {
                if let Some(on) = a.word(name, "enable") {
                    option.enableflags = option.enableflags & !bit | if on == 1 { bit } else { 0 };
                }
            }
        }
        if let Some(group) = bad_group {
            self.report_at(
                Diagnostic::error("E0404", format!("{group} is not an actuator group that can be disabled")),
                &element.location_of("actuatorgroupdisable"),
                "groups that can be disabled lie between 0 and 30",
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
        a.set("nuserdata", &mut sizes.nuserdata);
        a.set("nkey", &mut sizes.nkey);
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
        for (name, value) in [
            ("nconmax", &mut sizes.nconmax),
            ("nuser_body", &mut sizes.nuser_body),
            ("nuser_jnt", &mut sizes.nuser_jnt),
            ("nuser_geom", &mut sizes.nuser_geom),
            ("nuser_site", &mut sizes.nuser_site),
            ("nuser_cam", &mut sizes.nuser_cam),
            ("nuser_tendon", &mut sizes.nuser_tendon),
            ("nuser_actuator", &mut sizes.nuser_actuator),
            ("nuser_sensor", &mut sizes.nuser_sensor),
        ] {
            a.set(name, value);
            if *value < -1 {
                too_small.push(name);
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
        statistic.meaninertia = a.number("meaninertia").or(statistic.meaninertia);
        statistic.meanmass = a.number("meanmass").or(statistic.meanmass);
        statistic.meansize = a.number("meansize").or(statistic.meansize);
        statistic.extent = a.number("extent").or(statistic.extent);
        statistic.center = a.array("center").or(statistic.center);
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
                for field in record.fields() {
                    match record.value_mut(field.name) {
                        Some(ValuesMut::F32(values)) => {
                            if let Some(given) = a.numbers::<f32>(field.name)
                                && given.len() == values.len()
                            {
                                values.copy_from_slice(&given);
                            }
                        }
                        Some(ValuesMut::I32([value])) => {
                            if let Some(flag) = a.flag(field.name) {
                                *value = i32::from(flag);
                            } else {
                                a.set(field.name, value);
                            }
                        }
                        _ => {}
                    }
                }
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

/// Flags that switch standard features off.
pub(crate) const DISABLE: [(&str, i32); 19] = [
    ("constraint", disable::CONSTRAINT),
    ("equality", disable::EQUALITY),
    ("frictionloss", disable::FRICTIONLOSS),
    ("limit", disable::LIMIT),
    ("contact", disable::CONTACT),
    ("spring", disable::SPRING),
    ("damper", disable::DAMPER),
    ("gravity", disable::GRAVITY),
    ("clampctrl", disable::CLAMPCTRL),
    ("warmstart", disable::WARMSTART),
    ("filterparent", disable::FILTERPARENT),
    ("actuation", disable::ACTUATION),
    ("refsafe", disable::REFSAFE),
    ("sensor", disable::SENSOR),
    ("midphase", disable::MIDPHASE),
    ("eulerdamp", disable::EULERDAMP),
    ("autoreset", disable::AUTORESET),
    ("nativeccd", disable::NATIVECCD),
    ("island", disable::ISLAND),
];

/// Flags that switch optional features on.
pub(crate) const ENABLE: [(&str, i32); 6] = [
    ("override", enable::OVERRIDE),
    ("energy", enable::ENERGY),
    ("fwdinv", enable::FWDINV),
    ("invdiscrete", enable::INVDISCRETE),
    ("multiccd", enable::MULTICCD),
    ("sleep", enable::SLEEP),
];
