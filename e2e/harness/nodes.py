"""Makes up scenarios of nodes, volumes and device claims, and compares what kube-controller-manager and our controllers leave of them on a
real kube-apiserver with simulated kubelets and attachers: taints, conditions, bindings, attachments, reservations, evictions and events.
See e2e/differential.sh --nodes and workloads.py.

Scenarios use the namespace $NS; their cluster-scoped objects are called $NS.NAME. The UID @Kind/name is that of the object which the
scenario created last under this name.
"""
import hashlib
import json
import re
import sys
import types

import owners
import random_nodes
import sim
import workloads
from kubeapi import ApiError, Kube, controller_of, is_generated, path_for, wait_until

COMPARED = ("Node", "PersistentVolume", "PersistentVolumeClaim", "VolumeAttachment", "ResourceClaim", "Pod")
CONTROLLERS = ",".join(name + "-controller" for name in (
    "node-lifecycle", "taint-eviction", "persistentvolume-binder", "persistentvolume-attach-detach", "persistentvolume-expander",
    "ephemeral-volume", "resourceclaim", "device-taint-eviction", "persistentvolume-protection", "persistentvolumeclaim-protection",
    "garbage-collector"))
FLAGS = ["--node-monitor-period=1s", "--node-monitor-grace-period=8s", "--node-startup-grace-period=8s", "--node-eviction-rate=20",
         "--pvclaimbinder-sync-period=2s"]
TIMES = {"timeAdded", "time", "lastPhaseTransitionTime", "lastTransitionTime", "lastHeartbeatTime", "lastProbeTime"}


class Cluster(owners.Cluster):
    """A server with simulated kubelets and attachers, and the controllers of nodes, volumes and device claims."""

    controllers, watched, both = CONTROLLERS, (*COMPARED, "Event"), FLAGS

    def prepare(self):
        self.kubelets = sim.Simulation(Kube(self.server.kubeconfig, "kubelet-sim"), types.SimpleNamespace(items=self.every), workers=8)
        self.kubelets.kubelets.beat(True)
        self.kubelets.start()

    def every(self, kind):
        informer = self.informers.get(kind)
        return [dict(item, kind=kind) for item in list(informer.store.values())] if informer else []

    def run(self, name):
        return Run(self, name)

    def saw(self, kind, change, item):
        if kind == "VolumeAttachment":  # its name is a hash
            self.kubelets.on_attachment(change, item)
            item = dict(item, metadata=dict(item["metadata"], namespace=item["spec"]["nodeName"]))
        if kind == "Event" and change != "ADDED":
            return  # it was repeated: what goes on may repeat for ever
        super().saw(kind, change, item)
        if kind == "Pod":
            self.kubelets.on_pod(change, item)
        if kind == "Node" and change != "DELETED":
            self.kubelets.retry_unbound()

    def await_acting(self):
        """Waits until a volume is bound and attached, and a new node has no taint."""
        run = self.run("probe")
        nodes = random_nodes
        volume = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "probe", "csi": {
            "driver": "attach.world.example", "volumeHandle": "probe"}}
        claim = {"accessModes": ["ReadWriteOnce"], "storageClassName": "probe", "resources": {"requests": {"storage": "1Gi"}}}
        pod = nodes.pod("p", "n0", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}])
        run.perform_all([nodes.create(
            nodes.node("n0", None, nodes.ATTACHED, None, Ready="True"), nodes.make("v1", "PersistentVolume", "$NS.v0", volume),
            nodes.make("v1", "PersistentVolumeClaim", "c", claim), pod)])

        def acts():
            self.manager.check()
            return any(item["status"].get("volumesAttached") and not item["spec"].get("taints") for item in run.items("Node"))
        if not wait_until(acts, 120, 0.3):
            raise RuntimeError("the controllers do not act:\n" + self.manager.tail())
        run.clear()


class Run(owners.Run):
    """One execution of one scenario."""

    def execute(self, steps, traces):
        """The states after the steps. Kubelets that are lost are so for this run only."""
        try:
            return super().execute(steps, traces)
        finally:
            self.cluster.kubelets.kubelets.forget(item["metadata"]["name"] for item in self.items("Node"))

    def clear(self):
        """Deletes what the run leaves, since pending claims and lost nodes keep the controllers busy."""
        for kind in ("Pod", "ResourceClaim", "PersistentVolumeClaim", "PersistentVolume", "VolumeAttachment", "Node"):
            for item in self.items(kind):
                path = path_for(kind, self.namespace, item["metadata"]["name"])
                try:
                    if item["metadata"].get("finalizers"):
                        self.api.patch(path, {"metadata": {"finalizers": None}})
                    self.api.delete(path, grace=0)
                except ApiError as e:
                    if e.status not in (404, 409):
                        raise
        super().clear()

    # -- steps
    def _resolve(self, value):
        """The value with the UIDs of the objects that it names."""
        if isinstance(value, dict):
            return {key: self.uids.get(entry, "gone") if key == "uid" and isinstance(entry, str) and entry[:1] == "@" else self._resolve(entry)
                    for key, entry in value.items()}
        return [self._resolve(entry) for entry in value] if isinstance(value, list) else value

    def do_create(self, step):
        """creates "objects", in order"""
        super().do_create({"objects": [self._resolve(item) for item in step["objects"]]})

    def do_lose(self, step):
        """ends the kubelets of "nodes" """
        self.cluster.kubelets.kubelets.stop(self._nodes(step))

    def do_find(self, step):
        """starts the kubelets of those of the "nodes" that exist"""
        present = {item["metadata"]["name"] for item in self.items("Node")}
        self.cluster.kubelets.kubelets.start([name for name in self._nodes(step) if name in present])

    def _nodes(self, step):
        return ["%s.%s" % (self.namespace, name) for name in step["nodes"]]

    def do_bind(self, step):
        """binds the pod "name" to a "node", whose kubelet then starts it"""
        path = path_for("Pod", self.namespace, step["name"])
        self.api.create(path + "/binding", {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": step["name"]},
                                            "target": {"apiVersion": "v1", "kind": "Node", "name": step["node"]}})
        self.api.patch(path, {"metadata": {"annotations": {"world/hold": None}}})

    def do_tolerate(self, step):
        """adds a "toleration" to the pod "name" """
        path = path_for("Pod", self.namespace, step["name"])
        kept = self.api.get(path)["spec"].get("tolerations", [])
        self.api.patch(path, {"spec": {"tolerations": kept + [step["toleration"]]}})

    def do_detach(self, step):
        """deletes the attachments of a "volume" """
        for item in self.items("VolumeAttachment"):
            if item["spec"]["source"].get("persistentVolumeName") == step["volume"]:
                self.api.delete(path_for("VolumeAttachment", None, item["metadata"]["name"]))

    def _claim(self, step):
        """The name of a claim: "name", or the one that was made for a "claim" of a "pod"."""
        made = (item["metadata"]["name"] for item in self.items("ResourceClaim")
                if (controller_of(item) or {}).get("name") == step.get("pod")
                and item["metadata"].get("annotations", {}).get("resource.kubernetes.io/pod-claim-name") == step.get("claim"))
        return step.get("name") or next(made, "none")

    def do_allocate(self, step):
        """gives a claim an "allocation", and reserves it for its pod or for "pods"; "users" are those that name it"""
        name = self._claim(step)
        path = path_for("ResourceClaim", self.namespace, name)
        pods = step.get("pods", [step.get("pod")] if step.get("reserve") else [])
        present = {item["metadata"]["name"]: item for item in self.items("Pod")}
        if pods == "users":
            pods = sorted(pod for pod, item in present.items()
                          if any(claim.get("resourceClaimName") == name for claim in item["spec"].get("resourceClaims", [])))
        reserved = [{"resource": "pods", "name": pod, "uid": present[pod]["metadata"]["uid"]} for pod in pods if pod in present]
        if "deletionTimestamp" not in self.api.get(path)["metadata"]:
            self.api.patch(path, {"metadata": {"finalizers": random_nodes.HELD}})
        self.api.patch(path + "/status", {"status": {"allocation": step["allocation"], "reservedFor": reserved or None}})

    # -- the state
    def state(self):
        lines = []
        for item in self.items("ResourceClaim"):
            if is_generated(item):
                self.names[item["metadata"]["name"]] = item["metadata"]["generateName"] + "#"
        for kind in COMPARED:
            lines += sorted("%s %s" % (kind, json.dumps(self._row(kind, item), sort_keys=True)) for item in self.items(kind))
        return lines + self._events() + list(self.told)

    def _row(self, kind, item):
        row, spec, status = super()._row(kind, item), dict(item["spec"]), dict(item.get("status", {}))
        if kind == "Node":
            spec = {"taints": spec.get("taints", []), "unschedulable": spec.get("unschedulable", False)}
            status = {"conditions": status.get("conditions"), "attached": sorted(entry["name"] for entry in status.get("volumesAttached") or [])}
        elif kind == "Pod":
            spec = {"tolerations": spec.get("tolerations"), "node": spec.get("nodeName")}
            status = {key: status.get(key) for key in ("phase", "conditions", "resourceClaimStatuses")}
        elif kind == "VolumeAttachment":
            handle, driver = (self._handle(spec), spec["attacher"])
            right = "csi-" + hashlib.sha256((handle + driver + spec["nodeName"]).encode()).hexdigest()
            row["name"] = "right" if row["name"] == right else row["name"]
        return {**row, **json.loads(self._text(json.dumps({"spec": self._stable(spec), "status": self._stable(status)})))}

    def _handle(self, spec):
        name = spec["source"].get("persistentVolumeName")
        return next((item["spec"]["csi"]["volumeHandle"] for item in self.items("PersistentVolume")
                     if item["metadata"]["name"] == name), "$NS." + name.split(".")[-1]).replace("$NS", self.namespace)

    def _stable(self, value):
        """Without times and versions; the order of lists does not count."""
        if isinstance(value, dict):
            return {key: self._stable(entry) for key, entry in value.items() if key not in TIMES and key != "resourceVersion"}
        if isinstance(value, list):
            return sorted((self._stable(entry) for entry in value), key=lambda entry: json.dumps(entry, sort_keys=True))
        return value

    def _text(self, text):
        text = super()._text(text)
        return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z)?", "<time>", text)


if __name__ == "__main__":
    sys.exit(workloads.main(random_nodes, Cluster))
