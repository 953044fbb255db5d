//! Commands that concern one page alone: its camera, what it shows, selects and plots, and questions about the present state.

use condyle::Sim;
use condyle_engine::Data;
use condyle_model::{Fingerprint, Model, Values};
use condyle_vis::{Camera, CameraType};

use crate::command::Command;
use crate::view::{MOST_PLOTS, Plot, View};
use crate::{Message, asset, describe};

impl View {
    /// Commands that concern this page alone. `false` for others.
    pub(crate) fn carry_out(
        &mut self,
        command: &Command,
        sim: &mut Sim,
        revision: u32,
    ) -> Result<bool, String> {
        let (model, data) = (&*sim.model, &sim.data);
        match *command {
            Command::FreeCamera => self.camera = Camera::free(model),
            Command::FixedCamera(camera) if camera < model.ncam => self.camera = Camera::fixed(camera),
            Command::FixedCamera(_) => return Err(format!("the model has {} cameras", model.ncam)),
            Command::TrackingCamera(body) if body < model.nbody => {
                let free = if self.camera.r#type == CameraType::Fixed as i32 {
                    Camera::free(model)
                } else {
                    self.camera
                };
                let trackbodyid = i32::try_from(body).unwrap_or(0);
                self.camera =
                    Camera { r#type: CameraType::Tracking as i32, trackbodyid, fixedcamid: -1, ..free };
            }
            Command::SelectBody(body) if body < model.nbody => self.select_body(data, body),
            Command::TrackingCamera(_) | Command::SelectBody(_) => {
                return Err(format!("the model has {} bodies", model.nbody));
            }
            Command::Steer(action, dx, dy) => self.steer(model, action, dx, dy),
            Command::Select(place, aspect) => self.select(model, data, place, aspect),
            Command::Deselect => self.deselect(),
            Command::Pull(translate) => self.pull(model, data, translate),
            Command::PullMove(action, dx, dy) => self.pull_move(model, data, action, dx, dy),
            Command::Release => self.release(),
            Command::Flag(flag, on) => *place(&mut self.options.flags, flag)? = u8::from(on),
            Command::RenderFlag(flag, on) => *place(&mut self.scene.settings.flags, flag)? = u8::from(on),
            Command::Group(kind, group, on) => *place(self.group(kind), group)? = u8::from(on),
            Command::Label(label) => self.options.label = label,
            Command::Frame(frame) => self.options.frame = frame,
            Command::Plot(number, channel) => {
                let value = channel.read(model, data).ok_or("the model has no such element")?;
                self.plots.retain(|plot| plot.number != number);
                if self.plots.len() >= MOST_PLOTS {
                    return Err(format!("at most {MOST_PLOTS} lines can be plotted"));
                }
                let samples = vec![[data.state.time, value]];
                self.plots.push(Plot { number, channel, samples });
            }
            Command::Unplot(number) => self.plots.retain(|plot| plot.number != number),
            Command::Explain(first, second) => {
                let explained = condyle::explain_pair(model, data, first, second);
                let explained = explained.ok_or("two different geoms of the model are needed")?;
                self.say(describe::note("explain", &condyle::report::pair::text(model, &explained)));
            }
            Command::Contacts => {
                let table = condyle::report::contact::table(model, &data.contact_reports(model));
                self.say(describe::note("contacts", &table));
            }
            Command::Hash => {
                let hash = state_hash(data);
                self.say(describe::note("hash", &format!("{hash:016x}")));
            }
            Command::Save => self.say(describe::note("keyframe", &keyframe(model, data))),
            Command::Asset(kind, number) => {
                let asset =
                    asset::encode(model, revision, kind, number).ok_or("the model has no such asset")?;
                self.waiting.push(Message::Binary(asset));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn group(&mut self, kind: usize) -> &mut [u8; 6] {
        let options = &mut self.options;
        match kind {
            0 => &mut options.geomgroup,
            1 => &mut options.sitegroup,
            2 => &mut options.jointgroup,
            3 => &mut options.tendongroup,
            4 => &mut options.actuatorgroup,
            5 => &mut options.flexgroup,
            _ => &mut options.skingroup,
        }
    }
}

fn place(values: &mut [u8], index: usize) -> Result<&mut u8, String> {
    let count = values.len();
    values.get_mut(index).ok_or_else(|| format!("there are {count} of them"))
}

/// A number that tells states apart: time, positions, velocities, activations and controls.
pub fn state_hash(data: &Data) -> u64 {
    let mut hash = Fingerprint::default();
    hash.values(Values::F64(&[data.state.time]));
    for values in [&data.state.qpos, &data.state.qvel, &data.state.act, &data.inputs.ctrl] {
        hash.values(Values::F64(values));
    }
    hash.finish()
}

/// The present state as a keyframe element.
fn keyframe(model: &Model, data: &Data) -> String {
    let mut text = format!("<key time=\"{}\"", data.state.time);
    for (name, values) in [
        ("qpos", &data.state.qpos[..]),
        ("qvel", &data.state.qvel[..]),
        ("act", &data.state.act[..]),
        ("ctrl", &data.inputs.ctrl[..]),
        ("mpos", data.inputs.mocap_pos.as_flattened()),
        ("mquat", data.inputs.mocap_quat.as_flattened()),
    ] {
        if !values.is_empty() && model.nq > 0 {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            text.push_str(&format!(" {name}=\"{}\"", values.join(" ")));
        }
    }
    text.push_str("/>");
    text
}
