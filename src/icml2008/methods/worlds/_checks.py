"""What the parameters of worlds have to be."""


def check_share(value, name):
    """Raise ValueError if a parameter is no share."""
    if not 0 <= value <= 1:
        msg = f"{name} is {value!r}; it needs to lie in [0, 1]"
        raise ValueError(msg)
