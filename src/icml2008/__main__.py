"""``python -m icml2008``: the command line."""

from icml2008.cli import main

if __name__ == "__main__":
    main()
