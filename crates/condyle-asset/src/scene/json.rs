//! JSON values.

use crate::error::AssetError;

/// Arrays and objects inside one another.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Object(members) => members.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The elements of an array; none if it is something else.
    pub(super) fn items(&self) -> &[Value] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub(super) fn index(&self) -> Option<usize> {
        self.number()
            .filter(|number| *number >= 0.0 && number.fract() == 0.0 && *number < 1e15)
            .map(|number| number as usize)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// As many numbers as asked for.
    pub(super) fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let numbers: Option<Vec<f64>> = self.items().iter().map(Value::number).collect();
        numbers?.try_into().ok()
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Value, AssetError> {
    let mut parser = Parser { bytes, at: 0 };
    let value = parser.value(0);
    parser.space();
    match value {
        Some(value) if parser.at == bytes.len() => Ok(value),
        _ => Err(AssetError::new("scene-json", "the JSON of the file is damaged")
            .at_byte(parser.at)
            .help("export the file again")),
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        self.space();
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        let found = self.bytes.get(self.at..)?.starts_with(word.as_bytes());
        found.then(|| {
            self.at += word.len();
            value
        })
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.space();
        match self.peek()? {
            b'{' => {
                let mut members = Vec::new();
                self.list(b'{', b'}', |parser| {
                    parser.space();
                    let name = parser.string()?;
                    parser.eat(b':')?;
                    members.push((name, parser.value(depth + 1)?));
                    Some(())
                })?;
                Some(Value::Object(members))
            }
            b'[' => {
                let mut items = Vec::new();
                self.list(b'[', b']', |parser| {
                    items.push(parser.value(depth + 1)?);
                    Some(())
                })?;
                Some(Value::Array(items))
            }
            b'"' => self.string().map(Value::Text),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.numeral(),
        }
    }

    /// Items between two brackets, separated by commas.
    fn list(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.eat(open)?;
        if self.eat(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.eat(b',').is_none() {
                return self.eat(close);
            }
        }
    }

    fn numeral(&mut self) -> Option<Value> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?.parse().ok().map(Value::Number)
    }

    fn string(&mut self) -> Option<String> {
        (self.peek()? == b'"').then(|| self.at += 1)?;
        let mut bytes = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return Some(String::from_utf8_lossy(&bytes).into_owned()),
                b'\\' => {
                    let escaped = self.peek()?;
                    self.at += 1;
                    let c = match escaped {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => {
                            let digits = std::str::from_utf8(self.bytes.get(self.at..self.at + 4)?).ok()?;
                            self.at += 4;
                            char::from_u32(u32::from_str_radix(digits, 16).ok()?).unwrap_or('\u{fffd}')
                        }
                        other => char::from(other),
                    };
                    bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                other => bytes.push(other),
            }
        }
    }
}
