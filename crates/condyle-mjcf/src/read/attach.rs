//! Parts of a model that are made from other parts: `<replicate>`, `<attach>` and `<asset><model>`.

use super::Reader;
use super::attributes::Attributes;
use crate::load::path_to_spec;
use crate::report::Report;
use crate::xml::{Element, NodeId};
use condyle_base::diagnostic::did_you_mean;
use condyle_base::{Diagnostic, Location, files};
use condyle_spec::attach::{AttachError, Copies, MOST_ELEMENTS, Part, Rename, Target};
use condyle_spec::{Body, DefaultClass, Frame, Id, Info, Spec, find_by_name};

/// A `<replicate>` whose content is being read.
pub(super) struct Replicate {
    /// Body that gets the copies.
    body: Id<Body>,
    /// Body that holds the content until it is copied.
    holder: Id<Body>,
    frame: Id<Frame>,
    count: usize,
    offset: [f64; 3],
    euler: [f64; 3],
    separator: String,
    location: Location,
}

impl Replicate {
    /// The body and frame the content goes to.
    pub(super) fn place(&self) -> (Id<Body>, Id<Frame>) {
        (self.holder, self.frame)
    }
}

/// A model loaded to attach parts of.
pub(super) struct Model {
    name: String,
    spec: Spec,
    /// Where its settings are kept, once something of it is attached.
    origin: Option<u32>,
}

impl Reader<'_> {
    pub(super) fn start_replicate(
        &mut self,
        element: &Element,
        body: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<DefaultClass>,
    ) -> Replicate {
        let a = Attributes(element);
        self.require(element, "count");
        let holder = self.spec.add_body(body);
        let inner = self.spec.add_frame(holder, frame);
        self.spec.frames[inner].info =
            Info { class: Some(class), location: Some(element.location()), ..Info::default() };
        Replicate {
            body,
            holder,
            frame: inner,
            count: usize::try_from(a.number::<i32>("count").unwrap_or(0)).unwrap_or(0),
            offset: a.array("offset").unwrap_or_default(),
            euler: a.array("euler").unwrap_or_default(),
            separator: a.get("sep").unwrap_or_default().to_owned(),
            location: element.location(),
        }
    }

    pub(super) fn finish_replicate(&mut self, replicate: Replicate) {
        let Replicate { body, frame, count, offset, euler, ref separator, .. } = replicate;
        let copies = Copies { count, offset, euler, separator };
        if let Err(error) = self.spec.replicate(body, frame, copies) {
            self.attach_error(&error, &replicate.location);
        }
    }

    fn attach_error(&mut self, error: &AttachError, location: &Location) {
        match error {
            AttachError::TooMany => self.report_at(
                Diagnostic::error("E0009", format!("the model grows beyond {MOST_ELEMENTS} elements here")),
                location,
                "make fewer copies",
            ),
            AttachError::KeySize(size) => {
                let keyframe = match size.key.as_str() {
                    "" => "a keyframe without a name".to_owned(),
                    name => format!("the keyframe '{name}'"),
                };
                let values = if size.expected == 1 { "value" } else { "values" };
                let (needed, what, given) = (size.expected, size.what, size.given);
                let message = format!("{keyframe} needs {needed} {values} in {what} here, but has {given}");
                self.report_at(
                    Diagnostic::error("E0468", message),
                    location,
                    "a keyframe must fit the model as it is before the copies are made; leave it out or shorten it",
                );
            }
            AttachError::Orientation(message) => self.report_at(
                Diagnostic::error("E0469", format!("the rotation of the copies is wrong: {message}")),
                location,
                "check eulerseq in <compiler>",
            ),
        }
    }

    pub(super) fn attach(&mut self, element: &Element, body: Id<Body>, frame: Option<Id<Frame>>) {
        let has_model = self.require(element, "model");
        let has_prefix = self.require(element, "prefix");
        if !has_model || !has_prefix {
            return;
        }
        let a = Attributes(element);
        let (prefix, body_name) = (a.get("prefix").unwrap_or_default(), a.get("body").unwrap_or_default());
        let known = find_by_name(&self.spec.bodies, &format!("{prefix}{body_name}"));
        let frame = frame.unwrap_or_else(|| self.spec.add_frame(body, None));
        if let Some(known) = known {
            // The body was attached before; it only moves into this frame.
            self.spec.bodies[known].frame = Some(frame);
            return;
        }
        let name = a.get("model").unwrap_or_default();
        let Some(index) = self.models.iter().position(|model| model.name == name) else {
            let help = match did_you_mean(name, self.models.iter().map(|model| model.name.as_str())) {
                Some(close) => format!("did you mean '{close}'?"),
                None => "declare it with <model name=\"…\" file=\"…\"/> inside <asset>".to_owned(),
            };
            self.report_at(
                Diagnostic::error("E0467", format!("there is no model '{name}'")),
                &element.location_of("model"),
                help,
            );
            return;
        };
        let model = self.models.swap_remove(index);
        self.attach_from(model, element, body_name, prefix, frame);
    }

    fn attach_from(
        &mut self,
        mut model: Model,
        element: &Element,
        body: &str,
        prefix: &str,
        frame: Id<Frame>,
    ) {
        let origin = *model.origin.get_or_insert_with(|| self.spec.add_origin(&model.spec));
        let rename = Rename { prefix: prefix.to_owned(), suffix: String::new() };
        let part = match body {
            "" => Some(Part::World),
            name => find_by_name(&model.spec.bodies, name).map(Part::Body),
        };
        let result = if let Some(part) = part {
            self.spec.attach(Target::Frame(frame), &model.spec, part, origin, &rename).map(|_| ())
        } else {
            let names: Vec<&str> = model.spec.bodies.values().map(|body| body.info.name.as_str()).collect();
            let help = match did_you_mean(body, names) {
                Some(close) => format!("did you mean '{close}'?"),
                None => "leave 'body' out to attach the whole model".to_owned(),
            };
            self.report_at(
                Diagnostic::error("E0470", format!("the model '{}' has no body '{body}'", model.name)),
                &element.location_of("body"),
                help,
            );
            Ok(())
        };
        if let Err(error) = result {
            self.attach_error(&error, &element.location());
        }
        model.spec.forget_states_of_copies();
        for class in self.spec.classes.iter().map(|(id, class)| (class.name.clone(), id)).collect::<Vec<_>>()
        {
            self.classes.entry(class.0).or_insert(class.1);
        }
        self.models.push(model);
    }

    /// `<asset><model>`: loads another file to attach parts of.
    pub(super) fn model(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        if !self.require(element, "file") {
            return;
        }
        let location = element.location_of("file");
        if self.model_depth >= self.options.limits.model_depth {
            self.report_at(
                Diagnostic::error("E0008", "models are loaded inside one another too deeply"),
                &location,
                "does a model include itself?",
            );
            return;
        }
        let file = self.file(element, "file", "").unwrap_or_default();
        let path = files::join(&self.folders.model, &file);
        let mut report = Report::new(self.options.limits.diagnostics);
        let child = path_to_spec(&path, self.options, self.model_depth + 1, &mut report);
        for diagnostic in report.into_vec() {
            self.report.push(diagnostic.note(format!("in the model loaded at {location}")));
        }
        if let Some(mut spec) = child {
            Attributes(element).set_text("name", &mut spec.modelname);
            self.models.push(Model { name: spec.modelname.clone(), spec, origin: None });
        }
    }
}
