"""Errata of the catalogue that a small computation settles; each is named by `checked_by`."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats


def partitions_of_three():
    """Return two ways of dividing the outcomes 0, 1, 2, 3 into components."""
    return [[{0, 1}, {2, 3}], [{0, 2}, {1, 3}]]


def moments(probability, feature):
    """Return E m^2, the sensitivity and the component correction of a composite likelihood."""
    conditional = []
    for components in partitions_of_three():
        of = {z: block for block in components for z in block}
        conditional.append(
            np.array([
                np.average(feature[sorted(of[z])], weights=probability[sorted(of[z])])
                for z in range(4)
            ])
        )  # fmt: skip
    conditional = np.array(conditional)
    score = feature - conditional.mean(axis=0)
    sensitivity = np.mean([np.sum(probability * (feature - c) ** 2) for c in conditional])
    correction = np.sum(probability * conditional.var(axis=0))
    return np.sum(probability * score**2), sensitivity, correction


def test_component_correction_is_subtracted():
    """liang2008asymptotic, Theorem 1: E m^2 = Gamma - C_c for a model that is right."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        square, sensitivity, correction = moments(rng.dirichlet(np.ones(4)), rng.normal(size=4))
        assert np.isclose(square, sensitivity - correction, rtol=1e-9)
        assert not np.isclose(square, sensitivity + correction, rtol=1e-3)


def gaussian_ratio(a, b, c, d):
    """Return the left side of zhang2008nystrom's property (8) over its right side, sigma = 1."""
    change = math.exp(-((a - b) ** 2)) - math.exp(-((c - d) ** 2))
    return change**2 / ((a - c) ** 2 + (b - d) ** 2)


def test_gaussian_constant_is_reached():
    """zhang2008nystrom, Section 3.4: the constant is at least 4 / e, above the printed 1/2."""
    x, step = math.sqrt(0.5) / 2, 1e-5
    found = gaussian_ratio(-x, x, -x - step, x + step)
    # The step is finite: relative error of its order.
    assert math.isclose(found, 4 / math.e, rel_tol=1e-4)


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_gaussian_constant_suffices(points):
    """zhang2008nystrom, Section 3.4: 4 / e is enough."""
    a, b, c, d = points
    if (a - c) ** 2 + (b - d) ** 2 > 1e-6:
        assert gaussian_ratio(a, b, c, d) <= 4 / math.e * (1 + 1e-6)


@pytest.mark.parametrize(("rate", "shift"), [(1.0, 0.0), (2.0, 0.7), (0.5, 3.0)])
def test_laplacian_integral(rate, shift):
    """song2008tailoring, Section 5: the integral is (|a| + 1 / lambda) exp(-lambda |a|)."""

    def integrand(x):
        return math.exp(-rate * (abs(x) + abs(x - shift)))

    found = sum(
        integrate.quad(integrand, *ends)[0] for ends in [(-np.inf, 0), (0, shift), (shift, np.inf)]
    )
    assert math.isclose(found, (shift + 1 / rate) * math.exp(-rate * shift), rel_tol=1e-6)
    assert not math.isclose(found, 1 / rate + math.exp(-rate * shift), rel_tol=1e-2)


def test_halves_of_centred_data_differ_by_twice_the_mean():
    """song2008tailoring, Table 4: linear functions have relative error 2 by the protocol alone."""
    rng = np.random.default_rng(1)
    data = rng.normal(size=(200, 3))
    data -= data.mean(axis=0)
    training, test = data[:100].mean(axis=0), data[100:].mean(axis=0)
    for weights in rng.normal(size=(20, 3)):
        wanted, estimate = weights @ test, weights @ training
        assert math.isclose(abs(wanted - estimate) / abs(wanted), 2.0, rel_tol=1e-9)


def test_root_of_projection_kernel_is_indefinite():
    """hamm2008grassmann, Section 4.1: four lines in the plane, Frobenius norms |cos|."""
    angles = np.deg2rad([0, 45, 90, 135])
    gram = np.abs(np.cos(angles[:, None] - angles))
    assert math.isclose(np.linalg.eigvalsh(gram)[0], 1 - math.sqrt(2), rel_tol=1e-9)


def test_tricube_integrates_to_81_over_70():
    """lebanon2008local, Equation 5: (1 - |u|^3)^3 is no density."""
    half = sum(Fraction((-1) ** k * math.comb(3, k), 3 * k + 1) for k in range(4))
    assert 2 * half == Fraction(81, 70)


def test_discounts_start_one_place_later():
    """langford2008exploration, Section 4.4: the table has 1 / log2(1 + i), not 1 / log2(2 + i)."""
    listed = ["1.000", "0.631", "0.500", "0.431"]
    assert [f"{1 / math.log2(1 + i):.3f}" for i in range(1, 5)] == listed
    assert [f"{1 / math.log2(2 + i):.3f}" for i in range(1, 4)] == listed[1:]


def test_hoeffding_radius_is_too_small():
    """dekel2008missing, Theorem 3: the printed radius is exceeded with chance 0.14, not 0.01."""
    n, eps = 1000, 0.01
    radius = math.sqrt(n * math.log(1 / eps)) / 2
    # A sum of n signs is 2 B - n for B binomial.
    assert stats.binom.sf((n + radius) / 2, n, 0.5) > 0.13
    enough = math.sqrt(2 * n * math.log(1 / eps))
    assert stats.binom.sf((n + enough) / 2, n, 0.5) < eps


def test_laplacian_form_counts_each_pair_twice():
    """weston2008embed: sum W |f_i - f_j|^2 = 2 f' (D - W) f."""
    rng = np.random.default_rng(2)
    weights = rng.random((5, 5))
    weights += weights.T
    f = rng.normal(size=5)
    total = sum(
        weights[i, j] * (f[i] - f[j]) ** 2 for i, j in itertools.product(range(5), repeat=2)
    )
    laplacian = np.diag(weights.sum(axis=0)) - weights
    assert math.isclose(total, 2 * f @ laplacian @ f, rel_tol=1e-9)


def test_trace_of_a_square_may_be_below_the_square_of_the_trace():
    """zhang2008localem, Theorem 2, case 3: tr(X^2) >= (tr X)^2 fails for the identity, d = 2."""
    assert np.trace(np.eye(2) @ np.eye(2)) < np.trace(np.eye(2)) ** 2
    delta, d = 0.5, 2
    # One half of d (x - ln(1 + x)) with x = delta / d is the loss over n pi.
    loss = d * (delta / d - math.log1p(delta / d)) / 2
    assert loss < delta**2 / 6
    assert f"{loss:.4f}" == "0.0269"


def test_logarithm_is_above_its_second_order_term():
    """zhang2008localem: ln(1 + x) - x <= -x^2 / 2 is false for x > 0."""
    assert all(math.log1p(x) - x > -(x**2) / 2 for x in (0.01, 0.5, 2.0))


def test_rand_index_is_at_most_accuracy_for_two_clusters():
    """zhao2008cpm3c, Tables 2 and 3: 94.45 % and 0.995 exclude each other, averaged or not."""
    for n in range(2, 60):
        for right in range(math.ceil(n / 2), n + 1):
            pairs = math.comb(right, 2) + math.comb(n - right, 2)
            assert Fraction(pairs, math.comb(n, 2)) <= Fraction(right, n)


def test_counts_that_sum_to_three_may_be_zero():
    """sokolovska2008asymptotics, Section 3.1: 220 counts the non-negative ones."""
    ways = sum(1 for _ in itertools.combinations_with_replacement(range(10), 3))
    assert ways == math.comb(12, 3) == 220


def test_clusters_outnumber_the_bound():
    """seldin2008grid, Theorem 3: C(n + m - 1, m - 1) <= n^(m - 1) fails at m = 2."""
    assert all(math.comb(n + 1, 1) > n for n in range(1, 50))


def test_sigmoid_with_an_offset_is_no_distribution():
    """donmez2008lossreduction, Section 3.7: the two labels' chances sum to 0.54 at f = 0, C = 1."""
    total = sum(1 / (1 + math.exp(-y * 0.0 + 1.0)) for y in (-1, 1))
    assert math.isclose(total, 0.5379, abs_tol=5e-5)


def test_chernoff_constant_is_81_over_4():
    """doshi2008bayesrisk, Eq. 18: eps = 2 p / 3 of p' = p / 3 gives 81/4, not 27/4."""
    assert 3 / (Fraction(1, 3) * Fraction(2, 3) ** 2) == Fraction(81, 4)


def test_ratio_may_be_inverted():
    """shi2008spectroscopy, Algorithms 1 and 2: r / (1 - r)^2 is the same for r and 1 / r."""
    for r in (Fraction(1, 3), Fraction(5, 2)):
        assert r / (1 - r) ** 2 == (1 / r) / (1 - 1 / r) ** 2


def test_share_of_a_binomial_has_variance_over_n():
    """dugas2008costcurves, Eq. 5: the variance of N / n is p (1 - p) / n."""
    n, p = 20, 0.3
    k = np.arange(n + 1)
    chance = stats.binom.pmf(k, n, p)
    variance = np.sum(chance * (k / n - np.sum(chance * k / n)) ** 2)
    assert math.isclose(variance, p * (1 - p) / n, rel_tol=1e-9)


def test_second_derivative_is_one_minus_the_square():
    """dembczynski2008mlrules, Eq. 20: 1 - s^2, where v holds signs and s is the mean of v."""
    rng = np.random.default_rng(3)
    signs, p = rng.choice([-1, 1], size=6), rng.dirichlet(np.ones(6))
    step, logits = 1e-4, np.log(p)

    def loss(alpha):
        return np.log(np.sum(np.exp(logits + alpha * signs)))

    curvature = (loss(step) - 2 * loss(0) + loss(-step)) / step**2
    s = signs @ p
    # Second differences keep about half the digits.
    assert math.isclose(curvature, 1 - s**2, rel_tol=1e-5)


def test_best_count_needs_a_union_over_documents():
    """radlinski2008diverse, Lemma 2: x free of n fails with chance 0.27 for n = 100000."""
    k, eps, delta, n = 1, 0.2, 0.1, 100_000
    x = math.ceil(2 * k**2 / eps**2 * math.log(2 * k / delta))
    assert x == 150
    # One document of value 0.6 among n of value 0.4: one of these has the greatest count.
    counts = np.arange(x + 1)
    best = stats.binom.pmf(counts, x, 0.5 + eps / 2)
    none_above = stats.binom.cdf(counts, x, 0.5 - eps / 2) ** n
    assert 1 - best @ none_above > 2 * delta


def test_strict_decrease_fails_below_one_case():
    """takeda2008cvar, Lemma 2: for nu <= 1 / m the mean of the worst share is the largest loss."""

    def worst(losses, nu):
        m = len(losses)
        left, total = nu, 0.0
        for loss in sorted(losses, reverse=True):
            take = min(1 / m, left)
            total, left = total + take * loss, left - take
        return total / nu

    losses = [3.0, 1.0, 0.5, 0.2]
    assert math.isclose(worst(losses, 0.1), worst(losses, 0.25))
    assert worst(losses, 0.5) < worst(losses, 0.25)
