"""Ranking of bags of items: MIRank, and what it is compared with."""
