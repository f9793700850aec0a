"""Python's collector of circular garbage, kept still during work in bulk.

Reading a pack makes many objects and hardly any garbage, and none in circles. The collector cannot know: each time some number of objects is new, it
looks through them, and now and then through all that there are. In a large pack that is more than half of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """No collection in here. Where somebody has switched the collector off, it stays so."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()  # these two move all that is new to the oldest generation; else the very next collection would look through it
            gc.unfreeze()
        gc.enable()
