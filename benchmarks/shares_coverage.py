"""How often do the intervals of the findings miss? Simulated proceedings of a known truth.

Each paper has a rate of its own at which its claims hold, drawn from a beta distribution about the
true share; `alike` is the correlation of two claims of one paper. The intervals of
`icml2008.report.shares` are taken of each draw, as the site takes them of the reference.

``python benchmarks/shares_coverage.py`` writes docs/shares-coverage.csv (a minute).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from icml2008.report.shares import Share, difference, limits

DRAWS = 10_000
FILE = Path(__file__).parents[1] / "docs" / "shares-coverage.csv"
# Decided claims by paper: as they were when this was written, and groups of few and small papers.
SIZES = {
    "17 papers, 1 to 14 claims": (10, 7, 10, 2, 1, 6, 13, 10, 5, 12, 11, 14, 13, 13, 7, 14, 12),
    "12 papers, 1 to 8 claims": (1, 2, 2, 4, 5, 8, 3, 1, 2, 1, 3, 6),
    "6 papers, 1 to 8 claims": (1, 2, 2, 4, 5, 8),
}
SHARES = (0.5, 0.8, 0.95)
ALIKE = (0.0, 0.1, 0.3)


def rates(rng: np.random.Generator, share: float, alike: float, shape: tuple[int, ...]):
    """Draw a rate for each paper."""
    if alike == 0:
        return np.full(shape, share)
    worth = (1 - alike) / alike
    return rng.beta(share * worth, (1 - share) * worth, size=shape)


def simulate(draws: int = DRAWS) -> Iterator[dict[str, Any]]:
    """Yield, for each situation, how often the truth lies below and above the interval."""
    rng = np.random.default_rng(2008)
    for papers, sizes in SIZES.items():
        for share in SHARES:
            for alike in ALIKE:
                rate = rates(rng, share, alike, (draws, len(sizes)))
                low, high = limits(rng.binomial(sizes, rate), sizes)
                yield {
                    "what": "share",
                    "papers": papers,
                    "share": share,
                    "alike": alike,
                    "truth below": (share < low).mean(),
                    "truth above": (share > high).mean(),
                    "width": (high - low).mean(),
                    "draws": draws,
                }
                yield _of_equal_groups(rng, papers, rate[: draws // 10]) | {
                    "share": share,
                    "alike": alike,
                }


def _of_equal_groups(rng: np.random.Generator, papers: str, rate: np.ndarray) -> dict[str, Any]:
    """Each paper has half of its claims, and one more, in either of two groups of one truth."""
    sizes = [1 + size // 2 for size in SIZES[papers]]

    def draw(row: np.ndarray) -> Share:
        held = rng.binomial(sizes, row).tolist()
        return Share(dict(enumerate(zip(held, sizes, strict=True))))

    ends = np.array([difference(draw(row), draw(row)) for row in rate])
    return {
        "what": "difference of two groups",
        "papers": papers,
        "truth below": (ends[:, 0] > 0).mean(),
        "truth above": (ends[:, 1] < 0).mean(),
        "width": np.ptp(ends, axis=1).mean(),
        "draws": len(rate),
    }


def main() -> int:
    """Write the table."""
    columns = ("what", "papers", "share", "alike", "truth below", "truth above", "width", "draws")
    with FILE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in simulate():
            writer.writerow({k: round(v, 4) if k[:5] in ("truth", "width") else v
                             for k, v in row.items()})  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
