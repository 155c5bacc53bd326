"""How much of the catalogue is re-run: papers and claims by topic and state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from icml2008.papers import library

STATES = ("re-run", "planned", "private data", "hardware or people", "theory")


def coverage(keys: Sequence[str] | None = None) -> list[dict[str, str | int]]:
    """Count papers by state, and claims that have a judgement or wait for one, for each topic.

    Parameters
    ----------
    keys : list of str, optional
        Papers; all of the catalogue if left out.

    Returns
    -------
    list of dict
        ``topic``, ``papers``, one count for each state, ``claims``, ``judged`` (they have a
        statistic and a comparison), ``untested`` (for a reason) and ``listed``; sorted by topic,
        the sum last.
    """
    rows: dict[str, Counter[str]] = {}
    for key in library.paper_keys() if keys is None else keys:
        paper = library.load_paper(key)
        counts = {"papers": 1, library.state(key): 1, "claims": len(paper.claims)}
        for claim in paper.claims.values():
            state = "judged" if claim.statistic else "untested" if claim.untested else "listed"
            counts[state] = counts.get(state, 0) + 1
        for topic in (paper.topic, ""):
            rows.setdefault(topic, Counter()).update(counts)
    columns = ("papers", *STATES, "claims", "judged", "untested", "listed")
    return [
        {"topic": topic or "all", **{column: rows[topic][column] for column in columns}}
        for topic in sorted(rows, key=lambda topic: (topic == "", topic))
    ]


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
