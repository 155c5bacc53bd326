"""Theorem 1, Corollary 2 and Section 3.1's simulation, whose risks are sums over 220 inputs."""

import numpy as np
from scipy.special import expit
from scipy.stats import binom

from icml2008.harness.experiment import experiment, grid

from .method import fit_logistic, joint_estimates
from .problems import BAYES, BEST, draw_problem, joint_law

SAMPLES = 200
PROBLEMS = 3
# Powers of the square root of 2 around the printed penalty, largest first: each fit starts from
# the one before, and large penalties are the easy ones.
FACTORS = 2.0 ** np.arange(3, -3.5, -0.5)
SIZES = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
# "When n is larger than one thousand": where theory is met, and penalties make no difference.
LARGE = 1000
METHODS = ("logistic", "weighted")


def kind_of(trial, bayes, model):
    """Return what `draw_problem` is asked for."""
    return {
        "bayes": bayes,
        # Of the harder scenarios no rate is printed.
        "best": BEST if model == "flipped" and bayes == BAYES else None,
        "flips": trial.choices["flips"] if model == "flipped" else "none",
        "law": trial.choices["law"],
    }


def problem_of(trial, bayes, model):
    """Return the problem of a repeat, which all sample sizes share."""
    return draw_problem(trial.rng("problem", across=["n"]), **kind_of(trial, bayes, model))


def estimates(name, counts, problem):
    """Return joint estimates of a method and its printed penalties, one for each sample."""
    n = counts[0].sum()
    if name == "logistic":
        return joint_estimates(counts), np.full(len(counts), 1 / n)
    seen = (counts.sum(axis=-1) > 0) @ problem.marginal
    return joint_estimates(counts, problem.marginal), seen / n


def samples_of(trial, law, n):
    """Return counts by input and label of independent samples, (SAMPLES, n_inputs, 2)."""
    counts = trial.rng("samples").multinomial(n, law.ravel(), size=SAMPLES)
    return counts.reshape(SAMPLES, *law.shape)


def percent_off(value, expected):
    """Return by how many percent a value misses what is expected."""
    return 100 * abs(value / expected - 1)


def middle_half(values):
    """Return the interquartile range: the length of a boxplot's box."""
    low, high = np.quantile(values, [0.25, 0.75])
    return high - low


@experiment(
    "simulation",
    cells=grid(model=["flipped"], bayes=[BAYES], n=SIZES)
    + grid(model=["right"], bayes=[6.3], n=SIZES)
    + grid(model=["flipped"], bayes=[10.0, 20.0], n=[50, 5000]),
    quick=grid(model=["flipped"], bayes=[BAYES], n=[50, 5000]),
    smoke=grid(model=["flipped"], bayes=[BAYES], n=[50]),
    repeats=12,
    cost=0.4,
    methods=dict.fromkeys(METHODS),
)
def run_simulation(trial):
    """Errors and risks of 200 samples of one problem, at the penalty that suits them best."""
    n = trial.cell["n"]
    problem = problem_of(trial, trial.cell["bayes"], trial.cell["model"])
    within, outer, hessian = problem.matrices()
    inverse = np.linalg.inv(hessian)
    counts = samples_of(trial, problem.joint, n)
    lowest = problem.risk(problem.theta)
    compared = []
    for name, middle in zip(METHODS, (outer, within), strict=True):
        joint, printed = estimates(name, counts, problem)
        fits = []
        theta = None
        for factor in FACTORS:
            theta = fit_logistic(problem.X, joint, factor * printed, theta)
            fits.append(theta)
        fits = np.array(fits)
        distance = n * np.sum((fits - problem.theta) ** 2, axis=-1)
        excess = n * (problem.risk(fits) - lowest)
        error = problem.error(fits)
        criteria = {"risk": excess, "error": error, "estimate": distance}
        # One penalty serves all samples of a size, as rho_n does.
        calibrated = trial.choices["calibrated"]
        lowest_at = int(criteria.get(calibrated, excess).mean(axis=1).argmin())
        best = int(np.argmin(FACTORS != 1)) if calibrated == "printed" else lowest_at
        expected = np.trace(inverse @ middle @ inverse)
        trial.measure(
            name,
            log_estimate=round(np.log(distance[best].mean()), 3),
            log_risk=round(np.log(excess[best].mean()), 3),
            error=round(error[best].mean(), 3),
            estimate_box=round(np.log(middle_half(distance[best])), 3),
            risk_box=round(np.log(middle_half(excess[best])), 3),
            penalty=round(abs(np.log2(FACTORS[lowest_at])), 1),
            estimate_off=round(percent_off(distance[best].mean(), expected), 1),
            risk_off=round(percent_off(excess[best].mean(), np.trace(middle @ inverse) / 2), 1),
        )
        compared.append(criteria[trial.choices["compared"]][best].mean())
        if n > LARGE:
            free = fit_logistic(problem.X, joint, printed / n, theta)
            lost = n * (problem.risk(free) - lowest).mean()
            trial.measure(name, unpenalised=round(percent_off(lost, excess[best].mean()), 1))
        trial.keep(f"{name}-risk", np.round(np.quantile(excess[best], [0.25, 0.5, 0.75]), 4))
        trial.keep(f"{name}-error", np.round(np.quantile(error[best], [0.25, 0.5, 0.75]), 3))
    behind = round(np.log(compared[1] / compared[0]), 3)
    trial.measure("weighted", behind=behind, apart=abs(behind))


def efficient_covariance(problem, reach=3e-3):
    """Return the covariance of the best model as a function of efficient estimates of labels.

    The appendix's matrix, the Jacobian by differences of fits in place of its formula. Each label's
    chance takes two steps towards a half, since beyond 0 or 1 there may be no best model. They are
    so short that parameters move by about `reach`: where the model is nearly sure, they are touchy.
    """
    hessian = problem.matrices()[2]
    pull = problem.marginal * np.linalg.solve(hessian, problem.X.T)
    steps = np.minimum(reach / np.abs(pull).max(axis=0), 0.1)
    steps = np.where(problem.label < 0.5, steps, -steps)
    labels = problem.label + np.concatenate([np.diag(steps), np.diag(2 * steps), [0 * steps]])
    laws = joint_law(np.broadcast_to(problem.marginal, labels.shape), labels)
    thetas = fit_logistic(problem.X, laws, start=np.tile(problem.theta, (len(labels), 1)))
    # One more step of Newton's: what a fit leaves of its gradient is not small beside such moves.
    left = (problem.marginal * (expit(thetas @ problem.X.T) - labels)) @ problem.X
    thetas -= np.linalg.solve(hessian, left.T).T
    near, far = thetas[:-1].reshape(2, *problem.X.shape)
    jacobian = (4 * near - far - 3 * thetas[-1]) / (2 * steps[:, None])
    variance = problem.label * (1 - problem.label) / problem.marginal
    return (jacobian.T * variance) @ jacobian


def leading(value):
    """Return three digits of a number, which are all that is asked of it."""
    return float(f"{value:.3g}")


@experiment(
    "theorem",
    cells=grid(model=["flipped", "right"]),
    repeats=100,
    cost=0.4,
    methods={"weighted": None},
)
def run_theorem(trial):
    """H and I of three drawn problems, and the bound that no estimator goes below."""
    rng = trial.rng("problem")
    rows = []
    for _ in range(PROBLEMS):
        problem = draw_problem(rng, **kind_of(trial, BAYES, trial.cell["model"]))
        within, outer, hessian = problem.matrices()
        inverse = np.linalg.inv(hessian)
        covariance = inverse @ within @ inverse
        missed = np.linalg.eigvalsh(outer - within)
        most = np.maximum(problem.label, 1 - problem.label) * problem.marginal
        largest = (problem.X * most[:, None]).T @ problem.X
        scale = np.linalg.norm(outer, 2)
        apart = np.linalg.norm(covariance - efficient_covariance(problem))
        row = {
            "negative": -missed[0] / scale,
            "difference": missed[-1] / scale,
            "fisher": np.linalg.norm(hessian - outer, 2) / scale,
            "beyond": -np.linalg.eigvalsh(largest - outer)[0] / scale,
            "efficiency": apart / np.linalg.norm(covariance),
        }
        rows.append(row)
    worst = {metric: leading(max(row[metric] for row in rows)) for metric in rows[0]}
    least = leading(min(row["difference"] for row in rows))
    trial.measure("weighted", n_test=PROBLEMS, least_difference=least, **worst)


@experiment(
    "limit",
    # A sample is 440 counts, whatever its size is.
    cells=grid(model=["flipped", "right"], n=[1000, 100_000, 10**12]),
    quick=grid(model=["flipped"], n=[1000]),
    repeats={"quick": 1, "full": 24},
    cost=0.2,
    methods=dict.fromkeys(METHODS),
)
def run_limit(trial):
    """Squared errors by the covariances of Theorem 1, and excess risks by Corollary 2."""
    n = trial.cell["n"]
    problem = problem_of(trial, BAYES, trial.cell["model"])
    within, outer, hessian = problem.matrices()
    counts = samples_of(trial, problem.joint, n)
    for name, middle in zip(METHODS, (outer, within), strict=True):
        joint, printed = estimates(name, counts, problem)
        # Without any penalty a sample without errors has no optimum; over n it is lost.
        off = fit_logistic(problem.X, joint, printed / n) - problem.theta
        turned = off @ hessian
        squares = n * np.einsum("sp,sp->s", turned, np.linalg.solve(middle, turned.T).T)
        excess = n * (problem.risk(off + problem.theta) - problem.risk(problem.theta))
        risk = np.trace(np.linalg.solve(hessian, middle)) / 2
        trial.measure(
            name,
            estimate_off=round(percent_off(squares.mean(), len(problem.theta)), 1),
            risk_off=round(percent_off(excess.mean(), risk), 1),
        )


def known_marginal_variance(n, marginal, label):
    """Return the variance of Equation 2's estimate of a joint probability from n examples.

    It is 0 where the input was not seen, as in Equation 5.
    """
    counts = np.arange(1, n + 1)
    seen = binom.pmf(counts, n, marginal)
    unseen = (1 - marginal) ** n
    # Given its count, the estimate is the marginal times a mean of labels.
    within = marginal**2 * label * (1 - label) * np.sum(seen / counts)
    between = (marginal * label) ** 2 * unseen * (1 - unseen)
    return within + between


@experiment(
    "joint",
    cells=grid(n=[1_000, 100_000]),
    repeats=30,
    cost=0.05,
    methods={"weighted": None},
)
def run_joint(trial):
    """The variance of one cell of a joint law whose marginal is known, as an exact sum."""
    n = trial.cell["n"]
    gaps = []
    shares = []
    for marginal, label in trial.rng("cells", across=("n",)).uniform(0.1, 0.9, size=(10, 2)):
        cell = marginal * label
        scaled = n * known_marginal_variance(n, marginal, label)
        gaps.append(abs(scaled / (cell * (1 - cell / marginal)) - 1))
        shares.append(scaled / (cell * (1 - cell)))
    trial.measure("weighted", variance=max(gaps), share=max(shares), n_test=len(gaps))


@experiment(
    "shift",
    cells=grid(model=["flipped", "right"], n=[1000, 10_000, 100_000]),
    quick=grid(model=["flipped"], n=[1000]),
    repeats={"quick": 1, "full": 24},
    cost=0.1,
    methods=dict.fromkeys(METHODS),
)
def run_shift(trial):
    """Distances from the best model where inputs are drawn by another law than the known one."""
    problem = problem_of(trial, BAYES, trial.cell["model"])
    # Half of the inputs come from the known law and half from all 220 alike, so that all are seen.
    law = joint_law((problem.marginal + 1 / len(problem.X)) / 2, problem.label)
    counts = samples_of(trial, law, trial.cell["n"])
    for name in METHODS:
        joint, printed = estimates(name, counts, problem)
        theta = fit_logistic(problem.X, joint, printed)
        distance = np.sum((theta - problem.theta) ** 2, axis=1).mean()
        trial.measure(name, log_distance=round(np.log(distance), 3))
