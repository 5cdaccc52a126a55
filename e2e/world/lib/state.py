"""The objects of a scenario without what differs from run to run.

Names that the server or a controller made up become ordinals, objects that are equal in everything else become one entry with
a count, UIDs, times and addresses go. What stays is compared literally.
"""
import base64
import collections
import hashlib
import json
import re
import threading
import time

from kubeapi import GENERATED_SUFFIX, Informer, controller_of, path_for

# In this order, so that references lead to what is named already.
KINDS_DUMPED = ("CronJob", "Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet", "ReplicationController",
                "ControllerRevision", "ServiceAccount", "Secret", "ConfigMap", "Service", "PersistentVolumeClaim", "Pod",
                "Endpoints", "EndpointSlice", "PodDisruptionBudget", "HorizontalPodAutoscaler", "ResourceQuota", "LimitRange")
CLUSTER_KINDS = ("Node", "Namespace", "CertificateSigningRequest")
METADATA_ONLY = ("ConfigMap", "Secret")
NO_SPEC = ("Service", "CronJob", "LimitRange", "ValidatingAdmissionPolicy")
TEMPLATES = {"Deployment": ("template",), "StatefulSet": ("template", "volumeClaimTemplates"), "DaemonSet": ("template",),
             "Job": ("template",), "ReplicationController": ("template",)}
ACCIDENTAL_LABELS = ("world/pool", "kubernetes.io/metadata.name")
ACCIDENTAL_ANNOTATIONS = ("endpoints.kubernetes.io/last-change-trigger-time", "kubernetes.io/service-account.uid")
# The API server's defaults, left out where they hold.
POD_DEFAULTS = {"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "schedulerName": "default-scheduler",
                "securityContext": {}, "terminationGracePeriodSeconds": 30, "enableServiceLinks": True, "priority": 0,
                "preemptionPolicy": "PreemptLowerPriority"}
CONTAINER_DEFAULTS = {"imagePullPolicy": "IfNotPresent", "terminationMessagePath": "/dev/termination-log",
                      "terminationMessagePolicy": "File", "resources": {}}
DEFAULT_TOLERATION = re.compile("not-ready|unreachable")
UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# The name of a pod that the server refused: no watch ever shows it.
REFUSED = re.compile(r'(pods "[^" ]*-)' + GENERATED_SUFFIX + '(" is forbidden)')
ACCESS = re.compile("kube-api-access-" + GENERATED_SUFFIX)
TOUCHED = re.compile(r"touched at [0-9.]+")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| ?[+-]\d\d:?\d\d( [A-Z]+)?)?( m=\+[0-9.]+)?")
COMBINED = "(combined from similar events)"
SCALED = re.compile(r"(Scaled (?:up|down) replica set \S+) from (\d+) to (\d+)")
CONFLICT = "the object has been modified"
RETRIED = re.compile(r"\| (Failed|BackOff|Error|Calculate|NoPods|WaitFor|ExternalProvisioning|ProvisioningFailed|VolumeMismatch|"
                     r"CIDRNotAvailable)|" + re.escape(COMBINED))
SHORT_FIELDS = ("lastTransitionTime", "lastUpdateTime", "lastProbeTime", "lastHeartbeatTime")


def text_of(value):
    return json.dumps(value, sort_keys=True)


class Watcher:
    """Everything of the cluster that scenarios look at, always up to date."""

    def __init__(self, api, ca):
        self.api, self.ca = api, ca
        self.lock = threading.Lock()
        self.informers, self.runs = {}, {}
        self.changed = collections.defaultdict(float)      # namespace, or name of a cluster object -> time of the last change
        self.on_pod = self.on_node = self.on_attachment = None

    def start(self):
        for kind in (*KINDS_DUMPED, *CLUSTER_KINDS, "Event"):
            self.add(kind)
        for informer in list(self.informers.values()):
            informer.synced.wait(30)

    def add(self, kind):
        with self.lock:
            if kind in self.informers:
                return
            self.informers[kind] = Informer(self.api, path_for(kind), lambda change, item: self._event(kind, change, item))
        self.informers[kind].start()

    def items(self, kind):
        while True:
            try:
                return list(self.informers[kind].store.values())
            except RuntimeError:            # changed while being read
                continue

    @staticmethod
    def key(kind, item):
        """By what a run knows its objects: the namespace, or the name. Some names are made up by controllers."""
        if kind == "VolumeAttachment":
            return item["spec"]["nodeName"]
        if kind == "PersistentVolume" and item["metadata"]["name"].startswith("pvc-"):
            return item["spec"].get("claimRef", {}).get("namespace", "")
        return item["metadata"].get("namespace") or item["metadata"]["name"]

    def _event(self, kind, change, item):
        key = self.key(kind, item)
        if kind != "Event":
            self.changed[key] = time.time()
            item["kind"] = kind
            run = self.runs.get(key) or next((run for run in list(self.runs.values()) if run.owns(key)), None)
            if run:
                run.saw(kind, change, item)
        if kind == "Pod" and self.on_pod:
            self.on_pod(change, item)
        if kind == "VolumeAttachment" and self.on_attachment:
            self.on_attachment(change, item)
        if kind == "Node" and change != "DELETED" and self.on_node:
            self.on_node()


class Snapshots:
    """Takes the states of one run of a scenario."""

    def __init__(self, watcher, namespace, node_names=None):
        self.watcher, self.namespace = watcher, namespace
        self.node_names = node_names                # a pattern of nodes that are not to be told apart
        self.born, self.uids = {}, {}               # uid -> step, uid -> (kind, name)
        self.new_hashes, self.hashes = {}, {}       # literal -> where it was first seen; literal -> "@n"
        self.literal = {}                           # "Kind owner @n" -> literal
        self.generated = {}                         # name -> its prefix
        self.minutes = {}                           # CronJobs' scheduled times -> "Tn"
        self.node_details, self.cidrs = False, {}
        self.count = 0

    # -- what the watches tell
    def saw(self, kind, item, step):
        meta = item["metadata"]
        if meta["uid"] in self.born:
            return
        self.born[meta["uid"]] = step
        self.uids[meta["uid"]] = (kind, meta["name"])
        self.count += 1
        owner = controller_of(item)
        prefix = meta.get("generateName")
        if prefix and re.fullmatch(re.escape(prefix) + GENERATED_SUFFIX, meta["name"]):
            self.generated[meta["name"]] = prefix
        elif owner and (kind, owner["kind"]) in (("ReplicaSet", "Deployment"), ("ControllerRevision", "StatefulSet"),
                                                  ("ControllerRevision", "DaemonSet")):
            if meta["name"].startswith(owner["name"] + "-"):
                literal = meta["name"][len(owner["name"]) + 1:]
                self.new_hashes.setdefault(literal, (step, owner["kind"], owner["name"], item.get("revision", 0), self.count))
        elif owner and owner["kind"] == "CronJob" and re.fullmatch(r".*-\d{8}", meta["name"]):
            self.minutes.setdefault(meta["name"][-8:], None)

    def _renew_tokens(self):
        for literal, (_, kind, owner, *_) in sorted(self.new_hashes.items(), key=lambda entry: entry[1]):
            if literal not in self.hashes:
                self.hashes[literal] = "@%d" % (len(self.hashes) + 1)
                self.literal["%s %s %s" % (kind, owner, self.hashes[literal])] = literal
        for minute in sorted(minute for minute, token in self.minutes.items() if token is None):
            self.minutes[minute] = "T%d" % (1 + sum(1 for token in self.minutes.values() if token))
        tokens = {**self.hashes, **self.minutes}
        self.tokens = tokens
        self.token_pattern = re.compile("(?<![a-z0-9])(%s)(?![a-z0-9])" % "|".join(map(re.escape, tokens))) if tokens else None
        names = sorted(self.generated, key=len, reverse=True)
        self.name_pattern = re.compile("(?<![a-z0-9])(%s)(?![a-z0-9])" % "|".join(map(re.escape, names))) if names else None

    # -- texts
    def _text(self, text, exact=True):
        if exact and text in self.alias:
            return self.alias[text]
        if exact and text in self.ips:
            return self.ips[text]
        if self.name_pattern:
            text = self.name_pattern.sub(lambda m: self.generated[m.group(1)] + "#", text)
        if self.token_pattern:
            text = self.token_pattern.sub(lambda m: self.tokens[m.group(1)], text)
        text = text.replace(self.namespace, "$NS")
        if self.node_names:
            text = re.sub(self.node_names, "<node>", text)
        text = REFUSED.sub(r"\1#\2", text)
        text = UUID.sub(self._uid, text)
        text = re.sub(r"10\.200\.\d+\.\d+", "<ip>", text)
        text = re.sub(r"10\.96\.\d+\.\d+", "<cluster-ip>", text)
        text = ACCESS.sub("kube-api-access", text)
        text = TOUCHED.sub("<touched>", text)
        return TIME.sub("<time>", text)

    def _uid(self, match):
        if match.group(0) not in self.uids:
            return "$UID"
        kind, name = self.uids[match.group(0)]
        return "uid(%s %s)" % (kind, self.alias.get(name) or self._text(name))

    def _clean(self, value, key=None):
        if isinstance(value, dict):
            rows = {self._text(k, False): self._clean(v, k) for k, v in value.items()
                    if k not in ("uid", "resourceVersion", "managedFields", *SHORT_FIELDS)}
            return rows
        if isinstance(value, list):
            rows = [self._clean(v) for v in value]
            if key == "conditions":
                rows.sort(key=text_of)
            return rows
        if key == "nodeName" and re.fullmatch(r"node-\d", value):
            return "<node>"                 # chosen by the simulation
        return self._text(value) if isinstance(value, str) else value

    # -- objects
    def _pod_spec(self, spec):
        spec = {k: v for k, v in spec.items() if POD_DEFAULTS.get(k, self) != v}
        for part in ("containers", "initContainers"):
            if part in spec:
                spec[part] = [{k: v for k, v in c.items() if CONTAINER_DEFAULTS.get(k, self) != v} for c in spec[part]]
        tolerations = [t for t in spec.get("tolerations") or []
                       if not (DEFAULT_TOLERATION.search(t.get("key", "")) and t.get("tolerationSeconds") == 300)]
        spec.pop("tolerations", None)
        if tolerations:
            spec["tolerations"] = sorted(tolerations, key=text_of)
        return spec

    def _metadata(self, item):
        meta, row = item["metadata"], {}
        for part, accidental in (("labels", ACCIDENTAL_LABELS), ("annotations", ACCIDENTAL_ANNOTATIONS)):
            kept = {k: v for k, v in (meta.get(part) or {}).items() if k not in accidental}
            if item["kind"] == "Node" and self.node_details:
                kept.pop("node.alpha.kubernetes.io/ttl", None)          # of a helper
            if kept:
                row[part] = kept
        owners = []
        for ref in meta.get("ownerReferences") or []:
            owner = {k: ref[k] for k in ("kind", "name", "controller", "blockOwnerDeletion") if k in ref}
            if ref["kind"] in self.watcher.informers and ref["uid"] not in self.living:
                owner["gone"] = True
            owners.append(owner)
        if owners:
            row["owners"] = owners
        if meta.get("finalizers"):
            row["finalizers"] = sorted(meta["finalizers"])
        if meta.get("deletionTimestamp"):
            row["deleting"] = True
        if item["kind"] not in CLUSTER_KINDS and meta["uid"] in self.born and meta.get("namespace"):
            row["born"] = self.born[meta["uid"]]
        return row

    def _normal(self, item):
        kind, row = item["kind"], self._metadata(item)
        spec, status = dict(item.get("spec") or {}), dict(item.get("status") or {})
        if "observedGeneration" in status and kind != "Pod":
            row["observed"] = status.pop("observedGeneration") == item["metadata"].get("generation")
        if kind in METADATA_ONLY:
            data = item.get("data") or {}
            row["keys"] = sorted(data)
            if item.get("type", "Opaque") != "Opaque":
                row["type"] = item["type"]
            if item.get("type") == "kubernetes.io/service-account-token":
                row["data"] = {k: self._token_data(k, base64.b64decode(v).decode()) for k, v in data.items()}
            elif item["metadata"]["name"] in ("kube-root-ca.crt", "cluster-info"):
                row["data"] = {k: "<ca>" if v == self.watcher.ca else v for k, v in data.items()}
        elif kind == "Pod":
            spec = self._pod_spec(spec)
            row["spec"] = spec
            row["status"] = {k: status[k] for k in ("phase", "reason", "message") if k in status}
            if status.get("resourceClaimStatuses"):
                row["status"]["resourceClaims"] = {s["name"]: s.get("resourceClaimName") for s in status["resourceClaimStatuses"]}
            row["status"]["conditions"] = {c["type"]: " ".join(filter(None, (c["status"], c.get("reason"), c.get("message"))))
                                           for c in status.get("conditions") or []}
        elif kind == "Endpoints":
            row["subsets"] = self._bag([{k: self._bag(v) for k, v in subset.items()} for subset in item.get("subsets") or []])
        elif kind == "EndpointSlice":
            row["addressType"] = item["addressType"]
            row["ports"] = self._bag(item.get("ports"))
            row["endpoints"] = self._bag(item.get("endpoints"))
        elif kind == "ControllerRevision":
            row["revision"], row["data"] = item["revision"], item.get("data")
        elif kind == "ServiceAccount":
            row["secrets"] = len(item.get("secrets") or [])
        elif kind == "Node":
            row["spec"] = {"taints": spec.get("taints") or []}
            if self.node_details:
                row.update(self._node(spec, status))
        elif kind == "CertificateSigningRequest":
            row["spec"] = {"signerName": spec["signerName"]}
            row["status"] = {"conditions": status.get("conditions") or [], "certificate": bool(status.get("certificate"))}
        else:
            if kind not in NO_SPEC and spec:
                if kind == "ReplicaSet" and spec.get("template", {}).get("spec"):
                    spec["template"] = {"metadata": {k: v for k, v in spec["template"]["metadata"].items()
                                                     if k != "creationTimestamp"},
                                        "spec": self._pod_spec(spec["template"]["spec"])}
                if kind == "PersistentVolume" and "claimRef" in spec:
                    ref = spec["claimRef"]
                    spec["claimRef"] = {**{k: ref[k] for k in ("namespace", "name") if k in ref}, "bound": ref.get("uid", "")}
                row["spec"] = {k: v for k, v in spec.items() if k not in TEMPLATES.get(kind, ())}
            if kind == "VolumeAttachment":
                row["rightName"] = item["metadata"]["name"] == self._attachment_name(spec)
            if status:
                if kind == "ResourceClaim" and status.get("reservedFor"):
                    status["reservedFor"] = sorted(("%s %s %s" % (ref["resource"], ref["name"], ref["uid"])
                                                    for ref in status["reservedFor"]))
                if kind == "CronJob" and status.get("active"):
                    status["active"] = sorted((ref["name"] for ref in status["active"]))
                row["status"] = status
            for part in ("webhooks", "data"):
                if part in item:
                    row[part] = item[part]
        return self._clean(row)

    def _node(self, spec, status):
        """What the controllers of nodes and volumes leave in a node."""
        parts = {"spec": {"taints": sorted(spec.get("taints") or [], key=lambda taint: (taint["key"], taint["effect"]))},
                 "conditions": {c["type"]: " ".join(filter(None, (c["status"], c.get("reason"), c.get("message"))))
                                for c in status.get("conditions") or []}}
        if spec.get("unschedulable"):
            parts["spec"]["unschedulable"] = True
        if spec.get("podCIDRs"):
            parts["spec"]["podCIDRs"] = [self._cidr(cidr) for cidr in spec["podCIDRs"]]
            parts["spec"]["first"] = spec.get("podCIDR") == spec["podCIDRs"][0]
        for field in ("volumesAttached", "volumesInUse"):
            if status.get(field):
                parts[field] = self._bag(status[field])
        return parts

    def _cidr(self, cidr):
        """Which one of the free ranges is taken is an accident: the network's beginning, the size, and a number for each."""
        number = self.cidrs.setdefault(cidr, len(self.cidrs) + 1)
        address, _, size = cidr.partition("/")
        return "%s.../%s #%d" % (address[:6], size, number)

    def _attachment_name(self, spec):
        volume = self.watcher.api.get(path_for("PersistentVolume", None, spec["source"].get("persistentVolumeName", "-")), ok404=True)
        handle = ((volume or {}).get("spec", {}).get("csi") or {}).get("volumeHandle")
        text = (handle or "") + spec["attacher"] + spec["nodeName"]
        return "csi-" + hashlib.sha256(text.encode()).hexdigest()

    def _token_data(self, key, text):
        if key != "token" or text.count(".") != 2:
            return "<ca>" if text == self.watcher.ca else text
        payload = text.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))

    def _bag(self, rows):
        """A list whose order is an accident; equal entries become one."""
        counted = collections.Counter(text_of(self._clean(row)) for row in rows or [])
        return [dict(json.loads(text), times=n) if n > 1 else json.loads(text) for text, n in sorted(counted.items())]

    # -- the state
    def take(self, namespaces, kinds, named, ignored, cluster_kinds=(), owns=None):
        """{"Kind name": object}; the objects of further namespaces as "Kind namespace/name"; those without namespace of further
        kinds that the run owns."""
        self._renew_tokens()
        self.alias, self.ips, state = {}, {}, {}
        kinds = kinds or KINDS_DUMPED
        kinds = [*(kind for kind in KINDS_DUMPED if kind in kinds), *(kind for kind in kinds if kind not in KINDS_DUMPED)]
        by_kind = {kind: [item for item in self.watcher.items(kind) if item["metadata"].get("namespace") in namespaces]
                   for kind in kinds}
        self.living = {item["metadata"]["uid"] for kind in (*self.watcher.informers,) for item in self.watcher.items(kind)}
        for kind in kinds:
            classes = collections.defaultdict(list)
            for item in by_kind[kind]:
                item["kind"] = kind
                name = item["metadata"]["name"]
                content = self._normal(item)
                where = item["metadata"]["namespace"]
                where = "" if where == self.namespace else self._text(where) + "/"
                prefix = self.generated.get(name)
                stable = where + self._text(prefix if prefix else name, False)
                if "%s %s" % (kind, stable) not in ignored:
                    classes[(stable, text_of(content) if prefix else "", bool(prefix))].append((item, content))
            numbers = collections.Counter()
            for (stable, _, made_up), members in sorted(classes.items(), key=lambda entry: entry[0]):
                if made_up:
                    numbers[stable] += 1
                    stable = "%s#%d" % (stable, numbers[stable])
                for item, content in members:
                    if made_up:
                        self.alias[item["metadata"]["name"]] = stable
                    for ip in (item.get("status") or {}).get("podIPs") or [] if kind == "Pod" else []:
                        self.ips[ip["ip"]] = "%s(%s)" % ("ip6" if ":" in ip["ip"] else "ip", stable)
                state["%s %s" % (kind, stable)] = dict(members[0][1], times=len(members)) if len(members) > 1 else members[0][1]
        for kind in cluster_kinds:
            for item in sorted(self.watcher.items(kind), key=lambda item: item["metadata"]["name"]):
                if owns(self.watcher.key(kind, item)):
                    item["kind"] = kind
                    name = self._text(item["metadata"]["name"], False)
                    if kind == "VolumeAttachment":
                        name = self._text("of %s on %s" % (item["spec"]["source"].get("persistentVolumeName"), item["spec"]["nodeName"]), False)
                    state["%s %s" % (kind, name)] = self._normal(item)
        for entry in named:
            kind, name = entry.split(" ", 1)
            namespace, _, name = name.rpartition("/")
            item = self.watcher.api.get(path_for(kind, namespace or None, name), ok404=True)
            state[self._text("%s" % entry, False)] = self._normal(dict(item, kind=kind)) if item else None
        return json.loads(json.dumps(state))

    def events(self, namespaces, helpers):
        """Events that differ in nothing but time and made-up names, with a class of how often they came."""
        self._renew_tokens()
        self.alias, self.ips = {}, {}
        counts, scaled = collections.Counter(), collections.Counter()
        for event in self.watcher.items("Event"):
            about = event.get("involvedObject", {})
            if event["metadata"]["namespace"] not in namespaces and not (
                    event["metadata"]["namespace"] == "default" and not about.get("namespace")
                    and about.get("name", "").startswith(self.namespace)):
                continue
            component = event.get("source", {}).get("component") or event.get("reportingComponent") or ""
            if component in helpers:
                continue
            message = event.get("message", "")
            if CONFLICT in message or event.get("reason") == "CIDRAssignmentFailed":
                continue                    # a matter of timing
            if message.startswith(COMBINED):
                message = COMBINED
            times = event.get("count") or (event.get("series") or {}).get("count") or 1
            step = SCALED.fullmatch(message)
            key = " | ".join((component, event.get("type", ""), event.get("reason", ""), about.get("kind", ""),
                              self._text(about.get("name", "")), self._text(step.group(1) if step else message)))
            if step:                        # in how many steps is a matter of timing
                scaled[key] += times * abs(int(step.group(3)) - int(step.group(2)))
            else:
                counts[key] += times
        rows = {key: "+" if RETRIED.search(key) else str(n) if n < 5 else "5+" for key, n in counts.items()}
        return dict(sorted({**rows, **{key: "by %d in all" % n for key, n in scaled.items()}}.items()))
