//! Parts of a model that are made from other parts: `<replicate>`, `<attach>` and `<asset><model>`.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::{Element, NodeId};
use condyle_model::Diagnostic;
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
        self.error_at(
            Diagnostic::error("E0901", "<attach> is not supported yet"),
            &element.location(),
            "use <include> instead",
        );
    }

    pub(super) fn model(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let _ = Attributes(element);
        self.error_at(
            Diagnostic::error("E0901", "<model> is not supported yet"),
            &element.location(),
            "use <include> instead",
        );
    }
}
