//! What a picture shows and from where: arguments that `render` and `run --video` share.

use std::str::FromStr;

use clap::Args;
use condyle::diagnostic::did_you_mean;
use condyle::pictures::{Camera, CameraType, Options, Photographer, PictureError, RenderFlag, VisualFlag};
use condyle::{Model, ObjectType};

#[derive(Args)]
#[command(next_help_heading = "View")]
pub(crate) struct ViewArguments {
    /// A camera of the model, by name or number, or a free camera AZIMUTH,ELEVATION,DISTANCE[,X,Y,Z] looking at the point X,Y,Z, in
    /// degrees and metres; by default the whole model is in view.
    #[arg(long, allow_hyphen_values = true)]
    camera: Option<String>,
    /// Keep this body centred in the picture, by name or number.
    #[arg(long, value_name = "BODY")]
    track: Option<String>,
    /// Width and height in pixels; 640x480 by default.
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    /// What else to show, such as joint,contact-force,wireframe; '--show list' lists all names.
    #[arg(long, value_delimiter = ',', value_name = "FLAG")]
    show: Vec<String>,
    /// What to hide, such as shadow,reflection,tendon.
    #[arg(long, value_delimiter = ',', value_name = "FLAG")]
    hide: Vec<String>,
}

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub width: usize,
    pub height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(['x', 'X', '×']);
        let parsed = parts.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
        match parsed {
            Some((width, height)) => Ok(Self { width, height }),
            None => Err("write width and height as 640x480".into()),
        }
    }
}

impl ViewArguments {
    /// Whether any argument of the view was given.
    pub(crate) fn given(&self) -> bool {
        self.camera.is_some()
            || self.track.is_some()
            || self.size.is_some()
            || !(self.show.is_empty() && self.hide.is_empty())
    }

    pub(crate) fn size(&self) -> Size {
        self.size.unwrap_or(Size { width: 640, height: 480 })
    }

    /// Something that draws what was asked for, on all processors.
    pub(crate) fn photographer(&self, model: &Model) -> Result<Photographer, String> {
        let size = self.size();
        let mut photographer =
            Photographer::new(model, size.width, size.height).map_err(|error| in_words(&error))?;
        photographer.renderer.threads = std::thread::available_parallelism().map_or(1, usize::from);
        for (names, on) in [(&self.show, true), (&self.hide, false)] {
            for name in names {
                let flags = &mut photographer.scene.settings.flags;
                switch(name.trim(), on, &mut photographer.options, flags)?;
            }
        }
        Ok(photographer)
    }

    pub(crate) fn camera(&self, model: &Model) -> Result<Camera, String> {
        let mut camera = match &self.camera {
            Some(text) => match free_camera(model, text)? {
                Some(camera) => camera,
                None => Camera::fixed(find(model, ObjectType::Camera, model.ncam, text)?),
            },
            None => Camera::free(model),
        };
        if let Some(body) = &self.track {
            if camera.r#type == CameraType::Fixed as i32 {
                return Err(
                    "--track needs a free camera\n  = help: give --camera AZIMUTH,ELEVATION,DISTANCE or omit --camera"
                        .into(),
                );
            }
            camera.r#type = CameraType::Tracking as i32;
            camera.trackbodyid = find(model, ObjectType::Body, model.nbody, body)? as i32;
        }
        Ok(camera)
    }
}

/// A picture that cannot be taken, and what to do about it.
pub(super) fn in_words(error: &PictureError) -> String {
    format!("{}\n  = help: {}", error.message, error.help)
}

/// How a free camera is written.
const FREE_CAMERA: &str = "write AZIMUTH,ELEVATION,DISTANCE or AZIMUTH,ELEVATION,DISTANCE,X,Y,Z in degrees and metres, such as 90,-20,3";

/// A free camera from three or six numbers; `None` when the text is no list of numbers.
fn free_camera(model: &Model, text: &str) -> Result<Option<Camera>, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1) else { return Ok(None) };
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(format!("--camera {text}: angles and distances must be finite\n  = help: {FREE_CAMERA}"));
    }
    let camera = match numbers[..] {
        [azimuth, elevation, distance] => Camera { azimuth, elevation, distance, ..Camera::free(model) },
        [azimuth, elevation, distance, x, y, z] => {
            Camera { azimuth, elevation, distance, lookat: [x, y, z], ..Camera::free(model) }
        }
        _ => {
            return Err(format!("--camera {text}: {} numbers\n  = help: {FREE_CAMERA}", numbers.len()));
        }
    };
    if camera.distance > 0.0 {
        Ok(Some(camera))
    } else {
        Err(format!("--camera {text}: the distance must be positive\n  = help: {FREE_CAMERA}"))
    }
}

/// An element by name or number; the error names those there are.
fn find(model: &Model, kind: ObjectType, count: usize, name: &str) -> Result<usize, String> {
    let by_number = || name.parse().ok().filter(|number| *number < count);
    model.find(kind, name).or_else(by_number).ok_or_else(|| {
        let word = kind.word();
        let names: Vec<&str> =
            (0..count).map(|id| model.name(kind, id)).filter(|name| !name.is_empty()).collect();
        let help = match did_you_mean(name, names.iter().copied()) {
            Some(near) => format!("did you mean '{near}'?"),
            None if count == 0 => "the model has none; --camera 90,-20,3 sets up a free one".to_owned(),
            None if names.is_empty() => format!("the model has {count} without names, numbered from 0"),
            None => format!("available: {}", names[..names.len().min(12)].join(", ")),
        };
        format!("no {word} '{name}'\n  = help: {help}")
    })
}

/// The name of a flag on the command line.
fn flag_name(title: &str) -> String {
    title.to_ascii_lowercase().replace(' ', "-")
}

/// Flags that are kinds of pictures, which have arguments of their own.
const KINDS: [RenderFlag; 3] = [RenderFlag::Depth, RenderFlag::Segment, RenderFlag::IdColor];

fn switch(
    name: &str,
    on: bool,
    options: &mut Options,
    drawing: &mut [u8; RenderFlag::COUNT],
) -> Result<(), String> {
    let visual = VisualFlag::TABLE.iter().enumerate().map(|(index, row)| (flag_name(row.0), index, true));
    let drawn = RenderFlag::TABLE.iter().enumerate().map(|(index, row)| (flag_name(row.0), index, false));
    let drawn = drawn.filter(|(_, index, _)| KINDS.iter().all(|kind| *kind as usize != *index));
    let all: Vec<(String, usize, bool)> = visual.chain(drawn).collect();
    match all
        .iter()
        .find(|(known, ..)| known == name || known.trim_end_matches('s') == name.trim_end_matches('s'))
    {
        Some((_, index, true)) => options.flags[*index] = u8::from(on),
        Some((_, index, false)) => drawing[*index] = u8::from(on),
        None => {
            let names: Vec<&str> = all.iter().map(|(known, ..)| known.as_str()).collect();
            let near = did_you_mean(name, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean '{near}'? "));
            let problem = if name == "list" {
                String::new()
            } else {
                format!("unknown flag '{name}'\n  = help: {near}")
            };
            return Err(format!("{problem}available flags: {}", names.join(", ")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(camera: &str) -> ViewArguments {
        ViewArguments {
            camera: Some(camera.into()),
            track: None,
            size: None,
            show: Vec::new(),
            hide: Vec::new(),
        }
    }

    fn model() -> Model {
        let text = "<mujoco><worldbody><camera name='front'/><camera/><body name='cart'><geom size='1'/></body></worldbody></mujoco>";
        condyle::load_str(text, &condyle::LoadOptions::default()).unwrap().model
    }

    #[test]
    fn cameras_are_found_by_name_by_number_or_placed() {
        let model = model();
        assert_eq!(view("front").camera(&model).unwrap().fixedcamid, 0);
        assert_eq!(view("1").camera(&model).unwrap().fixedcamid, 1);
        let free = view("90,-20,3,1,2,3").camera(&model).unwrap();
        assert_eq!(
            (free.azimuth, free.elevation, free.distance, free.lookat),
            (90.0, -20.0, 3.0, [1.0, 2.0, 3.0])
        );
        assert!(view("frond").camera(&model).unwrap_err().contains("did you mean 'front'?"));
        assert!(view("2").camera(&model).is_err());
        assert!(view("1,2").camera(&model).unwrap_err().contains("2 numbers"));
        assert!(view("1,2,-3").camera(&model).unwrap_err().contains("positive"));
        assert!(view("1,nan,3").camera(&model).unwrap_err().contains("finite"));
    }

    #[test]
    fn a_tracking_camera_follows_a_body() {
        let model = model();
        let mut arguments = view("90,-20,3");
        arguments.track = Some("cart".into());
        let camera = arguments.camera(&model).unwrap();
        assert_eq!((camera.r#type, camera.trackbodyid), (CameraType::Tracking as i32, 1));
        arguments.camera = Some("front".into());
        assert!(arguments.camera(&model).is_err());
    }

    #[test]
    fn flags_have_the_names_of_the_interface_in_lower_case() {
        let (mut options, mut drawing) = (Options::default(), RenderFlag::defaults());
        switch("contact-force", true, &mut options, &mut drawing).unwrap();
        assert!(options.shows(VisualFlag::ContactForce));
        switch("shadows", false, &mut options, &mut drawing).unwrap();
        assert_eq!(drawing[RenderFlag::Shadow as usize], 0);
        let problem = switch("conact-force", true, &mut options, &mut drawing).unwrap_err();
        assert!(problem.contains("did you mean 'contact-force'?"), "{problem}");
        assert!(switch("depth", true, &mut options, &mut drawing).is_err());
    }

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!("32x16".parse(), Ok(Size { width: 32, height: 16 }));
        assert!("32".parse::<Size>().is_err());
        assert!("-1x5".parse::<Size>().is_err());
    }
}
