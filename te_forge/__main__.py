"""`te-forge`, and `python -m te_forge`. Who stops it while it is still being loaded gets the word that everybody gets, and no stack trace."""

import os


def run() -> None:
    try:
        from te_forge.cli import main

        main()
    except KeyboardInterrupt:
        os.write(2, b"stopped\n")
        os._exit(130)


if __name__ == "__main__":
    run()
