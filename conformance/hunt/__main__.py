"""Hunt for differences from MuJoCo with random cases.

    python conformance/hunt [--minutes 1] [--seed 1] [--kind models|mutations|api|text|meshes|images|attach|saves|math|long] [--cases N]

Cases run in a child with limits on time and memory; a case that ends it is run again in our engine alone, so that a crash or a hang is laid at
the door of one case and of one engine. Differences are shrunk and counted by the first array that differs.
What docs/divergences.md lists is recognised and counted apart. The exit code is 1 when anything else was found.
"""

import argparse
import collections
import json
import os
import pathlib
import resource
import select
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
BATCH = {
    "models": 20, "mutations": 50, "api": 20, "text": 200, "meshes": 40, "images": 60, "attach": 20, "saves": 20, "math": 10, "long": 4,
}
KINDS = tuple(BATCH)
SECONDS_PER_CASE = 90
# A child is replaced now and then, so that what one case leaves behind cannot grow.
CASES_PER_CHILD = 2000
MEMORY = 4 << 30


def child(engine):
    """Run the batches that come line by line and print one line of JSON for each case."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import cases
    import generate
    import mujoco
    import shrink

    mujoco.set_mju_user_warning(lambda _: None)
    # With its cache on, what the reference reads of a file depends on what it has read before.
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    if engine == "ours":
        import judge

        judge.load = lambda xml, assets=None, load=judge.load: (None, judge_ours(xml, assets))
    for line in sys.stdin:
        kind, first, count = json.loads(line)
        for seed in range(first, first + count):
            began, before = time.monotonic(), cases.taken[0]
            try:
                outcome, where, text = cases.run(kind, seed)
            except Exception as error:  # noqa: BLE001 a case must not end the batch
                outcome, where, text = "different", f"exception {type(error).__name__}: {error}"[:200], ""
            if outcome == "different" and kind in ("models", "mutations", "long") and text:
                text = shrink.shrink(text, where, seed, assets=generate.model_and_files(seed)[1])
            item = {"seed": seed, "outcome": outcome, "where": where, "seconds": time.monotonic() - began, "steps": cases.taken[0] - before}
            if outcome == "different":
                item["text"] = text
            print(json.dumps(item), flush=True)


def judge_ours(xml, assets):
    """Load and run a case in our engine alone, to learn whose crash it is."""
    import condyle

    try:
        model = condyle.MjModel.from_xml_string(xml, assets, reference_bugs=True)
    except ValueError:
        return None
    data = condyle.MjData(model)
    for _ in range(40):
        condyle.mj_step(model, data)
    return None


class Child:
    """A process that runs cases until it has run enough of them or a case ends it."""

    def __init__(self, engine="both"):
        command = [sys.executable, str(HERE), "--child", engine]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.pending, self.served = b"", 0

    def run(self, kind, first, count):
        """Results of a batch; and, when it did not come to its end, the exit code or why the child was stopped."""
        self.served += count
        results = []
        try:
            self.process.stdin.write(json.dumps([kind, first, count]).encode() + b"\n")
            self.process.stdin.flush()
            while len(results) < count:
                line = self._line()
                if line is None:
                    return results, "time"
                item = json.loads(line)
                results.append(item)
        except (BrokenPipeError, EOFError):
            return results, self.process.wait()
        return results, None

    def _line(self):
        """The next line that holds a result, or None when a case takes too long; MuJoCo may print lines of its own."""
        end = time.monotonic() + SECONDS_PER_CASE
        while True:
            line, found, rest = self.pending.partition(b"\n")
            if found:
                self.pending = rest
                if line.startswith(b'{"seed"'):
                    return line
                continue
            if not select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise EOFError
            self.pending += more

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Tally:
    """What was found so far."""

    def __init__(self):
        self.counts, self.listed, self.seconds = collections.Counter(), collections.Counter(), collections.Counter()
        self.steps = collections.Counter()
        self.found = collections.defaultdict(list)

    def add(self, kind, item):
        self.counts[kind, item["outcome"]] += 1
        self.seconds[kind] += item.get("seconds", 0.0)
        self.steps[kind] += item.get("steps", 0)
        if item["outcome"] == "different":
            self.found[kind, item["where"].split(" ")[0]].append(item)
        if item["outcome"] == "listed":
            self.listed[item["where"]] += 1

    def cases(self, kind):
        return sum(number for (of, _), number in self.counts.items() if of == kind)


def run_batch(worker, kind, first, count, tally):
    """Run a batch whatever happens to the child; the child to go on with."""
    while count > 0:
        if worker.served >= CASES_PER_CHILD:
            worker.close()
            worker = Child()
        results, code = worker.run(kind, first, count)
        for item in results:
            tally.add(kind, item)
        if code is None:
            return worker
        worker.close()
        worker = Child()
        seed = first + len(results)
        alone = Child("ours")
        _, own_code = alone.run(kind, seed, 1)
        alone.close()
        if own_code is None:
            tally.add(kind, {"outcome": "MuJoCo ends the process", "where": str(code)})
        else:
            tally.add(kind, {"outcome": "different", "seed": seed, "where": f"process ended with {code}", "text": ""})
        first, count = seed + 1, count - len(results) - 1
    return worker


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, action="append", help="may be given several times; all kinds without it")
    parser.add_argument("--cases", type=int, default=0, help="stop after this many cases instead")
    parser.add_argument("--progress", action="store_true", help="print differences as they are found, and counts every minute")
    options = parser.parse_args()
    began = time.monotonic()
    kinds = options.kind or list(KINDS)
    tally, turn, told = Tally(), 0, began
    next_seed = {kind: options.seed * 1_000_000 for kind in kinds}
    worker = Child()
    while sum(tally.counts.values()) < options.cases if options.cases else time.monotonic() < began + 60 * options.minutes:
        kind = kinds[turn % len(kinds)]
        turn += 1
        before = sum(len(items) for items in tally.found.values())
        worker = run_batch(worker, kind, next_seed[kind], BATCH[kind], tally)
        next_seed[kind] += BATCH[kind]
        if options.progress:
            new = sum(len(items) for items in tally.found.values()) - before
            for item in [item for (of, _), items in tally.found.items() if of == kind for item in items][-new:] if new else []:
                print(f"{kind} {item['seed']}: {item['where']}", flush=True)
            if time.monotonic() > told + 60:
                told = time.monotonic()
                print(f"{(told - began) / 60:.0f} min: {sum(tally.counts.values())} cases", flush=True)
    worker.close()
    report(kinds, tally)
    return 1 if tally.found else 0


def report(kinds, tally):
    for kind in kinds:
        own = {outcome: number for (of, outcome), number in tally.counts.items() if of == kind}
        parts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(own.items()))
        print(f"{kind}: {tally.cases(kind)} cases, {tally.steps[kind]} steps in {tally.seconds[kind]:.0f} s, {parts}")
    for topic, number in sorted(tally.listed.items()):
        print(f"listed: {topic}: {number}")
    for (kind, where), items in sorted(tally.found.items()):
        shortest = min(items, key=lambda item: len(item["text"]) or 1 << 30)
        seeds = " ".join(str(item["seed"]) for item in items[:20])
        print(f"\nDIFFERENT {kind} {where}: {len(items)} cases (seeds {seeds}), such as {shortest['seed']}: {shortest['where']}")
        print(shortest["text"][:2000])


if __name__ == "__main__":
    sys.exit(main())
