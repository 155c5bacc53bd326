"""The audit of papers: their declarations, read and applied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from pydantic import ValidationError

from icml2008.audit.comparisons import Best, Rank, WinCount
from icml2008.audit.findings import CERTAINTIES, Declaration, Finding
from icml2008.audit.granularity import Grim
from icml2008.audit.numbers import AuditError
from icml2008.audit.spread import PValue, Range, Sign
from icml2008.audit.spreads_of_outcomes import Debit, Grimmer
from icml2008.audit.sums import Difference, Formula, Mean, Monotone, Ratio, Sum
from icml2008.catalogue.entry import Entry, all_entries
from icml2008.errors import nearest

_KINDS = (
    *(Grim, Grimmer, Debit, Range, PValue, Sign, Sum, Difference, Ratio, Mean, Formula),
    *(Monotone, Rank, WinCount, Best),
)

RULES: dict[str, type[Declaration]] = {
    get_args(kind.model_fields["rule"].annotation)[0]: kind for kind in _KINDS
}
"""The rules by their ids, which never change."""


def declarations(paper: Entry) -> dict[str, Declaration]:
    """Return the entries of a paper's ``audit`` by name.

    Raises
    ------
    AuditError
        If one is not what its rule takes; the message names paper, entry and key.
    """
    key = paper.key
    declared = {}
    for name, entry in paper.paper.audit.items():
        rule = entry.get("rule")
        if rule not in RULES:
            msg = f"{key}: audit.{name}: no rule {rule!r}{nearest(str(rule), RULES)}"
            raise AuditError(msg)
        try:
            declared[name] = RULES[rule].model_validate(entry)
        except ValidationError as error:
            where = "\n".join(
                f"{key}: audit.{name}.{'.'.join(map(str, item['loc']))}: "
                f"{item['msg'].removeprefix('Value error, ')}"
                for item in error.errors()
            )
            raise AuditError(where) from None
    return declared


def audit(papers: Iterable[Entry] | None = None) -> list[Finding]:
    """Check the printed numbers of papers.

    Parameters
    ----------
    papers : iterable of Entry, optional
        Papers; all of the catalogue if left out.

    Returns
    -------
    list of Finding
        The most certain first, then by paper.
    """
    findings = []
    for paper in all_entries() if papers is None else papers:
        for name, declared in declarations(paper).items():
            try:
                outcome = declared.weigh()
            except AuditError as error:
                msg = f"{paper.key}: audit.{name}: {error}"
                raise AuditError(msg) from None
            findings.append(
                Finding(
                    paper=paper.key,
                    name=name,
                    rule=declared.rule,
                    certainty=outcome.certainty,
                    where=declared.where,
                    evidence=outcome.evidence,
                    note=declared.note or "",
                )
            )
    return sorted(
        findings,
        key=lambda finding: (
            CERTAINTIES.index(finding.certainty),
            finding.paper,
            finding.name,
        ),
    )
