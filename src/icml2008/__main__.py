"""``icml2008`` and ``python -m icml2008``: the command line, if what it needs is installed."""

import sys


def main() -> None:
    """Run the command line; what is not installed is one message."""
    try:
        from icml2008.cli import main as run

        run()
    except ModuleNotFoundError as error:
        if "--debug" in sys.argv or (error.name or "icml2008").startswith("icml2008"):
            raise
        sys.exit(f"icml2008's commands need {error.name}; install: pip install 'icml2008[run]'")


if __name__ == "__main__":
    main()
