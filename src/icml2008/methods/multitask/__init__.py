"""Many classification tasks at once: distribution matching, and what it is compared with."""
