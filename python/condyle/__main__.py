"""`python -m condyle`: the `condyle` command."""

import signal
import sys

from condyle import _condyle


def main():
    """Run the command with the arguments of this process and end with its exit code."""
    # The command ends by itself after Ctrl-C; Python would add a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_condyle._command(["condyle", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
