"""Hunt for differences from MuJoCo with random cases.

    python conformance/hunt [--minutes 1] [--seed 1] [--kind models|mutations|api|text|meshes|images|attach|saves|math|long] [--cases N]

Cases run in children with limits on time and memory, a batch at a time; a batch that ends early is run again case by case, so that a
crash or a hang is laid at the door of one case and of one engine. Differences are shrunk and counted by the first array that differs.
What docs/divergences.md lists is recognised and counted apart. The exit code is 1 when anything else was found.
"""

import argparse
import collections
import json
import pathlib
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
BATCH = {
    "models": 20, "mutations": 50, "api": 20, "text": 200, "meshes": 40, "images": 60, "attach": 20, "saves": 20, "math": 10, "long": 4,
}
KINDS = tuple(BATCH)
SECONDS_PER_BATCH = 180
MEMORY = 4 << 30


def child(kind, first, count, engine):
    """Run cases and print one line of JSON for each."""
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
    for seed in range(first, first + count):
        print(json.dumps({"start": seed}), flush=True)
        try:
            outcome, where, text = cases.run(kind, seed)
        except Exception as error:  # noqa: BLE001 a case must not end the batch
            outcome, where, text = "different", f"exception {type(error).__name__}: {error}"[:200], ""
        if outcome == "different" and kind in ("models", "mutations", "long") and text:
            text = shrink.shrink(text, where, seed, assets=generate.model_and_files(seed)[1])
        line = {"seed": seed, "outcome": outcome, "where": where}
        if outcome == "different":
            line["text"] = text
        print(json.dumps(line), flush=True)


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


def run_batch(kind, first, count, engine="both"):
    """Results of a batch, and the seed it ended at when it did not come to its end."""
    command = [sys.executable, str(HERE), "--child", kind, str(first), str(count), engine]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_PER_BATCH)
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as error:
        output, code = (error.stdout or b"").decode(errors="replace"), "time"
    results, started = [], None
    for line in output.splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue
        if "start" in item:
            started = item["start"]
        else:
            results.append(item)
            started = None
    return results, (started, code) if code != 0 else None


def main():
    if sys.argv[1:2] == ["--child"]:
        kind, first, count, engine = sys.argv[2:6]
        return child(kind, int(first), int(count), engine)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, action="append", help="may be given several times; all kinds without it")
    parser.add_argument("--cases", type=int, default=0, help="stop after this many cases instead")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    kinds = options.kind or list(KINDS)
    counts, found, listed = collections.Counter(), collections.defaultdict(list), collections.Counter()
    next_seed = {kind: options.seed * 1_000_000 for kind in kinds}
    turn = 0
    while (sum(counts.values()) < options.cases) if options.cases else (time.monotonic() < end):
        kind = kinds[turn % len(kinds)]
        turn += 1
        first, count = next_seed[kind], BATCH[kind]
        next_seed[kind] = first + count
        while count > 0:
            results, ended = run_batch(kind, first, count)
            for item in results:
                counts[kind, item["outcome"]] += 1
                if item["outcome"] == "different":
                    found[kind, item["where"].split(" ")[0]].append(item)
                if item["outcome"] == "listed":
                    listed[item["where"]] += 1
            if ended is None or ended[0] is None:
                break
            seed, code = ended
            _, alone = run_batch(kind, seed, 1, "ours")
            if alone is None:
                counts[kind, "MuJoCo ends the process"] += 1
            else:
                counts[kind, "different"] += 1
                found[kind, f"process ended with {code}"].append({"seed": seed, "where": str(code), "text": ""})
            count -= seed + 1 - first
            first = seed + 1
    report(kinds, counts, found, listed)
    return 1 if found else 0


def report(kinds, counts, found, listed):
    for kind in kinds:
        own = {outcome: number for (of, outcome), number in counts.items() if of == kind}
        print(f"{kind}: {sum(own.values())} cases, " + ", ".join(f"{number} {outcome}" for outcome, number in sorted(own.items())))
    for topic, number in sorted(listed.items()):
        print(f"listed: {topic}: {number}")
    for (kind, where), items in sorted(found.items()):
        shortest = min(items, key=lambda item: len(item["text"]) or 1 << 30)
        print(f"\nDIFFERENT {kind} {where}: {len(items)} cases, such as seed {shortest['seed']} ({shortest['where']})")
        print(shortest["text"][:2000])


if __name__ == "__main__":
    sys.exit(main())
