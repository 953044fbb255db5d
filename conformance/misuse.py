"""Calls everything in the Python module with bad arguments and garbage in models, in many processes with little memory.

    python conformance/misuse.py [--processes 260] [--calls 3000] [--first SEED] [--jobs N] [--memory GIGABYTES]

Every process makes models and simulations and then calls functions at random: with arguments of wrong types, shapes and ranges, with models
of other data, with numbers that make no sense in any array of the model or the data. Whatever happens, a call answers or raises an
ordinary exception within ten seconds. A process that ends in any other way is a failure; its seed and last calls are printed.
`--seed S` runs one process here, `--trace` prints its calls.
"""

import argparse
import concurrent.futures
import copy
import faulthandler
import inspect
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIMIT = 10.0

MODELS = [
    """<mujoco><option integrator="implicitfast"/><worldbody><geom type="plane" size="5 5 .1"/><light pos="0 0 3"/><camera pos="0 -2 1"/>
      <body name="a" pos="0 0 .5"><freejoint/><geom name="ball" size=".1"/><site name="s" size=".01"/>
        <body name="b" pos=".2 0 0"><joint name="j" axis="0 1 0" range="-1 1" limited="true"/><geom type="capsule" size=".03 .1"/>
        <site name="t" pos="0 0 .1"/></body></body>
      <body name="m" mocap="true" pos="1 0 1"><geom type="box" size=".1 .1 .1"/></body>
      <body pos="0 1 .05"><joint type="ball"/><geom type="box" size=".1 .1 .1" pos=".1 0 0"/></body></worldbody>
      <tendon><spatial name="ten"><site site="s"/><site site="t"/></spatial><fixed><joint joint="j" coef="1"/></fixed></tendon>
      <equality><weld body1="m" body2="a" active="false"/><joint joint1="j"/></equality>
      <actuator><motor name="u" joint="j"/><position tendon="ten" kp="3"/><muscle joint="j"/><general site="s" dyntype="filter"/></actuator>
      <sensor><accelerometer site="s"/><touch site="s"/><tendonpos tendon="ten"/><rangefinder site="t"/><framepos objtype="body" objname="b"/></sensor>
      <keyframe><key qpos="0 0 1 1 0 0 0 0 1 0 0 0"/></keyframe><custom><numeric name="n" data="1 2"/><text name="x" data="y"/></custom></mujoco>""",
    """<mujoco><option solver="PGS" cone="elliptic" noslip_iterations="2"/><asset><mesh name="tetra" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
      <hfield name="h" nrow="4" ncol="5" size="1 1 .1 .1" elevation="0 0 0 0 0 0 1 0 1 0 0 1 1 0 0 0 0 0 0 0"/>
      <texture name="tx" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/><material name="mt" texture="tx"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="tetra" material="mt"/></body>
      <body pos=".3 0 .3"><freejoint/><geom type="cylinder" size=".1 .1"/></body><body pos="-.3 0 .3"><freejoint/>
      <geom type="ellipsoid" size=".1 .05 .1" fluidshape="ellipsoid"/></body></worldbody></mujoco>""",
    """<mujoco><option solver="CG" jacobian="sparse"><flag multiccd="enable" energy="enable"/></option><worldbody><geom type="plane" size="0 0 1"/>
      <flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="0 0 .2" mass="1" radius=".01"><edge equality="true"/>
      </flexcomp><body pos="0 0 .4"><freejoint/><geom size=".05"/></body></worldbody></mujoco>""",
]  # fmt: skip

#: Functions whose ordinary work is to wait, to print or to change the process.
LEFT_OUT = {"install", "uninstall", "mju_printMat", "mju_printMatSparse", "mju_writeLog", "_check_places"}


class World:
    """The objects calls are made with."""

    def __init__(self, seed):
        import numpy

        import condyle

        self.module, self.np = condyle, numpy
        self.random, self.numbers = random.Random(seed), numpy.random.default_rng(seed)
        names = [name for name in dir(condyle) if name.startswith(("mj_", "mju_", "mjd_", "mjv_", "mjr_", "set_mjcb", "get_mjcb"))]
        self.functions = [name for name in names if name not in LEFT_OUT and callable(getattr(condyle, name))]
        self.fresh = [self.module.MjModel.from_xml_string(xml) for xml in MODELS]
        self.renew()

    def renew(self):
        """New objects: a model full of garbage is refused by most functions, so that little would be tried."""
        self.models = [copy.copy(model) for model in self.fresh]
        self.data = [self.module.MjData(model) for model in self.models]
        self.spec = self.module.MjSpec.from_string(self.random.choice(MODELS))
        self.scene = self.module.MjvScene(self.models[0], maxgeom=100)
        self.module.mj_resetCallbacks()
        for model, data in zip(self.models, self.data):
            self.module.mj_step(model, data, 3)

    def integer(self):
        return self.random.choice([-1, 0, 1, 2, 3, 5, 7, 100, -100, 2**31 - 1, -(2**31), 2**31, 2**40, -(2**63), 2**63, True])

    def real(self):
        return self.random.choice([0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, -1e10, float("nan"), float("inf"), -float("inf"), self.random.gauss(0, 1)])

    def array(self, model):
        kind = self.random.choice([float] * 6 + [self.np.int32, self.np.uint8, self.np.float32, bool])
        sizes = [model.nq, model.nv, model.nu, model.nbody, model.nM, model.nsensordata, 1, 2, 3, 3, 3, 4, 4, 6, 9, 9, 0, 17]
        shape = [self.random.choice(sizes) for _ in range(self.random.choice([1, 1, 1, 2, 2, 3]))]
        found = self.numbers.normal(size=shape).astype(kind)
        if found.size and kind is float and self.random.random() < 0.2:
            found.flat[self.random.randrange(found.size)] = self.real()
        if self.random.random() < 0.1:
            found = found[..., ::-1]
        if self.random.random() < 0.05:
            found.setflags(write=False)
        return found

    def anything(self, model, data):
        r = self.random
        return r.choice(
            [
                lambda: None, self.integer, self.integer, self.real, lambda: self.array(model), lambda: self.array(model), lambda: "ball",
                lambda: "", lambda: b"j", lambda: "nö\0x", lambda: [1, 2, 3], lambda: {}, object, lambda: model, lambda: data,
                lambda: r.choice(self.models), lambda: r.choice(self.data), lambda: self.scene, lambda: self.spec, lambda: (lambda *a: a),
            ]
        )()  # fmt: skip

    def argument(self, name, model, data):
        """Mostly what a parameter of that name takes."""
        if self.random.random() < 0.12:
            return self.anything(model, data)
        if name in ("m", "model"):
            return model
        if name in ("d", "data", "src", "dst", "dest"):
            return data if self.random.random() < 0.9 else self.array(model)
        if name in ("scn", "s", "scene"):
            return self.scene
        if name == "nstep":
            return self.random.choice([0, 1, 2, 5, -1])
        if name in ("res", "vec", "vec1", "vec2", "mat", "result", "jacp", "jacr", "qvel", "qpos", "quat", "pos", "force", "torque", "point"):
            return self.array(model)
        if name in ("filename", "path", "directory"):
            return self.random.choice(["a.txt", "missing/folder/a.txt", "", b"b.txt", "\0"])
        if name == "opt":
            return self.random.choice([self.module.MjvOption, self.module.MjLROpt, lambda: model.opt])()
        if name in ("cam", "camera"):
            return self.module.MjvCamera()
        if name in ("pert", "perturb"):
            return self.module.MjvPerturb()
        return self.anything(model, data)

    def call_function(self):
        at = self.random.randrange(len(self.models))
        model, data = self.models[at], self.data[at if self.random.random() < 0.93 else self.random.randrange(len(self.data))]
        name = self.random.choice(self.functions)
        function = getattr(self.module, name)
        try:
            names = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            names = ["m", "d"]
        if self.random.random() < 0.03:
            names = names[:-1] if self.random.random() < 0.5 else [*names, "extra"]
        arguments = [self.argument(parameter, model, data) for parameter in names]
        if name.startswith("set_mjcb") and arguments and callable(arguments[0]):
            arguments[0] = None if self.random.random() < 0.7 else (lambda *a: 0.0)
        return name, lambda: function(*arguments)

    def write_garbage(self):
        owner = self.random.choice(self.models if self.random.random() < 0.7 else self.data)
        name = self.random.choice(type(owner)._all_fields)
        number = self.integer() if self.random.random() < 0.6 else self.real()

        def write():
            value = getattr(owner, name)
            if isinstance(value, self.np.ndarray) and value.size:
                if self.random.random() < 0.3:
                    value[...] = number
                else:
                    value.flat[self.random.randrange(value.size)] = number
            elif name in ("opt", "stat"):
                setattr(value, self.random.choice(value._names()), number)
            else:
                setattr(owner, name, number)

        return f"{type(owner).__name__}.{name} = {number}", write

    def step(self):
        at = self.random.randrange(len(self.models))
        name = self.random.choice(["mj_step", "mj_forward", "mj_inverse", "mj_fwdConstraint", "mj_setConst", "mj_collision", "mj_RungeKutta"])
        rest = [4] if name == "mj_RungeKutta" else []
        return name, lambda: getattr(self.module, name)(self.models[at], self.data[at], *rest)

    def make(self):
        text = self.random.choice(MODELS)
        for _ in range(self.random.choice([0, 1, 1, 3])):
            at = self.random.randrange(len(text))
            text = text[:at] + self.random.choice(["", "-", "9", '"', "<", "0", "e", "x", "&", text[at : at + 30] * 2]) + text[at + 1 :]
        return "from_xml_string", lambda: self.module.MjData(self.module.MjModel.from_xml_string(text))

    def edit(self):
        spec, r = self.spec, self.random
        kinds = [name for name in dir(spec) if name.startswith("add_")] + ["delete", "compile", "attach", "to_xml", "copy", "body", "recompile"]
        name = r.choice(kinds)
        keyword = r.choice(["name", "type", "pos", "size", "quat", "target", "data", "objtype", "axis", "range", "file", "nrow", "width"])

        def change():
            if name == "delete":
                return spec.delete(r.choice([*spec.bodies, *spec.geoms, *spec.joints, *spec.meshes, None]))
            if name == "attach":
                child = self.module.MjSpec.from_string(r.choice(MODELS))
                return spec.attach(child, prefix=r.choice(["p", "", None, 3]), frame=spec.worldbody.add_frame())
            if name == "recompile":
                return spec.recompile(r.choice(self.models), r.choice(self.data))
            if name.startswith("add_"):
                return getattr(spec, name)(**{keyword: self.anything(self.models[0], self.data[0])})
            return getattr(spec, name)(*([] if name in ("compile", "to_xml", "copy") else ["b"]))

        return f"spec.{name} {keyword}", change

    def next(self):
        kinds = [self.call_function] * 14 + [self.write_garbage] * 4 + [self.step] * 4 + [self.make, self.edit]
        return self.random.choice(kinds)()


def run_one(seed, calls, memory, trace):
    """The process: calls until done; the exit code says whether all ended as they should."""
    resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(tempfile.mkdtemp())
    warnings.simplefilter("ignore")
    world = World(seed)
    engine, slow = {}, 0.0
    for number in range(calls):
        if number % 20 == 19:
            world.renew()
        name, call = world.next()
        if trace:
            print(number, name, file=sys.stderr, flush=True)
        os.environ["CONDYLE_MISUSE"] = name
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        started = time.monotonic()
        try:
            call()
        except world.module.EngineError as error:
            engine.setdefault(f"{name}: {str(error)[:160]}", number)
        except Exception as error:
            if type(error).__name__ == "PanicException":
                engine.setdefault(f"{name}: {str(error)[:160]}", number)
        except BaseException as error:
            print(f"BAD seed {seed} call {number} {name}: {type(error).__name__}: {error}", flush=True)
            os._exit(3)
        slow = max(slow, time.monotonic() - started)
    faulthandler.cancel_dump_traceback_later()
    for text, number in engine.items():
        print(f"ENGINE seed {seed} call {number} {text}")
    print(f"SLOWEST {slow:.2f}", flush=True)
    os._exit(0)


def start(seed, arguments):
    command = [sys.executable, __file__, "--seed", str(seed), "--calls", str(arguments.calls), "--memory", str(arguments.memory)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    return seed, done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=260)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--memory", type=int, default=4, help="limit of each process in gigabytes")
    parser.add_argument("--seed", type=int, help="run this one process")
    parser.add_argument("--trace", action="store_true")
    arguments = parser.parse_args()
    if arguments.seed is not None:
        return run_one(arguments.seed, arguments.calls, arguments.memory, arguments.trace)
    failed, engine, slowest = [], {}, 0.0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.first, arguments.first + arguments.processes)
        for seed, code, out, errors in pool.map(lambda seed: start(seed, arguments), seeds):
            for line in out.splitlines():
                if line.startswith("ENGINE "):
                    engine.setdefault(line.partition(": ")[2], line)
                elif line.startswith("SLOWEST "):
                    slowest = max(slowest, float(line.split()[1]))
            if (seed + 1) % 20 == 0:
                print(f"{seed + 1 - arguments.first} processes, {len(failed)} ended badly", flush=True)
            if code:
                failed.append(seed)
                print(f"seed {seed} ended with {code}: {out.strip()[-300:]} {errors.strip()[-1500:]}", flush=True)
    for line in sorted(engine.values()):
        print(line)
    calls = arguments.processes * arguments.calls
    print(f"{arguments.processes} processes, {calls} calls: {len(failed)} ended badly, {len(engine)} kinds of engine errors, slowest call {slowest:.1f} s")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
