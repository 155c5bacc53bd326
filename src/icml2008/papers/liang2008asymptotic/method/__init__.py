"""Maximum composite likelihood in exponential families over finitely many outcomes."""
