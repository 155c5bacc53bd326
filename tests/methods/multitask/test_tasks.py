"""Task labels, priors and similarities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from icml2008.methods.multitask.task_kernels import drug_indicator_kernel, mutation_table_kernel
from icml2008.methods.multitask.tasks import (
    locate_tasks,
    number_tasks,
    task_covariance,
    task_prior,
)

DRUGS = ["3TC", "AZT", "DDI", "EFV", "NVP"]
TABLE = {"3TC": "a", "AZT": "bcd", "DDI": "ac", "EFV": "ef", "NVP": "f"}
combinations = st.lists(
    st.frozensets(st.sampled_from(DRUGS), min_size=1), min_size=1, max_size=6, unique=True
)
labels = st.lists(st.one_of(st.integers(0, 3), st.sampled_from("abc"), st.none()), max_size=9)


@given(labels.filter(lambda values: None not in values))
def test_numbers_lead_back_to_the_labels(task):
    tasks, number = number_tasks(task, len(task))
    assert [tasks[i] for i in number] == task
    assert len(set(tasks)) == len(tasks)
    np.testing.assert_array_equal(locate_tasks(task, len(task), tasks), number)


@given(combinations)
def test_drug_kernel_is_the_cosine_of_indicator_vectors(tasks):
    vectors = np.array([[drug in task for drug in DRUGS] for task in tasks], dtype=float)
    np.testing.assert_allclose(drug_indicator_kernel(tasks), cosine_similarity(vectors), atol=1e-12)


@given(combinations, combinations)
def test_mutation_kernel_is_the_cosine_of_unions_of_mutations(tasks, others):
    def vectors(family):
        unions = [set().union(*(TABLE[drug] for drug in task)) for task in family]
        return np.array([[m in union for m in "abcdef"] for union in unions], dtype=float)

    np.testing.assert_allclose(
        mutation_table_kernel(tasks, others, table=TABLE),
        cosine_similarity(vectors(tasks), vectors(others)),
        atol=1e-12,
    )


@given(combinations)
def test_strings_tuples_and_sets_name_the_same_combination(tasks):
    spelled = ["+".join(sorted(task)) for task in tasks]
    listed = [tuple(task) for task in tasks]
    expected = drug_indicator_kernel(tasks)
    np.testing.assert_array_equal(drug_indicator_kernel(spelled, listed), expected)


@given(combinations, st.floats(0, 0.99), st.floats(0.1, 10))
def test_covariance_is_positive_definite_with_equal_variances(tasks, rho, sigma):
    covariance = task_covariance(tasks, drug_indicator_kernel, sigma, rho)
    np.testing.assert_allclose(np.diag(covariance), sigma**2)
    # the similarities have no negative eigenvalue, which leaves (1 - rho) of the variance
    assert np.linalg.eigvalsh(covariance)[0] >= sigma**2 * (1 - rho - 1e-10)


def test_covariance_is_independent_without_task_kernel():
    np.testing.assert_array_equal(task_covariance("abc", None, 2.0, 0.5), [4.0, 4.0, 4.0])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9), st.floats(0.01, 10))
def test_prior_is_a_distribution_between_proportions_and_uniform(counts, dirichlet):
    prior = task_prior(counts, dirichlet)
    assert prior.sum() == pytest.approx(1)
    if total := sum(counts):
        proportions = np.array(counts) / total
        uniform = 1 / len(counts)
        low = np.minimum(proportions, uniform)
        high = np.maximum(proportions, uniform)
        assert ((prior >= low - 1e-12) & (prior <= high + 1e-12)).all()


def test_a_drug_outside_the_table_is_named():
    with pytest.raises(ValueError, match="no entry for T20"):
        mutation_table_kernel(["3TC+T20"], table=TABLE)


def test_a_task_that_is_no_combination_is_refused():
    with pytest.raises(TypeError, match="task 7 is no combination"):
        drug_indicator_kernel([7])
