"""Every pair of shapes in many random placements, beside the reference.

    python conformance/collisions.py [--cases 100000] [--only NAME] [--json FILE] [--most-seconds S]

Placements are apart, touching, shallow, deep, parallel, nested and concentric, with sizes down to zero. Each goes through bounding
spheres and the test of the pair in both engines. Per pair and algorithm the run counts placements whose contacts agree to the last
bit, the largest difference in depth where they do not, and placements with the same number of contacts. Invariants that need no
reference: normals are unit vectors; exchanging the geoms changes nothing but the sign of the normal (pairs without an order of their
own); a contact point is not farther outside either shape than half the distance between them. Swaps and points are counted when they
miss by more than 1e-6 m, on shapes without vanishing sizes.

Closed-form pairs must agree to the last bit, the others within 1e-9 in depth and for 99.9% of the placements in the number of contacts;
otherwise the run fails.
"""

import argparse
import ctypes
import json
import pathlib
import sys
import time

import mujoco
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python" / "tests"), str(ROOT / "conformance")]
import condyle  # noqa: E402
from compare import to_condyle  # noqa: E402
from condyle import _condyle  # noqa: E402
from configurations import matrices, positions, rotations, sizes, turn  # noqa: E402
from test_convex_pairs import MESHES  # noqa: E402
import surfaces  # noqa: E402

CHUNK = 5000
SAMPLE = 1000  # placements of each chunk on which invariants are checked
NEAR = 1e-6  # a difference that the invariants count
CLOSED = [
    "plane-sphere", "plane-capsule", "plane-cylinder", "plane-box", "sphere-sphere", "sphere-capsule", "sphere-cylinder",
    "sphere-box", "capsule-capsule", "capsule-box", "box-box",
]  # fmt: skip
SUPPORT = ["plane-ellipsoid", "plane-mesh", "plane-sdf"]
CONVEX = [
    "sphere-ellipsoid", "sphere-mesh", "capsule-ellipsoid", "capsule-cylinder", "capsule-mesh", "ellipsoid-ellipsoid",
    "ellipsoid-cylinder", "ellipsoid-box", "ellipsoid-mesh", "cylinder-cylinder", "cylinder-box", "cylinder-mesh", "box-mesh",
    "mesh-mesh",
]  # fmt: skip
FIELD = [f"hfield-{shape}" for shape in ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")]
SDF = [f"{shape}-sdf" for shape in ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")]
ALGORITHMS = {
    "native": (True, False), "native, multiple": (True, True), "portal": (False, False), "portal, multiple": (False, True),
}  # fmt: skip
# Pairs whose test takes the geoms in any order.
SYMMETRIC = {*CONVEX, "sphere-sphere", "capsule-capsule", "box-box"}
GAPS = np.array([0, *(s * 10.0**p for p in (-15, -12, -9, -7, -6, -4, -3, -2) for s in (1, -1)), 0.05, -0.05, -0.2, -0.4])
FIXED = ("plane", "hfield")
FROM_ASSET = ("mesh", "sdf", "hfield")


def rows_of_campaign():
    """Pair and algorithm of every row."""
    plain = [(pair, "closed form") for pair in CLOSED] + [(pair, "support") for pair in SUPPORT]
    return plain + [(pair, name) for pair in CONVEX + FIELD for name in ALGORITHMS] + [(pair, "descent") for pair in SDF]


class Bench:
    """Two geoms in both engines, and their placements."""

    def __init__(self, pair, algorithm, rng):
        self.kinds, self.rng = pair.split("-"), rng
        names = [str(rng.choice(list(MESHES))) for _ in self.kinds]
        used = [name for kind, name in zip(self.kinds, names) if kind in ("mesh", "sdf")]
        assets = "".join(
            f'<mesh name="{name}" inertia="shell" vertex="{" ".join(repr(float(x)) for x in np.ravel(MESHES[name]))}"/>'
            for name in dict.fromkeys(used)
        )
        if "hfield" in self.kinds:
            assets += '<hfield name="field" nrow="14" ncol="18" size="1.5 1.2 0.6 0.2"/>'
        bodies = ""
        for index, (kind, name) in enumerate(zip(self.kinds, names)):
            shape = {"mesh": f'mesh="{name}"', "sdf": f'mesh="{name}"', "hfield": 'hfield="field"'}.get(kind, 'size="1 1 1"')
            joint = "" if kind in FIXED else "<freejoint/>"
            bodies += f'<body>{joint}<geom name="g{index}" type="{kind}" {shape} contype="0" conaffinity="0"/></body>'
        model = mujoco.MjModel.from_xml_string(
            f"<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody>"
            '<contact><pair geom1="g0" geom2="g1"/></contact></mujoco>'
        )
        model.vis.global_.bvactive = 0
        native, multiple = ALGORITHMS.get(algorithm, (True, False))
        model.opt.disableflags = 0 if native else mujoco.mjtDisableBit.mjDSBL_NATIVECCD
        model.opt.enableflags = mujoco.mjtEnableBit.mjENBL_MULTICCD if multiple else 0
        if rng.random() < 0.1:
            model.opt.ccd_iterations = int(rng.choice([8, 50, 170]))
            model.opt.ccd_tolerance = float(rng.choice([1e-4, 1e-9, 1e-12]))
        if "hfield" in self.kinds:
            model.hfield_data[:] = self.terrain(14, 18)
        self.model, self.data = model, mujoco.MjData(model)
        mujoco.mj_forward(model, self.data)
        self.ours = to_condyle(model)
        self.our_data = condyle.MjData(self.ours)

    def terrain(self, rows, columns):
        kind = self.rng.random()
        if kind < 0.3:
            return np.full(rows * columns, self.rng.choice([0.0, 0.5, 1.0]))
        if kind < 0.6:
            x, y = np.meshgrid(np.linspace(0, 6, columns), np.linspace(0, 5, rows))
            return (0.5 + 0.5 * np.sin(x) * np.cos(y)).ravel()
        return self.rng.random(rows * columns)

    def vertices(self, geom):
        mesh = self.model.geom_dataid[geom]
        start = self.model.mesh_vertadr[mesh]
        return self.model.mesh_vert[start : start + self.model.mesh_vertnum[mesh]].astype(float)

    def reach(self, geom, size, rotation, direction):
        """How far a geom extends from its centre along `direction`."""
        local = np.einsum("nji,nj->ni", rotation.reshape(-1, 3, 3), direction)
        kind = self.kinds[geom]
        if kind in ("mesh", "sdf"):
            return (local @ self.vertices(geom).T).max(axis=1)
        return {
            "sphere": lambda: size[:, 0],
            "capsule": lambda: size[:, 0] + size[:, 1] * np.abs(local[:, 2]),
            "ellipsoid": lambda: np.linalg.norm(local * size, axis=1),
            "cylinder": lambda: size[:, 0] * np.hypot(local[:, 0], local[:, 1]) + size[:, 1] * np.abs(local[:, 2]),
            "box": lambda: (np.abs(local) * size).sum(axis=1),
        }[kind]()

    def sizes_and_radii(self, geom, n):
        kind = self.kinds[geom]
        if kind in FROM_ASSET or kind == "plane":
            size = np.tile(self.model.geom_size[geom], (n, 1))
            return size, np.full(n, self.model.geom_rbound[geom])
        size = sizes(self.rng, n)
        radius = {
            "sphere": lambda: size[:, 0],
            "capsule": lambda: size[:, 0] + size[:, 1],
            "ellipsoid": lambda: size.max(axis=1),
            "cylinder": lambda: np.hypot(size[:, 0], size[:, 1]),
            "box": lambda: np.linalg.norm(size, axis=1),
        }[kind]()
        return size, radius

    def placements(self, n):
        """Records: margin, then size, bounding radius, position and rotation of each geom."""
        rng = self.rng
        margin = np.where(rng.random(n) < 0.6, 0.0, rng.choice([1e-3, 0.01, 0.1, 0.3], n))
        (size1, radius1), (size2, radius2) = self.sizes_and_radii(0, n), self.sizes_and_radii(1, n)
        if self.kinds[0] == self.kinds[1]:
            same = rng.random(n) < 0.15
            size2[same], radius2[same] = size1[same], radius1[same]
        rotation1, rotation2 = rotations(rng, n), rotations(rng, n)
        parallel = rng.random(n) < 0.2
        rotation2[parallel] = rotation1[parallel]
        nearly = np.nonzero(rng.random(n) < 0.05)[0]
        small = np.column_stack([np.ones(len(nearly)), rng.normal(size=(len(nearly), 3)) * 1e-6])
        tilted = rotation1[nearly].reshape(-1, 3, 3) @ matrices(small).reshape(-1, 3, 3)
        rotation2[nearly] = tilted.reshape(-1, 9)
        position1 = np.where(rng.random((n, 1)) < 0.3, 0.0, positions(rng, n))
        gap = np.where(rng.random(n) < 0.7, rng.choice(GAPS, n), rng.uniform(-0.5, 0.3, n))
        position2 = position1 + self.offsets(n, margin, gap, size1, rotation1, size2, rotation2)
        columns = [margin, size1, radius1, position1, rotation1, size2, radius2, position2, rotation2]
        return np.ascontiguousarray(np.column_stack(columns))

    def offsets(self, n, margin, gap, size1, rotation1, size2, rotation2):
        rng = self.rng
        if self.kinds[0] in FIXED:
            up = rotation1.reshape(-1, 3, 3)[:, :, 2]
            height = self.reach(1, size2, rotation2, -up) + gap
            local = np.column_stack([rng.uniform(-1.6, 1.6, (n, 2)), height])
            if self.kinds[0] == "hfield":
                anywhere = rng.random(n) < 0.7
                local[:, 2] += 0.3
                local[anywhere, 2] = rng.uniform(-0.5, 1.2, anywhere.sum())
            return turn(rotation1, local)
        direction = rng.normal(size=(n, 3))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        axial = np.nonzero(rng.random(n) < 0.4)[0]
        axis, sign = rng.integers(0, 3, len(axial)), rng.choice([-1.0, 1.0], (len(axial), 1))
        direction[axial] = rotation1[axial].reshape(-1, 3, 3)[np.arange(len(axial)), :, axis] * sign
        apart = self.reach(0, size1, rotation1, direction) + self.reach(1, size2, rotation2, -direction) + gap
        apart += np.where(rng.random(n) < 0.3, margin, 0)
        nested = rng.random(n) < 0.08
        apart[nested] *= rng.uniform(0, 0.5, nested.sum())
        aside = np.where(rng.random((n, 1)) < 0.2, rng.choice([0, 0.1, 0.25, 0.5], (n, 3)), 0.0)
        aside -= direction * np.einsum("ni,ni->n", direction, aside)[:, None]
        offset = direction * apart[:, None] + aside
        offset[rng.random(n) < 0.03] = 0
        return offset

    def reference_contacts(self, records):
        """Number of contacts per record, and rows of distance, position and frame."""
        model, data = self.model, self.data
        margin, size, radius = model.pair_margin, model.geom_size, model.geom_rbound
        position, rotation = data.geom_xpos, data.geom_xmat
        table, collide = self.contact_table(), mujoco.mj_collision
        parts = records[:, 1:].reshape(-1, 2, 16)
        all_sizes, all_radii = np.ascontiguousarray(parts[:, :, :3]), np.ascontiguousarray(parts[:, :, 3])
        all_positions, all_rotations = np.ascontiguousarray(parts[:, :, 4:7]), np.ascontiguousarray(parts[:, :, 7:])
        counts, found = np.zeros(len(records), np.int64), []
        for i in range(len(records)):
            margin[0] = records[i, 0]
            size[:] = all_sizes[i]
            radius[:] = all_radii[i]
            position[:] = all_positions[i]
            rotation[:] = all_rotations[i]
            collide(model, data)
            count = data.ncon
            if count:
                counts[i] = count
                found.append(table[:count].copy())
        return counts, np.concatenate(found) if found else np.zeros((0, 13))

    def contact_table(self):
        """Distance, position and frame of the reference's contacts where they lie in its memory."""
        model, data = self.model, self.data
        data.geom_xpos[:], kept = 0, model.pair_margin[0]
        model.pair_margin[0] = 1.0
        data.geom_xpos[1] = data.geom_xmat[0].reshape(3, 3)[:, 2] * (0.2 if self.kinds[0] in FIXED else 1e-3)
        mujoco.mj_collision(model, data)
        if data.ncon == 0:
            raise RuntimeError("no contact to look at")
        pos = data.contact.pos
        first, stride = data.contact[0].pos.ctypes.data - 8, ctypes.sizeof(ctypes.c_double) * 13
        if data.ncon > 1:
            stride = data.contact[1].pos.ctypes.data - data.contact[0].pos.ctypes.data
        else:
            stride = pos.strides[0]
        model.pair_margin[0] = kept
        memory = (ctypes.c_char * (stride * 50)).from_address(first)
        return np.ndarray((50, 13), np.float64, memory, strides=(stride, 8))

    def our_contacts(self, records, swap=False):
        return _condyle._instruments.narrow_contacts(self.ours, self.our_data, records, swap)


class Row:
    """Figures of one pair and algorithm."""

    def __init__(self, pair, algorithm):
        self.pair, self.algorithm = pair, algorithm
        self.cases = self.touching = self.contacts = self.identical = self.equal_count = 0
        self.depth = self.normal = self.swap_depth = self.off_surface = 0.0
        self.swap_count = self.swap_off = self.swapped = self.checked = self.off = 0
        self.first = None

    def add(self, bench, records):
        ours, theirs = bench.our_contacts(records), bench.reference_contacts(records)
        self.compare(records, ours, theirs)
        self.invariants(bench, records, ours)

    def compare(self, records, ours, theirs):
        (counts, rows), (their_counts, their_rows) = ours, theirs
        self.cases += len(records)
        self.contacts += len(rows)
        self.touching += int((counts > 0).sum())
        equal = counts == their_counts
        self.equal_count += int(equal.sum())
        a, b = rows[np.repeat(equal, counts)], their_rows[np.repeat(equal, their_counts)]
        owner = np.repeat(np.arange(len(records)), counts)[np.repeat(equal, counts)]
        same = ((a.view(np.int64) == b.view(np.int64)) | (np.isnan(a) & np.isnan(b))).all(axis=1)
        different = ~equal
        different[owner[~same]] = True
        self.identical += int((~different).sum())
        depth = smallest(counts, rows), smallest(their_counts, their_rows)
        both = equal & (counts > 0) & np.isfinite(depth[0]) & np.isfinite(depth[1])
        self.depth = max(self.depth, float(np.abs(depth[0][both] - depth[1][both]).max(initial=0)))
        if different.any() and self.first is None:
            self.first = records[np.argmax(different)].tolist()

    def invariants(self, bench, records, ours):
        # A part of the placements is enough for these.
        records, counts = records[:SAMPLE], ours[0][:SAMPLE]
        rows = ours[1][: counts.sum()]
        solid = np.ones(len(records), bool)
        for kind, start in zip(bench.kinds, (1, 17)):
            if kind not in FROM_ASSET and kind != "plane":
                used = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
                solid &= (records[:, start : start + used] > 1e-5).all(axis=1)
        usable = np.repeat(solid, counts)
        if usable.any():
            self.normal = max(self.normal, float(np.abs(np.linalg.norm(rows[usable, 4:7], axis=1) - 1).max()))
            excess = surfaces.excess(bench, np.repeat(records, counts, axis=0)[usable], rows[usable])
            self.checked += len(excess)
            self.off += int((excess > NEAR).sum())
            self.off_surface = max(self.off_surface, float(excess.max(initial=0)))
        if self.pair in SYMMETRIC:
            swapped_counts, swapped_rows = bench.our_contacts(np.ascontiguousarray(records), True)
            self.swapped += int(solid.sum())
            both = solid & (counts > 0) & (swapped_counts > 0)
            with np.errstate(invalid="ignore"):
                difference = np.abs(smallest(counts, rows) - smallest(swapped_counts, swapped_rows))
            self.swap_count += int((solid & (swapped_counts != counts)).sum())
            self.swap_off += int((both & (difference > NEAR)).sum())
            self.swap_depth = max(self.swap_depth, float(difference[both].max(initial=0)))

    def passes(self):
        if self.algorithm == "closed form":
            return self.identical == self.cases
        return self.depth <= 1e-9 and self.equal_count >= 0.999 * self.cases

    def line(self):
        swap = f"{self.swap_count} / {self.swap_off} / {self.swap_depth:.0e}" if self.swapped else "-"
        return (
            f"| {self.pair} | {self.algorithm} | {self.cases} | {100 * self.touching / max(self.cases, 1):.0f}% | "
            f"{self.identical} | {self.depth:.1g} | {100 * self.equal_count / max(self.cases, 1):.4f}% | {self.normal:.1e} | "
            f"{swap} | {self.off} of {self.checked} / {self.off_surface:.0e} |"
        )


HEADER = """| pair | algorithm | cases | touching | identical bits | depth difference | equal count | normal − 1 | swap: other count / other depth / worst | outside: contacts / worst |
|---|---|---|---|---|---|---|---|---|---|"""


def smallest(counts, rows):
    """Smallest distance per record; infinite without contacts."""
    found = np.full(len(counts), np.inf)
    np.fmin.at(found, np.repeat(np.arange(len(counts)), counts), rows[:, 0])
    return found


def run_row(pair, algorithm, cases, seed=0, most_seconds=float("inf")):
    rng = np.random.default_rng([seed, *f"{pair} {algorithm}".encode()])
    row, started = Row(pair, algorithm), time.monotonic()
    while row.cases < cases and time.monotonic() - started < most_seconds:
        # A short run, too, sees several meshes; signed distance fields are slow to make.
        n = min(CHUNK, cases - row.cases, cases if "sdf" in pair else max(1, cases // 4))
        bench = Bench(pair, algorithm, rng)
        row.add(bench, bench.placements(n))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most-seconds", type=float, default=float("inf"), help="limit per row")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    args = parser.parse_args()
    mujoco.set_mju_user_warning(lambda message: None)
    print(HEADER, flush=True)
    rows = []
    for pair, algorithm in rows_of_campaign():
        if args.only in f"{pair} {algorithm}":
            rows.append(run_row(pair, algorithm, args.cases, args.seed, args.most_seconds))
            print(rows[-1].line(), flush=True)
            if rows[-1].first is not None:
                print("first difference:", rows[-1].first, file=sys.stderr, flush=True)
            if args.json:
                args.json.write_text(json.dumps([vars(row) for row in rows], indent=1))
    failed = [row for row in rows if not row.passes()]
    cases = sum(row.cases for row in rows)
    print(f"{cases} placements, {sum(row.identical for row in rows)} identical, {len(failed)} of {len(rows)} rows fail")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
