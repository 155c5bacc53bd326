"""What learning from Gibbs chains takes besides matrix products, each in one pass."""

from __future__ import annotations

import numba
import numpy as np

from icml2008.methods.nets.arithmetic import Uniform

compiled = numba.njit(cache=True, nogil=True, error_model="numpy")

f4 = np.float32
i4 = np.int32
FARTHEST = f4(40)  # from where on a state is certain but for more digits than are drawn
ROUND = f4(3 << 22)  # a number of this size has no digits after the point
LOG2_E = f4(1.442695)
LN_2 = f4(0.693359375)
LN_2_REST = f4(-2.1219444e-4)
WORDS = f4(1 << 16)


@numba.njit(inline="always")
def _exp_minus(x):  # pragma: no cover - compiled
    """Return exp(-x) in float32: a power of two, and a series in what is left."""
    x = min(max(x, -FARTHEST), FARTHEST)
    shifted = f4(x * -LOG2_E + ROUND)
    power = shifted - ROUND
    left = -x - power * LN_2 - power * LN_2_REST
    series = left * f4(1 / 720) + f4(1 / 120)
    series = series * left + f4(1 / 24)
    series = series * left + f4(1 / 6)
    series = series * left + f4(1 / 2)
    series = f4(series * left * left + left + f4(1))
    # the power is in the low bits of `shifted`; it is added to the exponent
    return i4(series.view(i4) + i4(shifted.view(i4) << i4(23))).view(f4)


@compiled
def _draw(units, bias, words, rest):  # pragma: no cover - compiled
    """Turn inputs into whether (word + a rest) / 2^16 < 1 / (1 + exp(-input - bias)).

    The rest is looked at where it matters.
    """
    used = 0
    for r in range(len(units)):
        row = units[r]
        word = words[r]
        undecided = i4(0)
        for i in range(len(bias)):
            scale = f4(1) + _exp_minus(f4(row[i] + bias[i]))
            above = WORDS - f4(word[i]) * scale
            open_ = above * (scale - above) > f4(0)
            undecided = i4(undecided | i4(open_))
            row[i] = above / scale if open_ else f4(above > f4(0))
        if undecided:
            for i in range(len(bias)):
                if 0 < row[i] < 1:
                    row[i] = rest[used % len(rest)] < row[i]
                    used += 1


class Units(Uniform):
    """Draws of binary units from their inputs besides those from probabilities."""

    def states(self, inputs: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """Turn inputs, (n_rows, n_units), into ones with probability sigm(inputs + bias), in place.

        Rows lie together. A probability is known to a relative 1e-6, in float64 as in float32.
        """
        words = self._rng.bit_generator.random_raw(-(-inputs.size // 4)).view(np.uint16)
        rest = self._rng.random(32 + inputs.size // 4096, np.float32)  # one in 65,536 needs one
        _draw(inputs, bias, words[: inputs.size].reshape(inputs.shape), rest)
        return inputs


@compiled
def are_probabilities(values) -> bool:  # pragma: no cover - compiled
    """Tell whether all values, (n,), are numbers from 0 to 1."""
    valid = True
    for i in range(len(values)):
        valid &= (values[i] >= 0) & (values[i] <= 1)
    return valid


@compiled
def climb(W, gradient, scale, shrink):  # pragma: no cover - compiled
    """Set W to ``(1 - shrink) W + scale gradient``."""
    for r in range(len(W)):
        row = W[r]
        by = gradient[r]
        for i in range(len(row)):
            row[i] = (1 - shrink) * row[i] + scale * by[i]


@compiled
def climb_on(W, velocity, gradient, scale, shrink, momentum):  # pragma: no cover - compiled
    """Move W by its velocity, of which a part is kept: a step with momentum."""
    for r in range(len(W)):
        row = W[r]
        speed = velocity[r]
        by = gradient[r]
        for i in range(len(row)):
            speed[i] = momentum * speed[i] + scale * by[i] - shrink * row[i]
            row[i] += speed[i]
