"""Distances of points from the surfaces of shapes, to check contact points without a reference.

Negative inside. Exact, except outside a mesh, where the distance to the nearest face plane is a lower bound.
"""

import numpy as np


def outside_and_inside(excess):
    """Distance from per-axis excesses over a convex product shape."""
    return np.linalg.norm(np.maximum(excess, 0), axis=1) + np.minimum(excess.max(axis=1), 0)


def ellipsoid(points, size):
    """By the foot of the perpendicular: y = e² q / (t + e²) with Σ(e q / (t + e²))² = 1, found by bisection."""
    q = np.abs(points) + 1e-200
    squares = size**2
    least = squares.min(axis=1)
    low, high = -least, np.linalg.norm(size * q, axis=1) + squares.max(axis=1)
    for _ in range(200):
        middle = 0.5 * (low + high)
        with np.errstate(all="ignore"):
            value = ((size * q / (middle[:, None] + squares)) ** 2).sum(axis=1)
        beyond = ~(value <= 1)
        low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
    with np.errstate(all="ignore"):
        foot = squares * q / (high[:, None] + squares)
    inside = ((q / size) ** 2).sum(axis=1) < 1
    distance = np.linalg.norm(q - foot, axis=1)
    return np.where(inside, -distance, distance)


def hull_planes(model, mesh):
    """Outward normals and offsets of the faces of a mesh's hull."""
    start = model.mesh_graphadr[mesh]
    vertices, faces = model.mesh_graph[start : start + 2]
    first = start + 2 + 2 * vertices + vertices + 3 * faces
    corners = model.mesh_graph[first : first + 3 * faces].reshape(-1, 3)
    points = model.mesh_vert[model.mesh_vertadr[mesh] :].astype(float)[: model.mesh_vertnum[mesh]]
    a, b, c = (points[corners[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    keep = length > 1e-9 * length.max()
    normal = normal[keep] / length[keep, None]
    center = points[np.unique(corners)].mean(axis=0)
    sign = np.where(np.einsum("ni,ni->n", normal, a[keep] - center) < 0, -1.0, 1.0)
    normal *= sign[:, None]
    return normal, np.einsum("ni,ni->n", normal, a[keep])


def mesh(points, planes):
    normal, offset = planes
    found = np.empty(len(points))
    for start in range(0, len(points), 4096):
        part = slice(start, start + 4096)
        found[part] = (points[part] @ normal.T - offset).max(axis=1)
    return found


def distance(bench, geom, points, size):
    """Distance of points in the frame of a geom; `None` for shapes whose contacts are not on one surface."""
    kind = bench.kinds[geom]
    if kind == "plane":
        return points[:, 2]
    if kind == "sphere":
        return np.linalg.norm(points, axis=1) - size[:, 0]
    if kind == "capsule":
        along = np.clip(points[:, 2], -size[:, 1], size[:, 1])
        return np.linalg.norm(points - along[:, None] * [0, 0, 1], axis=1) - size[:, 0]
    if kind == "ellipsoid":
        return ellipsoid(points, size)
    if kind == "cylinder":
        radial = np.hypot(points[:, 0], points[:, 1]) - size[:, 0]
        return outside_and_inside(np.column_stack([radial, np.abs(points[:, 2]) - size[:, 1]]))
    if kind == "box":
        return outside_and_inside(np.abs(points) - size)
    if kind == "mesh":
        return mesh(points, hull_planes(bench.model, bench.model.geom_dataid[geom]))
    return None


def excess(bench, records, contacts):
    """By how much contact points are farther outside a shape than half the contact distance; the larger of both geoms."""
    half = 0.5 * np.abs(contacts[:, 0])
    if "hfield" in bench.kinds:
        half = half + 0.5 * records[:, 0]  # the test of a height field grows the shape by the margin
    worst = np.zeros(len(contacts))
    for geom, start in ((0, 1), (1, 17)):
        position, rotation = records[:, start + 4 : start + 7], records[:, start + 7 : start + 16].reshape(-1, 3, 3)
        local = np.einsum("nji,nj->ni", rotation, contacts[:, 1:4] - position)
        found = distance(bench, geom, local, records[:, start : start + 3])
        if found is not None:
            worst = np.maximum(worst, found - half)
    return worst
