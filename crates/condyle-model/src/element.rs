//! What an array of the model or of the data is made of: scalars and fixed-width rows of scalars.

/// Scalar type of an array, as other languages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DType {
    /// 64-bit floating point.
    F64,
    /// 32-bit floating point.
    F32,
    /// 32-bit signed integer.
    I32,
    /// 64-bit signed integer.
    I64,
    /// Byte; also flags, 0 or 1.
    U8,
}

impl DType {
    /// Bytes of one scalar.
    pub const fn size(self) -> usize {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::U8 => 1,
        }
    }

    /// The name numpy gives the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F64 => "float64",
            Self::F32 => "float32",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::U8 => "uint8",
        }
    }
}

/// A borrowed array of any scalar type, rows flattened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// An array of [`DType::F64`].
    F64(&'a [f64]),
    /// An array of [`DType::F32`].
    F32(&'a [f32]),
    /// An array of [`DType::I32`].
    I32(&'a [i32]),
    /// An array of [`DType::I64`].
    I64(&'a [i64]),
    /// An array of [`DType::U8`].
    U8(&'a [u8]),
}

/// Number of scalars in an array of any type.
macro_rules! length {
    ($array:expr) => {
        match $array {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    };
}

impl Values<'_> {
    /// Number of scalars.
    pub const fn len(&self) -> usize {
        length!(self)
    }

    /// Whether there is no scalar.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A mutably borrowed array of any scalar type, rows flattened.
#[derive(Debug)]
pub enum ValuesMut<'a> {
    /// An array of [`DType::F64`].
    F64(&'a mut [f64]),
    /// An array of [`DType::F32`].
    F32(&'a mut [f32]),
    /// An array of [`DType::I32`].
    I32(&'a mut [i32]),
    /// An array of [`DType::I64`].
    I64(&'a mut [i64]),
    /// An array of [`DType::U8`].
    U8(&'a mut [u8]),
}

impl ValuesMut<'_> {
    /// Number of scalars.
    pub const fn len(&self) -> usize {
        length!(self)
    }

    /// Whether there is no scalar.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A number that can stand in an array.
pub trait Scalar: Copy + Default + PartialEq + Send + Sync + 'static {
    /// How other languages name this type.
    const DTYPE: DType;
    /// Decode from exactly [`DType::size`] little-endian bytes; shorter input decodes as zero.
    fn decode_le(bytes: &[u8]) -> Self;
    /// Append the little-endian bytes.
    fn push_le(self, out: &mut Vec<u8>);
    /// The slice as an array of any type.
    fn values(slice: &[Self]) -> Values<'_>;
    /// The slice as a writable array of any type.
    fn values_mut(slice: &mut [Self]) -> ValuesMut<'_>;
}

macro_rules! scalar {
    ($($type:ty => $variant:ident),*) => {$(
        impl Scalar for $type {
            const DTYPE: DType = DType::$variant;
            fn decode_le(bytes: &[u8]) -> Self {
                bytes.try_into().map(Self::from_le_bytes).unwrap_or_default()
            }
            fn push_le(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn values(slice: &[Self]) -> Values<'_> {
                Values::$variant(slice)
            }
            fn values_mut(slice: &mut [Self]) -> ValuesMut<'_> {
                ValuesMut::$variant(slice)
            }
        }
        impl Element for $type {
            type Scalar = $type;
            const WIDTH: usize = 1;
            const ZERO: Self = 0 as $type;
            fn flatten(rows: &[Self]) -> &[$type] {
                rows
            }
            fn flatten_mut(rows: &mut [Self]) -> &mut [$type] {
                rows
            }
        }
        impl<const N: usize> Element for [$type; N] {
            type Scalar = $type;
            const WIDTH: usize = N;
            const ZERO: Self = [0 as $type; N];
            fn flatten(rows: &[Self]) -> &[$type] {
                rows.as_flattened()
            }
            fn flatten_mut(rows: &mut [Self]) -> &mut [$type] {
                rows.as_flattened_mut()
            }
        }
    )*};
}

/// One entry of an array: a scalar, or a row of `WIDTH` scalars.
pub trait Element: Copy + PartialEq + Send + Sync + 'static {
    /// What a row consists of.
    type Scalar: Scalar;
    /// Scalars per row.
    const WIDTH: usize;
    /// A row of zeros.
    const ZERO: Self;
    /// All scalars of all rows, in order.
    fn flatten(rows: &[Self]) -> &[Self::Scalar];
    /// All scalars of all rows, in order, to be written.
    fn flatten_mut(rows: &mut [Self]) -> &mut [Self::Scalar];
}

scalar!(f64 => F64, f32 => F32, i32 => I32, i64 => I64, u8 => U8);

/// How one array is declared: its name, scalar type, dimensions by size name, row width and meaning.
#[derive(Clone, Copy, Debug)]
pub struct ArrayInfo {
    /// Name of the field, as in MuJoCo.
    pub name: &'static str,
    /// Type of one scalar.
    pub dtype: DType,
    /// Names of the sizes that count the rows, outermost first.
    pub dims: &'static [&'static str],
    /// Scalars per row.
    pub width: usize,
    /// Meaning, with unit and frame.
    pub doc: &'static str,
}
