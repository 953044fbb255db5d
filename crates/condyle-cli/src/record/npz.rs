//! A numpy archive: a zip file of uncompressed `.npy` arrays, as `numpy.savez` writes it.
//!
//! Arrays grow row by row, and in an archive one stands behind the other, so each grows in a file of its own, in a folder beside the
//! target. Its header has room for any number of rows and is brought up to date with every flush: what a run that is killed leaves
//! behind can be read with `numpy.load`. At the end the arrays are put into the archive and the folder is removed.
//!
//! | array | holds |
//! |---|---|
//! | `time` | s |
//! | `qpos`, `qvel`, `act`, `ctrl`, `actuator_force`, `sensordata` | a row per step, a column per number |
//! | `qpos_names`, … | what the columns are called |
//! | `qpos_units`, … | their units |

use std::fs::{self, File};
use std::io::{BufWriter, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Block, Sink};

pub(super) struct Npz {
    target: PathBuf,
    folder: PathBuf,
    time: Array,
    arrays: Vec<Array>,
    blocks: Vec<Block>,
    rows: u64,
}

impl Npz {
    pub(super) fn create(path: &Path, blocks: Vec<Block>) -> Result<Self> {
        // The target is made at once, so that a path that cannot be written is noticed before the run.
        drop(File::create(path)?);
        let mut folder = path.as_os_str().to_owned();
        folder.push(".parts");
        let folder = PathBuf::from(folder);
        fs::create_dir_all(&folder)?;
        let array = |name: &str, width| Array::create(folder.join(format!("{name}.npy")), width);
        let time = array("time", None)?;
        let arrays = blocks
            .iter()
            .map(|block| array(block.group.array(), Some(block.channels.len())))
            .collect::<Result<_>>()?;
        Ok(Self { target: path.to_owned(), time, arrays, blocks, rows: 0, folder })
    }
}

impl Sink for Npz {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<()> {
        self.rows += 1;
        self.time.push(&[time])?;
        for (array, block) in self.arrays.iter_mut().zip(&self.blocks) {
            array.push(&values[block.start..block.start + block.channels.len()])?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let rows = self.rows;
        self.time.flush(rows)?;
        self.arrays.iter_mut().try_for_each(|array| array.flush(rows))
    }

    fn finish(&mut self) -> Result<()> {
        self.flush()?;
        let mut archive = Archive::create(&self.target)?;
        archive.add_file("time.npy", &self.time.path)?;
        for (array, block) in self.arrays.iter().zip(&self.blocks) {
            let name = block.group.array();
            archive.add_file(&format!("{name}.npy"), &array.path)?;
            let names: Vec<String> = block.channels.iter().map(super::Channel::short_name).collect();
            let units: Vec<String> = block.channels.iter().map(|channel| channel.unit.to_owned()).collect();
            archive.add(&format!("{name}_names.npy"), &text_array(&names))?;
            archive.add(&format!("{name}_units.npy"), &text_array(&units))?;
        }
        archive.finish()?;
        fs::remove_dir_all(&self.folder)
    }
}

/// An array of numbers in a file of its own.
struct Array {
    path: PathBuf,
    file: BufWriter<File>,
    /// Columns; `None` for a list.
    width: Option<usize>,
}

/// Bytes of the header of a growing array: enough for any number of rows.
const HEADER: usize = 128;

impl Array {
    fn create(path: PathBuf, width: Option<usize>) -> Result<Self> {
        let mut file = BufWriter::new(File::create(&path)?);
        file.write_all(&header("<f8", 0, width))?;
        Ok(Self { path, file, width })
    }

    fn push(&mut self, values: &[f64]) -> Result<()> {
        values.iter().try_for_each(|value| self.file.write_all(&value.to_le_bytes()))
    }

    fn flush(&mut self, rows: u64) -> Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header("<f8", rows, self.width))?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

/// The head of a `.npy` file: magic, version, length, a description padded with spaces, a newline.
fn header(kind: &str, rows: u64, width: Option<usize>) -> Vec<u8> {
    let shape = width.map_or_else(|| format!("({rows},)"), |width| format!("({rows}, {width})"));
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(((HEADER - 10) as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.resize(HEADER - 1, b' ');
    bytes.push(b'\n');
    bytes
}

/// A list of strings as numpy's array of fixed width, four bytes per character.
fn text_array(texts: &[String]) -> Vec<u8> {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let mut bytes = header(&format!("<U{width}"), texts.len() as u64, None);
    for text in texts {
        let characters = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
        bytes.extend(characters.flat_map(u32::to_le_bytes));
    }
    bytes
}

/// A zip file whose members are stored as they are. Sizes beyond 4 GiB have the longer fields of the format.
struct Archive {
    file: BufWriter<File>,
    offset: u64,
    directory: Vec<u8>,
    members: u64,
}

const LONG: u32 = u32::MAX;

impl Archive {
    fn create(path: &Path) -> Result<Self> {
        Ok(Self { file: BufWriter::new(File::create(path)?), offset: 0, directory: Vec::new(), members: 0 })
    }

    fn add_file(&mut self, name: &str, path: &Path) -> Result<()> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut buffer = vec![0; 1 << 20];
        let mut checksum = Checksum::default();
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            checksum.add(&buffer[..count]);
        }
        self.head(name, checksum.value(), size)?;
        file.seek(SeekFrom::Start(0))?;
        self.offset += std::io::copy(&mut file, &mut self.file)?;
        Ok(())
    }

    fn add(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let mut checksum = Checksum::default();
        checksum.add(content);
        self.head(name, checksum.value(), content.len() as u64)?;
        self.file.write_all(content)?;
        self.offset += content.len() as u64;
        Ok(())
    }

    /// The head of a member, and its entry in the directory. Long fields are always there: they cost 32 bytes.
    fn head(&mut self, name: &str, checksum: u32, size: u64) -> Result<()> {
        // Version 4.5 for long fields; flag 11: names are UTF-8; stored; 1980-01-01.
        let mut common = Vec::new();
        for field in [45u16, 1 << 11, 0, 0, 33] {
            common.extend(field.to_le_bytes());
        }
        common.extend(checksum.to_le_bytes());
        common.extend(LONG.to_le_bytes());
        common.extend(LONG.to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());

        let long = |fields: &[u64]| {
            let mut bytes = 1u16.to_le_bytes().to_vec();
            bytes.extend((8 * fields.len() as u16).to_le_bytes());
            fields.iter().for_each(|field| bytes.extend(field.to_le_bytes()));
            bytes
        };
        let local = long(&[size, size]);
        let mut head = b"PK\x03\x04".to_vec();
        head.extend(&common);
        head.extend((local.len() as u16).to_le_bytes());
        head.extend(name.as_bytes());
        head.extend(local);
        self.file.write_all(&head)?;

        let central = long(&[size, size, self.offset]);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(45u16.to_le_bytes());
        self.directory.extend(&common);
        self.directory.extend((central.len() as u16).to_le_bytes());
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(LONG.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.directory.extend(central);
        self.offset += head.len() as u64;
        self.members += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        let (start, length) = (self.offset, self.directory.len() as u64);
        self.file.write_all(&self.directory)?;
        let mut end = b"PK\x06\x06".to_vec();
        end.extend(44u64.to_le_bytes());
        end.extend(45u16.to_le_bytes());
        end.extend(45u16.to_le_bytes());
        end.extend([0; 8]);
        for field in [self.members, self.members, length, start] {
            end.extend(field.to_le_bytes());
        }
        // Where the long record is, then the short one that points to it.
        end.extend(b"PK\x06\x07\x00\x00\x00\x00");
        end.extend((start + length).to_le_bytes());
        end.extend(1u32.to_le_bytes());
        end.extend(b"PK\x05\x06\x00\x00\x00\x00");
        end.extend([0xff; 12]);
        end.extend(0u16.to_le_bytes());
        self.file.write_all(&end)?;
        self.file.flush()
    }
}

/// The checksum of the zip format, built up piece by piece.
struct Checksum {
    value: u32,
    table: [u32; 256],
}

impl Default for Checksum {
    fn default() -> Self {
        let mut table = [0u32; 256];
        for (byte, entry) in table.iter_mut().enumerate() {
            *entry = (0..8).fold(byte as u32, |value, _| {
                if value & 1 == 1 { (value >> 1) ^ 0xEDB8_8320 } else { value >> 1 }
            });
        }
        Self { value: !0, table }
    }
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.value = (self.value >> 8) ^ self.table[usize::from(self.value as u8 ^ byte)];
        }
    }

    fn value(&self) -> u32 {
        !self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_matches_the_published_check_value() {
        let mut checksum = Checksum::default();
        checksum.add(b"12345");
        checksum.add(b"6789");
        assert_eq!(checksum.value(), 0xCBF4_3926);
    }

    #[test]
    fn headers_have_room_for_any_number_of_rows() {
        let bytes = header("<f8", u64::MAX, Some(usize::MAX));
        assert_eq!(bytes.len(), HEADER);
        let text = String::from_utf8_lossy(&bytes[10..]).into_owned();
        assert!(text.trim_end().ends_with("(18446744073709551615, 18446744073709551615), }"), "{text}");
        assert_eq!(bytes.last(), Some(&b'\n'));
    }
}
