//! The tour of the library in a crate that depends on `condyle` alone.

#[path = "../../../examples/workshop.rs"]
mod workshop;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in workshop::run()? {
        println!("{line}");
    }
    Ok(())
}
