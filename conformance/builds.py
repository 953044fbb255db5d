"""The compiled modules of an installed package give the same bits.

    python conformance/builds.py [--models N] [--without-avx2]

A wheel for x86-64 has a module for every processor and one for those with AVX2. Every own model, or `N` of them spread over all, takes
steps with random controls under each, in processes of their own, and hashes of its states, forces and sensor readings are compared.
Only the package and numpy are needed. With one module, the models have to run. `--without-avx2` is for a processor that has none (`qemu-x86_64 -cpu
Nehalem`): there the models have to run under the module for every processor; without fused operations the C library rounds some functions
differently, so hashes are not compared.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
APART = {"malformed", "extensions"}
STEPS = 60


def paths(most):
    found = sorted(path for path in MODELS.rglob("*.xml") if path.relative_to(MODELS).parts[0] not in APART)
    return found[:: max(1, len(found) // most)] if most else found


def hashes(most):
    """The module in use, and a hash for each model it loads."""
    import condyle
    import numpy as np

    found = {}
    for path in paths(most):
        try:
            model = condyle.MjModel.from_xml_path(str(path))
        except ValueError:
            continue  # A part of another model.
        data, random, digest = condyle.MjData(model), np.random.default_rng(0), hashlib.sha256()
        for _ in range(STEPS):
            data.ctrl[:] = random.uniform(-1, 1, model.nu)
            condyle.mj_step(model, data)
            for array in (data.qpos, data.qvel, data.act, data.sensordata, data.qfrc_constraint):
                digest.update(np.ascontiguousarray(array).tobytes())
        found[str(path.relative_to(MODELS))] = digest.hexdigest()
    return {"module": os.path.basename(condyle._condyle.__file__), "hashes": found}


def asked(most, **environment):
    """What `hashes` gives in another process."""
    call = [sys.executable, __file__, "--here", "--models", str(most)]
    done = subprocess.run(call, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=0)
    parser.add_argument("--without-avx2", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(hashes(options.models)))
        return 0
    if options.without_avx2:
        from condyle import _processor

        found = hashes(options.models)
        print(f"{len(found['hashes'])} models run with {found['module']} on a processor {'with' if _processor.has_avx2() else 'without'} AVX2")
        return int(_processor.has_avx2() or not found["hashes"] or "avx2" in found["module"])
    one, other = asked(options.models), asked(options.models, CONDYLE_AVX2="0")
    if not one["hashes"]:
        print("no model was loaded")
        return 1
    different = sorted(name for name in one["hashes"] if one["hashes"][name] != other["hashes"].get(name))
    for name in different:
        print(f"{name}: {one['module']} and {other['module']} give different bits")
    modules = sorted({one["module"], other["module"]})
    print(f"{len(one['hashes']) - len(different)} of {len(one['hashes'])} models have the same bits with {' and '.join(modules)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
