"""Write conformance/goldens.toml: a hash of where every own model is after 100 steps, for a test that needs no Python.

    cargo xtask goldens

Both engines load each model and run it with the same seeded controls. Kept is the last state, of at most 100 steps, up to which both
had equal bits in time, positions, velocities, activations and sensor readings. `crates/condyle/tests/suite/goldens.rs` runs the same
steps and compares. Models of extensions, which MuJoCo does not load, are kept as they run.
"""

import os
import pathlib
import struct
import sys

import mujoco
import numpy as np

import condyle

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"
TARGET = ROOT / "conformance" / "goldens.toml"
STEPS = 100
MASK = (1 << 64) - 1

HEAD = """# Where every own model is after some steps with seeded controls: hash and sum of time, positions, velocities, activations and sensor
# readings. Written by `cargo xtask goldens` from a run that agrees with MuJoCo 3.5.0 to the last bit for that many steps; do not edit.
"""


def fnv(data, value=0xCBF29CE484222325):
    """FNV-1a of bytes."""
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


class Random:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53


def controls(model, random):
    """Inside their ranges, or between -0.3 and 0.3."""
    values = []
    for actuator in range(model.nu):
        low, high = model.actuator_ctrlrange[actuator] if model.actuator_ctrllimited[actuator] else (-0.3, 0.3)
        values.append(float(low) + (float(high) - float(low)) * random.uniform())
    return values


def numbers(data):
    return np.concatenate([[data.time], data.qpos, data.qvel, data.act, data.sensordata])


def start(engine, model):
    data = engine.MjData(model)
    if model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    return data


def run(path, with_oracle):
    """Number of steps that agree, and the numbers after them."""
    name = path.relative_to(MODELS).as_posix()
    model = condyle.MjModel.from_xml_path(str(path))
    data = start(condyle, model)
    if with_oracle:
        theirs = mujoco.MjModel.from_xml_path(str(path))
        oracle = start(mujoco, theirs)
    random = Random(fnv(name.encode()))
    kept = (0, numbers(data))
    for step in range(1, STEPS + 1):
        ctrl = controls(model, random)
        data.ctrl[:] = ctrl
        condyle.mj_step(model, data)
        found = numbers(data)
        if with_oracle:
            oracle.ctrl[:] = ctrl
            mujoco.mj_step(theirs, oracle)
            if found.tobytes() != numbers(oracle).tobytes():
                break
        kept = (step, found)
    return name, *kept


def main():
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    mujoco.set_mju_user_warning(lambda message: None)
    lines, short = [HEAD], []
    for path in sorted(MODELS.rglob("*.xml")):
        folder = path.relative_to(MODELS).parts[0]
        if folder == "malformed":
            continue
        try:
            name, steps, values = run(path, folder != "extensions")
        except Exception as error:  # noqa: BLE001 - parts of other models are no models
            print(f"{path.relative_to(MODELS)}: left out, {str(error).splitlines()[0]}")
            continue
        if steps < STEPS:
            short.append(f"{name}: {steps} steps agree")
        digest = fnv(struct.pack(f"<{len(values)}d", *values))
        total, size = 0.0, 0.0
        for value in values.tolist():
            total, size = total + value, size + abs(value)
        lines.append(f'"{name}" = {{ steps = {steps}, hash = "{digest:016x}", sum = {total!r}, size = {size!r} }}\n')
    TARGET.write_text("".join(lines))
    print(f"{len(lines) - 1} models written, {len(short)} of them with fewer than {STEPS} steps")
    print("\n".join(short))
    return 0


if __name__ == "__main__":
    sys.exit(main())
