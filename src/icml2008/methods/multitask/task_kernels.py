"""Prior knowledge on combinations of drugs: what makes two of them similar tasks.

A combination is a string such as ``"3TC+AZT"``, or a tuple or frozenset of names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def drug_indicator_kernel(
    tasks: Sequence[Hashable], others: Sequence[Hashable] | None = None
) -> NDArray[np.float64]:
    """Compare combinations by the drugs they share.

    Parameters
    ----------
    tasks, others : sequence of combinations
        Strings with drugs joined by "+", or tuples or frozensets of drugs. None for `others`
        compares `tasks` with one another.

    Returns
    -------
    ndarray of shape (n_tasks, n_others)
        Inner product of the normalised 0/1 vectors of drugs, in [0, 1].

    References
    ----------
    Bickel et al. (2008), section 5.1.

    Examples
    --------
    >>> from icml2008.methods import drug_indicator_kernel
    >>> drug_indicator_kernel(["3TC+AZT", ("AZT", "EFV"), "NVP"]).round(3)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    others = tasks if others is None else others
    return _shared([_drugs(task) for task in tasks], [_drugs(task) for task in others])


def mutation_table_kernel(
    tasks: Sequence[Hashable],
    others: Sequence[Hashable] | None = None,
    *,
    table: Mapping[str, Iterable[str]],
) -> NDArray[np.float64]:
    """Compare combinations by the mutations that make their drugs ineffective.

    Bind the table to use it as a task kernel: ``partial(mutation_table_kernel, table=...)``.

    Parameters
    ----------
    tasks, others : sequence of combinations
        As for :func:`drug_indicator_kernel`.
    table : mapping
        For each drug its resistance-relevant mutations.

    Returns
    -------
    ndarray of shape (n_tasks, n_others)
        Inner product of the normalised 0/1 vectors of mutations, in [0, 1]; 0 where a combination
        has none.

    Raises
    ------
    ValueError
        If the table lacks a drug.

    References
    ----------
    Bickel et al. (2008), section 5.1; Johnson et al. (2007) publish such tables.

    Examples
    --------
    >>> from icml2008.methods import mutation_table_kernel
    >>> table = {"3TC": {"M184V"}, "ABC": {"M184V", "K65R"}, "NVP": {"K103N"}}
    >>> mutation_table_kernel(["3TC", "ABC", "ABC+NVP"], table=table).round(3)
    array([[1.   , 0.707, 0.577],
           [0.707, 1.   , 0.816],
           [0.577, 0.816, 1.   ]])
    """

    def mutations(task: Hashable) -> frozenset:
        drugs = _drugs(task)
        if missing := sorted(map(str, drugs - table.keys())):
            msg = f"the mutation table has no entry for {', '.join(missing)} (task {task!r})"
            raise ValueError(msg)
        return frozenset().union(*(table[drug] for drug in drugs))

    others = tasks if others is None else others
    return _shared([mutations(task) for task in tasks], [mutations(task) for task in others])


def _shared(sets: list[frozenset], others: list[frozenset]) -> NDArray[np.float64]:
    members: dict = {}
    for task in (*sets, *others):
        for member in task:
            members.setdefault(member, len(members))

    def normalised(family: list[frozenset]) -> NDArray[np.float64]:
        table = np.zeros((len(family), len(members)))
        for row, task in zip(table, family, strict=True):
            row[[members[member] for member in task]] = 1 / np.sqrt(max(len(task), 1))
        return table

    return normalised(sets) @ normalised(others).T


def _drugs(task: Hashable) -> frozenset:
    if isinstance(task, str):
        return frozenset(drug.strip() for drug in task.split("+"))
    if isinstance(task, Iterable):
        return frozenset(task)
    msg = f"task {task!r} is no combination of drugs: join their names with '+', or give a tuple"
    raise TypeError(msg)
