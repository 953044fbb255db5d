//! One command for everything continuous integration does.

fn main() {}
