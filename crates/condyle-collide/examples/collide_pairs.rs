//! Contacts of many pairs: a filter from binary records to binary records, for comparing with another engine.
//!
//! The argument names the pair (`box_box`). Standard input is records of 31 little-endian f64: margin, then size (3), position (3) and
//! rotation (9) of the first and of the second shape. For each record the output has the number of contacts, then 13 numbers per
//! contact: distance, position, completed frame.

use std::io::{self, BufReader, BufWriter, Read, Write};

use condyle_collide::pair::*;
use condyle_collide::{ContactBuffer, Pose, Size};
use condyle_math::spatial::make_frame;

type Collide = fn(&Size, &Pose, &Size, &Pose, f64, &mut ContactBuffer) -> usize;

fn function(name: &str) -> Option<Collide> {
    Some(match name {
        "plane_sphere" => plane_sphere::collide,
        "plane_capsule" => plane_capsule::collide,
        "plane_cylinder" => plane_cylinder::collide,
        "plane_box" => plane_box::collide,
        "sphere_sphere" => sphere_sphere::collide,
        "sphere_capsule" => sphere_capsule::collide,
        "sphere_cylinder" => sphere_cylinder::collide,
        "sphere_box" => sphere_box::collide,
        "capsule_capsule" => capsule_capsule::collide,
        "capsule_box" => capsule_box::collide,
        "box_box" => box_box::collide,
        _ => return None,
    })
}

fn pose(numbers: &[f64]) -> Pose {
    Pose { position: std::array::from_fn(|i| numbers[i]), rotation: std::array::from_fn(|i| numbers[3 + i]) }
}

fn main() -> io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(collide) = function(&name) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "unknown pair"));
    };
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut bytes = [0u8; 31 * 8];
    let mut contacts = ContactBuffer::new();
    while input.read_exact(&mut bytes).is_ok() {
        let record: [f64; 31] =
            std::array::from_fn(|i| f64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * i + byte])));
        contacts.clear();
        let (size1, size2) = ([record[1], record[2], record[3]], [record[16], record[17], record[18]]);
        collide(&size1, &pose(&record[4..16]), &size2, &pose(&record[19..31]), record[0], &mut contacts);
        output.write_all(&(contacts.len() as f64).to_le_bytes())?;
        for contact in contacts.as_slice() {
            let frame = make_frame(&contact.frame).unwrap_or([f64::NAN; 9]);
            for value in [contact.distance].into_iter().chain(contact.position).chain(frame) {
                output.write_all(&value.to_le_bytes())?;
            }
        }
    }
    output.flush()
}
