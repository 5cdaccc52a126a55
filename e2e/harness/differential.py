"""Generates scenarios, runs kube-controller-manager in them, then our controllers, and reports where they differ. See
e2e/differential.sh.

Each scenario is recorded twice, and three times more if ours fails it. It counts only if the original ended the same all five
times, and ours differed twice.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

from random_scenario import RandomScenario, operations
from servers import E2E, remove

WORLD = os.path.join(E2E, "world", "world.sh")


def golden(path):
    return path[:-len(".json")] + ".golden.json"


def generate(seed, count, asked_for, directory):
    """Writes the scenarios, and returns their paths."""
    paths = []
    for number in range(count):
        paths.append(os.path.join(directory, "r%d-%02d.json" % (seed, number)))
        with open(paths[-1], "w", encoding="utf-8") as f:
            json.dump(RandomScenario("%d/%d" % (seed, number), asked_for).document(), f, indent=1)
            f.write("\n")
    return paths


def passed(action, paths, *options):
    """Runs the suite over these scenarios, and returns those that pass."""
    process = subprocess.Popen([WORLD, action, "--hashes", "ignore", *options, *paths], stdout=subprocess.PIPE, text=True)
    names = set()
    for line in process.stdout:
        print(line, end="", flush=True)
        if line.startswith("PASS "):
            names.add(line.split()[1])
    process.wait()
    return [path for path in paths if os.path.basename(path)[:-len(".json")] in names]


def states(path):
    with open(golden(path), encoding="utf-8") as f:
        return json.load(f)["states"]


def compare(paths, manager, jobs):
    """The scenarios that the original decides, and those of them in which ours differs."""
    def record(times, some):
        print("== %d scenarios, kube-controller-manager, %d times" % (len(some), times), flush=True)
        return passed("record", some, "--times", str(times), "-j", jobs)

    def differing(some):
        print("== %d scenarios, ours" % len(some), flush=True)
        same = passed("run", some, "--manager", manager, "-j", jobs)
        return [path for path in some if path not in same]

    decided = record(2, paths)
    doubtful = differing(decided) if decided else []
    if not doubtful:
        return decided, []
    before = {path: states(path) for path in doubtful}
    again = [path for path in record(3, doubtful) if states(path) == before[path]]
    undecided = set(doubtful) - set(again)
    return [path for path in decided if path not in undecided], differing(again) if again else []


def main():
    parser = argparse.ArgumentParser(prog="e2e/differential.sh", description=__doc__)
    parser.add_argument("--count", type=int, default=24, help="how many scenarios; default 24, which take some twenty minutes")
    parser.add_argument("--seed", type=int, help="generates the same scenarios again; default: others each time")
    parser.add_argument("--with", dest="asked_for", nargs="+", default=[], choices=operations(), metavar="OPERATION",
                        help="each scenario has one of these: " + ", ".join(operations()))
    parser.add_argument("--manager", metavar="CMD", help="our side, as for world.sh", default="kubeloop")
    parser.add_argument("-j", "--jobs", default="4", help="scenarios side by side; default 4")
    parser.add_argument("--out", metavar="DIR", default="differential",
                        help="takes the scenarios in which ours differs, with the recordings; default ./differential")
    options = parser.parse_args()
    # So that servers and controllers are stopped then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    seed = random.randrange(1000000) if options.seed is None else options.seed
    print("seed %d" % seed, flush=True)
    directory = tempfile.mkdtemp(prefix="kubeloop-differential-")
    try:
        paths = generate(seed, options.count, options.asked_for, directory)
        decided, different = compare(paths, options.manager, options.jobs)
        for path in different:
            os.makedirs(options.out, exist_ok=True)
            shutil.copy(path, options.out)
            shutil.copy(golden(path), options.out)
            print("differs: %s" % os.path.join(options.out, os.path.basename(path)))
        print("seed %d: %d generated, %d decided by the original, %d the same with ours, %d different" % (
            seed, len(paths), len(decided), len(decided) - len(different), len(different)))
    finally:
        remove(directory)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
