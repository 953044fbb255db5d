"""The hunt for differences: its generator is deterministic, its models load, and what it calls listed has a row."""

import pathlib
import sys

import mujoco
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "conformance" / "hunt"))

import cases  # noqa: E402
import generate  # noqa: E402
import known  # noqa: E402
import shrink  # noqa: E402


def test_a_seed_is_a_model():
    assert generate.model(5) == generate.model(5) != generate.model(6)


def test_most_generated_models_load():
    loaded = 0
    for seed in range(40):
        try:
            mujoco.MjModel.from_xml_string(generate.model(seed))
            loaded += 1
        except ValueError:
            pass
    assert loaded >= 30


@pytest.mark.parametrize("kind", ["models", "mutations", "api", "text", "meshes", "images", "attach", "saves", "math"])
def test_both_engines_agree_on_a_few_cases(kind):
    for seed in range(8):
        outcome, where, text = cases.run(kind, seed)
        assert outcome != "different", (where, text)


def test_listed_topics_have_a_row():
    rows = (ROOT / "docs" / "divergences.md").read_text()
    for topic, _ in known.RULES:
        assert f"| {topic} |" in rows


def test_a_listed_difference_is_found_and_recognised():
    xml = '<mujoco><worldbody><body gravcomp="-1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    outcome, where, _ = cases.run_model(xml, 3, 0)
    assert (outcome, where) == ("listed", "negative `gravcomp`")


def test_shrinking_keeps_what_differs(monkeypatch):
    monkeypatch.setattr(known, "topic", lambda xml, where: None)
    xml = """<mujoco><option timestep="0.001"/><worldbody><geom type="plane" size="1 1 1"/>
    <body gravcomp="-1" pos="0 0 2"><freejoint/><geom size=".1"/><site/></body><body><joint/><geom size=".1"/></body></worldbody></mujoco>"""
    outcome, where, _ = cases.run_model(xml, 40, 0)
    assert outcome == "different"
    small = shrink.shrink(xml, where, 0)
    assert "gravcomp" in small and "plane" not in small and "<site" not in small and len(small) < len(xml) / 2
