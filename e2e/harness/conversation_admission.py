"""The conversation about admission: what the plug-ins of the server change and refuse. The plug-in ServiceAccount is switched off, as in e2e/up.sh.

It is held before all others, because it marks classes as the default of the whole server; it removes them again.
"""
from conversation_kinds import DRY, MERGE, TABLE

CPU = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m"}}}]}
GPU = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"example.com/gpu": "1"}}}]}


def memory(limit):
    return {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m"}, "limits": {"memory": limit}}}]}


def affinity(**more):
    return {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [dict({"topologyKey": "k", "labelSelector": {}}, **more)]}}}


def priority(operator, *values):
    return {"scopeSelector": {"matchExpressions": [dict({"scopeName": "PriorityClass", "operator": operator}, **({"values": list(values)} if values else {}))]}}


# Title: (hard limits, scopes, the pods that are created one after the other)
QUOTAS = {
    "terminating": ({"pods": "1"}, {"scopes": ["Terminating"]}, [{"activeDeadlineSeconds": 9}, {"activeDeadlineSeconds": 9}, {}]),
    "notterminating": ({"pods": "1"}, {"scopes": ["NotTerminating"]}, [{}, {}, {"activeDeadlineSeconds": 3}]),
    "besteffort": ({"pods": "1"}, {"scopes": ["BestEffort"]}, [{}, {}, CPU]),
    "notbesteffort": ({"pods": "1", "cpu": "150m"}, {"scopes": ["NotBestEffort"]}, [CPU, CPU, {}]),
    "priority": ({"pods": "1"}, priority("In", "high"), [{"priorityClassName": "high"}] * 2 + [{"priorityClassName": "never"}]),
    "nopriority": ({"pods": "1"}, priority("NotIn", "high"), [{"priorityClassName": "never"}, {}, {"priorityClassName": "high"}]),
    "anypriority": ({"pods": "1"}, priority("Exists"), [{"priorityClassName": "never"}, {"priorityClassName": "high"}, {}]),
    "crossnamespace": ({"pods": "0"}, {"scopes": ["CrossNamespacePodAffinity"]}, [affinity(namespaceSelector={}), affinity(namespaces=["x"]), affinity()]),
    "compute": ({"requests.cpu": "150m", "limits.memory": "1Gi", "count/pods": "9"}, {},
                [CPU, memory("512Mi"), memory("768Mi"), {"resources": {"requests": {"cpu": "10m"}, "limits": {"memory": "64Mi"}}}]),
    "extended": ({"requests.example.com/gpu": "1", "hugepages-2Mi": "4Mi"}, {}, [GPU, GPU]),
}


class Admission:
    """One conversation."""

    def __init__(self, talk):
        self.talk, self.ask = talk, talk.ask
        self.own = "/api/v1/namespaces/%s/" % talk.name
        self.made = []

    def merge(self, step, path, patch, **more):
        self.ask(step, "PATCH", path, patch, content=MERGE, **more)

    def shared(self, step, path, body):
        """Creates an object that has no namespace."""
        self.ask(step, "POST", path, body)
        self.made.append(path + "/" + body["metadata"]["name"])

    def pod(self, name, spec=None, **metadata):
        self.ask("pod " + name, "POST", self.own + "pods", {
            "metadata": dict(metadata, name=name), "spec": dict({"containers": [{"name": "c", "image": "i"}]}, **(spec or {}))})

    def claim(self, name, size="1Gi", **spec):
        self.ask("claim " + name, "POST", self.own + "persistentvolumeclaims", {
            "metadata": {"name": name}, "spec": dict({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}, **spec)})

    def run(self):
        try:
            self.about_pods()
            self.about_nodes()
            self.about_claims()
            self.about_ingresses()
            self.about_quotas()
            self.about_limits()
        finally:
            for path in self.made:
                self.ask(None, "DELETE", path, {"gracePeriodSeconds": 0}, keep=False)

    def about_pods(self):
        self.pod("plain")
        self.pod("tolerant", {"tolerations": [{"operator": "Exists"}]})
        self.pod("patient", {"tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}]})
        self.pod("priority", {"priority": 5})
        self.pod("priority-zero", {"priority": 0})
        self.pod("priority-absent", {"priorityClassName": "none"})
        self.pod("priority-system", {"priorityClassName": "system-cluster-critical"})
        self.pod("preemption", {"preemptionPolicy": "Never"})
        self.merge("update", self.own + "pods/plain", {"metadata": {"labels": {"a": "b"}}})
        self.ask("dry run", "POST", self.own + "pods", {"metadata": {"generateName": "dry-"}, "spec": {"containers": [{"name": "c", "image": "i"}], "priority": 3}},
                 query=DRY)
        classes = "/apis/scheduling.k8s.io/v1/priorityclasses"
        self.shared("class high", classes, {"metadata": {"name": "high"}, "value": 9})
        self.shared("class never", classes, {"metadata": {"name": "never"}, "value": -3, "preemptionPolicy": "Never"})
        self.pod("high", {"priorityClassName": "high"})
        self.pod("high-same", {"priorityClassName": "high", "priority": 9})
        self.pod("high-other", {"priorityClassName": "high", "priority": 8})
        self.pod("high-policy", {"priorityClassName": "high", "preemptionPolicy": "Never"})
        self.pod("never", {"priorityClassName": "never"})
        self.shared("class usual", classes, {"metadata": {"name": "usual"}, "value": 7, "globalDefault": True})
        self.ask("class usual again", "POST", classes, {"metadata": {"name": "usual2"}, "value": 6, "globalDefault": True})
        self.merge("class high as default", classes + "/high", {"globalDefault": True})
        self.merge("class usual as default", classes + "/usual", {"description": "d"})
        self.pod("usual")
        self.ask(None, "DELETE", classes + "/usual", keep=False)
        runtimes = "/apis/node.k8s.io/v1/runtimeclasses"
        self.shared("runtime vm", runtimes, {
            "metadata": {"name": "vm"}, "handler": "h", "overhead": {"podFixed": {"cpu": "100m", "memory": "16Mi"}},
            "scheduling": {"nodeSelector": {"vm": "yes", "z": "1"}, "tolerations": [{"key": "vm", "operator": "Exists"}]}})
        self.shared("runtime simple", runtimes, {"metadata": {"name": "simple"}, "handler": "h"})
        for name, spec in (("vm", {}), ("vm-same", {"overhead": {"cpu": "0.1", "memory": "16Mi"}}), ("vm-other", {"overhead": {"cpu": "1"}}),
                           ("vm-no", {"nodeSelector": {"vm": "no"}}),
                           ("vm-more", {"nodeSelector": {"a": "b"}, "tolerations": [{"key": "vm", "operator": "Equal", "value": "x"}]})):
            self.pod(name, dict(spec, runtimeClassName="vm"))
        self.pod("simple", {"runtimeClassName": "simple"})
        self.pod("simple-overhead", {"runtimeClassName": "simple", "overhead": {"cpu": "1"}})
        self.pod("overhead", {"overhead": {"cpu": "1"}})
        self.pod("runtime-absent", {"runtimeClassName": "none"})

    def about_nodes(self):
        nodes = "/api/v1/nodes"
        self.shared("node", nodes, {"metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r", "x": "y"}}})
        self.shared("node with the taint", nodes, {"metadata": {"name": "n2"}, "spec": {"taints": [
            {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule", "value": "v"}]}})
        self.shared("node with another taint", nodes, {"metadata": {"name": "n3"}, "spec": {"taints": [{"key": "a", "effect": "NoExecute"}]}})
        self.ask("bind", "POST", self.own + "pods/plain/binding", {
            "metadata": {"name": "plain", "labels": {"l": "m"}, "annotations": {"n": "o"}}, "target": {"kind": "Node", "name": "n1"}})
        self.ask("bound", "GET", self.own + "pods/plain")
        self.pod("placed", {"nodeName": "n1"})
        self.pod("misplaced", {"nodeName": "nowhere"})

    def about_claims(self):
        claims, classes = self.own + "persistentvolumeclaims", "/apis/storage.k8s.io/v1/storageclasses"
        default = {"storageclass.kubernetes.io/is-default-class": "true"}
        self.claim("unclassed")
        self.shared("storage class", classes, {"metadata": {"name": "usual", "annotations": default}, "provisioner": "p.example.com"})
        self.shared("elastic storage class", classes, {"metadata": {"name": "elastic"}, "provisioner": "p.example.com", "allowVolumeExpansion": True})
        self.claim("fixed")
        self.claim("no-class", storageClassName="")
        self.claim("elastic", storageClassName="elastic", volumeName="v")
        larger = {"spec": {"resources": {"requests": {"storage": "2Gi"}}}}
        self.merge("grow while it is pending", claims + "/elastic", larger)
        for name in ("fixed", "elastic"):
            self.merge("bind " + name, claims + "/%s/status" % name, {"status": {"phase": "Bound", "capacity": {"storage": "1Gi"}}})
            self.merge("grow " + name, claims + "/" + name, larger)
        self.ask("claim as table", "GET", claims + "/elastic", headers=TABLE)
        self.ask("classes as table", "GET", classes + "/usual", headers=TABLE)
        self.ask(None, "DELETE", classes + "/usual", keep=False)
        self.ask("volume", "POST", "/api/v1/persistentvolumes", {"metadata": {"name": "adm"}, "spec": {
            "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}}}, query=DRY)
        self.ask("attributes class", "POST", "/apis/storage.k8s.io/v1/volumeattributesclasses", {
            "metadata": {"name": "adm"}, "driverName": "d.example.com", "parameters": {"a": "b"}}, query=DRY)

    def about_ingresses(self):
        ingresses = self.own.replace("/api/v1/", "/apis/networking.k8s.io/v1/") + "ingresses"

        def ingress(name, annotations=None, **spec):
            self.ask("ingress " + name, "POST", ingresses, {"metadata": {"name": name, "annotations": annotations or {}}, "spec": dict(
                {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}, **spec)})
        ingress("unclassed")
        path = "/apis/networking.k8s.io/v1/ingressclasses"
        self.shared("ingress class", path, {"metadata": {"name": "usual", "annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}},
                                            "spec": {"controller": "example.com/c"}})
        ingress("usual")
        ingress("older", {"kubernetes.io/ingress.class": "x"})
        ingress("other", ingressClassName="other")
        self.ask(None, "DELETE", path + "/usual", keep=False)

    def quota(self, name, hard, scopes=None):
        """Creates a quota with the status that a controller would write."""
        path = self.own + "resourcequotas"
        self.ask("quota " + name, "POST", path, {"metadata": {"name": name}, "spec": dict({"hard": hard}, **(scopes or {}))})
        self.merge("status of quota " + name, path + "/%s/status" % name, {"status": {"hard": hard, "used": {resource: "0" for resource in hard}}})

    def used(self, name):
        path = self.own + "resourcequotas/" + name
        self.ask("used of quota " + name, "GET", path)
        self.ask(None, "DELETE", path, keep=False)

    def about_quotas(self):
        for title, (hard, scopes, pods) in QUOTAS.items():
            self.quota(title, hard, scopes)
            for number, spec in enumerate(pods):
                self.pod("%s-%d" % (title, number), spec)
            self.used(title)
        services = self.own + "services"
        self.quota("services", {"services": "3", "services.nodeports": "2", "services.loadbalancers": "1"})
        for name, kind in (("a", "ClusterIP"), ("b", "NodePort"), ("c", "NodePort"), ("d", "LoadBalancer"), ("e", "LoadBalancer")):
            more = {"allocateLoadBalancerNodePorts": False} if kind == "LoadBalancer" else {}
            self.ask("service " + name, "POST", services, {"metadata": {"name": name}, "spec": dict(
                {"type": kind, "ports": [{"name": "p", "port": 1}, {"name": "q", "port": 2}]}, **more)})
        self.merge("service a of another type", services + "/a", {"spec": {"type": "LoadBalancer"}})
        self.used("services")
        self.quota("claims", {"persistentvolumeclaims": "3", "requests.storage": "3Gi", "elastic.storageclass.storage.k8s.io/requests.storage": "2Gi",
                              "elastic.storageclass.storage.k8s.io/persistentvolumeclaims": "1"})
        self.claim("d1", storageClassName="elastic")
        self.claim("d2", storageClassName="elastic")
        self.claim("d3", "1536Mi")
        self.claim("d4", "1G")
        self.used("claims")
        self.quota("attributes", {"persistentvolumeclaims": "1"}, {"scopeSelector": {"matchExpressions": [
            {"scopeName": "VolumeAttributesClass", "operator": "In", "values": ["fast"]}]}})
        for name, attributes in (("f1", {}), ("f2", {"volumeAttributesClassName": "fast"}), ("f3", {"volumeAttributesClassName": "fast"})):
            self.claim(name, **attributes)
        self.used("attributes")
        self.quota("devices", {"gpu.deviceclass.resource.k8s.io/devices": "4", "count/resourceclaims.resource.k8s.io": "5"})
        for name, request in (("a", {"exactly": {"deviceClassName": "gpu", "count": 3}}), ("b", {"exactly": {"deviceClassName": "gpu", "allocationMode": "All"}}),
                              ("c", {"firstAvailable": [{"name": "x", "deviceClassName": "gpu", "count": 2}, {"name": "y", "deviceClassName": "other"}]})):
            self.ask("devices " + name, "POST", self.own.replace("/api/v1/", "/apis/resource.k8s.io/v1/") + "resourceclaims", {
                "metadata": {"name": name}, "spec": {"devices": {"requests": [dict(request, name="r")]}}})
        self.used("devices")
        self.quota("objects", {"configmaps": "1", "count/configmaps": "1", "count/deployments.apps": "0"})
        for name in ("m", "n"):
            self.ask("config map " + name, "POST", self.own + "configmaps", {"metadata": {"name": name}})
        self.ask("deployment", "POST", self.own.replace("/api/v1/", "/apis/apps/v1/") + "deployments", {"metadata": {"name": "d"}, "spec": {
            "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        self.used("objects")

    def about_limits(self):
        self.ask("limits", "POST", self.own + "limitranges", {"metadata": {"name": "l"}, "spec": {"limits": [
            {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "2Gi"}},
            {"type": "Pod", "max": {"cpu": "1"}, "maxLimitRequestRatio": {"memory": "2"}},
            {"type": "Container", "min": {"cpu": "50m"}, "max": {"memory": "1Gi"}, "default": {"cpu": "200m"}, "defaultRequest": {"cpu": "100m"}}]}})
        for name, size in (("small", "1Mi"), ("large", "3Gi"), ("fitting", "2Gi")):
            self.claim(name, size)
        self.pod("limited")
        self.pod("limited-cpu", CPU)
        self.pod("limited-little", {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "10m"}}}, {"name": "d", "image": "i"}],
                                    "initContainers": [{"name": "i", "image": "i"}]})
        self.pod("limited-much", {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"memory": "1Gi", "cpu": "2"},
                                                                                           "limits": {"memory": "4Gi", "cpu": "2"}}}]})
        self.pod("limited-whole", {"resources": {"limits": {"cpu": "2", "memory": "1Gi"}}})
        self.merge("grow beyond the limit", self.own + "persistentvolumeclaims/elastic", {"spec": {"resources": {"requests": {"storage": "5Gi"}}}})


def admission(talk, _):
    Admission(talk).run()
