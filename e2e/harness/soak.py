"""Has services and sets, or with --trees namespaces with trees of owners and custom resource definitions, come and go, each under
a new name, and looks whether the controllers forget them. See e2e/soak.sh.

What they keep on purpose is bounded: the correlator of events remembers 4096 keys. So a first part of the run fills that, and only
the rest counts. Samples are taken while nothing is under way, after a collection of garbage.
"""
import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import podsim
from kubeapi import ApiError, Kube, path_for, wait_until
from servers import OURS, Manager, RealServer, kube_binaries, remove

NAMESPACE = "soak"
# So many cycles fill what the correlator of events keeps.
REMEMBERED = 2 * 4096
# Cycles in the part that counts.
LEAST = 10000
# The same with trees, whose cycles take seconds each and write few events.
TREES_REMEMBERED, TREES_LEAST = 200, 400
# Bytes of live heap that a cycle may leave: an entry of a map takes more, with its key. A cycle of a tree has eight objects and more.
LEFT, TREES_LEFT = 64, 512
WATCHES = re.compile(r'^apiserver_longrunning_requests\{.*verb="WATCH".*\} (\S+)$', re.MULTILINE)
ROW = re.compile(r"\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)")


class Sample:
    """What a JVM holds: bytes of live objects, and how many of each class; threads, open files, resident MiB; and the watches that
    are open at the server."""

    def __init__(self, pid, cycles, watches):
        self.cycles, self.watches = cycles, watches
        told = subprocess.check_output([jcmd(), str(pid), "GC.class_histogram"], text=True)
        rows = [(row[3], int(row[1]), int(row[2])) for row in map(ROW.match, told.splitlines()) if row]
        self.classes = {name: (count, size) for name, count, size in rows}
        self.heap = sum(size for _, _, size in rows)
        self.files = len(os.listdir("/proc/%d/fd" % pid))
        with open("/proc/%d/status" % pid, encoding="utf-8") as f:
            status = dict(line.split(":", 1) for line in f)
        self.threads, self.resident = int(status["Threads"]), int(status["VmRSS"].split()[0]) // 1024

    def __str__(self):
        return "%7d cycles  live %8.1f KiB  threads %3d  files %3d  watches %3d  resident %4d MiB" % (
            self.cycles, self.heap / 1024, self.threads, self.files, self.watches, self.resident)

    def grown(self, before):
        """Which classes have grown most since then, largest first: (name, instances, bytes)."""
        rows = [(name, count - before.classes.get(name, (0, 0))[0], size - before.classes.get(name, (0, 0))[1])
                for name, (count, size) in self.classes.items()]
        return sorted(rows, key=lambda row: -row[2])


def jcmd():
    home = os.environ.get("JAVA_HOME")
    found = os.path.join(home, "bin", "jcmd") if home else shutil.which("jcmd")
    if not found or not os.access(found, os.X_OK):
        raise RuntimeError("soak: there is no jcmd, which belongs to a JDK: looked for %s" % (found or "jcmd on the PATH"))
    return found


class Churn:
    """Makes a service and a set, watches over what becomes of them, and takes them away, again and again."""

    remembered, least, left = REMEMBERED, LEAST, LEFT

    def __init__(self, server, workers):
        self.api, self.workers = Kube(server.kubeconfig, "soak-runner"), workers
        self.numbers, self.cycles = itertools.count(1), 0

    def run(self, seconds):
        """For so long, and until nothing is under way any more."""
        end = time.time() + seconds
        with concurrent.futures.ThreadPoolExecutor(self.workers) as executor:
            self.cycles += sum(executor.map(lambda _: self._work(end), range(self.workers)))

    def _work(self, end):
        cycles = 0
        while time.time() < end:
            self._cycle(next(self.numbers))
            cycles += 1
        return cycles

    def _cycle(self, number):
        name, kind = "soak-%d" % number, ("ReplicaSet", "ReplicationController")[number % 2]
        labels = {"app": name}
        self._create({"kind": "Service", "spec": {"selector": labels, "ports": [{"port": 80}]}}, name)
        self._create({"kind": kind, "spec": {
            "replicas": 2, "selector": {"matchLabels": labels} if kind == "ReplicaSet" else labels, "template": {
                "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "example/app:1"}]}}}}, name)
        self._await("two addresses", lambda: self._addresses(name) == 2)
        if number % 3:
            self._scale(kind, name, 1)
            self._await("one address", lambda: self._addresses(name) == 1)
        self._scale(kind, name, 0)
        self._await("no address", lambda: self._addresses(name) == 0)
        self.api.delete(self._path(kind, name), propagation="Background")
        self.api.delete(self._path("Service", name))
        self._await("no Endpoints", lambda: self.api.get(self._path("Endpoints", name), ok404=True) is None)

    @staticmethod
    def _path(kind, name=None, sub=None):
        return path_for(kind, NAMESPACE, name, sub)

    def _create(self, item, name):
        version = "apps/v1" if item["kind"] == "ReplicaSet" else "v1"
        self.api.create(self._path(item["kind"]), {"apiVersion": version, "metadata": {"name": name}, **item})

    def _scale(self, kind, name, replicas):
        self.api.patch(self._path(kind, name, "scale"), {"spec": {"replicas": replicas}})

    def _addresses(self, name):
        """How many the Endpoints have; None if there are none of that name."""
        endpoints = self.api.get(self._path("Endpoints", name), ok404=True)
        return endpoints and sum(len(subset.get("addresses") or []) for subset in endpoints.get("subsets") or [])

    @staticmethod
    def _await(what, condition):
        if not wait_until(condition, 60):
            raise RuntimeError("soak: %s did not come within 60 s" % what)


class TreeChurn(Churn):
    """Makes a namespace with a tree of owners of several kinds, deletes the root and then the namespace, again and again. In each
    fourth cycle a kind of the tree is a custom resource, whose definition comes and goes as well."""

    remembered, least, left = TREES_REMEMBERED, TREES_LEAST, TREES_LEFT

    DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

    def _cycle(self, number):
        namespace, definition = "soak-%d" % number, None
        policy = ("Background", "Foreground", "Orphan")[number % 3]
        self.api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        for kind, name in (("ServiceAccount", "default"), ("ConfigMap", "kube-root-ca.crt")):
            self._await("%s %s" % (kind, name), lambda: self.api.get(self._of(kind, namespace, name), ok404=True))
        kinds = ["Secret", "ServiceAccount", "Service", "Deployment"]
        if number % 4 == 0:
            definition = self._define(number)
            kinds.append(definition)
        root = self._make("ConfigMap", namespace, "root", None)
        children = {kind: self._make(kind, namespace, "child", root) for kind in kinds}
        for kind, child in children.items():
            self._make("ConfigMap", namespace, "grandchild-" + self._kind(kind).lower(), child)
        self._await("a ReplicaSet", lambda: self.api.list(path_for("ReplicaSet", namespace))[0])
        self.api.delete(self._of("ConfigMap", namespace, "root"), propagation=policy)
        gone = [self._of(kind, namespace, "child") for kind in kinds]
        if policy == "Orphan":
            self._await("orphans", lambda: all(not self.api.get(path)["metadata"].get("ownerReferences") for path in gone))
        else:
            self._await("an empty tree", lambda: all(self.api.get(path, ok404=True) is None for path in gone))
        self.api.delete(path_for("Namespace", None, namespace))
        self._await("no namespace", lambda: self.api.get(path_for("Namespace", None, namespace), ok404=True) is None)
        if definition:
            path = "%s/%s" % (self.DEFINITIONS, definition.split("/")[0])
            self.api.delete(path)
            self._await("no definition", lambda: self.api.get(path, ok404=True) is None)

    @staticmethod
    def _await(what, condition):
        # Controllers learn of new kinds each 30 s, and a namespace goes 5 s after its deletion at the earliest.
        if not wait_until(condition, 180, 0.2):
            raise RuntimeError("soak: %s did not come within 180 s" % what)

    def _define(self, number):
        """Makes a definition and waits until its resource is served; its name, group and plural, as _of expects them."""
        group, plural = "soak%d.example.com" % number, "things%d" % number
        name = "%s.%s" % (plural, group)
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        self.api.create(self.DEFINITIONS, {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": name}, "spec": {
                "group": group, "scope": "Namespaced", "names": {"plural": plural, "kind": "Thing%d" % number},
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}]}})
        self._await("custom resources", lambda: self._serves("/apis/%s/v1/%s" % (group, plural)))
        return "%s/%s/%s" % (name, group, plural)

    def _serves(self, path):
        try:
            return self.api.get(path, ok404=True)
        except ApiError as e:
            if e.status != 429:  # the storage of the resource is being initialized
                raise
            return None

    @staticmethod
    def _kind(kind):
        return "Thing" + kind.rsplit("things", 1)[1] if "/" in kind else kind

    @staticmethod
    def _of(kind, namespace, name=None):
        """The path of a collection or an object; a kind with slashes is one that _define made."""
        if "/" in kind:
            _, group, plural = kind.split("/")
            collection = "/apis/%s/v1/namespaces/%s/%s" % (group, namespace, plural)
        elif kind in ("Secret", "ServiceAccount"):
            collection = "/api/v1/namespaces/%s/%ss" % (namespace, kind.lower())
        else:
            collection = path_for(kind, namespace)
        return collection + "/" + name if name else collection

    def _make(self, kind, namespace, name, owner):
        """Creates an object that the owner owns, and returns what refers to it as an owner."""
        version = kind.split("/")[1] + "/v1" if "/" in kind else "apps/v1" if kind == "Deployment" else "v1"
        metadata = {"name": name, "ownerReferences": [owner] if owner else []}
        item = {"apiVersion": version, "kind": self._kind(kind), "metadata": metadata}
        labels = {"app": name}
        if kind == "Service":
            item["spec"] = {"selector": labels, "ports": [{"port": 80}]}
        if kind == "Deployment":
            item["spec"] = {"replicas": 0, "selector": {"matchLabels": labels}, "template": {
                "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "example/app:1"}]}}}
        made = self.api.create(self._of(kind, namespace), item)
        return {"apiVersion": version, "kind": item["kind"], "name": name, "uid": made["metadata"]["uid"],
                "blockOwnerDeletion": True}


class Soak:
    """A run: a part that fills what is bounded, and a part that counts."""

    def __init__(self, server, manager, options):
        self.churn, self.manager, self.every = (TreeChurn if options.trees else Churn)(server, options.jobs), manager, options.every
        self.kubeconfig = server.kubeconfig
        self.end = time.time() + options.minutes * 60

    def samples(self):
        """One from the beginning and one from the end of the part that counts."""
        start = time.time()
        self._until(start + (self.end - start) / 3, self.churn.remembered)
        before = self._sample_at_rest()
        self._until(self.end, before.cycles + self.churn.least)
        return before, self._sample_at_rest()

    def _until(self, end, cycles):
        while time.time() < end or self.churn.cycles < cycles:
            self.churn.run(self.every)
            self._sample("under way")

    def _sample_at_rest(self):
        """What was written is remembered for a minute, and forgotten with the next write."""
        time.sleep(65)
        self.churn.run(0.1)
        return self._sample("at rest")

    def _sample(self, when):
        time.sleep(2)  # events are written a little later
        self.manager.process.check()
        sample = Sample(self.manager.process.pid, self.churn.cycles, self._watches())
        print("%s  %s" % (sample, when), flush=True)
        return sample

    def _watches(self):
        told = subprocess.check_output([os.environ.get("KUBECTL", "kubectl"), "--kubeconfig", self.kubeconfig, "get", "--raw", "/metrics"],
                                       text=True)
        return sum(int(float(value)) for value in WATCHES.findall(told))


def judge(first, last, left):
    """What is wrong: something has grown with every cycle, by more than so many bytes."""
    cycles = last.cycles - first.cycles
    problems = []
    per_cycle = (last.heap - first.heap) / cycles
    print("%d cycles: %.1f bytes each; grown most:" % (cycles, per_cycle))
    for name, count, size in last.grown(first)[:8]:
        print("  %+8d  %+10d bytes  %s" % (count, size, name))
    if per_cycle > left:
        problems.append("the live heap has grown by %.1f bytes with each cycle" % per_cycle)
    if last.threads > first.threads + 4:
        problems.append("threads: %d, then %d" % (first.threads, last.threads))
    if last.watches > first.watches + 4:
        problems.append("open watches: %d, then %d" % (first.watches, last.watches))
    if last.files > first.files + 4:
        problems.append("open files: %d, then %d" % (first.files, last.files))
    return problems


def main():
    parser = argparse.ArgumentParser(prog="e2e/soak.sh", description=__doc__)
    parser.add_argument("--trees", action="store_true",
                        help="namespaces, trees of owners and custom resources instead of services and sets")
    parser.add_argument("--minutes", type=float, default=30, help="how long, at the least; default 30")
    parser.add_argument("--every", type=float, default=60, help="seconds between samples; default 60")
    parser.add_argument("--manager", metavar="CMD", help="a command with {kubeconfig}; a JVM; default: ./kubeloop")
    parser.add_argument("-j", "--jobs", type=int, default=4, help="services and sets at the same time; default 4")
    options = parser.parse_args()
    # So that servers and controllers are stopped then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    jcmd()
    directory = tempfile.mkdtemp(prefix="kubeloop-soak-")
    try:
        command = options.manager or OURS
        server = RealServer(os.path.join(directory, "server"), kube_binaries())
        try:
            api = Kube(server.kubeconfig, "soak-runner")
            api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
            simulation = podsim.PodSim(Kube(server.kubeconfig, "kubelet-sim"), NAMESPACE)
            simulation.start()
            manager = Manager(command, server, directory)
            try:
                manager.await_acting()
                soak = Soak(server, manager, options)
                problems = judge(*soak.samples(), soak.churn.left)
            finally:
                manager.stop()
            simulation.stop()
        finally:
            server.close()
    finally:
        remove(directory)
    for problem in problems:
        print("FAIL  " + problem)
    print("soak: %d problems" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
