"""Scoreboard: every model of every corpus, graded against the live reference.

    cargo xtask conformance [--only NAME] [--level LEVEL [--full]] [--update] [--corpus NAME]

`--level scene` compares abstract scenes (scenes.py) instead of the levels of the simulation (levels.py): of large models at as many states
as there is time for, with `--full` at ten states of every model.
Models run in worker processes with a time limit. The run fails when a model that conformance/expected.toml lists at a level no
longer passes it; `--update` writes the list anew from this run (a level that was lost is kept out and reported).
"""

import argparse
import collections
import inspect
import json
import multiprocessing
import os
import pathlib
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPECTED = ROOT / "conformance" / "expected.toml"
REPORT = ROOT / "conformance" / "report.json"
LIMIT = 120  # seconds a model may take
FULL_LIMIT = 3600


def corpora():
    """Name, root folder and XML files of every corpus that is present."""
    folders = {
        "models": ROOT / "models",
        "gymnasium": ROOT / "corpora" / "gymnasium" / "gymnasium" / "envs" / "mujoco" / "assets",
        "dm_control": ROOT / "corpora" / "dm_control" / "dm_control",
        "shared": ROOT.parent / "shared" / "models",
    }
    for name, folder in folders.items():
        if folder.is_dir():
            # Malformed files are judged by their diagnostics, extensions by their own tests: the reference rejects both.
            apart = {"malformed", "extensions"} if name == "models" else {"malformed"}
            files = sorted(path for path in folder.rglob("*.xml") if not apart & set(path.relative_to(folder).parts))
            yield name, folder, files


def grader(level):
    """The module that grades a level."""
    import levels
    import scenes

    return scenes if level in scenes.LEVELS else levels


def worker(connection, level, full):
    sys.path.insert(0, str(ROOT / "conformance"))
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    import mujoco
    import warnings

    module = grader(level)

    warnings.simplefilter("ignore")
    mujoco.set_mju_user_warning(lambda message: None)
    while True:
        task = connection.recv()
        if task is None:
            return
        try:
            connection.send(module.grade(task, **({"budget": FULL_LIMIT} if full else {})))
        except Exception as error:  # noqa: BLE001 - a failure of one model is a result
            connection.send({"levels": {}, "first": f"error: {type(error).__name__}: {error}", "failed": True})


class Worker:
    """One process that grades models one after another and is replaced when it dies or stalls."""

    def __init__(self, level, full):
        self.task, self.level, self.full = None, level, full
        self.start()

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.connection, child = context.Pipe()
        self.process = context.Process(target=worker, args=(child, self.level, self.full), daemon=True)
        self.process.start()
        child.close()

    def assign(self, task):
        self.task, self.since = task, time.monotonic()
        self.connection.send(str(task[2]))

    def poll(self):
        """The result of the present task, or None while it runs."""
        try:
            if self.connection.poll(0.01):
                return self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            code = self.process.exitcode
            self.start()
            return {"levels": {}, "first": f"the process died (exit {code})", "failed": True}
        limit = FULL_LIMIT if self.full else LIMIT
        if time.monotonic() - self.since > limit:
            self.process.kill()
            self.process.join()
            self.start()
            return {"levels": {}, "first": f"no result after {limit} s", "failed": True}
        return None


def run(tasks, jobs, level, full, show):
    results = {}
    pending = collections.deque(tasks)
    workers = [Worker(level, full) for _ in range(max(1, min(jobs, len(tasks))))]
    busy = set()
    while pending or busy:
        for index, item in enumerate(workers):
            if index not in busy:
                if pending:
                    item.assign(pending.popleft())
                    busy.add(index)
                continue
            result = item.poll()
            if result is not None:
                corpus, name, _ = item.task
                results[(corpus, name)] = result
                busy.discard(index)
                show(corpus, name, result, len(results), len(tasks))
    for item in workers:
        try:
            item.connection.send(None)
        except OSError:
            pass
        item.process.join(timeout=5)
    return results


def passed(result):
    return [level for level, ok in result["levels"].items() if ok]


def scoreboard(results, graded_levels):
    lines = []
    for corpus in dict.fromkeys(corpus for corpus, _ in results):
        rows = [result for (name, _), result in results.items() if name == corpus]
        counts = []
        for level in graded_levels:
            graded = [row for row in rows if level in row["levels"]]
            if graded:
                good = sum(row["levels"][level] for row in graded)
                counts.append(f"{level} {good}/{len(graded)} ({100 * good / len(graded):.1f}%)")
        lines.append(f"{corpus:12} {len(rows)} files; " + ", ".join(counts))
    return lines


def reached(results):
    """How many states and scenes were compared, where a level counts them, and the models with fewer than the others."""
    counted = {key: result for key, result in results.items() if result.get("visited")}
    if not counted:
        return []
    total = {name: sum(result[name] for result in counted.values()) for name in ("states", "requests", "picks")}
    most = max(result["visited"] for result in counted.values())
    lines = [f"{total['states']} states of {len(counted)} models, {total['requests']} scenes, {total['picks']} picks"]
    short = {key: result["visited"] for key, result in counted.items() if result["visited"] < most}
    left_out = {key: result["visited"] - result["states"] for key, result in counted.items() if result["states"] < result["visited"]}
    for reason, models in ((f"fewer than {most} states for lack of time", short), ("states left out, because simulations differ", left_out)):
        if models:
            lines.append(f"{reason}: {len(models)} models")
            lines += [f"  {corpus}/{name}: {count}" for (corpus, name), count in sorted(models.items())]
    return lines


def read_expected():
    return tomllib.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}


def write_expected(results, expected, graded_levels):
    for (corpus, name), result in results.items():
        kept = [level for level in expected.get(corpus, {}).get(name, []) if level not in graded_levels]
        expected.setdefault(corpus, {})[name] = passed(result) + kept
    lines = ["# Levels each model passes. Written by `cargo xtask conformance --update`; a run fails when one is lost.", ""]
    for corpus in sorted(expected):
        lines.append(f"[{corpus}]")
        for name in sorted(expected[corpus]):
            if expected[corpus][name]:
                lines.append(f"{json.dumps(name)} = {json.dumps(expected[corpus][name])}")
        lines.append("")
    EXPECTED.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="models whose path contains this")
    parser.add_argument("--corpus", help="one corpus")
    parser.add_argument("--level", help="list the models that fail this level")
    parser.add_argument("--full", action="store_true", help="with --level scene: ten states of every model, which takes many minutes")
    parser.add_argument("--update", action="store_true", help="write conformance/expected.toml from this run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--verbose", action="store_true", help="print every model")
    args = parser.parse_args()
    if args.full and "budget" not in inspect.signature(grader(args.level).grade).parameters:
        parser.error("--full goes with --level scene")

    tasks = []
    for corpus, folder, files in corpora():
        if args.corpus and corpus != args.corpus:
            continue
        for path in files:
            name = path.relative_to(folder).as_posix()
            if not args.only or args.only in name:
                tasks.append((corpus, name, path))

    def show(corpus, name, result, done, total):
        if args.verbose or args.only:
            print(f"[{done}/{total}] {corpus}/{name}: {' '.join(passed(result)) or '-'}  {result.get('first') or ''}")

    started = time.monotonic()
    graded_levels = grader(args.level).LEVELS
    results = run(tasks, args.jobs, args.level, args.full, show)
    results = {(corpus, name): results[(corpus, name)] for corpus, name, _ in tasks}
    expected = read_expected()
    lost = []
    for (corpus, name), result in results.items():
        for level in expected.get(corpus, {}).get(name, []):
            if level in graded_levels and not result["levels"].get(level):
                lost.append(f"{corpus}/{name} no longer passes {level}: {result.get('first')}")
    if args.level:
        for (corpus, name), result in results.items():
            if result["levels"].get(args.level) is False or result.get("failed"):
                print(f"{corpus}/{name}: {result.get('first')}")
    REPORT.write_text(json.dumps({f"{corpus}/{name}": result for (corpus, name), result in results.items()}, indent=1))
    firsts = collections.Counter(result.get("array") for result in results.values() if result.get("array"))
    if firsts:
        print("first differing arrays:", ", ".join(f"{array} {count}" for array, count in firsts.most_common(12)))
    for line in scoreboard(results, graded_levels):
        print(line)
    for line in reached(results):
        print(line)
    print(f"{len(results)} models in {time.monotonic() - started:.0f} s")
    if args.update:
        write_expected(results, expected, graded_levels)
    for line in lost:
        print("LOST", line)
    good = sum(1 for result in results.values() if not result.get("failed"))
    print(f"conformance: {good - len(lost)} passed, {len(results) - good + len(lost)} failed")
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
