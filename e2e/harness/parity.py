"""Runs parity scenarios: the same steps that kube-controller-manager once took, and the same state, events and writes in the
end. See e2e/parity.sh."""
import argparse
import concurrent.futures
import glob
import http.client
import itertools
import json
import os
import signal
import sys
import tempfile
import time
import traceback

from golden import REFUSED, compare_events, compare_writes, merge
from kubeapi import ApiError, Kube
from scenario import Run
from servers import E2E, KUBELOOP, ORIGINAL, EmbeddedServer, Manager, Process, RealServer, kube_binaries, remove

OURS = "'%s' controller-manager --kubeconfig {kubeconfig} --kube-api-qps=1000 --kube-api-burst=2000 --rules=" % KUBELOOP
# What stands in for the other controllers on the embedded server.
EMBEDDED_HAS = {"garbagecollector", "resourcequota"}
# What kube-controller-manager does beside it there, too.
EMBEDDED_HELPERS = {"deployment"}
# The admission plugins that scenarios are about and that it has.
EMBEDDED_ADMISSION = {"LimitRanger"}


class Scenario:
    """A scenario's file, and its golden beside it."""

    def __init__(self, path):
        self.name = os.path.basename(path)[:-len(".json")]
        self.golden_path = path[:-len(".json")] + ".golden.json"
        with open(path, encoding="utf-8") as f:
            self.document = json.load(f)
        self.helpers = frozenset(self.document.get("controllers", []))
        self.admission = self.document.get("admission", [])
        self.dual_stack = bool(self.document.get("dualStack"))
        self.exclusive = bool(self.document.get("exclusive"))

    def golden(self):
        with open(self.golden_path, encoding="utf-8") as f:
            return json.load(f)


class Result:
    """How a scenario went."""

    def __init__(self, outcome, seconds=0.0, problems=(), notes=(), writes=None):
        self.outcome, self.seconds, self.problems, self.notes = outcome, seconds, problems, notes
        self.writes = writes or {}


def find(names):
    paths = sorted(p for p in glob.glob(os.path.join(E2E, "parity", "*.json")) if not p.endswith(".golden.json"))
    if not names:
        return [Scenario(path) for path in paths]
    found = []
    for name in names:
        # v08 is enough to name v08-delete-background.
        matches = [path for path in paths if os.path.basename(path).startswith(name)]
        if not matches and os.path.isfile(name):
            matches = [name]
        if not matches:
            sys.exit("parity: there is no scenario %s" % name)
        found += [Scenario(path) for path in matches]
    return found


def run_scenario(server, manager, scenario, options):
    start = time.time()
    try:
        golden = None if options.record else scenario.golden()
        runs, problems, notes = [], [], []
        for _ in range(options.record or 1):
            *run, wrong = Run(server, manager, scenario.name, scenario.document).execute(golden)
            runs.append(run)
            problems += wrong
        if options.record and not problems:
            server_version = Kube(server.kubeconfig, "parity-runner").get("/version")["gitVersion"]
            golden, unstable = merge(scenario.name, server_version, runs)
            if unstable:
                problems.append(unstable)
            else:
                with open(scenario.golden_path, "w", encoding="utf-8") as f:
                    json.dump(golden, f, indent=1, sort_keys=True)
                    f.write("\n")
        _, events, writes = runs[0]
        if not options.record:
            problems += compare_events(golden["events"], events)
            wrong, notes = compare_writes(golden.get("writes"), writes)
            problems += wrong
        return Result("FAIL" if problems else "RECORDED" if options.record else "PASS", time.time() - start, problems, notes,
                      writes)
    except (RuntimeError, ApiError, OSError, KeyError, IndexError, http.client.HTTPException) as e:
        detail = traceback.format_exc() if options.verbose else ""
        return Result("FAIL", time.time() - start, ["%s: %s\n%s" % (type(e).__name__, e, detail)])


class Suite:
    """Runs scenarios on one kind of server."""

    def __init__(self, kind, options, directory):
        self.kind, self.options, self.directory = kind, options, directory
        self.results = {}

    def report(self, scenario, result):
        self.results[scenario.name] = result
        print("%-8s %-10s %-34s %5.1f s" % (result.outcome, self.kind, scenario.name, result.seconds), flush=True)
        for problem in result.problems:
            print("  - " + problem, flush=True)
        if self.options.verbose:
            for note in result.notes:
                print("  . " + note, flush=True)

    def skip(self, scenarios, reason):
        for scenario in scenarios:
            self.report(scenario, Result("SKIP", problems=[reason]))

    def run_all(self, server, manager, scenarios):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as executor:
            futures = {executor.submit(run_scenario, server, manager, s, self.options): s
                       for s in scenarios if not s.exclusive}
            for future in concurrent.futures.as_completed(futures):
                self.report(futures[future], future.result())
        for scenario in scenarios:
            if scenario.exclusive:
                self.report(scenario, run_scenario(server, manager, scenario, self.options))

    def with_manager(self, server, directory, body):
        try:
            manager = Manager(self.options.manager, server, directory)
            try:
                manager.await_acting()
                body(manager)
            finally:
                manager.stop()
        finally:
            server.close()

    def run(self, scenarios):
        (self.run_real if self.kind == "real" else self.run_embedded)(scenarios)
        return self.results

    def run_real(self, scenarios):
        assets = kube_binaries()
        for dual_stack in (False, True):
            chosen = [s for s in scenarios if s.dual_stack == dual_stack]
            if not chosen:
                continue
            directory = os.path.join(self.directory, "real-dual" if dual_stack else "real")
            server = RealServer(directory, assets, dual_stack)
            self.with_manager(server, directory, lambda manager: self.run_groups(server, manager, chosen, directory))

    def run_groups(self, server, manager, scenarios, directory, has=frozenset()):
        """Scenarios that need the same helpers run side by side, and no others beside them: a garbage collector, say, would
        interfere where none was when the golden was recorded. What the server has itself is there already."""
        for helpers in sorted({s.helpers - has for s in scenarios}, key=lambda h: (len(h), sorted(h))):
            group = [s for s in scenarios if s.helpers - has == helpers]
            if not helpers:
                self.run_all(server, manager, group)
            elif not server.has_original():
                self.skip(group, "needs %s of kube-controller-manager, which is not there"
                          % ", ".join(sorted(helpers)))
            else:
                process = Process(server.original(",".join(sorted(helpers))), os.path.join(directory, "helpers.log"))
                try:
                    # The garbage collector and the quota controller look for resources first.
                    time.sleep(4)
                    process.check()
                    self.run_all(server, manager, group)
                finally:
                    process.stop()

    def run_embedded(self, scenarios):
        able = []
        for scenario in scenarios:
            missing = scenario.helpers - EMBEDDED_HAS - EMBEDDED_HELPERS
            plugins = set(scenario.admission) - EMBEDDED_ADMISSION
            if missing:
                self.skip([scenario], "the embedded server has no %s" % ", ".join(sorted(missing)))
            elif plugins:
                self.skip([scenario], "the embedded server has no admission plugin %s" % ", ".join(sorted(plugins)))
            else:
                able.append(scenario)
        for collector, dual_stack in itertools.product((False, True), repeat=2):
            # Quotas are counted by the collector's thread.
            chosen = [s for s in able if (bool(s.helpers & EMBEDDED_HAS), s.dual_stack) == (collector, dual_stack)]
            if chosen:
                directory = os.path.join(self.directory, "embedded-%s%s" % (
                    "gc" if collector else "plain", "-dual" if dual_stack else ""))
                server = EmbeddedServer(directory, collector, dual_stack)
                self.with_manager(server, directory, lambda manager: self.run_groups(
                    server, manager, chosen, directory, EMBEDDED_HAS))


def refused(writes, scenario):
    """How many of our requests were refused, and how many of the original's when the golden was recorded."""
    now = sum(count for write, count in writes.items() if REFUSED in write)
    if not os.path.exists(scenario.golden_path):
        return [str(now), ""]
    ranges = [count for write, count in scenario.golden().get("writes", {}).items() if REFUSED in write]
    low, high = (sum(r[i] for r in ranges) for i in (0, 1))
    return [str(now), str(low) if low == high else "%d to %d" % (low, high)]


def table(scenarios, by_kind):
    """A Markdown table of outcomes, and of the requests that were refused."""
    columns = ["scenario"] + list(by_kind) + (["refused", "refused then"] if "real" in by_kind else [])
    print("\n| %s |\n|%s" % (" | ".join(columns), " --- |" * len(columns)))
    for scenario in scenarios:
        cells = [scenario.name] + [results[scenario.name].outcome.lower() for results in by_kind.values()]
        if "real" in by_kind:
            cells += refused(by_kind["real"][scenario.name].writes, scenario)
        print("| %s |" % " | ".join(cells))
    for kind, results in by_kind.items():
        outcomes = [result.outcome for result in results.values()]
        print("\n%s: " % kind + ", ".join("%d %s" % (outcomes.count(o), o.lower()) for o in sorted(set(outcomes))), end="")
    print()


def main():
    parser = argparse.ArgumentParser(prog="e2e/parity.sh", description=__doc__)
    parser.add_argument("server", nargs="?", choices=["real", "embedded", "all"], default="all",
                        help="kube-apiserver and etcd, the embedded server, or both (default)")
    parser.add_argument("scenario", nargs="*", help="names, or their beginnings, or files; default: all in e2e/parity")
    parser.add_argument("--rules", choices=["current", "v1_20"], default="v1_20",
                        help="the release that recorded the goldens, for ./kubeloop controller-manager; default: v1_20, as in e2e/parity")
    parser.add_argument("--manager", metavar="CMD",
                        help="the controllers under test: a command with {kubeconfig}, or '%s'; default: "
                        "./kubeloop controller-manager with --rules" % ORIGINAL)
    parser.add_argument("--record", type=int, metavar="N", help="write goldens of N runs that came out the same; use with "
                        "--manager %s on the real server" % ORIGINAL)
    parser.add_argument("-j", "--jobs", type=int, default=4, help="scenarios side by side; default 4")
    parser.add_argument("--list", action="store_true", help="only say which scenarios there are")
    parser.add_argument("--keep", action="store_true", help="leave logs behind, and say where")
    parser.add_argument("-v", "--verbose", action="store_true", help="also notes, such as fewer writes than recorded")
    options = parser.parse_intermixed_args()
    options.manager = options.manager or OURS + options.rules
    # So that servers and controllers are stopped then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    scenarios = find(options.scenario)
    if options.list:
        for scenario in scenarios:
            needs = sorted(scenario.helpers) + (["dual-stack"] if scenario.dual_stack else [])
            print("%-36s %s%s" % (scenario.name, scenario.document["title"], "  [%s]" % ", ".join(needs) if needs else ""))
        return 0
    directory = tempfile.mkdtemp(prefix="kubeloop-parity-")
    by_kind = {}
    try:
        for kind in ("real", "embedded"):
            if options.server in (kind, "all"):
                by_kind[kind] = Suite(kind, options, directory).run(scenarios)
    finally:
        if options.keep:
            print("logs: " + directory)
        else:
            remove(directory)
    table(scenarios, by_kind)
    return 1 if any(r.outcome == "FAIL" for results in by_kind.values() for r in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
