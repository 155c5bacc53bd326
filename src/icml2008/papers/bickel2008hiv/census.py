"""Adult as a multi-task problem: the income of people born abroad, by country and occupation.

Chosen before any result on it was seen: its tasks are natural (people of one origin in one line of
work), as many and as uneven as the paper's combinations of drugs, their labels depend on education,
age and hours in ways that differ between occupations, and half of a task's name is shared with
other tasks, as drugs are. People born in the United States are left out: nine in ten, all of them
in fourteen large tasks.
"""

from __future__ import annotations

import numpy as np

from icml2008.papers.bickel2008hiv.split import Examples

# Upper ends of bands, as in the binary form of the data (a9a) or coarser.
BANDS = {"age": (25, 32, 40, 49), "education-num": (6, 9, 10, 12), "hours-per-week": (34, 40, 49)}
NAMED = ("workclass", "marital-status", "relationship", "race", "sex")
POSITIVE = ("capital-gain", "capital-loss")


def people_by_origin(adult, named: tuple[str, ...] = NAMED) -> Examples:
    """Return people born outside of the United States whose country and occupation are known.

    Parameters
    ----------
    adult : Table
        The data set ``adult``.
    named : tuple of str
        Attributes whose values become a feature each.

    Returns
    -------
    Examples
        0/1 features; y = 1 for an income above 50,000 dollars; tasks ``"country+occupation"``.
    """
    column = {name: adult.X[:, i] for i, name in enumerate(adult.feature_names)}
    country = column["native-country"]
    occupation = column["occupation"]
    home = adult.categories["native-country"].index("United-States")
    kept = np.isfinite(country) & np.isfinite(occupation) & (country != home)
    features = []
    for name, ends in BANDS.items():
        band = np.searchsorted(ends, column[name][kept])
        features += [band == k for k in range(len(ends) + 1)]
    for name in named:
        features += [column[name][kept] == k for k in range(len(adult.categories[name]))]
    features += [column[name][kept] > 0 for name in POSITIVE]
    countries = np.array(adult.categories["native-country"])[country[kept].astype(int)]
    occupations = np.array(adult.categories["occupation"])[occupation[kept].astype(int)]
    task = np.char.add(np.char.add(countries, "+"), occupations)
    y = np.where(adult.y[kept] == ">50K", 1.0, -1.0)
    return Examples(np.array(features, dtype=float).T, y, task)
