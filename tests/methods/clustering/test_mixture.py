"""The convex master problem: certificates, oracles, both solvers."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from icml2008.methods.clustering import _mixture
from icml2008.methods.clustering._active_set import active_set
from icml2008.methods.clustering._interior_point import newton
from icml2008.methods.clustering._mixture import mixture_weights

TOL = 1e-8


def gaussian_columns(rng, n_samples, n_components, beta):
    points = rng.normal(size=(n_samples, 2))
    centres = rng.normal(size=(n_components, 2))
    squared = ((points[:, None] - centres) ** 2).sum(-1)
    return np.exp(-beta * (squared - squared.min(axis=1, keepdims=True)))


@st.composite
def response_matrices(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_samples = draw(st.integers(1, 40))
    n_components = draw(st.integers(1, 60))
    kind = draw(st.sampled_from(["dense", "heavy", "gaussian", "cover", "twins"]))
    if kind == "gaussian":
        return gaussian_columns(rng, n_samples, n_components, 10 ** rng.uniform(-3, 2.5))
    matrix = rng.uniform(size=(n_samples, n_components))
    if kind == "heavy":
        return rng.exponential(size=matrix.shape) ** 4
    if kind == "cover":
        matrix = (matrix < 0.2).astype(float)
        matrix[:, 0] = 1
    if kind == "twins":
        matrix = np.hstack([matrix, matrix, matrix[:, :1] + matrix[:, -1:]])
    return matrix


@pytest.mark.parametrize("method", ["interior-point", "active-set"])
@settings(max_examples=100)
@given(responses=response_matrices())
def test_gap_reaches_the_tolerance_whatever_the_matrix(method, responses):
    solution = mixture_weights(responses, tol=TOL, method=method)
    assert solution.gap <= TOL


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("beta", [0.02, 0.3, 3, 100])  # from one exemplar to all samples
def test_active_sets_reach_the_optimum_with_its_support(beta, sparse):
    points = np.random.default_rng(31).normal(size=(150, 2))
    responses = np.exp(-beta * ((points[:, None] - points) ** 2).sum(-1))
    if sparse:
        responses = csr_array(np.where(responses < 1e-4, 0, responses))
    slow = mixture_weights(responses, tol=TOL)
    fast = mixture_weights(responses, tol=TOL, method="active-set")
    assert fast.gap <= TOL
    assert fast.objective == pytest.approx(slow.objective, abs=TOL)
    np.testing.assert_array_equal(np.flatnonzero(fast.weights), np.flatnonzero(slow.weights))


@pytest.mark.parametrize(
    ("n", "share", "few_first"),
    [(511, 1.0, False), (512, 1.0, True), (600, 0.1, True), (600, 0.01, False)],
)
def test_by_itself_it_tries_few_of_many_components_first_unless_responses_are_few(
    monkeypatch, n, share, few_first
):
    points = np.random.default_rng(0).normal(size=(n, 2))
    responses = np.exp(-((points[:, None] - points) ** 2).sum(-1))
    if share < 1:
        least = np.quantile(responses, 1 - share)
        responses = csr_array(np.where(responses < least, np.eye(n), responses))
    calls = []

    def counted(*arguments):
        calls.append(arguments)
        return active_set(*arguments)

    monkeypatch.setattr(_mixture, "active_set", counted)
    own = mixture_weights(responses, method="auto")
    assert bool(calls) == few_first
    assert own.objective == pytest.approx(mixture_weights(responses).objective, abs=2e-8)


@settings(max_examples=50)
@given(response_matrices())
def test_gradient_is_at_most_one_and_one_on_the_support(responses):
    solution = mixture_weights(responses, tol=TOL)
    by_hand = (responses / (responses @ solution.weights)[:, None]).mean(axis=0)
    assert by_hand.max() <= 1 + 2 * TOL
    # sum_j q_j D_j = 1 exactly, so the weights cannot sit on columns where D_j is small.
    np.testing.assert_allclose(solution.weights @ by_hand, 1, rtol=1e-12)


@settings(max_examples=30)
@given(response_matrices())
def test_weights_lie_on_the_simplex(responses):
    weights = mixture_weights(responses).weights
    assert weights.min() >= 0
    np.testing.assert_allclose(weights.sum(), 1, rtol=1e-12)


@settings(max_examples=30)
@given(response_matrices(), st.integers(0, 2**32 - 1))
def test_no_other_weights_gain_more_than_the_gap(responses, seed):
    solution = mixture_weights(responses, method="multiplicative", tol=1e-2, max_iter=2000)
    rivals = np.random.default_rng(seed).dirichlet(np.full(responses.shape[1], 0.3), size=200)
    with np.errstate(divide="ignore"):
        best = np.log(responses @ rivals.T).mean(axis=0).max()
    assert best <= solution.objective + solution.gap + 1e-12


@pytest.mark.parametrize(
    ("seed", "n_samples", "n_places"), [(471, 16, 2), (933, 16, 2), (818, 51, 1), (932, 51, 1)]
)
def test_near_twin_columns_that_come_in_late_do_not_make_steps_go_in_circles(
    seed, n_samples, n_places
):
    # Column generation makes such matrices: copies of a column that differ by very little, half
    # of them with the optimal weights of the master problem before, the others new.
    rng = np.random.default_rng(seed)
    points = 2 * rng.normal(size=(n_samples, 2))
    places = np.repeat(points[:n_places], 5, axis=0)
    places += 10 ** rng.uniform(-4, -1) * rng.normal(size=places.shape)
    responses = np.exp(-((points[:, None] - places) ** 2).sum(-1) / 2)
    old = np.arange(len(places)) % 2 == 0
    start = np.zeros(len(places))
    start[old] = newton(responses[:, old], old[old] / old.sum(), TOL, 100)[0]
    weights, _, n_iter = newton(responses, start, TOL, 100)
    assert (responses / (responses @ weights)[:, None]).mean(axis=0).max() <= 1 + TOL
    # Some 15 steps are usual; in circles all 100 are spent.
    assert n_iter <= 30


@pytest.mark.parametrize("spread", [1e-4, 1e-2, 1, 100])
def test_accelerated_steps_leave_no_column_out_that_the_optimum_needs(spread):
    # From few columns that matter to all of them.
    points = np.random.default_rng(29).normal(size=(80, 3))
    squared = ((points[:, None] - points) ** 2).sum(-1)
    responses = np.exp(-spread * squared)
    slow = mixture_weights(responses, method="multiplicative", tol=1e-5, max_iter=10**6)
    fast = mixture_weights(responses, tol=TOL)
    assert fast.gap <= TOL
    assert -1e-12 <= fast.objective - slow.objective + TOL <= 1e-5 + 2 * TOL


@pytest.mark.parametrize("beta", [0.1, 1, 30])
def test_optimum_agrees_with_clarabel(beta):
    responses = gaussian_columns(np.random.default_rng(3), 40, 30, beta)
    weights = cvxpy.Variable(30, nonneg=True)
    log_likelihood = cvxpy.sum(cvxpy.log(responses @ weights)) / 40
    peer = cvxpy.Problem(cvxpy.Maximize(log_likelihood), [cvxpy.sum(weights) == 1])
    peer.solve(solver=cvxpy.CLARABEL)
    solution = mixture_weights(responses)
    # Clarabel's own default tolerance is 1e-8 on scaled quantities.
    assert solution.objective == pytest.approx(peer.value, abs=1e-6)


@pytest.mark.parametrize("beta", [0.5, 3, 30])
def test_multiplicative_update_reaches_the_same_optimum(beta):
    responses = gaussian_columns(np.random.default_rng(5), 60, 40, beta)
    slow = mixture_weights(responses, method="multiplicative", tol=1e-6)
    fast = mixture_weights(responses, tol=1e-10)
    assert 0 <= fast.objective - slow.objective + 1e-10 <= 1e-6 + 1e-10


def test_multiplicative_update_never_lowers_the_objective():
    responses = gaussian_columns(np.random.default_rng(7), 50, 50, 2.0)
    with pytest.warns(ConvergenceWarning):
        path = [
            mixture_weights(responses, method="multiplicative", max_iter=k).objective
            for k in range(30)
        ]
    assert np.diff(path).min() >= -1e-14


def test_one_multiplicative_step_is_equation_9():
    responses = np.random.default_rng(0).uniform(size=(5, 4))
    start = np.array([0.1, 0.2, 0.3, 0.4])
    with pytest.warns(ConvergenceWarning):
        stepped = mixture_weights(responses, start=start, method="multiplicative", max_iter=1)
    z = responses @ start
    eta = np.array([np.mean(responses[:, j] / z) for j in range(4)])
    np.testing.assert_allclose(stepped.weights, start * eta, rtol=1e-14)


def test_pruned_update_reports_the_gap_over_all_columns():
    responses = gaussian_columns(np.random.default_rng(2), 80, 80, 1.0)
    exact = mixture_weights(responses)
    pruned = mixture_weights(
        responses, method="multiplicative", tol=1e-5, prune=1e-3, max_iter=10**5
    )
    assert exact.objective - pruned.objective <= pruned.gap + 1e-8


@pytest.mark.parametrize("n_samples", [40, 1100])
def test_sparse_and_dense_matrices_give_the_same_optimum(n_samples):
    # The larger case is beyond the limit up to which sparse systems are solved densely.
    rng = np.random.default_rng(11)
    points = np.sort(rng.uniform(0, n_samples / 2, n_samples))
    responses = np.exp(-((points[:, None] - points) ** 2))
    responses[responses < 1e-4] = 0
    sparse = mixture_weights(csr_array(responses), tol=1e-9)
    dense = mixture_weights(responses, tol=1e-9)
    assert sparse.gap <= 1e-9
    assert sparse.objective == pytest.approx(dense.objective, abs=2e-9)


def test_closed_form_of_two_components():
    # Two kinds of sample, each certain of its component: the weights are their shares.
    responses = np.repeat(np.eye(2), [3, 1], axis=0)
    np.testing.assert_allclose(mixture_weights(responses).weights, [0.75, 0.25], atol=1e-8)


def test_rescaling_a_row_shifts_the_objective_alone():
    rng = np.random.default_rng(13)
    responses = rng.uniform(size=(30, 20))
    factors = 10 ** rng.uniform(-5, 5, size=30)
    plain = mixture_weights(responses)
    scaled = mixture_weights(responses * factors[:, None])
    shift = np.log(factors).mean()
    assert scaled.objective == pytest.approx(plain.objective + shift, abs=2 * TOL)


@pytest.mark.parametrize("matrix", [np.asarray, csr_array])
def test_a_row_of_the_smallest_numbers_counts_like_any_other(matrix):
    responses = np.random.default_rng(13).uniform(1, 2, size=(20, 30))
    tiny = responses.copy()
    tiny[-1] *= 1e-310
    plain = mixture_weights(responses)
    scaled = mixture_weights(matrix(tiny))
    assert scaled.gap <= TOL
    # Numbers this small have about 13 digits fewer than others.
    shift = np.log(1e-310) / 20
    assert scaled.objective == pytest.approx(plain.objective + shift, abs=1e-6)


def test_order_of_columns_does_not_matter():
    responses = gaussian_columns(np.random.default_rng(17), 50, 30, 3.0)
    order = np.random.default_rng(0).permutation(30)
    plain = mixture_weights(responses)
    shuffled = mixture_weights(responses[:, order])
    assert shuffled.objective == pytest.approx(plain.objective, abs=2 * TOL)


def test_a_sample_shared_by_many_light_columns_is_not_abandoned():
    responses = np.zeros((30, 200))
    responses[:29, :100] = np.random.default_rng(0).uniform(size=(29, 100))
    responses[29, 100:] = 1
    assert mixture_weights(responses).gap <= TOL


def test_warm_start_gives_the_same_optimum():
    responses = gaussian_columns(np.random.default_rng(19), 60, 60, 3.0)
    cold = mixture_weights(responses)
    warm = mixture_weights(responses, start=0.5 * cold.weights + 0.5 / 60)
    assert warm.objective == pytest.approx(cold.objective, abs=2 * TOL)


@pytest.mark.parametrize("method", ["interior-point", "active-set", "multiplicative"])
def test_stopping_early_warns_with_the_gap(method):
    responses = gaussian_columns(np.random.default_rng(23), 60, 60, 3.0)
    with pytest.warns(ConvergenceWarning, match="duality gap"):
        solution = mixture_weights(responses, method=method, max_iter=1)
    assert solution.gap > TOL


def test_a_sample_out_of_reach_is_named():
    with pytest.raises(ValueError, match="sample 1 has response zero"):
        mixture_weights([[1.0, 2.0], [0.0, 0.0]])


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_responses_must_be_non_negative_and_finite(wrong):
    with pytest.raises(ValueError, match="non-negative and finite"):
        mixture_weights([[1.0, wrong]])


def test_an_unknown_method_is_told_the_known_ones():
    with pytest.raises(ValueError, match="interior-point, active-set, multiplicative"):
        mixture_weights([[1.0]], method="em")


def test_a_start_of_wrong_length_is_refused():
    with pytest.raises(ValueError, match="2 non-negative weights"):
        mixture_weights([[1.0, 1.0]], start=[1.0])
