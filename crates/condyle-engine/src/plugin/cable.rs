//! Bending and twisting stiffness of a chain of bodies (`mujoco.elasticity.cable`).
//!
//! Between two neighbours the torque is `-K (ω - ω₀) / l`: ω is the rotation of one body seen from the other, ω₀ that rotation in the
//! reference configuration (zero for a cable that is flat by nature), l their distance, and K holds the torsion constant times the
//! shear modulus and the two second moments of area times Young's modulus. Reference: plugin/elasticity/cable.cc.
//!
//! Whole data: plugins may read and change all of it.

use condyle_math::{PI, Quat, Vec3, quat, vec3};
use condyle_model::plugins::setting_number;
use condyle_model::{GeomType, Model};

use super::{Drawing, Plugin, number};
use crate::Data;
use crate::jacobian::force;
use crate::position::kinematics;

/// A chain of consecutive bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cable {
    first: usize,
    links: Vec<Link>,
    /// Stress with the last colour of the scale; zero: geoms keep their colours.
    most_stress: f64,
}

/// One body of a cable.
#[derive(Clone, Debug, Default, PartialEq)]
struct Link {
    /// Stiffness against torsion and against bending about y and z.
    stiffness: Vec3,
    /// Rotation from the body before in the reference configuration.
    rest: Vec3,
    /// Distance from the body before.
    length: f64,
    /// Where the orientation relative to the body before is in `qpos`.
    orientation: usize,
}

impl Cable {
    pub(super) fn new(model: &Model, data: &mut Data, instance: usize) -> Result<Self, String> {
        let setting = |key: &str| model.plugin_setting(instance, key);
        let shear = setting_number("twist", setting("twist"))?;
        let young = setting_number("bend", setting("bend"))?;
        let straight = setting("flat") == "true";
        let own = |body: &usize| model.body_plugin(*body) == Some(instance);
        let count = (1..model.nbody).filter(own).count();
        let Some(first) = (1..model.nbody).find(own) else { return Ok(Self::default()) };
        if !(first..first + count).all(|body| own(&body)) {
            return Err("the bodies of a cable must follow one another".to_owned());
        }

        // Positions in the reference configuration. Mocap bodies have no pose yet.
        data.inputs.mocap_pos.fill([0.0; 3]);
        data.inputs.mocap_quat.fill([0.0; 4]);
        kinematics::bodies(model, &data.state, &data.inputs, &mut data.awake, &mut data.kinematics);

        let mut links = Vec::with_capacity(count);
        for body in first..first + count {
            let area = section(model, body)?;
            let mut link =
                Link { stiffness: [area[0] * shear, area[1] * young, area[2] * young], ..Link::default() };
            if body > first {
                link.orientation = orientation_address(model, body)?;
                if !straight {
                    let joint = orientation(&data.state.qpos, link.orientation);
                    link.rest = quat::sub(model.body_quat[body], joint);
                }
                link.length = vec3::distance(data.kinematics.xpos[body], data.kinematics.xpos[body - 1]);
            }
            links.push(link);
        }
        Ok(Self { first, links, most_stress: number(setting("vmax")) })
    }
}

impl Link {
    /// Torque from the rotation `turn` relative to the body before, in the frame of this body.
    fn torque(&self, turn: Quat) -> Vec3 {
        let omega = quat::to_velocity(turn, 1.0);
        std::array::from_fn(|i| -self.stiffness[i] * (omega[i] - self.rest[i]) / self.length)
    }

    /// Rotation relative to the body before.
    fn turn(&self, model: &Model, data: &Data, body: usize) -> Quat {
        quat::mul(model.body_quat[body], orientation(&data.state.qpos, self.orientation))
    }
}

impl Cable {
    /// Stress at the end towards the body before: in the frame of that body if this one is stiff, else in its own; zero where
    /// neither is.
    fn stress(&self, model: &Model, data: &Data, place: usize) -> Vec3 {
        let (Some(link), true) = (self.links.get(place), place > 0) else { return [0.0; 3] };
        let is_stiff = |link: &Link| link.stiffness != [0.0; 3];
        let turn = link.turn(model, data, self.first + place);
        if is_stiff(link) {
            quat::rotate_or_zero(link.torque(turn), quat::conjugate(turn))
        } else if is_stiff(&self.links[place - 1]) {
            link.torque(turn)
        } else {
            [0.0; 3]
        }
    }
}

/// Blue, cyan, green, yellow, red for a stress from zero to `most`.
fn stress_color(stress: Vec3, most: f64) -> [f32; 3] {
    let length = vec3::norm(stress);
    let v = if length < 0.0 { 0.0 } else { length };
    let v = if v > most { most } else { v };
    if v < 0.25 * most {
        [0.0, (4.0 * v / most) as f32, 1.0]
    } else if v < 0.5 * most {
        [0.0, 1.0, (1.0 + 4.0 * (0.25 * most - v) / most) as f32]
    } else if v < 0.75 * most {
        [(4.0 * (v - 0.5 * most) / most) as f32, 1.0, 0.0]
    } else {
        [1.0, (1.0 + 4.0 * (0.75 * most - v) / most) as f32, 0.0]
    }
}

/// Torsion constant and second moments of area about y and z of the first geom of a body.
fn section(model: &Model, body: usize) -> Result<Vec3, String> {
    let Some(geom) = model.body_geomadr(body) else {
        return Err(format!("body {body} of the cable has no geom"));
    };
    let size = model.geom_size[geom];
    Ok(match model.geom_type(geom) {
        Some(GeomType::Cylinder | GeomType::Capsule) => {
            let power = size[0].powf(4.0);
            [PI * power / 2.0, PI * power / 4.0, PI * power / 4.0]
        }
        Some(GeomType::Box) => {
            let (height, width) = (size[1], size[2]);
            let (long, short) = if height < width { (width, height) } else { (height, width) };
            let slender = 1.0 - short.powf(4.0) / long.powf(4.0) / 12.0;
            [
                long * short.powf(3.0) * (16.0 / 3.0 - 3.36 * short / long * slender),
                (2.0 * width).powf(3.0) * 2.0 * height / 12.0,
                (2.0 * height).powf(3.0) * 2.0 * width / 12.0,
            ]
        }
        _ => [0.0; 3],
    })
}

/// Where the orientation of a body's ball or free joint is in `qpos`.
fn orientation_address(model: &Model, body: usize) -> Result<usize, String> {
    let joint = model.body_jntadr(body);
    joint
        .map(|joint| model.jnt_qposadr[joint] + model.body_dofnum[body] - 3)
        .and_then(|address| usize::try_from(address).ok())
        .filter(|address| address + 4 <= model.nq)
        .ok_or_else(|| format!("body {body} of the cable needs a ball joint"))
}

fn orientation(qpos: &[f64], address: usize) -> Quat {
    std::array::from_fn(|i| qpos[address + i])
}

impl Plugin for Cable {
    /// Colours the first geom of each body by the mean of the stresses at its ends.
    fn draw(&self, model: &Model, data: &Data, add: &mut dyn FnMut(Drawing)) {
        if self.most_stress == 0.0 {
            return;
        }
        let last = self.links.len().saturating_sub(1);
        for place in 0..self.links.len() {
            let before = self.stress(model, data, if place > 0 { place } else { 1.min(last) });
            let after = self.stress(model, data, if place < last { place + 1 } else { place });
            let mean = vec3::scale(vec3::add(before, after), 0.5);
            if let Some(geom) = model.body_geomadr(self.first + place) {
                add(Drawing::GeomColor { geom, rgb: stress_color(mean, self.most_stress) });
            }
        }
    }

    fn passive_forces(&self, model: &Model, data: &mut Data) {
        for (place, link) in self.links.iter().enumerate() {
            if link.stiffness == [0.0; 3] {
                continue;
            }
            let body = self.first + place;
            let mut torque = [0.0; 3];
            if place > 0 {
                let turn = link.turn(model, data, body);
                let pulled_back = quat::rotate_or_zero(link.torque(turn), quat::conjugate(turn));
                torque = vec3::add_scaled(torque, pulled_back, 1.0);
            }
            if let Some(next) = self.links.get(place + 1) {
                let turn = next.turn(model, data, body + 1);
                torque = vec3::add_scaled(torque, next.torque(turn), -1.0);
            }
            let torque = quat::rotate_or_zero(torque, data.kinematics.xquat[body]);
            force::apply(
                model,
                &data.kinematics,
                None,
                Some(torque),
                data.kinematics.xpos[body],
                body,
                &mut data.passive.qfrc_passive,
                &mut data.scratch.smooth,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geoms_have_the_colour_of_the_mean_stress_at_the_ends_of_their_body() {
        let mut model = Model { nbody: 4, njnt: 2, ngeom: 3, nq: 8, nv: 6, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        model.body_geomadr = vec![-1, 0, 1, 2].into();
        model.body_quat = vec![[1.0, 0.0, 0.0, 0.0]; 4].into();
        let mut data = Data::without_plugins(&model);
        // Bent by 0.3 and then by 0.6 rad about y; the torque is as large, because stiffness and length are equal.
        let about_y = |angle: f64| [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0];
        data.state.qpos[..4].copy_from_slice(&about_y(0.3));
        data.state.qpos[4..].copy_from_slice(&about_y(0.6));
        let link = |orientation| Link { stiffness: [0.2; 3], rest: [0.0; 3], length: 0.2, orientation };
        let cable = Cable { first: 1, links: vec![link(0), link(0), link(4)], most_stress: 1.0 };

        let mut colors = [[0.0; 3]; 3];
        cable.draw(&model, &data, &mut |drawing| {
            if let Drawing::GeomColor { geom, rgb } = drawing {
                colors[geom] = rgb;
            }
        });
        let expected = [[0.0, 1.0, 0.8], [0.0, 1.0, 0.2], [0.4, 1.0, 0.0]];
        for (found, wanted) in colors.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - wanted).abs() < 1e-6, "{colors:?}");
        }
        for (stress, color) in [
            (0.0, [0.0, 0.0, 1.0]),
            (0.125, [0.0, 0.5, 1.0]),
            (0.875, [1.0, 0.5, 0.0]),
            (9.0, [1.0, 0.0, 0.0]),
        ] {
            assert_eq!(stress_color([0.0, -stress, 0.0], 1.0), color);
        }
    }

    #[test]
    fn the_torque_of_a_link_turns_it_back_to_its_rest() {
        let link =
            Link { stiffness: [0.2, 0.3, 0.4], rest: [0.0, 0.1, -0.2], length: 0.5, ..Link::default() };
        for (axis, angle) in [(0, 0.7), (1, 0.3), (1, 0.1), (2, -0.2), (2, 0.6)] {
            let mut turn = [0.0; 4];
            turn[0] = f64::cos(0.5 * angle);
            turn[1 + axis] = f64::sin(0.5 * angle);
            let torque = link.torque(turn);
            for k in 0..3 {
                let bent = if k == axis { angle } else { 0.0 };
                let expected = -link.stiffness[k] * (bent - link.rest[k]) / 0.5;
                assert!((torque[k] - expected).abs() < 1e-15, "axis {axis}, {angle} rad: {torque:?}");
            }
        }
    }
}
