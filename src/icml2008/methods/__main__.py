"""``python -m icml2008.methods``: compile all kernels now, so that no first call waits for it."""

from icml2008.methods.first_calls import main

if __name__ == "__main__":
    main()
