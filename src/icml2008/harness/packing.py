"""Measurements that differ in their repeat alone, as one line: how a reference is packed."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from icml2008.harness.records import Line, canonical, order


def join(lines: Iterable[Line]) -> list[Line]:
    """Return lines of a record file with a line for all repeats of a measurement.

    Its kind is ``series``; it has `repeats` and `values` in place of `repeat` and `value`, and no
    `repeats` where these are 0, 1, ... A measurement of no number, or of one repeat, is left.
    """
    alike: dict[str, list[Line]] = {}
    for line in lines:
        joins = line["kind"] == "measurement" and line["value"] is not None
        shared = {**line, "repeat": None, "value": None} if joins else line
        alike.setdefault(canonical(shared), []).append(line)
    return [line for group in alike.values() for line in ([_series(group)] if group[1:] else group)]


def _series(measurements: list[Line]) -> Line:
    line = {**measurements[0], "kind": "series"}
    del line["repeat"], line["value"]
    repeats = [measurement["repeat"] for measurement in measurements]
    if repeats != list(range(len(repeats))):
        line["repeats"] = repeats
    return line | {"values": [measurement["value"] for measurement in measurements]}


def part(lines: Iterable[Line]) -> list[Line]:
    """Return the lines that were joined, in the order of a record file."""
    entries = []
    for line in lines:
        if line["kind"] != "series":
            entries.append((order(line), line))
            continue
        line = {**line, "kind": "measurement"}
        values = line.pop("values")
        cell, *_, method, metric, keep = order({**line, "repeat": 0})
        for repeat, value in zip(line.pop("repeats", range(len(values))), values, strict=True):
            key = (cell, repeat, method, metric, keep)
            entries.append((key, {**line, "repeat": repeat, "value": value}))
    return [line for _, line in sorted(entries, key=itemgetter(0))]
