"""``python -m helve_tools``: helve itself, for where the PATH does not have it."""

from __future__ import annotations

import os
import subprocess
import sys

from .binary import find


def main() -> int:
    command = [find(), *sys.argv[1:]]
    if sys.platform == "win32":  # where exec would return to the caller at once
        return subprocess.call(command)
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
