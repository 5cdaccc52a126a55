"""Makes up trees of owners, namespaces, quotas and service accounts, and compares what kube-controller-manager and our controllers
leave of them on a real kube-apiserver: objects, owner references, finalizers, deletions, conditions, usage and events. See
e2e/differential.sh --owners and workloads.py.

Races, whose outcome is chance, are compared by what must hold: nothing that has a living owner was deleted, and nothing is left
over. Scenarios use the namespaces $NS and $NS-b; their cluster-scoped objects are called $NS.NAME. The UID @Kind/name is that of
the object which the scenario created last under this name.
"""
import concurrent.futures
import json
import os
import re
import sys
import time

import random_owners
import workloads
from kubeapi import ApiError, KINDS, MERGE, path_for, wait_until

GROUP = "differential.example.com"
KINDS.update({"Widget": ("/apis/%s/v1" % GROUP, "widgets", True), "Gadget": ("/apis/%s/v1" % GROUP, "gadgets", False)})
COMPARED = (*random_owners.NAMESPACED, *random_owners.CLUSTER, "Namespace", "ResourceQuota", "Service", "PersistentVolumeClaim",
            "PersistentVolume", "VolumeAttributesClass", "ServiceAccount", "ResourceClaim")
CONTROLLERS = ",".join(name + "-controller" for name in (
    "garbage-collector", "namespace", "resourcequota", "serviceaccount", "serviceaccount-token", "root-ca-certificate-publisher",
    "persistentvolumeclaim-protection", "persistentvolume-protection", "volumeattributesclass-protection"))


class Cluster(workloads.Cluster):
    """A server with custom resources, and the controllers of owners, namespaces, quotas and accounts."""

    controllers, watched, both = CONTROLLERS, (*COMPARED, "Event"), []

    def __init__(self, manager, directory):
        self.mine = {}  # scenario: kind: UID: object
        super().__init__(manager, directory)

    def prepare(self):
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        for kind in ("Widget", "Gadget"):
            _, plural, namespaced = KINDS[kind]
            self.api.create(definitions, {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {
                "name": "%s.%s" % (plural, GROUP)}, "spec": {
                    "group": GROUP, "scope": "Namespaced" if namespaced else "Cluster", "names": {
                        "plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"},
                    "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                        "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
            if not wait_until(lambda k=kind: self.api.raw("GET", path_for(k))[0] == 200, 60, 0.3):
                raise RuntimeError("%s is not served" % plural)
        self.api.create(path_for("PriorityClass"), {
            "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "differential"}, "value": 1})

    def flags(self):
        pki = os.path.join(self.server.directory, "pki")
        return ["--root-ca-file=" + os.path.join(pki, "ca.crt"),
                "--service-account-private-key-file=" + os.path.join(pki, "sa.key")]

    def run(self, name):
        return Run(self, name)

    def saw(self, kind, change, item):
        metadata = item["metadata"]
        space = metadata.get("namespace") or metadata["name"]
        if space == "default":  # an event about a cluster-scoped object
            space = item.get("involvedObject", {}).get("name", "")
        scenario = space.split(".")[0].removesuffix("-b")
        self.changed[scenario] = time.time()
        mine = self.mine.setdefault(scenario, {}).setdefault(kind, {})
        if change == "DELETED":
            mine.pop(metadata["uid"], None)
        else:
            mine[metadata["uid"]] = item

    def await_acting(self):
        """Waits until each resource's dependents go after their owners."""
        run = self.run("probe")
        owner = {"apiVersion": GROUP + "/v1", "kind": "Gadget", "metadata": {"name": "$NS.owner"}}
        reference = dict(apiVersion=GROUP + "/v1", kind="Gadget", name="$NS.owner", uid="@Gadget/$NS.owner")
        things = [random_owners.Thing(random_owners.random.Random(number), number, 0) for number in range(20)]
        run.perform_all([{"do": "create", "objects": [owner] + [thing.object([reference]) for thing in things]},
                         {"do": "delete", "kind": "Gadget", "name": "$NS.owner"},
                         {"do": "together", "steps": [thing.step("release") for thing in things]}])

        def acts():
            self.manager.check()
            return run.items("ServiceAccount") and not any(
                item["metadata"].get("ownerReferences") for kind in COMPARED for item in run.items(kind))
        if not wait_until(acts, 120, 0.3):
            raise RuntimeError("the controllers do not act:\n" + self.manager.tail())


class Run(workloads.Run):
    """One execution of one scenario."""

    def __init__(self, cluster, name):
        super().__init__(cluster, name)
        self.uids, self.names, self.deleted = {}, {}, set()
        self.last = {}
        self.api.create(path_for("Namespace"), {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace + "-b"}})
        self.invariants = None

    def clear(self):
        """Leaves the objects, which cost the other runs little."""
        self.cluster.mine.pop(self.namespace, None)

    def items(self, kind):
        return list(self.cluster.mine.get(self.namespace, {}).get(kind, {}).values())

    # -- steps
    def perform_all(self, steps):
        for step in json.loads(json.dumps(steps).replace("$NS", self.namespace)):
            self.perform(step)

    def perform(self, step):
        self.invariants = step.get("invariants", self.invariants)
        super().perform(step)

    def _path_of(self, step):
        return path_for(step["kind"], step.get("namespace") or self.namespace, step["name"], step.get("sub"))

    def _resolved(self, owners):
        return [dict(owner, uid=self.uids.get(owner["uid"], "gone" if owner["uid"][:1] == "@" else owner["uid"])) for owner in owners]

    def do_create(self, step):
        """creates "objects", in order"""
        for item in step["objects"]:
            metadata = item["metadata"]
            metadata["ownerReferences"] = self._resolved(metadata.get("ownerReferences", []))
            uid = "kubernetes.io/service-account.uid"
            if uid in metadata.get("annotations", {}):
                metadata["annotations"][uid] = self.uids.get(metadata["annotations"][uid], "wrong")
            place = "%s/%s" % (item["kind"], metadata["name"])
            try:
                made = self.api.create(path_for(item["kind"], metadata.get("namespace") or self.namespace), item)
            except ApiError as e:
                self.told.append("create %s: %d" % (self._text(place), e.status))
                continue
            self.uids["@" + place] = made["metadata"]["uid"]
            self.names[made["metadata"]["uid"]] = "uid(%s)" % place
            self._keep(item["kind"], made)

    def _keep(self, kind, item):
        self.last[item["metadata"]["uid"]] = dict(item, kind=kind)

    def do_owners(self, step):
        """sets the "owners" of "kind" "name" """
        answer = self.api.patch(self._path_of(step), {"metadata": {"ownerReferences": self._resolved(step["owners"])}})
        self._keep(step["kind"], answer)

    def do_finalizers(self, step):
        """sets the "finalizers" of "kind" "name" """
        self.api.patch(self._path_of(step), {"metadata": {"finalizers": step["finalizers"]}})

    def do_release(self, step):
        """takes the scenario's own finalizer from "kind" "name" """
        path = self._path_of(step)
        for _ in range(20):
            item = self.api.get(path)["metadata"]
            kept = [name for name in item.get("finalizers", []) if name != random_owners.HOLD]
            if kept == item.get("finalizers", []):
                return
            try:
                self.api.patch(path, {"metadata": {"finalizers": kept or None, "resourceVersion": item["resourceVersion"]}})
                return
            except ApiError as e:
                if e.status != 409:
                    raise

    def do_delete(self, step):
        """deletes "kind" "name", with "propagation" and "grace" if given"""
        self.deleted.add(self.uids.get("@%s/%s" % (step["kind"], step["name"])))
        self.api.delete(self._path_of(step), grace=step.get("grace"), propagation=step.get("propagation"), ok404=False)

    def do_patch(self, step):
        """patches "kind" "name", or its "sub", with "patch" """
        self.api.patch(self._path_of(step), step["patch"], MERGE)

    def do_together(self, step):
        """performs "steps" side by side; how the server answers does not count"""
        told = list(self.told)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(self.perform, step["steps"]))
        self.told = told

    # -- the state
    def state(self):
        """What the scenario has, as lines; or what must not be, if the outcome is chance."""
        if self.invariants is not None:
            return self._violations() if self.invariants else []
        lines = []
        for kind in COMPARED:
            lines += sorted("%s %s" % (kind, json.dumps(self._row(kind, item), sort_keys=True)) for item in self.items(kind))
        return lines + self._events() + list(self.told)

    def _row(self, kind, item):
        metadata = item["metadata"]
        row = {"name": metadata["name"], "namespace": metadata.get("namespace", ""), "finalizers": metadata.get("finalizers", []),
               "terminating": "deletionTimestamp" in metadata, "labels": metadata.get("labels", {}),
               "annotations": metadata.get("annotations", {}), "owners": metadata.get("ownerReferences", [])}
        if kind in ("Secret", "ConfigMap"):
            row["data"] = {key: kind == "Secret" or value for key, value in (item.get("data") or {}).items()}
        if kind in ("Namespace", "ResourceQuota"):
            row["status"] = item.get("status", {})
            row["spec"] = item.get("spec", {})
        if kind == "Namespace":
            row["status"] = dict(row["status"], conditions=[
                {key: value for key, value in condition.items() if key not in workloads.TIMES}
                for condition in row["status"].get("conditions", [])])
        return json.loads(self._text(json.dumps(row)))

    def _text(self, text):
        for uid, name in list(self.names.items()):
            text = text.replace(uid, name)
        text = re.sub(r"\b%s\b" % re.escape(self.namespace), "$NS", text)
        text = re.sub(r"-----BEGIN[^\"]*", "<pem>", text)
        return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<uid>", text)

    def _lives(self, owner, dependent):
        """Whether the reference is to an object that exists: kind, name, UID and namespace are right."""
        kind = owner["kind"]
        if kind not in COMPARED:
            return None
        namespace = dependent["metadata"].get("namespace", "") if KINDS[kind][2] else ""
        return random_owners.VERSIONS.get(kind, "v1") == owner["apiVersion"] and any(
            item["metadata"]["uid"] == owner["uid"] and item["metadata"]["name"] == owner["name"]
            and item["metadata"].get("namespace", "") == namespace for item in self.items(kind))

    def _violations(self):
        """What is deleted though an owner lives, and what is left though none does."""
        lines, left = [], {}
        for kind in (*random_owners.NAMESPACED, *random_owners.CLUSTER):
            left.update((item["metadata"]["uid"], dict(item, kind=kind)) for item in self.items(kind))
        for uid, item in {**self.last, **left}.items():
            about = self._text("%s/%s %s" % (item["kind"], item["metadata"]["name"], json.dumps(item["metadata"].get("ownerReferences"))))
            living = [self._lives(owner, item) for owner in item["metadata"].get("ownerReferences") or []]
            terminating = uid in left and "deletionTimestamp" in left[uid]["metadata"]
            held = random_owners.HOLD in item["metadata"].get("finalizers", [])
            # A cluster-scoped object that claims an owner in a namespace is never decided.
            if not item["metadata"].get("namespace") and any(
                    KINDS.get(owner["kind"], ("", "", True))[2] for owner in item["metadata"].get("ownerReferences") or []):
                living.append(None)
            if uid not in left and uid not in self.deleted and (True in living or not living):
                lines.append("has a living owner, or never had one, and is deleted: " + about)
            if uid in left and not held and (terminating or living and not any(alive is not False for alive in living)):
                lines.append("left over: " + about)
        return sorted(lines)


if __name__ == "__main__":
    sys.exit(workloads.main(random_owners, Cluster))
