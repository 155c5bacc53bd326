"""The 17 classification tasks behind the 21 rows of Tables 1 and 2."""

from dataclasses import dataclass

import numpy as np

BINS = 21
# Classes with fewer rows than there are folds are left out: only then, and with the training files
# alone, do the rows of the tables stand by rising class size, as the text says that they do.
FEWEST = 10
# "naive-bayes" or "qda", the set, and what of it is the class; in the order of the tables.
ROWS = {
    "nb-bridges-type": ("bridges-2", ""),
    "nb-bridges-material": ("bridges-2", "MATERIAL"),
    "nb-audiology": ("audiology", ""),
    "nb-horse-site": ("horse-colic", "site"),
    "nb-bridges-rel-l": ("bridges-2", "REL-L"),
    "nb-segmentation": ("segment", ""),
    "qda-segmentation": ("segment", ""),
    "nb-horse-code": ("horse-colic", "code"),
    "nb-glass": ("glass", ""),
    "qda-glass": ("glass", ""),
    "nb-flag": ("flags", ""),
    "nb-horse-type": ("horse-colic", "type"),
    "qda-iris": ("iris", ""),
    "nb-ecoli": ("ecoli", ""),
    "qda-ecoli": ("ecoli", ""),
    "nb-dermatology": ("dermatology", ""),
    "qda-wine": ("wine", ""),
    "nb-horse-subtype": ("horse-colic", "subtype"),
    "nb-flare2": ("flare-2", ""),
    "nb-car": ("car", ""),
    "nb-nursery": ("nursery", ""),
}
# Goals of the design of a bridge, what came of a horse, and other flares: no inputs of a task.
OUTCOMES = {
    "bridges-2": ("T-OR-D", "MATERIAL", "SPAN", "REL-L", "TYPE"),
    "horse-colic": ("outcome", "surgical-lesion"),
    "flare-2": (
        "M-class_flares_production_by_this_region",
        "X-class_flares_production_by_this_region",
    ),
}
# Class, column and row of the regions that stand twice and are none of UCI's 210 for training.
EXTRA = {
    *((0, 29, 111), (0, 146, 140), (0, 217, 145), (2, 78, 99), (6, 150, 152), (6, 242, 148)),
    *((4, 28, 188), (4, 93, 190), (4, 116, 184), (4, 142, 182), (4, 195, 161), (4, 254, 159)),
}
NO_INPUTS = ("hospital-number", "second-lesion", "third-lesion", "cp-data")


@dataclass(frozen=True)
class Task:
    """Inputs and classes of a row of the tables.

    Attributes
    ----------
    X : ndarray, shape (n_rows, n_features)
        Numbers, NaN where a value is missing.
    y : ndarray of int, shape (n_rows,)
        Classes from 0 on.
    numeric : ndarray of bool, shape (n_features,)
        Whether a feature is a number, and not an index into categories.
    """

    X: np.ndarray
    y: np.ndarray
    numeric: np.ndarray

    @property
    def size(self):
        """The geometric mean of the number of rows in a class."""
        return float(np.exp(np.mean(np.log(np.bincount(self.y)))))


def lesion(number):
    """Return site, type, subtype and code of a lesion, whose numbers have five digits.

    Sites are padded by a zero in front, but for 11; where a code is 10, the zero is left out.
    """
    digits = [int(digit) for digit in number]
    if digits[0] == 0:
        return digits[1:]
    if number.endswith("10"):
        return [*digits[:3], 10]
    if number.startswith("11"):
        return [11, *digits[2:]]
    return [*digits[:3], digits[4]]


def task_of(row, table, inputs="inputs", fewest=FEWEST):
    """Return a row's task, of the training file's rows and of classes with ten rows or more.

    Parameters
    ----------
    row : str
        A key of `ROWS`.
    table : Table
        Its data set.
    inputs : {"inputs", "rest"}
        Whether what came out of a case is left out, or all but the class is an input.
    fewest : int
        Rows that a class has at least.
    """
    name, target = ROWS[row]
    names = list(table.feature_names)
    labels = np.asarray(table.y)
    if name == "horse-colic":
        part = ("site", "type", "subtype", "code").index(target)
        labels = np.array([lesion(number)[part] for number in labels])
    elif target:
        labels = table.X[:, names.index(target)]
    missing = (labels == "") if labels.dtype.kind == "U" else np.isnan(labels)
    chosen = np.flatnonzero(~missing)
    X = table.X
    if name == "bridges-2" and target and inputs == "rest":
        kinds = np.unique(table.y, return_inverse=True)[1].astype(float)
        X = np.column_stack([X, np.where(table.y == "", np.nan, kinds)])
        names.append("TYPE")
    if name == "audiology":
        chosen = chosen[-200:]
    elif name == "segment":
        chosen = training_rows(np.column_stack([X, np.unique(labels, return_inverse=True)[1]]))
    values, counts = np.unique(labels[chosen], return_counts=True)
    chosen = chosen[np.isin(labels[chosen], values[counts >= fewest])]
    left_out = {target, *NO_INPUTS}
    if inputs == "inputs":
        left_out.update(OUTCOMES.get(name, ()))
    columns = [i for i, feature in enumerate(names) if feature not in left_out]
    categories = table.categories
    X = X[np.ix_(chosen, columns)]
    numeric = np.ones(len(columns), dtype=bool)
    for place, column in enumerate(columns):
        known = categories.get(names[column])
        if names[column] == "LOCATION":
            # Miles along the river, which the file declares as categories.
            places = ~np.isnan(X[:, place])
            X[places, place] = np.array(known, dtype=float)[X[places, place].astype(int)]
        else:
            numeric[place] = known is None and names[column] != "TYPE"
    return Task(X, np.unique(labels[chosen], return_inverse=True)[1], numeric)


def training_rows(rows):
    """Return the places of UCI's 210 training rows, which stand twice among the 2,310.

    Twelve more do, which `EXTRA` names: without them there are 30 of each class.
    """
    _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    twice = np.sort(first[counts > 1])
    extra = [tuple(rows[place, [-1, 0, 1]].astype(int)) in EXTRA for place in twice]
    return twice[~np.array(extra)]


def codes_of(task, bins="width", missing="ignored"):
    """Return indicators of a task's values for naive Bayes, and the features they belong to.

    A feature of more than 21 numbers is cut into 21 bins.

    Parameters
    ----------
    task : Task
    bins : {"width", "count"}
        Whether bins are of equal width or hold as many rows.
    missing : {"ignored", "value"}
        Whether a missing value has no indicator, or one of its own.

    Returns
    -------
    indicators : ndarray, shape (n_rows, n_values)
    feature : ndarray of int, shape (n_values,)
    """
    blocks = []
    feature = []
    for place, column in enumerate(task.X.T):
        known = ~np.isnan(column)
        values = np.unique(column[known])
        codes = np.full(len(column), -1)
        if task.numeric[place] and len(values) > BINS:
            edges = np.linspace(values[0], values[-1], BINS + 1)
            if bins == "count":
                edges = np.unique(np.quantile(column[known], np.linspace(0, 1, BINS + 1)))
            codes[known] = np.digitize(column[known], edges[1:-1])
            number = len(edges) - 1
        else:
            codes[known] = np.searchsorted(values, column[known])
            number = len(values)
        if missing == "value" and not known.all():
            codes[~known] = number
            number += 1
        blocks.append(codes[:, None] == np.arange(number))
        feature += [place] * number
    return np.hstack(blocks).astype(float), np.array(feature)
