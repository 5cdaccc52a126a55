"""Compares controllers with Kubernetes' own: see README.md."""
import argparse
import concurrent.futures
import glob
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

import golden as goldens
import sim
from cluster import LEFT_OUT, NEED_HEARTBEATS, SIMULATION, Cluster, Managers
from kubeapi import KINDS, path_for
from scenario import Run, load
from state import Watcher

RECORDINGS = 3
# The manager of this project, as `--manager kubeloop`.
OURS = "kubeloop controller-manager --kubeconfig {kubeconfig} --controllers={controllers} --leader-elect=false " \
       "--kube-api-qps=500 --kube-api-burst=1000 --root-ca-file={pki}/ca.crt --service-account-private-key-file={pki}/sa.key " \
       "--cluster-signing-cert-file={pki}/ca.crt --cluster-signing-key-file={pki}/ca.key {flags}"
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(os.path.join(HOME, "..", "kubernetes-release")) as _release:
    RELEASE = os.environ.get("KUBE_VERSION") or _release.read().strip()


class World:
    """A cluster with nodes, the simulation of its pods, and the managers."""

    def __init__(self, directory, assets, ignore_hashes=False):
        self.cluster = Cluster(directory, assets)
        self.ignore_hashes = ignore_hashes
        self.managers, self.together = None, False

    def start(self):
        self.api = self.cluster.start()
        with open(os.path.join(self.cluster.pki, "ca.crt"), encoding="utf-8") as f:
            self.watcher = Watcher(self.api, f.read())
        self.simulation = sim.Simulation(self.cluster.api(SIMULATION), self.watcher)
        self.kubelets = self.simulation.kubelets
        self.watcher.on_pod, self.watcher.on_node = self.simulation.on_pod, self.simulation.retry_unbound
        self.watcher.on_attachment = self.simulation.on_attachment
        self.simulation.start()
        self.watcher.start()
        self.default_nodes()

    def default_nodes(self):
        """Three nodes that carry nothing of controllers that ran before."""
        for n in range(1, 4):
            name = "node-%d" % n
            node = self.api.get(path_for("Node", None, name), ok404=True)
            if node:
                if not node["spec"] and len(node["status"]["conditions"]) == 1:
                    continue
                self.api.delete(path_for("Node", None, name))
            self.add_node(name, {"world/pool": "default"})

    def add_node(self, name, labels, taints=None, annotations=None, conditions=None):
        self.api.create(path_for("Node"), {
            "apiVersion": "v1", "kind": "Node", "metadata": {
                "name": name, "labels": dict(labels, **{"kubernetes.io/hostname": name}), "annotations": annotations or {}},
            "spec": {"taints": taints} if taints else {}})
        conditions = {"Ready": "True"} if conditions is None else conditions
        if conditions:
            self.api.patch(path_for("Node", None, name, "status"), {"status": {
                "capacity": {"cpu": "32", "memory": "64Gi", "pods": "500"}, "allocatable": {"cpu": "32", "memory": "64Gi", "pods": "500"},
                "conditions": [sim.node_condition(kind, status) for kind, status in conditions.items()]}})

    def manage(self, command, under_test, flags="", together=False, beside=()):
        """Puts these managers in the place of those before."""
        if self.managers:
            self.managers.stop()
            self.default_nodes()
        self.together = together
        self.kubelets.beat(bool(set(NEED_HEARTBEATS) & set(under_test)))
        self.managers = Managers(self.cluster, command, under_test, flags, together, beside)
        self.managers.start()

    def stop(self):
        for informer in list(self.watcher.informers.values()) if hasattr(self, "watcher") else []:
            informer.stop()
        self.cluster.stop()


def find(paths):
    found = []
    for path in paths:
        found += sorted(glob.glob(os.path.join(path, "*.json"))) if os.path.isdir(path) else [path]
    return [path for path in found if not path.endswith(".golden.json")]


def golden_path(scenario):
    return scenario["path"][:-len(".json")] + ".golden.json"


class Runner:
    def __init__(self, world, arguments):
        self.world, self.arguments = world, arguments
        self.say_lock = threading.Lock()
        self.passed, self.failed = 0, []

    def say(self, text):
        with self.say_lock:
            print(text, flush=True)

    def _custom_kinds(self, scenario):
        for entry in scenario.get("customKinds", []):
            KINDS[entry["kind"]] = ("/apis/" + entry["groupVersion"], entry["plural"], True)

    def one(self, scenario):
        start = time.time()
        self._custom_kinds(scenario)
        log = self.say if self.arguments.verbose else None
        if self.arguments.action == "run":
            with open(golden_path(scenario), encoding="utf-8") as f:
                golden = json.load(f)
            problems = Run(self.world, scenario, log=log, patience=self.arguments.patience).execute(golden)["problems"]
        else:
            problems, runs = [], []
            for _ in range(self.arguments.times):
                runs.append(Run(self.world, scenario, log=log).execute())
                problems += runs[-1]["problems"]
                if problems:
                    break
            if not problems:
                golden, problems = goldens.merge(runs)
                golden = {"kubernetes": self.arguments.kube, "recordings": len(runs), **golden}
                if not problems:
                    with open(golden_path(scenario), "w", encoding="utf-8") as f:
                        json.dump(golden, f, indent=1, sort_keys=True)
                        f.write("\n")
        with self.say_lock:
            if problems:
                self.failed.append(scenario["name"])
            else:
                self.passed += 1
            print("%s %s (%.0f s)" % ("FAIL" if problems else "PASS", scenario["name"], time.time() - start))
            for line in problems[:self.arguments.lines]:
                print("     " + goldens.short(line, 700))
            if len(problems) > self.arguments.lines:
                print("     ... and %d more" % (len(problems) - self.arguments.lines))
            sys.stdout.flush()

    def group(self, scenarios):
        alone = [s for s in scenarios if s["restarts"] or s.get("exclusive")]
        together = [s for s in scenarios if s not in alone]
        # The longest first.
        together.sort(key=lambda s: -sum(step.get("seconds", 3) if step["do"] in ("sleep", "until") else 70 if step["do"] == "minute"
                                         else 3 for step in s["steps"]))
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            list(pool.map(self.one, together))
        for scenario in alone:
            self.one(scenario)

    def groups(self, scenarios):
        """Which scenarios run with which split of the controllers: (under test, flags, together, beside) -> scenarios."""
        chosen = self.arguments.controllers.split(",") if self.arguments.controllers else None
        found = {}
        for scenario in scenarios:
            flags = scenario.get("managerFlags", "")
            if chosen and not set(scenario["under_test"]) <= set(chosen):
                self.say("SKIP %s" % scenario["name"])
                continue
            beside = tuple(scenario.get("beside", ()))
            if self.arguments.action == "record" and not scenario["restarts"] and not flags and not beside and not (
                    set(scenario["under_test"]) & set(LEFT_OUT)):
                key = ((), "", True, ())
            else:
                key = (tuple(chosen or sorted(scenario["under_test"])), flags, False, beside)
            found.setdefault(key, []).append(scenario)
        return found

    def all(self, scenarios):
        for (under_test, flags, together, beside), members in self.groups(scenarios).items():
            if self.arguments.verbose:
                self.say("-- %s %s" % (",".join(under_test) or "all controllers", flags))
            try:
                self.world.manage(self.arguments.manager, list(under_test), flags, together, beside)
            except RuntimeError as e:
                self.failed += [scenario["name"] for scenario in members]
                self.say("\n".join("FAIL " + scenario["name"] for scenario in members) + "\n     %s" % e)
                continue
            self.group(members)
            manager = self.world.managers.manager
            if manager and not manager.alive():
                self.say("world: the manager under test has ended:\n" + manager.tail())
        if self.arguments.verbose and self.world.simulation.errors:
            self.say("simulation: %s" % self.world.simulation.errors[:5])


def main():
    parser = argparse.ArgumentParser(prog="world.sh", description="compares controllers with Kubernetes' own")
    parser.add_argument("action", choices=("run", "record", "list"))
    parser.add_argument("paths", nargs="*", metavar="SCENARIO.json|DIR", default=[os.path.join(HOME, "scenarios")])
    parser.add_argument("--kube", default=RELEASE, help="the release (default %(default)s)")
    parser.add_argument("--assets", help="directory of etcd, kube-apiserver, kube-controller-manager of that release")
    parser.add_argument("--manager", help="'kubeloop', or a command with {kubeconfig} {controllers} {flags} {pki}; "
                                          "'none' for none; default: kube-controller-manager")
    parser.add_argument("--controllers", help="run the manager with these, and only scenarios that need no others under test")
    parser.add_argument("--hashes", choices=("compare", "ignore"), default="compare")
    parser.add_argument("-j", dest="jobs", type=int, default=4, help="scenarios at a time (default 4)")
    parser.add_argument("--patience", type=float, default=12, help="seconds to wait for a golden's state")
    parser.add_argument("--times", type=int, default=RECORDINGS, help="recordings")
    parser.add_argument("--lines", type=int, default=8, help="lines of difference to show")
    parser.add_argument("--dir", help="keeps logs there; default: a temporary directory")
    parser.add_argument("-v", dest="verbose", action="store_true")
    arguments = parser.parse_intermixed_args()
    scenarios = [load(path) for path in find(arguments.paths)]
    if arguments.action == "list":
        for scenario in scenarios:
            print("%-40s %s" % (scenario["name"], scenario["title"]))
        return
    if arguments.action == "run":
        for scenario in [s for s in scenarios if not os.path.exists(golden_path(s))]:
            print("SKIP %s: no golden" % scenario["name"])
            scenarios.remove(scenario)
    if arguments.manager == "kubeloop":
        arguments.manager = shlex.quote(os.path.dirname(os.path.dirname(HOME))) + "/" + OURS
    assets = arguments.assets or subprocess.check_output(
        [os.path.join(os.path.dirname(HOME), "kube.sh")], text=True, env=dict(os.environ, KUBE_VERSION=arguments.kube)).strip()
    with tempfile.TemporaryDirectory(prefix="world-") as temporary:
        world = World(arguments.dir or temporary, assets, arguments.hashes == "ignore")
        runner = Runner(world, arguments)

        def end(*_):
            world.cluster.stop()
            os._exit(143)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        try:
            world.start()
            runner.all(scenarios)
        finally:
            world.stop()
    if runner.failed:
        print("failed: " + " ".join(sorted(runner.failed)))
    print("world: %d pass, %d fail" % (runner.passed, len(runner.failed)))
    sys.exit(1 if runner.failed else 0)


if __name__ == "__main__":
    main()
