"""Runs a scenario in a namespace of its own. The format is in README.md; steps are the methods do_*."""
import base64
import copy
import datetime
import json
import os
import random
import re
import string
import subprocess
import tempfile
import time

import golden as goldens
import sim
from cluster import MANAGER, openssl
from kubeapi import ApiError, JSON_PATCH, KINDS, MERGE, STRATEGIC, controller_of, is_ready, path_for, wait_until
from state import KINDS_DUMPED, Snapshots

PATCH_TYPES = {"merge": MERGE, "strategic": STRATEGIC, "json": JSON_PATCH}
# Upstream's controllers: the event components and the last part of the user agents they go by.
CONTROLLERS = {
    "deployment-controller": ("deployment-controller", "deployment-controller"),
    "replicaset-controller": ("replicaset-controller", "replicaset-controller"),
    "replicationcontroller-controller": ("replication-controller", "replication-controller"),
    "statefulset-controller": ("statefulset-controller", "statefulset-controller"),
    "daemonset-controller": ("daemonset-controller", "daemon-set-controller"),
    "job-controller": ("job-controller", "job-controller"),
    "cronjob-controller": ("cronjob-controller", "cronjob-controller"),
    "ttl-after-finished-controller": ("", "ttl-after-finished-controller"),
    "endpoints-controller": ("endpoint-controller", "endpoint-controller"),
    "endpointslice-controller": ("endpoint-slice-controller", "endpointslice-controller"),
    "endpointslice-mirroring-controller": ("endpoint-slice-mirroring-controller", "endpointslicemirroring-controller"),
    "disruption-controller": ("controllermanager", "disruption-controller"),
    "resourcequota-controller": ("resourcequota-controller", "resourcequota-controller"),
    "namespace-controller": ("namespace-controller", "namespace-controller"),
    "garbage-collector-controller": ("garbage-collector-controller", "generic-garbage-collector"),
    "serviceaccount-controller": ("", "service-account-controller"),
    "serviceaccount-token-controller": ("", "tokens-controller"),
    "root-ca-certificate-publisher-controller": ("", "root-ca-cert-publisher"),
    "pod-garbage-collector-controller": ("", "pod-garbage-collector"),
    "ttl-controller": ("", "ttl-controller"),
    "certificatesigningrequest-approving-controller": ("", "certificate-controller"),
    "certificatesigningrequest-signing-controller": ("", "certificate-controller"),
    "certificatesigningrequest-cleaner-controller": ("", "certificate-controller"),
    "bootstrap-signer-controller": ("", "bootstrap-signer"),
    "token-cleaner-controller": ("", "token-cleaner"),
    "horizontal-pod-autoscaler-controller": ("horizontal-pod-autoscaler", "horizontal-pod-autoscaler"),
    "clusterrole-aggregation-controller": ("", "clusterrole-aggregation-controller"),
    "persistentvolumeclaim-protection-controller": ("", "pvc-protection-controller"),
    "node-lifecycle-controller": ("node-controller", "node-controller"),
    "taint-eviction-controller": ("taint-eviction-controller", "node-controller"),
    "node-ipam-controller": ("cidrAllocator", "node-controller"),
    "persistentvolume-binder-controller": ("persistentvolume-controller", "persistent-volume-binder"),
    "persistentvolume-attach-detach-controller": ("attachdetach-controller", "attachdetach-controller"),
    "persistentvolume-expander-controller": ("volume_expand", "expand-controller"),
    "ephemeral-volume-controller": ("ephemeral_volume", "ephemeral-volume-controller"),
    "resourceclaim-controller": ("resource_claim", "resource-claim-controller"),
    "device-taint-eviction-controller": ("device-taint-eviction-controller", "device-taint-eviction-controller"),
    "service-cidr-controller": ("service-cidr-controller", "service-cidrs-controller"),
    "validatingadmissionpolicy-status-controller": ("", "validatingadmissionpolicy-status-controller"),
    "storage-version-migrator-controller": ("", "storage-version-migrator-controller"),
    "selinux-warning-controller": ("selinux_warning", "selinux-warning-controller"),
}
# What other controllers put into each namespace, unless a scenario is about it.
IN_EVERY_NAMESPACE = {"ServiceAccount default": "serviceaccount-controller",
                      "ConfigMap kube-root-ca.crt": "root-ca-certificate-publisher-controller"}


def load(path):
    with open(path, encoding="utf-8") as f:
        scenario = json.load(f)
    scenario["name"] = os.path.basename(path)[:-len(".json")]
    scenario["path"] = path
    unknown = set(scenario["under_test"]) - set(CONTROLLERS)
    if unknown:
        raise ValueError("%s: unknown controllers: %s" % (path, unknown))
    scenario["restarts"] = any(step["do"] == "controllers" for step in scenario["steps"])
    return scenario


class Run:
    """One execution of one scenario."""

    def __init__(self, world, scenario, patience=12, quiet=1.5, settle_timeout=90, log=None):
        self.world, self.patience, self.quiet, self.settle_timeout, self.log = world, patience, quiet, settle_timeout, log
        self.api, self.watcher, self.simulation = world.api, world.watcher, world.simulation
        self.name = scenario["name"]
        self.namespace = "w-%s-%s" % (self.name[:40], "".join(random.choices(string.ascii_lowercase, k=5)))
        self.scenario = json.loads(json.dumps(scenario).replace("${NS}", self.namespace).replace("${NAME}", self.name))
        self.under_test = self.scenario["under_test"]
        self.snapshots = Snapshots(self.watcher, self.namespace,
                                   re.escape(self.name) + r"\.[a-z0-9]+" if scenario.get("anyNode") else None)
        self.step = 0
        # Nodes are called after the run where controllers remember them.
        self.nodes_of = self.namespace if scenario.get("ownNodes") else self.name
        self.cluster_kinds = scenario.get("clusterKinds", [])
        self.snapshots.node_details = "Node" in self.cluster_kinds
        self.cluster_objects, self.namespaces = [], [self.namespace]
        self.facts = {}

    # -- watching
    def owns(self, key):
        return key.startswith(self.namespace) or key.startswith(self.name + ".")

    def saw(self, kind, _, item):
        self.snapshots.saw(kind, item, self.step)

    def _settle(self, quiet):
        start = time.time()

        def settled():
            last = max([start, *(when for key, when in list(self.watcher.changed.items()) if self.owns(key))])
            return time.time() - last >= quiet and not any(self.simulation.busy(ns) for ns in self.namespaces)
        return wait_until(settled, self.settle_timeout)

    # -- running
    def execute(self, golden=None):
        wanted = goldens.expand(golden["states"]) if golden else {}
        result = {"states": [], "problems": []}
        audit = open(self.world.cluster.audit, "rb")
        audit.seek(0, 2)
        self.watcher.runs[self.namespace] = self
        for kind in (*self.cluster_kinds, *self.scenario.get("kinds", [])):
            self.watcher.add(kind)
            self.watcher.informers[kind].synced.wait(30)
        try:
            self._await_namespace(self.namespace, self.scenario.get("namespaceLabels"))
            for self.step, step in enumerate(self.scenario["steps"], 1):
                if self.log:
                    self.log("%s step %d: %s" % (self.name, self.step, goldens.short(step, 120)))
                self._perform(step)
                if step.get("noSettle"):
                    continue
                if not self._settle(step.get("quiet", self.quiet)):
                    result["problems"].append("step %d: did not settle" % self.step)
                if step.get("noCheck"):
                    continue
                state = self._compared(wanted.get(self.step), self._state)
                if golden:
                    lines = goldens.differences(wanted.get(self.step, {}), state)
                    if lines:               # what follows will hardly be right: do not wait long for it
                        self.patience = min(self.patience, 2)
                    result["problems"] += ["step %d (%s): %s" % (self.step, step["do"], line.lstrip("/")) for line in lines]
                result["states"].append((self.step, state))
            wanted_events = golden["events"] if golden else None
            time.sleep(0.5)
            result["events"] = self._events(wanted_events)
            result["hashes"] = dict(self.snapshots.literal)
            result["writes"] = self._writes(audit)
        except Exception as e:
            if not isinstance(e, (ApiError, RuntimeError, OSError, KeyError, IndexError, ValueError, TypeError)):
                raise
            if self.log:
                import traceback
                traceback.print_exc()
            result["problems"].append("step %d (%s): %s: %s" % (
                self.step, self.scenario["steps"][max(self.step, 1) - 1]["do"], type(e).__name__, e))
        finally:
            audit.close()
            self._clean_up()
            self.watcher.runs.pop(self.namespace, None)
        if golden and "events" in result:
            result["problems"] += goldens.compare_events(golden["events"], result["events"])
            if not self.world.ignore_hashes:
                result["problems"] += ["hash of " + line.lstrip("/") for line in goldens.differences(
                    golden["hashes"], result["hashes"])]
            # A manager that runs more than what is under test here writes more.
            if set(self.world.managers.under_test) == set(self.under_test):
                result["problems"] += goldens.compare_writes(
                    golden["writes"], result["writes"], "garbage-collector-controller" in self.under_test)
        return result

    def _compared(self, wanted, take):
        end = time.time() + (self.patience if wanted is not None else 0)
        while True:
            state = take()
            if wanted is None or not goldens.differences(wanted, state) or time.time() > end:
                return state
            time.sleep(0.25)

    def _state(self):
        ignored = [key for key, maker in IN_EVERY_NAMESPACE.items() if maker not in self.under_test]
        state = self.snapshots.take(self.namespaces, self.scenario.get("kinds"), self.scenario.get("named", []), ignored,
                                    self.cluster_kinds, self.owns)
        if self.facts:
            state["facts"] = dict(self.facts)
        return state

    def _events(self, wanted):
        helpers = {component for name, (component, _) in CONTROLLERS.items() if name not in self.under_test}
        helpers |= {"ipallocator-repair-controller"}
        end = time.time() + (self.patience if wanted is not None else 1)
        while True:
            events = self.snapshots.events(self.namespaces, helpers)
            if (wanted is None or goldens.compare_events(wanted, events)) and time.time() < end:
                time.sleep(0.25)
                continue
            return events

    def _writes(self, audit):
        """Requests of the controllers under test that changed something of this scenario."""
        time.sleep(0.2)
        counts = {}
        agents = tuple("/" + CONTROLLERS[name][1] for name in self.under_test)
        for line in audit:
            if self.namespace.encode() not in line and self.name.encode() + b"." not in line:
                continue
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if entry["user"]["username"] != MANAGER or entry["verb"] in ("list", "watch", "get"):
                continue
            if self.world.together and not entry.get("userAgent", "").endswith(agents):
                continue
            target = entry.get("objectRef") or {}
            if not 200 <= entry.get("responseStatus", {}).get("code", 0) < 300 or target.get("resource") == "subjectaccessreviews":
                continue
            write = entry["verb"] + " " + "/".join(filter(None, [target.get("resource"), target.get("subresource")]))
            counts[write] = counts.get(write, 0) + 1
        return counts

    def _await_namespace(self, name, labels=None):
        self.api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {
            "name": name, "labels": labels or {}}})

    def _clean_up(self):
        """Leaves nothing behind, whatever controllers run."""
        try:
            for namespace in self.namespaces:
                self.api.delete(path_for("Namespace", None, namespace))
            for kind, name in self.cluster_objects:
                if kind not in ("CustomResourceDefinition", "Namespace"):
                    self._destroy(path_for(kind, None, name))
            custom = [entry["kind"] for entry in self.scenario.get("customKinds", [])]
            for namespace in self.namespaces:
                for kind in (*custom, *KINDS_DUMPED, *(kind for kind in self.scenario.get("kinds", []) if kind not in KINDS_DUMPED)):
                    for item in self.api.list(path_for(kind, namespace))[0]:
                        self._destroy(path_for(kind, namespace, item["metadata"]["name"]), item)
                item = self.api.get(path_for("Namespace", None, namespace), ok404=True)
                if item:
                    item["spec"]["finalizers"], item["metadata"]["finalizers"] = [], None
                    self.api.put(path_for("Namespace", None, namespace, "finalize"), item)
            for _ in range(3):          # a helper may have put its finalizer back
                left = [(kind, item) for kind in self.cluster_kinds for item in self.api.list(path_for(kind))[0]
                        if self.owns(self.watcher.key(kind, item))]
                for kind, item in left:
                    self._destroy(path_for(kind, None, item["metadata"]["name"]), item)
                if not left:
                    break
                time.sleep(0.3)
            for kind, name in self.cluster_objects:
                if kind == "CustomResourceDefinition":
                    path = path_for(kind, None, name)
                    self._destroy(path)
                    wait_until(lambda: self.api.get(path, ok404=True) is None, 30, 0.2)
        except (ApiError, OSError) as e:
            if self.log:
                self.log("%s: cleaning up: %s" % (self.name, e))

    def _destroy(self, path, item=None):
        try:
            item = item or self.api.get(path, ok404=True)
            if item and item["metadata"].get("finalizers"):
                self.api.patch(path, {"metadata": {"finalizers": None}})
            if item:
                self.api.delete(path, grace=0)
        except ApiError as e:
            if e.status not in (404, 409):
                raise

    # -- steps
    def _perform(self, step):
        expected = step.get("expect")
        try:
            getattr(self, "do_" + step["do"].replace("-", "_"))(step)
        except ApiError as e:
            if e.status != expected and not (e.status == 404 and step.get("mayMiss")):
                raise
        else:
            if expected:
                raise RuntimeError("the request was to be answered with %d, but went through" % expected)

    def _path(self, kind, name=None, sub=None, namespace=None):
        return path_for(kind, namespace or self.namespace, name, sub)

    def _objects(self, step):
        for item in step["objects"]:
            prefix, _, namespaced = KINDS[item["kind"]]
            item = copy.deepcopy(item)
            times = item.pop("times", None)
            for n in range(times or 1):
                one = json.loads(json.dumps(item).replace("%d", str(n))) if times else item
                one.setdefault("apiVersion", prefix.split("/", 2)[2])
                if not namespaced:
                    self.cluster_objects.append((one["kind"], one["metadata"]["name"]))
                    if one["kind"] == "Namespace":
                        self.namespaces.append(one["metadata"]["name"])
                yield one

    def _with_uids(self, item):
        """References with a uid "@Kind/name" or "@Kind/namespace/name" get that object's uid."""
        if isinstance(item, list):
            for entry in item:
                self._with_uids(entry)
        elif isinstance(item, dict):
            for key, value in item.items():
                if key == "uid" and isinstance(value, str) and value.startswith("@"):
                    kind, *rest = value[1:].split("/")
                    item[key] = self.api.get(self._path(kind, rest[-1], namespace=rest[0] if len(rest) > 1 else None))["metadata"]["uid"]
                else:
                    self._with_uids(value)
        return item

    def do_create(self, step):
        """creates "objects"; "times": N in one repeats it with %d as its number; "spaced" are seconds between them"""
        for item in self._objects(step):
            self.api.create(self._path(item["kind"], namespace=item["metadata"].get("namespace")), self._with_uids(item))
            time.sleep(step.get("spaced", 0))

    def do_apply(self, step):
        """creates which of the "objects" are missing, merges the others into what is there"""
        for item in self._objects(step):
            namespace = item["metadata"].get("namespace")
            path = self._path(item["kind"], item["metadata"]["name"], namespace=namespace)
            if self.api.get(path, ok404=True) is None:
                self.api.create(self._path(item["kind"], namespace=namespace), self._with_uids(item))
            else:
                self.api.patch(path, self._with_uids(item))

    def do_patch(self, step):
        """patches "kind" "name" (one, several, or all that have "labels"), or its subresource "sub", with "patch" of "type" merge, strategic or json"""
        for name in self._names(step):
            patch = copy.deepcopy(step["patch"])
            self.api.patch(self._path(step["kind"], name, step.get("sub"), step.get("namespace")),
                           self._with_uids(patch) if isinstance(patch, dict) else patch, PATCH_TYPES[step.get("type", "merge")])

    def _names(self, step):
        if "labels" in step:
            return [item["metadata"]["name"] for item in self.api.list(self._path(step["kind"], namespace=step.get("namespace")))[0]
                    if step["labels"].items() <= (item["metadata"].get("labels") or {}).items()]
        return step["name"] if isinstance(step["name"], list) else [step["name"]]

    def do_update(self, step):
        """reads "kind" "name", sets the fields in "set" (dotted paths; null removes), writes it (or "sub") back"""
        path = self._path(step["kind"], step["name"], namespace=step.get("namespace"))
        for left in reversed(range(5)):
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
                return self.api.put(path + ("/" + step["sub"] if "sub" in step else ""), item)
            except ApiError as e:
                if e.status != 409 or not left:
                    raise

    def do_scale(self, step):
        """sets the replicas of "kind" (default Deployment) "name" through its scale"""
        self.api.patch(self._path(step.get("kind", "Deployment"), step["name"], "scale"), {"spec": {"replicas": step["replicas"]}})

    def do_delete(self, step):
        """deletes "kind" "name" (one, several, or all that have "labels"), with "grace" and "propagation" if given"""
        for name in self._names(step):
            self.api.delete(self._path(step["kind"], name, namespace=step.get("namespace")), grace=step.get("grace"),
                            propagation=step.get("propagation"), ok404=False)

    def do_sleep(self, step):
        """lets "seconds" pass"""
        time.sleep(step["seconds"])

    def do_quiet(self, step):
        """only waits until nothing changes, for "quiet" seconds"""

    def do_minute(self, step):
        """waits until the clock shows second "at" of a minute"""
        time.sleep((step["at"] - time.time()) % 60)

    def do_until(self, step):
        """waits until the field "path" of "kind" "name" "is" a value, or the object is gone, for "seconds" at most (60)"""
        def reached():
            item = self.api.get(self._path(step["kind"], step["name"], namespace=step.get("namespace")), ok404=True)
            if "path" not in step:
                return item is None
            for field in step["path"].split("."):
                item = (item or {}).get(field)
            return item == step["is"]
        if not wait_until(reached, min(step.get("seconds", 60), 600 if self.patience > 2 else 15), 0.1):
            raise RuntimeError("waited in vain: %s" % json.dumps({k: v for k, v in step.items() if k != "do"}))

    def do_controllers(self, step):
        """stops or starts the controllers under test, as "action" says"""
        if step["action"] == "stop":
            self.world.managers.stop_manager()
        else:
            self.world.managers.start_manager()

    def do_nodes(self, step):
        """adds the nodes "add" (called NAME.x, in the pool NAME; with "ownNodes" $NS), with "labels", "annotations", "taints" and
        "conditions" (type to status; ready if not given) if given, one after the other with "spaced"; removes the nodes "remove" """
        for short in step.get("add", []):
            name = "%s.%s" % (self.nodes_of, short)
            self.cluster_objects.append(("Node", name))
            if step.get("heartbeat") is False:
                self.world.kubelets.stop([name])
            self.world.add_node(name, dict(step.get("labels") or {}, **{"world/pool": self.nodes_of}), step.get("taints"),
                                step.get("annotations"), step.get("conditions"))
            time.sleep(step.get("spaced", 0))
        for short in step.get("remove", []):
            self.api.delete(path_for("Node", None, "%s.%s" % (self.nodes_of, short)))

    def do_heartbeat(self, step):
        """"action" stop or start: the kubelets of "nodes" (x, or "default": those of the pool default) neither report nor end pods"""
        names = ["node-%d" % n for n in (1, 2, 3)] if step["nodes"] == "default" else [
            "%s.%s" % (self.nodes_of, short) for short in step["nodes"]]
        if step["action"] == "stop":
            self.world.kubelets.stop(names)
        else:
            self.world.kubelets.start(names)

    def do_pod(self, step):
        """changes the pods that "pick" picks: labels, annotations, finalizers, owners, phase, ready, exitCode, reason, restarts,
        condition (as in the API), ip (a list), readyFor (seconds), touch (a change that no controller looks at), delete (with grace)"""
        for pod in self._pick(step["pick"]):
            path = self._path("Pod", pod["metadata"]["name"])
            metadata = {k: step[k] for k in ("labels", "annotations", "finalizers") if k in step}
            if "owners" in step:
                metadata["ownerReferences"] = self._with_uids(
                    {"metadata": {"ownerReferences": copy.deepcopy(step["owners"])}})["metadata"]["ownerReferences"]
            if metadata:
                self.api.patch(path, {"metadata": metadata})
            if {"phase", "ready", "restarts", "exitCode"} & set(step):
                phase = step.get("phase") or pod["status"].get("phase") or "Running"
                ready = step.get("ready", phase == "Running" and is_ready(pod))
                self.api.patch(path + "/status", {"status": sim.status(pod, phase, ready, step.get("exitCode"), step.get("reason"),
                                                                      step.get("restarts"))})
            if "ip" in step:
                self.api.patch(path + "/status", {"status": {"podIP": step["ip"][0], "podIPs": [{"ip": ip} for ip in step["ip"]]}})
            if "readyFor" in step:
                since = sim.now(-step["readyFor"])
                self.api.patch(path + "/status", {"status": {"conditions": [
                    dict(c, lastTransitionTime=since) if c["type"] == "Ready" else c for c in self.api.get(path)["status"]["conditions"]]}})
            if step.get("touch"):
                self.api.patch(path + "/status", {"status": {"message": "touched at %f" % time.time()}})
            if "condition" in step:
                current = self.api.get(path)["status"].get("conditions") or []
                added = dict(step["condition"], lastTransitionTime=sim.now())
                self.api.patch(path + "/status", {"status": {"conditions": [
                    *(c for c in current if c["type"] != added["type"]), added]}})
            if step.get("delete"):
                self.api.delete(path, grace=step.get("grace"))

    def do_evict(self, step):
        """asks for the eviction of the pods that "pick" picks"""
        for pod in self._pick(step["pick"]):
            self.api.create(self._path("Pod", pod["metadata"]["name"], "eviction"), {
                "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod["metadata"]["name"],
                                                                            "namespace": self.namespace}})

    def _pick(self, wanted):
        """the living pods, oldest first, that have these: name(s), labels, owner, hash ("@n"), ready, born (the step), phase, node;
        "terminating": true picks dying ones too, "index" some of them by their place"""
        self.snapshots._renew_tokens()

        def fits(pod):
            meta, owner = pod["metadata"], controller_of(pod) or {}
            labels = meta.get("labels") or {}
            names = wanted.get("name", meta["name"])
            value = labels.get("pod-template-hash") or labels.get("controller-revision-hash", "").rsplit("-", 1)[-1]
            return ((wanted.get("terminating") or not meta.get("deletionTimestamp"))
                    and meta["name"] in ([names] if isinstance(names, str) else names)
                    and ("owner" not in wanted or owner.get("name") == wanted["owner"])
                    and ("hash" not in wanted or self.snapshots.hashes.get(value) == wanted["hash"])
                    and ("ready" not in wanted or is_ready(pod) == wanted["ready"])
                    and ("node" not in wanted or pod["spec"].get("nodeName") == wanted["node"])
                    and ("phase" not in wanted or pod["status"].get("phase") == wanted["phase"])
                    and ("born" not in wanted or self.snapshots.born.get(meta["uid"]) == wanted["born"])
                    and wanted.get("labels", {}).items() <= labels.items())
        pods = [pod for pod in self.api.list(path_for("Pod", self.namespace))[0] if fits(pod)]
        pods.sort(key=lambda pod: (pod["metadata"]["creationTimestamp"], pod["metadata"]["name"]))
        if "index" in wanted:
            pods = [pods[i] for i in wanted["index"]]
        if not pods:
            raise RuntimeError("no pod fits %s" % json.dumps(wanted))
        return pods

    # -- certificates
    def do_csr(self, step):
        """makes a key and a request for "subject", and a CertificateSigningRequest "name" of it with the rest of "spec\""""
        with tempfile.TemporaryDirectory() as directory:
            request = openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", os.path.join(directory, "key"),
                              "-subj", step["subject"])
        self.cluster_objects.append(("CertificateSigningRequest", step["name"]))
        self.api.create(path_for("CertificateSigningRequest"), {
            "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"name": step["name"]},
            "spec": dict(step["spec"], request=base64.b64encode(request.encode()).decode())})

    def do_approve(self, step):
        """approves (or, with "type", denies) the request "name\""""
        item = self.api.get(path_for("CertificateSigningRequest", None, step["name"]))
        kind = step.get("type", "Approved")
        item["status"].setdefault("conditions", []).append({"type": kind, "status": "True", "reason": "World", "message": "by the scenario"})
        self.api.put(path_for("CertificateSigningRequest", None, step["name"], "approval"), item)

    def do_certificate(self, step):
        """notes what the certificate of "name" says, and whether it comes from the cluster's authority"""
        item = self.api.get(path_for("CertificateSigningRequest", None, step["name"]))
        fact = "certificate " + step["name"].replace(self.namespace, "$NS")
        pem = base64.b64decode(item["status"].get("certificate", "")).decode()
        if not pem:
            self.facts[fact] = None
            return
        with tempfile.NamedTemporaryFile("w") as f:
            f.write(pem)
            f.flush()
            chain = subprocess.run(["openssl", "verify", "-CAfile", os.path.join(self.world.cluster.pki, "ca.crt"), f.name],
                                   capture_output=True, text=True, check=False)
        text = openssl("x509", "-noout", "-subject", "-nameopt", "RFC2253", "-ext", "keyUsage,extendedKeyUsage,basicConstraints,subjectAltName",
                       text=pem)
        dates = dict(line.split("=", 1) for line in openssl("x509", "-noout", "-dates", text=pem).splitlines())
        when = [datetime.datetime.strptime(dates[k], "%b %d %H:%M:%S %Y %Z") for k in ("notBefore", "notAfter")]
        self.facts[fact] = {
            "verified": chain.returncode == 0, "lines": [line.strip() for line in text.splitlines() if line.strip()],
            "minutes": round((when[1] - when[0]).total_seconds() / 60), "certificates": pem.count("BEGIN CERTIFICATE")}
