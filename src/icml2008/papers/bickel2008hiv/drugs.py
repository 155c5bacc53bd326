"""Drugs against HIV up to 2007, and the mutations that are known to make each of them fail.

The 17 drugs and 65 mutations that the simulator of `cohort` works with. Which drugs and mutations
the paper's 82 features stand for is unsaid; these are the drugs of the time and the mutations of
the tables that the paper cites (Johnson et al., 2007), shortened to 65.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Drug:
    """A drug.

    Attributes
    ----------
    family : {"NRTI", "NNRTI", "PI"}
    approved : float
        Year of approval in the United States.
    use : float
        How often it was prescribed, relative to others of its family; the simulator's guess.
    mutations : frozenset of str
        Those that make it fail.
    """

    family: str
    approved: float
    use: float
    mutations: frozenset[str]


def _drug(family: str, approved: float, use: float, *mutations: str) -> Drug:
    return Drug(family, approved, use, frozenset(" ".join(mutations).split()))


_THYMIDINE = "M41L D67N K70R L210W T215Y T215F K219Q K219E"
_Q151M = "A62V V75I F77L F116Y Q151M"
_L10 = "L10F L10I L10R L10V"

DRUGS = {
    "AZT": _drug("NRTI", 1987.2, 6, _THYMIDINE, _Q151M),
    "ddI": _drug("NRTI", 1991.8, 4, "K65R L74V", _Q151M),
    "ddC": _drug("NRTI", 1992.5, 1, "K65R L74V M184V", _Q151M),
    "d4T": _drug("NRTI", 1994.5, 5, _THYMIDINE, _Q151M),
    "3TC": _drug("NRTI", 1995.9, 9, "K65R M184V M184I", _Q151M),
    "ABC": _drug("NRTI", 1999.0, 4, "K65R L74V Y115F M184V", _Q151M),
    "TDF": _drug("NRTI", 2001.8, 6, "K65R M41L L210W T215Y"),
    "FTC": _drug("NRTI", 2003.5, 3, "K65R M184V M184I", _Q151M),
    "NVP": _drug(
        "NNRTI", 1996.5, 3,
        "L100I K103N V106A V106M V108I Y181C Y181I Y188C Y188L Y188H G190A",
    ),
    "EFV": _drug("NNRTI", 1998.7, 5, "L100I K103N V106M V108I Y181C Y181I Y188L G190A G190S P225H"),
    "SQV": _drug(
        "PI", 1995.9, 3, _L10,
        "L24I G48V I54V I54L A71V A71T G73S V77I V82A V82F V82T V82S I84V L90M",
    ),
    "RTV": _drug(
        "PI", 1996.2, 1, _L10,
        "K20M K20R V32I L33F M36I M46I M46L I50V I54V I54L A71V A71T V77I V82A V82F",
        "V82T V82S I84V L90M",
    ),
    "IDV": _drug(
        "PI", 1996.2, 3, _L10,
        "K20M K20R L24I V32I M36I M46I M46L I54V A71V A71T G73S L76V V77I V82A V82F",
        "V82T I84V L90M",
    ),
    "NFV": _drug(
        "PI", 1997.2, 4,
        "L10F L10I M36I M46I M46L A71V A71T V77I V82A V82F V82T V82S I84V N88D N88S",
        "L90M",
    ),
    "APV": _drug(
        "PI", 1999.3, 1, _L10,
        "V32I M46I M46L I47V I50V I54V I54L I54M G73S L76V V82A V82F V82T V82S I84V",
        "L90M",
    ),
    "LPV": _drug(
        "PI", 2000.7, 6, _L10,
        "K20M K20R L24I V32I L33F M46I M46L I47V I50V F53L I54V I54L I54M L63P A71V",
        "A71T G73S L76V V82A V82F V82T V82S I84V L90M",
    ),
    "ATV": _drug(
        "PI", 2003.5, 3, _L10,
        "K20M K20R L24I V32I L33F M36I M46I M46L G48V I50L F53L I54V I54L I54M A71V",
        "A71T G73S V82A V82T I84V N88S L90M",
    ),
}  # fmt: skip

_PROTEASE = frozenset().union(*(d.mutations for d in DRUGS.values() if d.family == "PI"))
_ALL = frozenset().union(*(drug.mutations for drug in DRUGS.values()))
# reverse transcriptase before protease, each by position
MUTATIONS = tuple(sorted(_ALL, key=lambda name: (name in _PROTEASE, int(name[1:-1]), name)))

# Common in viruses that have never met a drug: their frequency there.
POLYMORPHISMS = {
    "L63P": 0.5, "V77I": 0.3, "M36I": 0.25, "L10I": 0.1, "L10V": 0.06, "A71T": 0.06, "A71V": 0.06,
    "K20R": 0.08,
}  # fmt: skip

RESISTANCE_TABLE = {name: drug.mutations for name, drug in DRUGS.items()}
