"""Isomap and locally linear embedding of the Swiss roll."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.datasets import make_swiss_roll
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from sklearn.manifold import Isomap, LocallyLinearEmbedding, trustworthiness

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import seed


def flat(X: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Return the coordinates of the unrolled sheet, (n, 2): arc length and height."""
    arc = 0.5 * (turn * np.sqrt(1 + turn**2) + np.arcsinh(turn))
    return np.column_stack([arc, X[:, 1]])


@experiment(
    "swiss-roll",
    cells=grid(n=[400, 1000]),
    quick=grid(n=[400]),
    repeats={"quick": 1, "full": 8},
    cost=lambda cell: 0.1 if cell["n"] == 400 else 0.6,
    methods={
        "PCA": lambda: PCA(2),
        "Isomap": lambda: Isomap(n_neighbors=8, eigen_solver="dense"),
        "LLE": lambda: LocallyLinearEmbedding(n_neighbors=12, eigen_solver="dense"),
    },
)
def unroll(trial: Trial) -> None:
    """How well each embedding gives the sheet, its far and its near distances back."""
    X, turn = make_swiss_roll(trial.cell["n"], random_state=seed(trial.rng("roll")))
    sheet = flat(X, turn)
    true = pdist(sheet)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make()
            Y = model.fit_transform(X)
            unrolled = pdist(Y)
            close = unrolled <= np.quantile(unrolled, 0.05)
            trial.measure(
                name,
                recovery=LinearRegression().fit(Y, sheet).score(Y, sheet),
                global_fit=float(np.corrcoef(true, unrolled)[0, 1]),
                local_fit=trustworthiness(sheet, Y, n_neighbors=10),
                collapsed=100 * float(np.mean(close[true > np.median(true)])),
            )
            if name == "Isomap":
                upper = np.triu_indices(len(X), 1)
                error = np.abs(model.dist_matrix_[upper] - true)
                trial.measure(name, growth=float(spearmanr(true, error).statistic))
            if trial.repeat == 0:
                trial.keep(name, np.column_stack([Y, turn])[:400])
