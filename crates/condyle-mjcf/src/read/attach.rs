//! Parts of a model that are made from other parts: `<replicate>`, `<attach>` and `<asset><model>`.

use super::Reader;
use super::attributes::Attributes;
use crate::load::path_to_spec;
use crate::report::Report;
use crate::xml::{Element, NodeId};
use condyle_model::diagnostic::did_you_mean;
use condyle_model::{Diagnostic, files};
use condyle_spec::{Body, DefaultClass, Frame, Id};

/// A `<replicate>` whose content is being read.
pub(super) struct Replicate {
    subtree: Id<Body>,
    frame: Id<Frame>,
}

impl Replicate {
    /// The body and frame the content goes to.
    pub(super) fn place(&self) -> (Id<Body>, Id<Frame>) {
        (self.subtree, self.frame)
    }
}

impl Reader<'_> {
    pub(super) fn start_replicate(
        &mut self,
        element: &Element,
        _body: Id<Body>,
        _frame: Option<Id<Frame>>,
        _class: Id<DefaultClass>,
    ) -> Option<Replicate> {
        self.error_at(
            Diagnostic::error("E0901", "<replicate> is not supported yet"),
            &element.location(),
            "write the copies one by one",
        );
        None
    }

    pub(super) fn finish_replicate(&mut self, _replicate: Replicate) {}

    pub(super) fn attach(&mut self, element: &Element, _body: Id<Body>, _frame: Option<Id<Frame>>) {
        self.require(element, "model");
        self.require(element, "prefix");
        let name = element.attribute("model").unwrap_or_default();
        if !self.models.iter().any(|(known, _)| known == name) {
            let help = match did_you_mean(name, self.models.iter().map(|(known, _)| known.as_str())) {
                Some(close) => format!("did you mean '{close}'?"),
                None => "declare it with <model name=\"…\" file=\"…\"/> inside <asset>".to_owned(),
            };
            self.error_at(
                Diagnostic::error("E0467", format!("there is no model '{name}'")),
                &element.location_of("model"),
                help,
            );
            return;
        }
        self.error_at(
            Diagnostic::error("E0901", "<attach> is not supported yet"),
            &element.location(),
            "use <include> instead",
        );
    }

    /// `<asset><model>`: loads another file to attach parts of.
    pub(super) fn model(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        if !self.require(element, "file") {
            return;
        }
        let location = element.location_of("file");
        if self.model_depth >= self.options.limits.model_depth {
            self.error_at(
                Diagnostic::error("E0008", "models are loaded inside one another too deeply"),
                &location,
                "does a model load itself?",
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
        if let Some(mut child) = child {
            Attributes(element).set_text("name", &mut child.modelname);
            self.models.push((child.modelname.clone(), child));
        }
    }
}
