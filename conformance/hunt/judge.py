"""Both engines on the same case: the first array that is not the same, or None."""

import warnings

import condyle
import mujoco
import numpy as np

MODEL_TEXT = ("names", "paths", "text_data")
# In the order of the pipeline, so that the first one names the stage at fault.
DATA = (
    "time qpos qvel act history xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos light_xpos "
    "subtree_com cinert cdof ten_length ten_J wrap_xpos qM qLD qLDiagInv actuator_length actuator_velocity ncon nefc ne nf nl nisland "
    "cvel cdof_dot ten_velocity qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive qfrc_bias act_dot actuator_force "
    "qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qacc qacc_warmstart cfrc_ext cacc cfrc_int sensordata energy qfrc_inverse "
    "tree_asleep"
).split()


def same(a, b):
    """Equal bits; NaN equals NaN."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return False
    if a.dtype == b.dtype and a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    equal = (a == b) & (np.signbit(a) == np.signbit(b))
    return bool((equal | (np.isnan(a) & np.isnan(b))).all())


# Why the reference refused the last model it refused.
refusal = [""]
OUT_OF_MEMORY = "MuJoCo runs out of memory"


def load(xml, assets=None):
    """(reference model or None, our model or None)."""
    try:
        theirs = mujoco.MjModel.from_xml_string(xml, assets)
    except (ValueError, RuntimeError, mujoco.FatalError, UnicodeError) as error:
        theirs = None
        refusal[0] = str(error).replace("\n", " ")
    except MemoryError:
        theirs = None
        refusal[0] = OUT_OF_MEMORY
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours = condyle.MjModel.from_xml_string(xml, assets, reference_bugs=True)
    except (ValueError, UnicodeError):
        ours = None
    return theirs, ours


def models(theirs, ours):
    """The first array of two compiled models that differs."""
    for name, *_ in condyle.MjModel._array_table():
        a, b = getattr(theirs, name), getattr(ours, name)
        if (a != b) if isinstance(a, bytes) else not same(a, b):
            return f"model.{name}"
    for field in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        if not same(getattr(theirs.stat, field), getattr(ours.stat, field)):
            return f"stat.{field}"
    return None


def full(theirs):
    """Whether the reference has dropped contacts or rows because its memory was full."""
    kinds = (mujoco.mjtWarning.mjWARN_CONTACTFULL, mujoco.mjtWarning.mjWARN_CNSTRFULL)
    return any(theirs.warning[int(kind)].number for kind in kinds)


class Watch:
    """Views of two simulations, taken once: a view that no longer shows what it should is found as a difference."""

    def __init__(self, theirs, ours, names=DATA):
        self.sides, self.views, self.numbers = (theirs, ours), [], []
        for name in names:
            a, b = getattr(theirs, name), getattr(ours, name)
            if isinstance(a, np.ndarray):
                self.views.append((name, a, b))
            else:
                self.numbers.append(name)

    def difference(self):
        """The first array that differs."""
        theirs, ours = self.sides
        found = [name for name, a, b in self.views if a.tobytes() != b.tobytes() and not same(a, b)]
        found += [name for name in self.numbers if not same(getattr(theirs, name), getattr(ours, name))]
        return f"data.{min(found, key=DATA.index)}" if found else None

    def stale(self):
        """The first of our views that shows something else than a new one."""
        ours = self.sides[1]
        for name, _, view in self.views:
            if not same(view, getattr(ours, name)):
                return f"view of data.{name}"
        return None
