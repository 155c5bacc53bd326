"""Active learning of level sets: kriging models, scores for the next sample, and campaigns."""
