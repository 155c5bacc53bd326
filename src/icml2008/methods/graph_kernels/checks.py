"""What the kernel may be asked for; messages that name the value and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real

import numpy as np

from icml2008.errors import nearest
from icml2008.methods.graph_kernels.graph import PointCloudGraph


def check_graphs(graphs: Sequence[PointCloudGraph]) -> None:
    """Raise TypeError or ValueError if these are no graphs, or do not fit each other."""
    if not len(graphs):
        msg = "there are no graphs; expected at least one PointCloudGraph"
        raise ValueError(msg)
    for n, graph in enumerate(graphs):
        if not isinstance(graph, PointCloudGraph):
            msg = f"graph {n} is a {type(graph).__name__}; make a PointCloudGraph of it"
            raise TypeError(msg)

    def widths(graph: PointCloudGraph) -> tuple[int, int]:
        attributes = graph.attributes
        return graph.positions.shape[1], 0 if attributes is None else attributes.shape[1]

    for n, graph in enumerate(graphs):
        if widths(graph) != widths(graphs[0]):
            msg = (
                "graph {} has {} dimensions and {} attributes, graph 0 has {} and {}; "
                "all graphs must agree"
            ).format(n, *widths(graph), *widths(graphs[0]))
            raise ValueError(msg)


def check_parameters(
    whole: Mapping[str, Sequence],
    positive: Mapping[str, Sequence],
    nonnegative: Mapping[str, Sequence],
    named: Mapping[str, tuple[str, Sequence[str]]],
) -> None:
    """Raise ValueError if a parameter is not what it should be.

    Parameters
    ----------
    whole, positive, nonnegative : mapping of str to sequence
        Integers of at least 1, and real numbers, by name: all values that shall be used.
    named : mapping of str to (str, sequence of str)
        A parameter's value and its options.
    """
    for name, values in [*whole.items(), *positive.items(), *nonnegative.items()]:
        if not len(values):
            msg = f"no value of {name} is asked for; give at least one"
            raise ValueError(msg)
    for name, values in whole.items():
        for value in values:
            if not isinstance(value, Integral) or value < 1:
                msg = f"{name} is {value!r}; expected an integer of at least 1"
                raise ValueError(msg)
    for real, sign in ((positive, ">"), (nonnegative, ">=")):
        for name, values in real.items():
            for value in values:
                low = isinstance(value, Real) and (value > 0 or (sign == ">=" and value == 0))
                if not low or not np.isfinite(value):
                    msg = f"{name} is {value!r}; expected a finite number {sign} 0"
                    raise ValueError(msg)
    for name, (value, options) in named.items():
        if value not in options:
            msg = f"{name} is {value!r}{nearest(value, options)}"
            raise ValueError(msg)
