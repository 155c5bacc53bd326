"""Worlds to plan, explore and learn in, as data, and agents that do so.

Worlds are small Markov decision processes of the literature. Each is a `World`: all its outcomes
are known, so that it can be planned in, and compiled code walks through it. What a world is like
stands in its docstring, with the source.
"""

from __future__ import annotations

from icml2008.methods.worlds.chains import boyan_chain, chain, loop, ring
from icml2008.methods.worlds.cited import river_swim, six_arms
from icml2008.methods.worlds.grids import flag_maze, grid_world, subgoal_maze
from icml2008.methods.worlds.soccer import soccer
from icml2008.methods.worlds.taxi import taxi
from icml2008.methods.worlds.world import Walk, World

__all__ = [
    "Walk",
    "World",
    "boyan_chain",
    "chain",
    "flag_maze",
    "grid_world",
    "loop",
    "ring",
    "river_swim",
    "six_arms",
    "soccer",
    "subgoal_maze",
    "taxi",
]
