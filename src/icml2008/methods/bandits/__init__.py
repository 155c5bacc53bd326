"""Learning a diverse ranking from clicks, and the rankings that full knowledge gives."""
