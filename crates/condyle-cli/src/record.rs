//! Recording a run: one row per step, written as CSV or as a numpy archive.

use std::fmt::Write as _;
use std::path::Path;

use condyle::{Model, Sim};

/// Column groups of a recording.
pub struct Recording {
    pub times: Vec<f64>,
    columns: [Column; 4],
}

/// One array over time.
struct Column {
    name: &'static str,
    width: usize,
    values: Vec<f64>,
}

impl Recording {
    /// An empty recording of `model` with room for `steps` rows.
    pub fn new(model: &Model, steps: u64) -> Self {
        let rows = usize::try_from(steps).unwrap_or(0).min(1 << 20);
        let column = |name, width: usize| Column {
            name,
            width,
            values: Vec::with_capacity(width.saturating_mul(rows)),
        };
        Self {
            times: Vec::with_capacity(rows),
            columns: [
                column("qpos", model.nq),
                column("qvel", model.nv),
                column("ctrl", model.nu),
                column("sensordata", model.nsensordata),
            ],
        }
    }

    /// Append the present state.
    pub fn push(&mut self, sim: &Sim) {
        let data = &sim.data;
        self.times.push(data.state.time);
        let sources: [&[f64]; 4] =
            [&data.state.qpos, &data.state.qvel, &data.inputs.ctrl, &data.sensors.sensordata];
        for (column, source) in self.columns.iter_mut().zip(sources) {
            column.values.extend_from_slice(source);
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// `qpos[index]` over time.
    pub fn position(&self, index: usize) -> impl Iterator<Item = f64> + '_ {
        let column = &self.columns[0];
        column.values.chunks_exact(column.width.max(1)).map(move |row| row[index])
    }

    /// Write to a file, by its extension.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let bytes = match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => self.csv().into_bytes(),
            Some("npz") => self.npz(),
            _ => return Err(format!("{}: recordings end in .csv or .npz", path.display())),
        };
        std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn csv(&self) -> String {
        let mut text = String::from("time");
        for column in &self.columns {
            for index in 0..column.width {
                let _ = write!(text, ",{}[{index}]", column.name);
            }
        }
        text.push('\n');
        for (row, time) in self.times.iter().enumerate() {
            let _ = write!(text, "{time}");
            for column in &self.columns {
                for value in &column.values[row * column.width..(row + 1) * column.width] {
                    let _ = write!(text, ",{value}");
                }
            }
            text.push('\n');
        }
        text
    }

    /// A zip archive of uncompressed `.npy` arrays, as `numpy.savez` writes it.
    fn npz(&self) -> Vec<u8> {
        let mut archive = Archive::default();
        archive.add("time.npy", &npy(&[self.len()], &self.times));
        for column in &self.columns {
            archive.add(&format!("{}.npy", column.name), &npy(&[self.len(), column.width], &column.values));
        }
        archive.finish()
    }
}

/// An array in numpy's file format.
fn npy(shape: &[usize], values: &[f64]) -> Vec<u8> {
    let dimensions: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({dimensions}), }}");
    // Magic, version and length take 10 bytes; the header ends on a multiple of 64.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// A zip file whose members are stored as they are.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    members: u16,
}

impl Archive {
    fn add(&mut self, name: &str, content: &[u8]) {
        let offset = self.bytes.len() as u32;
        let mut entry = Vec::new();
        // Version, flags, method, time and date (1980-01-01), checksum, sizes, name length, no extra field.
        for field in [20u16, 0, 0, 0, 33] {
            entry.extend(field.to_le_bytes());
        }
        entry.extend(crc32(content).to_le_bytes());
        entry.extend((content.len() as u32).to_le_bytes());
        entry.extend((content.len() as u32).to_le_bytes());
        entry.extend((name.len() as u16).to_le_bytes());
        entry.extend(0u16.to_le_bytes());

        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&entry);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(content);

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(20u16.to_le_bytes());
        self.directory.extend(&entry);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.members += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        let length = self.directory.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
        self.bytes.extend(self.members.to_le_bytes());
        self.bytes.extend(self.members.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend(0u16.to_le_bytes());
        self.bytes
    }
}

/// The checksum of the zip format.
fn crc32(bytes: &[u8]) -> u32 {
    let mut value = !0u32;
    for &byte in bytes {
        value ^= u32::from(byte);
        for _ in 0..8 {
            let carry = value & 1;
            value >>= 1;
            if carry == 1 {
                value ^= 0xEDB8_8320;
            }
        }
    }
    !value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_matches_the_published_check_value() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn array_header_ends_on_a_multiple_of_64() {
        let bytes = npy(&[2, 3], &[0.0; 6]);
        assert_eq!((bytes.len() - 48) % 64, 0);
        assert!(bytes.windows(8).any(|window| window == b"(2, 3, )"));
    }
}
