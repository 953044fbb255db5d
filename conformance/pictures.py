"""Pictures beside MuJoCo's, drawn by its own renderer with software OpenGL (EGL).

For each model, at two sizes and with and without shadows and reflections: segmentation, metric depth and colours. Pixels of two surfaces in one
place, of which neither is in front, are set aside in the segmentation and counted. A page with the pictures side by side is written; the worst
models come first.
"""

import argparse
import base64
import html
import os
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List

os.environ.setdefault("MUJOCO_GL", "egl")

import mujoco
import numpy as np

import condyle
from condyle.renderer import _png

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("models", "corpora/gymnasium", "corpora/dm_control")
SIZES = ((84, 84), (240, 320))
SETTINGS = {"plain": {0: False, 2: False}, "full": {}}
STEPS = 5


def models(only: str) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.xml")):
            if only in str(path) and "malformed" not in path.parts:
                yield path


def take(module: Any, renderer: Any, model: Any, data: Any, flags: Dict[int, bool]) -> Dict[str, np.ndarray]:
    """Colours, metric depth and segmentation of one state."""
    renderer.update_scene(data)
    for flag, value in flags.items():
        renderer.scene.flags[flag] = value
    found = {"rgb": renderer.render()}
    renderer.enable_depth_rendering()
    found["depth"] = renderer.render()
    renderer.enable_segmentation_rendering()
    found["segmentation"] = renderer.render()
    renderer.disable_segmentation_rendering()
    return found


def on_edge(segmentation: np.ndarray) -> np.ndarray:
    """Pixels with a neighbour that shows something else."""
    edge = np.zeros(segmentation.shape[:2], bool)
    for axis in (0, 1):
        change = (np.diff(segmentation, axis=axis) != 0).any(axis=2)
        first = [slice(None), slice(None)]
        second = [slice(None), slice(None)]
        first[axis], second[axis] = slice(0, -1), slice(1, None)
        edge[tuple(first)] |= change
        edge[tuple(second)] |= change
    return edge


def contested(a: Dict[str, Any], b: Dict[str, Any], differs: np.ndarray) -> np.ndarray:
    """Pixels of two surfaces in one place, of which neither is in front: both pictures have the same depth there, and elsewhere the two are seen the
    other way round."""
    both = np.zeros_like(differs)
    places = [tuple(place) for place in np.argwhere(differs)]
    pairs = {place: (tuple(a["segmentation"][place]), tuple(b["segmentation"][place])) for place in places}
    seen = set(pairs.values())
    for place, (theirs, ours) in pairs.items():
        is_same_depth = abs(a["depth"][place] - b["depth"][place]) <= 1e-4 * a["depth"][place]
        both[place] = is_same_depth and (ours, theirs) in seen
    return both


def compare(path: Path) -> List[Dict[str, Any]]:
    theirs = mujoco.MjModel.from_xml_path(str(path))
    ours = condyle.MjModel.from_xml_path(str(path))
    their_data, our_data = mujoco.MjData(theirs), condyle.MjData(ours)
    for _ in range(STEPS):
        mujoco.mj_step(theirs, their_data)
    mujoco.mj_forward(theirs, their_data)
    our_data.qpos[:], our_data.qvel[:], our_data.act[:] = their_data.qpos, their_data.qvel, their_data.act
    our_data.mocap_pos[:], our_data.mocap_quat[:] = their_data.mocap_pos, their_data.mocap_quat
    condyle.mj_forward(ours, our_data)
    results = []
    for height, width in SIZES:
        with mujoco.Renderer(theirs, height, width) as their, condyle.Renderer(ours, height, width) as our:
            for name, flags in SETTINGS.items():
                a = take(mujoco, their, theirs, their_data, flags)
                b = take(condyle, our, ours, our_data, flags)
                differs = (a["segmentation"] != b["segmentation"]).any(axis=2)
                in_one_place = contested(a, b, differs)
                differs &= ~in_one_place
                relative = np.abs(a["depth"] - b["depth"]) / np.maximum(a["depth"], 1e-9)
                results.append(
                    {
                        "model": str(path.relative_to(ROOT)),
                        "size": f"{width}x{height}",
                        "setting": name,
                        "color": float(np.abs(a["rgb"].astype(int) - b["rgb"]).mean()),
                        "segmentation": 100 * float(1 - differs.mean()),
                        "contested": 100 * float(in_one_place.mean()),
                        "inner": int((differs & ~on_edge(a["segmentation"])).sum()),
                        "depth": 100 * float((relative <= 1e-3).mean()),
                        "pictures": (a["rgb"], b["rgb"]),
                    }
                )
    return results


def page(results: List[Dict[str, Any]], path: Path) -> None:
    def picture(rgb: np.ndarray) -> str:
        return f'<img src="data:image/png;base64,{base64.b64encode(_png(np.ascontiguousarray(rgb))).decode()}">'

    rows = []
    for result in sorted(results, key=lambda result: -result["color"]):
        a, b = result["pictures"]
        difference = np.clip(4 * np.abs(a.astype(int) - b), 0, 255).astype(np.uint8)
        text = html.escape(
            f"{result['model']} {result['size']} {result['setting']}: colour {result['color']:.2f}, "
            f"segmentation {result['segmentation']:.2f}%, depth {result['depth']:.2f}%"
        )
        rows.append(f"<p>{text}<br>{picture(a)} {picture(b)} {picture(difference)}</p>")
    head = "<meta charset=utf-8><title>Pictures</title><h1>MuJoCo, Condyle, four times the difference</h1>"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + "\n".join(rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="models whose path contains this")
    parser.add_argument("--count", type=int, default=60, help="models to compare, spread over all")
    parser.add_argument("--page", type=Path, default=ROOT / "target" / "pictures.html")
    options = parser.parse_args()
    found = list(models(options.only))
    step = max(1, len(found) // max(1, options.count))
    results: List[Dict[str, Any]] = []
    skipped = 0
    for path in found[::step]:
        try:
            results += compare(path)
        except (ValueError, RuntimeError) as problem:
            skipped += 1
            print(f"skipped {path.name}: {str(problem).splitlines()[0]}")
            continue
        last = results[-4:]
        print(
            f"{path.name:32} colour {max(r['color'] for r in last):6.3f}  "
            f"segmentation {min(r['segmentation'] for r in last):7.3f}%  depth {min(r['depth'] for r in last):7.3f}%"
        )
    if not results:
        print("no model compared")
        return 1
    page(results, options.page)
    mean = float(np.mean([r["color"] for r in results]))
    worst = max(r["color"] for r in results)
    segmentation = min(r["segmentation"] for r in results)
    depth = min(r["depth"] for r in results)
    in_one_place = max(r["contested"] for r in results)
    inner = sum(r["inner"] for r in results)
    print(
        f"{len(results)} pictures: mean colour difference {mean:.3f} (worst {worst:.3f}), least segmentation {segmentation:.3f}% "
        f"({inner} pixels differ off edges), least depth {depth:.3f}%; two surfaces in one place: up to {in_one_place:.3f}% set aside; "
        f"{skipped} models skipped; {options.page}"
    )
    good = mean <= 2 and worst <= 6 and segmentation >= 99.5 and inner == 0 and depth >= 99.5
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
