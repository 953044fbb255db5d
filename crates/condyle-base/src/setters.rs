//! Options that grow without breaking the programs that set them.

/// Methods that set the fields of an option struct one by one, to be chained after `default()`: a struct that is `#[non_exhaustive]`
/// cannot be written as a literal outside its crate.
#[macro_export]
macro_rules! setters {
    ($options:ty { $($field:ident: $kind:ty),+ $(,)? }) => {
        impl $options {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: $kind) -> Self {
                    self.$field = $field;
                    self
                }
            )+
        }
    };
}
