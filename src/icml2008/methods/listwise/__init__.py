"""Learning to rank from whole lists: ListMLE, ListNet and RankCosine, and their losses."""
