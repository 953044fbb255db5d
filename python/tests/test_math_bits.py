"""Every `mju_*` function against the reference, to the last bit.

Each case is drawn at random (sizes, zeros of both signs, very large and very small values), given to both modules on separate
copies, and all arrays and the returned value are compared as bits. NaN equals NaN whatever its payload.
"""

import copy

import condyle
import mujoco
import numpy as np
import pytest

CASES = 1000


class Draw:
    """Random arguments."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def number(self):
        return float(self.vector(1)[0])

    def unit(self):
        return float(self.rng.random())

    def size(self, low=1, high=20):
        return int(self.rng.integers(low, high))

    def array(self, *shape):
        values = self.rng.standard_normal(shape)
        kind = self.rng.random(shape)
        values[kind < 0.08] = 0.0
        values[(kind >= 0.08) & (kind < 0.12)] = -0.0
        if self.rng.random() < 0.2:
            values *= 10.0 ** self.rng.integers(-40, 40, shape)
        if self.rng.random() < 0.05:
            values = np.round(values)
        return values

    def vector(self, n):
        return self.array(n)

    def quat(self):
        q = self.vector(4)
        chance = self.rng.random()
        if chance < 0.1:
            return np.array([1.0, 0.0, 0.0, 0.0])
        return q / np.linalg.norm(q) if chance < 0.8 and np.linalg.norm(q) > 0 else q

    def rotation(self):
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, self.quat())
        return mat

    def spd(self, n):
        a = self.rng.standard_normal((n, n))
        return a @ a.T + (0.1 if self.rng.random() < 0.8 else -0.5) * np.eye(n)

    def band(self):
        """Shape of a band matrix and the number of values stored for it."""
        total = self.size(1, 14)
        dense = int(self.rng.integers(0, total + 1))
        band = int(self.rng.integers(1, total + 1))
        return total, band, dense, (total - dense) * band + dense * total

    def band_values(self, total, band, dense):
        """A positive definite band matrix, most of the time."""
        full = self.rng.standard_normal((total, total)) * 0.5
        full = full + full.T + np.eye(total) * (total if self.rng.random() < 0.9 else 0.5)
        values = self.vector((total - dense) * band + dense * total)
        mujoco.mju_dense2Band(values, full, total, band, dense)
        return values


def square(d):
    n = d.size(1, 12)
    return n, d.array(n, n)


def muscle(d):
    p = np.array([0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2])
    if d.unit() < 0.9:
        p = p * (0.5 + d.rng.random(9))
    if d.unit() < 0.5:
        p[2] = abs(d.number())
    return p


def factor(d):
    n = d.size(1, 12)
    mat = d.spd(n)
    mujoco.mju_cholFactor(mat, 1e-10)
    return n, mat


def band_factor(d):
    total, band, dense, stored = d.band()
    mat = d.band_values(total, band, dense)
    mujoco.mju_cholFactorBand(mat, total, band, dense, 0.0, 0.0)
    return total, band, dense, mat


def box(d):
    n = d.size(1, 8)
    h = d.spd(n)
    h = (h + h.T) / 2
    lower = d.rng.standard_normal(n) - 1
    upper = lower + d.rng.random(n) * 2 + 1e-3
    lower = None if d.unit() < 0.1 else lower
    upper = None if d.unit() < 0.1 else upper
    # The reference keeps work arrays behind the factor; only the factor is compared, through its use in the solution.
    return d.rng.standard_normal(n), np.zeros((n, n + 7)), h, d.rng.standard_normal(n) * 3, lower, upper


def vectors(count, *scalars):
    def draw(d):
        n = d.size(1, 40)
        return [d.vector(n) for _ in range(count)] + [d.number() for _ in scalars]

    return draw


def product(shape):
    def draw(d):
        r, k, c = d.size(1, 12), d.size(1, 12), d.size(1, 12)
        return [d.array(*s) for s in shape(r, k, c)]

    return draw


def sparse(d):
    r, c = d.size(1, 10), d.size(1, 10)
    mat = d.array(r, c)
    mat[d.rng.random((r, c)) < 0.5] = 0.0
    n = int((mat != 0).sum()) + int(d.rng.integers(-2, 3))
    n = max(n, 0)
    i4 = np.int32
    return [np.zeros(n), mat, np.zeros(r, i4), np.zeros(r, i4), np.zeros(n, i4)]


def compressed(d):
    args = sparse(d)
    n = args[1].size
    res, col = np.zeros(n), np.zeros(n, np.int32)
    mujoco.mju_dense2sparse(res, args[1], args[2], args[3], col)
    return [np.zeros_like(args[1]), res, args[2], args[3], col]


def gram(d):
    r, c = d.size(1, 12), d.size(1, 12)
    return [d.array(c, c), d.array(r, c), None if d.unit() < 0.4 else d.vector(r)]


def with_pivot(d):
    n = d.size(1, 12)
    return [d.spd(n), 1e-10 if d.unit() < 0.8 else 0.3]


def cholesky_solve(d):
    n, mat = factor(d)
    return [np.zeros(n), mat, d.vector(n)]


def cholesky_update(d):
    n, mat = factor(d)
    return [mat, d.vector(n) * (1.0 if d.unit() < 0.5 else 0.01), int(d.unit() < 0.5)]


def band_solve(d):
    total, band, dense, mat = band_factor(d)
    return [np.zeros(total), mat, d.vector(total), total, band, dense]


def band_multiply(d):
    total, band, dense, stored = d.band()
    sym = int(d.unit() < 0.5)
    return [np.zeros(total), d.array(stored, 1), d.array(total, 1), total, band, dense, 1, sym]


def band_expand(d):
    total, band, dense, stored = d.band()
    return [d.array(total, total), d.vector(stored), total, band, dense, int(d.unit() < 0.5)]


def band_take(d):
    total, band, dense, stored = d.band()
    return [d.vector(stored), d.array(total, total), total, band, dense]


def band_cholesky(d):
    total, band, dense, stored = d.band()
    return [d.band_values(total, band, dense), total, band, dense, d.unit() * 0.1, d.unit() * 0.1]


def eigen(d):
    m = d.array(3, 3)
    if d.unit() < 0.3:
        m = np.diag(d.vector(3))
    m = m + m.T
    return [np.zeros(3), np.zeros(9), np.zeros(4), m.ravel()]


def pyramid(d):
    n = d.size(2, 6)
    return n, d.rng.random(n) + 0.1


def encode(d):
    n, mu = pyramid(d)
    return [np.zeros(2 * n), d.vector(n + 1), mu]


def decode(d):
    n, mu = pyramid(d)
    return [np.zeros(n + 1), d.vector(2 * n), mu]


def euler(d):
    return [np.zeros(4), d.vector(3), "".join(d.rng.choice(list("xyzXYZ"), 3))]


def spring(d):
    k, b = d.rng.random(2) * 10
    if d.unit() < 0.2:
        k = b * b / 4
    return [d.rng.standard_normal(), d.rng.standard_normal(), k, b, d.unit()]


def velocity(d):
    return d.vector(3) * (1.0 if d.unit() < 0.7 else 0.01)


Z = np.zeros

KERNELS = {
    "mju_zero3": lambda d: [d.vector(3)],
    "mju_copy3": lambda d: [Z(3), d.vector(3)],
    "mju_scl3": lambda d: [Z(3), d.vector(3), d.number()],
    "mju_add3": lambda d: [Z(3), d.vector(3), d.vector(3)],
    "mju_sub3": lambda d: [Z(3), d.vector(3), d.vector(3)],
    "mju_addTo3": lambda d: [d.vector(3), d.vector(3)],
    "mju_subFrom3": lambda d: [d.vector(3), d.vector(3)],
    "mju_addToScl3": lambda d: [d.vector(3), d.vector(3), d.number()],
    "mju_addScl3": lambda d: [Z(3), d.vector(3), d.vector(3), d.number()],
    "mju_normalize3": lambda d: [d.vector(3)],
    "mju_norm3": lambda d: [d.vector(3)],
    "mju_dot3": lambda d: [d.vector(3), d.vector(3)],
    "mju_dist3": lambda d: [d.vector(3), d.vector(3)],
    "mju_mulMatVec3": lambda d: [Z(3), d.vector(9), d.vector(3)],
    "mju_mulMatTVec3": lambda d: [Z(3), d.vector(9), d.vector(3)],
    "mju_cross": lambda d: [Z(3), d.vector(3), d.vector(3)],
    "mju_zero4": lambda d: [d.vector(4)],
    "mju_unit4": lambda d: [d.vector(4)],
    "mju_copy4": lambda d: [Z(4), d.vector(4)],
    "mju_normalize4": lambda d: [d.quat()],
    "mju_zero": vectors(1),
    "mju_fill": vectors(1, "val"),
    "mju_copy": vectors(2),
    "mju_d2n": vectors(2),
    "mju_n2d": vectors(2),
    "mju_sum": vectors(1),
    "mju_L1": vectors(1),
    "mju_scl": vectors(2, "scl"),
    "mju_add": vectors(3),
    "mju_sub": vectors(3),
    "mju_addTo": vectors(2),
    "mju_subFrom": vectors(2),
    "mju_addToScl": vectors(2, "scl"),
    "mju_addScl": vectors(3, "scl"),
    "mju_normalize": vectors(1),
    "mju_norm": vectors(1),
    "mju_dot": vectors(2),
    "mju_isZero": lambda d: [d.vector(d.size()) * (d.unit() < 0.5)],
    "mju_f2n": lambda d: [Z(5), d.rng.standard_normal(5).astype(np.float32)],
    "mju_n2f": lambda d: [Z(5, np.float32), d.vector(5)],
    "mju_insertionSort": vectors(1),
    "mju_insertionSortInt": lambda d: [d.rng.integers(-9, 9, d.size()).astype(np.int32)],
    "mju_mulMatVec": product(lambda r, k, c: [(r,), (r, c), (c,)]),
    "mju_mulMatTVec": product(lambda r, k, c: [(c,), (r, c), (r,)]),
    "mju_mulVecMatVec": product(lambda r, k, c: [(r,), (r, r), (r,)]),
    "mju_transpose": product(lambda r, k, c: [(c, r), (r, c)]),
    "mju_symmetrize": product(lambda r, k, c: [(r, r), (r, r)]),
    "mju_eye": product(lambda r, k, c: [(r, r)]),
    "mju_mulMatMat": product(lambda r, k, c: [(r, c), (r, k), (k, c)]),
    "mju_mulMatMatT": product(lambda r, k, c: [(r, c), (r, k), (c, k)]),
    "mju_mulMatTMat": product(lambda r, k, c: [(r, c), (k, r), (k, c)]),
    "mju_sqrMatTD": gram,
    "mju_dense2sparse": sparse,
    "mju_sparse2dense": compressed,
    "mju_rotVecQuat": lambda d: [Z(3), d.vector(3), d.quat()],
    "mju_negQuat": lambda d: [Z(4), d.quat()],
    "mju_mulQuat": lambda d: [Z(4), d.quat(), d.quat()],
    "mju_mulQuatAxis": lambda d: [Z(4), d.quat(), d.vector(3)],
    "mju_axisAngle2Quat": lambda d: [Z(4), d.vector(3), d.number()],
    "mju_quat2Vel": lambda d: [Z(3), d.quat(), d.unit()],
    "mju_subQuat": lambda d: [Z(3), d.quat(), d.quat()],
    "mju_quat2Mat": lambda d: [Z(9), d.quat()],
    "mju_mat2Quat": lambda d: [Z(4), d.rotation()],
    "mju_derivQuat": lambda d: [Z(4), d.quat(), d.vector(3)],
    "mju_quatIntegrate": lambda d: [d.quat(), d.vector(3), d.number()],
    "mju_quatZ2Vec": lambda d: [Z(4), d.vector(3)],
    "mju_mat2Rot": lambda d: [d.quat(), d.rotation() + 0.1 * d.rng.standard_normal(9)],
    "mju_euler2Quat": euler,
    "mju_mulPose": lambda d: [Z(3), Z(4), d.vector(3), d.quat(), d.vector(3), d.quat()],
    "mju_negPose": lambda d: [Z(3), Z(4), d.vector(3), d.quat()],
    "mju_trnVecPose": lambda d: [Z(3), d.vector(3), d.quat(), d.vector(3)],
    "mju_transformSpatial": lambda d: [
        Z(6), d.vector(6), d.size(0, 2), d.vector(3), d.vector(3), d.rotation(),
    ],
    "mju_eig3": eigen,
    "mju_cholFactor": with_pivot,
    "mju_cholSolve": cholesky_solve,
    "mju_cholUpdate": cholesky_update,
    "mju_cholFactorBand": band_cholesky,
    "mju_cholSolveBand": band_solve,
    "mju_band2Dense": band_expand,
    "mju_dense2Band": band_take,
    "mju_bandMulMatVec": band_multiply,
    "mju_bandDiag": lambda d: [d.size(0, 9), 9, d.size(1, 5), d.size(0, 5)],
    "mju_muscleGain": lambda d: [d.unit() * 2, d.number(), np.array([0.2, 1.3]), d.unit(), muscle(d)],
    "mju_muscleBias": lambda d: [d.unit() * 2, np.array([0.2, 1.3]), d.unit(), muscle(d)],
    "mju_muscleDynamics": lambda d: [d.number(), d.unit(), d.rng.random(3) * (d.unit() < 0.8)],
    "mju_encodePyramid": encode,
    "mju_decodePyramid": decode,
    "mju_springDamper": spring,
    "mju_min": lambda d: [d.number(), d.number()],
    "mju_max": lambda d: [d.number(), d.number()],
    "mju_clip": lambda d: [d.number(), -d.unit(), d.unit()],
    "mju_sign": lambda d: [d.number()],
    "mju_round": lambda d: [d.rng.standard_normal() * 10 if d.unit() < 0.5 else d.size() / 2],
    "mju_isBad": lambda d: [d.number()],
    "mju_sigmoid": lambda d: [d.rng.standard_normal()],
    "mju_Halton": lambda d: [d.size(0, 100000), d.size(2, 20)],
    "mjd_subQuat": lambda d: [d.quat(), d.quat(), Z((3, 3)), None if d.unit() < 0.2 else Z((3, 3))],
    "mjd_quatIntegrate": lambda d: [velocity(d), d.unit(), Z(9), Z(9), Z(3)],
}


def bits(value):
    if isinstance(value, np.ndarray):
        value = value.copy()
        if value.dtype.kind == "f":
            value[np.isnan(value)] = np.nan
        return value.tobytes()
    if isinstance(value, float):
        return bits(np.array([value]))
    return value


@pytest.mark.parametrize("name", KERNELS)
def test_same_bits_as_the_reference(name):
    draw = Draw(sum(map(ord, name)))
    theirs, ours = getattr(mujoco, name), getattr(condyle, name)
    for _ in range(CASES):
        given = KERNELS[name](draw)
        expected, got = copy.deepcopy(given), copy.deepcopy(given)
        returned = theirs(*expected), ours(*got)
        assert bits(returned[0]) == bits(returned[1]), (given, returned)
        for one, other in zip(expected, got):
            assert bits(one) == bits(other), (given, one, other)


def test_box_programs_have_the_same_bits():
    draw = Draw(7)
    solved = 0
    for _ in range(CASES):
        x, factor, h, g, lower, upper = box(draw)
        results = []
        for module in (mujoco, condyle):
            solution, r, index = x.copy(), factor.copy(), np.full(len(x), -1, np.int32)
            free = module.mju_boxQP(solution, r, index, h, g, lower, upper)
            used = max(free, 0)
            results.append((free, bits(solution), bits(r.ravel()[: used * used]), bits(index[:used])))
        assert results[0] == results[1], (x, h, g, lower, upper)
        solved += results[0][0] >= 0
    assert solved > CASES / 2


def test_one_array_may_be_input_and_output():
    for name in ("mju_add", "mju_addScl", "mju_scl", "mju_mulQuat", "mju_cross"):
        n = 3 if name == "mju_cross" else 4
        a, b = np.arange(1.0, n + 1), np.arange(1.0, n + 1)
        rest = {"mju_add": [a], "mju_addScl": [a, 0.5], "mju_scl": [0.5], "mju_mulQuat": [a], "mju_cross": [a]}[name]
        getattr(condyle, name)(a, a, *rest)
        rest = [b if r is a else r for r in rest]
        getattr(mujoco, name)(b, b, *rest)
        assert bits(a) == bits(b), name


def test_inputs_are_converted_and_results_are_not():
    assert condyle.mju_dot([1, 2, 3], np.ones((3, 1), np.float32)) == 6.0
    assert condyle.mju_norm(np.arange(6.0)[::2]) == mujoco.mju_norm(np.arange(6.0)[::2])
    refused = [
        ("mju_dot", [np.ones(3), np.ones(4)]),
        ("mju_dot", [np.ones((2, 2)), np.ones(4)]),
        ("mju_add3", [[0, 0, 0], np.ones(3), np.ones(3)]),
        ("mju_add3", [np.zeros(3, np.float32), np.ones(3), np.ones(3)]),
        ("mju_add3", [np.zeros(6)[::2], np.ones(3), np.ones(3)]),
        ("mju_mulMatVec", [np.zeros(2), np.ones((3, 2)), np.ones(2)]),
        ("mju_mulMatMat", [np.zeros((3, 3)), np.ones((3, 2)), np.ones((3, 2))]),
        ("mju_cholFactor", [np.zeros((3, 2)), 0.0]),
        ("mju_quat2Mat", [np.zeros((3, 3)), np.ones(4)]),
        ("mju_boxQP", [np.zeros(2), np.zeros((2, 3)), None, np.eye(2), np.ones(2), None, None]),
    ]
    for name, arguments in refused:
        for module in (mujoco, condyle):
            with pytest.raises(TypeError):
                getattr(module, name)(*arguments)


def test_meaningless_arguments_are_fatal():
    for name, arguments in [
        ("mju_euler2Quat", [np.zeros(4), np.ones(3), "xyw"]),
        ("mju_euler2Quat", [np.zeros(4), np.ones(3), "xy"]),
        ("mju_boxQP", [np.zeros(2), np.zeros((2, 9)), None, np.eye(2), np.ones(2), np.ones(2), np.ones(2)]),
    ]:
        for module in (mujoco, condyle):
            with pytest.raises(module.FatalError):
                getattr(module, name)(*copy.deepcopy(arguments))
