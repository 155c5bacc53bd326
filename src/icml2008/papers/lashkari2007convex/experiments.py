"""Section 5: the rate-distortion curve, exemplars against random starts of EM; real data."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.stats import spearmanr
from sklearn.cluster import KMeans

from icml2008.harness.experiment import Cell, experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.clustering._dissimilarities import reference_beta
from icml2008.methods.clustering._kernels import squared_distances
from icml2008.methods.clustering._mixture import mixture_weights
from icml2008.methods.clustering.convex import ConvexClustering, convex_clustering_path
from icml2008.methods.clustering.soft_kmeans import SoftKMeans
from icml2008.papers.lashkari2007convex.mixtures import spherical_mixture

RATIOS = np.arange(1, 26) / 10
SHOWN = [0.1, 0.5, 1.0, 1.2, 1.6, 1.7]
STEPS = 5000
RUNS = 50
SEEDED_RUNS = 5
# A step of soft k-means that adds less to the log-likelihood of a sample is the last.
STOP = 1e-5
REAL = ("landsat", "pendigits", "usps-zip")
# Last digits of published records are this solver's.
SOLVER = "interior-point"
PART = 500


def plane(rng: np.random.Generator, layout: str) -> np.ndarray:
    """Return 400 points of ten clusters in the plane, (400, 2), about as wide as in Figure 2.

    ``grouped``: two or three clusters about each of four places; ``uniform``: ten clusters
    anywhere in a square.
    """
    if layout == "uniform":
        centres = rng.uniform(-28, 28, size=(10, 2))
    else:
        corners = 15.0 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
        sizes = np.array([3, 3, 2, 2])
        turns = rng.uniform(0, 2 * np.pi, size=4)
        centres = np.vstack(
            [
                corner + 8 * np.column_stack([np.cos(angles), np.sin(angles)])
                for corner, size, turn in zip(corners, sizes, turns, strict=True)
                for angles in [turn + 2 * np.pi * np.arange(size) / size]
            ]
        )
    return np.repeat(centres, 40, axis=0) + 2.5 * rng.normal(size=(400, 2))


def normals(
    rng: np.random.Generator, n_clusters: int, per_cluster: int, spread: float
) -> np.ndarray:
    """Return points of unit normals about normal centres in 50 dimensions."""
    centres = spread * rng.normal(size=(n_clusters, 50))
    noise = rng.normal(size=(n_clusters * per_cluster, 50))
    return np.repeat(centres, per_cluster, axis=0) + noise


def heaviest(model: ConvexClustering, n_clusters: int) -> np.ndarray:
    """Return the exemplars of largest weight, heaviest first."""
    return model.exemplars_[np.argsort(-model.weights_, kind="stable")[:n_clusters]]


def distortion(X: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean squared distance of the samples from the means of their clusters."""
    total = 0.0
    for label in np.unique(labels):
        part = X[labels == label]
        total += ((part - part.mean(axis=0)) ** 2).sum()
    return total / len(X)


def real_part(trial: Trial) -> np.ndarray:
    """Return 500 samples of a data set that no other repeat has."""
    name = trial.cell["dataset"]
    data = trial.data(name)
    X = np.asarray(data.images if name == "usps-zip" else data.X, dtype=float)
    order = trial.rng("order", across=("repeat",)).permutation(len(X))
    return X[order[trial.repeat * PART : (trial.repeat + 1) * PART]].reshape(PART, -1)


def compare_starts(trial: Trial, X: np.ndarray, model: ConvexClustering, n_clusters: int) -> None:
    """Measure where soft k-means ends from the heaviest exemplars and from samples."""
    fixed = {"weights": "uniform"} if trial.choices.get("weights") == "uniform" else {}
    for name, make in trial.methods.items():
        if name == "exemplars":
            how = {"init": heaviest(model, n_clusters)}
        else:
            how = {"random_state": trial.rng(name).integers(2**31)}
        with trial.attempt(name):
            soft = make(n_clusters, model.beta_, tol=STOP, max_iter=500, **how, **fixed).fit(X)
            trial.measure(name, loglik=soft.objective_)
            if name == "random":
                trial.measure(name, mean_loglik=soft.objectives_.mean())
                if trial.repeat == 0:
                    trial.keep("random", soft.objectives_)


def compare_partitions(
    trial: Trial, X: np.ndarray, model: ConvexClustering, n_clusters: int
) -> None:
    """Measure the distortion of the exemplars' clusters, the likeliest mixture's and k-means'."""
    with trial.attempt("exemplars"):
        nearest = squared_distances(X, heaviest(model, n_clusters)).argmin(axis=1)
        trial.measure("exemplars", distortion=distortion(X, nearest))
    with trial.attempt("mixture"):
        rng = trial.rng("starts")
        fit = trial.methods["mixture"]
        starts = (X[rng.choice(len(X), n_clusters, replace=False)] for _ in range(RUNS))
        best = max((fit(X, start) for start in starts), key=lambda mixture: mixture.loglik)
        trial.measure("mixture", distortion=distortion(X, best.labels))
    with trial.attempt("k-means++"):
        seed = trial.rng("k-means++").integers(2**31)
        partition = trial.methods["k-means++"](n_clusters, random_state=int(seed)).fit(X)
        trial.measure("k-means++", distortion=distortion(X, partition.labels_))


STARTS = {
    "exemplars": SoftKMeans,
    "random": partial(SoftKMeans, init="random", n_init=RUNS),
    "k-means++": partial(SoftKMeans, init="k-means++", n_init=SEEDED_RUNS),
}
PARTITIONS = {
    "mixture": spherical_mixture,
    "k-means++": partial(KMeans, n_init=SEEDED_RUNS),
}


@experiment(
    "algorithm",
    cells=grid(ratio=[0.5, 1.0, 2.0]),
    smoke=grid(ratio=[1.0]),
    repeats={"quick": 1, "full": 6},
    cost=3.0,
    methods={"convex clustering": partial(ConvexClustering, solver=SOLVER)},
)
def updates(trial: Trial) -> None:
    """Equations 8 and 9: three random starts against a Newton method, and the fixed point."""
    X = plane(trial.rng("points"), trial.choices["layout"])
    squared = squared_distances(X, X)
    beta = trial.cell["ratio"] * reference_beta(X)
    responses = np.exp(-beta * squared)
    best = mixture_weights(responses, tol=1e-10)
    shares = best.weights * responses / (responses @ best.weights)[:, None]
    marginal = shares.mean(axis=0)
    logs = np.log(shares, where=shares > 0, out=np.zeros_like(shares))
    of_marginal = np.log(marginal, where=marginal > 0, out=np.zeros_like(marginal))
    information = (shares * (logs - of_marginal)).sum() / len(X)
    expected = (shares * squared).sum() / len(X)
    short = 0.0
    fall = 0.0
    rng = trial.rng("starts")
    for _ in range(3):
        weights = rng.dirichlet(np.ones(len(X)))
        path = np.empty(STEPS)
        for step in range(STEPS):
            mixture = responses @ weights
            path[step] = np.log(mixture).mean()
            weights = weights * (responses.T @ (1 / mixture)) / len(X)
        short = max(short, best.objective - path[-1])
        fall = max(fall, -float(np.diff(path).min()))
    support = best.weights > 0
    trial.measure(
        "convex clustering",
        shortfall=max(0.0, short),
        fall=max(0.0, fall),
        excess=max(0.0, best.gradient.max() - 1),
        support_error=np.abs(best.gradient[support] - 1).max(),
        identity_error=abs(-best.objective - information - beta * expected),
    )


@experiment(
    "path",
    cells=grid(points=[400]),
    repeats=12,
    cost=3.0,
    methods={"convex clustering": partial(convex_clustering_path, solver=SOLVER)},
)
def rate_distortion(trial: Trial) -> None:
    """Figures 1 and 2: rate, distortion and hard clusters for beta up to 2.5 of the empirical."""
    X = plane(trial.rng("points"), trial.choices["layout"])
    reference = reference_beta(X)
    models = trial.methods["convex clustering"](X, RATIOS * reference)
    rates = np.array([model.rate_ for model in models])
    distortions = np.array([model.distortion_ for model in models])
    counts = np.array([len(model.cluster_exemplars_) for model in models])
    # Where the curve passes below one of its tangents, of slope -beta.
    betas = RATIOS[:, None] * reference
    below = rates[:, None] - rates - betas * (distortions - distortions[:, None])
    commonest = sorted(np.argsort(-np.bincount(counts), kind="stable")[:2].tolist())
    trial.measure(
        "convex clustering",
        fall=max(0.0, -float(np.diff(rates).min())),
        rise=max(0.0, float(np.diff(distortions).max())),
        concavity=max(0.0, float(below.max())),
        reversals=int((np.diff(counts) < 0).sum()),
        trend=float(spearmanr(RATIOS, counts).statistic),
        coarse_clusters=commonest[0],
        fine_clusters=commonest[1],
    )
    if trial.repeat == 0:
        trial.keep("curve", np.column_stack([RATIOS, distortions, rates, counts]))
        trial.keep("reference", [reference])
        trial.keep("points", X)
        for ratio in SHOWN:
            model = models[int(np.argmin(np.abs(RATIOS - ratio)))]
            trial.keep(f"labels-{ratio}", model.labels_)
            trial.keep(f"exemplars-{ratio}", model.exemplars_[model.cluster_exemplars_])


def draws(cell: Cell) -> int:
    """Return how often a cell's points are drawn: the printed sizes twice as often as the small."""
    return 6 if cell["per_cluster"] == 25 else 12


@experiment(
    "likelihood",
    cells=[
        *grid(per_cluster=[25], ratio=[1.0, 1.5, 2.0]),
        *grid(per_cluster=[250, 300], ratio=[1.5]),
    ],
    quick=grid(per_cluster=[25], ratio=[1.5]),
    repeats=draws,
    cost=20.0,
    methods=STARTS,
)
def exemplar_start(trial: Trial) -> None:
    """Figure 3: soft k-means from the exemplars, once, and from 50 random sets of samples."""
    per_cluster = trial.cell["per_cluster"]
    X = normals(trial.rng("points", ("ratio",)), 50, per_cluster, float(trial.choices["spread"]))
    beta = trial.cell["ratio"] * reference_beta(X)
    n_nearest = min(len(X), 3 * per_cluster)
    model = ConvexClustering(beta, n_nearest=n_nearest, solver=SOLVER).fit(X)
    compare_starts(trial, X, model, 50)


@experiment(
    "distortion",
    cells=[
        *grid(clusters=[50], per_cluster=[50, 130, 210]),
        *grid(clusters=[5, 25, 65, 125], per_cluster=[100]),
    ],
    quick=grid(clusters=[5, 25], per_cluster=[100]),
    smoke=grid(clusters=[5], per_cluster=[100]),
    repeats={"quick": 1, "full": 12},
    cost=10.0,
    methods={"exemplars": partial(ConvexClustering, solver=SOLVER), **PARTITIONS},
)
def hard_clusters(trial: Trial) -> None:
    """Figure 4: distortion of the exemplars' clusters and of the likeliest mixture's."""
    n_clusters = trial.cell["clusters"]
    per_cluster = trial.cell["per_cluster"]
    X = normals(trial.rng("points"), n_clusters, per_cluster, float(trial.choices["centres"]))
    n_nearest = min(len(X), 3 * per_cluster)
    model = trial.methods["exemplars"](reference_beta(X), n_nearest=n_nearest).fit(X)
    compare_partitions(trial, X, model, n_clusters)


@experiment(
    "real-likelihood",
    cells=grid(dataset=list(REAL)),
    smoke=grid(dataset=["landsat"]),
    repeats={"quick": 1, "full": 6},
    cost=5.0,
    methods=STARTS,
    data=lambda cell: (cell["dataset"],),
)
def exemplar_start_on_real_data(trial: Trial) -> None:
    """As in Figure 3, with as many components as convex clustering finds clusters."""
    X = real_part(trial)
    model = ConvexClustering(reference_beta(X), solver=SOLVER).fit(X)
    n_clusters = len(model.cluster_exemplars_)
    compare_starts(trial, X, model, n_clusters)
    trial.measure("exemplars", clusters=n_clusters)


@experiment(
    "real-distortion",
    cells=grid(dataset=list(REAL)),
    smoke=grid(dataset=["landsat"]),
    repeats={"quick": 1, "full": 6},
    cost=5.0,
    methods={"exemplars": partial(ConvexClustering, solver=SOLVER), **PARTITIONS},
    data=lambda cell: (cell["dataset"],),
)
def hard_clusters_of_real_data(trial: Trial) -> None:
    """As in Figure 4, with as many clusters as convex clustering finds."""
    X = real_part(trial)
    model = trial.methods["exemplars"](reference_beta(X)).fit(X)
    n_clusters = len(model.cluster_exemplars_)
    compare_partitions(trial, X, model, n_clusters)
    trial.measure("exemplars", clusters=n_clusters)
