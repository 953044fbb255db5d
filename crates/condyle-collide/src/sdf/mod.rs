//! Signed distance functions and the contact search on them.
