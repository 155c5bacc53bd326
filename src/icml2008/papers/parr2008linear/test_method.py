"""The linear fixed point, the linear model, and the theorems about both, on random processes."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.linalg import orth, schur, subspace_angles

from icml2008.papers.parr2008linear.method.bases import (
    bellman_error_basis,
    eigenvector_dictionary,
    krylov_basis,
    matching_pursuit,
    model_error_basis,
    proto_value_functions,
)
from icml2008.papers.parr2008linear.method.growing import GrowingBasis, error_path
from icml2008.papers.parr2008linear.method.linear import (
    LinearFixedPoint,
    LinearModel,
    bellman_error,
)
from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess


def random_process(seed, n=8, discount=0.9, sparsity=0.3):
    rng = np.random.default_rng(seed)
    transitions = rng.dirichlet(np.full(n, sparsity), n)
    return MarkovRewardProcess(transitions, rng.normal(size=n), discount)


processes = st.builds(
    random_process,
    seed=st.integers(0, 10_000),
    n=st.integers(2, 9),
    discount=st.sampled_from([0.3, 0.9, 0.99]),
)


def random_features(process, seed):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(process.n_states, rng.integers(1, process.n_states + 1)))
    reduced = features.T @ (features - process.discount * process.transitions @ features)
    assume(np.linalg.cond(features) < 1e4)
    assume(np.linalg.cond(reduced) < 1e6)  # far from where no fixed point exists
    return features


def fit(method, process, features, weight=None):
    following = process.transitions @ features
    return method(process.discount).fit(features, following, process.rewards, weight)


def largest_angle(a, b):
    return subspace_angles(a, b).max() if a.shape[1] == b.shape[1] else np.inf


@settings(max_examples=60)
@given(processes, st.integers(0, 100), st.booleans())
def test_model_and_fixed_point_have_the_same_weights(process, seed, weighted):
    features = random_features(process, seed)
    weight = np.random.default_rng(seed).dirichlet(np.ones(process.n_states)) if weighted else None
    if weighted:
        assume(weight.min() > 1e-3)
        scaled = features * weight[:, None]
        reduced = scaled.T @ (features - process.discount * process.transitions @ features)
        assume(np.linalg.cond(reduced) < 1e6)
    direct = fit(LinearFixedPoint, process, features, weight).coef_
    by_model = fit(LinearModel, process, features, weight).coef_
    np.testing.assert_allclose(by_model, direct, rtol=1e-6, atol=1e-6 * np.abs(direct).max())


@settings(max_examples=60)
@given(processes, st.integers(0, 100))
def test_values_are_the_projection_of_one_step_of_look_ahead(process, seed):
    features = random_features(process, seed)
    values = fit(LinearFixedPoint, process, features).predict(features)
    ahead = process.rewards + process.discount * process.transitions @ values
    projected = features @ np.linalg.lstsq(features, ahead)[0]
    np.testing.assert_allclose(projected, values, atol=1e-7 * max(1, np.abs(values).max()))


@settings(max_examples=60)
@given(processes, st.integers(0, 100))
def test_bellman_error_is_reward_error_plus_feature_error(process, seed):
    features = random_features(process, seed)
    following = process.transitions @ features
    errors = bellman_error(features, following, process.rewards, process.discount)
    values = fit(LinearFixedPoint, process, features).predict(features)
    scale = max(1, np.abs(values).max())
    ahead = process.rewards + process.discount * process.transitions @ values
    np.testing.assert_allclose(errors.total, ahead - values, atol=1e-7 * scale)
    np.testing.assert_allclose(errors.reward + errors.feature, errors.total, atol=1e-7 * scale)


@settings(max_examples=40)
@given(processes, st.integers(0, 100))
def test_a_growing_basis_has_the_errors_that_fitting_afresh_has(process, seed):
    features = random_features(process, seed)
    path = error_path(process, features)
    for k in range(1, features.shape[1] + 1):
        first = features[:, :k]
        reduced = first.T @ (first - process.discount * process.transitions @ first)
        assume(np.linalg.cond(reduced) < 1e6)
        following = process.transitions @ first
        errors = bellman_error(first, following, process.rewards, process.discount)
        norms = [np.linalg.norm(error) for error in errors]
        np.testing.assert_allclose(path[k - 1], norms, rtol=1e-5, atol=1e-7 * max(1, *norms))


@settings(max_examples=40)
@given(processes)
def test_all_features_together_give_the_true_values(process):
    features = np.random.default_rng(0).normal(size=(process.n_states,) * 2)
    basis = GrowingBasis(process)
    for feature in features.T:
        basis.add(feature)
    np.testing.assert_allclose(basis.features.T @ basis.features, np.eye(basis.size), atol=1e-12)
    truth = process.values()
    np.testing.assert_allclose(basis.values(), truth, atol=1e-8 * np.abs(truth).max())


@settings(max_examples=60)
@given(processes, st.integers(1, 4))
def test_krylov_bellman_error_and_model_error_bases_span_the_same(process, k):
    P = process.transitions
    R = process.rewards
    powers = np.column_stack([np.linalg.matrix_power(P, i) @ R for i in range(k)])
    scaled = powers / np.linalg.norm(powers, axis=0)
    assume(k <= process.n_states)
    assume(np.linalg.cond(scaled) < 1e4)  # else the powers do not tell their span
    bases = [krylov_basis(process, k), model_error_basis(process, k - 1)]
    reduced = bases[0].T @ (bases[0] - process.discount * P @ bases[0])
    assume(np.linalg.cond(reduced) < 1e4)
    bases.append(bellman_error_basis(process, k))
    for basis in bases:
        assert largest_angle(basis, orth(powers)) < 1e-6


def test_without_discount_factor_bellman_error_features_stop_at_the_reward():
    """Theorem 5.1 needs a discount above 0: else the error of the reward itself is 0."""
    process = random_process(0, discount=0.0)
    assert krylov_basis(process, 3).shape[1] == 3
    assert bellman_error_basis(process, 3).shape[1] == 1


@settings(max_examples=40)
@given(processes, st.integers(0, 100))
def test_model_errors_contain_the_next_bellman_error_feature(process, seed):
    features = random_features(process, seed)
    start = orth(features)
    bellman = bellman_error_basis(process, start.shape[1] + 1, start=start)
    model = model_error_basis(process, 1, start=start)
    outside = bellman - model @ (model.T @ bellman)
    np.testing.assert_allclose(outside, 0, atol=1e-6)


@settings(max_examples=40)
@given(processes, st.integers(1, 9))
def test_invariant_features_predict_themselves_and_need_only_the_projected_reward(process, k):
    triangle, vectors = schur(process.transitions, output="real")
    k = min(k, process.n_states)
    if k < process.n_states and triangle[k, k - 1] != 0:
        k += 1  # the second of a complex pair
    features = vectors[:, :k]
    following = process.transitions @ features
    errors = bellman_error(features, following, process.rewards, process.discount)
    values = fit(LinearFixedPoint, process, features).predict(features)
    scale = max(1, np.abs(values).max())
    np.testing.assert_allclose(errors.feature, 0, atol=1e-10 * scale)
    projected = features @ (features.T @ process.rewards)
    expected = MarkovRewardProcess(process.transitions, projected, process.discount).values()
    np.testing.assert_allclose(values, expected, atol=1e-9 * scale)


def test_the_true_values_as_the_only_feature_have_two_errors_that_cancel():
    process = random_process(1)
    features = process.values()[:, None]
    following = process.transitions @ features
    errors = bellman_error(features, following, process.rewards, process.discount)
    np.testing.assert_allclose(errors.total, 0, atol=1e-10)
    assert np.linalg.norm(errors.reward) > 0.1
    assert np.linalg.norm(errors.feature) > 0.1


def test_features_without_a_fixed_point_are_refused():
    # With features (1, 2) and every state followed by state 1, P_Phi = (1 + 2) 2 / 5 = 1.2.
    features = np.array([[1.0], [2.0]])
    process = MarkovRewardProcess([[0, 1], [0, 1]], [1, 0], discount=1 / 1.2)
    for method in (LinearFixedPoint, LinearModel):
        with pytest.raises(ValueError, match="no unique fixed point|no value function"):
            fit(method, process, features)


def test_dependent_features_have_a_model_though_no_unique_fixed_point():
    process = random_process(2)
    column = np.arange(1.0, 9)[:, None]
    both = np.hstack([column, column])
    with pytest.raises(ValueError, match="linearly dependent"):
        fit(LinearFixedPoint, process, both)
    single = fit(LinearModel, process, column).predict(column)
    np.testing.assert_allclose(fit(LinearModel, process, both).predict(both), single)


def test_sampled_transitions_approach_the_exact_fixed_point():
    process = random_process(3, n=5)
    rng = np.random.default_rng(0)
    features = rng.normal(size=(5, 2))
    states = rng.integers(5, size=40_000)
    cumulative = process.transitions.cumsum(axis=1)[states]
    following = (rng.random((40_000, 1)) > cumulative).sum(axis=1)
    sampled = LinearFixedPoint(0.9).fit(
        features[states], features[following], process.rewards[states]
    )
    exact = fit(LinearFixedPoint, process, features)
    np.testing.assert_allclose(sampled.coef_, exact.coef_, atol=0.1 * np.abs(exact.coef_).max())


def test_matching_pursuit_picks_the_largest_product_with_the_error():
    process = random_process(4)
    dictionary = np.random.default_rng(0).normal(size=(8, 12))
    picked = matching_pursuit(process, dictionary, 4)
    unit = dictionary / np.linalg.norm(dictionary, axis=0)
    for k in range(4):
        features = unit[:, picked[:k]]
        error = process.rewards
        if k:
            following = process.transitions @ features
            error = bellman_error(features, following, process.rewards, 0.9).total
        assert picked[k] == np.abs(unit.T @ error).argmax()


@settings(max_examples=30)
@given(processes)
def test_groups_of_eigenvectors_are_invariant(process):
    features, groups = eigenvector_dictionary(process.transitions)
    for number in range(groups.max() + 1):
        block = features[:, groups == number]
        following = process.transitions @ block
        rest = following - block @ np.linalg.lstsq(block, following)[0]
        np.testing.assert_allclose(rest, 0, atol=1e-8)


def shaken(matrix, seed):
    """Return a symmetric or stochastic matrix that differs by what rounding may do."""
    change = 1 + 1e-13 * np.random.default_rng(seed).normal(size=matrix.shape)
    if np.array_equal(matrix, matrix.T):
        return matrix * (change + change.T) / 2
    return matrix * change / (matrix * change).sum(axis=1, keepdims=True)


def complete_bipartite(n):
    half = np.arange(2 * n) < n
    return (half[:, None] != half).astype(float)


def ring(n):
    return np.roll(np.eye(n), 1, axis=1)


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("graph", [complete_bipartite(4), ring(9) + ring(9).T, np.eye(6)])
def test_rounding_turns_no_proto_value_function(graph, normalised):
    features, eigenvalues = proto_value_functions(graph, normalised=normalised)
    np.testing.assert_allclose(features.T @ features, np.eye(len(graph)), atol=1e-12)
    for seed in range(3):
        other, equal = proto_value_functions(shaken(graph, seed), normalised=normalised)
        np.testing.assert_allclose(other, features, atol=1e-10)
        np.testing.assert_allclose(equal, eigenvalues, atol=1e-10)


def two_wells(n=40):
    """Return a walk that is drawn to n / 5 and 4 n / 5: two eigenvalues are 1 but for 1e-14."""
    P = np.zeros((n, n))
    for s in range(n):
        right = 0.9 if s < n // 5 or n // 2 <= s < 4 * n // 5 else 0.1
        P[s, min(s + 1, n - 1)] += right
        P[s, max(s - 1, 0)] += 1 - right
    return P


@pytest.mark.parametrize(
    "transitions",
    [ring(5), np.kron(np.eye(2), ring(3)), np.kron(np.eye(2), np.full((3, 3), 1 / 3)), two_wells()],
)
def test_rounding_turns_no_eigenvector_of_a_dictionary(transitions):
    features, groups = eigenvector_dictionary(transitions)
    np.testing.assert_allclose(np.linalg.norm(features, axis=0), 1)
    for seed in range(3):
        other, same = eigenvector_dictionary(shaken(transitions, seed))
        np.testing.assert_array_equal(same, groups)
        np.testing.assert_allclose(other, features, atol=1e-6)


def test_the_first_of_features_that_point_as_much_along_the_error_is_picked():
    for seed in range(5):
        rewards = [0, 1, 1, 1, 0] * (1 + 1e-13 * np.random.default_rng(seed).normal(size=5))
        process = MarkovRewardProcess(np.eye(5), rewards, 0.5)
        # once there is no error left, all point along it as much
        np.testing.assert_array_equal(matching_pursuit(process, np.eye(5), 5), [1, 2, 3, 0, 4])


def test_a_bellman_error_that_is_mostly_rounding_becomes_no_feature():
    P = two_wells()
    rewards = np.eye(40)[8] + np.eye(40)[31]
    basis = bellman_error_basis(MarkovRewardProcess(P, rewards, 0.9), 40)
    for seed in range(3):
        process = MarkovRewardProcess(shaken(P, seed), rewards, 0.9)
        assert 10 < basis.shape[1] < 40
        np.testing.assert_allclose(bellman_error_basis(process, 40), basis, atol=1e-6)


def test_a_matrix_without_enough_eigenvectors_is_refused():
    with pytest.raises(ValueError, match="not diagonalisable"):
        eigenvector_dictionary([[0.5, 0.5, 0], [0, 0.5, 0.5], [0, 0, 0.5]])


@pytest.mark.parametrize("normalised", [False, True])
def test_proto_value_functions_of_a_path_have_the_known_eigenvalues(normalised):
    n = 12
    path = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    features, eigenvalues = proto_value_functions(path, normalised=normalised)
    angle = np.pi * np.arange(n)
    expected = 1 - np.cos(angle / (n - 1)) if normalised else 2 - 2 * np.cos(angle / n)
    np.testing.assert_allclose(eigenvalues, expected, atol=1e-12)
    np.testing.assert_allclose(features.T @ features, np.eye(n), atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.6, 0.6], [0, 1]], [0, 0], 0.9), "more than 1"),
        (([[-0.1, 1], [0, 1]], [0, 0], 0.9), "none is negative"),
        (([[1, 0]], [0], 0.9), "transitions has shape"),
        (([[1.0]], [np.nan], 0.9), "finite"),
        (([[1.0]], [0.0], 1.0), "discount"),
    ],
)
def test_what_is_no_process_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        MarkovRewardProcess(*arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"next_features": np.zeros((3, 1))}, "next_features"),
        ({"rewards": np.zeros(2)}, "rewards has shape"),
        ({"sample_weight": np.zeros(3)}, "sample_weight must not"),
        ({"features": np.full((3, 2), np.nan)}, "finite"),
    ],
)
def test_what_is_no_sample_is_refused(change, message):
    given = {
        "features": np.ones((3, 2)),
        "next_features": np.ones((3, 2)),
        "rewards": np.ones(3),
    }
    with pytest.raises(ValueError, match=message):
        LinearModel(0.9).fit(**{**given, **change})


def test_a_policy_makes_a_process_of_a_decision_process():
    rng = np.random.default_rng(0)
    transitions = rng.dirichlet(np.ones(3), (3, 2))
    rewards = rng.normal(size=(3, 2))
    chosen = MarkovRewardProcess.from_policy(transitions, rewards, [0, 1, 1], 0.5)
    np.testing.assert_array_equal(chosen.transitions[1], transitions[1, 1])
    mixed = MarkovRewardProcess.from_policy(transitions, rewards, np.full((3, 2), 0.5), 0.5)
    np.testing.assert_allclose(mixed.rewards, rewards.mean(axis=1))
