"""Section 5: AIS against enumeration for small machines, and log-probabilities of large ones."""

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.nets.arithmetic import Uniform
from icml2008.methods.nets.partition import (
    AnnealedEstimate,
    annealed_importance_sampling,
    base_rates,
    default_betas,
    enumerate_partition,
)
from icml2008.papers.salakhutdinov2008ais.method import (
    bounds,
    exact_bounds,
    fit_mixture,
    learn,
    learn_long,
    machine_of,
    mixture_log_probabilities,
)

# "tiny" only shows that all runs; thin: every so manieth of the printed temperatures
NAMES = ("images", "tests", "hidden", "passes", "runs", "thin")
SIZES = {
    "tiny": dict(zip(NAMES, (400, 100, 8, 1, 5, 500), strict=True)),
    "whole": dict(zip(NAMES, (60000, 10000, 500, 8, 50, 1), strict=True)),
}
SMALL_PASSES = 6
LONG_PASSES = 100  # 60,000 updates
# steps of a chain, hidden units
MODELS = {"CD1-6": (1, 6), "CD1-20": (1, 20), "CD1-25": (1, 25), "CD3-25": (3, 25)}
GIBBS = {"CD1": (1, 1), "CD3": (3, 3), "CD25": (1, 25)}
COMPONENTS = (10, 100, 500)
SETTINGS = {"10 runs": (10, 1), "100 runs": (100, 1), "1,450 temperatures": (100, 10)}


def digits(trial, size):
    """Return training and test digits as probabilities of ones."""
    images = trial.data("mnist")
    first = SIZES[size]
    rows = np.r_[: first["images"], images.n_train : images.n_train + first["tests"]]
    X = images.images[rows].reshape(len(rows), -1).astype(np.float32) / 255
    return X[: first["images"]], X[first["images"] :]


def drawn(X, rng):
    """Return ones with these probabilities."""
    return Uniform(int(rng.integers(2**31))).bernoulli(X)


def learnt_and_tested(trial, size):
    """Return digits to learn from and to test on, each drawn once."""
    parts = zip(digits(trial, size), ("train", "test"), strict=True)
    return [drawn(part, trial.rng(name)) for part, name in parts]


def thinned(every):
    """Return every so manieth of the printed inverse temperatures, and 1."""
    return np.append(default_betas()[:-1:every], 1.0)


def annealed(machine, X, n_runs, every, rng):
    """Return an estimate from the base rates of X."""
    seed = int(rng.integers(2**31))
    return annealed_importance_sampling(
        machine, base_rates(X), betas=thinned(every), n_runs=n_runs, random_state=seed
    )


def tens(estimate):
    """Return ln Z by each ten of an estimate's runs, (n_runs // 10,)."""
    groups = estimate.log_weights.reshape(-1, 10)
    return np.array([AnnealedEstimate(w, estimate.log_base).log_partition for w in groups])


@experiment(
    "small",
    cells=grid(model=list(MODELS)),
    quick=grid(model=["CD1-6"]),
    repeats=6,
    cost=lambda cell: {"CD1-6": 0.2}.get(cell["model"], 18.0),
    methods={name: (lambda: None) for name in SETTINGS},
    data=lambda cell: ("mnist",),
)
def run_small(trial):
    """Estimates of ln Z by settings of AIS beside the sum over all hidden states."""
    gibbs, hidden = MODELS[trial.cell["model"]]
    tiny = hidden < 10
    grey = digits(trial, "tiny" if tiny else "whole")[0]
    X = drawn(grey, trial.rng("digits"))
    redraw = trial.choices["binarised"] == "anew"
    rows = grey if redraw else X
    passes = 1 if tiny else SMALL_PASSES
    if trial.choices["learning"] == "long-constant":
        machine = learn_long(
            X, hidden, gibbs, trial.rng("learn"), passes=2 if tiny else LONG_PASSES
        )
    else:
        machine = learn(rows, hidden, (gibbs, gibbs), passes, trial.rng("learn"), redraw=redraw)
    exact = enumerate_partition(machine)
    scale = 100 if tiny else 1
    runs_of = {}
    for name, (runs, every) in SETTINGS.items():
        if every not in runs_of:
            # Ten runs are the first of the hundred: settings with as many temperatures share their
            # chains.
            runs_of[every] = annealed(machine, X, 100, every * scale, trial.rng(name))
        estimate = AnnealedEstimate(runs_of[every].log_weights[:runs], runs_of[every].log_base)
        low, high = estimate.interval()
        steps = len(thinned(every * scale)) - 1
        trial.measure(
            name,
            error=abs(estimate.log_partition - exact),
            ratio=np.exp(estimate.log_partition - exact),
            inside=100.0 * (low <= exact <= high),
        )
        if runs == 100:
            trial.measure(name, scaled=steps * np.var(estimate.log_weights, ddof=1))


def small_estimate(trial, **across):
    """Return an estimate by 1,000 runs on a machine with normal weights, and the sum itself."""
    rng = trial.rng("machine", **across)
    steps = trial.cell["temperatures"]
    machine = machine_of(rng.normal(size=(12, 20)), rng.normal(size=12), rng.normal(size=20))
    estimate = annealed_importance_sampling(
        machine,
        np.zeros(20),
        betas=np.linspace(0, 1, steps + 1),
        n_runs=1000,
        random_state=int(trial.rng("chains").integers(2**31)),
    )
    return estimate, enumerate_partition(machine)


@experiment(
    "temperatures",
    cells=grid(temperatures=[20, 200, 2000]),
    quick=grid(temperatures=[20]),
    repeats=12,
    cost=0.5,
    methods={"AIS": None},
)
def run_temperatures(trial):
    """How the variance of a log weight falls with the number of temperatures, on small machines."""
    # One machine for all numbers of temperatures, so that the variance falls for one reason.
    estimate, exact = small_estimate(trial, across=("temperatures",))
    variance = np.var(estimate.log_weights, ddof=1)
    trial.measure(
        "AIS",
        log_variance=np.log(variance),
        ratio=np.exp(estimate.log_partition - exact),
        below=100.0 * np.mean(tens(estimate) < exact),
    )


@experiment(
    "shares",
    cells=grid(temperatures=[20, 200]),
    quick=grid(temperatures=[20]),
    repeats={"quick": 2, "full": 150},
    cost=0.1,
    methods={"AIS": None},
)
def run_shares(trial):
    """How often ten runs together underestimate ln Z, on small machines."""
    estimate, exact = small_estimate(trial)
    trial.measure("AIS", below=100.0 * np.mean(tens(estimate) < exact))


@experiment(
    "orders",
    cells=grid(hidden=[6, 25]),
    quick=grid(hidden=[6]),
    repeats=6,
    cost=lambda cell: {6: 0.2}.get(cell["hidden"], 40.0),
    methods=dict.fromkeys([*GIBBS, "mixture-10"]),
    data=lambda cell: ("mnist",),
)
def run_orders(trial):
    """Exact mean log-probabilities of test digits under machines whose states can be summed."""
    hidden = trial.cell["hidden"]
    tiny = hidden < 10
    X, V = learnt_and_tested(trial, "tiny" if tiny else "whole")
    for name, gibbs in GIBBS.items():
        machine = learn(X, hidden, gibbs, 1 if tiny else SMALL_PASSES, trial.rng(name))
        trial.measure(name, test=np.mean(machine.score_samples(V)))
    mixture = fit_mixture(X, 10, 4, trial.rng("mixture"))
    trial.measure("mixture-10", test=np.mean(mixture_log_probabilities(V, *mixture)))


@experiment(
    "large",
    cells=grid(size=["tiny", "whole"]),
    quick=grid(size=["tiny"]),
    repeats=6,
    cost=lambda cell: {"tiny": 0.6}.get(cell["size"], 420.0),
    methods=dict.fromkeys(
        [*GIBBS, *(f"DBN-{g}" for g in GIBBS), *(f"mixture-{n}" for n in COMPONENTS)]
    ),
    data=lambda cell: ("mnist",),
)
def run_large(trial):
    """Mean log-probabilities of test and training digits, or bounds of them for deep nets."""
    size = SIZES[trial.cell["size"]]
    X, V = learnt_and_tested(trial, trial.cell["size"])

    def measure(name, score, *given):
        test, train = (np.mean(score(rows, *given)) for rows in (V, X[: len(V)]))
        trial.measure(name, test=test, train=train)

    def partition(name, machine, rows, rng):
        estimate = annealed(machine, rows, size["runs"], size["thin"], rng)
        trial.measure(name, error=estimate.interval(1)[1] - estimate.log_partition)
        return estimate.log_partition

    for name, gibbs in GIBBS.items():
        rng = trial.rng(name)
        deep = f"DBN-{name}"
        first = learn(X, size["hidden"], gibbs, size["passes"], rng)
        first.log_partition_ = partition(name, first, X, rng)
        measure(name, first.score_samples)
        H = first.transform(X)
        second = learn(H, X.shape[1], gibbs, size["passes"], rng, redraw=True, start=first)
        measure(deep, bounds, first, second, partition(deep, second, H, rng), rng)
    for n in COMPONENTS:
        mixture = fit_mixture(X, n, 4, trial.rng(f"mixture-{n}"))
        measure(f"mixture-{n}", mixture_log_probabilities, *mixture)


@experiment(
    "bounds",
    cells=grid(second=["tied", "other"]),
    repeats=60,
    cost=0.01,
    methods={"net": None},
)
def run_bounds(trial):
    """Section 4 by sums over all states: bound of a net of two layers, and its log-probability."""
    rng = trial.rng("machines")
    first = machine_of(rng.normal(size=(3, 5)), rng.normal(size=3), rng.normal(size=5))
    if trial.cell["second"] == "tied":
        second = machine_of(first.components_.T, first.intercept_visible_, first.intercept_hidden_)
    else:
        second = machine_of(rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=3))
    bound, whole = exact_bounds(first, second)
    trial.measure("net", n_test=len(bound), over=max(bound - whole), apart=max(abs(bound - whole)))
