"""Pictures beside MuJoCo's, a sample of `cargo xtask pictures`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "MUJOCO_GL": "egl"}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=600)


needs_egl = pytest.mark.skipif(
    run("-c", "import mujoco; mujoco.GLContext(8, 8).make_current()").returncode != 0,
    reason="MuJoCo cannot draw here: no EGL",
)


@needs_egl
def test_pictures_are_those_of_mujoco(tmp_path: Path) -> None:
    found = run(str(ROOT / "conformance/pictures.py"), "--count", "4", "--page", str(tmp_path / "pictures.html"))
    assert found.returncode == 0, found.stdout + found.stderr
    assert "(0 pixels differ off edges)" in found.stdout
    assert (tmp_path / "pictures.html").stat().st_size > 10_000


LETTERS = """
import mujoco, condyle, numpy as np
text = "<mujoco/>"
context = mujoco.GLContext(8, 8)
context.make_current()
theirs, ours = mujoco.MjModel.from_xml_string(text), condyle.MjModel.from_xml_string(text)
for scale in range(50, 301, 50):
    a, b = mujoco.MjrContext(theirs, scale), condyle.MjrContext(ours, scale)
    for name in ("charWidth", "charWidthBig", "charHeight", "charHeightBig"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), (scale, name)
print("same")
"""


@needs_egl
def test_letters_are_our_own_with_the_widths_and_heights_of_mujoco() -> None:
    assert run("-c", LETTERS).stdout.startswith("same")
