"""The committed reference: how it comes about, is judged, proven, and compared with a run."""
