//! A place in the model for what others work out from it once and read in every step.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Holds one value made from the model, of a type that only its maker knows. It is no part of the model's content: models compare
/// equal whatever it holds, and a copy of a model shares it. Its maker checks the [revisions](crate::Column::revision) of the arrays
/// it was made from.
#[derive(Clone, Default)]
pub struct Prepared(OnceLock<Arc<dyn Any + Send + Sync>>);

impl Prepared {
    /// The value, made now if this is the first time.
    pub fn get_or_make<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.0.get_or_init(|| Arc::new(make())).downcast_ref()
    }

    /// The value if it was made.
    #[inline]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.get()?.downcast_ref()
    }

    /// Forget the value, so that it is made anew from the edited model.
    pub fn forget(&mut self) {
        self.0 = OnceLock::new();
    }
}

impl PartialEq for Prepared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.get().is_some() { "Prepared" } else { "Prepared (empty)" })
    }
}
