"""Makes up scenarios for the controllers of workloads, runs them with kube-controller-manager and with our controllers on a real
kube-apiserver, and reports where the objects differ. See e2e/differential.sh --kinds.

Each scenario runs twice with the original. It counts only if both runs end equal. Where ours differs, both run once more. All
scenarios of a side share a server, each in a namespace of its own.

Steps are told apart by "do", see the methods do_*. $NS stands for the namespace.
"""
import argparse
import concurrent.futures
import difflib
import functools
import json
import os
import random
import re
import shlex
import signal
import sys
import tempfile
import time

import podsim
import random_workloads
from kubeapi import ApiError, GENERATED_SUFFIX, Informer, KINDS, Kube, MERGE, STRATEGIC, is_ready, path_for, wait_until
from parity import OURS
from servers import Process, RealServer, kube_current, remove

CONTROLLERS = ",".join(name + "-controller" for name in (
    "deployment", "replicaset", "statefulset", "daemonset", "job", "cronjob", "ttl-after-finished", "disruption", "endpointslice",
    "garbage-collector"))
COMPARED = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ControllerRevision", "Job", "CronJob", "PodDisruptionBudget",
            "EndpointSlice", "PersistentVolumeClaim", "Pod")
TIMES = {"lastTransitionTime", "lastUpdateTime", "lastProbeTime"}
UNSTABLE = {"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "namespace", "deletionTimestamp",
            "deletionGracePeriodSeconds", "generateName"}
TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"
QUIET, PATIENCE, SETTLED = 2.5, 15, 60


class Cluster:
    """A server with controllers and simulated kubelets, and all that it has, as watches tell."""

    controllers, watched = CONTROLLERS, (*COMPARED, "Service", "Event")

    def __init__(self, manager, directory):
        self.server = RealServer(os.path.join(directory, "server"), kube_current())
        self.changed, self.order, self.informers, self.manager, self.simulation = {}, {}, {}, None, None
        try:
            self.api = Kube(self.server.kubeconfig, "differential")
            self.prepare()
            limits = ["--kube-api-qps=1000", "--kube-api-burst=2000"]
            command = shlex.split(manager.replace("{kubeconfig}", self.server.kubeconfig)) + [
                "--controllers=" + self.controllers, *self.flags()] if manager else self.server.original(self.controllers, *limits)
            self.manager = Process(command, os.path.join(directory, "manager.log"))
            self.informers = {kind: Informer(self.api, path_for(kind), functools.partial(self.saw, kind)) for kind in self.watched}
            for informer in self.informers.values():
                informer.start()
            self.await_acting()
        except BaseException:
            self.close()
            raise

    def prepare(self):
        """What the server has before the controllers start."""
        for number in range(1, 5):
            self.add_node("node-%d" % number, {"pool": "none"})
        self.simulation = podsim.PodSim(Kube(self.server.kubeconfig, "kubelet-sim"), workers=8)
        self.simulation.start()

    def flags(self):
        """Further flags of our controllers."""
        return []

    def run(self, name):
        """An execution of the scenario of this name."""
        return Run(self, name)

    def add_node(self, name, labels):
        self.api.create(path_for("Node"), {"apiVersion": "v1", "kind": "Node", "metadata": {
            "name": name, "labels": {**labels, "kubernetes.io/hostname": name}}})
        # The server taints a new node until its kubelet reports.
        self.api.patch(path_for("Node", None, name), {"spec": {"taints": None}})

    def saw(self, kind, change, item):
        """Takes over a change of an object."""
        self.changed[item["metadata"].get("namespace")] = time.time()
        self.order.setdefault(item["metadata"]["uid"], len(self.order))

    def await_acting(self):
        """Waits until the controllers act."""
        run = self.run("probe")
        run.perform({"do": "create", "objects": [random_workloads.workload(kind, "probe", {
            "replicas": 1, "selector": {"matchLabels": {"app": "probe"}}, "serviceName": "probe",
            "template": random_workloads.template(random, "probe")}) for kind in ("Deployment", "StatefulSet")]})

        def acts():
            self.manager.check()
            return all(any(item["status"].get("readyReplicas") for item in run.items(kind)) for kind in ("Deployment", "StatefulSet"))
        if not wait_until(acts, 120, 0.3):
            raise RuntimeError("the controllers do not act:\n" + self.manager.tail())
        time.sleep(3)

    def close(self):
        for part in (self.manager, *self.informers.values(), self.simulation):
            if part:
                part.stop()
        self.server.close()


class Run:
    """One execution of one scenario."""

    def __init__(self, cluster, name):
        self.cluster, self.api = cluster, cluster.api
        self.namespace = "d-%s-%s" % (name, "".join(random.choices("bcdfghjkmnpq", k=4)))
        self.api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}})
        self.told, self.hashes = [], {}

    def items(self, kind):
        return [item for (namespace, _), item in list(self.cluster.informers[kind].store.items()) if namespace == self.namespace]

    def execute(self, steps, wanted=None):
        """The states after the steps; with those that are wanted, waits for each of them."""
        states = []
        for number, step in enumerate(json.loads(json.dumps(steps).replace("$NS", self.namespace))):
            self.perform(step)
            if step.get("quiet", QUIET) < 1:
                states.append([])  # the watches may not have shown it yet
                continue
            self._settle(step.get("quiet", QUIET))
            expected = wanted[number] if wanted and number < len(wanted) else None
            end = time.time() + (PATIENCE if expected is not None else 0)
            state = self.state()
            while state != expected and time.time() < end:
                time.sleep(0.5)
                state = self.state()
            states.append(state)
            if expected is not None and state != expected:
                break
        return states

    def _settle(self, quiet):
        start = time.time()
        wait_until(lambda: time.time() - max(self.cluster.changed.get(self.namespace, 0), start) >= quiet, SETTLED, 0.2)

    # -- steps
    def perform(self, step):
        try:
            getattr(self, "do_" + step["do"])(step)
        except ApiError as e:
            # It may be that there is nothing to change, or that the change is not allowed: so it is for both sides.
            self.told.append("%s: %d" % (step["do"], e.status))

    def _path(self, kind, name=None, sub=None):
        return path_for(kind, self.namespace, name, sub)

    def do_create(self, step):
        """creates "objects" """
        for item in step["objects"]:
            self.api.create(self._path(item["kind"]), {"apiVersion": KINDS[item["kind"]][0].split("/", 2)[2], **item})

    def do_patch(self, step):
        """patches "kind" "name" with "patch", of "type" merge or strategic"""
        template = step["patch"].get("spec", {}).get("template") is not None
        strategic = template or step.get("type") == "strategic"
        self.api.patch(self._path(step["kind"], step["name"]), step["patch"], STRATEGIC if strategic else MERGE)

    def do_scale(self, step):
        """sets "replicas" of "kind" "name" through its scale"""
        self.api.patch(self._path(step["kind"], step["name"], "scale"), {"spec": {"replicas": step["replicas"]}})

    def do_minute(self, _):
        """waits until a minute has begun"""
        time.sleep(-time.time() % 60 + 3)

    def _chosen(self, kind, places):
        """The living objects of a kind at these places, in the order of their creation."""
        items = [item for item in self.items(kind) if not item["metadata"].get("deletionTimestamp")]
        items.sort(key=lambda item: self.cluster.order[item["metadata"]["uid"]])
        return items if places == "all" else [items[place] for place in places if -len(items) <= place < len(items)]

    def do_delete(self, step):
        """deletes the objects of "kind" at "places", with "propagation" if given"""
        for item in self._chosen(step["kind"], step["places"]):
            self.api.delete(self._path(step["kind"], item["metadata"]["name"]), propagation=step.get("propagation"))

    def do_pods(self, step):
        """changes the pods at "places": labels, phase, ready, delete"""
        for pod in self._chosen("Pod", step["places"]):
            path = self._path("Pod", pod["metadata"]["name"])
            if "labels" in step:
                self.api.patch(path, {"metadata": {"labels": step["labels"]}})
            if "phase" in step or "ready" in step:
                if pod["status"].get("phase") in ("Failed", "Succeeded"):
                    continue  # it has ended
                phase = step.get("phase", "Running")
                ips = [entry["ip"] for entry in pod["status"].get("podIPs") or []]
                self.api.patch(path + "/status", {"status": podsim.status(pod, phase, step.get("ready", phase == "Running"), ips)})
            if step.get("delete"):
                self.api.delete(path)

    def do_evict(self, step):
        """asks for the eviction of the pods at "places", one after the other; the answers belong to the state"""
        for pod in self._chosen("Pod", step["places"]):
            name = pod["metadata"]["name"]
            try:
                self.api.create(self._path("Pod", name, "eviction"), {
                    "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": self.namespace}})
                self.told.append("evicted")
            except ApiError as e:
                self.told.append(self._text(str(e)))
            self._settle(QUIET)

    def do_nodes(self, step):
        """adds, removes or changes nodes, which are called after the namespace: "labels" and "taints" """
        for name in step.get("add", []):
            self.cluster.add_node("%s-%s" % (self.namespace, name), {"pool": self.namespace})
        for name in step.get("remove", []):
            self.api.delete(path_for("Node", None, "%s-%s" % (self.namespace, name)))
        for name in step.get("change", []):
            change = {"metadata": {"labels": step["labels"]}} if "labels" in step else {"spec": {"taints": step["taints"]}}
            self.api.patch(path_for("Node", None, "%s-%s" % (self.namespace, name)), change)

    # -- the state
    def state(self):
        """What the namespace has, without what differs from run to run, as lines."""
        # The template of a DaemonSet names the namespace, so that its hash differs.
        for revision in sorted(self.items("ControllerRevision"), key=lambda item: item["revision"]):
            value = revision["metadata"]["labels"].get("controller-revision-hash", "")
            if self.items("DaemonSet") and value:
                self.hashes.setdefault(value, "@%d" % (len(self.hashes) + 1))
        lines = []
        for kind in COMPARED:
            rows = sorted(json.dumps(self._object(kind, item), sort_keys=True) for item in self.items(kind))
            lines += ["%s %s" % (kind, row) for row in rows]
        return lines + self._events() + list(self.told)

    def _events(self):
        lines = set()
        for event in self.items("Event"):
            about = event["involvedObject"]
            if "the object has been modified" not in event.get("message", ""):
                lines.add("Event " + self._text(" ".join((
                    event.get("source", {}).get("component") or event.get("reportingComponent", ""), event.get("type", ""),
                    event["reason"], about["kind"], about["name"], event.get("message", "")))))
        return sorted(lines)

    def _text(self, text):
        # Which of several nodes comes first is chance.
        text = re.sub(r"\$NS-n\d", "$NS-n#", text.replace(self.namespace, "$NS"))
        for value, stable in self.hashes.items():
            text = text.replace(value, stable)
        text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<uid>", text)
        text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "<time>", text)
        text = re.sub(r"\b10\.200\.\d+\.\d+\b", "<ip>", text)
        text = re.sub(r"-\d{8}(?!\d)", "-<minute>", text)
        return re.sub(r"-%s(?![a-z0-9-])" % GENERATED_SUFFIX, "-#", text)

    def _neutral(self, value):
        if isinstance(value, dict):
            return {self._text(key): self._neutral(entry) for key, entry in value.items() if key not in TIMES and key != "uid"}
        if isinstance(value, list):
            rows = [self._neutral(entry) for entry in value]
            return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True)) if rows and isinstance(rows[0], dict) else rows
        return self._text(value) if isinstance(value, str) else value

    def _object(self, kind, item):
        meta = {key: value for key, value in item["metadata"].items() if key not in UNSTABLE}
        annotations = {key: value for key, value in meta.pop("annotations", {}).items() if key != TRIGGER_TIME}
        if annotations:
            meta["annotations"] = annotations
        if item["metadata"].get("deletionTimestamp"):
            meta["terminating"] = True
        rest = {key: value for key, value in item.items() if key not in ("metadata", "apiVersion", "kind")}
        status = dict(rest.get("status", {}))
        if kind == "Pod":
            spec = dict(rest["spec"])
            if not podsim.pinned(item):
                spec.pop("nodeName", None)
            rest["spec"] = spec
            status = {"phase": status.get("phase"), "ready": is_ready(item), "disrupted": [
                c.get("reason") for c in status.get("conditions") or [] if c["type"] == "DisruptionTarget"]}
        if "observedGeneration" in status:
            status["observedGeneration"] = status["observedGeneration"] == item["metadata"].get("generation")
        if status:
            rest["status"] = status
        if kind == "EndpointSlice":
            for endpoint in rest.get("endpoints") or []:
                endpoint.pop("nodeName", None)
        return self._neutral({"metadata": meta, **rest})


def run_all(cluster, scenarios, jobs, wanted=None):
    """The states of each scenario, in the order of the list."""
    def one(entry):
        name, steps = entry
        try:
            return cluster.run(name).execute(steps, wanted[name] if wanted else None)
        except (ApiError, OSError, RuntimeError) as e:
            return [["failed", str(e)]]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, scenarios))


def difference(wanted, states):
    """What differs in the first state that does."""
    for number, (one, other) in enumerate(zip(wanted, states), 1):
        if one != other:
            lines = [line for line in difflib.unified_diff(one, other, "original", "ours", lineterm="", n=0) if line[:2] not in ("@@",)]
            return ["after step %d:" % number, *lines]
    return ["the states are %d and %d" % (len(wanted), len(states))]


def main(made_up, cluster, again=1):
    """Runs the scenarios that a module makes up, on clusters of a class; repeats those that differ so many times."""
    kinds = made_up.KINDS
    parser = argparse.ArgumentParser(prog="e2e/differential.sh", description=__doc__)
    parser.add_argument("--kinds", "--owners", nargs="*", metavar="KIND", help="which of %s; default all" % ", ".join(kinds))
    parser.add_argument("--count", type=int, default=10, help="how many scenarios of each kind; default 10")
    parser.add_argument("--seed", type=int, help="makes the same scenarios as last time; default: others each time")
    parser.add_argument("--manager", metavar="CMD", default=OURS + "current --leader-elect=false",
                        help="our side, a command with {kubeconfig}")
    parser.add_argument("-j", "--jobs", type=int, default=16, help="scenarios side by side; default 16")
    parser.add_argument("-v", "--verbose", action="store_true", help="tells of each difference, also of the original from itself")
    parser.add_argument("--out", metavar="DIR", default="differential", help="where scenarios in which ours differs are left")
    options = parser.parse_args()
    options.kinds, options.cluster, options.again = options.kinds or list(kinds), cluster, again
    if not set(options.kinds) <= set(kinds):
        parser.error("a kind is one of " + ", ".join(kinds))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    seed = random.randrange(1000000) if options.seed is None else options.seed
    print("seed %d" % seed, flush=True)
    scenarios = [("%s-%d-%d" % (kind, seed, number), made_up.scenario(kind, "%d/%d" % (seed, number)))
                 for number in range(options.count) for kind in options.kinds]
    directory = tempfile.mkdtemp(prefix="kubeloop-differential-")
    try:
        return compare(scenarios, options, directory)
    finally:
        remove(directory)


def side(manager, directory, name, scenarios, options, wanted=None):
    print("== %d scenarios, %s" % (len(scenarios), name), flush=True)
    path = tempfile.mkdtemp(dir=directory)
    cluster = options.cluster(manager, path)
    try:
        return run_all(cluster, scenarios, options.jobs, wanted)
    finally:
        cluster.close()


def compare(scenarios, options, directory):
    twice = side(None, directory, "kube-controller-manager, twice", [s for s in scenarios for _ in range(2)], options)
    if options.verbose:
        for s, one, other in zip(scenarios, twice[::2], twice[1::2]):
            if one != other:
                print("undecided: %s\n    %s" % (s[0], "\n    ".join(difference(one, other))))
    golden = {s[0]: one for s, one, other in zip(scenarios, twice[::2], twice[1::2]) if one == other and not one[0][:1] == ["failed"]}
    decided = [s for s in scenarios if s[0] in golden]
    states = side(options.manager, directory, "ours", decided, options, golden)
    doubtful = [s for s, state in zip(decided, states) if state != golden[s[0]]]
    if options.verbose:
        for s, state in zip(decided, states):
            if s in doubtful:
                print("differs: %s\n    %s" % (s[0], "\n    ".join(difference(golden[s[0]], state))), flush=True)
    different = {}
    if doubtful:
        repeated = [s for s in doubtful for _ in range(options.again)]
        again = side(None, directory, "kube-controller-manager, again", repeated, options, golden)
        unsure = {s[0] for s, state in zip(repeated, again) if state != golden[s[0]]}
        decided = [s for s in decided if s[0] not in unsure]
        repeated = [s for s in repeated if s[0] not in unsure]
        if repeated:
            states = side(options.manager, directory, "ours, again", repeated, options, golden)
            for s, state in zip(repeated, states):
                if state != golden[s[0]]:
                    different.setdefault(s[0], (s[1], []))[1].append(state)
    os.makedirs(options.out, exist_ok=True)
    for name, (steps, others) in different.items():
        with open(os.path.join(options.out, name + ".json"), "w", encoding="utf-8") as f:
            json.dump({"steps": steps, "original": golden[name], "ours": others[0]}, f, indent=1)
        print("differs %d times of %d: %s\n    %s" % (
            len(others), options.again, name, "\n    ".join(difference(golden[name], others[0]))))
    for kind in options.kinds:
        mine = [s for s in decided if s[0].startswith(kind + "-")]
        print("%s: %d made up, %d decided by the original, %d the same with ours" % (
            kind, options.count, len(mine), sum(1 for s in mine if s[0] not in different)))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(random_workloads, Cluster))
