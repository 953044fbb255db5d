"""Pictures beside MuJoCo's, drawn by its own renderer with software OpenGL (EGL).

For each model, at two sizes and with and without shadows and reflections: segmentation, metric depth and colours. Pixels of two surfaces in one
place, of which neither is in front, are set aside in the segmentation and counted. A page is written: a list of the worst models with the cause
of their difference, then the pictures side by side, the worst first.
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
# Models in the list of the worst.
LISTED = 12


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


def what_is_seen(model: Any, pair: Any) -> str:
    """What a pixel of a segmentation shows, in words."""
    number, kind = int(pair[0]), int(pair[1])
    if number < 0:
        return "the sky, haze or background"
    if kind != int(mujoco.mjtObj.mjOBJ_GEOM):
        return f"{mujoco.mju_type2Str(kind)} {number}"
    name = mujoco.mj_id2name(model, kind, number)
    shape = mujoco.mjtGeom(model.geom_type[number]).name[7:].lower()
    material = model.geom_matid[number]
    is_textured = material >= 0 and (model.mat_texid[material] >= 0).any()
    return f"{shape} {name or number}{' with a texture' if is_textured else ''}"


def cause(model: Any, difference: np.ndarray, segmentation: np.ndarray, plain: float) -> str:
    """Where the difference of a picture comes from: from edges of elements, from shadows and reflections, or from inside an element.

    `difference` is that of colours for each pixel, `plain` its mean in the same picture without shadows and reflections.
    """
    total = float(difference.sum())
    if total == 0:
        return "no difference"
    edge = on_edge(segmentation)
    edges = float(difference[edge].sum()) / total
    parts = [f"{100 * edges:.0f}% on the edges of elements"]
    if edges < 0.99:
        inside = {}
        pairs, place = np.unique(segmentation[~edge], axis=0, return_inverse=True)
        for index, share in enumerate(np.bincount(place.ravel(), difference[~edge], len(pairs)) / total):
            inside[index] = float(share)
        most = max(inside, key=lambda index: inside[index])
        parts.append(f"{100 * inside[most]:.0f}% inside {what_is_seen(model, pairs[most])}")
    shadows = 1 - plain / float(difference.mean())
    if shadows > 0.02:
        parts.append(f"{100 * shadows:.0f}% only with shadows and reflections")
    return ", ".join(parts)


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
            plain = np.inf
            for name, flags in SETTINGS.items():
                a = take(mujoco, their, theirs, their_data, flags)
                b = take(condyle, our, ours, our_data, flags)
                differs = (a["segmentation"] != b["segmentation"]).any(axis=2)
                in_one_place = contested(a, b, differs)
                differs &= ~in_one_place
                difference = np.abs(a["rgb"].astype(int) - b["rgb"]).mean(axis=2)
                why = cause(theirs, difference, a["segmentation"], plain)
                plain = float(difference.mean())
                relative = np.abs(a["depth"] - b["depth"]) / np.maximum(a["depth"], 1e-9)
                results.append(
                    {
                        "model": str(path.relative_to(ROOT)),
                        "size": f"{width}x{height}",
                        "setting": name,
                        "color": plain,
                        "cause": why,
                        "segmentation": 100 * float(1 - differs.mean()),
                        "contested": 100 * float(in_one_place.mean()),
                        "inner": int((differs & ~on_edge(a["segmentation"])).sum()),
                        "depth": 100 * float((relative <= 1e-3).mean()),
                        "pictures": (a["rgb"], b["rgb"]),
                    }
                )
    return results


def worst_models(results: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """The picture with the greatest colour difference of each of the worst models."""
    worst: Dict[str, Dict[str, Any]] = {}
    for result in sorted(results, key=lambda result: -result["color"]):
        worst.setdefault(result["model"], result)
    return list(worst.values())[:LISTED]


def page(results: List[Dict[str, Any]], path: Path) -> None:
    def picture(rgb: np.ndarray) -> str:
        return f'<img src="data:image/png;base64,{base64.b64encode(_png(np.ascontiguousarray(rgb))).decode()}">'

    rows = ["<h2>The worst models</h2><table><tr><th>model<th>picture<th>colour<th>segmentation<th>depth<th>where the difference is</tr>"]
    for result in worst_models(results):
        rows.append(
            f"<tr><td>{html.escape(result['model'])}<td>{result['size']} {result['setting']}<td>{result['color']:.3f}"
            f"<td>{result['segmentation']:.2f}%<td>{result['depth']:.2f}%<td>{html.escape(result['cause'])}</tr>"
        )
    rows.append("</table>")
    for result in sorted(results, key=lambda result: -result["color"]):
        a, b = result["pictures"]
        difference = np.clip(4 * np.abs(a.astype(int) - b), 0, 255).astype(np.uint8)
        text = html.escape(
            f"{result['model']} {result['size']} {result['setting']}: colour {result['color']:.2f}, "
            f"segmentation {result['segmentation']:.2f}%, depth {result['depth']:.2f}%; {result['cause']}"
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
    count = max(1, min(options.count, len(found)))
    places = [index * len(found) // count for index in range(count)] + [len(found)]
    results: List[Dict[str, Any]] = []
    skipped = 0
    for start, end in zip(places, places[1:]):
        # Of each stretch the first model that MuJoCo loads.
        for path in found[start:end]:
            try:
                results += compare(path)
                break
            except (ValueError, RuntimeError) as problem:
                skipped += 1
                print(f"skipped {path.name}: {str(problem).splitlines()[0]}")
        else:
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
    print("the worst models:")
    for result in worst_models(results):
        print(f"  {result['color']:6.3f}  {result['model']} {result['size']} {result['setting']}: {result['cause']}")
    mean = float(np.mean([r["color"] for r in results]))
    worst = max(r["color"] for r in results)
    segmentation = min(r["segmentation"] for r in results)
    depth = min(r["depth"] for r in results)
    in_one_place = max(r["contested"] for r in results)
    inner = sum(r["inner"] for r in results)
    print(
        f"{len(results)} pictures of {len(results) // 4} models: mean colour difference {mean:.3f} (worst {worst:.3f}), least segmentation {segmentation:.3f}% "
        f"({inner} pixels differ off edges), least depth {depth:.3f}%; two surfaces in one place: up to {in_one_place:.3f}% set aside; "
        f"{skipped} files skipped; {options.page}"
    )
    good = mean <= 2 and worst <= 6 and segmentation >= 99.5 and inner == 0 and depth >= 99.5
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
