//! One frame as a binary message: poses of all elements, looks of those that changed, lights, camera and the numbers beside them.
//!
//! Elements keep their look (shape, size, colours, material, text) for many frames, so a look is sent when the element at that place
//! of the list gets another one. A pose is seven singles: position and unit quaternion. All numbers are little-endian; the page's
//! `protocol.ts` reads them in the order they are written here.

use condyle::{Timer, TimerStat};
use condyle_engine::Data;
use condyle_model::Model;
use condyle_vis::{Geom, GlCamera, Light, Options, Scene};

use crate::bytes::Writer;
use crate::history::History;
use crate::view::{Plot, Selected};

/// First byte of a frame.
pub(crate) const FRAME: u8 = 2;

/// What is sent beside the scene.
pub(crate) struct Beside<'a> {
    pub revision: u32,
    pub playing: bool,
    pub speed: f64,
    /// Simulated by real time.
    pub rate: f64,
    /// Mean time of each stage per step, s.
    pub stages: [f64; Timer::ALL.len()],
    pub history: &'a History,
    pub selected: &'a Selected,
    pub camera: [i32; 3],
    pub pulling: bool,
}

/// Mean time per step of each stage between two readings of the timers.
pub(crate) fn stage_times(before: &[TimerStat], now: &[TimerStat]) -> [f64; Timer::ALL.len()] {
    let steps = now[Timer::Step as usize].number - before[Timer::Step as usize].number;
    std::array::from_fn(|stage| {
        let spent = now[stage].duration - before[stage].duration;
        if steps > 0 { spent / f64::from(steps) } else { 0.0 }
    })
}

/// Writes a frame. `sent` are the elements as this page knows them.
pub(crate) fn encode(
    model: &Model,
    data: &Data,
    scene: &Scene,
    options: &Options,
    sent: &mut Vec<Geom>,
    plots: &mut [Plot],
    beside: &Beside<'_>,
) -> Vec<u8> {
    let mut out = Writer::default();
    let flags =
        u8::from(beside.playing) | u8::from(scene.settings.status != 0) << 1 | u8::from(beside.pulling) << 2;
    out.bytes(&[FRAME, flags, 0, 0]);
    out.unsigned(beside.revision as usize);
    out.double(data.state.time);
    out.double(data.diagnostics.report.step as f64);
    out.single(beside.rate as f32);
    out.single(beside.speed as f32);
    write_camera(&mut out, &scene.camera[0], beside.camera);
    write_options(&mut out, scene, options);
    write_elements(&mut out, scene.shown_geoms(), sent);
    write_lights(&mut out, scene.shown_lights());
    write_surfaces(&mut out, scene);
    write_numbers(&mut out, model, data, beside);
    write_plots(&mut out, plots);
    out.bytes
}

fn write_camera(out: &mut Writer, camera: &GlCamera, kind: [i32; 3]) {
    for vector in [camera.pos, camera.forward, camera.up] {
        out.singles(&vector);
    }
    out.singles(&[
        camera.frustum_center,
        camera.frustum_bottom,
        camera.frustum_top,
        camera.frustum_near,
        camera.frustum_far,
    ]);
    out.integer(camera.orthographic);
    kind.into_iter().for_each(|value| out.integer(value));
}

fn write_options(out: &mut Writer, scene: &Scene, options: &Options) {
    out.bytes(&options.flags);
    out.bytes(&scene.settings.flags);
    for group in [
        &options.geomgroup,
        &options.sitegroup,
        &options.jointgroup,
        &options.tendongroup,
        &options.actuatorgroup,
        &options.flexgroup,
        &options.skingroup,
    ] {
        out.bytes(group);
    }
    out.align();
    out.integer(options.label);
    out.integer(options.frame);
}

/// Whether a page would draw two elements alike but for their pose.
fn same_look(a: &Geom, b: &Geom) -> bool {
    a.r#type == b.r#type
        && a.dataid == b.dataid
        && a.objtype == b.objtype
        && a.objid == b.objid
        && a.category == b.category
        && a.matid == b.matid
        && a.texcoord == b.texcoord
        && a.segid == b.segid
        && a.size == b.size
        && a.rgba == b.rgba
        && [a.emission, a.specular, a.shininess, a.reflectance]
            == [b.emission, b.specular, b.shininess, b.reflectance]
        && a.label == b.label
}

fn write_elements(out: &mut Writer, elements: &[Geom], sent: &mut Vec<Geom>) {
    let changed: Vec<usize> = (0..elements.len())
        .filter(|place| !sent.get(*place).is_some_and(|known| same_look(known, &elements[*place])))
        .collect();
    out.unsigned(elements.len());
    out.unsigned(changed.len());
    for place in changed {
        write_look(out, place, &elements[place]);
        match sent.get_mut(place) {
            Some(known) => *known = elements[place],
            None => sent.push(elements[place]),
        }
    }
    for element in elements {
        out.singles(&element.pos);
        out.singles(&quaternion(&element.mat));
    }
}

fn write_look(out: &mut Writer, place: usize, element: &Geom) {
    out.unsigned(place);
    for value in [
        element.r#type,
        element.dataid,
        element.objtype,
        element.objid,
        element.category,
        element.matid,
        element.texcoord,
        element.segid,
    ] {
        out.integer(value);
    }
    out.singles(&element.size);
    out.singles(&element.rgba);
    out.singles(&[element.emission, element.specular, element.shininess, element.reflectance]);
    let label = element.label_text().as_bytes();
    out.unsigned(label.len());
    out.bytes(label);
    out.align();
}

/// Unit quaternion (w, x, y, z) of a rotation, by the largest of its four squares.
fn quaternion(m: &[f32; 9]) -> [f32; 4] {
    let squares = [
        1.0 + m[0] + m[4] + m[8],
        1.0 + m[0] - m[4] - m[8],
        1.0 - m[0] + m[4] - m[8],
        1.0 - m[0] - m[4] + m[8],
    ];
    let largest = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let twice = squares[largest].max(0.0).sqrt();
    if !(twice > 0.0) {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let part = 0.5 / twice;
    let [wx, wy, wz] = [m[7] - m[5], m[2] - m[6], m[3] - m[1]].map(|value| value * part);
    let [xy, xz, yz] = [m[3] + m[1], m[2] + m[6], m[7] + m[5]].map(|value| value * part);
    let half = 0.5 * twice;
    match largest {
        0 => [half, wx, wy, wz],
        1 => [wx, half, xy, xz],
        2 => [wy, xy, half, yz],
        _ => [wz, xz, yz, half],
    }
}

fn write_lights(out: &mut Writer, lights: &[Light]) {
    out.unsigned(lights.len());
    for light in lights {
        out.integer(light.r#type);
        out.integer(i32::from(light.castshadow));
        out.integer(i32::from(light.headlight));
        for vector in [light.pos, light.dir, light.attenuation, light.ambient, light.diffuse, light.specular]
        {
            out.singles(&vector);
        }
        out.singles(&[light.cutoff, light.exponent, light.range]);
    }
}

/// Vertices of the skins and flexes that are shown. A flex is its faces with corners of their own, or its edges.
fn write_surfaces(out: &mut Writer, scene: &Scene) {
    use condyle_model::GeomType;
    let shown: Vec<&Geom> = scene
        .shown_geoms()
        .iter()
        .filter(|geom| matches!(geom.shape(), Some(GeomType::Skin | GeomType::Flex)))
        .collect();
    out.unsigned(shown.len());
    for geom in shown {
        let number = usize::try_from(geom.objid).unwrap_or(0);
        let get =
            |values: &[i32]| values.get(number).and_then(|value| usize::try_from(*value).ok()).unwrap_or(0);
        let skin = geom.r#type == GeomType::Skin as i32;
        let flexes = &scene.flexes;
        let (first, count, positions, normals): (usize, usize, &[f32], &[f32]) = if skin {
            let skins = &scene.skins;
            (get(&skins.skinvertadr), get(&skins.skinvertnum), &skins.skinvert, &skins.skinnormal)
        } else {
            (
                3 * get(&flexes.flexfaceadr),
                3 * get(&flexes.flexfaceused),
                &flexes.flexface,
                &flexes.flexnormal,
            )
        };
        let range = |width: usize| width * first..width * (first + count);
        let positions = positions.get(range(3)).unwrap_or_default();
        let normals = normals.get(range(3)).unwrap_or_default();
        let coordinates = if skin { &[] } else { flexes.flextexcoord.get(range(2)).unwrap_or_default() };
        let lines = if skin { Vec::new() } else { edges(scene, geom, number) };
        out.unsigned(usize::from(!skin));
        out.unsigned(number);
        for values in [positions, normals, coordinates, &lines] {
            out.unsigned(values.len());
            out.singles(values);
        }
    }
}

/// Ends of the edges of a flex that shows them, six numbers each.
fn edges(scene: &Scene, geom: &Geom, number: usize) -> Vec<f32> {
    let (flexes, settings) = (&scene.flexes, &scene.settings);
    let get = |values: &[i32]| values.get(number).and_then(|value| usize::try_from(*value).ok()).unwrap_or(0);
    let smooth = settings.flexskinopt != 0 && get(&flexes.flexfaceused) > 0;
    if !(geom.size[0] > 0.0) || smooth || settings.flexedgeopt == 0 {
        return Vec::new();
    }
    let vertices = flexes.flexvert.as_chunks::<3>().0;
    let first = get(&flexes.flexvertadr);
    let edges = flexes.flexedge.as_chunks::<2>().0;
    let start = get(&flexes.flexedgeadr);
    let mut lines = Vec::new();
    for edge in edges.get(start..start + get(&flexes.flexedgenum)).unwrap_or_default() {
        let end = |k: usize| usize::try_from(edge[k]).ok().and_then(|vertex| vertices.get(first + vertex));
        if let (Some(a), Some(b)) = (end(0), end(1)) {
            lines.extend_from_slice(a);
            lines.extend_from_slice(b);
        }
    }
    lines
}

fn write_numbers(out: &mut Writer, model: &Model, data: &Data, beside: &Beside<'_>) {
    out.unsigned(model.nu);
    out.doubles(&data.inputs.ctrl);
    out.unsigned(model.nq);
    out.doubles(&data.state.qpos);
    out.unsigned(beside.stages.len());
    beside.stages.iter().for_each(|stage| out.single(*stage as f32));
    out.unsigned(data.contacts.len());
    out.unsigned(usize::try_from(data.diagnostics.solver_niter[0]).unwrap_or(0));
    out.doubles(&data.sensors.energy[..2]);
    let selected = beside.selected;
    out.integer(selected.body);
    out.integer(selected.geom);
    out.doubles(&selected.point);
    let [first, last] = beside.history.range().unwrap_or_default();
    out.double(beside.history.len() as f64);
    for (number, time) in [first, last] {
        out.double(number as f64);
        out.double(time);
    }
    out.double(beside.history.position().map_or(-1.0, |number| number as f64));
}

/// Samples since the last frame; times and values as the engine has them.
fn write_plots(out: &mut Writer, plots: &mut [Plot]) {
    out.unsigned(plots.len());
    for plot in plots {
        out.unsigned(plot.number as usize);
        out.unsigned(plot.samples.len());
        for [time, value] in plot.samples.drain(..) {
            out.double(time);
            out.double(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quaternion_gives_its_rotation_back() {
        for q in
            [[1.0, 0.0, 0.0, 0.0_f32], [0.5, 0.5, -0.5, 0.5], [0.1, 0.7, 0.1, -0.7], [0.0, 0.0, 0.6, 0.8]]
        {
            let [w, x, y, z] = q;
            let m = [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                1.0 - 2.0 * (x * x + y * y),
            ];
            let back = quaternion(&m);
            let same: f32 = back.iter().zip(q).map(|(a, b)| a * b).sum();
            assert!((same.abs() - 1.0).abs() < 1e-5, "{q:?} {back:?}");
        }
    }

    #[test]
    fn a_look_is_sent_once_and_again_when_it_changes() {
        let mut sent = Vec::new();
        let mut elements = vec![Geom::default(); 2];
        let size = |elements: &[Geom], sent: &mut Vec<Geom>| {
            let mut out = Writer::default();
            write_elements(&mut out, elements, sent);
            out.bytes.len()
        };
        let both = size(&elements, &mut sent);
        let none = size(&elements, &mut sent);
        elements[1].pos = [1.0; 3];
        assert_eq!(size(&elements, &mut sent), none);
        elements[1].rgba = [1.0; 4];
        let one = size(&elements, &mut sent);
        assert!(none < one && one < both);
        assert_eq!(none, 8 + 2 * 28);
    }
}
