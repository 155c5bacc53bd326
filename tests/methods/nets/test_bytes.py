"""Numbers in another order of bytes are the same numbers."""

import numpy as np
import pytest

from icml2008.methods.nets.autoencoder import DenoisingAutoencoder
from icml2008.methods.nets.boltzmann import RestrictedBoltzmannMachine
from icml2008.methods.nets.class_rbm import ClassRBM
from icml2008.methods.nets.layers import FeedForwardClassifier

NETS = {
    "autoencoder": (lambda: DenoisingAutoencoder(4, random_state=0), "transform"),
    "boltzmann": (lambda: RestrictedBoltzmannMachine(4, random_state=0), "transform"),
    "class-rbm": (lambda: ClassRBM(4, random_state=0), "predict_proba"),
    "layers": (
        lambda: FeedForwardClassifier((4,), "logistic", random_state=0),
        "predict_proba",
    ),
}


@pytest.mark.parametrize("precision", ["f4", "f8"])
@pytest.mark.parametrize("net", NETS)
def test_big_and_little_ends_give_one_model(net, precision):
    rng = np.random.default_rng(0)
    X = (rng.random((60, 9)) < 0.5).astype(float)
    y = rng.integers(0, 2, size=60)
    make, answer = NETS[net]
    answers = []
    for order in "<>":
        rows = X.astype(f"{order}{precision}")
        model = make().fit(rows, y.astype(f"{order}i8"))
        answers.append(getattr(model, answer)(rows))
    np.testing.assert_array_equal(*answers)
    assert answers[0].dtype == answers[1].dtype == np.dtype(precision)
