"""Errata of the paper that a small computation settles."""

import numpy as np
from scipy import stats


def test_scatter_of_the_posterior_is_centred():
    """salakhutdinov2008bpmf, after Eq. 14: with the raw second moment the mean counts twice."""
    rng = np.random.default_rng(13)
    d = 2
    n = 6
    beta = 2.0
    nu = 4.0
    mu0 = np.array([0.5, -0.3])
    u = rng.normal(size=(n, d)) + 1
    mean = u.mean(axis=0)
    shift = beta * n / (beta + n) * np.outer(mu0 - mean, mu0 - mean)
    centred = (u - mean).T @ (u - mean)

    def log_joint(mu, precision):
        root = np.linalg.inv(precision)
        return (
            stats.multivariate_normal(mu, root).logpdf(u).sum()
            + stats.multivariate_normal(mu0, root / beta).logpdf(mu)
            + stats.wishart(nu, np.eye(d)).logpdf(precision)
        )

    def log_posterior(mu, precision, scatter):
        scale = np.linalg.inv(np.eye(d) + scatter + shift)
        at = (beta * mu0 + n * mean) / (beta + n)
        root = np.linalg.inv(precision) / (beta + n)
        return stats.multivariate_normal(at, root).logpdf(mu) + stats.wishart(
            nu + n, (scale + scale.T) / 2
        ).logpdf(precision)

    places = [
        (rng.normal(size=d), stats.wishart(5, np.eye(d)).rvs(random_state=s)) for s in (1, 2, 3)
    ]

    def spread(scatter):
        return np.ptp([log_joint(*at) - log_posterior(*at, scatter) for at in places])

    assert spread(centred) < 1e-6
    assert spread(u.T @ u) > 0.1
