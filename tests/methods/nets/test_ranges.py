"""All nets say in the same words what a parameter or a row may be."""

import numpy as np
import pytest

from icml2008.methods.nets.autoencoder import DenoisingAutoencoder
from icml2008.methods.nets.boltzmann import RestrictedBoltzmannMachine
from icml2008.methods.nets.class_rbm import ClassRBM
from icml2008.methods.nets.layers import FeedForwardClassifier

NETS = (ClassRBM, DenoisingAutoencoder, FeedForwardClassifier, RestrictedBoltzmannMachine)
OF_PROBABILITIES = (ClassRBM, DenoisingAutoencoder, RestrictedBoltzmannMachine)


@pytest.mark.parametrize("net", NETS)
def test_each_parameter_has_a_range(net):
    assert net._parameter_constraints.keys() == net().get_params().keys()


@pytest.mark.parametrize("name", ["learning_rate", "batch_size", "n_iter"])
@pytest.mark.parametrize("net", NETS)
def test_a_parameter_out_of_its_range_is_named(net, name):
    model = net(**{name: -1})
    with pytest.raises(ValueError, match=f"The '{name}' parameter of {net.__name__} .* Got -1"):
        model.fit(np.eye(4), [0, 1, 0, 1])


@pytest.mark.parametrize("row", [[0.0, 1680.0], [-0.5, 1.0]])
@pytest.mark.parametrize("net", OF_PROBABILITIES)
def test_rows_beyond_0_and_1_are_refused(net, row):
    X = np.array([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="rows are probabilities of ones, found .*; scale them"):
        net(2).fit([row, [0.0, 1.0]], [0, 1])
    model = net(2, n_iter=1).fit(X, [0, 1])
    asked = model.predict if hasattr(model, "predict") else model.transform
    with pytest.raises(ValueError, match="rows are probabilities of ones"):
        asked([row])
