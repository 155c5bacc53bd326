"""Random Classification Noise Defeats All Convex Potential Boosters (Long and Servedio)."""
