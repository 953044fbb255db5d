//! The elements and attributes of MJCF, as a table.

pub use condyle_mjcf::schema::{
    AttributeRow, Count, ElementRow, Form, Keywords, Schema, form_in_words, keywords, newer,
};
