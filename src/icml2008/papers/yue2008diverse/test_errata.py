"""Errata of the paper that a small computation settles."""

import itertools
import math


def test_greedy_cover_fails_with_negative_benefits():
    """yue2008diverse, Section 4: 1 - 1/e needs benefits that are not negative."""
    benefit = {"p": 1.0, "q": 3.0, "r": 3.0, "common": -2.1}
    documents = {"A": {"p"}, "B": {"q", "common"}, "C": {"r", "common"}}

    def value(chosen):
        return sum(
            benefit[word] for word in set().union(*(documents[document] for document in chosen))
        )

    greedy = []
    for _ in range(2):
        left = sorted(set(documents) - set(greedy))
        greedy.append(max(left, key=lambda document: value([*greedy, document])))
    best = max(map(value, itertools.combinations(documents, 2)))
    assert value(greedy) < (1 - 1 / math.e) * best
    benefit["common"] = 0.0
    assert max(map(value, itertools.combinations(documents, 2))) == value(["B", "C"]) == 6
