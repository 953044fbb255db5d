//! What the page asks for: a line of words, a verb and its arguments (`ctrl 3 0.25`).
//!
//! Messages come from outside. A line is read completely or refused with a reason; numbers are finite, and whether an element exists
//! is checked where the command is carried out.

use crate::channel::Channel;

/// Most bytes of a command.
pub(crate) const MOST_BYTES: usize = 4096;

/// Kinds of elements with groups that can be shown or hidden.
pub(crate) const GROUPS: [&str; 7] = ["geom", "site", "joint", "tendon", "actuator", "flex", "skin"];

/// Parts of a model that are sent once, on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssetKind {
    /// Twice the mesh, plus one for its hull.
    Mesh = 0,
    HeightField = 1,
    Texture = 2,
    /// Faces and texture coordinates of a skin.
    Skin = 3,
}

/// A command of one page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// So many frames more may be sent.
    More(usize),
    Play,
    Pause,
    /// Steps forward, or snapshots back.
    Step(i32),
    Speed(f64),
    Reset,
    Keyframe(usize),
    /// The present state as text of a keyframe.
    Save,
    Control(usize, f64),
    /// Position of a coordinate by its address.
    Position(usize, f64),
    Equality(usize, bool),
    FreeCamera,
    FixedCamera(usize),
    TrackingCamera(usize),
    /// Motion of the mouse that steers the camera: action and shares of the height.
    Steer(i32, f64, f64),
    /// Place in the window from 0 to 1, from the lower left corner, and width by height.
    Select([f64; 2], f64),
    SelectBody(usize),
    Deselect,
    /// Begin to pull (true) or turn the selected body.
    Pull(bool),
    PullMove(i32, f64, f64),
    Release,
    Flag(usize, bool),
    RenderFlag(usize, bool),
    Group(usize, usize, bool),
    Label(i32),
    Frame(i32),
    Plot(u32, Channel),
    Unplot(u32),
    /// Back to a snapshot by its number.
    Rewind(u64),
    Explain(usize, usize),
    /// The fingerprint of the present state.
    Hash,
    Asset(AssetKind, usize),
    /// The contacts as a table.
    Contacts,
    /// A key was pressed, by its GLFW number.
    Key(i32),
    Reload,
}

/// Words of a line that are still to be read.
struct Words<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self, what: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| format!("{what} is missing"))
    }

    fn index(&mut self) -> Result<usize, String> {
        self.parse("a number")
    }

    fn parse<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, String> {
        let word = self.word(what)?;
        word.parse().map_err(|_| format!("'{}' is not {what}", shown(word)))
    }

    fn number(&mut self) -> Result<f64, String> {
        let value: f64 = self.parse("a number")?;
        if value.is_finite() { Ok(value) } else { Err(format!("{value} is not finite")) }
    }

    fn switch(&mut self) -> Result<bool, String> {
        match self.word("0 or 1")? {
            "0" => Ok(false),
            "1" => Ok(true),
            other => Err(format!("'{}' is not 0 or 1", shown(other))),
        }
    }
}

/// The start of a word from outside, for messages.
fn shown(word: &str) -> String {
    word.chars().take(20).collect()
}

impl Command {
    /// Read a line.
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        if line.len() > MOST_BYTES {
            return Err(format!("the command has {} bytes, more than {MOST_BYTES}", line.len()));
        }
        let mut words = Words(line.split_ascii_whitespace());
        let verb = words.word("the command")?;
        let command =
            Self::read(verb, &mut words).map_err(|problem| format!("{}: {problem}", shown(verb)))?;
        match words.0.next() {
            None => Ok(command),
            Some(extra) => Err(format!("{}: '{}' is too much", shown(verb), shown(extra))),
        }
    }

    fn read(verb: &str, words: &mut Words<'_>) -> Result<Self, String> {
        Ok(match verb {
            "more" => Self::More(words.index()?),
            "play" => Self::Play,
            "pause" => Self::Pause,
            "step" => Self::Step(words.parse("a number of steps")?),
            "speed" => Self::Speed(words.number()?),
            "reset" => Self::Reset,
            "keyframe" => Self::Keyframe(words.index()?),
            "save" => Self::Save,
            "ctrl" => Self::Control(words.index()?, words.number()?),
            "qpos" => Self::Position(words.index()?, words.number()?),
            "equality" => Self::Equality(words.index()?, words.switch()?),
            "camera" => match words.word("the kind of camera")? {
                "free" => Self::FreeCamera,
                "fixed" => Self::FixedCamera(words.index()?),
                "track" => Self::TrackingCamera(words.index()?),
                other => return Err(format!("'{}' is not free, fixed or track", shown(other))),
            },
            "steer" => Self::Steer(words.parse("an action")?, words.number()?, words.number()?),
            "select" => Self::Select([words.number()?, words.number()?], words.number()?),
            "selectbody" => Self::SelectBody(words.index()?),
            "deselect" => Self::Deselect,
            "pull" => Self::Pull(words.switch()?),
            "pullmove" => Self::PullMove(words.parse("an action")?, words.number()?, words.number()?),
            "release" => Self::Release,
            "flag" => Self::Flag(words.index()?, words.switch()?),
            "render" => Self::RenderFlag(words.index()?, words.switch()?),
            "group" => {
                let name = words.word("the kind of group")?;
                let kind = GROUPS.iter().position(|group| *group == name);
                let kind = kind.ok_or_else(|| format!("'{}' has no groups", shown(name)))?;
                Self::Group(kind, words.index()?, words.switch()?)
            }
            "label" => Self::Label(words.parse("a kind of label")?),
            "frame" => Self::Frame(words.parse("a kind of frame")?),
            "plot" => {
                let number = words.parse("the number of the plot")?;
                let group = words.word("what is plotted")?;
                let indices =
                    [words.index()?, words.0.next().map_or(Ok(0), str::parse).map_err(|_| "not a number")?];
                Self::Plot(number, Channel::new(group, indices).ok_or("there is no such channel")?)
            }
            "unplot" => Self::Unplot(words.parse("the number of the plot")?),
            "rewind" => Self::Rewind(words.parse("the number of a snapshot")?),
            "explain" => Self::Explain(words.index()?, words.index()?),
            "hash" => Self::Hash,
            "asset" => {
                let kind = match words.word("the kind of asset")? {
                    "mesh" => AssetKind::Mesh,
                    "hfield" => AssetKind::HeightField,
                    "texture" => AssetKind::Texture,
                    "skin" => AssetKind::Skin,
                    other => return Err(format!("'{}' is no kind of asset", shown(other))),
                };
                Self::Asset(kind, words.index()?)
            }
            "contacts" => Self::Contacts,
            "key" => Self::Key(words.parse("the number of a key")?),
            "reload" => Self::Reload,
            _ => return Err("there is no such command".to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_their_arguments() {
        assert_eq!(Command::parse("ctrl 3 0.25"), Ok(Command::Control(3, 0.25)));
        assert_eq!(Command::parse(" step  -2 "), Ok(Command::Step(-2)));
        assert_eq!(Command::parse("group site 4 1"), Ok(Command::Group(1, 4, true)));
        assert_eq!(Command::parse("asset mesh 5"), Ok(Command::Asset(AssetKind::Mesh, 5)));
    }

    #[test]
    fn what_is_no_command_is_refused_with_a_reason() {
        let refused = |line: &str| Command::parse(line).unwrap_err();
        assert!(refused("").contains("missing"));
        assert!(refused("launch 1").contains("no such command"));
        assert!(refused("ctrl 3").contains("missing"));
        assert!(refused("ctrl -1 0").contains("not a number"));
        assert!(refused("ctrl 3 nan").contains("finite"));
        assert!(refused("ctrl 3 inf").contains("finite"));
        assert!(refused("play now").contains("too much"));
        assert!(refused("flag 2 yes").contains("0 or 1"));
        assert!(refused("plot 1 colour 0").contains("channel"));
        assert!(refused(&"x".repeat(MOST_BYTES + 1)).contains("bytes"));
    }
}
