"""How much of the catalogue is re-run: papers and claims by topic and state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from icml2008.catalogue import library
from icml2008.judge.claims import Claim

ALL = "all"
BESIDE = "beside the proceedings"


def coverage(keys: Sequence[str] | None = None) -> list[dict[str, str | int]]:
    """Count papers by state, and their own claims that are judged or wait for it, for each topic.

    Parameters
    ----------
    keys : list of str, optional
        Papers; all of the catalogue if left out.

    Returns
    -------
    list of dict
        ``topic``, ``papers``, one count for each state, ``claims``, ``judged`` (they have a
        statistic and a comparison), ``untested`` (for a reason) and ``listed``; and apart from
        these ``ours``, ``stand-in`` and, if there are any, ``disputed``. A claim that repeats
        another is not counted. Sorted by topic, then the sum, then what is no paper of the
        proceedings.
    """
    rows: dict[str, Counter[str]] = {}
    for key in library.paper_keys() if keys is None else keys:
        paper = library.load_paper(key)
        counts = Counter({"papers": 1, library.state(key): 1})
        for claim in paper.claims.values():
            counts.update(() if claim.same_as or claim.part_of else _columns(claim))
        topics = (paper.topic, ALL) if paper.proceedings else (BESIDE,)
        for topic in topics:
            rows.setdefault(topic, Counter()).update(counts)
    states = library.STATES
    columns = ["papers", *states, "claims", "judged", "untested", "listed", "ours", "stand-in"]
    columns += ["disputed"] if any(row["disputed"] for row in rows.values()) else []
    last = (ALL, BESIDE)
    return [
        {"topic": topic, **{column: rows[topic][column] for column in columns}}
        for topic in [*sorted(rows.keys() - set(last)), *(name for name in last if name in rows)]
    ]


def _columns(claim: Claim) -> tuple[str, ...]:
    if claim.disputed:
        return ("disputed",)
    if claim.status in ("ours", "stand_in"):
        return (claim.status.replace("_", "-"),)
    return "claims", "judged" if claim.statistic else "untested" if claim.untested else "listed"


def to_markdown(rows: Sequence[dict[str, str | int]]) -> str:
    """Return a table in Markdown, zeros left out.

    Examples
    --------
    >>> print(to_markdown([{"topic": "svm", "papers": 2, "theory": 0}]), end="")
    | topic | papers | theory |
    | :--- | ---: | ---: |
    | svm | 2 |  |
    """
    columns = list(rows[0])
    lines = [columns, [":---"] + ["---:"] * (len(columns) - 1)]
    lines += [[str(row[column] or "") for column in columns] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
