"""`python -m condyle`: the `condyle` command."""

import sys

from condyle import _condyle


def main():
    """Run the command with the arguments of this process and end with its exit code."""
    sys.exit(_condyle._command(["condyle", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
