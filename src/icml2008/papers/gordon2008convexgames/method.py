"""Figure 1's algorithm and its sets of transformations, for a batch of n problems at once."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

# Choices before each choice and information sets, of Figure 3 (a1 to a4) and with a set beside it.
FIGURE_3 = [-1, -1, 1, 1], [0, 0, 1, 1]
BESIDE = [-1, -1, 1, 1, -1, -1], [0, 0, 1, 1, 2, 2]
TREE = np.array([[1.0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 1]])
PRISM = np.array([[*w, *beside] for w in TREE for beside in ([1, 0], [0, 1])])
SQUARE = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
SQUARE_PIECES = np.array([[0, 1, 3], [0, 2, 3]])
PRISM_PIECES = [[0, 2, 4, 5], [0, 2, 3, 5], [0, 1, 3, 5]]


def project_simplex(x):
    """Return the nearest points of the probability simplex to x, (..., d)."""
    descending = -np.sort(-x, axis=-1)
    levels = (np.cumsum(descending, axis=-1) - 1) / np.arange(1, x.shape[-1] + 1)
    kept = np.sum(descending > levels, axis=-1, keepdims=True)
    return np.maximum(x - np.take_along_axis(levels, kept - 1, axis=-1), 0)


def project_cross(x):
    """Return the nearest points of the unit L1 ball to x, (..., d)."""
    outside = np.sum(np.abs(x), axis=-1, keepdims=True) > 1
    return np.where(outside, np.sign(x) * project_simplex(np.abs(x)), x)


def project_spectral(x):
    """Return the nearest matrices of a largest singular value of at most 1 to x, (..., d, d)."""
    left, sizes, right = np.linalg.svd(x)
    return (left * np.minimum(sizes, 1)[..., None, :]) @ right


def best_spectral(gradient):
    """Return the matrices of a largest singular value of 1 of least product with gradient."""
    left, _, right = np.linalg.svd(gradient)
    return -left @ right


def best_corner(corners):
    """Return the function from gradients, (..., d), to the corners of least inner product."""
    return lambda gradient: corners[np.argmin(gradient @ corners.T, axis=-1)]


def by_column(function):
    return lambda x: np.swapaxes(function(np.swapaxes(x, -1, -2)), -1, -2)


def barycentric(corners, pieces):
    """Return K, from points, (n, d), to their weights, (n, p), in the piece they lie in."""
    spread = np.zeros((len(pieces), corners.shape[1] + 1, len(corners)))
    for weights, piece in zip(spread, pieces, strict=True):
        weights[:, piece] = np.linalg.pinv(np.c_[corners[piece], np.ones(len(piece))])

    def kernel(a):
        weights = np.c_[a, np.ones(len(a))] @ spread
        # The first piece where no weight is below 0 by more than rounding.
        which = np.argmax(np.round(weights.min(axis=2), 12), axis=0)
        return weights[which, np.arange(len(a))]

    return kernel


def fixed_linear(phi, damping, anchor):
    """Return the fixed points, (n, d), of (1 - damping) phi + damping anchor.

    Phi is linear, (n, d, d), affine, (n, d, d + 1), or constant, (n, d, 1). Where a corner is the
    anchor, nearly all of the error that is allowed is used.
    """
    d = len(anchor)
    linear = d if phi.shape[-1] >= d else 0
    aim = (1 - damping) * np.sum(phi[..., linear:], axis=-1) + damping * anchor
    if not linear:
        return aim
    return np.linalg.solve(np.eye(d) - (1 - damping) * phi[..., :d], aim[..., None])[..., 0]


def fixed_pieces(phi, damping, anchor):
    """Return what `fixed_linear` does, for images of SQUARE's corners, (n, 2, 4), by pieces."""
    moved = np.moveaxis((1 - damping) * phi + damping * anchor[:, None] - SQUARE.T, 0, -1)
    x, y = moved[:, SQUARE_PIECES]  # pieces, their corners, problems
    # Weights of 0 among three points of the plane are areas; none if the points are in line.
    areas = x[:, [1, 2, 0]] * y[:, [2, 0, 1]] - x[:, [2, 0, 1]] * y[:, [1, 2, 0]]
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.nan_to_num(areas / areas.sum(axis=1, keepdims=True), nan=-1, neginf=-1)
    which = np.argmax(np.round(np.minimum(weights.min(axis=1), 0), 9), axis=0)
    problems = np.arange(len(phi))
    points = np.einsum("nj,njd->nd", weights[which, :, problems], SQUARE[SQUARE_PIECES][which])
    return np.clip(points, 0, 1)


def extensive_form(parents, sets, deviations):
    """Return the matrix of an extensive-form transformation, (d, d), as Section 3 has it.

    Deviations has of each choice b of D the weights w_b, (d,).
    """
    d = len(parents)
    phi = np.zeros((len(parents), len(parents)))
    lines = [[a] for a in range(d)]
    for line in lines:
        while parents[line[-1]] >= 0:
            line.append(parents[line[-1]])
    for a, b in product(range(d), repeat=2):
        if b in deviations and any(sets[at] == sets[b] for at in lines[a]):
            phi[a, b] = deviations[b][a]
        elif a == b and not any(at in deviations for at in lines[b]):
            phi[a, b] = 1
    return phi


def deviations_of(parents, sets, plans):
    """Yield every D, with a w_b among the plans, (k, d), for each of its choices b."""
    choices = range(len(sets))
    for nodes in (set(n) for size in range(len(sets) + 1) for n in combinations(choices, size)):
        if any(parents[b] in nodes for b in nodes):  # two levels at most: a parent is the ancestor
            continue
        siblings = {b: [a for a in choices if a != b and sets[a] == sets[b]] for b in nodes}
        ways = [[w for w in plans if w[siblings[b]].any()] for b in nodes]
        for way in product(*ways):
            yield dict(zip(nodes, way, strict=True))


def extensive_forms(parents, sets, plans):
    """Return all extensive-form transformations, (m, d, d), of a tree with these plans."""
    forms = [
        extensive_form(parents, sets, deviation)
        for deviation in deviations_of(parents, sets, plans)
    ]
    return np.unique(forms, axis=0)


def identity(x):
    return x


@dataclass(frozen=True)
class Transformations:
    """Transformations phi of a region, (d, p) matrices that act on K(a), by their parameters.

    Attributes
    ----------
    corners : array, (k, d)
        Of the region (of a ball, two ends).
    start : array
        The parameters of the first transformation.
    project, best : callables
        Onto the set of parameters, and from gradients to the parameters of least inner product.
    diameter, steepness : float
        Of the set of parameters, and of gradients there for losses of norm 1.
    kernel, lift, pull, fixed_point : callables
        K; from parameters to phi; from gradients by phi to those by parameters; A'.
    """

    corners: np.ndarray
    start: np.ndarray
    project: Callable
    best: Callable
    diameter: float
    steepness: float = 1.0
    kernel: Callable = identity
    lift: Callable = identity
    pull: Callable = identity
    fixed_point: Callable = fixed_linear

    @property
    def width(self):
        return np.linalg.norm(self.corners[:, None] - self.corners, axis=-1).max()


def hull(corners, maps, kernel=identity):
    """Return the convex hull of transformations, maps (m, d, p); parameters are their weights."""
    m = len(maps)
    return Transformations(
        corners=corners,
        start=np.full(m, 1 / m),
        project=project_simplex,
        best=best_corner(np.eye(m)),
        diameter=np.sqrt(2),
        # An image has at most the norm of a corner, and there are m of them.
        steepness=np.sqrt(m) * np.linalg.norm(corners, axis=1).max(),
        kernel=kernel,
        lift=lambda theta: np.tensordot(theta, maps, 1),
        pull=lambda gradient: np.tensordot(gradient, maps, ((-2, -1), (1, 2))),
    )


def external(corners):
    """Return the constant transformations of a region."""
    return hull(corners, corners[:, :, None], lambda a: np.ones((len(a), 1)))


def linear_simplex(d):
    """Return the stochastic matrices: columns that are distributions."""
    eye = np.eye(d)
    columns = {"project": by_column(project_simplex), "best": by_column(best_corner(eye))}
    return Transformations(eye, np.full((d, d), 1 / d), diameter=np.sqrt(2 * d), **columns)


def linear_cube(affine, d=3):
    """Return the linear transformations of [-1, 1]^d: rows in the unit L1 ball (Section 1).

    Affine ones are linear with a coordinate that is always 1.
    """
    p = d + affine
    return Transformations(
        corners=np.array(list(product([-1.0, 1], repeat=d))),
        start=np.zeros((d, p)),
        project=project_cross,
        best=best_corner(np.r_[np.eye(p), -np.eye(p)]),
        diameter=2 * np.sqrt(d),
        steepness=np.sqrt(p),
        kernel=(lambda a: np.c_[a, np.ones(len(a))]) if affine else identity,
    )


SETS = {
    "external": external(np.eye(3)),
    "extensive-form": hull(TREE, extensive_forms(*FIGURE_3, TREE)),
    "linear-simplex": linear_simplex(3),
    "linear-ball": Transformations(
        corners=np.array([[1.0, 0, 0], [-1, 0, 0]]),
        start=np.zeros((3, 3)),
        project=project_spectral,
        best=best_spectral,
        diameter=2 * np.sqrt(3),
    ),
    "linear-cube": linear_cube(affine=False),
    "finite-element": Transformations(
        corners=SQUARE[[1, 0, 2, 3]],
        start=np.full((2, 4), 0.5),
        project=lambda x: np.clip(x, 0, 1),
        best=lambda gradient: (gradient < 0).astype(float),
        diameter=np.sqrt(8),
        kernel=barycentric(SQUARE, SQUARE_PIECES),
        fixed_point=fixed_pieces,
    ),
}


class PhiRegretMinimiser:
    """Algorithm A (Figure 1) on n problems at once.

    Parameters
    ----------
    of : Transformations
    n, rounds : int
    learner : {"giga", "lazy"}
        A'': projected gradients, or all gradients so far, projected.
    step : {"plain", "tuned"}
        Step sizes of 1 or of diameter / (sqrt(2) steepness), over the root of t (of all rounds, if
        lazy).
    power : float
        Fixed points have an accuracy of t to minus this power in round t.
    """

    def __init__(self, of, n, rounds, learner="giga", step="plain", power=0.5):
        self.of = of
        self.rounds = rounds
        self.learner = learner
        self.power = power
        self.size = 1.0 if step == "plain" else of.diameter / (np.sqrt(2) * of.steepness)
        self.theta = np.broadcast_to(of.start, (n, *of.start.shape))
        self.t = 0
        self.paid = np.zeros(n)
        self.total = 0.0
        self.width = of.width

    def act(self):
        """Return the actions of this round, (n, d): within the accuracy of a fixed point."""
        self.t += 1
        self.phi = self.of.lift(self.theta)
        damping = min(self.t**-self.power / self.width, 1)
        self.action = self.of.fixed_point(self.phi, damping, self.of.corners[0])
        return self.action

    def learn(self, losses):
        """Take the gradients of the losses, (n, d), at what was played."""
        derived = losses[:, :, None] * self.of.kernel(self.action)[:, None, :]
        self.paid = self.paid + np.sum(losses * self.action, axis=1)
        self.total = self.total + derived
        at = self.theta
        gradient = derived
        t = self.t
        if self.learner == "lazy":
            at = self.of.start
            gradient = self.total
            t = self.rounds
        self.theta = self.of.project(at - self.of.pull(gradient) * (self.size / np.sqrt(t)))

    def rival(self):
        """Return the transformations that would have been best so far, (n, d, p)."""
        return self.of.lift(self.of.best(self.of.pull(self.total)))

    def regret(self):
        """Return the Phi-regret so far, (n,)."""
        return self.paid - np.sum(self.total * self.rival(), axis=(1, 2))

    def bound(self):
        """Return what regret is at most: Zinkevich's bound of A'' and what accuracy costs."""
        learner = self.of.diameter**2 / (2 * self.size) + self.size * self.of.steepness**2
        return (learner + 2) * np.sqrt(self.rounds)
