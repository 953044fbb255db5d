//! Picking with the mouse: the nearest geom, flex or skin under the cursor.

use condyle_collide::ray::flex::Shown;
use condyle_collide::ray::{Ray, skin};
use condyle_engine::Data;
use condyle_engine::position::flex::basis;
use condyle_engine::query::ray::{RayFilter, cast, cast_flex};
use condyle_math::{Vec3, mat3, vec3};
use condyle_model::Model;

use crate::VisError;
use crate::camera::average_camera;
use crate::element::widen;
use crate::types::{Options, Scene, VisualFlag};

/// What is under the cursor. One of `geom`, `flex` and `skin` is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Body that a perturbation would move; `None` for a skin without bones there.
    pub body: Option<usize>,
    /// Where, in the world frame; for flexes and skins the nearest vertex.
    pub point: Vec3,
    /// The geom, if it is one.
    pub geom: Option<usize>,
    /// The flex, if it is one.
    pub flex: Option<usize>,
    /// The skin, if it is one.
    pub skin: Option<usize>,
}

/// Something that the ray meets.
struct Found {
    distance: f64,
    selection: Selection,
}

/// What is at the place `x`, `y` of a window, both from 0 to 1 and from the lower left corner; `aspect` is width by height.
/// Reference: `mjv_select`.
pub fn select(
    model: &Model,
    data: &Data,
    options: &Options,
    aspect: f64,
    [x, y]: [f64; 2],
    scene: &Scene,
) -> Result<Option<Selection>, VisError> {
    let ray = ray_through(aspect, x, y, scene)?;
    let mut best = geoms(model, data, options, &ray);
    for found in
        [flexes(model, data, options, &ray)?, skins(model, options, scene, &ray)].into_iter().flatten()
    {
        if best.as_ref().is_none_or(|best| best.distance > found.distance) {
            best = Some(found);
        }
    }
    Ok(best.map(|best| best.selection))
}

/// The ray of a cursor, in the model.
fn ray_through(aspect: f64, x: f64, y: f64, scene: &Scene) -> Result<Ray, VisError> {
    let camera = average_camera(&scene.camera[0], &scene.camera[1])?;
    let [position, forward, up] = scene.camera_in_model()?;
    let left = vec3::normalize(vec3::cross(up, forward)).0;
    let height = f64::from(camera.frustum_top - camera.frustum_bottom);
    let half_width = 0.5 * aspect * height;
    let upward = f64::from(camera.frustum_bottom) + y * height;
    let leftward = -(f64::from(camera.frustum_center) + (2.0 * x - 1.0) * half_width);
    let shifted = |start: Vec3| vec3::add_scaled(vec3::add_scaled(start, up, upward), left, leftward);
    Ok(if camera.orthographic != 0 {
        Ray { origin: shifted(position), direction: forward }
    } else {
        let through = shifted(vec3::scale(forward, f64::from(camera.frustum_near)));
        Ray { origin: position, direction: vec3::normalize(through).0 }
    })
}

fn geoms(model: &Model, data: &Data, options: &Options, ray: &Ray) -> Option<Found> {
    let filter = RayFilter {
        groups: Some(options.geomgroup.map(|group| group != 0)),
        include_static: options.shows(VisualFlag::Static),
        exclude_body: None,
    };
    let met = cast(model, &data.kinematics, ray, &filter)?;
    let selection = Selection {
        body: model.geom_bodyid(met.geom),
        point: vec3::add_scaled(ray.origin, ray.direction, met.hit.distance),
        geom: Some(met.geom),
        flex: None,
        skin: None,
    };
    Some(Found { distance: met.hit.distance, selection })
}

fn flexes(model: &Model, data: &Data, options: &Options, ray: &Ray) -> Result<Option<Found>, VisError> {
    let shown = Shown {
        vertices: options.shows(VisualFlag::FlexVertex),
        edges: options.shows(VisualFlag::FlexEdge),
        faces: options.shows(VisualFlag::FlexFace),
        skin: options.shows(VisualFlag::FlexSkin),
        layer: options.flex_layer,
    };
    let mut best: Option<Found> = None;
    if !(shown.vertices || shown.edges || shown.faces || shown.skin) {
        return Ok(best);
    }
    for flex in 0..model.nflex {
        let Some((hit, vertex)) = cast_flex(model, &data.flexes, ray, flex, shown) else { continue };
        if best.as_ref().is_some_and(|best| !(hit.distance < best.distance)) {
            continue;
        }
        let (body, point) = flex_body(model, data, flex, vertex)?;
        let selection = Selection { body, point, geom: None, flex: Some(flex), skin: None };
        best = Some(Found { distance: hit.distance, selection });
    }
    Ok(best)
}

/// Body and place of a vertex of a flex; of an interpolated flex those of the node with the greatest weight.
fn flex_body(
    model: &Model,
    data: &Data,
    flex: usize,
    vertex: usize,
) -> Result<(Option<usize>, Vec3), VisError> {
    let index = model.flex_vertadr[flex].max(0) as usize + vertex;
    let order = match model.flex_interp[flex] {
        0 => {
            let body = usize::try_from(model.flex_vertbodyid[index]).ok();
            return Ok((body, data.flexes.flexvert_xpos[index]));
        }
        1 => 1,
        _ => 2,
    };
    let first = model.flex_nodeadr[flex].max(0) as usize;
    let mut heaviest = None;
    let mut most = 0.0;
    for node in 0..model.flex_nodenum[flex].max(0) as usize {
        let weight = basis::weight(model.flex_vert0[index], node, order);
        if weight > most {
            most = weight;
            heaviest = Some(first + node);
        }
    }
    let node = heaviest.ok_or(VisError::FlexNode { flex, vertex })?;
    // MuJoCo counts the first node of the flex twice here.
    let body = model.flex_nodebodyid.get(first + node).and_then(|body| usize::try_from(*body).ok());
    let Some(body) = body else { return Ok((None, [0.0; 3])) };
    let k = &data.kinematics;
    let point = if model.flex_centered[flex] != 0 {
        k.xpos[body]
    } else {
        vec3::add(mat3::mul_vec(&k.xmat[body], model.flex_node[node]), k.xpos[body])
    };
    Ok((Some(body), point))
}

fn skins(model: &Model, options: &Options, scene: &Scene, ray: &Ray) -> Option<Found> {
    if !options.shows(VisualFlag::Skin) {
        return None;
    }
    let all = scene.skins.skinvert.as_chunks::<3>().0;
    let mut best: Option<Found> = None;
    for index in 0..model.nskin {
        let first = model.skin_vertadr[index].max(0) as usize;
        let faces = model.skin_faceadr[index].max(0) as usize;
        let faces = model.skin_face.get(faces..faces + model.skin_facenum[index].max(0) as usize);
        let vertices = all.get(first..first + model.skin_vertnum[index].max(0) as usize);
        let (Some(vertices), Some(faces)) = (vertices, faces) else { continue };
        let Some((distance, vertex)) = skin::cast(vertices, faces, ray) else { continue };
        if best.as_ref().is_some_and(|best| !(distance < best.distance)) {
            continue;
        }
        // A vertex that no bone moves keeps what was found before it.
        let mut selection = best
            .map_or(Selection { body: None, point: [0.0; 3], geom: None, flex: None, skin: None }, |best| {
                best.selection
            });
        if let Some(body) = strongest_bone(model, index, vertex) {
            selection.body = usize::try_from(body).ok();
            selection.skin = Some(index);
            selection.point = widen(&vertices[vertex]);
        }
        best = Some(Found { distance, selection });
    }
    best
}

/// Body of the bone that moves a vertex most.
fn strongest_bone(model: &Model, skin: usize, vertex: usize) -> Option<i32> {
    let bones = model.skin_boneadr[skin].max(0) as usize;
    let (mut best, mut most) = (None, -1.0);
    for bone in bones..bones + model.skin_bonenum[skin].max(0) as usize {
        let entries = model.skin_bonevertadr[bone].max(0) as usize;
        for entry in entries..entries + model.skin_bonevertnum[bone].max(0) as usize {
            let weight = model.skin_bonevertweight[entry];
            if model.skin_bonevertid[entry] == vertex as i32 && weight > most {
                most = weight;
                best = Some(model.skin_bonebodyid[bone]);
            }
        }
    }
    best
}
