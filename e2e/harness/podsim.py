"""Plays scheduler and kubelets: binds pods, reports them running and ready with an address, and finishes deletions.

Single pods are steered by annotations:

  sim/hold: "true"         is not scheduled
  sim/bind-only: "true"    is bound, and never reports a status
  sim/ready: "false"       runs, not ready
  sim/phase: Failed        reports this phase instead of Running (not ready unless sim/ready is "true")
  sim/node: NAME           is bound to this node
  sim/ip: A[,B]            has these addresses, the first of them as podIP; "none" for no address
  sim/delay-ms: N          reports its status after so long
  sim/hold-delete: "true"  its deletion is not finished
"""
import collections
import datetime
import heapq
import queue
import threading
import time

from kubeapi import ApiError, Informer, path_for


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class PodSim:
    """A simulation of all pods of a namespace, or of all namespaces."""

    def __init__(self, api, namespace=None, nodes=4, workers=4, ip_prefix="10.200", on_event=None):
        self.api, self.nodes = api, nodes
        self.ip_prefix = ip_prefix
        self.on_event = on_event
        self.lock = threading.Lock()
        self.count = 0
        self.siblings = collections.Counter()
        self.pods = {}            # uid -> {"n": ordinal, "node": number, "started": bool, "deleting": bool}
        self.in_flight = 0
        self.jobs = queue.Queue()
        self.timers = []          # heap of (due, ordinal, job)
        self.errors = []
        self.stopping = threading.Event()
        self.informer = Informer(api, path_for("Pod", namespace), self._event)
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        self.threads.append(threading.Thread(target=self._tick, daemon=True))

    def start(self):
        for thread in self.threads:
            thread.start()
        self.informer.start()
        if not self.informer.synced.wait(60):
            raise RuntimeError("pod simulation: the server gave no list of pods")

    def stop(self):
        self.stopping.set()
        self.informer.stop()
        for _ in self.threads:
            self.jobs.put(None)

    def busy(self):
        with self.lock:
            return self.in_flight > 0

    def _event(self, kind, pod):
        if self.on_event:
            self.on_event(kind, pod)
        uid = pod["metadata"]["uid"]
        with self.lock:
            if kind == "DELETED":
                self.pods.pop(uid, None)
                return
            known = self.pods.get(uid)
            if known is None:
                self.count += 1
                # The pods of each owner go round the nodes by themselves: whose come first is chance.
                family = (pod["metadata"]["namespace"], pod["metadata"].get("generateName"))
                self.siblings[family] += 1
                started = bool(pod.get("status", {}).get("podIP"))
                known = self.pods[uid] = {"n": self.count, "node": (self.siblings[family] - 1) % self.nodes + 1,
                                          "started": started, "deleting": False}
            job = self._job(pod, known)
            if job is None:
                return
            self.in_flight += 1
            delay = int((pod["metadata"].get("annotations") or {}).get("sim/delay-ms", 0))
            if delay and job[0] == self._start:
                heapq.heappush(self.timers, (time.time() + delay / 1000.0, known["n"], job))
                return
        self.jobs.put(job)

    def _job(self, pod, known):
        """What is to be done about the pod now, once each; None if nothing is."""
        annotations = pod["metadata"].get("annotations") or {}
        if pod["metadata"].get("deletionTimestamp"):
            if known["deleting"] or annotations.get("sim/hold-delete") == "true":
                return None
            known["deleting"] = True
            return self._delete, pod, known
        if known["started"] or annotations.get("sim/hold") == "true":
            return None
        known["started"] = True
        return self._start, pod, known

    def _tick(self):
        while not self.stopping.wait(0.02):
            due = []
            with self.lock:
                while self.timers and self.timers[0][0] <= time.time():
                    due.append(heapq.heappop(self.timers)[2])
            for job in due:
                self.jobs.put(job)

    def _work(self):
        while True:
            job = self.jobs.get()
            if job is None:
                return
            action, pod, known = job
            try:
                action(pod, known)
            except ApiError as e:
                # Gone or changed meanwhile: that is the scenario's doing.
                if e.status not in (404, 409):
                    self.errors.append(str(e))
            except OSError as e:
                self.errors.append(str(e))
            finally:
                with self.lock:
                    self.in_flight -= 1

    def _delete(self, pod, _):
        meta = pod["metadata"]
        self.api.delete(path_for("Pod", meta["namespace"], meta["name"]), grace=0, uid=meta["uid"])

    def _start(self, pod, known):
        meta = pod["metadata"]
        annotations = meta.get("annotations") or {}
        node = pod["spec"].get("nodeName")
        if not node:
            node = annotations.get("sim/node") or pinned(pod) or "node-%d" % known["node"]
            self.api.create(path_for("Pod", meta["namespace"], meta["name"], "binding"), {
                "apiVersion": "v1", "kind": "Binding", "metadata": {"name": meta["name"], "uid": meta["uid"]},
                "target": {"apiVersion": "v1", "kind": "Node", "name": node}})
        if annotations.get("sim/bind-only") == "true":
            return
        phase = annotations.get("sim/phase", "Running")
        ready = annotations.get("sim/ready", "true" if phase == "Running" else "false") == "true"
        wanted = annotations.get("sim/ip")
        ips = [] if wanted == "none" else wanted.split(",") if wanted else self._addresses(known["n"])
        self.api.patch(path_for("Pod", meta["namespace"], meta["name"], "status"),
                       {"metadata": {"uid": meta["uid"]}, "status": status(pod, phase, ready, ips)})

    def _addresses(self, n):
        ipv4 = "%s.%d.%d" % (self.ip_prefix, n // 250, n % 250 + 1)
        return [ipv4]

    def is_made_up(self, ip):
        """Whether an address is one that this simulation gave out."""
        return ip.startswith(self.ip_prefix + ".") or ip.startswith("fd00:10:200::")


def pinned(pod):
    """The node that the pod's affinity names, as that of a DaemonSet does; or None."""
    affinity = pod["spec"].get("affinity", {}).get("nodeAffinity", {})
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution", {})
    return next((field["values"][0] for term in required.get("nodeSelectorTerms", [])
                 for field in term.get("matchFields", []) if field["key"] == "metadata.name"), None)


def status(pod, phase, ready, ips):
    """The status that a kubelet would report."""
    time_now = now()
    yes_or_no = "True" if ready else "False"
    report = {"phase": phase, "startTime": time_now, "hostIP": "172.18.0.2", "conditions": [
        {"type": "Initialized", "status": "True", "lastTransitionTime": time_now},
        {"type": "Ready", "status": yes_or_no, "lastTransitionTime": time_now},
        {"type": "ContainersReady", "status": yes_or_no, "lastTransitionTime": time_now},
        {"type": "PodScheduled", "status": "True", "lastTransitionTime": time_now}]}
    if ips:
        report["podIP"] = ips[0]
        report["podIPs"] = [{"ip": ip} for ip in ips]
    if phase == "Running":
        state = {"running": {"startedAt": time_now}}
    elif phase == "Pending":
        state = {"waiting": {"reason": "ContainerCreating"}}
    else:
        state = {"terminated": {"exitCode": 0 if phase == "Succeeded" else 1, "startedAt": time_now,
                                "finishedAt": time_now}}
    report["containerStatuses"] = [
        {"name": c["name"], "image": c.get("image", ""), "imageID": "", "ready": ready, "restartCount": 0, "state": state}
        for c in pod["spec"]["containers"]]
    return report
