//! The video of a run: GIF and APNG written here, MP4 and WebM by the program `ffmpeg`.
//!
//! Every frame is written as soon as it is drawn, so that a run which is interrupted leaves a video of what came before.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use condyle::Sim;
use condyle::pictures::{Camera, Kind, Photographer};

use super::image;
use super::view::{ViewArguments, in_words};
use crate::file;

/// Endings of videos.
pub(super) const ENDINGS: [&str; 4] = ["gif", "apng", "mp4", "webm"];
/// Most frames of a video: 10 minutes at 60 frames per second are 36,000.
const MOST_FRAMES: f64 = 100_000.0;
/// Frames per second that viewers show a GIF with.
const MOST_GIF_RATE: f64 = 50.0;

/// A video that grows with a run.
pub(crate) struct Video {
    photographer: Photographer,
    camera: Camera,
    sink: Sink,
    /// Frames per second of simulated time.
    rate: f64,
    /// Simulated time since the start, s. Counted here, because a reset sets the clock back.
    elapsed: f64,
    frames: u64,
    rgb: Vec<u8>,
}

impl Video {
    pub(crate) fn create(
        path: &Path,
        sim: &Sim,
        view: &ViewArguments,
        rate: f64,
        steps: u64,
    ) -> Result<Self, String> {
        file::check_ending(path, "videos", &ENDINGS)?;
        if !(rate > 0.0 && rate <= 1000.0) {
            return Err(format!(
                "--fps {rate} is not a rate of frames\n  = help: give 1 to 1000 frames per second"
            ));
        }
        if steps == 0 {
            return Err(
                "a run without steps has no frames\n  = help: give more --seconds, or `condyle render` for a single picture".into(),
            );
        }
        if file::has_ending(path, "gif") && rate > MOST_GIF_RATE {
            return Err(format!(
                "--fps {rate}: a GIF has at most {MOST_GIF_RATE} frames per second\n  = help: write .apng or .mp4 for more"
            ));
        }
        let timestep = sim.model.opt.timestep;
        let frames = steps as f64 * timestep * rate;
        if frames > MOST_FRAMES {
            return Err(format!(
                "a video of {frames:.0} frames is too long\n  = help: give fewer --seconds or a smaller --fps"
            ));
        }
        let camera = view.camera(&sim.model)?;
        let photographer = view.photographer(&sim.model)?;
        let size = [photographer.width(), photographer.height()];
        let rgb = vec![0; size[0] * size[1] * 3];
        let sink = Sink::create(path, size, rate)?;
        Ok(Self { photographer, camera, sink, rate, elapsed: 0.0, frames: 0, rgb })
    }

    /// Take the frames that are due. Poses are those the step started from.
    pub(crate) fn after_step(&mut self, sim: &Sim) -> Result<(), String> {
        // Times that are equal up to rounding are equal.
        let due = (self.elapsed * self.rate * (1.0 + 1e-12) + 1e-9).floor() as u64 + 1;
        self.elapsed += sim.model.opt.timestep;
        if due <= self.frames {
            return Ok(());
        }
        let taken = self.photographer.take(&sim.model, &sim.data, &mut self.camera, Kind::Color);
        taken.map_err(|error| in_words(&error))?;
        self.photographer.read_color(&mut self.rgb);
        // A step that is longer than a frame is shown for as many frames.
        while self.frames < due {
            self.sink.frame(&self.rgb, self.frames, self.rate)?;
            self.frames += 1;
        }
        Ok(())
    }

    /// Close the file; returns the number of frames.
    pub(crate) fn finish(self) -> Result<u64, String> {
        self.sink.finish(self.frames)?;
        Ok(self.frames)
    }
}

/// Where frames go.
enum Sink {
    Gif { encoder: gif::Encoder<BufWriter<File>>, size: [u16; 2] },
    Apng(Apng),
    Program { child: Child, input: ChildStdin },
}

impl Sink {
    fn create(path: &Path, size: [usize; 2], rate: f64) -> Result<Self, String> {
        let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let create =
            || File::create(path).map(BufWriter::new).map_err(|error| file::cannot_write(path, &error));
        if file::has_ending(path, "gif") {
            let [width, height] = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
            let mut encoder =
                gif::Encoder::new(create()?, width, height, &[]).map_err(|error| problem(&error))?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| problem(&error))?;
            return Ok(Self::Gif { encoder, size: [width, height] });
        }
        if file::has_ending(path, "apng") {
            return Apng::create(create()?, size, rate).map(Self::Apng).map_err(|error| problem(&error));
        }
        file::check_writable(path)?;
        start_ffmpeg(path, size, rate)
    }

    fn frame(&mut self, rgb: &[u8], number: u64, rate: f64) -> Result<(), String> {
        match self {
            Self::Gif { encoder, size } => {
                let mut frame = gif::Frame::from_rgb_speed(size[0], size[1], rgb, 10);
                // Hundredths of a second; the sum over all frames is exact.
                let until = |frame: u64| (frame as f64 * 100.0 / rate).round();
                frame.delay = (until(number + 1) - until(number)) as u16;
                encoder.write_frame(&frame).map_err(|error| format!("GIF: {error}"))
            }
            Self::Apng(apng) => apng.frame(rgb, number),
            Self::Program { child, input } => input
                .write_all(rgb)
                .map_err(|error| complaint(child).unwrap_or_else(|| format!("ffmpeg: {error}"))),
        }
    }

    fn finish(self, frames: u64) -> Result<(), String> {
        match self {
            Self::Gif { encoder, .. } => {
                let mut file = encoder.into_inner().map_err(|error| format!("GIF: {error}"))?;
                file.flush().map_err(|error| format!("GIF: {error}"))
            }
            Self::Apng(apng) => apng.finish(frames).map_err(|error| format!("APNG: {error}")),
            Self::Program { mut child, input } => {
                drop(input);
                complaint(&mut child).map_or(Ok(()), Err)
            }
        }
    }
}

/// Start `ffmpeg` with raw frames on its input; it chooses the coding by the ending.
fn start_ffmpeg(path: &Path, size: [usize; 2], rate: f64) -> Result<Sink, String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
    command.args(["-s", &format!("{}x{}", size[0], size[1]), "-r", &rate.to_string(), "-i", "-", "-an"]);
    // Players want both sides even and colours at half the resolution.
    command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]);
    // `file:` keeps a name with a colon or a leading dash from being taken for something else.
    let mut target = std::ffi::OsString::from("file:");
    target.push(path);
    command.arg(target).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    // Ctrl-C ends the run; ffmpeg then gets the end of its input and closes the file.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            format!(
                "{}: writing this format needs the program ffmpeg, which is not installed\n  = help: install ffmpeg, or write .gif or .apng",
                path.display()
            )
        } else {
            format!("ffmpeg: {error}")
        }
    })?;
    match child.stdin.take() {
        Some(input) => Ok(Sink::Program { child, input }),
        None => Err("ffmpeg: cannot write to its input".into()),
    }
}

/// What the program complains about, once it has ended.
fn complaint(child: &mut Child) -> Option<String> {
    let mut text = String::new();
    if let Some(mut errors) = child.stderr.take() {
        let _ = errors.read_to_string(&mut text);
    }
    match child.wait() {
        Ok(status) if status.success() => None,
        Ok(status) => Some(format!("ffmpeg: {status}: {}", text.trim())),
        Err(error) => Some(format!("ffmpeg: {error}")),
    }
}

/// An animated PNG: the first frame as any PNG, the others in chunks that viewers of single pictures pass over.
struct Apng {
    file: BufWriter<File>,
    size: [usize; 2],
    /// Number of the next chunk of the animation.
    sequence: u32,
    /// Time of a frame as a fraction, s.
    delay: [u16; 2],
}

/// Bytes of the signature and of the header chunk, after which the number of frames stands.
const BEFORE_CONTROL: u64 = 8 + 25;

impl Apng {
    fn create(file: BufWriter<File>, size: [usize; 2], rate: f64) -> std::io::Result<Self> {
        // Frames last 1000/r thousandths; whole rates are exact.
        let delay = if rate.fract() == 0.0 {
            [1, rate as u16]
        } else {
            [1000, (rate * 1000.0).round().min(65535.0) as u16]
        };
        Ok(Self { file, size, sequence: 0, delay })
    }

    fn frame(&mut self, rgb: &[u8], number: u64) -> Result<(), String> {
        let whole = image::color_png(self.size, rgb)?;
        self.put(&whole, number).map_err(|error| format!("APNG: {error}"))
    }

    fn put(&mut self, whole: &[u8], number: u64) -> std::io::Result<()> {
        if number == 0 {
            self.file.write_all(&whole[..BEFORE_CONTROL as usize])?;
            self.control(0)?;
        }
        let [width, height] = self.size.map(|side| (side as u32).to_be_bytes());
        let mut head = self.next().to_vec();
        head.extend([width, height, [0; 4], [0; 4]].concat());
        head.extend(self.delay.map(u16::to_be_bytes).concat());
        // Neither disposed of nor blended.
        head.extend([0, 0]);
        chunk(&mut self.file, b"fcTL", &head)?;
        for data in data_chunks(whole) {
            if number == 0 {
                chunk(&mut self.file, b"IDAT", data)?;
            } else {
                let mut numbered = self.next().to_vec();
                numbered.extend(data);
                chunk(&mut self.file, b"fdAT", &numbered)?;
            }
        }
        Ok(())
    }

    fn next(&mut self) -> [u8; 4] {
        self.sequence += 1;
        (self.sequence - 1).to_be_bytes()
    }

    /// The number of frames, played without end.
    fn control(&mut self, frames: u64) -> std::io::Result<()> {
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        chunk(&mut self.file, b"acTL", &[frames.to_be_bytes(), [0; 4]].concat())
    }

    fn finish(mut self, frames: u64) -> std::io::Result<()> {
        if frames > 0 {
            chunk(&mut self.file, b"IEND", &[])?;
            self.file.seek(SeekFrom::Start(BEFORE_CONTROL))?;
            self.control(frames)?;
        }
        self.file.flush()
    }
}

/// The compressed data of a PNG.
fn data_chunks(whole: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = &whole[8.min(whole.len())..];
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        let kind = after.get(..4)?;
        let data = after.get(4..4 + length)?;
        rest = after.get(8 + length..)?;
        Some((kind, data))
    })
    .filter(|(kind, _)| *kind == b"IDAT")
    .map(|(_, data)| data)
}

/// A chunk of a PNG: length, kind, data, checksum of kind and data.
fn chunk(out: &mut impl Write, kind: &[u8; 4], data: &[u8]) -> std::io::Result<()> {
    let mut sum = crc32fast::Hasher::new();
    sum.update(kind);
    sum.update(data);
    out.write_all(&(data.len() as u32).to_be_bytes())?;
    out.write_all(kind)?;
    out.write_all(data)?;
    out.write_all(&sum.finalize().to_be_bytes())
}
