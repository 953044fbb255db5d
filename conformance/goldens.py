"""Write conformance/goldens.toml: a hash of 100 steps of every own model, for a test that needs no Python.

    cargo xtask goldens [--missing]

Both engines load each model and run it with the same seeded controls and, in the middle of the run, forces on bodies and dofs. The hash
covers time, positions, velocities, activations, sensor readings, energies and the frames of cameras and lights after every step, and ends
before the first step at which the engines differ in a bit; then come the forces of inverse dynamics.
`crates/condyle/tests/integration/goldens.rs` runs the same steps and compares. Models of extensions, which MuJoCo does not load, are kept
as they run. With `--missing` only models that have no hash yet are run.
"""

import os
import pathlib
import sys
import tomllib

import mujoco
import numpy as np

import condyle

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"
TARGET = ROOT / "conformance" / "goldens.toml"
STEPS = 100
#: Steps at which forces are applied from outside. The others leave what sleeps asleep.
PUSHED = range(31, 61)
MASK = (1 << 64) - 1

HEAD = """# Seeded runs of every own model: a hash of time, positions, velocities, activations, sensor readings, energies and frames of cameras and
# lights after each step, and the sum of these numbers after the last step. Written by `cargo xtask goldens` from runs that agree with MuJoCo 3.5.0 to the last bit for that many
# steps; do not edit.
#
# The hashes hold where sine, power and the like come from the same C library: Linux on x86-64 with glibc and a processor that has FMA,
# as continuous integration has. Elsewhere the test compares the sums within a tolerance.
"""


def mixed(words, value=0xCBF29CE484222325):
    """FNV-1a, with words in the place of bytes."""
    for word in words:
        value = ((value ^ word) * 0x100000001B3) & MASK
        value ^= value >> 29
    return value


def words(values):
    return np.ascontiguousarray(values, dtype="<f8").view("<u8").tolist()


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


def pushes(model, random):
    """Forces on all dofs and bodies that accelerate each by up to about 3 m/s² or rad/s²."""
    dofs = [3.0 * (2.0 * random.uniform() - 1.0) * inertia for inertia in model.dof_M0.tolist()]
    bodies = []
    for mass, inertia in zip(model.body_mass.tolist(), model.body_inertia.tolist()):
        bodies.append([3.0 * (2.0 * random.uniform() - 1.0) * scale for scale in (mass, mass, mass, *inertia)])
    return dofs, bodies


def numbers(data):
    parts = [data.qpos, data.qvel, data.act, data.sensordata, data.energy, data.cam_xpos, data.cam_xmat, data.light_xpos, data.light_xdir]
    return np.concatenate([[data.time], *(part.ravel() for part in parts)])


def inverse(engine, model, data, discrete):
    """Forces that the accelerations of the last step need, as continuous or as discrete ones; there are no discrete ones with RK4."""
    if discrete and int(model.opt.integrator) == int(engine.mjtIntegrator.mjINT_RK4):
        return np.zeros(0)
    flag = int(engine.mjtEnableBit.mjENBL_INVDISCRETE)
    model.opt.enableflags = int(model.opt.enableflags) | flag if discrete else int(model.opt.enableflags) & ~flag
    engine.mj_inverse(model, data)
    return np.array(data.qfrc_inverse)


def start(engine, model):
    data = engine.MjData(model)
    if model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    return data


def run(path, with_mujoco):
    """Number of steps that agree, their hash, and the numbers after the last of them."""
    name = path.relative_to(MODELS).as_posix()
    model = condyle.MjModel.from_xml_path(str(path), reference_bugs=True)
    data = start(condyle, model)
    if with_mujoco:
        theirs = mujoco.MjModel.from_xml_path(str(path))
        their_data = start(mujoco, theirs)
    random = Random(mixed(name.encode()))
    found = numbers(data)
    digest, steps = mixed(words(found)), 0
    for step in range(1, STEPS + 1):
        ctrl = controls(model, random)
        data.ctrl[:] = ctrl
        if step in PUSHED:
            dofs, bodies = pushes(model, random)
            data.qfrc_applied[:], data.xfrc_applied[:] = dofs, bodies
        else:
            data.qfrc_applied[:], data.xfrc_applied[:] = 0.0, 0.0
        condyle.mj_step(model, data)
        after = numbers(data)
        if with_mujoco:
            their_data.ctrl[:] = ctrl
            their_data.qfrc_applied[:], their_data.xfrc_applied[:] = data.qfrc_applied, data.xfrc_applied
            mujoco.mj_step(theirs, their_data)
            if after.tobytes() != numbers(their_data).tobytes():
                break
        found, digest, steps = after, mixed(words(after), digest), step
    for discrete in (False, True) if steps == STEPS else ():
        forces = inverse(condyle, model, data, discrete)
        if with_mujoco and forces.tobytes() != inverse(mujoco, theirs, their_data, discrete).tobytes():
            raise RuntimeError("inverse dynamics differs")
        digest = mixed(words(forces), digest)
    return name, steps, digest, found


def kept():
    """Lines of the present file by model."""
    names = tomllib.loads(TARGET.read_text())
    lines = [line + "\n" for line in TARGET.read_text().splitlines() if line.startswith('"')]
    return dict(zip(names, lines, strict=True))


def main():
    present = kept() if "--missing" in sys.argv[1:] else {}
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    mujoco.set_mju_user_warning(lambda message: None)
    lines, short = [HEAD], []
    for path in sorted(MODELS.rglob("*.xml")):
        folder = path.relative_to(MODELS).parts[0]
        if folder == "malformed":
            continue
        if (name := path.relative_to(MODELS).as_posix()) in present:
            lines.append(present[name])
            continue
        try:
            name, steps, digest, values = run(path, folder != "extensions")
        except Exception as error:  # noqa: BLE001 - parts of other models are no models
            print(f"{path.relative_to(MODELS)}: left out, {str(error).splitlines()[0]}")
            continue
        if steps < STEPS:
            short.append(f"{name}: {steps} steps agree")
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
