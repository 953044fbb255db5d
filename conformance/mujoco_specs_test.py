"""Runs MuJoCo's own `specs_test.py`, where the `mujoco` package has it, on Condyle under the name `mujoco`.

    python conformance/mujoco_specs_test.py [name of a test ...]
"""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest


def load():
    """MuJoCo's test module with Condyle in the place of MuJoCo."""
    found = importlib.machinery.PathFinder.find_spec("mujoco")
    if found is None or not found.origin:
        raise SystemExit("the mujoco package is not installed")
    folder = pathlib.Path(found.origin).parent
    import condyle
    from etils import epath

    condyle.install()
    # The files the tests read are those of the package.
    epath.resource_path = lambda package: epath.Path(folder)
    place = importlib.util.spec_from_file_location("specs_test", folder / "specs_test.py")
    module = importlib.util.module_from_spec(place)
    sys.modules["specs_test"] = module
    place.loader.exec_module(module)
    return module


def main() -> int:
    module = load()
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromModule(module)
    if sys.argv[1:]:
        suite = unittest.TestSuite(module.SpecsTest(name) for name in sys.argv[1:])
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len({str(test).split(" [")[0] for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} of {result.testsRun} tests pass")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
