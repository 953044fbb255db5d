"""Which compiled module is loaded on which processor."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys

import pytest

import condyle
from condyle import _processor

FILE = pathlib.Path(condyle._condyle.__file__)
AVX2 = condyle._condyle._compiled_for.endswith("AVX2")
NEEDS, FREE = _processor._NEEDS_AVX2, b"condyle was compiled for every processor"

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64" or not AVX2, reason="the module here was not built for AVX2")


def loaded(path, **environment):
    """What a fresh process that finds the package in `path` loads, or the last line of its error."""
    program = (
        "import condyle, condyle._condyle, os, pickle; model = condyle.MjModel.from_xml_string('<mujoco/>'); "
        "assert condyle.MjModel.__module__ == 'condyle' and type(pickle.loads(pickle.dumps(model))) is condyle.MjModel; "
        "print(os.path.basename(condyle._condyle.__file__), condyle._condyle.__name__)"
    )
    variables = {**os.environ, "PYTHONPATH": str(path), **environment}
    done = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True)
    return (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()[-1]


@pytest.fixture
def package(tmp_path):
    """The package as in a wheel: with a module for every processor and one for AVX2. Here both are the same but for what they say."""
    folder = tmp_path / "condyle"
    shutil.copytree(FILE.parent, folder, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    base, wide = folder / FILE.name, folder / FILE.name.replace("_condyle", "_condyle_avx2")
    shutil.copy(FILE, wide)
    base.write_bytes(FILE.read_bytes().replace(NEEDS, FREE.ljust(len(NEEDS))))
    return base, wide


def test_a_module_says_how_it_was_compiled():
    assert _processor.needs_avx2(FILE) == AVX2
    assert condyle._condyle._compiled_for.encode() == (NEEDS if AVX2 else FREE)


def test_processors_with_avx_load_the_module_for_them(package):
    base, wide = package
    expected = wide if _processor.has_avx2() else base
    assert loaded(base.parents[1]) == f"{expected.name} condyle._condyle"


def test_other_processors_load_the_module_for_all(package):
    base, _ = package
    assert loaded(base.parents[1], CONDYLE_AVX2="0") == f"{base.name} condyle._condyle"


def test_a_module_alone_is_loaded_where_it_runs(package):
    base, wide = package
    wide.unlink()
    assert loaded(base.parents[1]) == f"{base.name} condyle._condyle"
    assert loaded(base.parents[1], CONDYLE_AVX2="0") == f"{base.name} condyle._condyle"
    base.write_bytes(base.read_bytes().replace(FREE.ljust(len(NEEDS)), NEEDS))
    assert "needs a processor with AVX2" in loaded(base.parents[1], CONDYLE_AVX2="0")
