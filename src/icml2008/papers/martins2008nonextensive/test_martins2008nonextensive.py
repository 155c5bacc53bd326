"""The kernels by a second hand, words, and errata."""

import io
import tarfile

import numpy as np
import pytest

from . import experiments
from .experiments import POINTS, VECTOR, difference, entropy, information
from .method import heat_kernels, squared_geodesics, tsallis_kernels
from .words import load_pages, stemmed


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def entropies(M, q):
    """Return Equation 5 as somebody wrote it who had read the text alone."""
    Z = np.where(M > 0, M, 1.0)
    return (-Z * np.log(Z) if q == 1 else np.where(M > 0, M - Z**q, 0) / (q - 1)).sum(-1)


def test_kernels_are_those_of_a_second_hand(rng):
    mu = rng.random((5, 6)) * (rng.random((5, 6)) < 0.7) + np.eye(5, 6)
    indices = [0, 0.25, 0.5, 0.75, 1, 1.7, 2]
    for q, kernel in zip(indices, tsallis_kernels(mu, mu[:4], indices), strict=True):
        own = entropies(mu, q)
        second = own[:, None] + own - entropies(mu[:, None] + mu, q)
        np.testing.assert_allclose(kernel, second[:, :4], atol=1e-12)


def test_without_the_last_factor_kernels_are_definite_up_to_2_and_not_beyond(rng):
    """Proposition 10 has it up to 1, but y^-q is positive definite for all q from 0 on."""
    mu = rng.gamma(0.3, size=(12, 4))
    sums = mu.sum(axis=1)[:, None] + mu.sum(axis=1)
    q = np.array([1.2, 1.6, 2.0, 2.5])
    kernels = tsallis_kernels(mu, mu, q) / sums ** q[:, None, None]
    assert [np.linalg.eigvalsh(K)[0] > -1e-12 for K in kernels] == [True, True, True, False]


def test_what_is_no_measure_and_no_index_is_refused():
    measures = np.ones((2, 2))
    for X, q, message in [
        (np.ones((2, 3)), [1], "3 outc"),
        (-measures, [1], "X: "),
        (measures, [-1], "q: "),
    ]:
        with pytest.raises(ValueError, match=message):
            tsallis_kernels(X, measures, q)


def test_words_lose_the_endings_of_porters_examples():
    words = "caresses ponies agreed hopping hoping relational conditional electriciti adjustable"
    roots = "caress poni agre hop hope relat condit electr adjust"
    assert [stemmed(word) for word in words.split()] == roots.split()


def test_pages_are_read_without_headers_and_markup(tmp_path):
    page = b"Server: NCSA\n\n<script>x=yy</script><a href='zz'>The Caf&eacute; runs</a> 12"
    with tarfile.open(tmp_path / "pages.tar", "w") as archive:
        for kind in ("student", "course"):
            name = tarfile.TarInfo(f"webkb/{kind}/cornell/http\uf03a^^{kind}")
            name.size = len(page)
            archive.addfile(name, io.BytesIO(page))
    pages = load_pages(tmp_path / "pages.tar", classes=["student", "faculty"])
    assert (pages.feature_names, list(pages.y)) == (("caf", "run"), ["student"])


@pytest.mark.parametrize("q", [0.5, 1.5, 2.0])
def test_q_expectation_weighs_by_powers_of_the_prior(q, rng):
    """Equation 15: only with pi^q does it give the information of Equation 16."""
    pi = rng.dirichlet(np.ones(3))
    p = rng.dirichlet(np.ones(4), size=3)
    assert difference(pi, p, q) == pytest.approx(information(pi, p, q))
    printed = entropy(pi @ p, q) - pi @ entropy(p, q)
    assert printed != pytest.approx(information(pi, p, q), rel=1e-3)


def test_difference_is_least_at_the_measure_itself_for_q_1_alone():
    """Equation 18 to (0.8, 0.2); with the sides changed over the statement is violated."""
    differences = [experiments.misplaced(0.8, q) for q in (0.4, 1.0, 1.7)]
    assert differences[0] < -1e-3
    assert differences[1] == pytest.approx(0, abs=1e-12)
    assert differences[2] < -1e-3


def test_powers_of_a_sum_are_positive_not_negative_definite():
    """Proposition 8: -(x + y)^q is negative definite, (x + y)^q is not."""
    x = np.array([0.3, 1.0, 2.5])
    c = np.array([1.0, -2.0, 1.0])
    assert all(c @ (x[:, None] + x) ** q @ c > 1e-3 for q in (1.2, 1.5, 2.0))


def test_heat_kernel_is_positive_definite_on_two_outcomes(rng):
    """Proposition 11: the counterexample needs three coordinates."""
    assert VECTOR @ squared_geodesics(POINTS, POINTS) @ VECTOR == pytest.approx(2 * np.pi**2)
    two = rng.dirichlet(np.ones(2), size=12)
    for K in heat_kernels(two, two, [0.1, 1.0, 100.0]):
        assert np.linalg.eigvalsh(K).min() > -1e-6
