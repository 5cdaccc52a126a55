"""Makes up scenarios, has kube-controller-manager go through them, then our controllers, and says where they differ. See
e2e/differential.sh.

What the original does now one way, now another is not asked of ours: each scenario is recorded twice, and three times more if
ours fails it; it counts only if the original ended the same all five times, and ours differed twice.
"""
import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile

from parity import OURS, Scenario, Suite
from random_scenario import RandomScenario, operations
from servers import ORIGINAL, kube_current, remove


def make_up(seed, count, asked_for, current, directory):
    """Writes the scenarios, and returns them."""
    scenarios = []
    for number in range(count):
        path = os.path.join(directory, "r%d-%02d.json" % (seed, number))
        with open(path, "w", encoding="utf-8") as f:
            json.dump(RandomScenario("%d/%d" % (seed, number), asked_for, current).document(), f, indent=1)
            f.write("\n")
        scenarios.append(Scenario(path))
    return scenarios


class Sides:
    """The original, who records, and ours, who is compared."""

    def __init__(self, manager, jobs, directory):
        self.manager, self.jobs, self.directory = manager, jobs, directory

    def _run(self, manager, record, scenarios):
        options = argparse.Namespace(manager=manager, record=record, jobs=self.jobs, verbose=False)
        directory = tempfile.mkdtemp(dir=self.directory)
        try:
            return Suite("real", options, directory).run(scenarios)
        finally:
            remove(directory)

    def record(self, scenarios, runs):
        """The scenarios that came out the same in each run."""
        results = self._run(ORIGINAL, runs, scenarios)
        return [s for s in scenarios if results[s.name].outcome == "RECORDED"]

    def failed(self, scenarios):
        """The scenarios in which ours differed."""
        results = self._run(self.manager, None, scenarios)
        return [s for s in scenarios if results[s.name].outcome == "FAIL"]


def compare(sides, scenarios):
    """The scenarios that the original decides, and those of them in which ours differs."""
    print("== %d scenarios, kube-controller-manager, twice" % len(scenarios), flush=True)
    decided = sides.record(scenarios, 2)
    print("== %d scenarios, ours" % len(decided), flush=True)
    doubtful = sides.failed(decided) if decided else []
    if not doubtful:
        return decided, []
    print("== %d scenarios in which ours differed, kube-controller-manager, three times" % len(doubtful), flush=True)
    before = {s.name: s.golden()["checkpoints"] for s in doubtful}
    again = [s for s in sides.record(doubtful, 3) if s.golden()["checkpoints"] == before[s.name]]
    print("== %d of them, ours" % len(again), flush=True)
    undecided = {s.name for s in doubtful} - {s.name for s in again}
    return [s for s in decided if s.name not in undecided], sides.failed(again) if again else []


def main():
    parser = argparse.ArgumentParser(prog="e2e/differential.sh", description=__doc__)
    parser.add_argument("--count", type=int, default=24, help="how many scenarios; default 24, which take some ten minutes")
    parser.add_argument("--seed", type=int, help="makes the same scenarios as last time; default: others each time")
    parser.add_argument("--with", dest="asked_for", nargs="+", default=[], choices=operations(), metavar="OPERATION",
                        help="each scenario has one of these: " + ", ".join(operations()))
    parser.add_argument("--current", action="store_true", help="kube-apiserver and kube-controller-manager of a current release, "
                        "and ours with --rules=current; default: 1.20.2 and --rules=v1_20")
    parser.add_argument("--manager", metavar="CMD", help="our side, a command with {kubeconfig}")
    parser.add_argument("-j", "--jobs", type=int, default=4, help="scenarios side by side; default 4")
    parser.add_argument("--out", metavar="DIR", default="differential",
                        help="where scenarios in which ours differs are left, with what the original did; default ./differential")
    options = parser.parse_args()
    # So that servers and controllers are stopped then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    manager = options.manager or OURS + ("current" if options.current else "v1_20")
    if options.current:
        os.environ["KUBEBUILDER_ASSETS"] = kube_current()
    seed = random.randrange(1000000) if options.seed is None else options.seed
    print("seed %d" % seed, flush=True)
    directory = tempfile.mkdtemp(prefix="kubeloop-differential-")
    try:
        scenarios = make_up(seed, options.count, options.asked_for, options.current, directory)
        decided, different = compare(Sides(manager, options.jobs, directory), scenarios)
        for scenario in different:
            os.makedirs(options.out, exist_ok=True)
            for path in (os.path.join(directory, scenario.name + ".json"), scenario.golden_path):
                shutil.copy(path, options.out)
            print("differs: %s, see %s" % (scenario.name, os.path.join(options.out, scenario.name + ".json")))
        print("seed %d: %d made up, %d decided by the original, %d the same with ours, %d different" % (
            seed, len(scenarios), len(decided), len(decided) - len(different), len(different)))
    finally:
        remove(directory)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
