//! Physics engine for articulated bodies with contact.
