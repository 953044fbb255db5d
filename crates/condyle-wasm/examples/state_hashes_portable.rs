//! As `state_hashes`, but with the math functions that the engine has in JavaScript: the definitions here take the place of those of the
//! platform's library. Equal fingerprints show that nothing else differs.

#[path = "state_hashes.rs"]
mod state_hashes;

macro_rules! portable {
    ($($name:ident($($argument:ident),+);)*) => {
        $(#[unsafe(no_mangle)]
        extern "C" fn $name($($argument: f64),+) -> f64 {
            libm::$name($($argument),+)
        })*
    };
}

portable! {
    sin(x);
    cos(x);
    tan(x);
    asin(x);
    acos(x);
    atan(x);
    atan2(y, x);
    exp(x);
    expm1(x);
    log(x);
    log1p(x);
    pow(x, y);
    sinh(x);
    cosh(x);
    tanh(x);
    cbrt(x);
    hypot(x, y);
}

/// Compilers put a sine and a cosine of one number together.
///
/// # Safety
/// Both places can be written to.
#[unsafe(no_mangle)]
unsafe extern "C" fn sincos(x: f64, sine: *mut f64, cosine: *mut f64) {
    // SAFETY: as the caller says.
    unsafe {
        *sine = libm::sin(x);
        *cosine = libm::cos(x);
    }
}

fn main() {
    state_hashes::main();
}
