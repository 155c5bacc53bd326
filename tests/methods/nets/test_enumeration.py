from itertools import product
from types import SimpleNamespace

import numpy as np

from icml2008.methods.nets.enumeration import enumerate_hidden


def test_sum_over_hidden_states_is_that_of_a_plain_loop():
    rng = np.random.default_rng(1)
    W, b, c = rng.normal(size=(9, 5)), rng.normal(size=5), rng.normal(size=9)
    model = SimpleNamespace(components_=W, intercept_visible_=b, intercept_hidden_=c)
    total = sum(
        np.exp(c @ h) * np.prod(1 + np.exp(b + np.array(h) @ W)) for h in product((0, 1), repeat=9)
    )
    np.testing.assert_allclose(enumerate_hidden(model), np.log(total), rtol=1e-12)

    model.intercept_visible_ = b + 300  # a product of all factors is no number any more
    scores = [h @ (c + W.sum(axis=1)) for h in np.array(list(product((0, 1), repeat=9)))]
    wanted = 1500 + b.sum() + np.log(np.sum(np.exp(scores)))
    np.testing.assert_allclose(enumerate_hidden(model), wanted, rtol=1e-12)
