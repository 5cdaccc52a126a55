"""Plays scheduler and kubelets for all pods of the cluster. Pods are steered by annotations:

  world/hold: "true"            is not scheduled
  world/start: never            is bound, and its containers never start
  world/start-delay: S          they start after S seconds
  world/ready: "false"          runs, but is not ready (a step may change that)
  world/ready-delay: S          becomes ready S seconds after it runs
  world/ip: A[,B]               has these addresses, the first of them as podIP; "none" for no address
  world/dual-stack: "true"      has an address of each family
  world/phase: Succeeded|Failed ends so, world/run-seconds: S after its start (default 0.3)
  world/exit-code: N            of the container that ends (default 0 or 1)
  world/reason: TEXT            the status' reason when it ends
  world/fail-indexes: "0,2"     with world/phase Succeeded: pods with these completion indexes fail instead
  world/fail-first: N           with world/phase Succeeded: the first N pods of the owner fail instead
  world/hold-delete: "true"     its deletion is not finished
  world/delete-delay: S         its deletion takes S seconds

Volume attachments are played by their driver's name: attach.world.example attaches and detaches (with a finalizer, as external
attachers do), slow.world.example reports an error first and has attached 4 s later, others do nothing.

Kubelets renew their leases while node lifecycle is under test; a step of a scenario can stop and start those of a node. While
it is stopped, the pods of the node are neither started nor ended.
"""
import collections
import datetime
import heapq
import itertools
import queue
import threading
import time

from kubeapi import ApiError, MERGE, controller_of, path_for

LONG = 25       # who waits longer than this does not count as busy


def now(offset=0):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=offset)).strftime("%Y-%m-%dT%H:%M:%SZ")


def conditions(old, **wanted):
    """The old conditions with these statuses."""
    rows = {c["type"]: c for c in old or []}
    for kind, status in wanted.items():
        if rows.get(kind, {}).get("status") != status:
            rows[kind] = {"type": kind, "status": status, "lastTransitionTime": now()}
    return list(rows.values())


def status(pod, phase, ready, exit_code=None, reason=None, restarts=None):
    """What a kubelet would report, over what is there."""
    old = pod.get("status", {})
    old_containers = {c["name"]: c for c in old.get("containerStatuses") or []}
    started = old.get("startTime") or now()
    ended = phase in ("Succeeded", "Failed")
    yes_or_no = "True" if ready and not ended else "False"
    containers = []
    for container in pod["spec"]["containers"]:
        if ended:
            code = exit_code if exit_code is not None else (0 if phase == "Succeeded" else 1)
            state = {"terminated": {"exitCode": code, "reason": "Completed" if code == 0 else "Error",
                                    "startedAt": started, "finishedAt": now()}}
        elif phase == "Running":
            state = {"running": {"startedAt": started}}
        else:
            state = {"waiting": {"reason": "ContainerCreating"}}
        count = old_containers.get(container["name"], {}).get("restartCount", 0)
        containers.append({"name": container["name"], "image": container.get("image", ""), "imageID": "",
                           "ready": yes_or_no == "True", "started": phase == "Running",
                           "restartCount": count if restarts is None else restarts, "state": state})
    report = {"phase": phase, "startTime": started, "hostIP": "172.18.0.2", "hostIPs": [{"ip": "172.18.0.2"}],
              "containerStatuses": containers, "conditions": conditions(
                  old.get("conditions"), PodScheduled="True", Initialized="True", ContainersReady=yes_or_no, Ready=yes_or_no)}
    if reason:
        report["reason"] = reason
    return report


def node_condition(kind, status, reason="World"):
    return {"type": kind, "status": status, "reason": reason, "lastHeartbeatTime": now(), "lastTransitionTime": now()}


class Kubelets:
    """The heartbeats of all nodes that are not stopped."""

    def __init__(self, simulation):
        self.simulation, self.stopped, self.beating = simulation, set(), False
        self.lock = threading.Lock()                # for changes of the set; it is replaced, never changed
        self.thread = threading.Thread(target=self._beat, daemon=True)

    def beat(self, beating):
        self.stopped, self.beating = set(), beating

    def stop(self, names):
        with self.lock:
            self.stopped = self.stopped | set(names)

    def forget(self, names):
        with self.lock:
            self.stopped = self.stopped - set(names)

    def start(self, names):
        """They renew leases, report conditions that have become unknown, and catch up with their pods."""
        self.forget(names)
        api = self.simulation.api
        for name in names:
            if self.beating:
                self._renew(name)
            node = api.get(path_for("Node", None, name))
            conditions = [node_condition(c["type"], "True" if c["type"] == "Ready" else "False") if c["status"] == "Unknown" else c
                          for c in node["status"].get("conditions") or [] or [node_condition("Ready", "Unknown")]]
            api.patch(path_for("Node", None, name, "status"), {"status": {"conditions": conditions}})
        self.simulation.catch_up(names)

    def _beat(self):
        while True:
            time.sleep(1)
            if not self.beating:
                continue
            for node in self.simulation.watcher.items("Node"):
                name = node["metadata"]["name"]
                if name not in self.stopped:
                    try:
                        self._renew(name)
                    except (ApiError, OSError) as e:
                        self.simulation.errors.append(str(e))

    def _renew(self, name):
        api, path = self.simulation.api, path_for("Lease", "kube-node-lease", name)
        spec = {"holderIdentity": name, "leaseDurationSeconds": 40,
                "renewTime": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
        try:
            api.patch(path, {"spec": spec})
        except ApiError as e:
            if e.status != 404:
                raise
            api.create(path_for("Lease", "kube-node-lease"), {
                "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name}, "spec": spec})


class Simulation:
    """Gets pod events from the watcher, acts with a client of its own."""

    def __init__(self, api, watcher, workers=4):
        self.api, self.watcher = api, watcher
        self.lock = threading.Lock()
        self.pods = {}                              # uid -> what has been done
        self.siblings = collections.Counter()
        self.order = itertools.count(1)
        self.addresses = itertools.count(1)
        self.waiting = collections.Counter()        # namespace -> tasks
        self.timers, self.tasks, self.errors = [], queue.Queue(), []
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        self.threads.append(threading.Thread(target=self._tick, daemon=True))
        self.kubelets = Kubelets(self)
        self.threads.append(self.kubelets.thread)

    def start(self):
        for thread in self.threads:
            thread.start()

    def busy(self, namespace):
        with self.lock:
            return self.waiting[namespace] > 0

    # -- what is to be done
    def on_pod(self, kind, pod):
        meta = pod["metadata"]
        with self.lock:
            if kind == "DELETED":
                self.pods.pop(meta["uid"], None)
                return
            known = self.pods.get(meta["uid"])
            if known is None:
                owner = controller_of(pod) or {"uid": meta["uid"]}
                known = self.pods[meta["uid"]] = {"done": set(), "n": self.siblings[owner["uid"]]}
                self.siblings[owner["uid"]] += 1
                if pod.get("status", {}).get("startTime"):
                    known["done"].add("start")
        notes = meta.get("annotations") or {}
        if meta.get("deletionTimestamp"):
            if notes.get("world/hold-delete") != "true":
                self._once(known, "delete", pod, float(notes.get("world/delete-delay", 0)), self._delete)
        elif notes.get("world/hold") != "true" and not pod["spec"].get("schedulingGates"):
            self._once(known, "start", pod, 0, self._bind)

    def retry_unbound(self):
        """A node has come or changed: pods that found none try again."""
        for pod in self.watcher.items("Pod"):
            known = self.pods.get(pod["metadata"]["uid"])
            if known and "start" in known["done"] and not pod["spec"].get("nodeName"):
                known["done"].discard("start")
                self.on_pod("MODIFIED", pod)

    def catch_up(self, nodes):
        """The kubelets of these nodes are back: what they have missed."""
        for pod in self.watcher.items("Pod"):
            known = self.pods.get(pod["metadata"]["uid"])
            if known and pod["spec"].get("nodeName") in nodes:
                if "delete" in known["done"]:
                    known["done"].discard("delete")
                    self.on_pod("MODIFIED", pod)
                elif known.pop("missed", None):
                    self._later(0, self._run, pod, known)

    # -- volumes
    def on_attachment(self, kind, item):
        if kind != "DELETED" and item["spec"]["attacher"] in ("attach.world.example", "slow.world.example"):
            self._later(0, self._attach, {"metadata": {"namespace": ""}, "attachment": item}, None)

    def _attach(self, task, _):
        item = task["attachment"]
        if task.get("late"):
            self.api.patch(path_for("VolumeAttachment", None, item["metadata"]["name"], "status"), {
                "status": {"attached": True, "attachError": None}})
            return
        if item["spec"]["attacher"] == "slow.world.example" and not item["metadata"].get("deletionTimestamp"):
            status = item.get("status", {})
            if not status.get("attachError") and not status.get("attached"):
                self.api.patch(path_for("VolumeAttachment", None, item["metadata"]["name"], "status"), {
                    "status": {"attached": False, "attachError": {"time": now(), "message": "no room"}}})
                self._later(4, self._attach, dict(task, late=True), None)
            return
        path = path_for("VolumeAttachment", None, item["metadata"]["name"])
        finalizers = item["metadata"].get("finalizers") or []
        if item["metadata"].get("deletionTimestamp"):
            if finalizers:
                self.api.patch(path + "/status", {"status": {"attached": False}})
                self.api.patch(path, {"metadata": {"finalizers": None}})
        elif not finalizers:
            self.api.patch(path, {"metadata": {"finalizers": ["external-attacher/attach-world-example"]}})
        elif not item.get("status", {}).get("attached"):
            self.api.patch(path + "/status", {"status": {"attached": True}})

    def _once(self, known, what, pod, delay, task):
        with self.lock:
            if what in known["done"]:
                return
            known["done"].add(what)
        self._later(delay, task, pod, known)

    def _later(self, delay, task, pod, known):
        namespace = pod["metadata"]["namespace"]
        counted = delay < LONG
        with self.lock:
            if counted:
                self.waiting[namespace] += 1
            entry = (task, pod, known, counted)
            if delay:
                heapq.heappush(self.timers, (time.time() + delay, next(self.order), entry))
                return
        self.tasks.put(entry)

    def _tick(self):
        while True:
            time.sleep(0.02)
            with self.lock:
                while self.timers and self.timers[0][0] <= time.time():
                    self.tasks.put(heapq.heappop(self.timers)[2])

    def _work(self):
        while True:
            task, pod, known, counted = self.tasks.get()
            try:
                task(pod, known)
            except ApiError as e:
                if e.status not in (404, 409):      # deleted meanwhile
                    self.errors.append(str(e))
            except Exception as e:                  # the simulation must go on
                self.errors.append("%s: %s" % (type(e).__name__, e))
            finally:
                with self.lock:
                    if counted:
                        self.waiting[pod["metadata"]["namespace"]] -= 1

    # -- doing it
    def _path(self, pod, sub=None):
        return path_for("Pod", pod["metadata"]["namespace"], pod["metadata"]["name"], sub)

    def _bind(self, pod, known):
        if not pod["spec"].get("nodeName"):
            node = self._node(pod, known)
            if node is None:
                return
            self.api.create(self._path(pod, "binding"), {
                "apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]},
                "target": {"apiVersion": "v1", "kind": "Node", "name": node}})
        notes = pod["metadata"].get("annotations") or {}
        if notes.get("world/start") != "never":
            self._later(float(notes.get("world/start-delay", 0)), self._run, pod, known)

    def _node(self, pod, known):
        nodes = sorted(self.watcher.items("Node"), key=lambda node: node["metadata"]["name"])
        names = [node["metadata"]["name"] for node in nodes]
        affinity = pod["spec"].get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {})
        for term in affinity.get("nodeSelectorTerms") or []:
            for field in term.get("matchFields") or []:
                if field["key"] == "metadata.name":
                    return next((name for name in field["values"] if name in names), None)
        selector = pod["spec"].get("nodeSelector") or {"world/pool": "default"}
        fitting = [node["metadata"]["name"] for node in nodes
                   if selector.items() <= (node["metadata"].get("labels") or {}).items()]
        return fitting[known["n"] % len(fitting)] if fitting else None

    def _report(self, pod, **report):
        self.api.patch(self._path(pod, "status"), {"metadata": {"uid": pod["metadata"]["uid"]}, "status": report}, MERGE)

    def _run(self, pod, known):
        if self.kubelets.stopped:
            pod = self.api.get(self._path(pod))
            if pod["spec"].get("nodeName") in self.kubelets.stopped:
                known["missed"] = True
                return
        notes = pod["metadata"].get("annotations") or {}
        if pod["metadata"]["name"].startswith("recycler-for-"):
            notes = dict(notes, **{"world/phase": "Succeeded"})
        addresses = self._addresses(notes)
        delay = float(notes.get("world/ready-delay", 0))
        ready = notes.get("world/ready") != "false" and not delay
        self._report(pod, **addresses, **status(pod, "Running", ready))
        if notes.get("world/phase"):
            self._later(float(notes.get("world/run-seconds", 0.3)), self._end, pod, known)
        elif delay:
            self._later(delay, self._ready, pod, known)

    def _addresses(self, notes):
        n = next(self.addresses)
        ips = ["10.200.%d.%d" % (n // 250, n % 250 + 1)]
        if notes.get("world/dual-stack") == "true":
            ips.append("fd00:10:200::%x" % n)
        if "world/ip" in notes:
            ips = [] if notes["world/ip"] == "none" else notes["world/ip"].split(",")
        return {"podIP": ips[0], "podIPs": [{"ip": ip} for ip in ips]} if ips else {}

    def _ready(self, pod, _):
        current = self.api.get(self._path(pod))
        if current["status"].get("phase") == "Running":
            self._report(pod, **status(current, "Running", True))

    def _end(self, pod, known):
        current = self.api.get(self._path(pod))
        if current["status"].get("phase") != "Running":
            return
        notes = current["metadata"].get("annotations") or {}
        phase = notes.get("world/phase", "Succeeded")
        index = notes.get("batch.kubernetes.io/job-completion-index")
        if phase == "Succeeded" and (index in notes.get("world/fail-indexes", "").split(",")
                                     or known["n"] < int(notes.get("world/fail-first", 0))):
            phase = "Failed"
        code = int(notes["world/exit-code"]) if phase == "Failed" and "world/exit-code" in notes else None
        self._report(pod, **status(current, phase, False, code, notes.get("world/reason")))

    def _delete(self, pod, _):
        node = pod["spec"].get("nodeName")
        if node and not any(n["metadata"]["name"] == node for n in self.watcher.items("Node")):
            return      # there is no kubelet
        if node in self.kubelets.stopped:
            return      # it does not hear of it
        current = self.api.get(self._path(pod), ok404=True)
        if current is None or current["metadata"]["uid"] != pod["metadata"]["uid"]:
            return
        # What shall not be restarted ends in a phase before it goes.
        if current["spec"].get("restartPolicy") != "Always" and current["status"].get("phase") in ("Pending", "Running") and node:
            self._report(pod, **status(current, "Failed", False, 137))
        self.api.delete(self._path(pod), grace=0, uid=pod["metadata"]["uid"])
