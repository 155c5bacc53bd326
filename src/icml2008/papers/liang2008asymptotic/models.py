"""The paper's small models: four nodes, three outcomes, two bits, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from icml2008.papers.liang2008asymptotic.method.components import (
    Components,
    conditional,
    joint,
    pseudolikelihood,
)

Array = NDArray[np.float64]

INPUTS = (0, 1)
OUTPUTS = (2, 3)
# z = (x1, x2, y1, y2)
OUTCOMES = np.array(list(product([0, 1], repeat=4)))


def four_node_features() -> Array:
    """Return what alpha, beta and gamma multiply in Section 4.1, (16, 3)."""
    x1, x2, y1, y2 = OUTCOMES.T
    straight = (x1 == y1) * 1.0 + (x2 == y2)
    crossed = (x1 == y2) * 1.0 + (x2 == y1)
    return np.column_stack([y1 == y2, straight, crossed])


def distribution(features: Array, theta: Array) -> Array:
    """Return the probabilities of all outcomes under the exponential family (Eq. 1)."""
    weights = np.exp(features @ theta - (features @ theta).max())
    return weights / weights.sum()


def estimators(choices: Mapping[str, str]) -> dict[str, Callable[[NDArray], Components]]:
    """Return the three estimators: from a table of outcomes to the components they maximise."""
    nodes = range(4) if choices.get("pseudolikelihood") == "all-nodes" else OUTPUTS
    return {
        "generative": joint,
        "discriminative": partial(conditional, inputs=INPUTS),
        "pseudolikelihood": partial(pseudolikelihood, outputs=nodes),
    }


# Section 3.4: features 1[x = 0, y = 1] and 1[x = 1, y = 1] of the outcomes 00, 01, 10, 11
BINARY_FEATURES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
BINARY_ESTIMATORS = {
    "generative": lambda: Components([[0, 0, 0, 0]]),
    "discriminative": lambda: Components([[0, 0, 1, 1]]),
}


def counterexample(reading: str) -> tuple[Array, Array, dict[str, Components]]:
    """Return features, true distribution and the two estimators of Section 3.3.

    `reading` is ``printed``, or the fact that is read otherwise: the ``partition`` r_1b as
    {{1, 3}, {2}}, the ``features`` as 3, 1, 2, or the ``parameter`` as -1.
    """
    phi = np.array([[3.0], [1.0], [2.0]] if reading == "features" else [[1.0], [3.0], [2.0]])
    theta = np.array([-1.0 if reading == "parameter" else 1.0])
    second = [0, 1, 0] if reading == "partition" else [0, 1, 1]
    components = {
        "first": Components([[0, 0, 1], second]),
        "second": Components([[0, 0, 1], [0, 1, 2]]),
    }
    return phi, distribution(phi, theta), components


# three inputs, two binary outputs
RANDOM_OUTCOMES = np.array(list(product(range(3), range(2), range(2))))


RANDOM_ESTIMATORS = ("generative", "discriminative", "pseudolikelihood", "random partitions")


def random_components(rng: np.random.Generator) -> dict[str, Components]:
    """Return the paper's estimators of a random model, and one of random partitions."""
    labels = rng.integers(0, 3, size=(rng.integers(2, 5), len(RANDOM_OUTCOMES)))
    components = (
        joint(RANDOM_OUTCOMES),
        conditional(RANDOM_OUTCOMES, [0]),
        pseudolikelihood(RANDOM_OUTCOMES, [1, 2]),
        Components(labels, rng.uniform(0.2, 1.0, size=len(labels))),
    )
    return dict(zip(RANDOM_ESTIMATORS, components, strict=True))


def random_model(rng: np.random.Generator, *, right: bool) -> tuple[Array, Array]:
    """Return random features and a true distribution, of the model or not."""
    features = rng.normal(size=(len(RANDOM_OUTCOMES), rng.integers(1, 4)))
    if right:
        return features, distribution(features, 0.7 * rng.normal(size=features.shape[1]))
    return features, rng.dirichlet(np.full(len(features), 2.0))
