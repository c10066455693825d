"""Where the program helve is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from typing import Iterator, Optional

from .errors import BinaryNotFound

_NAME = "helve.exe" if sys.platform == "win32" else "helve"


def find(explicit: Optional[str] = None) -> str:
    """Return the path of helve: the given one, $HELVE_BINARY, the one that the wheel
    installed, or one on the PATH.

    :raises BinaryNotFound: if there is none.
    """
    for given in (explicit, os.environ.get("HELVE_BINARY")):
        if given:
            found = shutil.which(given)
            if found is None:
                raise BinaryNotFound(
                    f"{given} is no program", code="not_configured", hint="name the path of helve, or leave it out"
                )
            return found
    for directory in _installed():
        path = os.path.join(directory, _NAME)
        if os.path.isfile(path):
            return path
    found = shutil.which(_NAME)
    if found is None:
        raise BinaryNotFound(
            "helve is not installed",
            code="not_configured",
            hint="pip install --force-reinstall helve-tools brings it; this platform may have no wheel",
        )
    return found


def _installed() -> Iterator[str]:
    """Yield the directories where an installer may have put the wheel's scripts."""
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", vars={"base": sys.base_prefix})
    user = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else os.name + "_user"
    if user in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=user)
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(above, "bin")  # pip install --target DIR
    # pip install --prefix DIR: DIR/lib/pythonX.Y/site-packages, or DIR/Lib/site-packages
    yield os.path.join(above, "..", "..", "..", "bin")
    yield os.path.join(above, "..", "..", "Scripts")
