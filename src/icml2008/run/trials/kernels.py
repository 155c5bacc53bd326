"""Where numba keeps compiled kernels, so that papers which share a module compile it once."""

from __future__ import annotations

from functools import cache

from numba.core.caching import UserProvidedCacheLocator

from icml2008.harness.code import code_hash, source

_code = cache(lambda module: code_hash([module]))


class ByCode(UserProvidedCacheLocator):
    """Keeps a kernel until its module's code changes, or that of a module which it reaches.

    Numba itself looks at the file of a kernel alone, and misses edits of a kernel that another
    module compiles into its own.
    """

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self._module = py_func.__module__

    def get_source_stamp(self):
        """Return what compiled code must have been made from."""
        return _code(self._module) if source(self._module) else super().get_source_stamp()
