//! Contact forces sorted by direction into a grid, as a site sees them (`mujoco.sensor.touch_grid`).
//!
//! The site looks down its negative z axis. Azimuth and elevation of each contact of its body choose a cell of the grid; the cell sums
//! up normal force, two tangential forces, torsional and two rolling torques, as many of these as there are channels. Cells near the
//! centre are finer with `gamma`: edges at `γ x⁵ + (1 - γ) x`. Reference: plugin/sensor/touch_grid.cc.
//!
//! Whole data: plugins may read and change all of it.

use condyle_math::{PI, Spatial, Vec3, mat3, quat, scalar, vec3};
use condyle_model::plugins::setting_number;
use condyle_model::{Model, ObjectType, Stage};

use super::{Drawing, Plugin, number, sensors_of};
use crate::Data;
use crate::constraint::contact_force::contact_force;
use crate::data::Contact;

/// Most numbers one grid may give.
const MOST_READINGS: usize = 1 << 26;

/// Thickness of the boxes of a picture relative to their distance.
const THICKNESS: f64 = 0.02;

/// The grid: its channels, the edges of its cells, and the sensor that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchGrid {
    channels: usize,
    /// Edges of the columns, rad.
    azimuth: Vec<f64>,
    /// Edges of the rows, rad.
    elevation: Vec<f64>,
    sensor: Option<usize>,
}

/// Force and cell of each contact that counts.
#[derive(Clone, Debug, Default)]
pub struct TouchGridScratch {
    touches: Vec<(Spatial, Option<usize>)>,
}

impl TouchGrid {
    pub(super) fn new(model: &Model, instance: usize) -> Result<Self, String> {
        let mut grid = Self::from_settings(|key| model.plugin_setting(instance, key))?;
        let on_site = |sensor| {
            model.sensor_objtype(sensor) == Some(ObjectType::Site)
                && model.sensor_objid(sensor).is_some_and(|site| site < model.nsite)
        };
        if !sensors_of(model, instance).all(on_site) {
            return Err("a touch grid must be attached to a site".to_owned());
        }
        grid.sensor = sensors_of(model, instance).next();
        if let Some(sensor) = grid.sensor
            && usize::try_from(model.sensor_dim[sensor]) != Ok(grid.size())
        {
            return Err("the size of the sensor is not that of the grid".to_owned());
        }
        Ok(grid)
    }

    /// A grid from its settings, not yet attached to a sensor. `Err` says which setting is invalid.
    pub fn from_settings<'a>(setting: impl Fn(&str) -> &'a str) -> Result<Self, String> {
        let gamma = setting_number("gamma", setting("gamma"))?;
        let channels = match setting_number("nchannel", setting("nchannel"))? as i32 {
            0 => 1,
            channels => channels,
        };
        if !(1..=6).contains(&channels) {
            return Err(format!("nchannel must be between 1 and 6, but is {channels}"));
        }
        let size = numbers(setting("size")).map(|[x, y]| [x as i32, y as i32]);
        let Some([columns, rows]) = size else {
            return Err("size must give the horizontal and the vertical resolution".to_owned());
        };
        if columns <= 0 || rows <= 0 {
            return Err("horizontal and vertical resolution must be positive".to_owned());
        }
        let Some([horizontal, vertical]) = numbers(setting("fov")) else {
            return Err("fov must give the horizontal and the vertical field of view".to_owned());
        };
        if horizontal <= 0.0 || horizontal > 180.0 {
            return Err(format!("the horizontal field of view must be in (0, 180], but is {horizontal}"));
        }
        if vertical <= 0.0 || vertical > 90.0 {
            return Err(format!("the vertical field of view must be in (0, 90], but is {vertical}"));
        }
        if !(0.0..=1.0).contains(&gamma) {
            return Err(format!("gamma must be between 0 and 1, but is {gamma}"));
        }
        let (columns, rows, channels) = (columns as usize, rows as usize, channels as usize);
        match columns.checked_mul(rows).and_then(|cells| cells.checked_mul(channels)) {
            Some(readings) if readings <= MOST_READINGS => {}
            _ => return Err(format!("a grid can have at most {MOST_READINGS} readings")),
        }
        Ok(Self {
            channels,
            azimuth: edges(columns, horizontal, gamma),
            elevation: edges(rows, vertical, gamma),
            sensor: None,
        })
    }

    /// Numbers the grid gives.
    pub fn size(&self) -> usize {
        self.channels * self.cells()
    }

    fn cells(&self) -> usize {
        (self.azimuth.len() - 1) * (self.elevation.len() - 1)
    }

    /// The cell that sees a point in the frame of the site.
    fn cell(&self, [x, y, z]: Vec3) -> Option<usize> {
        let azimuth = x.atan2(-z);
        let elevation = y.atan2((x * x + z * z).sqrt());
        let column = interval(&self.azimuth, azimuth)?;
        let row = interval(&self.elevation, elevation)?;
        Some(row * (self.azimuth.len() - 1) + column)
    }
}

impl TouchGrid {
    /// Mean distance from the site of the contacts in each cell; zero where there are none.
    fn distances(&self, model: &Model, data: &Data, site: usize) -> Vec<f64> {
        let weld = |body: i32| model.body_weldid[body as usize];
        let own = weld(model.site_bodyid[site]);
        let (place, axes) = (data.kinematics.site_xpos[site], &data.kinematics.site_xmat[site]);
        let mut sums = vec![(0.0, 0.0); self.cells()];
        for contact in &data.contacts {
            let Some([first, second]) = bodies(model, contact) else { continue };
            if weld(first) != weld(own) && weld(second) != weld(own) {
                continue;
            }
            let local = mat3::mul_vec_transposed(axes, vec3::sub(contact.pos, place));
            if let Some(cell) = self.cell(local) {
                sums[cell].0 += vec3::norm(local);
                sums[cell].1 += 1.0;
            }
        }
        sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect()
    }
}

/// Two numbers with one space between them.
fn numbers(text: &str) -> Option<[f64; 2]> {
    let text = text.strip_suffix(' ').unwrap_or(text);
    let mut items = text.split(' ');
    let pair = [number(items.next()?), number(items.next()?)];
    items.next().is_none().then_some(pair)
}

/// Edges of `count` cells over twice the field of view, in degrees.
fn edges(count: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let step = (1.0 - -1.0) / count as f64;
    let mut x = -1.0;
    let mut edges = Vec::with_capacity(count + 1);
    for _ in 0..=count {
        edges.push(fovea(x, gamma) * (fov * PI / 180.0));
        x += step;
    }
    edges
}

fn fovea(x: f64, gamma: f64) -> f64 {
    if gamma == 0.0 {
        return x;
    }
    gamma * x.powf(5.0) + (1.0 - gamma) * x
}

/// The interval between two edges that holds a value; a value on an edge belongs to the interval below.
fn interval(edges: &[f64], value: f64) -> Option<usize> {
    let above = edges.partition_point(|&edge| !(value <= edge));
    (above < edges.len()).then_some(above).and_then(|above| above.checked_sub(1))
}

/// Normal component first: x, y, z to z, x, y.
fn normal_first([x, y, z]: Vec3) -> Vec3 {
    [z, x, y]
}

/// Bodies that two geoms of a contact belong to; `None` when a flex takes part.
fn bodies(model: &Model, contact: &Contact) -> Option<[i32; 2]> {
    let [first, second] = contact.geom.map(|geom| usize::try_from(geom).ok());
    Some([model.geom_bodyid[first?], model.geom_bodyid[second?]])
}

impl Plugin for TouchGrid {
    fn sensor_stage(&self) -> Option<Stage> {
        Some(Stage::Acc)
    }

    /// A flat box where each touched cell looks, at the distance of its contacts, coloured by the first three channels.
    fn draw(&self, model: &Model, data: &Data, add: &mut dyn FnMut(Drawing)) {
        let Some(sensor) = self.sensor else { return };
        let (start, cells) = (model.sensor_adr[sensor] as usize, self.cells());
        let Some(reading) = data.sensors.sensordata.get(start..start + self.size()) else { return };
        let mut greatest = 0.0;
        for value in &reading[..cells] {
            greatest = scalar::max(greatest, value.abs());
        }
        if greatest == 0.0 {
            return;
        }
        let site = model.sensor_objid[sensor] as usize;
        let (place, axes) = (data.kinematics.site_xpos[site], &data.kinematics.site_xmat[site]);
        let distances = self.distances(model, data, site);
        let (columns, rows) = (self.azimuth.len() - 1, self.elevation.len() - 1);
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            let cell = row * columns + column;
            let distance = distances[cell];
            if distance == 0.0 {
                continue;
            }
            let [left, right] = [self.azimuth[column], self.azimuth[column + 1]];
            let [low, high] = [self.elevation[row], self.elevation[row + 1]];
            let (azimuth, elevation) = (0.5 * (right + left), 0.5 * (high + low));
            let r = distance * (1.0 - THICKNESS);
            let ahead = [
                r * elevation.cos() * azimuth.sin(),
                r * elevation.sin(),
                -r * elevation.cos() * azimuth.cos(),
            ];
            let up = quat::from_axis_angle(mat3::column(axes, 0), elevation);
            let aside = quat::from_axis_angle([-axes[1], -axes[4], -axes[7]], azimuth);
            let turned = quat::mul(aside, quat::mul(up, quat::from_mat(axes)));
            let mut rgba = [1.0; 4];
            for (channel, colour) in rgba.iter_mut().take(self.channels.min(3)).enumerate() {
                *colour = (reading[channel * cells + cell].abs() / greatest) as f32;
            }
            add(Drawing::Box {
                sensor,
                size: [distance * 0.5 * (right - left), distance * 0.5 * (high - low), distance * THICKNESS],
                position: vec3::add(mat3::mul_vec(axes, ahead), place),
                rotation: quat::to_mat(&turned),
                rgba,
            });
        }
    }

    fn sensors(&self, model: &Model, data: &mut Data) {
        let Some(sensor) = self.sensor else { return };
        let start = model.sensor_adr[sensor] as usize;
        let reading = &mut data.sensors.sensordata[start..start + model.sensor_dim[sensor] as usize];
        reading.fill(0.0);
        let site = model.sensor_objid[sensor] as usize;
        let weld = |body: i32| model.body_weldid[body as usize];
        let own = weld(model.site_bodyid[site]);
        let (place, axes) = (data.kinematics.site_xpos[site], data.kinematics.site_xmat[site]);

        let touches = &mut data.scratch.touch_grid.touches;
        touches.clear();
        for contact in &data.contacts {
            let Some([first, second]) = bodies(model, contact) else { continue };
            if weld(first) != weld(own) && weld(second) != weld(own) {
                continue;
            }
            let wrench = contact_force(model, &data.solution, contact);
            let turned = |vector: Vec3| {
                mat3::mul_vec_transposed(&axes, mat3::mul_vec_transposed(&contact.frame, vector))
            };
            let mut force = turned([wrench[0], wrench[1], wrench[2]]);
            let mut torque = turned([wrench[3], wrench[4], wrench[5]]);
            // Forces act on the body with the greater number.
            if own < first.max(second) {
                force = vec3::scale(force, -1.0);
                torque = vec3::scale(torque, -1.0);
            }
            let ([a, b, c], [d, e, f]) = (normal_first(force), normal_first(torque));
            let local = mat3::mul_vec_transposed(&axes, vec3::sub(contact.pos, place));
            touches.push(([a, b, c, d, e, f], self.cell(local)));
        }
        let cells = self.cells();
        for (channel, image) in reading.chunks_exact_mut(cells).enumerate() {
            for (force, cell) in touches.iter() {
                if let Some(cell) = cell {
                    image[*cell] += force[channel];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(size: &str, fov: &str, gamma: &str) -> Result<TouchGrid, String> {
        TouchGrid::from_settings(|key| match key {
            "size" => size,
            "fov" => fov,
            "gamma" => gamma,
            _ => "3",
        })
    }

    #[test]
    fn a_point_straight_ahead_is_in_the_middle() {
        let grid = grid("3 5", "30 20", "0").unwrap();
        assert_eq!(grid.size(), 45);
        assert_eq!(grid.cell([0.0, 0.0, -1.0]), Some(7));
        assert_eq!(grid.cell([0.5, 0.0, -1.0]), Some(8));
        assert_eq!(grid.cell([0.0, 0.0, 1.0]), None);
    }

    #[test]
    fn a_fovea_makes_the_cells_in_the_middle_smaller() {
        let even = grid("10 10", "90 90", "0").unwrap();
        let fine = grid("10 10", "90 90", "1").unwrap();
        assert!(fine.azimuth[6] < even.azimuth[6] && fine.azimuth[6] > 0.0);
        assert_eq!(fine.azimuth[0], even.azimuth[0]);
    }

    #[test]
    fn invalid_settings_are_refused() {
        for (size, fov, gamma) in [
            ("3", "30 20", "0"),
            ("3  3", "30 20", "0"),
            ("0 3", "30 20", "0"),
            ("3 3", "190 20", "0"),
            ("3 3", "30 0", "0"),
            ("3 3", "30 20", "2"),
            ("3 3", "30 20", "x"),
            ("99999 99999", "30 20", "0"),
        ] {
            assert!(grid(size, fov, gamma).is_err(), "{size} {fov} {gamma}");
        }
    }

    #[test]
    fn an_edge_belongs_to_the_cell_below_it() {
        let grid = grid("2 2", "45 45", "0").unwrap();
        assert_eq!(grid.cell([0.0, 1.0, -1.0]), Some(2));
        assert_eq!(grid.cell([0.0, 1.0 + 1e-10, -1.0]), None);
        assert_eq!(grid.cell([1.0, 0.0, -1.0]), Some(1));
        assert_eq!(grid.cell([1.0 + 1e-10, 0.0, -1.0]), None);
        // Both coordinates beside the ray count for the elevation.
        assert_eq!(grid.cell([3.0, 5.0, -4.0]), Some(3));
        assert_eq!(grid.cell([3.0, 5.0 + 1e-9, -4.0]), None);
    }

    #[test]
    fn a_touched_cell_is_drawn_where_it_looks() {
        let mut model =
            Model { nbody: 2, ngeom: 2, nsite: 1, nsensor: 1, nsensordata: 4, ..Model::default() };
        model.allocate();
        model.body_treeid.fill(-1);
        model.body_mocapid.fill(-1);
        model.body_weldid = vec![0, 1].into();
        model.geom_bodyid = vec![0, 1].into();
        model.site_bodyid = vec![1].into();
        let mut data = Data::without_plugins(&model);
        data.kinematics.site_xpos[0] = [1.0, 2.0, 3.0];
        data.kinematics.site_xmat[0] = mat3::IDENTITY;
        // Ahead, to the right and up, in the last cell.
        data.contacts.push(Contact { geom: [0, 1], pos: [1.5, 2.5, 1.0], ..Contact::default() });
        data.sensors.sensordata[3] = -2.0;
        let grid = TouchGrid { channels: 1, sensor: Some(0), ..grid("2 2", "60 60", "0").unwrap() };
        let mut drawn = Vec::new();
        grid.draw(&model, &data, &mut |drawing| drawn.push(drawing));
        let [Drawing::Box { sensor: 0, size, position, rotation, rgba: [1.0, 1.0, 1.0, 1.0] }] = drawn[..]
        else {
            panic!("{drawn:?}");
        };
        let (distance, angle) = ((0.25 + 0.25 + 4.0_f64).sqrt(), PI / 6.0);
        let near = |found: &[f64], wanted: &[f64]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {wanted:?}");
        };
        near(&size, &[distance * angle, distance * angle, distance * THICKNESS]);
        let (sine, cosine) = angle.sin_cos();
        let looks = [cosine * sine, sine, -cosine * cosine];
        let r = distance * (1.0 - THICKNESS);
        near(&position, &[1.0 + r * looks[0], 2.0 + r * looks[1], 3.0 + r * looks[2]]);
        // Its flat side faces the site.
        near(&mat3::column(&rotation, 2).map(|x| -x), &looks);
    }
}
