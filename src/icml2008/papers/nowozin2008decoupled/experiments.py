"""Sections 2.2 and 4: exemplars anywhere against exemplars among the samples, and against EM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.clustering._kernels import response, squared_distances
from icml2008.methods.clustering._masters import solve_master
from icml2008.methods.clustering._mean_shift import find_modes
from icml2008.methods.clustering._mixture import mixture_weights
from icml2008.methods.clustering.convex import ConvexClustering
from icml2008.methods.clustering.infinite import InfiniteExemplars
from icml2008.methods.clustering.soft_kmeans import SoftKMeans
from icml2008.methods.clustering.vector_quantization import KernelVectorQuantization
from icml2008.papers.nowozin2008decoupled.samples import digits, gauss_ring, lattice

SIGMAS = [440, 460, 480, 500, 520, 540]
DISTORTIONS = [800, 1000, 1200, 1400, 1600, 1800, 2000]
RUNS = 20
# A bound on what is still to be gained; Table 1 has four digits.
EPSILON = 1e-6
USPS = ("usps-roweis", "usps-zip")
PERTURBATIONS = 10


class Density(Protocol):
    """A method of one's own: a class that is made by ``Class(h=...)``, a bandwidth, and fitted."""

    def fit(self, X: np.ndarray) -> Any:
        """Learn from X (n_samples, n_features)."""

    def score(self, X: np.ndarray) -> float:
        """Return the mean log response of the samples to kernels that are 1 at their centres."""


class Codebook(Protocol):
    """A method of one's own: a class that is made by ``Class(h=...)``, the largest distortion."""

    def fit(self, X: np.ndarray) -> Any:
        """Learn from X; leave ``exemplars_`` (n_vectors, n_features) and ``objective_``."""


def gaussian_beta(h: float) -> float:
    """Return the inverse width with which exp(-beta d^2) is the Gaussian kernel of bandwidth h."""
    return 1 / (2 * h**2)


def choosing(h: float) -> ConvexClustering:
    """Return convex clustering with the Gaussian kernel of bandwidth h."""
    # Last digits of published records are this solver's.
    return ConvexClustering(gaussian_beta(h), solver="interior-point")


def digits_of(trial: Trial) -> np.ndarray:
    """Return the trial's 1100 digits."""
    return digits(*map(trial.data, USPS), trial.choices["sample"])


@lru_cache(maxsize=1)
def _fitted(parameters: tuple[tuple[str, Any], ...], shape: tuple[int, int], data: bytes):
    return InfiniteExemplars(**dict(parameters)).fit(np.frombuffer(data).reshape(shape))


class Infex:
    """INFEX, which takes no seed: fitted once where repeats have the same digits."""

    def __init__(self, h: float, **parameters: Any):
        self.parameters = (("h", h), *sorted(parameters.items()))

    def fit(self, X: np.ndarray) -> InfiniteExemplars:
        """Fit, or recall."""
        return _fitted(self.parameters, X.shape, np.ascontiguousarray(X).tobytes())


@experiment(
    "exemplars",
    cells=grid(sigma=SIGMAS),
    quick=grid(sigma=[540]),
    repeats=2,
    cost=2.5,
    methods=lambda choices: {
        "convex clustering": choosing,
        "INFEX": partial(Infex, start=choices["start"], tol=EPSILON),
    },
    data=lambda cell: USPS,
    expects=Density,
)
def deterministic_columns(trial: Trial) -> None:
    """Table 1, the columns without randomness: log-likelihoods, gap and numbers of exemplars."""
    X = digits_of(trial)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make(h=trial.cell["sigma"]).fit(X)
            trial.measure(name, loglik=model.score(X))
            if name in ("convex clustering", "INFEX"):
                trial.measure(name, exemplars=len(model.weights_), gap=model.duality_gap_)
            if name == "INFEX":
                path = model.objective_path_
                trial.measure(
                    name,
                    centres=model.exemplar_clusters_.max() + 1,
                    fall=max(0.0, float(-np.diff(path).min(initial=0.0))),
                )
                if trial.repeat == 0:
                    trial.keep("path", path)


EMPTY_START = partial(Infex, start="empty", tol=EPSILON)


def mixtures(choices: Mapping[str, str]) -> dict[str, Callable[..., Any]]:
    """Return the columns of Table 1; both of EM are made from the same runs."""
    em = partial(SoftKMeans, weights=choices["weights"], tol=float(choices["stop"]), max_iter=5000)
    return {"convex clustering": choosing, "INFEX": EMPTY_START, "EM best": em, "EM mean": em}


@experiment(
    "mixture",
    cells=grid(sigma=SIGMAS),
    quick=grid(sigma=[540]),
    repeats=10,
    cost=1.0,
    methods=mixtures,
    data=lambda cell: USPS,
    expects=Density,
)
def against_em(trial: Trial) -> None:
    """Table 1: INFEX and convex clustering against the best and the mean of 20 runs of EM."""
    X = digits(*map(trial.data, USPS), "every-tenth")
    h = trial.cell["sigma"]
    seed = trial.rng("starts").integers(2**31)
    for name, make in trial.methods.items():
        if not name.startswith("EM"):
            with trial.attempt(name):
                trial.measure(name, loglik=make(h=h).fit(X).score(X))
    peer = EMPTY_START(h=h).fit(X)
    n_components = {
        "weighted": len(peer.weights_),
        "distinct": peer.exemplar_clusters_.max() + 1,
        "halfway": (len(peer.weights_) + peer.n_columns_) // 2,
        "columns": peer.n_columns_,
    }[trial.choices["components"]]
    make = trial.methods["EM best"]
    runs = make(n_components, gaussian_beta(h), n_init=RUNS, random_state=seed).fit(X).objectives_
    trial.measure("EM best", loglik=runs.max(), components=n_components)
    trial.measure("EM mean", loglik=runs.mean())


@experiment(
    "codebook",
    cells=grid(distortion=DISTORTIONS),
    quick=grid(distortion=[2000]),
    repeats={"quick": 1, "full": 2},
    cost=lambda cell: 2.0 if cell["distortion"] == 2000 else 5.0,
    methods={
        "KVQ": KernelVectorQuantization,
        "INFEX": partial(Infex, objective="margin", kernel="disc", start="empty"),
    },
    data=lambda cell: USPS,
    expects=Codebook,
)
def codebooks(trial: Trial) -> None:
    """Figures 3 and 4: margin and number of codebook vectors."""
    X = digits_of(trial)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make(h=trial.cell["distortion"]).fit(X)
            margin = model.objective_
            trial.measure(
                name, margin=margin, log_margin=np.log10(margin), vectors=len(model.exemplars_)
            )
    # Ten classes of as many images each, in their order; the first method's, for want of a better.
    distances = np.sqrt(squared_distances(X, X)).reshape(10, len(X) // 10, 10, -1).mean(axis=(1, 3))
    trial.measure("KVQ", between_classes=distances[~np.eye(10, dtype=bool)].mean())


class Candidates:
    """The best mixture of Gaussian kernels of bandwidth h about given places."""

    def __init__(self, h: float, places: np.ndarray):
        self.h = h
        self.places = places

    def fit(self, X: np.ndarray) -> Candidates:
        """Find the weights."""
        mixture = mixture_weights(response("gaussian", squared_distances(X, self.places), self.h))
        self.objective_ = mixture.objective
        self.exemplars_ = self.places[mixture.weights > 0]
        return self


def centres_on_ring(exemplars: np.ndarray) -> int:
    """Count the exemplars on the ring's side, those within a fifth of the bandwidth as one."""
    from scipy.cluster.hierarchy import fclusterdata

    ring = exemplars[exemplars.sum(axis=1) > 5]
    return len(ring) if len(ring) < 2 else int(fclusterdata(ring, 0.5, "distance").max())


@experiment(
    "ring",
    cells=grid(per_axis=[3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40]),
    quick=grid(per_axis=[6, 8, 10, 30]),
    smoke=grid(per_axis=[8, 30]),
    repeats={"smoke": 2, "quick": 6, "full": 50},
    cost=0.03,
    methods={
        "samples": choosing,
        "grid": Candidates,
        "INFEX": partial(InfiniteExemplars, tol=EPSILON),
    },
)
def ring_and_grid(trial: Trial) -> None:
    """Figures 1 and 2: candidates among the samples, on a grid, and anywhere; sigma = 2.5."""
    # One draw for all grids of a repeat, as in Figure 2.
    X = gauss_ring(trial.rng("points", across=("per_axis",)), trial.choices["ring"])
    models = {}
    for name, make in trial.methods.items():
        places = {"places": lattice(trial.cell["per_axis"])} if name == "grid" else {}
        with trial.attempt(name):
            model = models[name] = make(h=2.5, **places).fit(X)
            on_ring = centres_on_ring(model.exemplars_)
            trial.measure(name, loglik=model.objective_, centres=on_ring)
            if trial.repeat == 0:
                trial.keep(name, model.exemplars_)
    low = models["samples"].objective_
    high = models["INFEX"].objective_
    trial.measure("grid", gain_share=(models["grid"].objective_ - low) / (high - low))
    if trial.repeat == 0:
        trial.keep("points", X)


def chosen_for_ring(exemplars: np.ndarray, candidates: np.ndarray) -> tuple[set, np.ndarray]:
    """Return which candidates are exemplars on the ring's side, and where these lie."""
    ring = exemplars[exemplars.sum(axis=1) > 5]
    return set(squared_distances(ring, candidates).argmin(axis=1).tolist()), ring


def hausdorff(places: np.ndarray, others: np.ndarray) -> float:
    """Return the distance of two sets of places: how far from the other set a place can lie."""
    squared = squared_distances(places, others)
    return float(np.sqrt(max(squared.min(axis=0).max(), squared.min(axis=1).max())))


@experiment(
    "perturbed-ring",
    cells=grid(noise=[0.05]),
    repeats={"smoke": 2, "quick": 6, "full": 50},
    cost=0.1,
    methods={"samples": choosing, "grid": partial(Candidates, places=lattice(30))},
)
def perturbed_ring(trial: Trial) -> None:
    """Section 2.2: how often the exemplars on the ring are others after a slight perturbation."""
    rng = trial.rng("points")
    X = gauss_ring(rng, trial.choices["ring"])
    perturbed = X + trial.cell["noise"] * rng.normal(size=(PERTURBATIONS, *X.shape))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            (which, where), *others = (
                chosen_for_ring(
                    make(h=2.5).fit(points).exemplars_, points if name == "samples" else lattice(30)
                )
                for points in (X, *perturbed)
            )
            changed = [other != which for other, _ in others]
            moved = [hausdorff(there, where) for _, there in others]
            trial.measure(name, changed=np.mean(changed), moved=np.mean(moved))


@experiment(
    "theorems",
    cells=grid(objective=["likelihood", "margin"], kernel=["gaussian", "epanechnikov", "disc"]),
    smoke=grid(objective=["likelihood"], kernel=["gaussian"]),
    repeats=20,
    cost=0.12,
    methods={"INFEX": InfiniteExemplars},
)
def never_worse(trial: Trial) -> None:
    """Theorem 2: how far INFEX from the samples falls short of choosing among them, and ever falls.

    Forty points about six centres in the plane, a bandwidth between 0.5 and 2.
    """
    rng = trial.rng("points")
    X = np.repeat(3 * rng.normal(size=(6, 2)), 7, axis=0)[:40] + rng.normal(size=(40, 2))
    objective, kernel = trial.cell.values()
    h = rng.uniform(0.5, 2)
    columns = response(kernel, squared_distances(X, X), h)
    among = solve_master(objective, columns, 0.0, 1e-9).objective
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make(objective, kernel, h).fit(X)
            fall = max(0.0, float(-np.diff(model.objective_path_).min(initial=0.0)))
            trial.measure(name, shortfall=max(0.0, among - model.objective_), fall=fall)


@experiment(
    "modes",
    cells=grid(h=[1500]),
    repeats=1,
    cost=2.7,
    methods={"INFEX": find_modes},
    data=lambda cell: USPS,
)
def subproblem_modes(trial: Trial) -> None:
    """Figure 5: the ten highest modes of the first rounds; Epanechnikov's kernel, likelihood."""
    X = digits(*map(trial.data, USPS), "every-tenth")
    h = trial.cell["h"]
    exemplars = X
    counts = []
    for number in range(3):
        columns = response("epanechnikov", squared_distances(X, exemplars), h)
        master = solve_master("likelihood", columns, 0.0, 1e-8)
        modes, heights = trial.methods["INFEX"](X, X, master.sample_weights, "epanechnikov", h)
        exemplars = np.vstack([exemplars[master.weights > 0], modes[heights > 1 + EPSILON]])
        counts.append(len(modes))
        trial.keep(f"round-{number + 1}", np.round(modes[:10]))
    trial.measure("INFEX", modes=counts[0])
