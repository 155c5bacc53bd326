"""The judge: from records and claims to verdicts.

It knows no method, no paper and no harness: records and claims go in, verdicts come out.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "claims": ("Claim", "Near", "Never", "Untested"),
    "choices": ("Robustness", "robustness", "turned"),
    "decide": ("RULEBOOK",),
    "evidence": ("ClaimError", "Evidence"),
    "models": ("Metric", "Resampling", "Statistic"),
    "printed": ("Printed", "PrintedError", "parse"),
    "rates": ("instances_for", "rate_bound"),
    "records": ("RecordError", "Records", "read_records"),
    "statistics": ("statistic",),
    "verdict": ("Verdict",),
    "verdicts": ("judge_claim", "rejudge"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
