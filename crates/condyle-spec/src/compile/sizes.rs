//! Sizes of the compiled model, checked against limits before anything is allocated.

use condyle_engine::Data;
use condyle_model::{EqualityType, Model};

use super::custom::numeric_size;
use super::joint::{dof_count, qpos_count};
use super::key::keys_in_order;
use super::problems::TOO_LARGE;
use super::work::Work;

/// Largest size that fits the 32-bit indices of the model.
const MAX_SIZE: u64 = i32::MAX as u64 / 4;
/// Most bytes all arrays together may take.
const MAX_BYTES: u64 = 8 << 30;

impl Work<'_> {
    /// Sets all sizes of a model. `None` when one is too large.
    pub(super) fn set_sizes(&mut self, model: &mut Model) -> Option<()> {
        let spec = self.spec;
        model.nbody = self.body_order.len();
        model.njnt = self.joint_order.len();
        model.ngeom = self.geom_order.len();
        model.nsite = self.site_order.len();
        model.ncam = self.camera_order.len();
        model.nlight = self.light_order.len();
        model.nmesh = self.meshes.iter().filter(|mesh| !mesh.discarded).count();
        model.nskin = self.skins.len();
        model.nhfield = self.hfields.len();
        model.ntex = self.textures.len();
        model.nmat = self.materials.len();
        model.npair = self.pairs.len();
        model.nexclude = self.excludes.len();
        model.neq = self.equalities.len();
        model.ntendon = self.tendons.len();
        model.nu = self.actuators.len();
        model.nsensor = self.sensors.len();
        model.nnumeric = spec.numerics.len();
        model.ntext = spec.texts.len();
        model.ntuple = self.tuples.len();
        model.nkey = keys_in_order(spec).len();
        model.nplugin = self.plugins.len();
        model.npluginattr = self.plugins.iter().map(|plugin| plugin.settings.len()).sum();
        model.nq = self.joints.iter().map(|joint| qpos_count(joint.source.kind)).sum();
        model.nv = self.joints.iter().map(|joint| dof_count(joint.source.kind)).sum();
        model.na = self.actuators.iter().map(|actuator| actuator.actdim).sum();
        model.nmocap = self.body_order.iter().filter(|&&body| self.bodies[body].source.mocap).count();
        model.nuser_body = self.nuser.body;
        model.nuser_jnt = self.nuser.joint;
        model.nuser_geom = self.nuser.geom;
        model.nuser_site = self.nuser.site;
        model.nuser_cam = self.nuser.camera;
        model.nuser_tendon = self.nuser.tendon;
        model.nuser_actuator = self.nuser.actuator;
        model.nuser_sensor = self.nuser.sensor;
        model.nuserdata = usize::try_from(spec.sizes.nuserdata).unwrap_or(0);
        model.njmax = i64::from(spec.sizes.njmax);
        model.nconmax = i64::from(spec.sizes.nconmax);
        self.asset_sizes(model);
        self.flex_sizes(model, MAX_SIZE as usize);
        self.object_sizes(model);
        self.tree_sizes(model)?;
        self.check_sizes(model)
    }

    fn asset_sizes(&self, model: &mut Model) {
        for &body in &self.body_order {
            model.nbvhstatic += self.bodies[body].bvh.node_id.len();
        }
        for mesh in self.meshes.iter().filter(|mesh| !mesh.discarded) {
            let Some(compiled) = &mesh.compiled else { continue };
            model.nbvhstatic += compiled.bvh.node_id.len();
            model.noct += compiled.octree.as_ref().map_or(0, |octree| octree.level.len());
            model.nmeshvert += compiled.vertices.len();
            model.nmeshnormal += compiled.normals.len() / 3;
            model.nmeshface += compiled.faces.len() / 3;
            model.nmeshtexcoord += compiled.texcoords.len() / 2;
            model.nmeshgraph += compiled.hull.as_ref().map_or(0, |hull| hull.to_array().len());
            model.nmeshpoly += compiled.polygons.outlines.len();
            model.nmeshpolyvert += compiled.polygons.outlines.items.len();
            model.nmeshpolymap += compiled.polygons.around_vertex.items.len();
        }
        model.nbvhstatic += self.empty_volumes;
        model.nbvh = model.nbvhstatic;
        for skin in &self.skins {
            model.nskinvert += skin.data.vertices.len() / 3;
            model.nskintexvert += skin.data.texcoords.len() / 2;
            model.nskinface += skin.data.faces.len() / 3;
            model.nskinbone += skin.data.bones.len();
            model.nskinbonevert += skin.data.bones.iter().map(|bone| bone.vertices.len()).sum::<usize>();
        }
        model.nhfielddata = self.hfields.iter().map(|field| field.elevation.len()).sum();
        model.ntexdata = self.textures.iter().map(|texture| texture.data.len()).sum();
    }

    fn object_sizes(&self, model: &mut Model) {
        let spec = self.spec;
        model.nwrap = self.tendons.iter().map(|tendon| tendon.path.len()).sum();
        model.nsensordata = self.sensors.iter().map(|sensor| sensor.dim).sum();
        for actuator in &self.actuators {
            if let Ok(samples @ 1..) = usize::try_from(actuator.source.nsample) {
                model.nhistory += 2 + 2 * samples;
            }
        }
        for sensor in &self.sensors {
            if let Ok(samples @ 1..) = usize::try_from(sensor.source.nsample) {
                model.nhistory += 2 + samples + samples * sensor.dim;
            }
        }
        for numeric in spec.numerics.values() {
            model.nnumericdata += numeric_size(numeric.size, numeric.data.len());
        }
        model.ntextdata = spec.texts.values().map(|text| text.data.len() + 1).sum();
        model.ntupledata = self.tuples.iter().map(|tuple| tuple.objects.len()).sum();
        model.nemax = usize::try_from(spec.sizes.nemax).unwrap_or(0);
        for equality in &self.equalities {
            model.nemax += match equality.source.kind {
                EqualityType::Connect => 3,
                EqualityType::Weld => 7,
                _ => 1,
            };
        }
    }

    /// Numbers of trees and of non-zeros of the inertia matrix in its various forms.
    fn tree_sizes(&mut self, model: &mut Model) -> Option<()> {
        // Depth in dofs of each body, and dofs of its subtree.
        let mut depth = vec![0_u64; self.bodies.len()];
        let mut subtree = vec![0_u64; self.bodies.len()];
        let mut ancestors = vec![0_u64; self.bodies.len()];
        let (mut nm, mut nb) = (0_u64, 0_u64);
        for &body in &self.body_order {
            let work = &self.bodies[body];
            let above = if body == 0 { 0 } else { depth[work.parent] };
            ancestors[body] = above;
            let dofs = work.dofs as u64;
            depth[body] = above + dofs;
            for dof in 0..dofs {
                nm += above + dof + 1;
            }
            if dofs > 0 && above == 0 {
                model.ntree += 1;
            }
        }
        for &body in self.body_order.iter().rev() {
            subtree[body] += self.bodies[body].dofs as u64;
            if body > 0 {
                let own = subtree[body];
                subtree[self.bodies[body].parent] += own;
            }
        }
        for &body in &self.body_order {
            nb += subtree[body] + ancestors[body];
        }
        let nv = model.nv as u64;
        if 2 * nm > MAX_SIZE || nb > MAX_SIZE {
            self.problems.general(
                TOO_LARGE,
                None,
                format!("the model is too large: {nm} non-zeros in its inertia matrix"),
            );
            return None;
        }
        model.nM = nm as usize;
        model.nD = (2 * nm - nv) as usize;
        model.nB = if nv == 0 { 0 } else { nb as usize };
        Some(())
    }

    /// Every size must fit an index, and all arrays together into memory.
    pub(super) fn check_sizes(&mut self, model: &Model) -> Option<()> {
        for (info, value) in Model::SIZES.iter().zip(model.size_values()) {
            let bytes = matches!(info.name, "ntexdata" | "ntextdata" | "narena" | "nbuffer");
            if !bytes && value > MAX_SIZE as i64 {
                let message = format!("{} is {value}, but at most {MAX_SIZE} is allowed", info.name);
                self.problems.general(TOO_LARGE, None, message);
                return None;
            }
        }
        let Some(bytes) = buffer_bytes(model).filter(|bytes| *bytes <= MAX_BYTES) else {
            let message = format!("the arrays of the model need more than {MAX_BYTES} bytes");
            self.problems.general(TOO_LARGE, None, message);
            return None;
        };
        // Constants of the model are computed with a simulation of it, so one must fit as well.
        let total = data_bytes(model).and_then(|data| data.checked_add(bytes));
        if !total.is_some_and(can_be_had) {
            let total = total.unwrap_or(u64::MAX);
            let message = format!("not enough memory: the model and a simulation of it need {total} bytes");
            self.problems.general(TOO_LARGE, None, message);
            return None;
        }
        Some(())
    }
}

/// Bytes of all arrays one after another, each starting at a multiple of 64; `None` on overflow.
pub(crate) fn buffer_bytes(model: &Model) -> Option<u64> {
    let mut total = 0_u64;
    for (info, rows) in Model::ARRAYS.iter().zip(model.expected_rows()) {
        let scalars = (rows? as u64).checked_mul(info.width as u64)?;
        let bytes = scalars.checked_mul(info.dtype.size() as u64)?;
        total = total.checked_add((64 - total % 64) % 64)?.checked_add(bytes)?;
    }
    Some(total)
}

/// Bytes of the arrays a simulation of the model starts with; `None` on overflow.
pub fn data_bytes(model: &Model) -> Option<u64> {
    let mut total = 0_u64;
    for array in Data::ARRAYS.iter().filter(|array| !array.grows) {
        let scalars =
            model.shape(&array.info).into_iter().try_fold(1_u64, |n, size| n.checked_mul(size as u64));
        total = scalars?.checked_mul(array.info.dtype.size() as u64)?.checked_add(total)?;
    }
    Some(total)
}

/// Whether so many bytes can be allocated now. Running out later would end the program.
pub fn can_be_had(bytes: u64) -> bool {
    let Ok(bytes) = usize::try_from(bytes) else { return false };
    let mut room = Vec::<u8>::new();
    let fits = room.try_reserve_exact(bytes).is_ok();
    // An allocation that nobody looks at may be left out by the compiler, and then it always fits.
    std::hint::black_box(&mut room);
    fits
}

/// Bytes of working memory the reference reserves.
pub(crate) fn arena_bytes(model: &Model, memory: i64, nstack: i64) -> usize {
    if let Ok(memory) = usize::try_from(memory) {
        return memory;
    }
    const CONTACT_BYTES: u64 = 576;
    const MEGABYTE: u64 = 1 << 20;
    let limit = |given: i64, default: i64| if given == -1 { default } else { given } as u64;
    let nconmax = limit(model.nconmax, 100);
    let njmax = limit(model.njmax, 500);
    let nv = model.nv as u64;
    let stack = match u64::try_from(nstack) {
        Ok(numbers) => 8_u64.wrapping_mul(numbers),
        Err(_) => {
            let rows = njmax.wrapping_add(model.neq as u64).wrapping_add(nv);
            let objects = model.nq
                + model.nv
                + model.nu
                + model.na
                + model.nbody
                + model.njnt
                + model.ngeom
                + model.nsite
                + model.neq
                + model.ntendon
                + model.nwrap;
            let numbers = 5_u64.wrapping_mul(rows).wrapping_mul(rows).wrapping_add(20 * objects as u64);
            8_u64.wrapping_mul(numbers.max(1000))
        }
    };
    let fixed = nconmax
        .wrapping_mul(CONTACT_BYTES)
        .wrapping_add(njmax.wrapping_mul(8 * 4 + 14 * 8))
        .wrapping_add(nv * 12)
        .wrapping_add(njmax.wrapping_mul(nv).wrapping_mul(2 * 4 + 2 * 8))
        .wrapping_add(njmax.wrapping_mul(njmax).wrapping_mul(4 + 8));
    let total = stack.wrapping_add(fixed);
    (total.div_ceil(MEGABYTE).saturating_mul(MEGABYTE)) as usize
}
