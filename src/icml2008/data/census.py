"""Places of the 1990 census of the United States, with their states and place codes."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from icml2008.data.content import open_content
from icml2008.data.readers.dbase import read_dbase

_COUNTS = ("POP1990", "MALES", "BLACK", "AGE_65_UP")


@dataclass(frozen=True)
class CensusPlaces:
    """Places of more than 10,000 people in the 50 states in 1990.

    Attributes
    ----------
    X : ndarray of float64, shape (3054, n_features)
        Features as in the file; shares lie in [0, 1].
    feature_names : tuple of str
        Their names in the file.
    target : ndarray of float64, shape (3054,)
        Lower quartile of the values of owner-occupied homes, in dollars, with 500001 for more than
        500,000. The sources call it the median; it is not.
    state : ndarray of str, shape (3054,)
        FIPS code of the state, two digits.
    place : ndarray of str, shape (3054,)
        FIPS code of the place in 1990, five digits.
    name : ndarray of str, shape (3054,)
        Name of the place.
    median_value : ndarray of float64, shape (3054,)
        Median value of owner-occupied homes in dollars, same top code; NaN in Alaska and Hawaii,
        where no source at hand has it.
    row : ndarray of int, shape (3054,)
        The place's row in the file, from 0, ascending.

    References
    ----------
    C. Bergeron, J. Zaretzki, C. Breneman, K. P. Bennett (2008): Multiple Instance Ranking, section
    5.2, where states are boxes and first digits of place codes are bags.
    """

    X: np.ndarray
    feature_names: tuple[str, ...]
    target: np.ndarray
    state: np.ndarray
    place: np.ndarray
    name: np.ndarray
    median_value: np.ndarray
    row: np.ndarray


def load_16h(house_16h: Path, cities: Path) -> CensusPlaces:
    """Return the 16 features of house_16H for the places of more than 10,000 people.

    The file has no codes. Its rows meet the list of cities in four counts (people, men, black
    people, people of 65 and over), which are unique on both sides; Alaska and Hawaii, which that
    list lacks, meet a table of 18 places in the number of people.
    """
    names, table = _read_table(house_16h)
    return _places(names, table, *_identify(names, table, cities))


def load_8l(house_8l: Path, house_16h: Path, cities: Path) -> CensusPlaces:
    """Return the 8 features of house_8L for the same places: both files have the same rows."""
    identified = _identify(*_read_table(house_16h), cities)
    return _places(*_read_table(house_8l), *identified)


def _read_table(path: Path) -> tuple[list[str], np.ndarray]:
    with open_content(path) as file:
        names = file.readline().decode("ascii").split()
        return names, np.loadtxt(file, delimiter="\t", ndmin=2)


def _identify(names: list[str], table: np.ndarray, cities: Path) -> tuple[np.ndarray, list[tuple]]:
    """Return the rows with more than 10,000 people and (state, place, name, median) of each."""
    column = dict(zip(names, table.T, strict=True))
    people = column["P1"]
    shares = [column[name] for name in ("P5p1", "P6p2", "P11p4")]
    counts = np.rint([people, *(share * people for share in shares)]).astype(int).T
    rows = np.flatnonzero(people > 10_000)
    by_counts = _listed_cities(cities)
    by_people = _listed_in_alaska_and_hawaii()
    keys = [tuple(counts[row].tolist()) for row in rows]
    return rows, [by_counts[key] if key in by_counts else by_people[key[0]] for key in keys]


def _listed_cities(path: Path) -> dict[tuple[int, ...], tuple]:
    columns = ["STATE_FIPS", "CITY_FIPS", "CITY_NAME", "MEDIAN_VAL", *_COUNTS]
    state, place, name, median, *counts = read_dbase(path, columns).values()
    keys = (tuple(map(int, key)) for key in zip(*counts, strict=True))
    return dict(zip(keys, zip(state, place, name, map(float, median), strict=True), strict=True))


def _listed_in_alaska_and_hawaii() -> dict[int, tuple]:
    text = (files("icml2008.data") / "ak_hi_places_1990.csv").read_text(encoding="ascii")
    return {
        int(row["POP1990"]): (row["STATE_FIPS"], row["PLACE_FIPS"], row["NAME"], np.nan)
        for row in csv.DictReader(text.splitlines())
    }


def _places(
    names: list[str], table: np.ndarray, rows: np.ndarray, identified: list[tuple]
) -> CensusPlaces:
    *features, _ = names
    state, place, name, median = zip(*identified, strict=True)
    return CensusPlaces(
        X=table[rows, :-1],
        feature_names=tuple(features),
        target=table[rows, -1],
        state=np.array(state),
        place=np.array(place),
        name=np.array(name),
        median_value=np.array(median),
        row=rows,
    )
