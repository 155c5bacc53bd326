"""Learning Diverse Rankings with Multi-Armed Bandits (Radlinski et al., ICML 2008)."""
