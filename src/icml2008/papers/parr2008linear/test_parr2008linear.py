"""The processes of Section 6, and the paper's errata by computation."""

import numpy as np
import pytest

from icml2008.papers.parr2008linear.experiments import (
    THEOREMS,
    ProtoValuePursuit,
    outside,
    path_of,
    powers,
    random_process,
    smooth_features,
    summary,
)
from icml2008.papers.parr2008linear.method.bases import (
    bellman_error_basis,
    krylov_basis,
    proto_value_functions,
)
from icml2008.papers.parr2008linear.method.linear import LinearFixedPoint, LinearModel
from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
from icml2008.papers.parr2008linear.problems import (
    blackjack,
    chain,
    dealer,
    dealt,
    draw,
    two_room,
)


def all_problems():
    yield chain()
    yield chain("uniform", 0.8)
    for change in ({}, {"goal": "absorbs"}, {"ties": "all"}, {"reset_links": False}):
        yield two_room(**change)
    for change in ({}, {"outcomes": "folded"}, {"deal": "uniform"}, {"reset_links": False}):
        yield blackjack(**change)


def test_processes_that_go_on_have_rows_of_1_and_symmetric_links():
    for process, links in all_problems():
        np.testing.assert_allclose(process.transitions.sum(axis=1), 1, atol=1e-12)
        np.testing.assert_array_equal(links, links.T)
        assert not links.diagonal().any()


def test_the_chain_has_the_optimal_policy_of_its_source():
    process, links = chain()
    better = process.transitions @ process.values()
    for s in range(1, 49):
        towards = max(s - 1, 0)
        away = min(s + 1, 49)
        values = process.values()
        mixed = {0.9: 0.9 * values[towards] + 0.1 * values[away]}
        mixed[0.1] = 0.1 * values[towards] + 0.9 * values[away]
        assert better[s] == pytest.approx(max(mixed.values()))
    assert links.sum() == 2 * 49


def test_the_two_rooms_have_57_free_cells_and_a_single_door():
    _, links = two_room(reset_links=False)
    assert len(links) == 57
    degrees = links.sum(axis=1)
    assert degrees.min() == 2
    cut = [np.linalg.matrix_rank(np.diag(d.sum(1)) - d) for d in without_each(links)]
    assert cut.count(54) == 1 + 2  # the door, and the cells on its two sides, part the rooms


def without_each(links):
    for i in range(len(links)):
        yield np.delete(np.delete(links, i, 0), i, 1)


def test_cards_dealer_and_deals_have_probabilities_that_add_up():
    for card in range(2, 11):
        assert sum(dealer(card, False)) == pytest.approx(1)
    assert sum(dealer(11, True)) == pytest.approx(1)
    assert sum(draw(16, False).values()) == pytest.approx(1)
    assert sum(dealt().values()) == pytest.approx(1)
    # From 16, cards of 6 and more lose: 4 of nine, and ten with its three faces.
    assert draw(16, False)["lose"] == pytest.approx(8 / 13)
    assert draw(16, True)[(12, False)] == pytest.approx(1 / 13)


def test_the_dealer_busts_as_often_as_in_a_simulation():
    rng = np.random.default_rng(0)
    busts = 0
    n = 20_000
    for _ in range(n):
        total = 6
        aces = 0
        while True:
            card = min(int(rng.integers(1, 14)), 10)
            total = total + (11 if card == 1 else card)
            aces = aces + (card == 1)
            while total > 21 and aces:
                total = total - 10
                aces = aces - 1
            if total >= 17:
                break
        busts += total > 21
    spread = np.sqrt(dealer(6, False)[-1] / n)
    assert busts / n == pytest.approx(dealer(6, False)[-1], abs=4 * spread)


def test_folding_the_outcomes_in_keeps_the_value_of_a_single_game():
    apart = blackjack(ergodic=False).process
    folded = blackjack("folded", ergodic=False).process
    # An outcome that is a state is paid for a step later.
    np.testing.assert_allclose(apart.values()[:200], 0.999 * folded.values(), atol=1e-12)


def test_sticking_on_20_is_worth_much_and_hitting_19_little():
    values = blackjack(ergodic=False).process.values()
    against_ten = 9 * 20
    assert 0.4 < values[against_ten + 8] < 0.6  # hard 20 against a ten
    assert values[against_ten + 7] < -0.5  # hard 19, on which the policy hits


def test_with_outcomes_folded_in_the_graph_is_complete_and_its_order_empty():
    _, links = blackjack("folded")
    eigenvalues = proto_value_functions(links)[1]
    np.testing.assert_allclose(eigenvalues[1:], 200, atol=1e-9)


def test_a_random_basis_of_equal_eigenvalues_spans_the_same():
    _, links = blackjack()
    features, eigenvalues = proto_value_functions(links)
    turned = smooth_features(links, np.random.default_rng(0))
    np.testing.assert_allclose(turned.T @ turned, np.eye(203), atol=1e-12)
    laplacian = np.diag(links.sum(1)) - links
    np.testing.assert_allclose(laplacian @ turned, turned * eigenvalues, atol=1e-8)
    assert not np.allclose(np.abs(turned), np.abs(features))


def test_rounding_of_the_graph_changes_no_path_at_blackjack():
    process, links = blackjack()
    change = 1 + 1e-13 * np.random.default_rng(1).normal(size=links.shape)
    paths = []
    for graph in (links, links * (change + change.T) / 2):
        smooth = smooth_features(graph, np.random.default_rng(0))
        picked = ProtoValuePursuit().features(process, smooth)
        paths.append([path_of(process, smooth), path_of(process, picked)])
    np.testing.assert_allclose(paths[1], paths[0], atol=1e-6)


def test_at_blackjack_no_reward_reaches_the_first_features_so_their_values_are_0():
    """Why the feature error is 0 there: the weights are, and not the features' own error."""
    process, links = blackjack()
    smooth = smooth_features(links, np.random.default_rng(0))
    path = path_of(process, smooth)
    k = 150
    assert path[k, 2] < 1e-10
    assert path[k, 3] > 0.1
    following = process.transitions @ smooth[:, :k]
    model = LinearModel(0.999).fit(smooth[:, :k], following, process.rewards)
    np.testing.assert_allclose(model.coef_, 0, atol=1e-8)


def test_areas_and_shares_are_those_of_a_path_by_hand():
    path = np.array([[1.0, 0.6, 0.8, 0.5], [0.4, 0.4, 0.0, 0.1], [0.0, 0.0, 0.0, 0.0]])
    values = summary(path)
    assert values["bellman_area"] == pytest.approx(1.4 / 3)
    assert values["needed"] == pytest.approx(1 / 3)
    assert values["cancelled"] == pytest.approx(0)
    assert values["reward_late"] == pytest.approx(0.4)


def test_errors_that_are_rounding_neither_cancel_nor_add_up():
    path = np.array([[0.6, 0.6, 0.8, 0.5], [1e-14, 3e-15, 2e-16, 0.1], [0.0, 0.0, 0.0, 0.0]])
    assert summary(path)["cancelled"] == pytest.approx((1 - 0.36) / 2)


@pytest.mark.parametrize("theorem", THEOREMS)
def test_theorems_hold_on_a_few_processes(theorem):
    rng = np.random.default_rng(0)
    assert max(THEOREMS[theorem](random_process(rng), rng) for _ in range(5)) < 1e-7


def test_the_new_part_of_a_bellman_error_is_power_k():
    process = random_process(np.random.default_rng(1))
    for k in (1, 2, 3):
        bebf = bellman_error_basis(process, k + 1)
        assert outside(bebf, krylov_basis(process, k + 1)) < 1e-10  # R to P^k R
        printed = np.column_stack([powers(process, k), powers(process, k + 2)[:, -1]])
        assert outside(bebf, np.linalg.qr(printed)[0]) > 1e-3  # with P^(k+1) R instead


def test_theorem_5_1_needs_a_discount_above_0():
    transitions = np.roll(np.eye(4), 1, axis=1)
    process = MarkovRewardProcess(transitions, [0, 0, 0, 1], discount=0.0)
    assert bellman_error_basis(process, 3).shape[1] == 1
    assert krylov_basis(process, 3).shape[1] == 3


def test_neither_solution_of_theorem_3_1_need_exist():
    features = np.array([[1.0], [2.0]])
    P = np.array([[0.0, 1], [0, 1]])
    for method in (LinearFixedPoint, LinearModel):
        with pytest.raises(ValueError, match="no unique fixed point|no value function"):
            method(5 / 6).fit(features, P @ features, [1.0, 0.0])


def test_the_proof_of_theorem_4_1_holds_with_the_model():
    rng = np.random.default_rng(2)
    process = random_process(rng)
    features = rng.normal(size=(15, 4))
    model = LinearModel(process.discount)
    model.fit(features, process.transitions @ features, process.rewards)
    with pytest.raises(ValueError, match="mismatch"):
        features @ process.transitions
    inner = process.discount * features @ model.transition_ - features
    fitted = features @ model.reward_
    np.testing.assert_allclose(fitted + inner @ model.coef_, 0, atol=1e-9)


@pytest.mark.parametrize("ties", ["outward", "inward", "mixed"])
def test_both_moves_are_as_good_in_the_paying_states_of_the_chain(ties):
    values = chain(ties=ties).process.values()
    np.testing.assert_allclose(values, chain().process.values(), rtol=1e-9)
