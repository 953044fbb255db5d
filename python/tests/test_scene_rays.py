"""Rays into our own models, one at a time and many at once: the reference's distance, geom and normal to the last bit."""

import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "conformance"))
import rays  # noqa: E402

FILES = sorted(path for path in (ROOT / "models").rglob("*.xml") if "malformed" not in path.parts)


def test_rays_into_every_model():
    total, hits = 0, collections.Counter()
    for path in FILES:
        found = rays.run(path, rays=160)
        if found is None:
            continue
        cast, different, by_type = found
        assert different == 0, f"{path.name}: {different} of {cast} rays differ"
        total += cast
        hits.update(by_type)
    assert total > 10_000
    shapes = {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"}
    assert shapes <= {kind for kind, count in hits.items() if count > 20}, hits
