//! The tour of the library, and what is needed less often, in a crate that depends on `condyle` alone.

mod parts;
#[path = "../../../examples/workshop.rs"]
mod workshop;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in workshop::run()?.into_iter().chain(parts::run()?) {
        println!("{line}");
    }
    Ok(())
}
