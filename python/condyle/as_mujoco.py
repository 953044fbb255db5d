"""Run a program written for MuJoCo on Condyle: ``python -m condyle.as_mujoco script.py arguments``, or ``-m module``, or ``-c code``."""

import os
import runpy
import sys
from typing import List, Optional

from condyle.stand_in import VARIABLE, install

_USAGE = "usage: python -m condyle.as_mujoco (script.py | -m module | -c code) [arguments]"


def main(arguments: Optional[List[str]] = None) -> None:
    """Install the stand-in, here and in processes this one starts, and run the program as Python would."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        raise SystemExit(0 if arguments else 2)
    install()
    # Now, because programs such as pytest put finders of their own in front.
    import mujoco  # noqa: F401

    os.environ[VARIABLE] = "1"
    if arguments[0] in ("-m", "-c"):
        if len(arguments) < 2:
            raise SystemExit(_USAGE)
        flag, program, rest = arguments[0], arguments[1], arguments[2:]
        sys.path[0] = ""
        if flag == "-m":
            sys.argv = [program, *rest]
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            sys.argv = ["-c", *rest]
            exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})
        return
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
