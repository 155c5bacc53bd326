"""LPAL and three variants of MWAL on gridworlds, in multiply-adds, and the theorems."""

from functools import partial
from itertools import islice
from math import ceil, isqrt, log

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.worlds.grids import grid_world

from .method import (
    Problem,
    apprentice_program,
    best_actions,
    game,
    largest,
    stationary,
)

MOST_ROUNDS = 200
SHARE = 0.95
VARIANTS = ["MWAL-VI", "MWAL-PI", "MWAL-Dual"]
GRIDS = {16: [64], 24: [64, 144, 576], 32: [64, 256, 1024], 48: [64, 144, 256, 576, 2304], 64: [64]}


def gridworld(size, regions, discount, noise="neighbour"):
    """Return the Problem of Section 8.1: a grid of square regions, each with a basis reward of 1.

    With noise ``anywhere``, 30 % of all visits begin any state alike, whatever the policy: they are
    a part of the start, and the rest of a move is discounted the more.
    """
    n = size**2
    side = isqrt(regions)
    world = grid_world(size, slip=0.3 if noise == "neighbour" else 0.0)
    rows, columns = np.divmod(np.arange(n), size)
    region = rows * side // size * side + columns * side // size
    rewards = sparse.csr_array((np.ones(4 * n), (np.repeat(region, 4), np.arange(4 * n))))
    if noise == "neighbour":
        return Problem(world.transitions, rewards, world.start, discount)
    # Visits that begin anew wherever: their discounted sum belongs to the start.
    again = 0.3 * discount / (1 - discount)
    return Problem(world.transitions, rewards, world.start * (1 + again), 0.7 * discount)


def expert_of(problem, weights):
    """Return the visits of a best policy for these weights of the basis rewards."""
    n = len(problem.start)
    rewards = weights @ problem.rewards
    actions, *_ = best_actions(problem, rewards, np.zeros(n, dtype=int))
    return problem.occupancy(np.eye(len(rewards) // n)[actions])


def factor_work(system):
    """Return the multiply-adds of a triangular factorisation without pivoting, and of a solution.

    Rows are ordered by the minimum degree of the pattern made symmetric.
    """
    plain = {"DiagPivotThresh": 0.0, "SymmetricMode": True}
    factors = splu(sparse.csc_array(system), permc_spec="MMD_AT_PLUS_A", relax=1, options=plain)
    below = np.diff(factors.L.indptr) - 1
    right = np.bincount(factors.U.indices, minlength=len(below)) - 1
    return float(below @ (right + 1)), factors.L.nnz + factors.U.nnz


def step_work(matrix, algorithm):
    """Return the multiply-adds of an iteration on a linear program with this matrix.

    One of the simplex method prices each coefficient. One of an interior point method factorises
    the normal equations, half of them for symmetry, and solves them twice (predictor and corrector)
    or, if a dense column is kept out of them, three times.
    """
    if algorithm == "simplex":
        return matrix.nnz
    matrix = sparse.csc_array(matrix)
    dense = np.diff(matrix.indptr) > 10  # that of the smallest lead
    pattern = abs(matrix[:, ~dense]) > 0
    normal = sparse.csr_array(pattern @ pattern.T, dtype=float)
    normal.data[:] = 1.0
    factorise, solve = factor_work(normal + normal.shape[0] * sparse.eye_array(normal.shape[0]))
    return factorise / 2 + (3 if dense.any() else 2) * solve


def value_sweeps(problem, rewards, values, tolerance):
    """Return the sweeps of value iteration from values on until greedy actions are so good."""
    g = problem.discount
    n = len(values)
    n_sweeps = 0
    change = np.inf
    while change > tolerance * (1 - g) / (2 * g):
        ahead = (rewards + g * (problem.transitions @ values)).reshape(n, -1).max(axis=1)
        change = np.abs(ahead - values).max()
        values = ahead
        n_sweeps = n_sweeps + 1
    return n_sweeps


def plans(problem, rounds, tolerance, choices):
    """Yield of each round of MWAL its visits and the sweeps, rounds and LP iterations of planning.

    These are counted in rounds 1, 4, 16, 64, and stand for those up to the next.
    """
    n = len(problem.start)
    flow = problem.flow
    sides = (problem.start, problem.start)
    afresh = choices["planning"] == "afresh"
    before = np.zeros(n)
    old = np.zeros(n, dtype=int)
    due = 1
    for t, (weights, actions, values, visits) in enumerate(rounds, start=1):
        rewards = weights @ problem.rewards
        if t == due:
            sweeps = value_sweeps(problem, rewards, 0 * before if afresh else before, tolerance)
            improvements = best_actions(problem, rewards, 0 * old if afresh else old)[-1]
            iterations = largest(rewards, flow, sides, solver=choices["lp"])[1]
            # Planning in each of thousands of rounds would cost more than the game: four times as
            # far each.
            due *= 4
        yield visits, np.array([sweeps, improvements, iterations])
        before = values
        old = actions


@experiment(
    "grids",
    cells=[cell for size, regions in GRIDS.items() for cell in grid(size=[size], regions=regions)],
    quick=grid(size=[16], regions=[64]) + grid(size=[24], regions=[576]),
    smoke=grid(size=[16], regions=[64]),
    repeats=10,
    cost=lambda cell: (cell["size"] / 16) ** 3 / 4,  # seconds a trial, roughly
    methods=dict.fromkeys(["LPAL", *VARIANTS, "no preference"]),
)
def run_grids(trial):
    """Work until a policy is worth 95 % of the expert's, a best one for weights of a tenth."""
    size = trial.cell["size"]
    k = trial.cell["regions"]
    choices = trial.choices
    problem = gridworld(size, k, float(choices["discount"]), choices["noise"])
    (pairs, n) = problem.transitions.shape
    rng = trial.rng("weights")
    rewarded = rng.choice(k, k // {"tenth": 10, "half": 2}[choices["sparsity"]], replace=False)
    truth = np.zeros(k)
    truth[rewarded] = rng.uniform(size=len(rewarded))
    truth /= truth.sum()
    visits = expert_of(problem, truth)
    expert = problem.rewards @ visits.ravel()
    best = truth @ expert
    tolerance = best / 100
    horizon = ceil(log(1 / (tolerance * (1 - problem.discount)), 1 / problem.discount))

    def record(name, work, steps, rounds, values):
        far = (1 - float(choices["discount"])) * np.max(np.abs(values - expert))
        trial.measure(name, work=round(work / 1e6, 6), log_work=round(log(work), 6))
        trial.measure(name, steps=float(steps), rounds=rounds, mismatch=round(far, 9))
        trial.measure(name, value=round(100 * truth @ values / best, 4))

    with trial.attempt("LPAL"):
        program = apprentice_program(problem, expert)
        solution, n_iter = largest(*program, solver=choices["lp"])
        values = problem.values(stationary(solution[:-1].reshape(n, -1)))
        record("LPAL", n_iter * step_work(program[1], choices["lp"]), n_iter, 1, values)

    # The step size of MWAL wants the number of rounds beforehand: as many as its bound asks for.
    big_t = 100 if choices["step-size"] == "hundred" else round(log(k) / (1 - SHARE) ** 2)
    rounds = game(problem, expert, big_t, choices["step-size"] == "scaled")
    done = 0
    total = 0
    t = 0
    for visits, counted in plans(problem, islice(rounds, MOST_ROUNDS), tolerance, choices):
        done = done + counted
        total = total + visits
        t = t + 1
        values = problem.rewards @ total.ravel() / t
        if truth @ values >= SHARE * best:
            break
    taken = problem.transitions[np.flatnonzero(visits)]
    evaluate = t * horizon * taken.nnz * (k if choices["evaluation"] == "each" else 1)
    solve = sum(factor_work(sparse.eye_array(n) - problem.discount * taken))
    works = [
        done[0] * problem.transitions.nnz + evaluate,
        done[1] * (problem.transitions.nnz + solve) + evaluate,
        done[2] * step_work(problem.flow, choices["lp"]) + t * problem.rewards.nnz,
    ]
    for name, work, steps in zip(VARIANTS, works, done, strict=True):
        record(name, work, steps, t, values)
    even = problem.values(np.full((n, pairs // n), n / pairs))
    trial.measure("no preference", value=round(100 * truth @ even / best, 4))


def random_problem(rng, n_states=8, n_actions=3, k=4, discount=0.9):
    """Return a Problem with any transitions, rewards in [-1, 1] and start."""
    P = rng.dirichlet(np.full(n_states, 0.3), size=n_states * n_actions)
    rewards = rng.uniform(-1, 1, size=(k, n_states * n_actions))
    start = rng.dirichlet(np.ones(n_states))
    return Problem(sparse.csr_array(P), sparse.csr_array(rewards), start, discount)


def random_policy(rng, problem):
    """Return probabilities of actions, some of them near 0."""
    n = len(problem.start)
    return rng.dirichlet(np.full(problem.transitions.shape[0] // n, 0.5), size=n)


def summed_visits(problem, policy, steps=400):
    """Return the occupancy measure by its definition (Equation 1), step by step."""
    P = (policy.ravel()[:, None] * problem.transitions.toarray()).reshape(*policy.shape, -1)
    P = problem.discount * P.sum(axis=1)
    law = problem.start
    total = 0.0
    for _ in range(steps):
        total = total + law
        law = law @ P
    return total[:, None] * policy


def relative(value, target):
    """Return the largest difference over the largest number wanted."""
    return float(np.max(np.abs(value - target)) / np.max(np.abs(target)))


def flow_is_occupancy(rng, problem):
    """Theorem 2: vertices of the flow constraints, and mixtures, are visits of their policies."""
    sides = (problem.start, problem.start)
    costs = rng.normal(size=(2, problem.flow.shape[1]))
    ends = [largest(cost, problem.flow, sides, solver="simplex")[0] for cost in costs]
    x = (ends[0] + rng.uniform() * (ends[1] - ends[0])).reshape(len(problem.start), -1)
    return relative(summed_visits(problem, stationary(x)), x)


def occupancy_flows(rng, problem):
    """Theorem 2, conversely: visits solve the constraints, and their shares are the policy."""
    policy = random_policy(rng, problem)
    x = summed_visits(problem, policy)
    flows = relative(problem.flow @ x.ravel(), problem.start)
    return max(flows, relative(stationary(x), policy))


def mixture_is_stationary(rng, problem):
    """Theorem 3: the stationary policy of a mixture has its values."""
    shares = rng.dirichlet(np.ones(5))
    visits = np.array([summed_visits(problem, random_policy(rng, problem)) for _ in shares])
    values = visits.reshape(5, -1) @ problem.rewards.T
    policy = stationary(np.tensordot(shares, visits, 1))
    return relative(problem.rewards @ summed_visits(problem, policy).ravel(), shares @ values)


def apprentice_leads(rng, problem, error):
    """Theorem 5: how far LPAL's smallest lead falls short of the largest less twice the error."""
    expert = problem.values(random_policy(rng, problem))
    most = largest(*apprentice_program(problem, expert), solver="simplex")[0][-1]
    misjudged = expert + error * rng.choice([-1.0, 1.0], size=len(expert))
    x = largest(*apprentice_program(problem, misjudged), solver="simplex")[0][:-1]
    lead = np.min(problem.values(stationary(x.reshape(len(problem.start), -1))) - expert)
    short = most - 2 * error - lead
    return max(short, -lead) if error == 0 else short


STATEMENTS = {
    "flow-is-occupancy": flow_is_occupancy,
    "occupancy-flows": occupancy_flows,
    "mixture-is-stationary": mixture_is_stationary,
    "exact-values": partial(apprentice_leads, error=0.0),
    "errors": partial(apprentice_leads, error=0.3),
}


@experiment(
    "theorems",
    cells=grid(statement=list(STATEMENTS)),
    repeats=150,
    cost=0.1,
    methods={"any policy": None},
)
def run_theorems(trial):
    """Largest violation of a statement in 20 random problems."""
    rng = trial.rng("problems")
    check = STATEMENTS[trial.cell["statement"]]
    violation = max(check(rng, random_problem(rng)) for _ in range(20))
    trial.measure("any policy", violation=violation, n_test=20)


@experiment(
    "convergence",
    cells=grid(discount=[0.5, 0.9, 0.99]),
    quick=grid(discount=[0.5]),
    repeats=30,
    cost=0.4,
    methods={"MWAL": False, "MWAL, scaled": True},
)
def run_convergence(trial):
    """Shortfall of the smallest lead of 100 rounds of MWAL from the largest, in 2 problems."""
    rng = trial.rng("problems")
    discount = trial.cell["discount"]
    cases = []
    for _ in range(2):
        problem = random_problem(rng, discount=discount)
        expert = problem.values(random_policy(rng, problem))
        most = largest(*apprentice_program(problem, expert), solver="simplex")[0][-1]
        cases.append((problem, expert, most))
    for name, scaled in trial.methods.items():
        with trial.attempt(name):
            short = []
            for problem, expert, most in cases:
                x = sum(visits for *_, visits in islice(game(problem, expert, 100, scaled), 100))
                lead = np.min(problem.rewards @ x.ravel() / 100 - expert)
                short.append((1 - discount) * (most - lead))
            bound = 4 * (np.sqrt(2 * log(4) / 100) + log(4) / 100)
            trial.measure(name, violation=max(short) / bound - 1, n_test=2)
            trial.measure(name, shortfall=np.mean(short))
