"""Bad arguments, garbage in models, little memory, Ctrl-C and forks: an ordinary exception, promptly, or the right answer."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import condyle
from condyle import rollout

ROOT = pathlib.Path(__file__).resolve().parents[2]
BALLS = """<mujoco><option solver="PGS"/><worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/></body><body pos=".5 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def test_a_failure_of_the_engine_is_an_ordinary_exception():
    with pytest.raises(RuntimeError, match="as asked") as caught:
        condyle._condyle._instruments.fail_on_purpose()
    assert isinstance(caught.value, Exception)


@pytest.mark.parametrize("seed", [0, 1])
def test_random_calls_with_bad_arguments_end_in_order(seed):
    command = [sys.executable, str(ROOT / "conformance/misuse.py"), "--seed", str(seed), "--calls", "400"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SLOWEST" in done.stdout


@pytest.mark.parametrize("size", ['nuserdata="500000000"', 'nuser_body="400000000"', 'nuserdata="2000000000"'])
def test_too_little_memory_is_an_exception(size):
    program = f"""
import resource, condyle
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
try:
    condyle.MjData(condyle.MjModel.from_xml_string('<mujoco><size {size}/></mujoco>'))
except (MemoryError, ValueError) as error:
    print("refused:", error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("refused:"), (done.stdout, done.stderr)


def test_a_copy_that_does_not_fit_is_a_memory_error():
    program = """
import copy, resource, condyle
data = condyle.MjData(condyle.MjModel.from_xml_string('<mujoco><size nuserdata="100000000"/></mujoco>'))
used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), used + (100 << 20)))
for make in (copy.copy, copy.deepcopy, lambda data: condyle.MjData(data.model)):
    try:
        make(data)
    except MemoryError as error:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["refused"] * 3, (done.stdout, done.stderr)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_a_dual_matrix_that_does_not_fit_leaves_the_constraints_out(jacobian):
    program = f"""
import resource, condyle
rows = '<joint joint1="hinge" polycoef="1 0 0 0 0"/>' * 6000
model = condyle.MjModel.from_xml_string('''<mujoco><option solver="PGS" iterations="1" jacobian="{jacobian}"/>
<worldbody><body><joint name="hinge"/><geom size=".1" pos="1 0 0"/></body></worldbody><equality>''' + rows + '</equality></mujoco>')
data = condyle.MjData(model)
used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
limit, most = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), most))
condyle.mj_step(model, data)
print(data.report.issues["dual_out_of_memory"], data.nefc, data.nisland)
resource.setrlimit(resource.RLIMIT_AS, (limit, most))
condyle.mj_step(model, data)
print(data.report.issues.get("dual_out_of_memory", 0), data.nefc, data.nisland)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["1", "0", "0", "0", "6000", "1"], (done.stdout, done.stderr)


def test_a_model_is_not_used_with_the_data_of_another():
    one, other = condyle.MjModel.from_xml_string(BALLS), condyle.MjModel.from_xml_string("<mujoco/>")
    data = condyle.MjData(one)
    for function in ("mj_step", "mj_forward", "mj_inverse", "mj_collision", "mj_fwdConstraint", "mj_sensorAcc", "mj_resetData"):
        with pytest.raises(ValueError, match="belong together"):
            getattr(condyle, function)(other, data)
    with pytest.raises(ValueError, match="belong together"):
        condyle.mj_ray(other, data, np.zeros(3), np.ones(3), None, 1, -1, None)
    with pytest.raises(ValueError, match="belong together"):
        condyle.mj_resetDataKeyframe(other, data, 0)


def test_the_dual_solver_works_after_inverse_dynamics():
    model = condyle.MjModel.from_xml_string(BALLS)
    data = condyle.MjData(model)
    for _ in range(3):
        condyle.mj_inverse(model, data)
        condyle.mj_fwdConstraint(model, data)
    assert np.isfinite(data.qacc).all()


def test_garbage_in_any_index_array_is_refused_or_harmless():
    model = condyle.MjModel.from_xml_string(BALLS)
    arrays = [name for name, kind, *_ in condyle.MjModel._array_table() if kind in ("int32", "int64")]
    written = 0
    for name in arrays:
        for number in (-7, 1, 2**31 - 1):
            fresh = condyle.MjModel.from_xml_string(BALLS)
            data, array = condyle.MjData(fresh), getattr(fresh, name)
            if not array.size or not array.flags.writeable:
                continue
            array[...] = number
            written += 1
            for work in (condyle.mj_step, condyle.mj_inverse, condyle.mj_setConst):
                try:
                    work(fresh, data)
                except ValueError:
                    pass
    assert written > 150 and model.ngeom == 3


class Alarm:
    """What Ctrl-C does, after a while."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __enter__(self):
        self.before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        self.started = time.monotonic()
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)
        self.took = time.monotonic() - self.started


def test_ctrl_c_ends_many_steps():
    model = condyle.MjModel.from_xml_string(BALLS)
    data = condyle.MjData(model)
    with Alarm(0.3) as alarm, pytest.raises(KeyboardInterrupt):
        condyle.mj_step(model, data, nstep=10**9)
    assert alarm.took < 5 and data.time > 0
    condyle.mj_step(model, data)


@pytest.mark.parametrize("threads", [0, 2])
def test_ctrl_c_ends_a_rollout(threads):
    model = condyle.MjModel.from_xml_string(BALLS)
    start = np.zeros((4, condyle.mj_stateSize(model, condyle.mjtState.mjSTATE_FULLPHYSICS)))
    start[:, 3:5] = 1
    data = [condyle.MjData(model) for _ in range(max(threads, 1))]
    with rollout.Rollout(nthread=threads) as pool:
        with Alarm(0.5) as alarm, pytest.raises(KeyboardInterrupt):
            pool.rollout(model, data, start, nstep=200_000)
        assert alarm.took < 10
        states, _ = pool.rollout(model, data, start, nstep=3)
        assert states.shape == (4, 3, start.shape[1])


def test_a_pool_works_in_a_forked_process():
    program = f"""
import os, sys, numpy as np, condyle
from condyle import rollout
model = condyle.MjModel.from_xml_string('''{BALLS}''')
data = [condyle.MjData(model) for _ in range(2)]
data[0].threads = 2
start = np.zeros((6, condyle.mj_stateSize(model, condyle.mjtState.mjSTATE_FULLPHYSICS)))
pool = rollout.Rollout(nthread=2)
first, _ = pool.rollout(model, data, start, nstep=5)
condyle.mj_step(model, data[0], 3)
child = os.fork()
second, _ = pool.rollout(model, data, start, nstep=5)
same = first.tobytes() == second.tobytes()
condyle.mj_step(model, data[0], 3)
del data
if child == 0:
    os._exit(0 if same else 1)
print(same, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True", "0"], (done.stdout, done.stderr)


def test_text_may_be_bytes(tmp_path):
    model = condyle.MjModel.from_xml_string(BALLS.replace('<body pos="0 0 .09">', '<body name="ball" pos="0 0 .09">').encode())
    body = int(condyle.mjtObj.mjOBJ_BODY)
    assert condyle.mj_name2id(model, body, b"ball") == condyle.mj_name2id(model, body, "ball") == 1
    assert condyle.mj_name2id(model, body, b"\xff") == -1
    assert model.body(b"ball").id == 1
    path = os.fsencode(tmp_path / "model.xml")
    condyle.mj_saveLastXML(path, model)
    assert condyle.MjModel.from_xml_path(path).nbody == 3
    condyle.mj_saveModel(model, os.fsencode(tmp_path / "model.mjb"), None)
    assert condyle.MjModel.from_binary_path(os.fsencode(tmp_path / "model.mjb")).nbody == 3
    spec = condyle.MjSpec.from_file(path)
    assert spec.body(b"ball").name == "ball"
    spec.add_key(name=b"home")
    spec.body("ball").name = b"round"
    assert spec.body("round").name == "round" and spec.key("home") is not None


def test_messages_name_the_argument_and_what_it_should_be():
    model = condyle.MjModel.from_xml_string(BALLS)
    data = condyle.MjData(model)
    for call, words in (
        (lambda: condyle.mju_zero([1.0, 2.0]), ("'res'", "float64", "list")),
        (lambda: condyle.mju_zero(np.zeros(3, int)), ("'res'", "float64", "int64")),
        (lambda: condyle.mju_copy(np.zeros((3, 4))[:, 1], np.zeros(3)), ("'res'", "contiguous")),
        (lambda: condyle.mju_cross(np.zeros(3), np.zeros(4), np.zeros(3)), ("'a'", "3", "4")),
        (lambda: condyle.mj_jacBody(model, data, np.zeros((3, 2)), None, 1), ("jacp", "(3, 12)", "(3, 2)")),
        (lambda: condyle.mj_name2id(model, 1, 7), ("'name'", "str", "int")),
        (lambda: condyle.mj_getState(model, data, np.zeros(2), 1), ("state", "1", "2")),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        text = "\n".join([str(caught.value), *caught.value.__notes__]) if hasattr(caught.value, "__notes__") else str(caught.value)
        for word in words:
            assert word in text, (word, text)


@pytest.mark.parametrize("name", ["bvh_child", "bvh_nodeid", "M_colind", "mesh_face", "mesh_graph"])
def test_arrays_of_structure_can_be_written_and_are_checked(name):
    xml = BALLS.replace('<geom size=".1"/></body></worldbody>', '<geom type="mesh" mesh="t"/></body></worldbody>').replace(
        "<worldbody>", '<asset><mesh name="t" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/></asset><worldbody>'
    )
    model = condyle.MjModel.from_xml_string(xml)
    data, before = condyle.MjData(model), getattr(model, name).copy()
    condyle.mj_step(model, data)
    getattr(model, name)[...] = 10**6
    for _ in range(2):
        with pytest.raises(ValueError, match="no longer consistent"):
            condyle.mj_step(model, data)
    kept = getattr(model, name)
    kept[...] = before
    condyle.mj_step(model, data)
    kept[...] = 10**6
    with pytest.raises(ValueError, match="no longer consistent"):
        condyle.mj_step(model, data)
    setattr(model, name, before)
    condyle.mj_step(model, data)


def test_numbers_of_steps_are_those_mujoco_takes():
    mujoco = pytest.importorskip("mujoco")
    xml = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
    for module in (mujoco, condyle):
        model = module.MjModel.from_xml_string(xml)
        data = module.MjData(model)
        module.mj_step(model, data, -3)
        module.mj_step(model, data, 0)
        assert data.time == 0
        for wrong in (2**31, 2.0, "2"):
            with pytest.raises(TypeError):
                module.mj_step(model, data, wrong)


NONSENSE_DIMENSIONS = """
import resource, sys, condyle
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
for dimension in (0, -3, 2, 100):
    for constraints in (condyle.mj_fwdConstraint, condyle.mj_step2, condyle.mj_invConstraint):
        model = condyle.MjModel.from_xml_string(sys.argv[1])
        data = condyle.MjData(model)
        condyle.mj_forward(model, data)
        data.contact[0].dim = dimension
        try:
            constraints(model, data)
        except Exception:
            pass
print("came to an end")
"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_nonsense_in_the_dimension_of_a_contact_comes_to_an_end(solver, cone):
    option = f'<option cone="{cone}" solver="{solver}" noslip_iterations="2"/>'
    xml = f'<mujoco>{option}<worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    done = subprocess.run([sys.executable, "-c", NONSENSE_DIMENSIONS, xml], capture_output=True, text=True, timeout=60)
    assert "came to an end" in done.stdout, done.stderr[-2000:]
