//! A tree of elements with the position of every element and attribute, and the parser that builds it.
//!
//! The parser accepts exactly the texts that the reference's XML library accepts, including some that are not well-formed
//! (those get a warning), and goes on after an error so that independent errors are reported together.
//!
//! Elements live in one arena and refer to each other by index: no recursion is needed to build, walk or drop a tree, so the
//! nesting of a file cannot exhaust the stack.

mod attributes;
mod parser;
mod text;

use condyle_base::number::{Number, NumberError, Numbers, parse_vector};
use condyle_base::{Location, SourceFile};
use std::cell::RefCell;
use std::sync::Arc;

pub use parser::parse;

/// Index of an element in its [`Tree`].
pub type NodeId = usize;

/// One attribute, decoded.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Name as written.
    pub name: Box<str>,
    /// Value with entities and line ends resolved.
    pub value: Box<str>,
    name_span: (u32, u32),
    value_span: (u32, u32),
    line: u32,
    value_line: u32,
    /// Numbers of the value that were checked and not read yet, so that a text is turned into numbers once.
    checked: RefCell<Option<Numbers>>,
}

impl Attribute {
    /// The numbers of the value.
    pub(crate) fn numbers<T: Number>(&self) -> Result<Vec<T>, NumberError> {
        match self.checked.take().map(T::of_list) {
            Some(Ok(values)) => Ok(values),
            Some(Err(others)) => {
                self.checked.replace(Some(others));
                parse_vector(&self.value)
            }
            None => parse_vector(&self.value),
        }
    }

    /// Keeps the numbers of the value for whoever reads them.
    pub(crate) fn keep<T: Number>(&self, values: Vec<T>) {
        self.checked.replace(Some(T::list(values)));
    }
}

/// One element.
#[derive(Clone, Debug)]
pub struct Element {
    /// Name as written.
    pub name: Box<str>,
    /// Attributes in the order of the text; names are unique.
    pub attributes: Vec<Attribute>,
    /// Child elements in the order of the text.
    pub children: Vec<NodeId>,
    /// Whether anything at all stands between the start and the end tag: elements, text or comments.
    pub has_content: bool,
    /// Text of the first child, if that child is a comment.
    pub leading_comment: Option<Box<str>>,
    /// The text this element was read from.
    pub source: Arc<SourceFile>,
    span: (u32, u32),
    line: u32,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.find(name).map(|attribute| &*attribute.value)
    }

    /// An attribute with its positions.
    pub fn find(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| &*attribute.name == name)
    }

    /// The opening of the start tag.
    pub fn location(&self) -> Location {
        Location { source: Arc::clone(&self.source), start: self.span.0, end: self.span.1, line: self.line }
    }

    /// The name of an attribute.
    pub fn name_location(&self, attribute: &Attribute) -> Location {
        let (start, end) = attribute.name_span;
        Location { source: Arc::clone(&self.source), start, end, line: attribute.line }
    }

    /// The value of an attribute, between the quotes; the quotes themselves when it is empty.
    pub fn value_location(&self, attribute: &Attribute) -> Location {
        let (mut start, mut end) = attribute.value_span;
        if start == end {
            start = start.saturating_sub(1);
            end += 1;
        }
        Location { source: Arc::clone(&self.source), start, end, line: attribute.value_line }
    }

    /// The value of the named attribute, or the element itself when it has no such attribute.
    pub fn location_of(&self, name: &str) -> Location {
        match self.find(name) {
            Some(attribute) => self.value_location(attribute),
            None => self.location(),
        }
    }
}

/// All elements of one model, from all its files.
#[derive(Debug, Default)]
pub struct Tree {
    elements: Vec<Element>,
}

impl Tree {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element with this index. Indices come from this tree, so they are in range.
    pub fn get(&self, id: NodeId) -> &Element {
        &self.elements[id]
    }

    /// The element with this index, for changing its children.
    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut Element {
        &mut self.elements[id]
    }

    fn push(&mut self, element: Element) -> NodeId {
        self.elements.push(element);
        self.elements.len() - 1
    }

    /// The children of an element.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Element)> {
        self.get(id).children.iter().map(|&child| (child, self.get(child)))
    }

    /// The children of an element that have the given name.
    pub fn children_named<'a>(
        &'a self,
        id: NodeId,
        name: &'a str,
    ) -> impl Iterator<Item = (NodeId, &'a Element)> {
        self.children(id).filter(move |(_, child)| &*child.name == name)
    }

    /// The first child with the given name.
    pub fn child(&self, id: NodeId, name: &str) -> Option<(NodeId, &Element)> {
        self.children(id).find(|(_, child)| &*child.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checked_numbers_are_read_once_and_then_from_the_text() {
        let attribute = Attribute {
            name: "size".into(),
            value: "1 2".into(),
            name_span: (0, 0),
            value_span: (0, 0),
            line: 1,
            value_line: 1,
            checked: RefCell::default(),
        };
        attribute.keep(vec![3.0_f64]);
        assert_eq!(attribute.numbers::<i32>(), Ok(vec![1, 2]), "numbers of another kind are not these");
        assert_eq!(attribute.numbers::<f64>(), Ok(vec![3.0]));
        assert_eq!(attribute.numbers::<f64>(), Ok(vec![1.0, 2.0]));
    }
}
