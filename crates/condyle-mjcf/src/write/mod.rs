//! A [`Spec`] to MJCF text that reads back to the same model.
//!
//! Values are written where they differ from the default class of their element, with all digits. Classes, frames and names
//! are kept. Comments, the split into files and `<replicate>` are not: their results are. What was attached from other files
//! may have used other units and folders; then angles are written in radians and files with their folders.

mod assets;
mod body;
mod files;
mod flex;
mod objects;
mod text;

use condyle_model::{Flag, PhysicsOptions, Visual, disable, enable};
use condyle_spec::{
    Compiler, DefaultClass, Id, Info, LengthRangeOptions, Orientation, PluginRef, Sizes, Spec,
    resolve_orientation,
};
use files::Beside;
use text::Text;

/// A model as text, and files the text refers to that did not exist before, by their path from the folder of the text.
#[derive(Clone, Debug, Default)]
pub struct Mjcf {
    /// The MJCF text.
    pub text: String,
    /// Names and contents of the files it refers to.
    pub files: Vec<(String, Vec<u8>)>,
}

/// The spec as MJCF text alone. Textures whose pixels are in the spec itself refer to files that [`to_mjcf_with_files`] makes.
pub fn to_mjcf(spec: &Spec) -> String {
    write(spec, false, None, false).text
}

/// The spec as MJCF text alone, with angles in radians and orientations as quaternions: as MuJoCo writes it.
pub fn to_mjcf_in_radians(spec: &Spec) -> String {
    write(spec, false, None, true).text
}

/// The spec as MJCF text, with the pictures of textures whose pixels are in the spec itself, and large meshes, as files beside it.
pub fn to_mjcf_with_files(spec: &Spec) -> Mjcf {
    write(spec, true, None, false)
}

/// [`to_mjcf_with_files`] for another folder: `relocate` gives the name to write for an asset file, from its whole path.
pub fn to_mjcf_relocated(spec: &Spec, relocate: &dyn Fn(&str) -> String) -> Mjcf {
    write(spec, true, Some(relocate), false)
}

/// Whole paths of all asset files of a spec, each once.
pub fn asset_paths(spec: &Spec) -> Vec<String> {
    let paths = std::cell::RefCell::new(Vec::new());
    to_mjcf_relocated(spec, &|path| {
        let mut paths = paths.borrow_mut();
        if !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
        path.to_owned()
    });
    paths.into_inner()
}

fn write(
    spec: &Spec,
    large_meshes_beside: bool,
    relocate: Option<&dyn Fn(&str) -> String>,
    radians: bool,
) -> Mjcf {
    let changed = flex::nodes_at_origins(spec);
    let spec = changed.as_ref().unwrap_or(spec);
    let mixed = spec.has_attached();
    let mut writer = Writer {
        spec,
        text: Text::default(),
        beside: Beside::default(),
        large_meshes_beside,
        radians: mixed || radians,
        mesh_folder: None,
        texture_folder: None,
        relocate,
    };
    if relocate.is_some() {
        (writer.mesh_folder, writer.texture_folder) = (Some(String::new()), Some(String::new()));
    } else if mixed {
        writer.mesh_folder = writer.common_folder(false);
        writer.texture_folder = writer.common_folder(true);
    }
    let text = &mut writer.text;
    text.start("mujoco");
    text.text_unless("model", &spec.modelname, "MuJoCo Model");
    text.open("mujoco");
    writer.compiler();
    writer.option();
    writer.sizes();
    writer.visual();
    writer.statistic();
    writer.defaults();
    writer.extension();
    writer.custom();
    writer.assets();
    writer.contacts();
    writer.deformables();
    writer.bodies();
    writer.equalities();
    writer.tendons();
    writer.actuators();
    writer.sensors();
    writer.keys();
    writer.text.close();
    Mjcf { text: writer.text.out, files: writer.beside.files }
}

struct Writer<'a> {
    spec: &'a Spec,
    text: Text,
    beside: Beside,
    large_meshes_beside: bool,
    /// Write angles in radians and orientations as quaternions, because elements come from specs with other units.
    radians: bool,
    /// Where all files are, if elements come from specs in other folders and their files are in one.
    mesh_folder: Option<String>,
    texture_folder: Option<String>,
    /// The name to write for an asset file, from its whole path; folders and `strippath` are then left out.
    relocate: Option<&'a dyn Fn(&str) -> String>,
}

impl<'a> Writer<'a> {
    fn compiler(&mut self) {
        let (c, d) = (&self.spec.compiler, Compiler::default());
        let (spec, radians) = (self.spec, self.radians);
        let text = &mut self.text;
        let before = text.out.len();
        text.start("compiler");
        let inside = text.out.len();
        text.attributes(c, &d, |_| true);
        text.flag("strippath", spec.strippath && self.relocate.is_none(), false);
        if radians || !c.degree {
            text.text("angle", "radian");
        }
        text.text_unless("eulerseq", &String::from_utf8_lossy(&c.eulerseq), "xyz");
        text.text_unless("meshdir", self.mesh_folder.as_ref().unwrap_or(&c.meshdir), "");
        text.text_unless("texturedir", self.texture_folder.as_ref().unwrap_or(&c.texturedir), "");
        let (r, e) = (&c.length_range, LengthRangeOptions::default());
        if *r == e {
            text.empty_unless_bare(before, inside);
            return;
        }
        text.open("compiler");
        text.settings("lengthrange", |text| text.attributes(r, &e, |_| true));
        text.close();
    }

    fn option(&mut self) {
        let (o, d) = (&self.spec.option, PhysicsOptions::default());
        let text = &mut self.text;
        let before = text.out.len();
        text.start("option");
        let inside = text.out.len();
        text.record(o, &d);
        let groups: Vec<i32> = (0..31).filter(|group| o.disableactuator >> group & 1 == 1).collect();
        text.list("actuatorgroupdisable", &groups);
        if o.disableflags == 0 && o.enableflags == 0 {
            text.empty_unless_bare(before, inside);
            return;
        }
        text.open("option");
        text.settings("flag", |text| {
            for &Flag { name, bit, .. } in disable::FLAGS {
                if o.disableflags & bit != 0 {
                    text.text(name, "disable");
                }
            }
            for &Flag { name, bit, .. } in enable::FLAGS {
                if o.enableflags & bit != 0 {
                    text.text(name, "enable");
                }
            }
        });
        text.close();
    }

    fn sizes(&mut self) {
        let (s, d) = (&self.spec.sizes, Sizes::default());
        self.text.settings("size", |text| {
            if s.memory != d.memory {
                text.text("memory", &s.memory.to_string());
            }
            text.attributes(s, &d, |_| true);
            if s.memory == d.memory {
                text.number("njmax", s.njmax, d.njmax);
                text.number("nstack", i32::try_from(s.nstack).unwrap_or(i32::MAX), -1);
            }
        });
    }

    fn visual(&mut self) {
        let default = Visual::default();
        let (values, defaults) = (self.spec.visual.records(), default.records());
        self.text.section("visual", |text| {
            for ((topic, record), (_, default)) in values.into_iter().zip(defaults) {
                text.settings(topic, |text| text.record(record, default));
            }
        });
    }

    fn statistic(&mut self) {
        let s = &self.spec.statistic;
        self.text.settings("statistic", |text| text.attributes(s, &Default::default(), |_| true));
    }

    /// Default classes, each compared with the one around it.
    fn defaults(&mut self) {
        let built_in = DefaultClass::default();
        let spec = self.spec;
        let main = spec.main_class();
        enum Step {
            Open(Id<DefaultClass>),
            Close,
        }
        let before = self.text.out.len();
        let mut pending = vec![Step::Open(main)];
        let mut wrote = false;
        while let Some(step) = pending.pop() {
            let Step::Open(id) = step else {
                self.text.close();
                continue;
            };
            let class = &spec.classes[id];
            let around = class.parent().map_or(&built_in, |parent| &spec.classes[parent]);
            self.text.start("default");
            if id != main {
                self.text.text("class", &class.name);
                wrote = true;
            }
            self.text.open("default");
            let inside = self.text.out.len();
            self.class_values(class, around);
            wrote |= self.text.out.len() > inside;
            pending.push(Step::Close);
            pending.extend(class.children().iter().rev().map(|&child| Step::Open(child)));
        }
        if !wrote {
            self.text.out.truncate(before);
        }
    }

    fn class_values(&mut self, class: &DefaultClass, around: &DefaultClass) {
        macro_rules! values {
            ($name:literal, $member:ident, $write:ident $(, $in_class:literal)?) => {{
                let before = self.text.out.len();
                self.text.start($name);
                let inside = self.text.out.len();
                self.$write(&class.$member, &around.$member $(, $in_class)?);
                self.text.empty_unless_bare(before, inside)
            }};
        }
        values!("mesh", mesh, mesh_values, true);
        self.class_material(&class.material, &around.material);
        values!("joint", joint, joint_values, true);
        values!("geom", geom, geom_values);
        values!("site", site, site_values);
        values!("camera", camera, camera_values, true);
        values!("light", light, light_values, true);
        values!("pair", pair, pair_values);
        values!("equality", equality, equality_values);
        values!("tendon", tendon, tendon_values, true);
        values!("general", actuator, general_values);
    }

    /// Name and class of an element; the class if it is not the one around.
    fn identity(&mut self, info: &Info, around: Id<DefaultClass>) {
        self.text.text_unless("name", &info.name, "");
        let class = info.class.unwrap_or(self.spec.main_class());
        if class != around {
            self.text.text("class", &self.spec.classes[class].name);
        }
    }

    fn class_of(&self, info: &Info) -> &'a DefaultClass {
        &self.spec.classes[info.class.unwrap_or(self.spec.main_class())]
    }

    /// An orientation: as it was given, or as a quaternion where units are mixed.
    fn orientation(
        &mut self,
        info: &Info,
        quat: &[f64; 4],
        alt: Option<&Orientation>,
        default: (&[f64; 4], Option<&Orientation>),
    ) {
        let compiler = self.spec.compiler_of(info.origin);
        match alt {
            None => {
                // A class may hold an orientation of another kind, which the plain quaternion replaces.
                if quat != default.0 || default.1.is_some() {
                    self.text.numbers("quat", quat);
                }
            }
            Some(alt) if self.radians => {
                let quat = resolve_orientation(alt, compiler).unwrap_or(*quat);
                self.text.numbers("quat", &quat);
            }
            Some(alt) => {
                if Some(alt) == default.1 {
                    return;
                }
                match alt {
                    Orientation::AxisAngle(values) => self.text.numbers("axisangle", values),
                    Orientation::XyAxes(values) => self.text.numbers("xyaxes", values),
                    Orientation::ZAxis(values) => self.text.numbers("zaxis", values),
                    Orientation::Euler(values) => self.text.numbers("euler", values),
                }
            }
        }
    }

    /// The plugin of an element: the instance it names, or its own with its configuration.
    fn plugin(&mut self, plugin: &PluginRef) {
        if !plugin.active {
            return;
        }
        self.text.start("plugin");
        self.plugin_attributes(plugin);
        self.plugin_config(plugin, "plugin");
    }

    fn plugin_attributes(&mut self, plugin: &PluginRef) {
        self.text.text_unless("plugin", &plugin.plugin_name, "");
        self.text.text_unless("instance", &plugin.instance_name, "");
    }

    /// Finishes the open tag with the configuration of an instance of its own.
    fn plugin_config(&mut self, plugin: &PluginRef, name: &'static str) {
        let instance = plugin.own_instance.and_then(|id| self.spec.plugins.get(id));
        match instance {
            Some(instance) if !instance.config.is_empty() => {
                self.text.open(name);
                for (key, value) in &instance.config {
                    self.text.start("config");
                    self.text.text("key", key);
                    self.text.text("value", value);
                    self.text.empty();
                }
                self.text.close();
            }
            _ => self.text.empty(),
        }
    }
}
