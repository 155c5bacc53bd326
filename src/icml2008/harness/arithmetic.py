"""The arithmetic of trials: which kernels and instructions their last digits come from.

OpenBLAS, NumPy and numba pick code by the instructions that a processor has, and other code rounds
otherwise. Trials therefore run under one baseline. The other arithmetics emulate other processors
on this one, so that a run can show which numbers turn on them.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from icml2008.errors import Icml2008Error, nearest

BASELINE = "baseline"
NATIVE = "native"
VARIABLE = "ICML2008_ARITHMETIC"

# What a caller has set of these could change digits; the folder of kept kernels cannot.
_OTHERS = ("NPY_", "NUMBA_", "OPENBLAS_")
_HARMLESS = ("NUMBA_CACHE_DIR",)
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# The C library looks at this once, when a process starts.
_AT_START = "GLIBC_TUNABLES"


class UnknownArithmetic(Icml2008Error):
    """An arithmetic that there is not, or that this machine cannot run."""


@dataclass(frozen=True)
class Arithmetic:
    """Which code computes.

    Attributes
    ----------
    says : str
        What it stands for.
    needs : str
        Instructions that the processor must have, as Linux names them.
    openblas, numba : str or None
        Names of the processor that OpenBLAS and numba compute for.
    numpy : str
        Groups of instructions that NumPy does without.
    libm : str
        Instructions that the C library does without.
    """

    says: str
    needs: str = ""
    openblas: str | None = None
    numpy: str = ""
    numba: str | None = None
    libm: str = ""

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables that bring it about."""
        given = {
            "OPENBLAS_CORETYPE": self.openblas,
            "NPY_DISABLE_CPU_FEATURES": self.numpy or None,
            "NUMBA_CPU_NAME": self.numba,
            "NUMBA_CPU_FEATURES": "" if self.numba else None,
            _AT_START: f"glibc.cpu.hwcaps={self.libm}" if self.libm else None,
        }
        return {name: value for name, value in given.items() if value is not None}


_V3 = "avx avx2 fma f16c bmi1 bmi2 abm movbe"
_ABOVE_V3 = "X86_V4 AVX512_ICL AVX512_SPR"
_ABOVE_V2 = f"X86_V3 {_ABOVE_V3}"
_OLD = {"numpy": _ABOVE_V2, "libm": "-AVX2,-FMA"}
_HASWELL = {"needs": _V3, "openblas": "Haswell"}

ARITHMETICS: Mapping[str, Arithmetic] = {
    BASELINE: Arithmetic(
        "x86-64-v3 (AVX2, FMA): that of the reference",
        **_HASWELL, numpy=_ABOVE_V3, numba="x86-64-v3",
    ),
    NATIVE: Arithmetic("whatever this processor has"),
    "skylakex": Arithmetic(
        "AVX-512",
        f"{_V3} avx512f avx512cd avx512bw avx512dq avx512vl",
        openblas="SkylakeX", numba="skylake-avx512",
    ),
    "zen": Arithmetic(
        "the baseline, but OpenBLAS in blocks for Zen",
        _V3, openblas="Zen", numpy=_ABOVE_V3, numba="x86-64-v3",
    ),
    "sandybridge": Arithmetic(
        "AVX without FMA", "avx", openblas="Sandybridge", numba="sandybridge", **_OLD
    ),
    "nehalem": Arithmetic("SSE4.2", "sse4_2", openblas="Nehalem", numba="nehalem", **_OLD),
    "prescott": Arithmetic("SSE3", "pni", openblas="Prescott", numba="x86-64", **_OLD),
    "numpy-v2": Arithmetic(
        "the baseline, but NumPy without AVX2", **_HASWELL, numpy=_ABOVE_V2, numba="x86-64-v3"
    ),
    "numba-v1": Arithmetic(
        "the baseline, but numba without AVX and FMA", **_HASWELL, numpy=_ABOVE_V3, numba="x86-64"
    ),
}  # fmt: skip


def find(name: str) -> Arithmetic:
    """Return an arithmetic by its name.

    Raises
    ------
    UnknownArithmetic
        If there is none of that name.
    """
    if name not in ARITHMETICS:
        msg = f"arithmetic: nothing is called {name!r}{nearest(name, ARITHMETICS)}"
        raise UnknownArithmetic(msg)
    return ARITHMETICS[name]


@cache
def _instructions() -> frozenset[str]:
    """Return the instructions of this x86-64 processor under Linux; elsewhere none are known."""
    cpuinfo = Path("/proc/cpuinfo")
    if platform.machine() != "x86_64" or not cpuinfo.is_file():
        return frozenset()
    flags = [line for line in cpuinfo.read_text().splitlines() if line.startswith("flags")]
    return frozenset(flags[0].partition(":")[2].split()) if flags else frozenset()


def lacking(name: str) -> str:
    """Return which instructions this machine lacks for an arithmetic, or nothing if it can run it.

    Examples
    --------
    >>> lacking("native")
    ''
    """
    return " ".join(word for word in find(name).needs.split() if word not in _instructions())


def use(name: str = "") -> None:
    """Compute by an arithmetic from here on; to be called before NumPy is loaded.

    What the caller has set for OpenBLAS, NumPy and numba is taken back. A machine that cannot run
    the baseline computes as it does. If the C library must be told, the program starts again.

    Parameters
    ----------
    name : str
        By default what ``ICML2008_ARITHMETIC`` says, or the baseline.

    Raises
    ------
    UnknownArithmetic
        If there is none of that name, or this machine cannot run it.
    """
    name = name or os.environ.get(VARIABLE) or BASELINE
    lacks = lacking(name)
    if lacks and name != BASELINE:
        msg = f"arithmetic: this machine cannot run {name}, it lacks {lacks}"
        raise UnknownArithmetic(msg)
    variables = {} if lacks else find(name).variables
    for other in [key for key in os.environ if key.startswith(_OTHERS) and key not in _HARMLESS]:
        del os.environ[other]
    again = variables.get(_AT_START, os.environ.get(_AT_START)) != os.environ.get(_AT_START)
    os.environ.update(variables | _ONE_THREAD | {VARIABLE: name})
    if again:
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, sys.orig_argv)


def active() -> dict[str, list[str]]:
    """Return what computes in this process, as it is found and not as it was asked for.

    Returns
    -------
    dict of str to list of str
        ``blas``, library, version and kernel of each BLAS; ``numpy``, the groups of instructions
        that NumPy uses; ``numba``, the processor that numba compiles for; ``libm``. What is not
        loaded is left out.
    """
    parts = {"libm": [" ".join(platform.libc_ver())]}
    if "numpy" in sys.modules:
        from numpy._core import _multiarray_umath as numpy
        from threadpoolctl import threadpool_info

        groups = [name for name in numpy.__cpu_dispatch__ if numpy.__cpu_features__[name]]
        parts["numpy"] = [" ".join([*numpy.__cpu_baseline__, *groups])]
        parts["blas"] = sorted(
            f"{pool['internal_api']} {pool['version']} {pool.get('architecture', '')}".strip()
            for pool in threadpool_info()
            if pool["user_api"] == "blas"
        )
    if "numba" in sys.modules:
        import llvmlite.binding as llvm
        from numba import config

        parts["numba"] = [config.CPU_NAME or llvm.get_host_cpu_name()]
    return parts


def joined(parts_of_each: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    """Return what computed in any of several processes."""
    every: dict[str, set[str]] = {}
    for arithmetic in parts_of_each:
        for part, names in arithmetic.items():
            every.setdefault(part, set()).update(names)
    return {part: sorted(names) for part, names in sorted(every.items())}


def in_words(parts: Mapping[str, Sequence[str]]) -> str:
    """Return an arithmetic that was found, in one line."""
    return "; ".join(f"{part} {', '.join(names)}" for part, names in sorted(parts.items()))
