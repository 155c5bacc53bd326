"""Multiple Instance Ranking (Bergeron, Zaretzki, Breneman, Bennett; ICML 2008)."""
