"""Planning with several criteria: the optimal policies of all linear preferences at once."""
