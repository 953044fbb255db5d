//! Which poses of geoms, sites, cameras and lights a step reads itself, so that those that are only looked at can be left out.
//!
//! Nobody looks at a simulation between the steps of one call, nor between the stages of a Runge–Kutta step, and a batch looks at few of its arrays at all. Then
//! the axes of geoms that touch nothing, sites that nothing is attached to, cameras and lights need not be computed. Positions of geoms are: the broad
//! phase bounds bodies by all of them. What was left out follows from the poses of the bodies, and is computed later in the same way if somebody asks for
//! it.
//!
//! Whole data: it is asked for by calls of many steps, which have nothing else.

use std::ops::{Deref, DerefMut};

use condyle_model::{EqualityType, Model, ObjectType, SensorType, TransmissionType, WrapType, enable};

use crate::Data;
use crate::data::sleep_enabled;

use super::{camera_light, kinematics};

/// Revisions of everything that decides what is read.
type Key = [u64; 19];

/// What a step reads.
#[derive(Clone, Debug, Default)]
pub struct ReadFrames {
    /// Whether what nobody reads is left out now.
    is_on: bool,
    /// Whether that ends with the last stage of a Runge–Kutta step.
    until_last_stage: bool,
    /// Geoms of the world whose poses are in place; they stay there while something is left out.
    placed: usize,
    key: Option<(Key, bool)>,
    /// Whether everything may be read.
    everything: bool,
    /// Whether the axes of each geom are read.
    geoms: Vec<bool>,
    /// Whether each site is read, and the sites that are.
    reads_site: Vec<bool>,
    sites: Vec<u32>,
}

fn key(model: &Model) -> Option<Key> {
    Some([
        model.geom_contype.revision()?,
        model.geom_conaffinity.revision()?,
        model.geom_fluid.revision()?,
        model.pair_geom1.revision()?,
        model.pair_geom2.revision()?,
        model.wrap_type.revision()?,
        model.wrap_objid.revision()?,
        model.wrap_prm.revision()?,
        model.actuator_trntype.revision()?,
        model.actuator_trnid.revision()?,
        model.eq_type.revision()?,
        model.eq_objtype.revision()?,
        model.eq_obj1id.revision()?,
        model.eq_obj2id.revision()?,
        model.sensor_type.revision()?,
        model.sensor_objtype.revision()?,
        model.sensor_objid.revision()?,
        model.sensor_reftype.revision()?,
        model.sensor_refid.revision()?,
    ])
}

impl ReadFrames {
    /// Whether what nobody reads is left out.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    pub(super) fn reads_axes(&self, geom: usize) -> bool {
        self.geoms[geom]
    }

    /// How many geoms at the beginning have their poses from an earlier step; from now on all geoms of the world do.
    pub(super) fn place_world(&mut self, model: &Model) -> usize {
        let leading = || model.geom_bodyid.iter().take_while(|body| **body == 0).count();
        let placed = self.placed;
        if placed == 0 {
            self.placed = leading();
        }
        placed
    }

    /// The poses of the world's geoms are no longer in place.
    pub(crate) fn clear_places(&mut self) {
        self.placed = 0;
    }

    pub(super) fn sites(&self) -> &[u32] {
        &self.sites
    }

    /// Find out what is read if the model is another than last time.
    fn follow(&mut self, model: &Model, with_sensors: bool) {
        let key = key(model).map(|key| (key, with_sensors));
        if key.is_some() && key == self.key && self.geoms.len() == model.ngeom {
            return;
        }
        self.key = key;
        self.geoms.clear();
        self.reads_site.clear();
        self.reads_site.resize(model.nsite, false);
        self.everything = key.is_none() || self.find(model, with_sensors).is_none();
        self.sites.clear();
        let sites = self.reads_site.iter().enumerate().filter(|(_, is_read)| **is_read);
        self.sites.extend(sites.map(|(site, _)| site as u32));
    }

    /// Note all that is read; `None` if that may be anything.
    fn find(&mut self, model: &Model, with_sensors: bool) -> Option<()> {
        let masks = model.geom_contype.iter().zip(model.geom_conaffinity.iter());
        // A medium may push geoms one by one.
        let reads = |((own, others), fluid): ((&i32, &i32), &[f64; 12])| own | others != 0 || fluid[0] != 0.0;
        self.geoms.extend(masks.zip(model.geom_fluid.iter()).map(reads));
        for geom in model.pair_geom1.iter().chain(model.pair_geom2.iter()) {
            self.read(ObjectType::Geom, *geom)?;
        }
        for (wrap, id) in model.wrap_objid.iter().enumerate() {
            match model.wrap_type(wrap)? {
                WrapType::Site => self.read(ObjectType::Site, *id)?,
                WrapType::Sphere | WrapType::Cylinder => {
                    self.read(ObjectType::Geom, *id)?;
                    // The site on whose side the tendon passes, if there is one.
                    self.read(ObjectType::Site, model.wrap_prm[wrap] as i32)?;
                }
                WrapType::None | WrapType::Joint | WrapType::Pulley => {}
            }
        }
        for (actuator, ids) in model.actuator_trnid.iter().enumerate() {
            let kind = model.actuator_trntype(actuator)?;
            if matches!(kind, TransmissionType::Site | TransmissionType::SliderCrank) {
                ids.iter().try_for_each(|id| self.read(ObjectType::Site, *id))?;
            }
        }
        for row in 0..model.neq {
            if model.eq_type(row)? == EqualityType::Distance {
                return None;
            }
            let object = model.eq_objtype(row)?;
            self.read(object, model.eq_obj1id[row])?;
            self.read(object, model.eq_obj2id[row])?;
        }
        let sensors = if with_sensors { model.nsensor } else { 0 };
        (0..sensors).try_for_each(|sensor| self.read_by_sensor(model, sensor))
    }

    fn read_by_sensor(&mut self, model: &Model, sensor: usize) -> Option<()> {
        let kind = model.sensor_type(sensor)?;
        let may_read_anything = matches!(
            kind,
            SensorType::Rangefinder
                | SensorType::CamProjection
                | SensorType::InsideSite
                | SensorType::GeomDistance
                | SensorType::GeomNormal
                | SensorType::GeomFromTo
                | SensorType::Contact
                | SensorType::Tactile
                | SensorType::Plugin
                | SensorType::User
        );
        if may_read_anything {
            return None;
        }
        self.read(model.sensor_objtype(sensor)?, model.sensor_objid[sensor])?;
        self.read(model.sensor_reftype(sensor)?, model.sensor_refid[sensor])
    }

    /// Note an object that is read; `None` for cameras, which then are all computed.
    fn read(&mut self, kind: ObjectType, id: i32) -> Option<()> {
        let Ok(id) = usize::try_from(id) else { return Some(()) };
        match kind {
            ObjectType::Geom => *self.geoms.get_mut(id)? = true,
            ObjectType::Site => *self.reads_site.get_mut(id)? = true,
            ObjectType::Camera | ObjectType::Light => return None,
            _ => {}
        }
        Some(())
    }
}

/// A simulation whose steps compute only the poses that they read themselves. That ends with this value, also when a panic ends it.
#[derive(Debug)]
pub struct LeavingOut<'a> {
    data: &'a mut Data,
    /// Whether nobody outside leaves out anything.
    is_outermost: bool,
}

impl<'a> LeavingOut<'a> {
    /// User code, plugins, deformable bodies, sleep and some sensors may read any pose: with them everything is computed.
    pub fn begin(model: &Model, data: &'a mut Data, with_sensors: bool) -> Self {
        data.scratch.read_frames.is_on = follow(model, data, with_sensors);
        data.scratch.read_frames.until_last_stage = false;
        Self { data, is_outermost: true }
    }

    /// [`begin`](Self::begin), up to the last stage of a Runge–Kutta step, which computes everything that is seen after it.
    pub(crate) fn begin_until_last_stage(model: &Model, data: &'a mut Data, with_sensors: bool) -> Self {
        let is_outermost = !data.scratch.read_frames.is_on;
        if is_outermost {
            data.scratch.read_frames.is_on = follow(model, data, with_sensors);
            data.scratch.read_frames.until_last_stage = true;
        }
        Self { data, is_outermost }
    }

    /// Compute what was left out, for the poses that the bodies have now, and leave out nothing from now on.
    pub fn complete(self, model: &Model) {
        if self.is_outermost && std::mem::replace(&mut self.data.scratch.read_frames.is_on, false) {
            let Data { awake, kinematics, .. } = &mut *self.data;
            kinematics::attached_frames(model, awake, kinematics);
            camera_light::cameras_and_lights(model, awake, kinematics);
        }
    }
}

impl Deref for LeavingOut<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        self.data
    }
}

impl DerefMut for LeavingOut<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        self.data
    }
}

impl Drop for LeavingOut<'_> {
    /// What was left out stays unknown until the next time poses are computed.
    fn drop(&mut self) {
        if self.is_outermost {
            self.data.scratch.read_frames.is_on = false;
            self.data.scratch.read_frames.until_last_stage = false;
        }
    }
}

/// Find out what steps read. Whether anything can be left out.
fn follow(model: &Model, data: &mut Data, with_sensors: bool) -> bool {
    let few_readers = data.hooks.is_empty()
        && model.nplugin == 0
        && model.nflex == 0
        && model.opt.enableflags & enable::FWDINV == 0
        && !sleep_enabled(model);
    let read = &mut data.scratch.read_frames;
    if few_readers {
        read.follow(model, with_sensors);
    }
    read.placed = 0;
    few_readers && !read.everything
}

/// The last stage of a Runge–Kutta step begins.
pub fn begin_last_stage(data: &mut Data) {
    let read = &mut data.scratch.read_frames;
    if std::mem::take(&mut read.until_last_stage) {
        read.is_on = false;
    }
}
