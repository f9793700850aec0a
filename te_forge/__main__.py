"""`te-forge`, and `python -m te_forge`. Who stops it while it is still being loaded gets the word that everybody gets, and no stack trace."""

import gc
import os


def run() -> None:
    try:
        gc.disable()  # while modules are loaded there is nothing to collect
        from te_forge.cli import main

        gc.enable()
        main()
    except KeyboardInterrupt:
        os.write(2, b"stopped\n")
        os._exit(130)


if __name__ == "__main__":
    run()
