"""Runs a scenario in a namespace of its own and returns what came of it.

A scenario is a JSON document:

  title, about   words
  controllers    which other controllers it needs beside: garbagecollector, resourcequota, deployment, namespace
  admission      which admission plugins of the server it is about, such as LimitRanger
  dualStack      true if server and controllers must know dual-stack services
  exclusive      true if no other scenario may run beside it: it stops and starts the controllers, or counts what happens in a
                 time that a busy machine stretches
  nodes          how many nodes there are; default 1
  steps          one after the other. After each the namespace is left to settle (but with "noSettle": true), and its state
                 is taken (but with "noCheck": true). "quiet" says how many seconds without a change count as settled,
                 "expect" which error a step's request is answered with.

Steps are told apart by "do", see the methods do_*. ${NS} and ${RUN} stand for the namespace and for letters that differ from
run to run.
"""
import copy
import json
import random
import string
import time

import podsim
from golden import diff
from kubeapi import (ApiError, Informer, JSON_PATCH, KINDS, Kube, MERGE, STRATEGIC, controller_of, is_ready, path_for,
                     wait_until)
from state import Snapshots

RUNNER, SIMULATION = "parity-runner", "kubelet-sim"
PATCH_TYPES = {"merge": MERGE, "strategic": STRATEGIC, "json": JSON_PATCH}
# The last part of their user agents: kube-controller-manager names each controller's client.
HELPER_AGENTS = tuple("/" + name for name in (
    "generic-garbage-collector", "garbage-collector", "metadata-informers", "namespace-controller", "deployment-controller",
    "resourcequota-controller", "service-account-controller", "pod-garbage-collector"))


class Run:
    """One execution of one scenario."""

    def __init__(self, server, manager, name, scenario, quiet=1.2, settle_timeout=40, patience=10):
        self.server, self.manager = server, manager
        self.quiet, self.settle_timeout, self.patience = quiet, settle_timeout, patience
        self.api = Kube(server.kubeconfig, RUNNER)
        run_id = "".join(random.choices(string.ascii_lowercase, k=5))
        self.namespace = "p-%s-%s" % (name[:40], run_id)
        text = json.dumps(scenario).replace("${NS}", self.namespace).replace("${RUN}", run_id)
        self.scenario = json.loads(text)
        self.deployments = "deployment" in self.scenario.get("controllers", [])
        self.step_number = 0
        self.last_change = time.time()
        self.cluster_objects = []
        # An address block of its own: runs side by side must not give out the same addresses.
        self.simulation = podsim.PodSim(
            Kube(server.kubeconfig, SIMULATION), self.namespace, nodes=self.scenario.get("nodes", 1), workers=2,
            ip_prefix="10.%d" % random.randint(200, 249), dual_stack=bool(self.scenario.get("dualStack")),
            on_event=self._on_pod)
        self.snapshots = Snapshots(self.api, self.namespace, run_id, self.simulation.is_made_up)
        kinds = ["Service", "Endpoints", "Event", "ReplicationController"] + (["Deployment"] if self.deployments else [])
        self.informers = [Informer(self.api, path_for(kind, self.namespace), self._on_change) for kind in kinds]
        self.informers.append(Informer(self.api, path_for("ReplicaSet", self.namespace), self._on_set))

    # -- watching
    def _on_change(self, *_):
        self.last_change = time.time()

    def _on_pod(self, _, pod):
        self.last_change = time.time()
        self.snapshots.saw_pod(pod, self.step_number)

    def _on_set(self, _, replica_set):
        self.last_change = time.time()
        self.snapshots.saw_set(replica_set)

    def _settle(self, quiet):
        start = time.time()
        return wait_until(lambda: time.time() - max(self.last_change, start) >= quiet and not self.simulation.busy(),
                          self.settle_timeout)

    # -- running
    def execute(self, golden=None):
        """Returns the states after each step, the events, the controllers' writes (None without an audit log), and what went
        wrong. With a golden, waits for each of its states for some seconds."""
        wanted = {check["step"]: check["state"] for check in golden["checkpoints"]} if golden else {}
        checkpoints, problems = [], []
        audit = self._open_audit()
        self.api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {
            "name": self.namespace, "labels": {"parity": "true"}}})
        try:
            self.simulation.start()
            for informer in self.informers:
                informer.start()
            for informer in self.informers:
                informer.synced.wait(20)
            for self.step_number, step in enumerate(self.scenario["steps"], 1):
                self._run_step(step)
                if step.get("noSettle"):
                    continue
                if not self._settle(step.get("quiet", self.quiet)):
                    problems.append("step %d: did not settle" % self.step_number)
                if step.get("noCheck"):
                    continue
                state = self._state(wanted.get(self.step_number))
                if golden and state != wanted.get(self.step_number):
                    problems.append("step %d (%s): the state differs\n%s" % (
                        self.step_number, step["do"], diff(wanted.get(self.step_number), state)))
                checkpoints.append({"step": self.step_number, "do": step["do"], "state": state})
            events = self.snapshots.events()
            time.sleep(0.2)
            writes = self._writes(audit)
        finally:
            self._clean_up()
        problems += ["simulation: " + error for error in self.simulation.errors[:3]]
        return checkpoints, events, writes, problems

    def _state(self, wanted):
        end = time.time() + (self.patience if wanted else 0)
        while True:
            state = self.snapshots.take(self.deployments)
            if state == wanted or time.time() >= end:
                return state
            time.sleep(0.3)

    def _clean_up(self):
        for informer in self.informers:
            informer.stop()
        self.simulation.stop()
        try:
            for kind, name in self.cluster_objects:
                self.api.delete(path_for(kind, None, name))
            for kind in (["Deployment"] if self.deployments else []) + [
                    "ReplicaSet", "ReplicationController", "Service", "Endpoints", "Pod"]:
                for item in self.api.list(path_for(kind, self.namespace))[0]:
                    path = path_for(kind, self.namespace, item["metadata"]["name"])
                    if item["metadata"].get("finalizers"):
                        self.api.patch(path, {"metadata": {"finalizers": None}})
                    self.api.delete(path, grace=0, propagation=None if kind in ("Service", "Endpoints", "Pod") else "Background")
            # There may be no namespace controller to finish this.
            self.api.delete(path_for("Namespace", None, self.namespace))
            namespace = self.api.get(path_for("Namespace", None, self.namespace), ok404=True)
            if namespace and namespace.get("spec", {}).get("finalizers"):
                namespace["spec"]["finalizers"] = []
                self.api.put(path_for("Namespace", None, self.namespace, "finalize"), namespace)
        except (ApiError, OSError):
            # What is left disappears with the server; the result stands.
            pass

    # -- the audit log
    def _open_audit(self):
        if not self.server.audit:
            return None
        audit = open(self.server.audit, "rb")
        audit.seek(0, 2)
        return audit

    def _writes(self, audit):
        """Counts of writes in the namespace by the controllers under test: by all who are nobody else."""
        if audit is None:
            return None
        counts = {}
        with audit:
            for line in audit:
                if self.namespace.encode() not in line or not line.endswith(b"\n"):
                    continue
                entry = json.loads(line)
                target, agent = entry.get("objectRef") or {}, entry.get("userAgent", "")
                if target.get("namespace") != self.namespace or agent.startswith((RUNNER, SIMULATION)) \
                        or agent.endswith(HELPER_AGENTS):
                    continue
                write = entry["verb"] + " " + "/".join(filter(None, [target.get("resource"), target.get("subresource")]))
                code = entry.get("responseStatus", {}).get("code", 0)
                write += "" if 200 <= code < 300 else " -> %d" % code
                counts[write] = counts.get(write, 0) + 1
        return dict(sorted(counts.items()))

    # -- steps
    def _run_step(self, step):
        expected = step.get("expect")
        try:
            getattr(self, "do_" + step["do"])(step)
        except ApiError as e:
            if e.status != expected:
                raise
        else:
            if expected:
                raise RuntimeError("step %d: the request was to be answered with %d, but went through" % (
                    self.step_number, expected))

    def _path(self, kind, name=None, sub=None):
        return path_for(kind, self.namespace, name, sub)

    def _objects(self, step):
        for item in step["objects"]:
            item = copy.deepcopy(item)
            group_version, _, namespaced = KINDS[item["kind"]]
            item.setdefault("apiVersion", group_version.split("/", 2)[2])
            if not namespaced:
                self.cluster_objects.append((item["kind"], item["metadata"]["name"]))
            for _ in range(item.pop("times", 1)):
                yield item

    def do_create(self, step):
        """creates "objects"; "times" in an object repeats it, "spaced" are seconds between them"""
        for item in self._objects(step):
            self.api.create(self._path(item["kind"]), self._with_uids(item))
            time.sleep(step.get("spaced", 0))

    def do_apply(self, step):
        """creates which of the "objects" are missing, merges the others into what is there"""
        for item in self._objects(step):
            path = self._path(item["kind"], item["metadata"]["name"])
            if self.api.get(path, ok404=True) is None:
                self.api.create(self._path(item["kind"]), item)
            else:
                self.api.patch(path, item)

    def do_patch(self, step):
        """patches "kind" "name", or its subresource "sub", with "patch" of "type" merge (default), strategic or json"""
        self.api.patch(self._path(step["kind"], step["name"], step.get("sub")), step["patch"],
                       PATCH_TYPES[step.get("type", "merge")])

    def do_update(self, step):
        """reads "kind" "name", sets the fields in "set" (dotted paths; null removes), writes it back"""
        path = self._path(step["kind"], step["name"])
        for attempts_left in reversed(range(5)):
            item = self.api.get(path)
            for dotted, value in step["set"].items():
                *parents, field = dotted.split(".")
                at = item
                for parent in parents:
                    at = at.setdefault(parent, {})
                if value is None:
                    at.pop(field, None)
                else:
                    at[field] = value
            try:
                return self.api.put(path, item)
            except ApiError as e:
                if e.status != 409 or step.get("expect") or not attempts_left:
                    raise

    def do_scale(self, step):
        """sets the replicas of "kind" (default ReplicaSet) "name" through its scale"""
        self.api.patch(self._path(step.get("kind", "ReplicaSet"), step["name"], "scale"),
                       {"spec": {"replicas": step["replicas"]}})

    def do_delete(self, step):
        """deletes "kind" "name" (or a list of names), with "grace" and "propagation" if given"""
        for name in step["name"] if isinstance(step["name"], list) else [step["name"]]:
            self.api.delete(self._path(step["kind"], name), grace=step.get("grace"),
                            propagation=step.get("propagation"), ok404=False)

    def do_wait(self, step):
        """lets "seconds" pass"""
        time.sleep(step["seconds"])

    def do_until(self, step):
        """waits until "kind" "name" is gone, for "seconds" at most"""
        path = self._path(step["kind"], step["name"])
        if not wait_until(lambda: self.api.get(path, ok404=True) is None, step.get("seconds", 60), 0.2):
            raise RuntimeError("step %d: %s %s is still there" % (self.step_number, step["kind"], step["name"]))

    def do_controllers(self, step):
        """stops or starts the controllers under test, as "action" says"""
        if step["action"] == "stop":
            self.manager.stop()
        else:
            self.manager.start()
        self.last_change = time.time()

    def do_pod(self, step):
        """changes the pods that "pick" picks: labels, annotations, finalizers, owners (uid "@Kind/name" stands for that
        object's), phase, ready, reason, ip (a list), restarts (of each container), readySince (when it became what it is), touch (a
        change that matters to nobody), delete (with grace)"""
        for pod in self._pick(step["pick"]):
            path = self._path("Pod", pod["metadata"]["name"])
            metadata = {k: step[k] for k in ("labels", "annotations", "finalizers") if k in step}
            if "owners" in step:
                metadata["ownerReferences"] = self._with_uids({"metadata": {"ownerReferences": copy.deepcopy(
                    step["owners"])}})["metadata"]["ownerReferences"]
            if metadata:
                self.api.patch(path, {"metadata": metadata})
            status = self._new_status(pod, step)
            if status:
                self.api.patch(path + "/status", {"status": status})
            if step.get("delete"):
                self.api.delete(path, grace=step.get("grace"))

    def _pick(self, wanted):
        """the living pods, oldest first, that have these: owner, name(s), born (the step), ready, labels; "terminating": true
        picks dying ones too, "index" some of them by their place"""
        def fits(pod):
            meta, owner = pod["metadata"], controller_of(pod)
            names = wanted.get("name", meta["name"])
            labels = meta.get("labels") or {}
            return ((wanted.get("terminating") or not meta.get("deletionTimestamp"))
                    and ("owner" not in wanted or (owner and owner["name"]) == wanted["owner"])
                    and meta["name"] in ([names] if isinstance(names, str) else names)
                    and ("born" not in wanted or self.snapshots.born.get(meta["uid"]) == wanted["born"])
                    and ("ready" not in wanted or is_ready(pod) == wanted["ready"])
                    and all(labels.get(k) == v for k, v in wanted.get("labels", {}).items()))
        pods = self.api.list(self._path("Pod"))[0]
        pods.sort(key=lambda pod: self.snapshots.order.get(pod["metadata"]["uid"], 1 << 30))
        pods = [pod for pod in pods if fits(pod)]
        if "index" in wanted:
            pods = [pods[i] for i in wanted["index"]]
        if not pods:
            raise RuntimeError("step %d: no pod is like %s" % (self.step_number, json.dumps(wanted)))
        return pods

    @staticmethod
    def _new_status(pod, step):
        status = {}
        old = pod.get("status", {})
        if "phase" in step or "ready" in step:
            phase = step.get("phase") or old.get("phase") or "Running"
            ips = [entry["ip"] for entry in old.get("podIPs") or []]
            status = podsim.status(pod, phase, step.get("ready", phase == "Running"), ips)
            if "reason" in step:
                status["reason"] = step["reason"]
        if "restarts" in step:
            told = status.get("containerStatuses") or old.get("containerStatuses") or [
                {"name": c["name"], "image": c["image"], "imageID": "", "ready": False} for c in pod["spec"]["containers"]]
            status["containerStatuses"] = [{**container, "restartCount": step["restarts"]} for container in told]
        if "readySince" in step:
            status["conditions"] = [
                {**condition, "lastTransitionTime": step["readySince"]} if condition["type"] == "Ready" else condition
                for condition in status.get("conditions") or old.get("conditions") or []]
        if "ip" in step:
            status["podIP"] = step["ip"][0]
            status["podIPs"] = [{"ip": ip} for ip in step["ip"]]
        if step.get("touch"):
            status["message"] = "touched %s" % time.time()
        return status

    def _with_uids(self, item):
        for reference in item["metadata"].get("ownerReferences") or []:
            if reference.get("uid", "").startswith("@"):
                kind, name = reference["uid"][1:].split("/")
                reference["uid"] = self.api.get(self._path(kind, name))["metadata"]["uid"]
        return item
