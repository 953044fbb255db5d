//! Entry points: a file or a text to a [`Spec`].

use crate::conversion::ConversionNote;
use crate::include;
use crate::limits::Limits;
use crate::read::urdf::options::UrdfOptions;
use crate::read::{self, Folders};
use crate::report::Report;
use crate::schema::{Context, validate};
use crate::xml::{Tree, parse};
use condyle_base::{Diagnostic, FileError, Files, Location, SourceFile, files};
use condyle_model::Model;
use condyle_spec::{CompileOptions, Spec, compile};
use std::path::Path;
use std::sync::Arc;

/// How a model is loaded.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Read on over what is probably a mistake: several orientations, unknown classes, elements and attributes.
    pub lenient: bool,
    /// Reproduce bugs of MuJoCo that make a model physically wrong, when it is loaded and when it is simulated.
    pub reference_bugs: bool,
    /// Caps against hostile files.
    pub limits: Limits,
    /// Where files come from: given by name, or the disk.
    pub files: Files,
    /// How a URDF is read: where its packages are, and what is made of it beyond what MuJoCo makes.
    pub urdf: UrdfOptions,
}

condyle_base::setters!(LoadOptions {
    lenient: bool,
    reference_bugs: bool,
    limits: Limits,
    files: Files,
    urdf: UrdfOptions,
});

/// A model and what was noticed while it was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Everything that was noticed and is no error.
    pub warnings: Vec<Diagnostic>,
    /// What a URDF lost, changed or left open; empty for MJCF.
    pub notes: Vec<ConversionNote>,
}

/// An editable model and what was noticed while it was loaded.
#[derive(Clone, Debug)]
pub struct LoadedSpec {
    /// The editable model.
    pub spec: Spec,
    /// Everything that was noticed and is no error.
    pub warnings: Vec<Diagnostic>,
    /// What a URDF lost, changed or left open; empty for MJCF.
    pub notes: Vec<ConversionNote>,
}

/// What was read: as much of the spec as could be made out, and every problem on the way.
#[derive(Debug)]
pub struct Reading {
    spec: Option<Spec>,
    report: Report,
}

impl Reading {
    /// What a URDF lost, changed or left open, in the order of the text.
    pub fn notes(&self) -> &[ConversionNote] {
        &self.report.notes
    }

    /// The spec, if there were no errors; else every problem.
    pub fn into_spec(mut self) -> Result<LoadedSpec, Vec<Diagnostic>> {
        let failed = self.report.has_errors();
        let notes = std::mem::take(&mut self.report.notes);
        match self.spec {
            Some(spec) if !failed => Ok(LoadedSpec { spec, warnings: self.report.into_vec(), notes }),
            _ => Err(self.report.into_vec()),
        }
    }

    /// The compiled model. After errors in the text the compiler still looks at the rest, so that independent problems are
    /// reported together.
    pub fn compile(mut self, options: &LoadOptions) -> Result<Loaded, Vec<Diagnostic>> {
        let settings = CompileOptions::default().reference_bugs(options.reference_bugs);
        let Some(spec) = self.spec else { return Err(self.report.into_vec()) };
        if self.report.has_errors() {
            if self.report.incomplete {
                // Whatever the compiler misses may be in the part that could not be read.
                return Err(self.report.into_vec());
            }
            let suspects = std::mem::take(&mut self.report.suspects);
            let found = condyle_spec::compile::check(&spec, &options.files, &settings);
            let news = found.into_iter().filter(|problem| problem.is_error() && suspects.is_news(problem));
            let news = self.report.with_places_tried(news.collect());
            self.report.extend(news);
            return Err(self.report.into_vec());
        }
        match compile(&spec, &options.files, &settings) {
            Ok(compiled) => {
                self.report.extend(compiled.warnings);
                let notes = std::mem::take(&mut self.report.notes);
                Ok(Loaded { model: compiled.model, warnings: self.report.into_vec(), notes })
            }
            Err(problems) => {
                let problems = self.report.with_places_tried(problems);
                self.report.extend(problems);
                Err(self.report.into_vec())
            }
        }
    }
}

/// Reads a model file.
pub fn read_path(path: impl AsRef<Path>, options: &LoadOptions) -> Reading {
    let mut report = Report::new(options.limits.diagnostics);
    let spec = path_to_spec(&path.as_ref().to_string_lossy(), options, 0, &mut report);
    Reading { spec, report }
}

/// Reads a model from bytes with a name for messages.
pub fn read_bytes(name: &str, bytes: &[u8], options: &LoadOptions) -> Reading {
    let mut report = Report::new(options.limits.diagnostics);
    let source = SourceFile::new(name, bytes);
    let spec = source_to_spec(&source, "", "", options, 0, &mut report);
    Reading { spec, report }
}

/// A spec with the warnings about it, or all problems when there were errors.
type SpecAndWarnings = Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Loads a model file.
pub fn load_path(path: impl AsRef<Path>, options: &LoadOptions) -> SpecAndWarnings {
    read_path(path, options).into_spec().map(|loaded| (loaded.spec, loaded.warnings))
}

/// Loads a model from a text. Its files are looked for in the current folder.
pub fn load_str(text: &str, options: &LoadOptions) -> SpecAndWarnings {
    load_bytes("<string>", text.as_bytes(), options)
}

/// Loads a model from bytes with a name for messages.
pub fn load_bytes(name: &str, bytes: &[u8], options: &LoadOptions) -> SpecAndWarnings {
    read_bytes(name, bytes, options).into_spec().map(|loaded| (loaded.spec, loaded.warnings))
}

/// Reads a file and everything it includes.
pub(crate) fn path_to_spec(
    path: &str,
    options: &LoadOptions,
    depth: usize,
    report: &mut Report,
) -> Option<Spec> {
    let bytes = match options.files.read(path, options.limits.file_bytes) {
        Ok(bytes) if bytes.is_empty() => {
            let problem = Diagnostic::error("E0002", format!("'{path}' is empty"))
                .help("a model file holds one <mujoco> or <robot> element; was the file saved or downloaded completely?");
            report.push(start_of(path, problem));
            return None;
        }
        Ok(bytes) if files::is_lfs_pointer(&bytes) => {
            let message = format!("'{path}' is a git-LFS pointer, not the model itself");
            report.push(start_of(path, Diagnostic::error("E0002", message).help(files::LFS_HELP)));
            return None;
        }
        Ok(bytes) => bytes,
        Err(error) => {
            let help = match error {
                FileError::NotFound => "check the spelling of the path and the current folder",
                FileError::TooLarge => {
                    "raise the limit in the load options if the file is meant to be this large"
                }
                FileError::Folder => "name the model file inside it",
                FileError::System(_) => "check the file and its permissions",
            };
            let diagnostic = Diagnostic::error("E0001", format!("cannot read '{path}': {error}")).help(help);
            report.push(start_of(path, diagnostic));
            return None;
        }
    };
    let source = SourceFile::new(path, &*bytes);
    // Files named relative to an included file are stored with their folder, so that folder must not depend on where the
    // path of the main file starts.
    let folder = files::folder(&files::reduce(path)).to_owned();
    let folder = if files::is_absolute(&folder) || options.files.names().next().is_some() {
        folder
    } else {
        std::path::absolute(Path::new(if folder.is_empty() { "." } else { &folder }))
            .map(|absolute| format!("{}/", absolute.to_string_lossy().trim_end_matches('/')))
            .unwrap_or(folder)
    };
    source_to_spec(&source, &folder, path, options, depth, report)
}

/// A problem with a file as a whole.
fn start_of(path: &str, diagnostic: Diagnostic) -> Diagnostic {
    let source = SourceFile::new(path, Vec::new());
    diagnostic.at(Some(&Location { source, start: 0, end: 0, line: 1 }))
}

/// Where a text first uses xacro, a language from which URDF is made: its elements, or expressions in values.
fn xacro(tree: &Tree) -> Option<Location> {
    (0..tree.len()).map(|node| tree.get(node)).find_map(|element| {
        let expression = element
            .attributes
            .iter()
            .find(|attribute| attribute.value.contains("${") || attribute.value.contains("$(arg"));
        match expression {
            _ if element.name.starts_with("xacro:") => Some(element.location()),
            Some(attribute) => Some(element.value_location(attribute)),
            None => None,
        }
    })
}

fn source_to_spec(
    source: &Arc<SourceFile>,
    folder: &str,
    main_file: &str,
    options: &LoadOptions,
    depth: usize,
    report: &mut Report,
) -> Option<Spec> {
    let mut tree = Tree::default();
    let root = parse(&mut tree, source, 0, &options.limits, report)?;
    let name = tree.get(root).name.to_lowercase();
    let spec = match name.as_str() {
        "mujoco" => {
            let mut folders = Folders { model: folder.to_owned(), ..Folders::default() };
            include::expand(&mut tree, root, main_file, &mut folders, options, report);
            if &*tree.get(root).name != "mujoco" {
                let element = tree.get(root);
                report.push(
                    Diagnostic::error("E0205", format!("the root element is <{}>", element.name))
                        .at(Some(&element.location()))
                        .help("element names are case-sensitive: <mujoco>"),
                );
            }
            validate(root, &mut Context { tree: &tree, report, lenient: options.lenient });
            Some(read::read(&tree, root, folders, options, depth, report))
        }
        "robot" => {
            let folders = Folders { model: folder.to_owned(), ..Folders::default() };
            let spec = read::urdf::read(&tree, root, folders, options, report);
            match xacro(&tree) {
                None => Some(spec),
                Some(place) if report.has_errors() => {
                    report.replace_errors(
                        Diagnostic::error("E0609", "this is a xacro file; generate a URDF from it first")
                            .at(Some(&place))
                            .help("run 'xacro FILE -o robot.urdf' (ROS, or 'pip install xacro') and load the result"),
                    );
                    None
                }
                Some(place) => {
                    report.push(
                        Diagnostic::warning("W0607", "this looks like a xacro file; what xacro would expand is ignored")
                            .at(Some(&place))
                            .help("run 'xacro FILE -o robot.urdf' (ROS, or 'pip install xacro') and load the result"),
                    );
                    Some(spec)
                }
            }
        }
        _ => {
            let element = tree.get(root);
            report.push(
                Diagnostic::error("E0205", format!("the root element cannot be <{}>", element.name))
                    .at(Some(&element.location()))
                    .help("the root element is <mujoco> for MJCF and <robot> for URDF"),
            );
            None
        }
    };
    if report.incomplete {
        report.forget_errors("E0461");
    }
    if report.has_errors() {
        let mut suspects = std::mem::take(&mut report.suspects);
        suspects.note(&tree, report);
        report.suspects = suspects;
    }
    spec
}
