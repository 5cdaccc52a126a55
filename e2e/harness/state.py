"""What the controllers left behind in a namespace, without what differs from run to run: names that the server made up
become ordinals, UIDs and times go, pods that are equal in everything are interchangeable.
"""
import json
import re

from kubeapi import ApiError, GENERATED_SUFFIX, controller_of, is_generated, is_ready, path_for

TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
# Other controllers' events say nothing about the ones under test; that a conflict was reported depends on timing alone.
HELPERS = {"endpoint-slice-controller", "endpoint-slice-mirroring-controller", "garbage-collector-controller",
           "resourcequota-controller", "namespace-controller", "pod-garbage-collector-controller",
           "ipallocator-repair-controller"}
CONFLICTS = {"FailedToUpdateEndpoint", "FailedToCreateEndpoint"}
EVENT_FIELDS = ("component", "type", "reason", "kind", "name", "message")


def by_text(value):
    return json.dumps(value, sort_keys=True)


class Snapshots:
    """Takes the state of one scenario's namespace, again and again; remembers in which step things first appeared."""

    def __init__(self, api, namespace, run_id, is_made_up):
        self.api, self.namespace, self.run_id, self.is_made_up = api, namespace, run_id, is_made_up
        self.born = {}            # pod uid -> step
        self.order = {}           # pod uid -> ordinal
        self.sets_seen = {}       # replica set name -> ordinal
        self.set_names = {}       # name of a deployment's replica set -> stable name

    # -- what the watches tell
    def saw_pod(self, pod, step):
        uid = pod["metadata"]["uid"]
        self.order.setdefault(uid, len(self.order) + 1)
        self.born.setdefault(uid, step)

    def saw_set(self, replica_set):
        self.sets_seen.setdefault(replica_set["metadata"]["name"], len(self.sets_seen) + 1)

    # -- names
    def _replace(self, value):
        return value.replace(self.namespace, "$NS").replace(self.run_id, "$RUN") if isinstance(value, str) else value

    def _scrub(self, text):
        for real, stable in self.set_names.items():
            text = text.replace(real, stable)
        text = re.sub(r"([a-z0-9@.-]+)-%s(?![a-z0-9-])" % GENERATED_SUFFIX, r"\1-#", self._replace(text))
        return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "$UID", text)

    def _name_sets(self, sets):
        """Sets of a deployment are named after a hash: the n-th of them that was seen becomes DEPLOYMENT-@n."""
        for item in sorted(sets, key=lambda o: self.sets_seen.get(o["metadata"]["name"], 1 << 30)):
            name, owner = item["metadata"]["name"], controller_of(item)
            if owner and owner["kind"] == "Deployment" and name not in self.set_names:
                siblings = sum(1 for stable in self.set_names.values() if stable.startswith(owner["name"] + "-@"))
                self.set_names[name] = "%s-@%d" % (owner["name"], siblings + 1)

    def _stable(self, name):
        return self.set_names.get(name, name)

    # -- the state
    def take(self, deployments=False):
        def items(kind):
            try:
                return self.api.list(path_for(kind, self.namespace))[0]
            except ApiError as e:
                if e.status != 404:
                    raise
                return []
        pods, sets, endpoints = items("Pod"), items("ReplicaSet"), items("Endpoints")
        controllers = items("ReplicationController")
        deployed = items("Deployment") if deployments else []
        self._name_sets(sets)
        self.hashes = {(o["metadata"].get("labels") or {}).get("pod-template-hash"):
                       self._stable(o["metadata"]["name"]).rsplit("-", 1)[1]
                       for o in sets if o["metadata"]["name"] in self.set_names}
        self.living = {o["metadata"]["uid"]: (kind, o["metadata"]["name"]) for group, kind in (
            (pods, "Pod"), (sets, "ReplicaSet"), (controllers, "ReplicationController"), (deployed, "Deployment"))
            for o in group}
        state = {"pods": self._pods(pods), "endpoints": self._endpoints(endpoints), "replicaSets": self._replicas(sets)}
        if controllers:
            state["replicationControllers"] = self._replicas(controllers)
        if deployed:
            state["deployments"] = [self._deployment(o) for o in deployed]
        return state

    def _labels(self, labels):
        return {k: self.hashes.get(v, v) if k == "pod-template-hash" else self._replace(v)
                for k, v in sorted((labels or {}).items())}

    def _owners(self, meta):
        owners = []
        for ref in meta.get("ownerReferences") or []:
            owner = {k: ref[k] for k in ("apiVersion", "kind", "controller", "blockOwnerDeletion") if k in ref}
            owner["name"] = self._stable(ref["name"])
            owner["live"] = self.living.get(ref["uid"]) == (ref["kind"], ref["name"])
            owners.append(owner)
        return owners

    def _pods(self, pods):
        rows = []
        for pod in pods:
            prefix = self._stable(pod["metadata"]["generateName"][:-1]) if is_generated(pod) else None
            content = self._pod(pod)
            if prefix:
                content["generateName"] = prefix + "-"
            ips = [entry["ip"] for entry in pod.get("status", {}).get("podIPs") or []]
            given = [ip for ip in ips if not self.is_made_up(ip)]
            key = (prefix or pod["metadata"]["name"], by_text(content), by_text(given),
                   self.order.get(pod["metadata"]["uid"], 0))
            rows.append((key, prefix, content, pod["metadata"], ips))
        counters, self.pod_names, self.ip_names = {}, {}, {}
        for _, prefix, content, meta, ips in sorted(rows, key=lambda row: row[0]):
            content["name"] = meta["name"]
            if prefix:
                counters[prefix] = counters.get(prefix, 0) + 1
                content["name"] = "%s-#%d" % (prefix, counters[prefix])
            self.pod_names[(meta["name"], meta["uid"])] = content["name"]
            for ip in filter(self.is_made_up, ips):
                self.ip_names[ip] = "%s(%s)" % ("ip6" if ":" in ip else "ip", content["name"])
            content["ips"] = [self.ip_names.get(ip, ip) for ip in ips]
        return [row[2] for row in sorted(rows, key=lambda row: row[0])]

    def _pod(self, pod):
        meta, spec, status = pod["metadata"], pod["spec"], pod.get("status", {})
        content = {"labels": self._labels(meta.get("labels")), "owners": self._owners(meta),
                   "phase": status.get("phase"), "ready": is_ready(pod), "born": self.born.get(meta["uid"]),
                   "images": [container["image"] for container in spec["containers"]]}
        if meta.get("annotations"):
            content["annotations"] = dict(sorted(meta["annotations"].items()))
        if meta.get("finalizers"):
            content["finalizers"] = meta["finalizers"]
        if meta.get("deletionTimestamp"):
            content["terminating"] = True
        if spec.get("nodeName"):
            content["node"] = spec["nodeName"]
        for field in ("hostname", "subdomain"):
            if spec.get(field):
                content[field] = spec[field]
        if not status.get("podIP"):
            content["noIP"] = True
        return content

    def _endpoints(self, endpoints):
        rows = []
        for item in sorted(endpoints, key=lambda o: o["metadata"]["name"]):
            meta = item["metadata"]
            annotations = dict(meta.get("annotations") or {})
            trigger = annotations.pop(TRIGGER_TIME, None)
            row = {"name": meta["name"], "labels": self._labels(meta.get("labels"))}
            # Whether it is there depends on where a second ends; only its form is compared.
            if trigger is not None and not RFC3339.fullmatch(trigger):
                row["badTriggerTime"] = True
            if annotations:
                row["annotations"] = annotations
            subsets = item.get("subsets") or []
            row["subsets"] = sorted((self._subset(subset) for subset in subsets), key=by_text)
            # Upstream's order of ports and subsets is an accident (a hash over UIDs); that of addresses is by their text.
            parts = [[a["ip"].encode() for a in subset.get(part) or []] for subset in subsets
                     for part in ("addresses", "notReadyAddresses")]
            if any(part != sorted(part) for part in parts):
                row["addressesUnsorted"] = True
            rows.append(row)
        return rows

    def _subset(self, subset):
        row = {"ports": sorted(subset["ports"], key=by_text)} if subset.get("ports") else {}
        for part in ("addresses", "notReadyAddresses"):
            if subset.get(part):
                row[part] = sorted((self._address(a) for a in subset[part]), key=by_text)
        return row

    def _address(self, address):
        ip = address["ip"]
        row = {"ip": self.ip_names.get(ip) or ("ip(gone)" if self.is_made_up(ip) else ip)}
        row.update({k: address[k] for k in ("hostname", "nodeName") if k in address})
        target = address.get("targetRef")
        if target:
            name = self.pod_names.get((target.get("name"), target.get("uid")))
            row["target"] = {"kind": target.get("kind"), "namespace": self._replace(target.get("namespace")),
                             "name": name or "STALE " + self._scrub(str(target.get("name"))),
                             "resourceVersion": bool(target.get("resourceVersion"))}
        return row

    def _replicas(self, items):
        rows = []
        for item in sorted(items, key=lambda o: self._stable(o["metadata"]["name"])):
            meta, status = item["metadata"], item.get("status", {})
            row = {"name": self._stable(meta["name"]), "want": item["spec"].get("replicas"),
                   "observed": status.get("observedGeneration") == meta.get("generation"),
                   "status": {k: status.get(k, 0) for k in ("replicas", "fullyLabeledReplicas", "readyReplicas",
                                                            "availableReplicas")},
                   "conditions": [{"type": c["type"], "status": c["status"], "reason": c.get("reason"),
                                   "message": self._scrub(c.get("message", ""))}
                                  for c in sorted(status.get("conditions") or [], key=lambda c: c["type"])]}
            if "terminatingReplicas" in status:
                row["status"]["terminatingReplicas"] = status["terminatingReplicas"]
            if meta.get("ownerReferences"):
                row["owners"] = self._owners(meta)
            if meta.get("finalizers"):
                row["finalizers"] = meta["finalizers"]
            if meta.get("deletionTimestamp"):
                row["terminating"] = True
            rows.append(row)
        return rows

    @staticmethod
    def _deployment(item):
        status = item.get("status", {})
        counted = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas")
        return {"name": item["metadata"]["name"], "status": {k: status.get(k, 0) for k in counted},
                "conditions": [{k: c.get(k) for k in ("type", "status", "reason")}
                               for c in sorted(status.get("conditions") or [], key=lambda c: c["type"])]}

    def events(self):
        """Events that differ in nothing but time and made-up names, each with the number of its objects and its count."""
        rows = {}
        for event in self.api.list(path_for("Event", self.namespace))[0]:
            component = event.get("source", {}).get("component") or event.get("reportingComponent", "")
            if component in HELPERS or event.get("reason") in CONFLICTS:
                continue
            regarding = event.get("involvedObject", {})
            key = (component, event.get("type"), event.get("reason"), regarding.get("kind"),
                   self._scrub(regarding.get("name", "")), self._scrub(event.get("message", "")))
            row = rows.setdefault(key, {"objects": 0, "count": 0})
            row["objects"] += 1
            row["count"] += event.get("count") or 1
        return [dict(zip(EVENT_FIELDS, key), **rows[key]) for key in sorted(rows, key=lambda key: list(map(str, key)))]
