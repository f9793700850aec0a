"""`python -m te_forge` is `te-forge`."""

from te_forge.cli import main

if __name__ == "__main__":
    main()
