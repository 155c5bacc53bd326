"""Algorithm A on six sets of transformations; the chain of regrets; examples; joint play."""

from functools import cache, partial
from itertools import combinations, product

import numpy as np
from scipy.optimize import linprog

from icml2008.harness.experiment import experiment, grid

from . import method
from .method import PRISM, SETS, SQUARE, TREE, PhiRegretMinimiser, barycentric

NATURES = ["random", "residual", "hindsight"]
PLAYS = ["corners", "interior"]
REGIONS = {  # corners, pieces, and the tree of those that are strategies
    "simplex": (np.eye(3), [[0, 1, 2]], ([-1] * 3, [0] * 3)),
    "tree": (TREE, [[0, 1, 2]], method.FIGURE_3),
    "prism": (PRISM, method.PRISM_PIECES, method.BESIDE),
    "square": (SQUARE, method.SQUARE_PIECES, None),
    "cube": (2 * SQUARE - 1, method.SQUARE_PIECES, None),
}
LADDER = ["external", "extensive-form", "linear", "finite-element", "swap"]


def oppose(learner, nature, rng):
    """Return losses of length 1, (n, d), for what was just played.

    Along what it lacks of a fixed point, or from what the transformation best so far makes of it.
    """
    losses = rng.normal(size=learner.action.shape)
    if nature != "random" and learner.t > 1:  # so that no two problems are the same
        phi = learner.phi if nature == "residual" else learner.rival()
        apart = learner.action - np.einsum("ndp,np->nd", phi, learner.of.kernel(learner.action))
        losses = np.where(np.linalg.norm(apart, axis=1, keepdims=True) > 1e-9, apart, losses)
    return losses / np.linalg.norm(losses, axis=1, keepdims=True)


def rounded(*values):
    """Return values to 1e-6, far below what repeats differ by, so that records stay short."""
    return np.round(values, 6).tolist()


def minimiser(choices, of, n, rounds):
    power = {"root": 0.5, "inverse": 1.0}[choices["accuracy"]]
    step = choices.get("step", "plain")  # no choice of joint play
    return PhiRegretMinimiser(of, n, rounds, choices["learner"], step, power)


@experiment(
    "theorem-1",
    cells=grid(set=list(SETS), nature=NATURES, rounds=[16, 64, 256, 1024]),
    quick=grid(set=list(SETS), nature=NATURES, rounds=[16, 64]),
    smoke=grid(set=list(SETS), nature=["hindsight"], rounds=[16, 64]),
    repeats=6,
    cost=lambda cell: 2e-4 * cell["rounds"],  # seconds a trial, roughly
    methods=lambda choices: {"algorithm": partial(minimiser, choices)},
)
def run_theorem_1(trial):
    """Regret of 17 problems against losses of length 1."""
    name, nature, rounds = (trial.cell[key] for key in ("set", "nature", "rounds"))
    of = SETS[name]
    if name == "linear-cube":
        of = method.linear_cube(affine=trial.choices["linear-maps"] == "affine")
    with trial.attempt("algorithm"):
        rng = trial.rng("losses")
        learner = trial.methods["algorithm"](of, 17, rounds)
        for _ in range(rounds):
            learner.act()
            learner.learn(oppose(learner, nature, rng))
        regret = learner.regret()
        mean, log = rounded(regret.mean(), np.log(regret.mean()))
        trial.measure("algorithm", regret=mean, log_regret=log)
        excess = np.max(regret / learner.bound()) - 1
        trial.measure("algorithm", n_test=len(regret), excess=excess)


def blum_mansour(losses, damping):
    """Return the plays, (T, d), of one learner of projected gradients for each expert.

    A plain loop: each learns from the losses, (T, d), times the weight of its expert, and what is
    played is kept by the experts' advice; damping, (T,), draws it to the first expert.
    """
    (_, d) = losses.shape
    plays = []
    advice = np.full((d, d), 1 / d)
    for t, (loss, keep) in enumerate(zip(losses, damping, strict=True), 1):
        rows = np.r_[np.eye(d) - (1 - keep) * advice.T, np.ones((1, d))]
        plays.append(np.linalg.lstsq(rows, np.r_[keep, np.zeros(d - 1), 1])[0])
        for expert, weight in enumerate(plays[-1]):
            moved = advice[expert] - weight * loss / np.sqrt(t)
            largest = np.sort(moved)[::-1]
            level = max((largest[:size].sum() - 1) / size for size in range(1, d + 1))
            advice[expert] = np.maximum(moved - level, 0)
    return np.array(plays)


@experiment(
    "simplex",
    cells=grid(experts=[2, 4]),
    repeats={"quick": 1, "full": 6},
    cost=0.1,
    methods={"algorithm": PhiRegretMinimiser},
)
def run_simplex(trial):
    """How far play is from Blum and Mansour's, at most, in 25 sequences of 16 losses in [0, 1]."""
    d = trial.cell["experts"]
    losses = trial.rng("losses").uniform(size=(16, 25, d))
    learner = trial.methods["algorithm"](method.linear_simplex(d), 25, 16)
    plays = []
    for loss in losses:
        plays.append(learner.act())
        learner.learn(loss)
    damping = 1 / np.sqrt(2 * np.arange(1, 17))  # within 1 / sqrt(t)
    far = [blum_mansour(losses[:, at], damping) - np.array(plays)[:, at] for at in range(25)]
    trial.measure("algorithm", n_test=25, difference=np.abs(far).max())


def linear_regret(corners, gradients, affine):
    """Return the sum of losses of the best linear transformation, a linear program.

    It takes corners, (k, d), to P corners with a stochastic P; gradients, (k, d), are sums of
    losses times weights of the corners.
    """
    basis = np.c_[corners, np.ones(len(corners))] if affine else corners
    k = len(corners)
    rest = np.eye(len(corners)) - basis @ np.linalg.pinv(basis)
    linear = np.einsum("ri,jd->rdij", rest, corners).reshape(-1, k * k)
    equal = np.r_[np.kron(np.eye(k), np.ones(k)), linear]
    ends = np.r_[np.ones(k), np.zeros(len(linear))]
    return linprog((gradients @ corners.T).ravel(), A_eq=equal, b_eq=ends).fun


@cache
def extensive_forms(region):
    corners, _, tree = REGIONS[region]
    return method.extensive_forms(*tree, corners)


def regrets(region, actions, losses, affine=False):
    """Return the regrets of a history of actions and losses, (n, d), from the weakest on."""
    corners, pieces, tree = REGIONS[region]
    gradients = barycentric(corners, pieces)(actions).T @ losses
    _, which = np.unique(actions.round(12), axis=0, return_inverse=True)
    apart = np.eye(which.max() + 1)[which.ravel()].T @ losses
    least = {"external": np.min(corners @ losses.sum(axis=0))}
    if tree:
        products = np.tensordot(extensive_forms(region), losses.T @ actions, 2)
        least["extensive-form"] = products.min()
    least["linear"] = linear_regret(corners, gradients, affine)
    least["finite-element"] = np.sum(np.min(gradients @ corners.T, axis=1))
    least["swap"] = np.sum(np.min(apart @ corners.T, axis=1))
    return {name: np.sum(actions * losses) - best for name, best in least.items()}


@experiment(
    "chain",
    cells=grid(region=["simplex", "prism", "cube"]),
    repeats={"quick": 1, "full": 6},
    cost=0.2,
    methods={"regrets": regrets},
)
def run_chain(trial):
    """Most by which a regret exceeds the next stronger one, in 50 histories of 12 rounds."""
    region = trial.cell["region"]
    rng = trial.rng("histories")
    (corners, _, _) = REGIONS[region]
    excess = []
    for _ in range(50):
        pool = np.r_[corners, rng.dirichlet(np.ones(len(corners)), size=3) @ corners]
        actions = pool[rng.integers(len(pool), size=12)]
        losses = rng.normal(size=(12, corners.shape[1]))
        regret_of = regrets(region, actions, losses, trial.choices["linear-maps"] == "affine")
        excess.append(np.max(-np.diff(list(regret_of.values()))))
    trial.measure("regrets", n_test=50, surplus=max(excess))


# Rounds on PRISM without one regret but with the next stronger: weights of the plans a1, a2 a3 and
# a2 a4, which choice is played beside, and the losses of a1 to a4.
SEPARATIONS = {
    "extensive-form": [((1, 0, 0), 0, (1, 0, 0, 1)), ((0, 0, 1), 0, (1, 0, 1, 0))],
    "linear": [((0, 1, 0), 0, (0, 1, 0, 0)), ((0, 0, 1), 0, (1, 0, 1, 0))],
    "finite-element": [
        ((1, 0, 0), 0, (0, -1, 0, 2)),
        ((1, 0, 0), 1, (0, 1, 0, 0)),
        ((0, 1, 0), 0, (0, -1, 0, 2)),
        ((0, 1, 0), 1, (0, -1, 0, 2)),
    ],
    "swap": [((1, 0, 0), 0, (0, 0.5, 0, 0)), ((0.5, 0.5, 0), 0, (0, -1, 0, 2))],
}


@experiment(
    "distinct",
    cells=grid(times=[1, 100]),
    repeats=2,
    cost=0.02,
    methods=dict.fromkeys(SEPARATIONS, regrets),
)
def run_distinct(trial):
    """A regret a round, and the next weaker one, of rounds made for it, many times over."""
    for weaker, (name, rounds) in zip(LADDER, SEPARATIONS.items(), strict=False):
        actions = [[*np.dot(plans, TREE), *np.eye(2)[beside]] for plans, beside, _ in rounds]
        losses = [[*loss, 0, 0] for *_, loss in rounds]
        many = (trial.cell["times"], 1)
        regret_of = regrets("prism", np.tile(actions, many), np.tile(losses, many))
        stronger = regret_of[name] / len(rounds) / many[0]
        trial.measure(name, weaker=regret_of[weaker], stronger=stronger)


def vertices(rows, limits):
    """Return the vertices, (m, d), of rows x <= limits, by brute force."""
    corners = []
    for active in map(list, combinations(range(len(rows)), rows.shape[1])):
        if abs(np.linalg.det(rows[active])) > 1e-9:
            x = np.linalg.solve(rows[active], limits[active])
            if np.all(rows @ x <= limits + 1e-9):
                corners.append(x)
    return np.unique(np.round(corners, 9) + 0.0, axis=0)


def figure_3(b, c, d, e, f):
    """Return the matrix of Figure 3; a is b + c."""
    rows = [[1 - b - c, d, 0, 0], [b + c, 1 - d, 0, 0], [b, 0, 1 - d - e, f]]
    return np.array([*rows, [c, 0, e, 1 - d - f]])


def deviate(plan, parents, sets, deviations):
    """Return the weights, (d,), of play by a plan that follows w_b where it would play b of D."""
    weights = np.zeros(len(parents))
    followed = {}
    for a, parent in enumerate(parents):  # a parent comes before its children
        meant = [b for b in deviations if sets[b] == sets[a] and plan[b]]
        by = followed.get(parent, deviations[meant[0]] if meant else plan)
        if by is not plan:
            followed[a] = by
        weights[a] = by[a] if parent < 0 or weights[parent] else 0
    return weights


@cache
def matrices_apart():
    """Return how far all matrices of PRISM's tree are from play that deviates, at most."""
    apart = [
        method.extensive_form(*method.BESIDE, deviation) @ plan
        - deviate(plan, *method.BESIDE, deviation)
        for deviation in method.deviations_of(*method.BESIDE, PRISM)
        for plan in PRISM
    ]
    return np.abs(apart).max()


@cache
def figure_3_apart():
    """Return how far corners of Figure 3's inequalities and extensive forms are apart, at most."""
    pairs = np.array([[1.0, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 0, 1]])
    limits = np.r_[np.ones(8), np.zeros(5)]
    shown = np.array([figure_3(*x) for x in vertices(np.r_[pairs, np.eye(5), -np.eye(5)], limits)])
    apart = np.abs(shown[:, None] - extensive_forms("tree")).max(axis=(2, 3))
    return max(apart.min(axis=0).max(), apart.min(axis=1).max())


EXAMPLES = ["kernel", "forth", "back", "figure-3", "matrices"]


@experiment(
    "examples",
    cells=grid(dimension=[2, 3]),
    repeats=2,
    cost=0.1,
    methods=dict.fromkeys([*EXAMPLES, "cube"], vertices),
)
def run_examples(trial):
    """How far the worked examples are from what is printed; corners of the maps of a cube."""
    w = np.array([1.0, 0, 0, 0])
    then = np.array([0.0, 1, 1, 0])
    kernel = SETS["finite-element"].kernel(np.array([[1 / 3, 2 / 3]]))
    trial.measure("kernel", error=np.abs(kernel - np.array([1, 1, 0, 1]) / 3).max())
    trial.measure("forth", error=np.abs(figure_3(1, 0, 0, 0, 0) @ w - then).max())
    trial.measure("back", error=np.abs(figure_3(0, 0, 1, 0, 0) @ then - w).max())
    trial.measure("figure-3", error=figure_3_apart())
    trial.measure("matrices", error=matrices_apart())
    signs = np.array(list(product([-1.0, 1], repeat=trial.cell["dimension"])))
    row = vertices(signs, np.ones(len(signs)))  # each row of the matrix is by itself
    trial.measure("cube", corners=len(row) ** trial.cell["dimension"])


def corner_maps(name, corners, weights):
    """Return where deviations send each corner, (m, k); for swaps, one corner at a time."""
    k = len(corners)
    if name == "external":
        return np.repeat(np.arange(k)[:, None], k, axis=1)
    if name == "extensive-form":
        return np.array(
            [weights(corners @ phi.T).argmax(axis=1) for phi in extensive_forms("tree")]
        )
    return np.array(
        [np.where(np.arange(k) == j, to, np.arange(k)) for j in range(k) for to in range(k)]
    )


def gains(maps, payoffs):
    """Return what each deviation of each player gains on each profile, (2, m, k, k)."""
    first, second = payoffs
    return np.array([[first[to] - first for to in maps], [second[:, to] - second for to in maps]])


def incentive(played, gain, swaps):
    """Return the most that a deviation of a player gains on average under played, (k, k)."""
    values = np.sum(gain * played, axis=(2, 3))
    if swaps:  # the best of each corner, together
        values = values.reshape(2, len(played), -1).max(axis=2).sum(axis=1)
    return max(values.max(), 0)


def distance(played, gain):
    """Return the total variation, by a linear program, from played, (k, k), to the equilibria."""
    k = played.size
    stable = gain.reshape(-1, played.size)
    rows = np.r_[np.c_[stable, 0 * stable], np.kron([[1, -1], [-1, -1]], np.eye(k))]
    limits = np.r_[np.zeros(len(stable)), played.ravel(), -played.ravel()]
    total = np.r_[np.ones(k), np.zeros(k)]
    return linprog((1 - total) / 2, rows, limits, total[None], [1.0]).fun


def play(learners, corners, weights, payoffs, rounds, rng):
    """Return the empirical distributions of joint play, (n, k, k), of two learners for n games.

    Payoffs, (2, n, d + 1, d + 1), are bilinear in actions and a coordinate of 1. With rng, corners
    are drawn by the weights of what would be played (Equation 4).
    """
    n = payoffs.shape[1]
    k = len(corners)
    joint = np.zeros((n, k, k))
    for _ in range(rounds):
        drawn = [np.maximum(weights(learner.act()), 0) for learner in learners]
        if rng is not None:
            steps = [np.cumsum(w, axis=1)[:, :-1] for w in drawn]
            drawn = [np.eye(k)[np.sum(rng.random((n, 1)) > s, axis=1)] for s in steps]
        joint += drawn[0][:, :, None] * drawn[1][:, None, :] / rounds
        first, second = (np.c_[w @ corners, np.ones(n)] for w in drawn)
        learners[0].learn(-np.einsum("nij,nj->ni", payoffs[0], second)[:, :-1])
        learners[1].learn(-np.einsum("nij,ni->nj", payoffs[1], first)[:, :-1])
    return joint


def games(rng, kind, corners, n):
    """Return payoffs, (2, n, d + 1, d + 1), whose gradients have a norm of at most 1.

    Random ones, every other of them zero-sum, or cyclic ones near Shapley's of parameter 1/2
    (Sparrow, van Strien and Harris 2008), each payoff up to 0.05 off.
    """
    ones = np.c_[corners, np.ones(len(corners))]
    payoffs = rng.normal(size=(2, n, *[ones.shape[1]] * 2))
    payoffs[1, ::2] = -payoffs[0, ::2]
    if kind == "cyclic":
        eye = np.eye(3)
        turn = np.roll(np.eye(3), 1, axis=1)
        payoffs = rng.uniform(-0.05, 0.05, size=payoffs.shape)
        payoffs[:, :, :3, :3] += np.array([eye + turn.T / 2, turn - eye / 2])[:, None]
    faced = np.stack([payoffs[0] @ ones.T, np.swapaxes(payoffs[1], 1, 2) @ ones.T])[:, :, :-1]
    payoffs /= np.linalg.norm(faced, axis=2).max(axis=2)[..., None, None]
    return payoffs, np.einsum("ki,pnij,lj->npkl", ones, payoffs, ones)


GAMES = {
    "external": "simplex",
    "extensive-form": "tree",
    "finite-element": "square",
    "linear-simplex": "simplex",
}


def cases(**coordinates):
    cyclic = grid(set=["external", "linear-simplex"], game=["cyclic"], **coordinates)
    return grid(set=list(GAMES), game=["random"], **coordinates) + cyclic


@experiment(
    "equilibria",
    cells=cases(play=PLAYS, rounds=[8, 32, 128, 512]),
    quick=cases(play=PLAYS, rounds=[8, 32]),
    smoke=cases(play=["corners"], rounds=[8, 32]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 0.05 + 7e-4 * cell["rounds"],
    methods=lambda choices: dict.fromkeys(["algorithm", "external"], partial(minimiser, choices)),
)
def run_equilibria(trial):
    """Incentive to deviate, and distance to equilibria, after joint play of 8 games."""
    name = trial.cell["set"]
    rounds = trial.cell["rounds"]
    n = 8
    corners, pieces, _ = REGIONS[GAMES[name]]
    weights = barycentric(corners, pieces)
    maps = corner_maps(name, corners, weights)
    swaps = name in ("finite-element", "linear-simplex")
    rng = trial.rng("games", across=("play", "rounds"))
    payoffs, values = games(rng, trial.cell["game"], corners, n)
    gain = [gains(maps, value) for value in values]
    for method_name, start in trial.methods.items():
        with trial.attempt(method_name):
            of = SETS[name] if method_name == "algorithm" else method.external(corners)
            drawn = trial.rng("corners") if trial.cell["play"] == "corners" else None
            learners = [start(of, n, rounds) for _ in range(2)]
            joint = play(learners, corners, weights, payoffs, rounds, drawn)
            mean_incentive = np.mean(
                [incentive(*pair, swaps) for pair in zip(joint, gain, strict=True)]
            )
            far = np.mean([distance(*pair) for pair in zip(joint, gain, strict=True)])
            logs = rounded(*np.log(np.maximum([mean_incentive, far], 1e-9)))
            mean_incentive, far = rounded(mean_incentive, far)
            trial.measure(method_name, incentive=mean_incentive, distance=far)
            trial.measure(method_name, log_incentive=logs[0], log_distance=logs[1])
