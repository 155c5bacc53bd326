"""Two classes as signs."""

from __future__ import annotations

import numpy as np
from sklearn.utils.multiclass import check_classification_targets, type_of_target


def signs_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the two classes, sorted, and 1.0 for each example of the last one, else -1.0.

    Raises
    ------
    ValueError
        If there are not exactly two classes.
    """
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y")
    classes = np.unique(y)
    if kind != "binary" or len(classes) != 2:
        msg = (
            f"Only binary classification is supported. The type of the target is {kind}, with "
            f"{len(classes)} class{'es' * (len(classes) != 1)} where there must be two."
        )
        raise ValueError(msg)
    return classes, np.where(y == classes[1], 1.0, -1.0)
