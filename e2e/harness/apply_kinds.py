"""What made-up applies are about: for each kind its smallest object, and pieces that a configuration may have beside it.

A piece is a function of a random source; it returns a part of an object, or None to leave it out. Parts are merged, lists of objects by the key that is in KEYS.
"""
import copy

# The fields that tell the elements of a list apart, by the name of the list. Lists that are not here are replaced.
KEYS = {
    "containers": ("name",), "initContainers": ("name",), "env": ("name",), "volumes": ("name",), "volumeMounts": ("mountPath",),
    "conditions": ("type",), "imagePullSecrets": ("name",), "hostAliases": ("ip",), "ownerReferences": ("uid",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"), "secrets": ("name",), "webhooks": ("name",), "podIPs": ("ip",),
}


def merge(base, part):
    """The base with a part of an object merged into it; both stay as they are."""
    result = copy.copy(base)
    for name, value in part.items():
        old = result.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            result[name] = merge(old, value)
        elif isinstance(old, list) and isinstance(value, list) and name == "ports":
            result[name] = old + [port for port in value if port not in old]
        elif isinstance(old, list) and isinstance(value, list) and name in KEYS:
            result[name] = merge_list(old, value, KEYS[name])
        else:
            result[name] = copy.deepcopy(value)
    return result


def merge_list(old, new, keys):
    merged = list(old)
    for item in new:
        for index, mine in enumerate(merged):
            if all(mine.get(key) == item.get(key) for key in keys):
                merged[index] = merge(mine, item)
                break
        else:
            merged.append(item)
    return merged


# --- pieces of every kind

def labels(rng):
    return {"metadata": {"labels": {rng.choice("abc"): rng.choice(["1", "2", "3"])}}}


def annotations(rng):
    return {"metadata": {"annotations": {rng.choice(["x/a", "b"]): rng.choice(["1", "2", ""])}}}


def finalizers(rng):
    return {"metadata": {"finalizers": rng.sample(["x.io/a", "x.io/b", "x.io/c"], rng.randint(1, 2))}}


def owners(rng):
    return {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "o" + uid, "uid": uid}
                                             for uid in rng.sample(["u1", "u2"], rng.randint(1, 2))]}}


META = [labels, labels, annotations, finalizers, owners]


# --- pieces of a pod's spec

def container(rng):
    return rng.choice(["c", "c", "c", "d", "e"])


def image(rng):
    return {"containers": [{"name": container(rng), "image": rng.choice(["i:1", "i:2", "i:3"])}]}


def env(rng):
    variables = [{"name": name, "value": rng.choice(["1", "2", ""])} for name in rng.sample("ABC", rng.randint(1, 2))]
    if rng.random() < .2:
        variables.append({"name": "F", "valueFrom": {"fieldRef": {"fieldPath": rng.choice(["metadata.name", "metadata.uid"])}}})
    return {"containers": [{"name": container(rng), "image": "i:1", "env": variables}]}


def ports(rng):
    result = []
    for number in rng.sample([80, 81, 443], rng.randint(1, 2)):
        port = {"containerPort": number}
        if rng.random() < .5:
            port["protocol"] = rng.choice(["TCP", "UDP"])
        if rng.random() < .3:
            port["name"] = "p%d" % number
        result.append(port)
    return {"containers": [{"name": container(rng), "image": "i:1", "ports": result}]}


def command(rng):
    return {"containers": [{"name": container(rng), "image": "i:1", rng.choice(["command", "args"]): rng.choice([["a"], ["a", "b"], []])}]}


def resources(rng):
    kind = rng.choice(["requests", "limits"])
    return {"containers": [{"name": container(rng), "image": "i:1", "resources": {kind: {rng.choice(["cpu", "memory"]): rng.choice(["1", "100m", "0.5"])}}}]}


def probe(rng):
    return {"containers": [{"name": container(rng), "image": "i:1", "livenessProbe": {
        "httpGet": {"path": "/", "port": rng.choice([80, "web"])}, "periodSeconds": rng.choice([5, 10])}}]}


def security(rng):
    return rng.choice([
        {"securityContext": {"runAsUser": rng.choice([1, 2])}},
        {"securityContext": {"fsGroup": 3}},
        {"containers": [{"name": container(rng), "image": "i:1", "securityContext": {"capabilities": {"add": rng.choice([["A"], ["A", "B"]])}}}]}])


def volumes(rng):
    return {"volumes": [rng.choice([
        {"name": "v", "emptyDir": {}},
        {"name": "v", "emptyDir": {"medium": "Memory"}},
        {"name": "w", "configMap": {"name": "x", "items": [{"key": "k", "path": "p"}]}}])]}


def mounts(rng):
    return {"containers": [{"name": "c", "image": "i:1", "volumeMounts": [{"name": "v", "mountPath": rng.choice(["/a", "/b"])}]}],
            "volumes": [{"name": "v", "emptyDir": {}}]}


def scheduling(rng):
    return rng.choice([
        {"nodeSelector": {rng.choice("ab"): "1"}},
        {"tolerations": [{"key": rng.choice("ab"), "operator": "Exists"}]},
        {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "k", "operator": rng.choice(["Exists", "DoesNotExist"])}]}]}}}},
        {"topologySpreadConstraints": [{"topologyKey": rng.choice("kl"), "maxSkew": rng.choice([1, 2]), "whenUnsatisfiable": "DoNotSchedule",
                                        "labelSelector": {"matchLabels": {"app": "x"}}}]}])


def pod_rest(rng):
    return rng.choice([
        {"imagePullSecrets": [{"name": name} for name in rng.sample(["s", "t", "u"], rng.randint(1, 2))]},
        {"hostAliases": [{"ip": rng.choice(["1.1.1.1", "2.2.2.2"]), "hostnames": ["h"]}]},
        {"terminationGracePeriodSeconds": rng.choice([1, 30, 60])},
        {"dnsConfig": {"nameservers": ["1.1.1.1"], "options": [{"name": "ndots", "value": "2"}]}},
        {"initContainers": [{"name": "i", "image": rng.choice(["i:1", "i:2"])}]},
        {"serviceAccountName": rng.choice("xy")},
        {"enableServiceLinks": rng.choice([True, False])},
        {"hostNetwork": rng.choice([True, False])}])


POD_SPEC = [image, image, env, env, ports, ports, command, resources, probe, security, volumes, mounts, scheduling, pod_rest]


def in_spec(*names):
    """Pieces of a pod's spec as pieces of an object that has it below these fields."""
    def lifted(piece):
        def wrapped(rng):
            part = piece(rng)
            for name in reversed(names):
                part = {name: part}
            return part
        return wrapped
    return [lifted(piece) for piece in POD_SPEC]


def one_of(*choices):
    return lambda rng: copy.deepcopy(rng.choice(choices))


def field(*path_and_values):
    """A piece that sets the field at a path to one of the values of the last argument."""
    *path, values = path_and_values

    def piece(rng):
        part = copy.deepcopy(rng.choice(values))
        for name in reversed(path):
            part = {name: part}
        return part
    return piece


def some(*path_and_values):
    """A piece that sets the field at a path to a sample of the values of the last argument."""
    *path, values = path_and_values

    def piece(rng):
        part = copy.deepcopy(rng.sample(values, rng.randint(1, min(2, len(values)))))
        for name in reversed(path):
            part = {name: part}
        return part
    return piece


def template_labels(rng):
    return {"spec": {"template": {"metadata": {"labels": {rng.choice("abc"): rng.choice(["1", "2"])}}}}}


def condition(rng):
    return {"status": {"conditions": [{"type": rng.choice("AB"), "status": rng.choice(["True", "False"]), "reason": rng.choice(["R", "S"]),
                                       "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}


def pod_condition(rng):
    return {"status": {"conditions": [{"type": rng.choice(["Ready", "x/A"]), "status": rng.choice(["True", "False"])}]}}


TEMPLATE = {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}
WORKLOAD = {"selector": {"matchLabels": {"app": "x"}}, "template": TEMPLATE}


class Kind:
    """A kind with its path, its smallest object, and pieces for the object and for its status."""

    def __init__(self, api_version, kind, plural, base=None, pieces=(), status=(), scale=False, namespaced=True, weight=1.0):
        self.api_version, self.kind, self.plural, self.base = api_version, kind, plural, base or {}
        self.pieces, self.status, self.scale, self.namespaced, self.weight = list(pieces), list(status), scale, namespaced, weight

    def path(self, namespace, name=None):
        prefix = "/api/" if "/" not in self.api_version else "/apis/"
        path = prefix + self.api_version + ("/namespaces/" + namespace if self.namespaced else "") + "/" + self.plural
        return path + "/" + name if name else path

    def object(self, name):
        return {"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": name}}


KINDS = [
    Kind("v1", "ConfigMap", "configmaps", {}, [
        field("data", "x", ["1", "2"]), field("data", "y", ["1", "2"]), field("data", "z", ["", "2"]), field("binaryData", "b", ["YQ==", "Yg=="]),
        field("data", [{}, {"w": "1"}]), field("immutable", [False])], weight=2.0),
    Kind("v1", "Secret", "secrets", {}, [
        field("data", "x", ["YQ==", "Yg=="]), field("data", "y", ["YQ==", "Yg=="]), field("stringData", "s", ["1", "2"]), field("type", ["Opaque"])]),
    Kind("apps/v1", "Deployment", "deployments", {"spec": WORKLOAD}, in_spec("spec", "template", "spec") + [
        field("spec", "replicas", [1, 2, 3]), field("spec", "replicas", [1, 2, 3]), field("spec", "paused", [True, False]), field("spec", "minReadySeconds", [0, 5]),
        one_of({"spec": {"strategy": {"type": "Recreate"}}}, {"spec": {"strategy": {"type": "RollingUpdate"}}},
               {"spec": {"strategy": {"rollingUpdate": {"maxSurge": 1}}}}, {"spec": {"strategy": {"rollingUpdate": {"maxUnavailable": "10%"}}}}),
        template_labels], [
            field("status", "replicas", [1, 2]), field("status", "observedGeneration", [1, 2]), condition], scale=True, weight=3.0),
    Kind("apps/v1", "StatefulSet", "statefulsets", {"spec": dict(WORKLOAD, serviceName="s")}, in_spec("spec", "template", "spec") + [
        field("spec", "replicas", [1, 2, 3]), field("spec", "podManagementPolicy", ["OrderedReady"]), template_labels,
        one_of({"spec": {"updateStrategy": {"type": "OnDelete"}}}, {"spec": {"updateStrategy": {"rollingUpdate": {"partition": 1}}}})], [
            field("status", "replicas", [1, 2]), field("status", "currentRevision", ["a", "b"]), condition], scale=True),
    Kind("apps/v1", "DaemonSet", "daemonsets", {"spec": WORKLOAD}, in_spec("spec", "template", "spec") + [
        one_of({"spec": {"updateStrategy": {"type": "OnDelete"}}}, {"spec": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}}}),
        field("spec", "minReadySeconds", [0, 3])], [
            field("status", "numberReady", [1, 2]), condition]),
    Kind("apps/v1", "ReplicaSet", "replicasets", {"spec": WORKLOAD}, in_spec("spec", "template", "spec") + [
        field("spec", "replicas", [1, 2, 3]), field("spec", "minReadySeconds", [0, 3])], [
            field("status", "replicas", [1, 2]), condition], scale=True),
    Kind("v1", "ReplicationController", "replicationcontrollers", {"spec": {"selector": {"app": "x"}, "template": TEMPLATE}}, in_spec("spec", "template", "spec") + [
        field("spec", "replicas", [1, 2, 3]), field("spec", "minReadySeconds", [0, 3])], [
            field("status", "replicas", [1, 2]), condition], scale=True),
    Kind("v1", "Pod", "pods", {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}, in_spec("spec"), [
        field("status", "phase", ["Running", "Pending"]), field("status", "message", ["a", "b"]), pod_condition, pod_condition,
        field("status", "podIP", ["10.0.0.1"])], weight=2.0),
    Kind("v1", "Service", "services", {"spec": {"ports": [{"port": 80}]}}, [
        field("spec", "selector", "app", ["x", "y"]), field("spec", "selector", "b", ["x"]),
        field("spec", "sessionAffinity", ["None", "ClientIP"]), field("spec", "type", ["ClusterIP", "ClusterIP"]), field("spec", "publishNotReadyAddresses", [True, False]),
        some("spec", "externalIPs", ["1.1.1.1", "2.2.2.2"]), field("spec", "internalTrafficPolicy", ["Cluster", "Local"]),
        one_of({"spec": {"ports": [{"port": 81, "name": "b", "protocol": "TCP"}, {"port": 80, "name": "a"}]}},
               {"spec": {"ports": [{"port": 80, "name": "a", "targetPort": "w"}]}}, {"spec": {"ports": [{"port": 80, "protocol": "UDP"}]}}),
        one_of({"spec": {"clusterIP": "None"}}, {})], [
            field("status", "loadBalancer", "ingress", [[{"ip": "1.1.1.1"}], [{"hostname": "h"}]]), condition], weight=2.0),
    Kind("v1", "ServiceAccount", "serviceaccounts", {}, [
        some("secrets", [{"name": "s"}, {"name": "t"}]), some("imagePullSecrets", [{"name": "p"}, {"name": "q"}]), field("automountServiceAccountToken", [True, False])]),
    Kind("v1", "Endpoints", "endpoints", {}, [
        field("subsets", [[{"addresses": [{"ip": "1.1.1.1"}], "ports": [{"port": 80}]}], [{"addresses": [{"ip": "2.2.2.2"}]}]])], weight=0.5),
    Kind("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", {"addressType": "IPv4", "endpoints": []}, [
        field("endpoints", [[{"addresses": ["1.1.1.1"]}], [{"addresses": ["2.2.2.2"], "conditions": {"ready": True}}]]),
        field("ports", [[{"port": 80}], [{"name": "a", "port": 81, "protocol": "TCP"}]])], weight=0.5),
    Kind("coordination.k8s.io/v1", "Lease", "leases", {"spec": {}}, [
        field("spec", "holderIdentity", ["a", "b"]), field("spec", "leaseDurationSeconds", [10, 20]), field("spec", "leaseTransitions", [1, 2]),
        field("spec", "renewTime", ["2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:01.000000Z"])]),
    Kind("v1", "LimitRange", "limitranges", {"spec": {"limits": []}}, [
        field("spec", "limits", [[{"type": "Container", "default": {"cpu": "1"}}], [{"type": "Pod", "max": {"cpu": "2"}}]])], weight=0.0),
    Kind("v1", "ResourceQuota", "resourcequotas", {"spec": {}}, [
        field("spec", "hard", "pods", ["1000", "2000"]), field("spec", "hard", "requests.cpu", ["1000"])], [
            field("status", "hard", "pods", ["1000"])], weight=0.0),
    Kind("v1", "Node", "nodes", {}, [
        some("spec", "taints", [{"key": "k", "effect": "NoSchedule"}, {"key": "l", "value": "v", "effect": "NoExecute"}]), field("spec", "unschedulable", [True, False]),
        field("spec", "podCIDR", ["10.1.0.0/24"])], [
            field("status", "capacity", "cpu", ["1", "2"]), pod_condition, field("status", "phase", ["Running"])], namespaced=False, weight=0.5),
    Kind("v1", "Namespace", "namespaces", {}, [], [condition], namespaced=False, weight=0.3),
    Kind("v1", "PodTemplate", "podtemplates", {"template": TEMPLATE}, in_spec("template", "spec"), weight=0.5),
    Kind("networking.k8s.io/v1", "Ingress", "ingresses", {"spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}}, [
        field("spec", "ingressClassName", ["a", "b"]), field("spec", "tls", [[{"hosts": ["a"]}], [{"hosts": ["a", "b"], "secretName": "s"}]]),
        field("spec", "rules", [[{"host": "a.b", "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"name": "w"}}}}]}}],
                                [{"host": "c.d"}]])], [
            field("status", "loadBalancer", "ingress", [[{"ip": "1.1.1.1"}], [{"hostname": "h"}]])]),
    Kind("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", {"spec": {"podSelector": {}}}, [
        field("spec", "podSelector", "matchLabels", "a", ["1", "2"]), some("spec", "policyTypes", ["Ingress", "Egress"]),
        field("spec", "ingress", [[{}], [{"from": [{"podSelector": {"matchLabels": {"x": "1"}}}], "ports": [{"port": 80}]}]]),
        field("spec", "egress", [[{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}]])]),
    Kind("batch/v1", "Job", "jobs", {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i:1"}]}}}}, [
        field("spec", "parallelism", [1, 2]), field("spec", "backoffLimit", [1, 6]), field("spec", "suspend", [True, False]), field("spec", "activeDeadlineSeconds", [10, 20])], [
            field("status", "active", [1])]),
    Kind("batch/v1", "CronJob", "cronjobs", {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i:1"}]}}}}}}, in_spec("spec", "jobTemplate", "spec", "template", "spec") + [
            field("spec", "suspend", [True, False]), field("spec", "schedule", ["* * * * *", "1 * * * *"]), field("spec", "successfulJobsHistoryLimit", [1, 2])]),
    Kind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", {"spec": {"selector": {"matchLabels": {"a": "1"}}}}, [
        field("spec", "minAvailable", [1, "10%"]), field("spec", "unhealthyPodEvictionPolicy", ["AlwaysAllow", "IfHealthyBudget"])], [
            field("status", "currentHealthy", [1, 2]), condition]),
    Kind("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", {"spec": {
        "maxReplicas": 5, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}}, [
            field("spec", "minReplicas", [1, 2]), field("spec", "maxReplicas", [5, 6]),
            field("spec", "metrics", [[{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]]),
            field("spec", "behavior", "scaleDown", "stabilizationWindowSeconds", [1, 2])], [
                field("status", "currentReplicas", [1, 2])]),
    Kind("rbac.authorization.k8s.io/v1", "Role", "roles", {"rules": []}, [
        field("rules", [[{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}], [{"apiGroups": [""], "resources": ["services"], "verbs": ["get", "list"]}]])]),
    Kind("storage.k8s.io/v1", "StorageClass", "storageclasses", {"provisioner": "p"}, [
        field("allowVolumeExpansion", [True, False]), some("mountOptions", ["a", "b"]), field("parameters", "a", ["1"])], namespaced=False, weight=0.5),
    Kind("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", {"value": 5}, [
        field("description", ["a", "b"]), field("globalDefault", [False])], namespaced=False, weight=0.5),
    Kind("v1", "PersistentVolumeClaim", "persistentvolumeclaims", {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}, [
        field("spec", "storageClassName", ["a"]), field("spec", "resources", "limits", "storage", ["2Gi"])], [
            field("status", "phase", ["Pending"]), field("status", "capacity", "storage", ["1Gi"])]),
]
