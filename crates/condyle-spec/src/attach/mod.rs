//! Copies parts of a spec into another spec, or into itself under new names.
//!
//! Attaching copies a body or the content of a frame with everything below it. Names get a prefix and a suffix. Elements that
//! belong to the whole model and refer to a copied one (contacts, tendons, equalities, actuators, sensors, tuples) are copied
//! along with their references renamed; the test is the reference's: an element is copied if all its renamed references exist.
//! Its consequences are kept: an element that refers to nothing, such as a clock sensor, is copied every time, and a spatial
//! tendon around a geom without a side site is left behind.
//!
//! From another spec come also its assets, custom fields, default classes and keyframes.

mod keys;
mod names;
mod plugins;
mod tree;
mod whole;

pub use keys::KeySizeError;
pub use names::Rename;
pub use whole::{Attached, Part, Target};

use crate::arena::Id;
use crate::compile::pose::{Pose, resolve_orientation};
use crate::default_class::DefaultClass;
use crate::edit::{ElementRef, Kind};
use crate::element::{Actuator, Body, Frame, Origin};
use crate::orientation::Orientation;
use crate::spec::Spec;
use names::{Names, Referring};
use std::collections::HashMap;
use tree::TreeMap;

/// Most elements a spec may hold after copying.
pub const MOST_ELEMENTS: usize = 1_000_000;

/// Why something could not be attached.
#[derive(Clone, Debug, PartialEq)]
pub enum AttachError {
    /// The result would hold more than [`MOST_ELEMENTS`].
    TooMany,
    /// A keyframe does not have the size of its model.
    KeySize(KeySizeError),
    /// The rotation cannot be resolved.
    Orientation(&'static str),
}

impl std::fmt::Display for AttachError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AttachError::TooMany => write!(f, "the result would have more than {MOST_ELEMENTS} elements"),
            AttachError::KeySize(KeySizeError { key, what, expected, given }) => {
                write!(f, "keyframe '{key}' has {given} numbers in {what}, but its model needs {expected}")
            }
            AttachError::Orientation(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for AttachError {}

/// An actuator and its copy.
type ActuatorCopy = (Id<Actuator>, Id<Actuator>);

/// Elements and their copies.
type Copied = Vec<(ElementRef, ElementRef)>;

/// Where copies are taken from.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// The spec that is being changed.
    Own,
    /// Another spec, with the origin its elements get.
    Other(&'a Spec, u32),
}

/// Default classes and their copies.
type Classes = HashMap<Id<DefaultClass>, Id<DefaultClass>>;

/// Where copies are taken from, how they are named and which classes they get.
#[derive(Clone, Copy)]
struct Copying<'a> {
    source: Source<'a>,
    rename: &'a Rename,
    classes: &'a Classes,
}

/// Copies of a frame of the same spec, each displaced from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Copies<'a> {
    /// How often it appears.
    pub count: usize,
    /// Displacement from one copy to the next, in the frame of the former.
    pub offset: [f64; 3],
    /// Rotation from one copy to the next, in the units and sequence of the compiler settings.
    pub euler: [f64; 3],
    /// Between the name of an element and the number of its copy.
    pub separator: &'a str,
}

impl Copies<'_> {
    /// Poses of the copies. Orientations are made from multiples of the angles, positions by accumulation.
    fn poses(&self, compiler: &crate::settings::Compiler) -> Result<Vec<Pose>, AttachError> {
        let turned = |factor: f64| {
            let euler = self.euler.map(|angle| factor * angle);
            resolve_orientation(&Orientation::Euler(euler), compiler).map_err(AttachError::Orientation)
        };
        let step = Pose { pos: self.offset, quat: turned(1.0)? };
        let mut poses = Vec::with_capacity(self.count);
        let mut pose = Pose::NULL;
        for number in 0..self.count {
            pose.quat = turned(number as f64)?;
            poses.push(pose);
            pose = pose.then(step);
        }
        Ok(poses)
    }
}

impl Spec {
    /// Copies the content of `frame` several times into `body`, then deletes the body that holds `frame`.
    ///
    /// Elements outside the tree that refer to the content are copied with it, and deleted with it in the end.
    pub fn replicate(
        &mut self,
        body: Id<Body>,
        frame: Id<Frame>,
        copies: Copies<'_>,
    ) -> Result<(), AttachError> {
        let holder = self.frames[frame].body();
        let mut names = Names::of(self);
        let outer = self.frames[frame].frame;
        let size = self.subtree_size(holder);
        if size.saturating_mul(copies.count).saturating_add(self.element_count()) > MOST_ELEMENTS {
            return Err(AttachError::TooMany);
        }
        let poses = copies.poses(&self.compiler)?;
        let originals = self.reference_counts();
        for (number, &pose) in poses.iter().enumerate() {
            let rename =
                Rename { prefix: String::new(), suffix: numbered(copies.separator, copies.count, number) };
            let states = self.key_states(&rename).map_err(AttachError::KeySize)?;
            let copy = self.add_frame(body, outer);
            (self.frames[copy].pos, self.frames[copy].quat) = (pose.pos, pose.quat);
            self.frames[copy].info = self.frames[frame].info.clone();
            self.frames[copy].info.name = rename.apply(&self.frames[frame].info.name);
            let how = Copying { source: Source::Own, rename: &rename, classes: &Classes::new() };
            let mut map = self.copy_frame_content(how, frame, copy, body, &mut names);
            let actuators = self.copy_referring(how, &mut names, Some(&originals), &mut map.copies)?;
            map.actuators.extend(actuators);
            self.add_key_states(states, &map, true);
        }
        let states = self.key_states(&Rename::default()).map_err(AttachError::KeySize)?;
        self.delete_body(holder, names);
        self.replace_keys(states);
        Ok(())
    }

    /// Registers the settings of another spec, and of those attached to it, for elements copied from it.
    pub fn add_origin(&mut self, child: &Spec) -> u32 {
        let origin = self.attached.len() as u32 + 1;
        self.attached.push((child.compiler.clone(), child.modelfiledir.clone()));
        self.attached.extend(child.attached.iter().cloned());
        origin
    }

    /// Whether anything was attached from another spec.
    pub fn has_attached(&self) -> bool {
        !self.attached.is_empty()
    }

    /// Folder of the files of an attached spec; `None` for this spec's own elements.
    pub fn folder_of(&self, origin: Origin) -> Option<&std::path::Path> {
        let index = origin.0.checked_sub(1)?;
        self.attached.get(index as usize).map(|(_, folder)| folder.as_path())
    }

    fn check_room(&self, child: &Spec) -> Result<(), AttachError> {
        let total = self.element_count().saturating_add(child.element_count());
        if total > MOST_ELEMENTS { Err(AttachError::TooMany) } else { Ok(()) }
    }

    fn finish_attach(
        &mut self,
        how: Copying<'_>,
        child: &Spec,
        map: &mut TreeMap,
        names: &mut Names,
        states: Vec<crate::element::Key>,
    ) -> Result<(), AttachError> {
        self.copy_assets(how, names, &mut map.copies);
        let actuators = self.copy_referring(how, names, None, &mut map.copies)?;
        self.copy_declared_plugins(child, how.rename);
        map.actuators.extend(actuators);
        self.add_key_states(states, map, false);
        Ok(())
    }

    /// Copies the default classes of another spec below the main class; they keep their values.
    fn copy_classes(&mut self, child: &Spec, rename: &Rename) -> Classes {
        let mut map = HashMap::new();
        for (id, class) in child.classes.iter() {
            let name = rename.apply(&class.name);
            let parent =
                class.parent().and_then(|parent| map.get(&parent).copied()).unwrap_or(self.main_class());
            let copy = match self.find_class(&name) {
                Some(known) => known,
                None => {
                    let Some(copy) = self.add_class(&name, parent) else { continue };
                    let slot = &mut self.classes[copy];
                    let (parent, children) = (slot.parent, std::mem::take(&mut slot.children));
                    *slot = class.clone();
                    (slot.name, slot.parent, slot.children) = (name, parent, children);
                    copy
                }
            };
            map.insert(id, copy);
        }
        map
    }

    fn copy_assets(&mut self, how: Copying<'_>, names: &mut Names, copies: &mut Copied) {
        let Copying { source, rename, classes } = how;
        let Source::Other(child, origin) = source else { return };
        /// The last part of a path without its extension: the name of an asset that has none.
        fn stem(file: &str) -> &str {
            let last = file.rfind(['/', '\\']).and_then(|at| file.get(at + 1..)).unwrap_or(file);
            last.rfind('.').and_then(|at| last.get(..at)).unwrap_or(last)
        }
        macro_rules! copy_all {
            ($arena:ident, $kind:ident, $copy:ident, $adjust:block) => {
                for (id, element) in child.$arena.iter() {
                    let mut $copy = element.clone();
                    $adjust
                    $copy.info.name = rename.apply(&$copy.info.name);
                    $copy.info.origin = Origin($copy.info.origin.0 + origin);
                    $copy.info.class = $copy.info.class.and_then(|class| classes.get(&class).copied());
                    names.add_element(&$copy);
                    let new = self.$arena.push($copy);
                    copies.push((ElementRef::new(Kind::$kind, id), ElementRef::new(Kind::$kind, new)));
                }
            };
        }
        copy_all!(meshes, Mesh, copy, {
            if copy.info.name.is_empty() {
                copy.info.name = stem(&copy.file).to_owned();
            }
            copy.plugin = self.copy_plugin(source, &copy.plugin, rename);
        });
        for (id, skin) in child.skins.iter() {
            if let Some(mut copy) = skin.renamed(rename, names) {
                if copy.info.name.is_empty() {
                    copy.info.name = stem(&copy.file).to_owned();
                }
                copy.info.origin = Origin(copy.info.origin.0 + origin);
                let new = self.skins.push(copy);
                copies.push((ElementRef::new(Kind::Skin, id), ElementRef::new(Kind::Skin, new)));
            }
        }
        copy_all!(hfields, HField, copy, {
            if copy.info.name.is_empty() {
                copy.info.name = stem(&copy.file).to_owned();
            }
        });
        copy_all!(textures, Texture, copy, {
            if copy.info.name.is_empty() {
                copy.info.name = stem(&copy.file).to_owned();
            }
        });
        copy_all!(materials, Material, copy, {
            for texture in &mut copy.textures {
                *texture = rename.apply(texture);
            }
        });
        copy_all!(numerics, Numeric, copy, {});
        copy_all!(texts, Text, copy, {});
    }

    /// Copies the elements outside the tree whose renamed references exist. Returns copies of actuators.
    fn copy_referring(
        &mut self,
        how: Copying<'_>,
        names: &mut Names,
        originals: Option<&[usize; 8]>,
        made: &mut Copied,
    ) -> Result<Vec<ActuatorCopy>, AttachError> {
        let Copying { source, rename, classes } = how;
        // Changes and adds the copies; gives each with its original.
        macro_rules! copy_list {
            ($index:literal, $arena:ident, $kind:ident, |$copy:ident| $change:block) => {{
                let own: &Spec = match source {
                    Source::Own => self,
                    Source::Other(child, _) => child,
                };
                let first_copy = originals.map_or(usize::MAX, |counts| counts[$index]);
                let mut copies = Vec::new();
                for (id, element) in own.$arena.iter() {
                    // A copy refers to renamed elements already, so renaming it again finds nothing; only what refers to
                    // nothing at all is copied over and over.
                    if id.index() >= first_copy && element.refers() {
                        continue;
                    }
                    if let Some(copy) = element.renamed(rename, names) {
                        copies.push((id, copy));
                    }
                }
                if self.element_count().saturating_add(copies.len()) > MOST_ELEMENTS {
                    return Err(AttachError::TooMany);
                }
                let mut added = Vec::new();
                for (id, mut $copy) in copies {
                    if let Source::Other(_, origin) = source {
                        $copy.info.origin = Origin($copy.info.origin.0 + origin);
                        $copy.info.class = $copy.info.class.and_then(|class| classes.get(&class).copied());
                    }
                    names.add_element(&$copy);
                    $change
                    let new = self.$arena.push($copy);
                    made.push((ElementRef::new(Kind::$kind, id), ElementRef::new(Kind::$kind, new)));
                    added.push((id, new));
                }
                added
            }};
        }
        let other = !matches!(source, Source::Own);
        copy_list!(0, flexes, Flex, |copy| {
            if other {
                copy.material = rename.apply(&copy.material);
            }
        });
        copy_list!(1, pairs, Pair, |copy| {});
        copy_list!(2, excludes, Exclude, |copy| {});
        copy_list!(3, tendons, Tendon, |copy| {
            if other {
                copy.material = rename.apply(&copy.material);
            }
        });
        copy_list!(4, equalities, Equality, |copy| {});
        let actuators = copy_list!(5, actuators, Actuator, |copy| {
            copy.plugin = self.copy_plugin(source, &copy.plugin, rename);
        });
        copy_list!(6, sensors, Sensor, |copy| {
            copy.plugin = self.copy_plugin(source, &copy.plugin, rename);
        });
        copy_list!(7, tuples, Tuple, |copy| {});
        Ok(actuators)
    }

    /// Number of elements of all kinds.
    pub fn element_count(&self) -> usize {
        self.bodies.slots()
            + self.frames.slots()
            + self.joints.slots()
            + self.geoms.slots()
            + self.sites.slots()
            + self.cameras.slots()
            + self.lights.slots()
            + self.meshes.slots()
            + self.textures.slots()
            + self.materials.slots()
            + self.hfields.slots()
            + self.skins.slots()
            + self.reference_counts().iter().sum::<usize>()
    }

    fn reference_counts(&self) -> [usize; 8] {
        [
            self.flexes.slots(),
            self.pairs.slots(),
            self.excludes.slots(),
            self.tendons.slots(),
            self.equalities.slots(),
            self.actuators.slots(),
            self.sensors.slots(),
            self.tuples.slots(),
        ]
    }
}

/// The number of a copy with as many digits as the number of copies has.
fn numbered(separator: &str, copies: usize, number: usize) -> String {
    let width = copies.to_string().len();
    format!("{separator}{number:0width$}")
}

#[cfg(test)]
mod tests;
