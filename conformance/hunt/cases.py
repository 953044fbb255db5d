"""One case of each kind. A case is a kind and a seed; it returns (outcome, where, text).

Outcomes: `same`, `rejected` (by both), `different`, `listed` (in docs/divergences.md), `MuJoCo runs out of memory` (of the little a case may use).
"""

import pathlib
import warnings

import condyle
import files
import generate
import judge
import known
import mujoco
import numpy as np
import sequences

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPECIAL = files.SPECIAL
OWN = sorted((ROOT / "models").glob("*/*.xml"))


def verdict(xml, where):
    if where is None:
        return "same", None, xml
    if where.startswith("load: only Condyle") and judge.refusal[0] == judge.OUT_OF_MEMORY:
        return judge.OUT_OF_MEMORY, None, xml
    topic = known.topic(xml, where)
    return ("listed", topic, xml) if topic else ("different", where, xml)


# Steps that were taken in both engines.
taken = [0]


def run_model(xml, steps, seed, assets=None):
    """Load in both engines, compare the models, then drive both with the same controls and compare every state.

    `steps` is a number, or a function of the model.
    """
    theirs, ours = judge.load(xml, assets)
    if theirs is None and ours is None:
        return "rejected", None, xml
    if theirs is None or ours is None:
        return verdict(xml, "load: only MuJoCo accepts" if ours is None else f"load: only Condyle accepts, MuJoCo says {judge.refusal[0]}")
    where = judge.models(theirs, ours)
    if where:
        return verdict(xml, where)
    try:
        d, e = mujoco.MjData(theirs), condyle.MjData(ours)
    except mujoco.FatalError as error:
        return verdict(xml, f"MuJoCo stops: {error}")
    rng = np.random.default_rng(seed)
    watch = judge.Watch(d, e)
    steps = steps(theirs) if callable(steps) else steps
    for step in range(steps):
        if step % 10 == 0 and theirs.nu:
            d.ctrl[:] = e.ctrl[:] = rng.uniform(-1, 1, theirs.nu)
        try:
            mujoco.mj_step(theirs, d)
        except mujoco.FatalError as error:
            return verdict(xml, f"MuJoCo stops: {error}")
        condyle.mj_step(ours, e)
        taken[0] += 1
        if steps < 100 or step % 25 == 0 or step == steps - 1:
            where = watch.difference()
            if where:
                full = ", its memory is full" if judge.full(d) else ""
                return verdict(xml, f"{where} at step {step}{full}")
    return verdict(xml, watch.stale())


def models(seed):
    xml, assets = generate.model_and_files(seed)
    return run_model(xml, 40, seed, assets)


def long(seed):
    xml, assets = generate.model_and_files(seed)
    # Small models are cheap: they go on for longer.
    return run_model(xml, lambda model: 10_000 if model.nv <= 12 else 2000, seed, assets)


def mutations(seed):
    """A generated or own model with a few places of its text changed."""
    rng = np.random.default_rng(seed)
    path = OWN[rng.integers(len(OWN))]
    if rng.random() < 0.4:
        text, assets = path.read_text(errors="replace"), {}
    else:
        text, assets = generate.model_and_files(seed)
    for _ in range(rng.integers(1, 4)):
        quotes = [i for i, c in enumerate(text) if c == '"']
        if len(quotes) < 4:
            break
        at = 2 * int(rng.integers(len(quotes) // 2))
        start, end = quotes[at] + 1, quotes[at + 1]
        choice = rng.integers(5)
        if choice == 0:
            text = text[:start] + SPECIAL[rng.integers(len(SPECIAL))] + text[end:]
        elif choice == 1:
            words = text[start:end].split() or [""]
            words[rng.integers(len(words))] = SPECIAL[rng.integers(len(SPECIAL))]
            text = text[:start] + " ".join(words) + text[end:]
        elif choice == 2:
            other = 2 * int(rng.integers(len(quotes) // 2))
            text = text[:start] + text[quotes[other] + 1 : quotes[other + 1]] + text[end:]
        elif choice == 3:
            word = text.rfind(" ", 0, start)
            text = text[:word] + text[end + 1 :]
        else:
            cut = int(rng.integers(len(text)))
            text = text[:cut] + text[cut + int(rng.integers(1, 4)) :]
    return run_model(text, 3, seed, assets)


def text(seed):
    """Spellings of numbers."""
    rng = np.random.default_rng(seed)
    digits = "".join(rng.choice(list("0123456789.+-eExXnaif "), rng.integers(1, 9)))
    word = digits if rng.random() < 0.5 else repr(float(rng.normal() * 10.0 ** rng.integers(-320, 300)))
    xml = f'<mujoco><worldbody><body pos="{word} 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    return run_model(xml, 0, seed)


def math(seed):
    """Many `mju_*` calls with special values."""
    for number in range(200):
        where = sequences.special_values(np.random.default_rng([seed, number]))
        if where:
            return "different", where, ""
    return "same", None, ""


def api(seed):
    """A random sequence of calls on both engines; where it differs, as few of them as show it."""
    where, calls, xml = sequences.api(seed)
    if where is None:
        return "same", None, xml
    topic = known.topic(xml, where)
    return ("listed", topic, xml) if topic else ("different", where, f"{calls}\n{xml}")


KINDS = {
    "models": models,
    "mutations": mutations,
    "api": api,
    "text": text,
    "meshes": lambda seed: files.meshes(seed, run_model),
    "images": lambda seed: files.images_and_fields(seed, run_model),
    "attach": lambda seed: files.attach(seed, run_model),
    "saves": lambda seed: files.saves(seed, run_model),
    "math": math,
    "long": long,
}


def run(kind, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KINDS[kind](seed)
