"""A plugin of pytest: which functions of the package a file of tests runs, and how long it takes.

``REACH=FILE pytest -p reach ...`` writes a JSON object there: by file of tests its ``seconds``,
set-up included, and ``runs``, the functions by their file and first line.
"""

import json
import os
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

import pytest

_ROOT = Path.cwd()
_PACKAGE = str(_ROOT / "src" / "icml2008") + os.sep


class Reach:
    """Notes the functions that are entered while a test runs."""

    def __init__(self):
        self.codes = defaultdict(set)
        self.seconds = defaultdict(float)
        self.entered = set()

    def enter(self, frame, event, argument):
        """Note a function; its lines are not followed."""
        self.entered.add(frame.f_code)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.entered = self.codes[item.path]
        begin = time.monotonic()
        threading.settrace(self.enter)
        sys.settrace(self.enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.seconds[item.path] += time.monotonic() - begin

    def pytest_sessionfinish(self):
        content = {
            path.relative_to(_ROOT).as_posix(): {
                "seconds": round(self.seconds[path], 2),
                "runs": sorted(map(_place, filter(_is_ours, codes))),
            }
            for path, codes in self.codes.items()
        }
        Path(os.environ["REACH"]).write_text(json.dumps(content), "utf-8")


def _is_ours(code):
    return code.co_filename.startswith(_PACKAGE)


def _place(code):
    return Path(code.co_filename).relative_to(_ROOT).as_posix(), code.co_firstlineno


def pytest_configure(config):
    """Take part unless nothing is to be written."""
    if "REACH" in os.environ:
        config.pluginmanager.register(Reach())
