"""Makes up scenarios for the controllers of workloads, runs them with kube-controller-manager and with our controllers on a real
kube-apiserver, and reports where the objects differ. See e2e/differential.sh --kinds.

Each side has a server, a manager that runs all the time, and a process of its own here; each run has a namespace of its own. A scenario
is decided when two of up to four runs of the original end equal. It differs when none of four runs of ours is like any of the
original's, which runs again between them. So a state that ours reaches in some of its runs only, and the original never does, is not
reported if another run of ours is like one of the original's; the report counts the scenarios in which the first run of ours was.

Steps are told apart by "do", see the methods do_*. $NS stands for the namespace.
"""
import argparse
import collections
import concurrent.futures
import difflib
import functools
import json
import multiprocessing.managers
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
from metrics_api import MetricsApi
from servers import OURS, Process, RealServer, kube_binaries, remove

CONTROLLERS = ",".join(name + "-controller" for name in (
    "deployment", "replicaset", "statefulset", "daemonset", "job", "cronjob", "ttl-after-finished", "disruption", "endpointslice",
    "horizontal-pod-autoscaler", "garbage-collector"))
FLAGS = ["--horizontal-pod-autoscaler-sync-period=2s", "--horizontal-pod-autoscaler-downscale-stabilization=1s",
         "--horizontal-pod-autoscaler-cpu-initialization-period=1h", "--horizontal-pod-autoscaler-initial-readiness-delay=1s"]
COMPARED = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ControllerRevision", "Job", "CronJob", "PodDisruptionBudget",
            "HorizontalPodAutoscaler", "EndpointSlice", "PersistentVolumeClaim", "Pod")
TIMES = {"lastTransitionTime", "lastUpdateTime", "lastProbeTime"}
UNSTABLE = {"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "namespace", "deletionTimestamp",
            "deletionGracePeriodSeconds", "generateName"}
SEEN = (*COMPARED, "Service", "Event")
TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"
QUIET, PATIENCE, SETTLED = 2.5, 20, 60
ORIGINALS, ATTEMPTS = 4, 4


class Cluster:
    """A server with controllers and simulated kubelets, and all that it has, as watches tell. Runs may go side by side."""

    controllers, watched, both = CONTROLLERS, SEEN, FLAGS

    def __init__(self, manager, directory):
        self.server = RealServer(os.path.join(directory, "server"), kube_binaries())
        self.changed, self.order, self.found = {}, {}, collections.defaultdict(dict)
        self.informers, self.manager, self.simulation, self.metrics = {}, None, None, None
        try:
            self.api = Kube(self.server.kubeconfig, "differential")
            self.prepare()
            limits = ["--kube-api-qps=1000", "--kube-api-burst=2000"]
            command = shlex.split(manager.replace("{kubeconfig}", self.server.kubeconfig)) + [
                "--controllers=" + self.controllers, *self.flags()] if manager else self.server.original(self.controllers, *limits)
            self.manager = Process(command + self.both, os.path.join(directory, "manager.log"))
            self.informers = {kind: Informer(self.api, path_for(kind), functools.partial(self.saw, kind)) for kind in self.watched}
            for informer in self.informers.values():
                informer.start()
            self.await_acting()
        except BaseException:
            self.close()
            raise

    def prepare(self):
        """What the server has before the controllers start."""
        self.metrics = MetricsApi(self.api, os.path.join(self.server.directory, "pki"), self._running)
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

    def execute(self, name, steps, traces):
        """The states after the steps in a new namespace; waits for those of one of the traces, as far as it goes."""
        run = None
        try:
            run = self.run(name)
            return run.execute(steps, traces)
        except (ApiError, OSError, RuntimeError) as e:
            return [["failed", str(e)]]
        finally:
            if run:
                run.clear()

    def add_node(self, name, labels):
        self.api.create(path_for("Node"), {"apiVersion": "v1", "kind": "Node", "metadata": {
            "name": name, "labels": {**labels, "kubernetes.io/hostname": name}}})
        # The server taints a new node until its kubelet reports.
        self.api.patch(path_for("Node", None, name), {"spec": {"taints": None}})

    def saw(self, kind, change, item):
        """Takes over a change of an object."""
        meta = item["metadata"]
        self.order.setdefault(meta["uid"], len(self.order))
        found = self.found[meta.get("namespace")]
        if change == "DELETED":
            found.pop((kind, meta["name"]), None)
        else:
            found[kind, meta["name"]] = item
        self.changed[meta.get("namespace")] = time.time()

    def items(self, kind, namespace):
        return [item for (found, _), item in list(self.found[namespace].items()) if found == kind]

    def _running(self, namespace, labels):
        """The names of the running pods with these labels, in the order of their creation."""
        pods = [pod for pod in self.items("Pod", namespace) if pod["status"].get("phase") == "Running"
                and labels.items() <= pod["metadata"].get("labels", {}).items()]
        return [pod["metadata"]["name"] for pod in sorted(pods, key=lambda pod: self.order[pod["metadata"]["uid"]])]

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
        run.clear()

    def close(self):
        for part in (self.manager, *self.informers.values(), self.simulation, self.metrics):
            if part:
                part.stop()
        self.server.close()


class Run:
    """One execution of one scenario."""

    def __init__(self, cluster, name):
        self.cluster, self.api = cluster, cluster.api
        self.namespace = "d-%s-%s" % (name, "".join(random.choices("bcdfghjkmnpq", k=4)))
        self.api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}})
        self.told, self.hashes, self.nodes = [], {}, []

    def items(self, kind):
        return self.cluster.items(kind, self.namespace)

    def execute(self, steps, traces):
        """The states after the steps; waits for those of a trace that has been followed so far."""
        states = []
        for number, step in enumerate(json.loads(json.dumps(steps).replace("$NS", self.namespace))):
            self.perform(step)
            if step.get("quiet", QUIET) < 1:
                states.append([])  # the watches may not have shown it yet
                continue
            self._settle(step.get("quiet", QUIET))
            wanted = [trace[number] for trace in traces if number < len(trace) and trace[:number] == states]
            states.append(self._await(wanted))
        return states

    def _await(self, wanted):
        """The state, once it is one of those wanted, or nothing has changed for long."""
        now = start = time.time()
        state, seen = self.state(), self.cluster.changed.get(self.namespace)
        while wanted and state not in wanted and now - max(start, seen or 0) < PATIENCE and now - start < SETTLED:
            time.sleep(0.3)
            now = time.time()
            if self.cluster.changed.get(self.namespace) != seen:
                seen = self.cluster.changed.get(self.namespace)
                state = self.state()
        return state

    def clear(self):
        """Deletes what the run leaves, owners first, so that it costs the later runs nothing."""
        present = {kind for kind, _ in list(self.cluster.found[self.namespace])}
        for kind in ("HorizontalPodAutoscaler", "CronJob", *SEEN):
            if kind in present:
                self.api.delete(self._path(kind), grace=0 if kind == "Pod" else None, propagation="Background")
        for node in self.nodes:
            self.api.delete(path_for("Node", None, node))
        self.cluster.metrics.values.pop(self.namespace, None)

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
        """creates "objects"; a CronJob not at the end of a minute, so that its first job belongs to the next step"""
        if any(item["kind"] == "CronJob" for item in step["objects"]) and time.time() % 60 > 40:
            time.sleep(-time.time() % 60 + 1)
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
        """The living objects of a kind at these places, in the order of their nodes if they are bound to one, or of their creation."""
        items = [item for item in self.items(kind) if not item["metadata"].get("deletionTimestamp")]
        items.sort(key=lambda item: (kind == "Pod" and podsim.pinned(item) or "", self.cluster.order[item["metadata"]["uid"]]))
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
            self.nodes.append("%s-%s" % (self.namespace, name))
            self.cluster.add_node(self.nodes[-1], {"pool": self.namespace})
        for name in step.get("remove", []):
            self.api.delete(path_for("Node", None, "%s-%s" % (self.namespace, name)))
        for name in step.get("change", []):
            change = {"metadata": {"labels": step["labels"]}} if "labels" in step else {"spec": {"taints": step["taints"]}}
            self.api.patch(path_for("Node", None, "%s-%s" % (self.namespace, name)), change)

    def do_metrics(self, step):
        """sets the "values" of the namespace's metrics"""
        self.cluster.metrics.values[self.namespace] = step["values"]

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
            component = event.get("source", {}).get("component") or event.get("reportingComponent", "")
            # The server repairs addresses that a Service got a moment ago, if the repair has read the services before.
            if "the object has been modified" not in event.get("message", "") and component != "ipallocator-repair-controller":
                lines.add("Event " + self._text(" ".join((
                    component, event.get("type", ""), event["reason"], about["kind"], about["name"], event.get("message", "")))))
        return sorted(lines)

    def _text(self, text):
        # Which of several nodes comes first is chance.
        # So is which of several pods without a request is found first.
        text = re.sub(r"of Pod web-\w+(-\w+)?", "of Pod <any>", text)
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


def difference(wanted, states):
    """What differs in the first state that does."""
    for number, (one, other) in enumerate(zip(wanted, states), 1):
        if one != other:
            lines = [line for line in difflib.unified_diff(one, other, "original", "ours", lineterm="", n=0) if line[:2] not in ("@@",)]
            return ["after step %d:" % number, *lines]
    return ["the states are %d and %d" % (len(wanted), len(states))]


def main(made_up, cluster):
    """Runs the scenarios that a module makes up, on two clusters of a class."""
    kinds = made_up.KINDS
    parser = argparse.ArgumentParser(prog="e2e/differential.sh", description=__doc__)
    parser.add_argument("--kinds", "--owners", "--nodes", dest="kinds", nargs="*", metavar="KIND", help="which of %s; default all" % ", ".join(kinds))
    parser.add_argument("--count", type=int, default=10, help="how many scenarios of each kind; default 10")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first scenario of the seed; default 0")
    parser.add_argument("--seed", type=int, help="makes the same scenarios as last time; default: others each time")
    parser.add_argument("--manager", metavar="CMD", default=OURS + " --leader-elect=false",
                        help="our side, a command with {kubeconfig}")
    parser.add_argument("--minutes", type=float, default=1e6, help="starts no further scenario after this time; default: no limit")
    parser.add_argument("-j", "--jobs", type=int, default=32, help="scenarios side by side; default 32")
    parser.add_argument("-v", "--verbose", action="store_true", help="tells where the original differed from itself")
    parser.add_argument("--out", metavar="DIR", default="differential", help="where scenarios in which ours differs are left")
    options = parser.parse_args()
    options.kinds = options.kinds or list(kinds)
    if not set(options.kinds) <= set(kinds):
        parser.error("a kind is one of " + ", ".join(kinds))
    seed = random.randrange(1000000) if options.seed is None else options.seed
    print("seed %d" % seed, flush=True)
    scenarios = [("%s-%d-%d" % (kind, seed, number), made_up.scenario(kind, "%d/%d" % (seed, number)))
                 for number in range(options.first, options.first + options.count) for kind in options.kinds]
    directory = tempfile.mkdtemp(prefix="kubeloop-differential-")
    sides = []
    Side.register("Cluster", cluster, exposed=("execute", "close"))
    try:
        for name, command in (("original", None), ("ours", options.manager)):
            host = Side()
            host.start()
            path = os.path.join(directory, name)
            os.mkdir(path)
            sides.append(host.Cluster(command, path))
            sides[-1].host = host  # it ends with its host
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        return compare(scenarios, options, *sides)
    finally:
        for cluster in sides:
            cluster.close()
        remove(directory)


class Side(multiprocessing.managers.BaseManager):
    """The process of a cluster; a caller's thread has a thread of its own there."""


def judge(original, ours, name, steps, end):
    """The runs of the original, those of ours, and whether one of them was like one of the original's: None if no two of those
    were equal. None without a run if it is too late."""
    traces, runs = [], []
    if time.time() > end:
        return None
    while len(traces) < ORIGINALS and not repeated(traces):
        traces.append(original.execute(name, steps, traces))
    if not repeated(traces):
        return traces, runs, None
    while len(runs) < ATTEMPTS:
        runs.append(ours.execute(name, steps, traces))
        if runs[-1] in traces:
            break
        traces.append(original.execute(name, steps, traces))
    return traces, runs, any(run in traces for run in runs)


def repeated(traces):
    return any(trace in traces[:number] and trace[0][:1] != ["failed"] for number, trace in enumerate(traces))


def compare(scenarios, options, original, ours):
    end = time.time() + 60 * options.minutes
    counts = {kind: collections.Counter() for kind in options.kinds}
    os.makedirs(options.out, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        started = {pool.submit(judge, original, ours, name, steps, end): (name, steps) for name, steps in scenarios}
        for future in concurrent.futures.as_completed(started):
            name, steps = started[future]
            if future.result() is None:
                continue
            traces, runs, equal = future.result()
            count = counts[name.split("-")[0]]
            count.update(["made up", {None: "undecided", True: "same", False: "different"}[equal]])
            count.update(["at once"] if equal and len(runs) == 1 else [])
            if len(runs) > 1 and runs[0] not in traces:
                nearest = max(traces, key=lambda trace: sum(one == other for one, other in zip(trace, runs[0])))
                with open(os.path.join(options.out, name + ".json"), "w", encoding="utf-8") as f:
                    json.dump({"steps": steps, "original": traces, "ours": runs}, f, indent=1)
                print("%s: %s\n    %s" % ("the first of %d runs differs" % len(runs) if equal else "differs", name,
                                           "\n    ".join(difference(nearest, runs[0]))), flush=True)
            elif equal is None:
                told = difference(traces[0], traces[1])
                print("undecided: %s %s" % (name, "\n    ".join(told) if options.verbose else " ".join(
                    [told[0], *sorted({line.split(" ")[0] for line in told[3:]})])), flush=True)
            if sum(count["made up"] for count in counts.values()) % 50 == 0:
                report(counts)
    report(counts)
    return 1 if any(count["different"] for count in counts.values()) else 0


def report(counts):
    for kind, count in counts.items():
        print("%s: %d made up, %d undecided by the original, %d the same with ours (%d in the first run), %d different" % (
            kind, *(count[what] for what in ("made up", "undecided", "same", "at once", "different"))), flush=True)


if __name__ == "__main__":
    sys.exit(main(random_workloads, Cluster))
