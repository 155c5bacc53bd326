"""The bounds of Section 3, on rows of three Gaussians, whose means in feature space are known."""

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from icml2008.harness.experiment import experiment, grid

from .method import codes_of, coordinates, fit_coefficients, log_partition, operator_weights

CENTRES = np.array([[2.0, 0.0], [-1.0, 1.5], [-1.0, -1.5]])
GAMMA = 0.25
DRAWS = 5
DELTA = 0.05


def kernel(rows, others):
    return np.exp(-GAMMA * euclidean_distances(rows, others, squared=True))


def norm_of(gram, weights):
    """Return the norm of sums of rows in feature space, one for each column of weights."""
    return np.sqrt(max(np.sum(weights * (gram @ weights)), 0.0))


def draw(rng, counts):
    """Return rows of each class by counts, unit Gaussians about the centres, and their labels."""
    y = np.repeat(np.arange(len(counts)), counts)
    return CENTRES[y] + rng.normal(size=(len(y), 2)), y


def distance_to_population(X, weights, prior, codes):
    """Return the norm of a sum of rows less the true mean operator of the Gaussians' mixture.

    Parameters
    ----------
    weights : ndarray of shape (n_rows, n_codes)
    prior : ndarray of shape (n_classes,)
    """
    # A Gaussian kernel's mean over a unit Gaussian in the plane, and over two of them.
    centres = CENTRES[: len(prior)]
    once = 1 + 2 * GAMMA
    twice = 1 + 4 * GAMMA
    cross = np.exp(-GAMMA / once * euclidean_distances(X, centres, squared=True)) / once
    own = np.exp(-GAMMA / twice * euclidean_distances(centres, squared=True)) / twice
    mass = prior[:, None] * codes
    squared = np.sum(weights * (kernel(X, X) @ weights)) - 2 * np.sum(weights * (cross @ mass))
    return np.sqrt(max(squared + np.sum(mass * (own @ mass)), 0.0))


def bag_weights(bags, shares, prior):
    """Return each row's weight in the estimated mean operator, (n_rows, n_codes)."""
    sizes = np.bincount(bags)
    return operator_weights(shares, prior)[bags] / sizes[bags][:, None]


def binary_case(rng, m):
    """Return rows of both bags, which bag, labels, and the share of the first class in the second.

    The first bag has m rows of one class alone, the second m of both.
    """
    rho = rng.uniform(0.1, 0.9)
    count = min(max(rng.binomial(m, rho), 1), m - 1)
    X, y = draw(rng, [m + count, m - count])
    return X, np.repeat([0, 1], m), y, count / m


def theorem_5(X, bags, y, rho):
    """Return the distance of the estimated from the true mean operator, and the printed bound."""
    m = np.sum(bags == 1)
    codes = codes_of(2)
    shares = np.array([[1, 0], [rho, 1 - rho]])
    estimate = bag_weights(bags, shares, shares[1])
    truth = np.where(bags[:, None] == 1, codes[y], 0) / m
    deviation = 2 + np.sqrt(np.log(2 / DELTA))
    bound = 2 * rho * deviation * (np.sum(bags == 0) ** -0.5 + (rho * m) ** -0.5)
    return estimate, truth, bound


def theorem_4(rng, m):
    """Return the distance in parts of the printed bound, for three drawn bags and a test set."""
    shares = rng.dirichlet(np.ones(3), size=3)
    prior = rng.dirichlet(np.ones(3))
    sizes = rng.integers(m // 2, m + 1, size=3)
    counts = [rng.multinomial(size, row) for size, row in zip(sizes, shares, strict=True)]
    drawn = [draw(rng, count)[0] for count in counts]
    test, y = draw(rng, rng.multinomial(m, prior))
    X = np.concatenate([*drawn, test])
    bags = np.repeat(np.arange(3), sizes)
    weights = np.concatenate([bag_weights(bags, shares, prior), -codes_of(3)[y] / m])
    inverse = np.linalg.inv(shares)
    matrix = np.abs(inverse.T @ np.diag(prior**2) @ inverse)
    roots = sizes**-0.5
    deviation = 2 + np.sqrt(np.log(4 / DELTA))
    bound = deviation * (m**-0.5 + np.sqrt(roots @ matrix @ roots))
    return norm_of(kernel(X, X), weights) / bound


def posteriors(Z, bags, estimate, truth, lam):
    """Return how far the two minimisers of Equation 20 are apart, and what the estimate costs.

    The function f is the mean of the log-partition over the second bag.
    """
    rows = Z[bags == 1]
    codes = codes_of(2)
    fitted = [
        fit_coefficients(rows, Z.T @ weights, codes, lam * len(rows), tol=1e-8)
        for weights in (truth, estimate)
    ]

    def loss(theta):
        fit = np.mean(log_partition(rows @ theta @ codes.T)) - np.sum((Z.T @ truth) * theta)
        return fit + lam * np.sum(theta**2)

    return np.linalg.norm(fitted[1] - fitted[0]), loss(fitted[1]) - loss(fitted[0])


def beyond_guessing(rng):
    """Return by how much Equation 23 beats guessing beyond the epsilon of Section 5."""
    epsilon = rng.uniform(0, 0.1)
    shares = np.array([[0.5 - epsilon, 0.5 + epsilon], [0.5, 0.5]])
    bag = rng.dirichlet(np.ones(2))
    # Inputs are labels here, so that a bag's shares are also its law of inputs.
    posterior = shares * bag[:, None] / (bag @ shares)
    right = np.diag(shares.T @ posterior)
    return np.max(right) - 0.5 - epsilon


@experiment(
    "bounds",
    cells=grid(m=[25, 100, 400]),
    quick=grid(m=[25]),
    repeats=20,
    cost=lambda cell: {25: 0.1, 100: 0.3, 400: 1.5}[cell["m"]],
    methods=dict.fromkeys(("MM", "labelled")),
)
def run_bounds(trial):
    """Five draws of bags of m rows: distances in parts of their bounds."""
    m = trial.cell["m"]
    rng = trial.rng("draws")
    summed = trial.choices["posterior"] == "sum"
    worst = {
        "theorem_4": 0.0,
        "theorem_5": 0.0,
        "lemma_6": 0.0,
        "equation_22": 0.0,
        "corollary_8": 0.0,
    }
    distances = {"MM": [], "labelled": []}
    deviations = []
    for _ in range(DRAWS):
        X, bags, y, rho = binary_case(rng, m)
        gram = kernel(X, X)
        Z, _ = coordinates(gram)
        estimate, truth, bound = theorem_5(X, bags, y, rho)
        apart = norm_of(gram, estimate - truth)
        lam = 10 ** rng.uniform(-2, 0)
        moved, cost = posteriors(Z, bags, estimate, truth, lam)
        ratios = {
            "theorem_4": theorem_4(rng, m),
            "theorem_5": apart / bound,
            "lemma_6": moved * lam / apart,
            "equation_22": cost / (moved * apart),
            "corollary_8": cost * lam / apart**2 * (m**2 if summed else 1),
        }
        worst = {name: max(value, ratios[name]) for name, value in worst.items()}
        prior = np.array([rho, 1 - rho])
        for name, weights in (("MM", estimate), ("labelled", truth)):
            distances[name].append(distance_to_population(X, weights, prior, codes_of(2)))
        fixed, _ = posteriors(Z, bags, estimate, truth, 1 / m if summed else 0.1)
        deviations.append(fixed)
    beyond = max(beyond_guessing(rng) for _ in range(DRAWS))
    trial.measure("MM", n_test=DRAWS, **worst, beyond=beyond)
    trial.measure("MM", log_deviation=np.log(np.mean(deviations)))
    for name, values in distances.items():
        trial.measure(name, log_distance=np.log(np.mean(values)))
