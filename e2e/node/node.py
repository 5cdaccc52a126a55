"""Runs scenarios in clusters with real nodes, and compares what the controllers left. See e2e/node.sh."""
import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import golden as goldens
import scenarios
from cluster import KINDS, NODES, Cluster
from kubeapi import wait_until
from servers import kube_binaries, remove
from state import KINDS_DUMPED, Snapshots

# Components that are the same in each cluster.
OTHERS = ("kubelet", "default-scheduler")
PARALLEL = 4


class Run:
    """One scenario in one cluster, in the namespace of its name."""

    def __init__(self, cluster, function):
        self.cluster, self.name = cluster, function.__name__.replace("_", "-")
        self.function = function
        self.lines, self.states, self.events, self.failed, self.passed = [], {}, {}, 0, 0
        self.step = 1
        self.snapshots = Snapshots(cluster.watcher, self.name)
        self.snapshots.node_details = True

    # -- for the watcher
    def owns(self, key):
        return key.startswith(self.name)

    def saw(self, kind, _, item):
        self.snapshots.saw(kind, item, self.step)

    # -- what a scenario does
    def kubectl(self, *arguments, text=None):
        placed = () if arguments[0] == "-n" else ("-n", self.name)
        return self.cluster.kubectl(*placed, *arguments, text=text)

    def out(self, *arguments):
        return self.kubectl(*arguments).stdout.strip()

    def get(self, target, template, labels=None):
        """What a JSON path of objects prints; `labels` selects them, or the volumes of this run."""
        select = [] if labels is None or target == "pv" else ["-l", labels]
        if target == "pv":
            target, select = "pv", ["-l", "run=" + labels]
        template = template if template.startswith("{") else "{" + template + "}"
        return self.out("get", *target.split(" "), *select, "-o", "jsonpath=" + template)

    def field(self, target, path):
        return self.get(target, "{%s}" % path)

    def names(self, kind, labels, fields=None):
        select = (["-l", labels] if labels else []) + (["--field-selector", fields] if fields else [])
        return self.out("get", kind, *select, "--sort-by=.metadata.creationTimestamp", "-o", "jsonpath={.items[*].metadata.name}").split()

    def living(self, labels):
        """The nodes of the pods that are not being deleted."""
        return [pod["spec"].get("nodeName", "") for pod in json.loads(self.out("get", "pods", "-l", labels, "-o", "json"))["items"]
                if "deletionTimestamp" not in pod["metadata"]]

    def addresses(self, service):
        return str(len(self.get("endpointslices", "{.items[*].endpoints[?(@.conditions.ready==true)].addresses[*]}",
                                "kubernetes.io/service-name=" + service).split()))

    def create(self, *items, namespace=None):
        for item in items:
            item["metadata"].setdefault("labels", {"run": self.name})
        done = self.kubectl(*(["-n", namespace] if namespace else []), "create", "-f", "-",
                            text=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        if done.returncode:
            raise RuntimeError(done.stderr)

    def forwarded(self, target, port):
        """What a port of a pod answers to a GET through kubectl's tunnel."""
        command = [os.path.join(self.cluster.assets, "kubectl"), "--kubeconfig", self.cluster.kubeconfig, "-n", self.name,
                   "port-forward", target, ":%d" % port]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as tunnel:
            try:
                line = tunnel.stdout.readline()
                local = re.search(r"127\.0\.0\.1:(\d+)", line)
                if not local:
                    return line + tunnel.stdout.read()
                with urllib.request.urlopen("http://127.0.0.1:" + local[1], timeout=10) as answer:
                    return answer.read().decode()
            finally:
                tunnel.kill()

    # -- what it checks
    def check(self, what, got, wanted=True):
        if got == wanted:
            self.passed += 1
            self.lines.append("ok    %s: %s" % (self.name, what))
        else:
            self.failed += 1
            self.lines.append("FAIL  %s: %s\n      wanted: %s\n      got:    %s" % (self.name, what, wanted, goldens.short(got, 1000)))

    def until(self, what, wanted, probe, seconds=60):
        got = []

        def holds():
            got[:] = [probe()]
            return got[0] == wanted
        # After a failure the others will hardly hold: no long wait for each of them.
        wait_until(holds, min(seconds, 10) if self.failed else seconds, 0.5)
        self.check(what, got[0], wanted)

    def succeeds(self, what, *arguments):
        done = self.kubectl(*arguments)
        self.check(what, done.stderr.strip() if done.returncode else "", "")

    def snapshot(self, label, *cluster_kinds):
        """Keeps the state, once nothing has changed for a while."""
        for kind in cluster_kinds:
            self.cluster.watcher.add(kind)
            self.cluster.watcher.informers[kind].synced.wait(30)
        watched = self.cluster.watcher
        wait_until(lambda: time.time() - max((when for key, when in list(watched.changed.items()) if self.owns(key)), default=0) > 2.5, 40, 0.2)
        owned = (lambda key: key in NODES or self.owns(key))
        state = self.snapshots.take([self.name], [kind for kind in KINDS_DUMPED if kind != "Endpoints"], [], (), cluster_kinds, owned)
        self.states[label] = json.loads(json.dumps(state).replace(self.cluster.dir, "$DIR"))
        self.step += 1

    def execute(self):
        self.cluster.watcher.runs[self.name] = self
        began = time.time()
        try:
            self.cluster.kubectl("create", "namespace", self.name)
            self.function(self)
        except (RuntimeError, OSError, subprocess.SubprocessError, KeyError, IndexError, ValueError) as e:
            self.check("runs to its end", "%s: %s" % (type(e).__name__, e))
        self.events = self.snapshots.events([self.name], OTHERS)
        self.succeeds("its namespace is deleted", "delete", "namespace/" + self.name, "--timeout=60s")
        self.cluster.kubectl("delete", "pv,storageclass", "-l", "run=" + self.name)
        self.cluster.watcher.runs.pop(self.name, None)
        self.lines.append("--    %s: %.0f s" % (self.name, time.time() - began))
        print("\n".join(self.lines), flush=True)
        return self


def nodes_are_ready(cluster):
    """The nodes join, and their taints go."""
    run = Run(cluster, nodes_are_ready)
    run.name = "nodes"
    run.until("both nodes request and get a certificate, and register", " ".join(NODES), lambda: run.get("nodes", "{.items[*].metadata.name}"))
    run.until("both are ready", "True True", lambda: run.get("nodes", "{.items[*].status.conditions[?(@.type=='Ready')].status}"))
    run.until("the taint of new nodes goes", "", lambda: run.get("nodes", "{.items[*].spec.taints}"))
    run.check("each has a range of addresses", sorted(run.get("nodes", "{.items[*].spec.podCIDR}").split()), ["10.200.0.0/24", "10.200.1.0/24"])
    run.until("each asks for a serving certificate, which nobody approves", 2, lambda: len(waiting(run)))
    run.succeeds("the administrator approves them", "certificate", "approve", *waiting(run))
    run.until("they are issued", [], lambda: waiting(run))
    cluster.approve_serving()
    run.until("and the kubelets serve with them", "ok ok", lambda: " ".join(
        run.out("get", "--raw", "/api/v1/nodes/%s/proxy/healthz" % node) for node in NODES))
    print("\n".join(run.lines), flush=True)
    return run


def waiting(run):
    """The requests for serving certificates that are not signed yet."""
    return [request["metadata"]["name"] for request in run.cluster.api.list("/apis/certificates.k8s.io/v1/certificatesigningrequests")[0]
            if request["spec"]["signerName"] == "kubernetes.io/kubelet-serving" and "certificate" not in request["status"]]


def run_cluster(kind, directory, assets, options, command):
    """The runs of a cluster, by name; with a command, that of its nodes and the command's exit code."""
    print("== %s" % kind, flush=True)
    cluster = Cluster(kind, directory, assets, options.image)
    runs = []
    chosen = lambda function: re.search(options.only, function.__name__.replace("_", "-"))
    try:
        cluster.start()
        runs.append(nodes_are_ready(cluster))
        if command:
            run = Run(cluster, subprocess.call)
            run.check(" ".join(command), subprocess.call(command, env=dict(os.environ, KUBECONFIG=cluster.kubeconfig, CLUSTER=cluster.dir)), 0)
            return {"command": run}
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            runs += pool.map(lambda function: Run(cluster, function).execute(), filter(chosen, scenarios.TOGETHER))
        runs += [Run(cluster, function).execute() for function in scenarios.ALONE if chosen(function)]
        cluster.check()
    finally:
        cluster.stop()
    return {run.name: run for run in runs}


def compare(wanted, got, kind):
    """Prints the difference between two runs of a scenario; returns whether there is one."""
    lines = []
    for label in wanted.states:
        lines += ["%s: %s" % (label, line.lstrip("/")) for line in goldens.differences(wanted.states[label], got.states.get(label, {}))]
    # An event of something that is tried again may be missing: the first try may have come late enough.
    both = [{event: count for event, count in events.items() if count != "+" or event in other}
            for events, other in ((wanted.events, got.events), (got.events, wanted.events))]
    lines += goldens.compare_events(*both)
    if lines:
        print("DIFF  %s in %s\n      %s" % (wanted.name, kind, "\n      ".join(lines)))
    else:
        print("same  %s in %s: %d states, %d events" % (wanted.name, kind, len(wanted.states), len(wanted.events)))
    return bool(lines)


def main():
    parser = argparse.ArgumentParser(prog="e2e/node.sh", description=__doc__)
    parser.add_argument("clusters", nargs="*", metavar="CLUSTER", help="original, kubeloop, embedded; default: all")
    parser.add_argument("--only", default=".", metavar="REGEX", help="only scenarios whose name matches")
    parser.add_argument("--image", action="append", default=[], metavar="FILE", help="an archive of an image for the nodes; repeatable")
    parser.add_argument("--keep", metavar="DIR", help="a directory, short and absolute, where logs, states and events are left")
    parser.epilog = "A command that follows -- is run in each cluster instead of the scenarios, with KUBECONFIG, and the directory in CLUSTER."
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options, command = parser.parse_args(sys.argv[1:end]), sys.argv[end + 1:]
    clusters = options.clusters or list(KINDS)
    if set(clusters) - set(KINDS) or os.geteuid() != 0:
        parser.error("clusters are original, kubeloop, embedded; nodes need root")
    assets = kube_binaries("kubelet", "kube-scheduler", "kube-proxy")
    # Whoever ends the suite ends the nodes, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    directory = options.keep or tempfile.mkdtemp(prefix="kl-")
    try:
        found = {kind: run_cluster(kind, directory, assets, options, command) for kind in clusters}
        if options.keep:
            with open(os.path.join(directory, "states.json"), "w", encoding="utf-8") as file:
                json.dump({kind: {name: [run.states, run.events] for name, run in runs.items()} for kind, runs in found.items()}, file, indent=1)
    finally:
        if not options.keep:
            remove(directory)
    passed = sum(run.passed for runs in found.values() for run in runs.values())
    failed = sum(run.failed for runs in found.values() for run in runs.values())
    for kind in clusters[1:]:
        print("== %s beside %s" % (kind, clusters[0]))
        for name, run in found[clusters[0]].items():
            if run.states and name in found[kind]:
                differs = compare(run, found[kind][name], kind)
                passed, failed = passed + (not differs), failed + differs
    print("node: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
