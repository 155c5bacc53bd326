"""The judge: from records and claims to verdicts.

It knows no method, no paper and no harness: records and claims go in, verdicts come out.
"""

from __future__ import annotations

from icml2008.lazy import names_of

_HOMES = {
    "Claim": "claims",
    "ClaimError": "grid",
    "Evidence": "evidence",
    "Metric": "measures",
    "Near": "printings",
    "Never": "printings",
    "Printed": "printed",
    "PrintedError": "printed",
    "RULEBOOK": "decide",
    "RecordError": "recorded",
    "Records": "recorded",
    "Resampling": "measures",
    "Robustness": "turning",
    "Statistic": "measures",
    "Untested": "remarks",
    "Verdict": "verdict",
    "instances_for": "rates",
    "judge_claim": "judgement",
    "parse": "printed",
    "rate_bound": "rates",
    "read_records": "recorded",
    "rejudge": "judgement",
    "robustness": "turning",
    "statistic": "formula",
    "turned": "turning",
}

__getattr__, __dir__, __all__ = names_of(
    __name__, {name: f"{__name__}.{module}" for name, module in _HOMES.items()}
)
