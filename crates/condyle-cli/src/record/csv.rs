//! Comma-separated values: a line of column names, then a line per row.

use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

use super::{Block, Sink};

pub(super) struct Csv {
    file: BufWriter<File>,
    line: Vec<u8>,
}

impl Csv {
    pub(super) fn create(path: &Path, blocks: &[Block]) -> Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(b"time")?;
        for channel in blocks.iter().flat_map(|block| &block.channels) {
            write!(file, ",{}", quoted(&channel.name()))?;
        }
        file.write_all(b"\n")?;
        file.flush()?;
        Ok(Self { file, line: Vec::new() })
    }
}

/// A field, in quotes where it has to be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Sink for Csv {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<()> {
        self.line.clear();
        write!(self.line, "{time}")?;
        for value in values {
            write!(self.line, ",{value}")?;
        }
        self.line.push(b'\n');
        self.file.write_all(&self.line)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }

    fn finish(&mut self) -> Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_with_separators_are_quoted() {
        assert_eq!(quoted("qpos:a"), "qpos:a");
        assert_eq!(quoted("qpos:a,\"b\""), "\"qpos:a,\"\"b\"\"\"");
    }
}
