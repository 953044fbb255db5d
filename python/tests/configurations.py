"""Random placements of shapes that reach the special cases, and comparison to the last bit.

A record is a row of numbers as the `_collide_*` and `_cast_*` hooks take them. The generators mix general positions with exact
touching, alignment, equal sizes, flat and empty shapes, and concentric placement, because the branches live there.
"""

import itertools
import os

import numpy as np
from conftest import same_bits

# Configurations per case; raise it for a long run.
COUNT = int(os.environ.get("CONDYLE_CONFIGURATIONS", "2000"))


def matrices(quaternions):
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    rows = [
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z,
    ]  # fmt: skip
    return np.stack(rows, 1)


def quarter_turns():
    found = []
    for axes in itertools.permutations(range(3)):
        for signs in itertools.product([1.0, -1.0], repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), axes] = signs
            if np.linalg.det(matrix) > 0:
                found.append(matrix.ravel())
    return np.array(found)


QUARTER_TURNS = quarter_turns()


def rotations(rng, n):
    """Any, aligned with the world, and aligned up to a turn about one axis."""
    found = matrices(rng.normal(size=(n, 4)))
    kind = rng.integers(0, 6, n)
    aligned = kind == 0
    found[aligned] = QUARTER_TURNS[rng.integers(0, 24, aligned.sum())]
    turned = kind == 1
    count = turned.sum()
    tiny = rng.uniform(-1, 1, count) * 10.0 ** rng.integers(-15, -2, count)
    angle = np.where(rng.random(count) < 0.5, rng.integers(0, 24, count) * np.pi / 12, tiny)
    quaternion = np.zeros((count, 4))
    quaternion[:, 0] = np.cos(angle / 2)
    quaternion[np.arange(count), 1 + rng.integers(0, 3, count)] = np.sin(angle / 2)
    first = QUARTER_TURNS[rng.integers(0, 24, count)].reshape(-1, 3, 3)
    found[turned] = (first @ matrices(quaternion).reshape(-1, 3, 3)).reshape(-1, 9)
    found[kind == 2] = np.eye(3).ravel()
    return found


def sizes(rng, n):
    """Any, multiples of a quarter, all three equal, one tiny, one zero."""
    found = np.exp(rng.uniform(np.log(0.02), 0, (n, 3)))
    kind = rng.integers(0, 6, n)
    found[kind == 0] = rng.integers(1, 5, ((kind == 0).sum(), 3)) * 0.25
    found[kind == 1] = found[kind == 1][:, :1]
    axis = rng.integers(0, 3, n)
    tiny = np.nonzero(kind == 2)[0]
    found[tiny, axis[tiny]] *= 10.0 ** -rng.integers(1, 9, len(tiny)).astype(float)
    empty = np.nonzero(rng.random(n) < 0.03)[0]
    found[empty, axis[empty]] = 0
    return found


def turn(rotation, vector):
    return np.einsum("nij,nj->ni", rotation.reshape(-1, 3, 3), vector)


def reach(shape, size):
    return {
        "plane": lambda: np.zeros(len(size)),
        "sphere": lambda: size[:, 0],
        "capsule": lambda: size[:, 0] + size[:, 1],
        "cylinder": lambda: np.hypot(size[:, 0], size[:, 1]),
        "box": lambda: np.linalg.norm(size, axis=1),
    }[shape]()


def positions(rng, n):
    found = rng.uniform(-1, 1, (n, 3))
    kind = rng.random(n)
    found[kind < 0.4] = rng.integers(-4, 5, ((kind < 0.4).sum(), 3)) * 0.25
    found[kind < 0.1] = 0
    return found


def pair_records(rng, n, shape1, shape2):
    """Margin, then size, position and rotation of two shapes from apart to nested."""
    size1, size2 = sizes(rng, n), sizes(rng, n)
    same = rng.random(n) < 0.15
    size2[same] = size1[same]
    rotation1, rotation2 = rotations(rng, n), rotations(rng, n)
    same = rng.random(n) < 0.15
    rotation2[same] = rotation1[same]
    position1 = positions(rng, n)

    both = reach(shape1, size1) + reach(shape2, size2)
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    kind = rng.integers(0, 8, n)
    axial = np.nonzero(kind < 2)[0]
    axis = rng.integers(0, 3, len(axial))
    sign = rng.choice([-1, 1], len(axial))[:, None]
    direction[axial] = rotation1[axial].reshape(-1, 3, 3)[np.arange(len(axial)), :, axis] * sign
    offset = direction * (rng.random(n) * 1.2 * both)[:, None]
    # Sums of sizes along the axes of the first shape: touching exactly, or almost.
    touching = rng.integers(-1, 2, (n, 3)) * size1 + rng.integers(-1, 2, (n, 3)) * size2
    almost = touching + rng.uniform(-1, 1, (n, 3)) * 10.0 ** rng.integers(-17, -1, (n, 1))
    offset[kind == 2] = turn(rotation1, touching)[kind == 2]
    offset[kind == 3] = turn(rotation1, almost)[kind == 3]
    offset[(kind == 4) & (rng.random(n) < 0.3)] = 0
    offset[kind == 5] = np.round(offset[kind == 5] * 4) / 4
    if shape1 == "plane":
        height = rng.uniform(-1.1, 1.2, n) * both
        over = turn(rotation1, np.column_stack([rng.uniform(-1, 1, (n, 2)), height]))
        chosen = rng.random(n) < 0.4
        offset[chosen] = over[chosen]

    margin = rng.uniform(0, 0.4, n) * 10.0 ** -rng.integers(0, 3, n).astype(float)
    margin[rng.random(n) < 0.5] = 0
    columns = [margin, size1, position1, rotation1, size2, position1 + offset, rotation2]
    return np.ascontiguousarray(np.column_stack(columns))


def ray_records(rng, n, size=None):
    """Size, position and rotation of a shape, origin and direction of a ray aimed around its surface."""
    size = sizes(rng, n) if size is None else np.tile(size, (n, 1))
    rotation, position = rotations(rng, n), positions(rng, n)
    local = rng.uniform(-1.1, 1.1, (n, 3)) * size
    exact = rng.random(n) < 0.3
    local[exact] = (rng.integers(-1, 2, (n, 3)) * size)[exact]
    target = position + turn(rotation, local)
    away = rng.normal(size=(n, 3)) * np.where(rng.random(n) < 0.7, 2.0, 0.2)[:, None]
    axial = np.zeros((n, 3))
    axial[np.arange(n), rng.integers(0, 3, n)] = rng.uniform(-3, 3, n)
    kind = rng.random(n)
    away[kind < 0.25] = axial[kind < 0.25]
    away[kind < 0.1] = turn(rotation, axial)[kind < 0.1]
    direction = -away * np.exp(rng.uniform(-2, 2, (n, 1)))
    direction[rng.random(n) < 0.1] *= -1
    direction[np.linalg.norm(direction, axis=1) < 1e-9] = [0, 0, 1]
    columns = [size, position, rotation, target + away, direction]
    return np.ascontiguousarray(np.column_stack(columns))


def contacts(data):
    """Distance, position and frame of the reference's contacts, one per row."""
    n = data.ncon
    if n == 0:
        return np.zeros((0, 13))
    found = data.contact
    return np.column_stack([found.dist.reshape(n, 1), found.pos.reshape(n, 3), found.frame.reshape(n, 9)])


def assert_same_contacts(found, expected, records):
    """Compare the hooks' (counts, contacts) with a list of arrays, record by record."""
    counts, rows = found
    ends = np.cumsum(counts)
    different = [
        i
        for i, theirs in enumerate(expected)
        if not same_bits(rows[ends[i] - counts[i] : ends[i]], theirs, any_nan=True)
    ]
    if different:
        i = different[0]
        ours = rows[ends[i] - counts[i] : ends[i]]
        message = f"{len(different)} of {len(records)} differ; first: {records[i].tolist()}"
        raise AssertionError(f"{message}\nours   {ours.tolist()}\ntheirs {expected[i].tolist()}")
