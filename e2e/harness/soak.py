"""Has services and sets come and go, each under a new name, and looks whether the controllers forget them. See e2e/soak.sh.

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
from kubeapi import Kube, path_for, wait_until
from parity import OURS
from servers import Manager, RealServer, kube_binaries, remove, rules

NAMESPACE = "soak"
# So many cycles fill what the correlator of events keeps.
REMEMBERED = 2 * 4096
# Cycles in the part that counts.
LEAST = 10000
ROW = re.compile(r"\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)")


class Sample:
    """What a JVM holds: bytes of live objects, and how many of each class; threads, open files, resident MiB."""

    def __init__(self, pid, cycles):
        self.cycles = cycles
        told = subprocess.check_output([jcmd(), str(pid), "GC.class_histogram"], text=True)
        rows = [(row[3], int(row[1]), int(row[2])) for row in map(ROW.match, told.splitlines()) if row]
        self.classes = {name: (count, size) for name, count, size in rows}
        self.heap = sum(size for _, _, size in rows)
        self.files = len(os.listdir("/proc/%d/fd" % pid))
        with open("/proc/%d/status" % pid, encoding="utf-8") as f:
            status = dict(line.split(":", 1) for line in f)
        self.threads, self.resident = int(status["Threads"]), int(status["VmRSS"].split()[0]) // 1024

    def __str__(self):
        return "%7d cycles  live %8.1f KiB  threads %3d  files %3d  resident %4d MiB" % (
            self.cycles, self.heap / 1024, self.threads, self.files, self.resident)

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


class Soak:
    """A run: a part that fills what is bounded, and a part that counts."""

    def __init__(self, server, manager, options):
        self.churn, self.manager, self.every = Churn(server, options.jobs), manager, options.every
        self.end = time.time() + options.minutes * 60

    def samples(self):
        """One from the beginning and one from the end of the part that counts."""
        start = time.time()
        self._until(start + (self.end - start) / 3, REMEMBERED)
        before = self._sample_at_rest()
        self._until(self.end, before.cycles + LEAST)
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
        sample = Sample(self.manager.process.pid, self.churn.cycles)
        print("%s  %s" % (sample, when), flush=True)
        return sample


def judge(first, last):
    """What is wrong: something has grown with every cycle."""
    cycles = last.cycles - first.cycles
    problems = []
    per_cycle = (last.heap - first.heap) / cycles
    print("%d cycles: %.1f bytes each; grown most:" % (cycles, per_cycle))
    for name, count, size in last.grown(first)[:8]:
        print("  %+8d  %+10d bytes  %s" % (count, size, name))
    # An entry of a map takes more, with its key.
    if per_cycle > 64:
        problems.append("the live heap has grown by %.1f bytes with each cycle" % per_cycle)
    if last.threads > first.threads + 4:
        problems.append("threads: %d, then %d" % (first.threads, last.threads))
    if last.files > first.files + 4:
        problems.append("open files: %d, then %d" % (first.files, last.files))
    return problems


def main():
    parser = argparse.ArgumentParser(prog="e2e/soak.sh", description=__doc__)
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
        assets = kube_binaries()
        command = options.manager or OURS + rules(assets)
        server = RealServer(os.path.join(directory, "server"), assets)
        try:
            api = Kube(server.kubeconfig, "soak-runner")
            api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
            simulation = podsim.PodSim(Kube(server.kubeconfig, "kubelet-sim"), NAMESPACE)
            simulation.start()
            manager = Manager(command, server, directory)
            try:
                manager.await_acting()
                problems = judge(*Soak(server, manager, options).samples())
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
