"""Measures our controllers beside kube-controller-manager on a real API server: same work, same flags, one after the other in
the same run. See e2e/scale.sh.

Each measurement has an API server of its own. Times and requests come from its audit log, CPU and memory from /proc.
"""
import argparse
import contextlib
import datetime
import json
import multiprocessing
import os
import shlex
import signal
import statistics
import sys
import tempfile
import threading
import time

import podsim
from kubeapi import Config, JSON, Kube, STRATEGIC, path_for, wait_until
from servers import KUBELOOP, Manager, RealServer, kube_binaries, remove

RUNNER = "scale-runner"
NAMESPACE = "scale"
CONTROLLERS = "endpoint,replicaset,deployment,daemonset,job"
# All controllers but the one that takes nodes without a kubelet for dead.
ALL_CONTROLLERS = "*,-node-lifecycle-controller"
# So high that it never holds anybody back.
OFF = 1000000
CEILING_PODS, CEILING_PROCESSES, CEILING_THREADS = 5000, 2, 8

# name: (replica sets, pods in each, services over ready pods instead of sets to fill)
WORKLOADS = {"1x5000": (1, 5000, False), "100x50": (100, 50, False), "services": (100, 10, True)}
# The workloads whose pods run: simulated kubelets start them.
RUNNING = ("rollouts", "job", "daemonset")
ROLLED, NODES, COMPLETIONS = (50, 20), 500, 2000
IDLE_SETS, IDLE_PODS, IDLE_SECONDS, IDLE_NODES = 100, 100, 600, 10
TITLES = {"rollouts": "50 Deployments x 20 pods, rolled twice", "job": "Job of 2,000 completions, parallelism 100",
          "daemonset": "DaemonSet on 500 nodes", "1x5000": "1 ReplicaSet x 5,000 pods", "100x50": "100 ReplicaSets x 50 pods",
          "services": "Endpoints of 100 Services x 10 pods",
          "idle": "10 minutes idle with 10,000 pods, all controllers"}


# -- objects
def template(app):
    return {"metadata": {"labels": {"app": app}}, "spec": {"containers": [{
        "name": "c", "image": "example/app:1", "ports": [{"name": "http", "containerPort": 8080}]}]}}


def replica_set(name, replicas):
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name}, "spec": {
        "replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template(name)}}


def service(name):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": {
        "selector": {"app": name}, "ports": [{"port": 80, "targetPort": "http"}]}}


def workload(kind, name, spec):
    version = "batch/v1" if kind == "Job" else "apps/v1"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def owned_pod(owner, number):
    """A pod as the controller would have made it."""
    name = owner["metadata"]["name"]
    pod = {"apiVersion": "v1", "kind": "Pod", **template(name)}
    pod["metadata"].update(name="%s-%05d" % (name, number), ownerReferences=[{
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": owner["metadata"]["uid"], "controller": True,
        "blockOwnerDeletion": True}])
    pod["spec"]["nodeName"] = "node-%d" % (number % IDLE_NODES)
    return pod


# -- who runs where
class Machine:
    """Its cores, and the directory of the run. Apart, servers have one half of the cores, and whoever asks them the other."""

    def __init__(self, assets, directory, apart):
        self.assets, self.directory = assets, directory
        cores = sorted(os.sched_getaffinity(0))
        half = (len(cores) + 1) // 2
        self.servers = set(cores[:half] if apart else cores)
        self.clients = set(cores[half:] if apart else cores)
        # Those that this process starts from now on inherit it.
        os.sched_setaffinity(0, self.clients)

    @contextlib.contextmanager
    def server(self):
        """A fresh API server, until the end of the block."""
        os.sched_setaffinity(0, self.servers)
        try:
            server = RealServer(self.directory, self.assets)
        finally:
            os.sched_setaffinity(0, self.clients)
        try:
            yield server
        finally:
            server.close()
            remove(self.directory)


# -- what the system tells
def process_usage(pid):
    """CPU seconds and peak resident MiB."""
    with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak / 1024.0


class Burst:
    """CPU of API server, etcd and controllers, if any, from now on. A machine's speed drifts; how they divide the CPU does so
    less."""

    def __init__(self, server, manager=None):
        self.pids = {"apiserver": server.pid("apiserver"), "etcd": server.pid("etcd")}
        if manager:
            self.pids["manager"] = manager.process.pid
        self.start, self.before = time.time(), self.usage()

    def usage(self):
        return {name: process_usage(pid)[0] for name, pid in self.pids.items()}

    def spent(self):
        return {name: seconds - self.before[name] for name, seconds in self.usage().items()}

    def division(self, cores):
        """CPU seconds per CPU second of the API server, by name; and as "busy" how much of so many cores the servers used."""
        seconds, spent = time.time() - self.start, self.spent()
        shares = {name: used / spent["apiserver"] for name, used in spent.items()}
        return dict(shares, busy=(spent["apiserver"] + spent["etcd"]) / (cores * seconds))


def timestamp(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").timestamp()


class Audit:
    """The writes of a measurement, read from the API server's audit log."""

    def __init__(self, path):
        self.path, self.start = path, os.path.getsize(path)

    def await_quiet(self, seconds=2.0):
        """Until nobody has written anything for so long."""
        size, since = -1, time.time()
        while time.time() - since < seconds:
            now = os.path.getsize(self.path)
            if now != size:
                size, since = now, time.time()
            time.sleep(0.1)

    def read(self):
        """(first request of the runner, the others' writes as (verb and resource, code, end))"""
        first, writes = None, []
        with open(self.path, "rb") as f:
            f.seek(self.start)
            for line in f:
                entry = json.loads(line)
                target = entry.get("objectRef") or {}
                if entry.get("userAgent", "").startswith(RUNNER):
                    first = first or timestamp(entry["requestReceivedTimestamp"])
                    continue
                what = entry["verb"] + " " + "/".join(filter(None, [target.get("resource"), target.get("subresource")]))
                writes.append((what, entry.get("responseStatus", {}).get("code", 0), timestamp(entry["stageTimestamp"])))
        return first, writes


# -- measurements
class Contender:
    """Controllers with a name."""

    def __init__(self, name, command):
        self.name, self.command = name, command

    def manager(self, server, qps, directory, controllers=CONTROLLERS):
        flags = ["--kube-api-qps=%d" % qps, "--kube-api-burst=%d" % (2 * qps)]
        if self.command is None:
            command = server.original(controllers, *flags)
        else:
            pki = os.path.join(server.directory, "pki")
            command = shlex.split(self.command.replace("{controllers}", controllers).replace("{pki}", pki)) + flags
        return Manager(" ".join(map(shlex.quote, command)), server, directory)


def all_done(api, kind, is_done):
    """Waits until all objects of a kind are done."""
    if not wait_until(lambda: all(is_done(item, item.get("status", {})) for item in api.list(path_for(kind, NAMESPACE))[0]), 600, 0.5):
        raise RuntimeError("%s: not done after 600 s" % kind)


def run_rollouts(api):
    """Creates Deployments, and rolls each twice."""
    names = ["app-%03d" % number for number in range(ROLLED[0])]

    def is_done(item, status):
        return (status.get("observedGeneration") == item["metadata"]["generation"] and status.get("replicas") == ROLLED[1]
                and status.get("updatedReplicas") == ROLLED[1] and status.get("availableReplicas") == ROLLED[1])
    for name in names:
        api.create(path_for("Deployment", NAMESPACE), workload("Deployment", name, {
            "replicas": ROLLED[1], "selector": {"matchLabels": {"app": name}}, "template": template(name)}))
    all_done(api, "Deployment", is_done)
    for image in ("example/app:2", "example/app:3"):
        for name in names:
            api.patch(path_for("Deployment", NAMESPACE, name),
                      {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": image}]}}}}, STRATEGIC)
        all_done(api, "Deployment", is_done)


def run_job(api):
    """Creates a Job whose pods succeed at once."""
    pods = {"metadata": {"annotations": {"sim/phase": "Succeeded"}}, "spec": dict(template("c")["spec"], restartPolicy="Never")}
    api.create(path_for("Job", NAMESPACE), workload("Job", "job", {
        "completions": COMPLETIONS, "parallelism": 100, "template": pods}))
    all_done(api, "Job", lambda _, status: status.get("succeeded") == COMPLETIONS and status.get("completionTime"))


def run_daemonset(api):
    """Creates a DaemonSet."""
    api.create(path_for("DaemonSet", NAMESPACE), workload("DaemonSet", "agent", {
        "selector": {"matchLabels": {"app": "agent"}}, "template": template("agent")}))
    all_done(api, "DaemonSet", lambda _, status: status.get("numberAvailable") == NODES)


def make_nodes(api):
    for number in range(NODES):
        api.create(path_for("Node"), {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d" % number}})
        # The server taints a new node until its kubelet reports.
        api.patch(path_for("Node", None, "n%d" % number), {"spec": {"taints": None}})


def measure_running(contender, workload_name, qps, machine):
    """One run of a workload whose pods run; its seconds, requests, CPU and memory."""
    with machine.server() as server:
        api = runner(server)
        if workload_name == "daemonset":
            make_nodes(api)
        simulation = podsim.PodSim(Kube(server.kubeconfig, RUNNER + "-kubelets"), NAMESPACE, workers=8)
        simulation.start()
        work = {"rollouts": run_rollouts, "job": run_job, "daemonset": run_daemonset}[workload_name]
        try:
            return measure_work(contender, server, qps, machine, lambda manager: work(api))
        finally:
            simulation.stop()


def measure(contender, workload, qps, machine):
    """One run; its seconds, requests, CPU and memory."""
    if workload in RUNNING:
        return measure_running(contender, workload, qps, machine)
    sets, pods, is_services = WORKLOADS[workload]
    with machine.server() as server:
        api = runner(server)
        names = ["app-%03d" % number for number in range(sets)]
        if is_services:
            fill(api, names, pods)

        def work(manager):
            for name in names:
                if is_services:
                    api.create(path_for("Service", NAMESPACE), service(name))
                else:
                    api.create(path_for("ReplicaSet", NAMESPACE), replica_set(name, pods))
            done = endpoints_done if is_services else statuses_done
            if not wait_until(lambda: done(api, sets, pods), 300, 0.25):
                raise RuntimeError("%s: %s is not done after 300 s:\n%s" % (contender.name, workload, manager.process.tail()))
        return measure_work(contender, server, qps, machine, work, "endpoints" if is_services else "pods")


def measure_idle(contenders, qps, machine):
    """The rows of all contenders by name, which watch the same pods at the same time; nothing changes. A row has no requests: the
    audit log leaves out those that an idle manager sends, which renew leases and watches."""
    with machine.server() as server:
        api = runner(server)
        for number in range(IDLE_NODES):
            api.create(path_for("Node"), {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-%d" % number}})
        fill(api, ["app-%03d" % number for number in range(IDLE_SETS)], IDLE_PODS)
        managers = {}
        try:
            for number, contender in enumerate(contenders):
                directory = os.path.join(machine.directory, "manager-%d" % number)
                os.makedirs(directory)
                managers[contender.name] = contender.manager(server, qps, directory, ALL_CONTROLLERS)
                Audit(server.audit).await_quiet(20)
            bursts = {name: Burst(server, manager) for name, manager in managers.items()}
            time.sleep(IDLE_SECONDS)
            return {name: idle_row(managers[name], burst, len(machine.servers)) for name, burst in bursts.items()}
        finally:
            for manager in managers.values():
                manager.stop()


def idle_row(manager, burst, cores):
    """The row of a manager that was idle since the start of its burst."""
    manager.process.check()
    division = burst.division(cores)
    return {"seconds": time.time() - burst.start, "cpu": burst.spent()["manager"], "peak": process_usage(manager.process.pid)[1],
            "counts": {}, "refused": 0, "manager": division["manager"], "etcd": division["etcd"], "busy": division["busy"]}


def runner(server):
    """The client that makes the work, in its namespace."""
    api = Kube(server.kubeconfig, RUNNER)
    api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    return api


def measure_work(contender, server, qps, machine, work, counted="pods"):
    """The row of one piece of work, which work(manager) gives to a manager of its own and waits for."""
    manager = contender.manager(server, qps, machine.directory)
    try:
        manager.await_acting()
        Audit(server.audit).await_quiet()
        audit = Audit(server.audit)
        burst = Burst(server, manager)
        work(manager)
        division = burst.division(len(machine.servers))
        audit.await_quiet()
        cpu = burst.spent()["manager"]
        _, peak = process_usage(manager.process.pid)
    finally:
        manager.stop()
    return result(*audit.read(), cpu, peak, division, counted)


def result(first, writes, cpu, peak, division, counted):
    """The row of a run. Its time ends with the last object of the kind that counts."""
    counts = {}
    for what, code, _ in writes:
        what += "" if code < 300 else " -> %d" % code
        counts[what] = counts.get(what, 0) + 1
    return {"seconds": max(end for what, code, end in writes if what == "create " + counted and code < 300) - first,
            "cpu": cpu, "peak": peak, "counts": counts, "manager": division["manager"], "etcd": division["etcd"],
            "busy": division["busy"], "refused": sum(1 for _, code, _ in writes if code >= 300)}


def statuses_done(api, sets, pods):
    items, _ = api.list(path_for("ReplicaSet", NAMESPACE))
    return len(items) == sets and all(item["status"].get("replicas", 0) == pods for item in items)


def endpoints_done(api, sets, pods):
    items, _ = api.list(path_for("Endpoints", NAMESPACE))
    return len(items) == sets and all(
        sum(len(subset.get("addresses") or []) for subset in item.get("subsets") or []) == pods for item in items)


def fill(api, names, pods):
    """Makes sets and their pods, ready, as a settled cluster has them."""
    for index, name in enumerate(names):
        owner = api.create(path_for("ReplicaSet", NAMESPACE), replica_set(name, pods))
        for number in range(pods):
            pod = owned_pod(owner, number)
            api.create(path_for("Pod", NAMESPACE), pod)
            api.patch(path_for("Pod", NAMESPACE, pod["metadata"]["name"], "status"), {
                "status": podsim.status(pod, "Running", True, ["10.64.%d.%d" % (index, number + 1)])})


# -- the ceiling
def ceiling_worker(kubeconfig, pods, results):
    """Creates pods as fast as the server takes them: prepared bytes, no parsing of answers."""
    config = Config(kubeconfig)
    body = json.dumps({"apiVersion": "v1", "kind": "Pod", **template("c"), "metadata": {
        "generateName": "c-", "labels": {"app": "c"}}}).encode()
    head = "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\nContent-Type: %s\r\nAccept: %s\r\nContent-Length: %d\r\n\r\n" % (
        path_for("Pod", NAMESPACE), config.host, RUNNER, JSON, JSON, len(body))
    created = []

    def create(count):
        sock = config.connect(30).sock
        answers = sock.makefile("rb", 1 << 16)
        for _ in range(count):
            sock.sendall(head.encode() + body)
            status, length = answers.readline().split()[1], 0
            for line in iter(answers.readline, b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                chunked = line.lower().startswith(b"transfer-encoding:")
                if chunked:
                    length = -1
            while length < 0:
                size = int(answers.readline(), 16)
                answers.read(size + 2)
                length = 0 if size == 0 else -1
            answers.read(length)
            if status == b"201":
                created.append(1)

    threads = [threading.Thread(target=create, args=(pods // CEILING_THREADS,)) for _ in range(CEILING_THREADS)]
    start = time.time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put((start, time.time(), len(created)))


def ceiling(machine):
    """Pods per second that the API server takes from a trivial client, and how busy that keeps the servers' cores."""
    with machine.server() as server:
        Kube(server.kubeconfig, RUNNER).create(path_for("Namespace"), {
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        results, burst = multiprocessing.Queue(), Burst(server)
        workers = [multiprocessing.Process(target=ceiling_worker, args=(
            server.kubeconfig, CEILING_PODS // CEILING_PROCESSES, results)) for _ in range(CEILING_PROCESSES)]
        for worker in workers:
            worker.start()
        rows = [results.get(timeout=120) for _ in workers]
        busy = burst.division(len(machine.servers))["busy"]
        for worker in workers:
            worker.join()
        return sum(row[2] for row in rows) / (max(row[1] for row in rows) - min(row[0] for row in rows)), busy


def told_ceiling(round_number, machine):
    rate, busy = ceiling(machine)
    print("round %d: ceiling %.0f pods/s, servers busy %.0f %%" % (round_number + 1, rate, 100 * busy), flush=True)
    return rate


# -- the tables
def limit(qps):
    return "off" if qps == OFF else qps


def median(rows, key):
    return statistics.median(row[key] for row in rows)


def spread(rows, key, form):
    values = sorted(row[key] for row in rows)
    return (form + " (" + form + " to " + form + ")") % (statistics.median(values), values[0], values[-1])


def print_table(contenders, results, ceilings):
    """The ceilings, all of them; each run has the mean of those before and after it."""
    print("\n| work | limit | | time s | CPU s | peak MiB | requests | refused |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for (workload, qps), by_name in results.items():
        for contender in contenders:
            rows = by_name[contender.name]
            requests = [dict(row, requests=sum(row["counts"].values())) for row in rows]
            print("| %s | %s | %s | %s | %.2f | %.0f | %s | %s |" % (
                TITLES[workload], limit(qps), contender.name, spread(rows, "seconds", "%.2f"),
                median(rows, "cpu"), median(rows, "peak"), spread(requests, "requests", "%d"), spread(rows, "refused", "%d")))
        # Of neighbours in time: a machine's speed drifts more between rounds than within one.
        pairs = [{key: ours[key] / original[key] for key in ("seconds", "cpu", "peak")}
                 for ours, original in zip(*(by_name[contender.name] for contender in contenders))]
        print("| | | ratio of pairs | %s | %.2f | %.2f | | |" % (
            spread(pairs, "seconds", "%.2f"), median(pairs, "cpu"), median(pairs, "peak")))
    print("\nUntil the work was done (median, smallest to largest): CPU per CPU of the API server, and how busy API server and etcd "
          "kept their cores:\n")
    for (workload, qps), by_name in results.items():
        for contender in contenders:
            rows = by_name[contender.name]
            print("- %s, limit %s, %s: controllers %s, etcd %s; busy %s" % (
                TITLES[workload], limit(qps), contender.name, spread(rows, "manager", "%.2f"),
                spread(rows, "etcd", "%.2f"), spread(rows, "busy", "%.2f")))
    print("\nRequests (median of the runs):\n")
    for (workload, qps), by_name in results.items():
        for contender in contenders:
            rows = [row["counts"] for row in by_name[contender.name]]
            kinds = sorted(set().union(*rows))
            print("- %s, limit %s, %s: %s" % (TITLES[workload], limit(qps), contender.name, ", ".join(
                "%s %d" % (kind, statistics.median(row.get(kind, 0) for row in rows)) for kind in kinds)))
    if ceilings:
        print("\nThe API server takes %.0f pods/s from a trivial client (%.0f to %.0f). Each run's share of what it took right "
              "before and after:\n" % (statistics.median(ceilings), min(ceilings), max(ceilings)))
        for (workload, qps), by_name in results.items():
            for contender in contenders:
                sets, pods, _ = WORKLOADS.get(workload, (0, 0, False))
                shares = [{"share": 100 * sets * pods / row["seconds"] / row["ceiling"]}
                          for row in by_name[contender.name] if "ceiling" in row]
                if shares:
                    print("- %s, limit %s, %s: %s" % (
                        TITLES[workload], limit(qps), contender.name, spread(shares, "share", "%.0f %%")))


def main():
    parser = argparse.ArgumentParser(prog="e2e/scale.sh", description=__doc__)
    parser.add_argument("workload", nargs="*", help="1x5000, 100x50, services, rollouts, job, daemonset, idle; default: all")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each; default 3")
    parser.add_argument("--qps", default="1000,off", help="limits on requests per second; default 1000,off")
    parser.add_argument("--apart", action="store_true", help="servers have one half of the cores, the others the other half")
    parser.add_argument("--manager", metavar="CMD", help="our side, a command with {kubeconfig}, {controllers} and {pki}")
    options = parser.parse_args()
    # So that servers and controllers are stopped then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    workloads = options.workload or list(TITLES)
    if not set(workloads) <= set(TITLES):
        parser.error("a workload is one of " + ", ".join(TITLES))
    if options.apart and len(os.sched_getaffinity(0)) < 2:
        parser.error("--apart needs two cores")
    limits = [OFF if text == "off" else int(text) for text in options.qps.split(",")]
    assets = kube_binaries()
    ours = options.manager or (
        "'%s' controller-manager --kubeconfig {kubeconfig} --controllers={controllers} --leader-elect=false"
        " --root-ca-file={pki}/ca.crt --service-account-private-key-file={pki}/sa.key" % KUBELOOP)
    contenders = [Contender("kubeloop", ours), Contender("kube-controller-manager", None)]
    if not os.access(os.path.join(assets, "kube-controller-manager"), os.X_OK):
        sys.exit("scale: there is no kube-controller-manager in %s to compare with" % assets)
    base = tempfile.mkdtemp(prefix="kubeloop-scale-")
    machine = Machine(assets, os.path.join(base, "run"), options.apart)
    results, ceilings = {}, []
    try:
        for round_number in range(options.rounds):
            # Both sides meet the same moments of the machine, and neither always comes second.
            order = contenders if round_number % 2 == 0 else contenders[::-1]
            for workload in workloads:
                for qps in limits:
                    # A machine's speed can change by half within minutes: a ceiling is worth something beside a run only.
                    beside = qps == OFF and workload in ("1x5000", "100x50")
                    if beside:
                        ceilings.append(told_ceiling(round_number, machine))
                    idle = measure_idle(order, qps, machine) if workload == "idle" else {}
                    for contender in order:
                        row = idle.get(contender.name) or measure(contender, workload, qps, machine)
                        if beside:
                            ceilings.append(told_ceiling(round_number, machine))
                            row["ceiling"] = statistics.mean(ceilings[-2:])
                        results.setdefault((workload, qps), {}).setdefault(contender.name, []).append(row)
                        print("round %d: %s, limit %s, %s: %.2f s, CPU %.2f s, peak %.0f MiB, %d requests, %d refused, "
                              "CPU shares %.2f and %.2f, servers busy %.0f %%" % (
                            round_number + 1, workload, limit(qps), contender.name, row["seconds"],
                            row["cpu"], row["peak"], sum(row["counts"].values()), row["refused"],
                            row["manager"], row["etcd"], 100 * row["busy"]), flush=True)
    finally:
        remove(base)
    print_table(contenders, results, ceilings)


if __name__ == "__main__":
    main()
