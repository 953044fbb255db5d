//! Everything outside the kinematic tree in the arrays of the model.

use condyle_asset::principal::normalize_slice;
use condyle_model::diagnostic::Diagnostic;
use condyle_model::{JointType, Model, ObjectType, WrapType};

use super::ids::Ids;
use super::sizes::numeric_size;
use super::work::Work;

impl Work<'_> {
    /// Writes meshes, height fields, textures, materials and skins.
    pub(super) fn write_assets(&self, model: &mut Model, ids: &Ids) {
        self.write_meshes(model);
        self.write_skins(model, ids);
        let mut address = 0;
        for (at, field) in self.hfields.iter().enumerate() {
            field.source.write_entries(model, at);
            model.hfield_nrow[at] = field.rows as i32;
            model.hfield_ncol[at] = field.columns as i32;
            model.hfield_adr[at] = address as i32;
            model.hfield_data[address..address + field.elevation.len()].copy_from_slice(&field.elevation);
            address += field.elevation.len();
        }
        let mut address = 0;
        for (at, texture) in self.textures.iter().enumerate() {
            texture.source.write_entries(model, at);
            model.tex_colorspace[at] = texture.colorspace;
            model.tex_height[at] = texture.height as i32;
            model.tex_width[at] = texture.width as i32;
            model.tex_nchannel[at] = texture.channels as i32;
            model.tex_adr[at] = address as i64;
            model.tex_data[address..address + texture.data.len()].copy_from_slice(&texture.data);
            address += texture.data.len();
        }
        for (at, material) in self.materials.iter().enumerate() {
            let source = material.source;
            model.mat_texid[at] = material.textures.map(|texture| ids.maybe(ObjectType::Texture, texture));
            source.write_entries(model, at);
        }
    }

    fn write_meshes(&self, model: &mut Model) {
        let mut volume =
            self.body_order.iter().map(|&body| self.bodies[body].bvh.node_id.len()).sum::<usize>();
        let (mut vertex, mut normal, mut texcoord, mut face, mut graph) = (0, 0, 0, 0, 0);
        let (mut polygon, mut corner, mut map, mut cell) = (0, 0, 0, 0);
        let kept = self.meshes.iter().filter(|mesh| !mesh.discarded);
        for (at, (mesh, compiled)) in
            kept.filter_map(|mesh| mesh.compiled.as_ref().map(|compiled| (mesh, compiled))).enumerate()
        {
            let polygons = &compiled.polygons;
            let vertices = compiled.vertices_f32();
            let (nvertex, nface) = (compiled.vertices.len(), compiled.faces.len() / 3);
            let (nnormal, ntexcoord) = (compiled.normals.len() / 3, compiled.texcoords.len() / 2);
            let nodes = compiled.bvh.node_id.len();
            model.mesh_polyadr[at] = polygon as i32;
            model.mesh_polynum[at] = polygons.outlines.len() as i32;
            model.mesh_vertadr[at] = vertex as i32;
            model.mesh_vertnum[at] = nvertex as i32;
            model.mesh_normaladr[at] = normal as i32;
            model.mesh_normalnum[at] = nnormal as i32;
            model.mesh_texcoordadr[at] = if ntexcoord > 0 { texcoord as i32 } else { -1 };
            model.mesh_texcoordnum[at] = ntexcoord as i32;
            model.mesh_faceadr[at] = face as i32;
            model.mesh_facenum[at] = nface as i32;
            model.mesh_bvhnum[at] = nodes as i32;
            model.mesh_bvhadr[at] = if nodes > 0 { volume as i32 } else { -1 };
            model.mesh_octnum[at] = 0;
            model.mesh_octadr[at] = -1;
            if let Some(octree) = &compiled.octree {
                let cells = octree.level.len();
                model.mesh_octnum[at] = cells as i32;
                model.mesh_octadr[at] = cell as i32;
                model.oct_depth[cell..cell + cells].copy_from_slice(&octree.level);
                model.oct_child[cell..cell + cells].copy_from_slice(&octree.child);
                model.oct_aabb[cell..cell + cells].copy_from_slice(&octree.aabb);
                model.oct_coeff[cell..cell + cells].copy_from_slice(&octree.coefficient);
                cell += cells;
            }
            mesh.source.write_entries(model, at);
            model.mesh_pos[at] = compiled.position;
            model.mesh_quat[at] = compiled.orientation;
            copy_rows(&mut model.mesh_vert, vertex, &vertices);
            copy_rows(&mut model.mesh_normal, normal, &compiled.normals);
            copy_rows(&mut model.mesh_texcoord, texcoord, &compiled.texcoords);
            copy_rows(&mut model.mesh_face, face, &compiled.faces);
            copy_rows(&mut model.mesh_facenormal, face, &compiled.face_normals);
            if ntexcoord > 0 {
                copy_rows(&mut model.mesh_facetexcoord, face, &compiled.face_texcoords);
            }
            model.mesh_graphadr[at] = -1;
            if let Some(hull) = &compiled.hull {
                let array = hull.to_array();
                model.mesh_graphadr[at] = graph as i32;
                model.mesh_graph[graph..graph + array.len()].copy_from_slice(&array);
                graph += array.len();
            }
            for (outline, row) in polygons.outlines.iter().zip(&polygons.normals) {
                model.mesh_polynormal[polygon] = *row;
                model.mesh_polyvertadr[polygon] = corner as i32;
                model.mesh_polyvertnum[polygon] = outline.len() as i32;
                model.mesh_polyvert[corner..corner + outline.len()].copy_from_slice(outline);
                polygon += 1;
                corner += outline.len();
            }
            for (offset, around) in polygons.around_vertex.iter().enumerate() {
                model.mesh_polymapadr[vertex + offset] = map as i32;
                model.mesh_polymapnum[vertex + offset] = around.len() as i32;
                model.mesh_polymap[map..map + around.len()].copy_from_slice(around);
                map += around.len();
            }
            for node in 0..nodes {
                model.bvh_aabb[volume + node] = compiled.bvh.aabb[node];
                model.bvh_child[volume + node] = compiled.bvh.child[node];
                model.bvh_depth[volume + node] = compiled.bvh.level[node];
                model.bvh_nodeid[volume + node] = compiled.bvh.node_id[node];
            }
            vertex += nvertex;
            normal += nnormal;
            texcoord += ntexcoord;
            face += nface;
            volume += nodes;
        }
    }

    fn write_skins(&self, model: &mut Model, ids: &Ids) {
        let (mut vertex, mut texcoord, mut face, mut bone, mut weight) = (0, 0, 0, 0, 0);
        for (at, skin) in self.skins.iter().enumerate() {
            let (source, data) = (skin.source, &skin.data);
            source.write_entries(model, at);
            model.skin_matid[at] = ids.maybe(ObjectType::Material, skin.material);
            model.skin_vertadr[at] = vertex as i32;
            model.skin_vertnum[at] = (data.vertices.len() / 3) as i32;
            model.skin_texcoordadr[at] = if data.texcoords.is_empty() { -1 } else { texcoord as i32 };
            model.skin_faceadr[at] = face as i32;
            model.skin_facenum[at] = (data.faces.len() / 3) as i32;
            model.skin_boneadr[at] = bone as i32;
            model.skin_bonenum[at] = data.bones.len() as i32;
            copy_rows(&mut model.skin_vert, vertex, &data.vertices);
            copy_rows(&mut model.skin_texcoord, texcoord, &data.texcoords);
            copy_rows(&mut model.skin_face, face, &data.faces);
            for (source, &body) in data.bones.iter().zip(&skin.bones) {
                model.skin_bonebindpos[bone] = source.position;
                model.skin_bonebindquat[bone] = source.orientation;
                model.skin_bonebodyid[bone] = ids.of(ObjectType::Body, body);
                model.skin_bonevertadr[bone] = weight as i32;
                model.skin_bonevertnum[bone] = source.vertices.len() as i32;
                let end = weight + source.vertices.len();
                model.skin_bonevertid[weight..end].copy_from_slice(&source.vertices);
                model.skin_bonevertweight[weight..end].copy_from_slice(&source.weights);
                weight = end;
                bone += 1;
            }
            vertex += data.vertices.len() / 3;
            texcoord += data.texcoords.len() / 2;
            face += data.faces.len() / 3;
        }
    }

    /// Writes pairs, exclusions, equalities, tendons, actuators, sensors and custom fields.
    pub(super) fn write_objects(
        &self,
        model: &mut Model,
        ids: &Ids,
        pair_order: &[usize],
        exclude_order: &[usize],
    ) {
        for (at, &pair) in pair_order.iter().enumerate() {
            let pair = &self.pairs[pair];
            pair.source.write_entries(model, at);
            model.pair_geom1[at] = ids.of(ObjectType::Geom, pair.geoms[0]);
            model.pair_geom2[at] = ids.of(ObjectType::Geom, pair.geoms[1]);
            model.pair_signature[at] = self.pair_signature(ids, pair.geoms.map(|geom| self.geoms[geom].body));
        }
        for (at, &exclude) in exclude_order.iter().enumerate() {
            model.exclude_signature[at] = self.pair_signature(ids, self.excludes[exclude].bodies);
        }
        for (at, equality) in self.equalities.iter().enumerate() {
            let source = equality.source;
            let kind = match source.kind {
                condyle_model::EqualityType::Joint => ObjectType::Joint,
                condyle_model::EqualityType::Tendon => ObjectType::Tendon,
                condyle_model::EqualityType::Flex | condyle_model::EqualityType::FlexVert => ObjectType::Flex,
                _ => source.objtype,
            };
            source.write_entries(model, at);
            model.eq_obj1id[at] = ids.of(kind, equality.first);
            model.eq_obj2id[at] = ids.maybe(kind, equality.second);
            model.eq_objtype[at] = equality.objtype as i32;
        }
        self.write_tendons(model, ids);
        let mut history = 0;
        self.write_actuators(model, ids, &mut history);
        self.write_sensors(model, ids, &mut history);
        self.write_custom(model, ids);
    }

    /// Number by which pairs of bodies are ordered.
    pub(super) fn pair_signature(&self, ids: &Ids, bodies: [usize; 2]) -> i32 {
        let [first, second] = bodies.map(|body| ids.of(ObjectType::Body, body));
        (first << 16).wrapping_add(second)
    }

    fn write_tendons(&self, model: &mut Model, ids: &Ids) {
        let mut address = 0;
        for (at, tendon) in self.tendons.iter().enumerate() {
            tendon.source.write_entries(model, at);
            model.tendon_adr[at] = address as i32;
            model.tendon_num[at] = tendon.path.len() as i32;
            model.tendon_matid[at] = ids.maybe(ObjectType::Material, tendon.material);
            model.tendon_limited[at] = u8::from(tendon.limited);
            model.tendon_actfrclimited[at] = u8::from(tendon.actfrclimited);
            for wrap in &tendon.path {
                let kind = match wrap.kind {
                    WrapType::Joint => ObjectType::Joint,
                    WrapType::Site => ObjectType::Site,
                    _ => ObjectType::Geom,
                };
                model.wrap_type[address] = wrap.kind as i32;
                model.wrap_objid[address] = ids.maybe(kind, wrap.object);
                model.wrap_prm[address] = match wrap.kind {
                    WrapType::Sphere | WrapType::Cylinder => {
                        f64::from(ids.maybe(ObjectType::Site, wrap.side))
                    }
                    _ => wrap.prm,
                };
                address += 1;
            }
        }
    }

    fn write_actuators(&self, model: &mut Model, ids: &Ids, history: &mut i32) {
        use condyle_model::TransmissionType as T;
        let mut activation = 0;
        for (at, actuator) in self.actuators.iter().enumerate() {
            let source = actuator.source;
            let kind = match source.trntype {
                T::Joint | T::JointInParent => ObjectType::Joint,
                T::Tendon => ObjectType::Tendon,
                T::Body => ObjectType::Body,
                T::SliderCrank | T::Site | T::Undefined => ObjectType::Site,
            };
            source.write_entries(model, at);
            model.actuator_trnid[at] =
                [ids.maybe(kind, actuator.targets[0]), ids.maybe(ObjectType::Site, actuator.targets[1])];
            model.actuator_actnum[at] = actuator.actdim as i32;
            model.actuator_actadr[at] = if actuator.actdim > 0 { activation } else { -1 };
            activation += actuator.actdim as i32;
            model.actuator_history[at] = [source.nsample, source.interp];
            model.actuator_historyadr[at] = -1;
            if source.nsample > 0 {
                model.actuator_historyadr[at] = *history;
                *history += 2 + 2 * source.nsample;
            }
            model.actuator_ctrllimited[at] = u8::from(actuator.ctrllimited);
            model.actuator_forcelimited[at] = u8::from(actuator.forcelimited);
            model.actuator_actlimited[at] = u8::from(actuator.actlimited);
            model.actuator_biasprm[at] = *source.bias_parameters();
            model.actuator_ctrlrange[at] = actuator.ctrlrange;
            model.actuator_actrange[at] = actuator.actrange;
            model.actuator_plugin[at] = actuator.plugin.map_or(-1, |plugin| plugin as i32);
        }
    }

    fn write_sensors(&self, model: &mut Model, ids: &Ids, history: &mut i32) {
        let mut address = 0;
        for (at, sensor) in self.sensors.iter().enumerate() {
            let source = sensor.source;
            source.write_entries(model, at);
            model.sensor_datatype[at] = sensor.datatype as i32;
            model.sensor_needstage[at] = sensor.stage as i32;
            model.sensor_objid[at] = ids.maybe(source.objtype, sensor.object);
            model.sensor_refid[at] = ids.maybe(source.reftype, sensor.reference);
            model.sensor_dim[at] = sensor.dim as i32;
            model.sensor_history[at] = [source.nsample, source.interp];
            model.sensor_historyadr[at] = -1;
            if source.nsample > 0 {
                model.sensor_historyadr[at] = *history;
                *history += 2 + source.nsample + source.nsample * sensor.dim as i32;
            }
            model.sensor_plugin[at] = sensor.plugin.map_or(-1, |plugin| plugin as i32);
            model.sensor_adr[at] = address;
            address += sensor.dim as i32;
        }
    }

    fn write_custom(&self, model: &mut Model, ids: &Ids) {
        let mut address = 0;
        for (at, numeric) in self.spec.numerics.values().enumerate() {
            let size = numeric_size(numeric.size, numeric.data.len());
            model.numeric_adr[at] = address as i32;
            model.numeric_size[at] = size as i32;
            model.numeric_data[address..address + numeric.data.len()].copy_from_slice(&numeric.data);
            address += size;
        }
        let mut address = 0;
        for (at, text) in self.spec.texts.values().enumerate() {
            model.text_adr[at] = address as i32;
            model.text_size[at] = text.data.len() as i32 + 1;
            model.text_data[address..address + text.data.len()].copy_from_slice(text.data.as_bytes());
            address += text.data.len() + 1;
        }
        let mut address = 0;
        for (at, tuple) in self.tuples.iter().enumerate() {
            model.tuple_adr[at] = address as i32;
            model.tuple_size[at] = tuple.objects.len() as i32;
            for (entry, &object) in tuple.source.entries.iter().zip(&tuple.objects) {
                model.tuple_objtype[address] = entry.objtype as i32;
                model.tuple_objid[address] = ids.of(entry.objtype, object);
                model.tuple_objprm[address] = entry.prm;
                address += 1;
            }
        }
    }

    /// Positions, and positions and orientations of mocap bodies, for keys that leave them out: compiled, or as written.
    fn key_defaults(&self, model: &Model, as_written: bool) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut qpos = model.qpos0.to_vec();
        let mut mocap_pos = vec![0.0; 3 * model.nmocap];
        let mut mocap_quat = vec![0.0; 4 * model.nmocap];
        for (id, &index) in self.body_order.iter().enumerate() {
            let body = &self.bodies[index];
            let (mut pos, mut quat) = (model.body_pos[id], model.body_quat[id]);
            if as_written {
                (pos, quat) = (body.source.pos, body.source.quat);
            }
            if let Ok(mocap) = usize::try_from(model.body_mocapid[id]) {
                mocap_pos[3 * mocap..3 * mocap + 3].copy_from_slice(&pos);
                mocap_quat[4 * mocap..4 * mocap + 4].copy_from_slice(&quat);
            }
        }
        if as_written {
            for (id, &joint) in self.joint_order.iter().enumerate() {
                let (joint, address) = (self.joints[joint].source, model.jnt_qposadr[id] as usize);
                match joint.kind {
                    // Not where the body is; the quaternion becomes that of no rotation.
                    JointType::Free => qpos[address..address + 7].fill(0.0),
                    JointType::Ball => {}
                    JointType::Slide | JointType::Hinge => qpos[address] = joint.reference,
                }
            }
        }
        (qpos, mocap_pos, mocap_quat)
    }

    /// A keyframe of an attached spec with the arrays of the whole model.
    fn saved_key(
        &self,
        model: &Model,
        key: &crate::element::Key,
        saved: &crate::element::SavedState,
        defaults: &(Vec<f64>, Vec<f64>, Vec<f64>),
    ) -> crate::element::Key {
        // Elements are found by where they are stored in the spec.
        let mut full = crate::element::Key { info: key.info.clone(), time: key.time, ..Default::default() };
        let joint_of = |id| {
            let source = self.spec.joints.get(id)?;
            self.joints.iter().position(|joint| std::ptr::eq(joint.source, source))
        };
        let actuator_of = |id| {
            let source = self.spec.actuators.get(id)?;
            self.actuators.iter().position(|actuator| std::ptr::eq(actuator.source, source))
        };
        let mocap_of = |id| {
            let source = self.spec.bodies.get(id)?;
            let body =
                self.body_order.iter().position(|&index| std::ptr::eq(self.bodies[index].source, source))?;
            usize::try_from(model.body_mocapid[body]).ok()
        };
        let put = |target: &mut Vec<f64>, address: Option<usize>, values: &[f64]| {
            if let Some(slot) = address.and_then(|start| target.get_mut(start..start + values.len())) {
                slot.copy_from_slice(values);
            }
        };
        if let Some(parts) = &saved.qpos {
            full.qpos.clone_from(&defaults.0);
            for (id, values) in parts {
                let address = joint_of(*id).map(|joint| model.jnt_qposadr[joint] as usize);
                put(&mut full.qpos, address, values);
            }
        }
        if let Some(parts) = &saved.qvel {
            full.qvel = vec![0.0; model.nv];
            for (id, values) in parts {
                let address = joint_of(*id).map(|joint| model.jnt_dofadr[joint] as usize);
                put(&mut full.qvel, address, values);
            }
        }
        if let Some(parts) = &saved.act {
            full.act = vec![0.0; model.na];
            for (id, values) in parts {
                let address = actuator_of(*id)
                    .and_then(|actuator| usize::try_from(model.actuator_actadr[actuator]).ok());
                put(&mut full.act, address, values);
            }
        }
        if let Some(parts) = &saved.ctrl {
            full.ctrl = vec![0.0; model.nu];
            for (id, values) in parts {
                put(&mut full.ctrl, actuator_of(*id), values);
            }
        }
        if let Some(parts) = &saved.mpos {
            full.mpos.clone_from(&defaults.1);
            for (id, values) in parts {
                put(&mut full.mpos, mocap_of(*id).map(|mocap| 3 * mocap), values);
            }
        }
        if let Some(parts) = &saved.mquat {
            full.mquat.clone_from(&defaults.2);
            for (id, values) in parts {
                put(&mut full.mquat, mocap_of(*id).map(|mocap| 4 * mocap), values);
            }
        }
        full
    }

    /// Writes the keyframes; what they leave out comes from the reference configuration.
    pub(super) fn write_keys(&mut self, model: &mut Model) {
        let (nq, nv, na, nu, nmocap) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
        let compiled = self.key_defaults(model, false);
        let written = self.key_defaults(model, true);
        let empty = crate::element::Key::default();
        for (at, key) in keys_in_order(self.spec).into_iter().enumerate() {
            let key = key.unwrap_or(&empty);
            let full;
            let key = match &key.saved {
                Some(saved) => {
                    full = self.saved_key(model, key, saved, &compiled);
                    &full
                }
                None => key,
            };
            model.key_time[at] = key.time;
            let mut fill = |target: &mut [f64], given: &[f64], default: [&[f64]; 2], what: &str| {
                if given.is_empty() {
                    target.copy_from_slice(default[0]);
                } else if given.len() <= target.len() {
                    // The rest takes the values written in the spec; of poses only whole ones are taken over.
                    let whole = match what {
                        "mpos" => given.len() - given.len() % 3,
                        "mquat" => given.len() - given.len() % 4,
                        _ => given.len(),
                    };
                    target.copy_from_slice(default[1]);
                    target[..whole].copy_from_slice(&given[..whole]);
                    if given.len() < target.len() {
                        self.problems.push(short_key(key, what, given.len(), target.len()));
                    }
                } else {
                    let message =
                        format!("invalid {what} size, expected {}, got {}", target.len(), given.len());
                    self.problems.error(super::problems::KEYFRAME, key, what, message);
                }
            };
            fill(&mut model.key_qpos[at * nq..(at + 1) * nq], &key.qpos, [&compiled.0, &written.0], "qpos");
            fill(&mut model.key_qvel[at * nv..(at + 1) * nv], &key.qvel, [&vec![0.0; nv]; 2], "qvel");
            fill(&mut model.key_act[at * na..(at + 1) * na], &key.act, [&vec![0.0; na]; 2], "act");
            fill(&mut model.key_ctrl[at * nu..(at + 1) * nu], &key.ctrl, [&vec![0.0; nu]; 2], "ctrl");
            let mocap = at * nmocap..(at + 1) * nmocap;
            fill(
                model.key_mpos[mocap.clone()].as_flattened_mut(),
                &key.mpos,
                [&compiled.1, &written.1],
                "mpos",
            );
            fill(
                model.key_mquat[mocap.clone()].as_flattened_mut(),
                &key.mquat,
                [&compiled.2, &written.2],
                "mquat",
            );
            for joint in 0..model.njnt {
                let offset = match model.jnt_type(joint) {
                    Some(JointType::Free) => 3,
                    Some(JointType::Ball) => 0,
                    _ => continue,
                };
                let start = at * nq + model.jnt_qposadr[joint] as usize + offset;
                normalize_slice(&mut model.key_qpos[start..start + 4]);
            }
            for quat in &mut model.key_mquat[mocap] {
                normalize_slice(quat);
            }
        }
    }
}

/// The warning for a keyframe with fewer numbers than the model has.
fn short_key(key: &crate::element::Key, what: &str, given: usize, needed: usize) -> Diagnostic {
    let message = format!(
        "{}: {what} has {given} of {needed} numbers; the rest is filled in",
        super::problems::label("key", &key.info)
    );
    let rest = match what {
        "qpos" => "joints that are left out are at their 'ref', free joints at the origin without rotation",
        "mpos" | "mquat" => "mocap bodies that are left out, also in part, are where their body is placed",
        _ => "what is left out is zero",
    };
    Diagnostic::warning("W0709", message)
        .at(key.info.at(what))
        .help(format!("give all {needed} numbers; {rest}"))
}

/// Keyframes as they are numbered: those of the model itself, empty ones up to `nkey`, then those of attached models.
pub(super) fn keys_in_order(spec: &crate::Spec) -> Vec<Option<&crate::element::Key>> {
    let (own, attached): (Vec<_>, Vec<_>) = spec.keys.values().partition(|key| key.saved.is_none());
    let wanted = usize::try_from(spec.sizes.nkey).unwrap_or(0);
    let missing = wanted.saturating_sub(own.len());
    let own = own.into_iter().map(Some).chain(std::iter::repeat_n(None, missing));
    own.chain(attached.into_iter().map(Some)).collect()
}

/// Copies flat values into an array of rows, starting at a row.
fn copy_rows<S: Copy, const N: usize>(target: &mut [[S; N]], row: usize, values: &[S]) {
    let flat = target.as_flattened_mut();
    flat[row * N..row * N + values.len()].copy_from_slice(values);
}
