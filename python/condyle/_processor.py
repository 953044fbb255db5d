"""Chooses the compiled module for this processor.

A wheel for x86-64 has two of them, which give the same bits: `_condyle`, for every processor, and `_condyle_avx2`, compiled for those
with AVX2. Either goes by the name `condyle._condyle`. Where the package was built from source there is one alone, and it says in its file when it
needs AVX2. `CONDYLE_AVX2=0` in the environment makes this processor pass for one without.
"""

import importlib.machinery
import importlib.util
import os
import platform
import sys

_NAME = "condyle._condyle"
# What stands in the file of a module that was compiled for AVX2; the Rust side has the same words.
_NEEDS_AVX2 = b"condyle was compiled for processors with AVX2"
# What Linux calls the instructions that module has.
_FLAGS = {"avx2", "bmi1", "bmi2", "abm", "movbe", "popcnt"}


def has_avx2():
    """Whether the module compiled for AVX2 runs here. It also has the instructions on bits that came with AVX2."""
    if os.environ.get("CONDYLE_AVX2") == "0" or platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    answers = [answer for answer in (_asked_of_numpy(), _asked_of_linux()) if answer is not None]
    return bool(answers) and all(answers)


def _asked_of_numpy():
    """It does not name the instructions on bits, but processors with the two that it names have them."""
    try:
        from numpy._core._multiarray_umath import __cpu_features__ as features
    except ImportError:
        try:
            from numpy.core._multiarray_umath import __cpu_features__ as features  # type: ignore[no-redef]
        except ImportError:
            return None
    return features["AVX2"] and features["FMA3"] if "AVX2" in features and "FMA3" in features else None


def _asked_of_linux():
    try:
        with open("/proc/cpuinfo") as info:
            flags = next((line for line in info if line.startswith("flags")), "").split()
    except OSError:
        return None
    return _FLAGS <= set(flags)


def choose():
    """Load the module that fits; an ImportError where the only one there is would crash."""
    spec = importlib.util.find_spec(_NAME)
    if _NAME in sys.modules or spec is None or spec.origin is None or platform.machine().lower() not in ("x86_64", "amd64"):
        return
    folder, file = os.path.split(spec.origin)
    wide = os.path.join(folder, file.replace("_condyle", "_condyle_avx2", 1))
    if has_avx2():
        if os.path.exists(wide):
            _load(wide)
    elif needs_avx2(spec.origin):
        raise ImportError(
            "this build of condyle needs a processor with AVX2; the wheels of releases and `pip install` from source run on every processor"
        )


def _load(file):
    loader = importlib.machinery.ExtensionFileLoader(_NAME, file)
    spec = importlib.util.spec_from_file_location(_NAME, file, loader=loader)
    assert spec is not None
    sys.modules[_NAME] = module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)


def needs_avx2(file):
    """Whether the module in a file was compiled for processors with AVX2."""
    with open(file, "rb") as module:
        return _NEEDS_AVX2 in module.read()
