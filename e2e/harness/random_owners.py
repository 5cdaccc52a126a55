"""Makes up scenarios of owners and dependents, namespaces, quotas, service accounts and volumes, as steps for owners.py."""
import random

NAMESPACED = ("ConfigMap", "Secret", "Pod", "ReplicaSet", "Widget")
CLUSTER = ("Gadget", "ClusterRole")
HOLD = "differential.example.com/hold"
POD = {"containers": [{"name": "c", "image": "example/app:1"}]}
SPECS = {"Pod": POD, "ReplicaSet": {"replicas": 0, "selector": {"matchLabels": {"app": "x"}}, "template": {
    "metadata": {"labels": {"app": "x"}}, "spec": POD}}}
VERSIONS = {"ReplicaSet": "apps/v1", "Widget": "differential.example.com/v1", "Gadget": "differential.example.com/v1",
            "ClusterRole": "rbac.authorization.k8s.io/v1"}
POLICIES = ("Background", "Foreground", "Orphan", None)


class Thing:
    """An object of a scenario; its name is unique within the scenario."""

    def __init__(self, rng, number, elsewhere=0.1):
        self.kind = rng.choice(NAMESPACED * 3 + CLUSTER)
        self.namespace = "" if self.kind in CLUSTER else "$NS-b" if rng.random() < elsewhere else "$NS"
        self.name = ("$NS.o%d" if self.kind in CLUSTER else "o%d") % number
        self.held = rng.random() < 0.15

    def can_own(self, dependent):
        return self is not dependent and self.namespace in ("", dependent.namespace)

    def object(self, owners=()):
        metadata = {"name": self.name, "namespace": self.namespace, "ownerReferences": list(owners)}
        if self.held:
            metadata["finalizers"] = [HOLD]
        spec = {"spec": SPECS[self.kind]} if self.kind in SPECS else {}
        return {"apiVersion": VERSIONS.get(self.kind, "v1"), "kind": self.kind, "metadata": metadata, **spec}

    def step(self, do, **more):
        return {"do": do, "kind": self.kind, "name": self.name, "namespace": self.namespace, **more}


def reference(rng, owner, uid=None, **other):
    entry = {"apiVersion": VERSIONS.get(owner.kind, "v1"), "kind": owner.kind, "name": owner.name,
             "uid": uid or "@%s/%s" % (owner.kind, owner.name), **other}
    blocks = rng.choice((True, True, False, None))
    if blocks is not None:
        entry["blockOwnerDeletion"] = blocks
    return entry


def references(rng, dependent, candidates, wrong=0.15):
    """Up to three references: mostly right, some to what does not exist, is elsewhere, or is something else."""
    chosen = {}
    right = [thing for thing in candidates if thing.can_own(dependent)]
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))):
        if rng.random() >= wrong:
            entry = reference(rng, rng.choice(right)) if right else None
        elif candidates:
            owner = rng.choice(candidates)
            entry = rng.choice((
                lambda: reference(rng, owner, uid="absent-%d-$NS" % rng.randrange(3)),
                lambda: reference(rng, owner, name="absent"),
                lambda: reference(rng, owner, apiVersion="v1", kind="Secret"),
                lambda: reference(rng, owner, uid="unknown-$NS", apiVersion="unknown.example.com/v1", kind="Unknown"),
                lambda: reference(rng, owner)))()
        else:
            entry = None
        if entry:
            chosen.setdefault(entry["uid"], entry)
    return list(chosen.values())


def plant(rng, wrong=0.15, elsewhere=0.1, count=(3, 10)):
    """Objects with their references to earlier ones, and the steps that create them."""
    things = []
    objects = []
    for number in range(rng.randint(*count)):
        thing = Thing(rng, number, elsewhere)
        objects.append(thing.object(references(rng, thing, things, wrong)))
        things.append(thing)
    return things, [{"do": "create", "objects": objects}]


def change(rng, things, wrong=0.15):
    """A step that changes something."""
    thing = rng.choice(things)
    choice = rng.random()
    if choice < 0.5:
        return thing.step("delete", propagation=rng.choice(POLICIES))
    if choice < 0.75:
        # Circles, too. The original does not notice that a reference keeps its UID and gets another name; ours checks it.
        return thing.step("owners", owners=references(rng, thing, things, 0))
    if choice < 0.85:
        return thing.step("release")
    late = Thing(rng, len(things), 0.1)
    step = {"do": "create", "objects": [late.object(references(rng, late, things, wrong))]}
    things.append(late)
    return step


def release_all(things):
    return {"do": "together", "steps": [thing.step("release") for thing in things], "quiet": 4}


def owners(rng):
    things, steps = plant(rng)
    if rng.random() < 0.4:
        # A circle, and perhaps its deletion.
        circle = rng.sample(things, min(len(things), rng.randint(2, 4)))
        for dependent, owner in zip(circle, circle[1:] + circle[:1]):
            if owner.can_own(dependent):
                steps.append(dependent.step("owners", owners=[reference(rng, owner)], quiet=0))
        steps.append(circle[0].step("delete", propagation=rng.choice(POLICIES)))
    for _ in range(rng.randint(2, 5)):
        steps.append(change(rng, things))
    return steps + [release_all(things)]


def race(rng):
    things, steps = plant(rng, wrong=0.05, elsewhere=0, count=(4, 12))
    steps[0]["quiet"] = rng.choice((0, 0, 1))
    for _ in range(rng.randint(1, 3)):
        steps.append({"do": "together", "steps": [change(rng, things, wrong=0.05) for _ in range(rng.randint(3, 8))],
                      "quiet": rng.choice((0, 0, 0.3, 1))})
    # Twice, since a creation may follow the first one.
    return [dict(step, invariants=False) for step in steps + [release_all(things)]] + [dict(release_all(things), invariants=True)]


def namespace(rng):
    things, steps = plant(rng, wrong=0, elsewhere=0)
    for thing, made in zip(things, steps[0]["objects"]):
        if thing.kind == "Pod" and rng.random() < 0.6:
            # Nobody ends it, so that it stays for longer than its grace period.
            made["spec"] = dict(POD, nodeName="nowhere", terminationGracePeriodSeconds=rng.choice((0, 4, 8)))
        if thing.held and rng.random() < 0.4:
            made["metadata"]["finalizers"].append("differential.example.com/other")
    if rng.random() < 0.3:
        steps.append({"do": "patch", "kind": "Namespace", "name": "$NS", "patch": {"metadata": {"finalizers": [HOLD]}}})
    steps.append({"do": "delete", "kind": "Namespace", "name": "$NS", "quiet": 6})
    held = [thing for thing in things if thing.held and thing.namespace == "$NS"]
    rng.shuffle(held)
    steps += [thing.step("release", quiet=6) for thing in held[:2]]
    for thing in things:
        if thing.kind == "Pod":
            steps.append(thing.step("delete", grace=0, quiet=0))
    ends = [thing.step("finalizers", finalizers=None, noCheck=True) for thing in things]
    ends.append({"do": "patch", "kind": "Namespace", "name": "$NS", "patch": {"metadata": {"finalizers": None}}})
    return steps + [{"do": "together", "steps": ends, "quiet": 15}]


def amount(rng, unit, *values):
    return "%s%s" % (rng.choice(values), unit)


def quota_pod(rng, name):
    resources = {}
    for part in ("requests", "limits"):
        if rng.random() < 0.75:
            more = 1 if part == "requests" else 10
            resources[part] = {"cpu": amount(rng, "m", 100 * more, 150 * more), "memory": amount(rng, "Mi", 10 * more, 12 * more)}
            if rng.random() < 0.3:
                resources[part]["ephemeral-storage"] = amount(rng, "Mi", 1 * more)
            if rng.random() < 0.2:
                resources.setdefault("requests", {})["example.com/gpu"] = "2"
                resources.setdefault("limits", {})["example.com/gpu"] = "2"
    spec = {"containers": [{"name": "c", "image": "example/app:1", "resources": resources}]}
    if rng.random() < 0.3:
        spec["initContainers"] = [{"name": "i", "image": "example/app:1", "resources": {"requests": {"cpu": "300m"}, "limits": {"cpu": "3"}},
                                   **({"restartPolicy": "Always"} if rng.random() < 0.5 else {})}]
    if rng.random() < 0.3:
        spec["activeDeadlineSeconds"] = 9999
    if rng.random() < 0.3:
        spec["priorityClassName"] = "differential"
    if rng.random() < 0.2:
        spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{
            "labelSelector": {}, "namespaces": ["other"], "topologyKey": "kubernetes.io/hostname"}]}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def quota_service(rng, name):
    ports = [{"name": "p%d" % port, "port": port} for port in range(80, 80 + rng.randint(1, 3))]
    spec = {"type": rng.choice(("ClusterIP", "NodePort", "LoadBalancer")), "ports": ports}
    if spec["type"] == "LoadBalancer" and rng.random() < 0.5:
        spec["allocateLoadBalancerNodePorts"] = False
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec}


def quota_claim(rng, name):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": {
        "accessModes": ["ReadWriteOnce"], "storageClassName": rng.choice(("gold", "tin", "")),
        "resources": {"requests": {"storage": amount(rng, "Mi", 5, 7.5, 1024)}}}}


def simple(kind):
    return lambda rng, name: {"apiVersion": VERSIONS.get(kind, "v1"), "kind": kind, "metadata": {"name": name}}


LIMITED = (
    {"pods": "20", "requests.cpu": "9", "limits.memory": "9Gi"}, {"cpu": "9", "memory": "9Gi"}, {"count/pods": "3"},
    {"requests.ephemeral-storage": "1Gi", "limits.ephemeral-storage": "1Gi"}, {"requests.example.com/gpu": "5"},
    {"services": "9", "services.nodeports": "5", "services.loadbalancers": "2"}, {"count/services": "4"},
    {"persistentvolumeclaims": "5", "requests.storage": "3Gi"}, {"gold.storageclass.storage.k8s.io/requests.storage": "1Gi"},
    {"tin.storageclass.storage.k8s.io/persistentvolumeclaims": "2"}, {"configmaps": "4", "secrets": "9"},
    {"count/widgets.differential.example.com": "5", "count/replicasets.apps": "3"}, {"resourcequotas": "5"}, {"count/nothings.example.com": "1"})
SCOPES = (
    {"scopes": ["Terminating"]}, {"scopes": ["NotTerminating"]}, {"scopes": ["BestEffort"]}, {"scopes": ["NotBestEffort"]},
    {"scopes": ["Terminating", "NotBestEffort"]}, {"scopes": ["CrossNamespacePodAffinity"]},
    {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["differential"]}]}},
    {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "NotIn", "values": ["differential"]}]}},
    {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "DoesNotExist"}]}})


def quota(rng):
    make = (quota_pod, quota_pod, quota_pod, quota_service, quota_service, quota_claim, quota_claim, simple("ConfigMap"),
            simple("Secret"), simple("Widget"))
    objects = []

    def creation(count):
        made = [rng.choice(make)(rng, "o%d" % (len(objects) + number)) for number in range(count)]
        objects.extend(made)
        # In order: a refusal depends on what came before.
        return {"do": "create", "objects": made}

    def limits(name):
        if rng.random() < 0.4:
            scope = rng.choice(SCOPES)
            hard = {"pods": "6"} if "BestEffort" in scope.get("scopes", []) else {"pods": "6", "requests.cpu": "2", "limits.memory": "1Gi"}
        else:
            scope, hard = {}, {}
            for part in rng.sample(LIMITED, rng.randint(1, 4)):
                hard.update(part)
        return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": name}, "spec": {"hard": hard, **scope}}

    def of(*kinds):
        found = [made for made in objects if made["kind"] in kinds]
        return rng.choice(found) if found else {"kind": kinds[0], "metadata": {"name": "none"}}

    def at(made, do, **more):
        return {"do": do, "kind": made["kind"], "name": made["metadata"]["name"], **more}
    changes = (
        lambda: creation(rng.randint(1, 4)), lambda: at(rng.choice(objects), "delete"), lambda: at(rng.choice(objects), "delete"),
        lambda: at(of("Pod"), "patch", sub="status", patch={"status": {"phase": rng.choice(("Succeeded", "Failed", "Running"))}}),
        lambda: at(of("Service"), "patch", patch={"spec": {"type": rng.choice(("NodePort", "LoadBalancer"))}}),
        lambda: at(of("PersistentVolumeClaim"), "patch", sub="status", patch={"status": {"phase": "Bound", "capacity": {"storage": "1Gi"},
                                                                                       "allocatedResources": {"storage": "2Gi"}}}),
        lambda: {"do": "patch", "kind": "ResourceQuota", "name": "q0", "patch": {"spec": {"hard": rng.choice(LIMITED)}}},
        lambda: {"do": "patch", "kind": "ResourceQuota", "name": "q0", "sub": "status", "patch": {"status": {"used": {"pods": "77"}}}})
    steps = [creation(rng.randint(2, 8))]
    # One after the other: the original may count the first quota before it has seen the second, and then not again.
    quotas = [{"do": "create", "objects": [limits("q%d" % n)]} for n in range(rng.randint(1, 3))]
    steps = quotas + steps if rng.random() < 0.5 else steps + quotas
    return steps + [rng.choice(changes)() for _ in range(rng.randint(2, 5))]


def devices(rng):
    """Device claims, pods with extended resources, and the claims that a scheduler creates for these pods."""
    limited = ("gpu.deviceclass.resource.k8s.io/devices", "requests.deviceclass.resource.kubernetes.io/gpu", "requests.example.com/$NS",
               "requests.deviceclass.resource.kubernetes.io/none", "count/resourceclaims.resource.k8s.io")
    names, pods = ["gpu.$NS", "tpu.$NS", "none"], []

    def claim(name):
        request = {"name": "r"}
        one = lambda: {"deviceClassName": rng.choice(names), **rng.choice(({"count": rng.randint(1, 3)}, {"allocationMode": "All"}, {}))}
        if rng.random() < 0.6:
            request["exactly"] = one()
        else:
            request["firstAvailable"] = [{"name": "a%d" % number, **one()} for number in range(rng.randint(1, 3))]
        metadata = {"name": name}
        if pods and rng.random() < 0.5:
            pod = rng.choice(pods)
            metadata["annotations"] = {"resource.kubernetes.io/extended-resource-claim": "true"}
            metadata["ownerReferences"] = [{"apiVersion": "v1", "kind": "Pod", "name": pod, "uid": "@Pod/" + pod, "controller": True}]
        return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": metadata, "spec": {"devices": {"requests": [request]}}}

    def pod(name):
        pods.append(name)
        amounts = {resource: str(rng.randint(1, 4)) for resource in (
            "example.com/$NS", "deviceclass.resource.kubernetes.io/gpu.$NS", "deviceclass.resource.kubernetes.io/tpu.$NS") if rng.random() < 0.5}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [
            {"name": "c", "image": "example/app:1", "resources": {"requests": amounts, "limits": amounts}}]}}

    def limits(name):
        hard = {resource.replace("gpu", rng.choice(("gpu.$NS", "tpu.$NS"))): str(rng.randint(3, 60))
                for resource in rng.sample(limited, rng.randint(1, len(limited)))}
        return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": name}, "spec": {"hard": hard}}
    classes = [{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "%s.$NS" % name}, "spec": spec}
               for name, spec in (("gpu", {"extendedResourceName": "example.com/$NS"}), ("tpu", {}))]
    steps = [{"do": "create", "objects": classes}, {"do": "create", "objects": [limits("q0")]}, {"do": "create", "objects": [limits("q1")]}]
    for number in range(rng.randint(3, 7)):
        if number < 4:
            steps.append({"do": "create", "objects": [pod("p%d" % number) if rng.random() < 0.5 else claim("c%d" % number)]})
        elif rng.random() < 0.5 and pods:
            steps.append({"do": "delete", "kind": "Pod", "name": rng.choice(pods)})
        else:
            steps.append({"do": "delete", "kind": "ResourceClaim", "name": "c%d" % rng.randrange(4)})
    # Another quota: all is counted, not only charged.
    return steps + [{"do": "create", "objects": [limits("q2")]}]


def account(rng):
    def token(number):
        metadata = {"name": "t%d" % number, "annotations": {"kubernetes.io/service-account.name": rng.choice(("a", "b", "default", "none"))}}
        if rng.random() < 0.3:
            metadata["annotations"]["kubernetes.io/service-account.uid"] = rng.choice(("@ServiceAccount/a", "wrong"))
        data = {"data": {rng.choice(("token", "ca.crt", "namespace", "more")): "eA=="}} if rng.random() < 0.3 else {}
        return {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/service-account-token", "metadata": metadata, **data}
    secret = lambda: rng.choice(("t0", "t1", "t2"))
    changes = (
        lambda: {"do": "delete", "kind": "ServiceAccount", "name": rng.choice(("a", "b", "default"))},
        lambda: {"do": "create", "objects": [simple("ServiceAccount")(rng, rng.choice(("a", "none")))]},
        lambda: {"do": "create", "objects": [token(rng.randint(3, 5))]},
        lambda: {"do": "delete", "kind": "Secret", "name": secret()},
        lambda: {"do": "patch", "kind": "Secret", "name": secret(), "patch": {"data": {rng.choice(("token", "ca.crt", "namespace")): None}}},
        lambda: {"do": "patch", "kind": "Secret", "name": secret(), "patch": {"data": {"namespace": "eA=="}}},
        lambda: {"do": "delete", "kind": "ConfigMap", "name": "kube-root-ca.crt"},
        lambda: {"do": "patch", "kind": "ConfigMap", "name": "kube-root-ca.crt",
                 "patch": rng.choice(({"data": {"more": "x"}}, {"data": {"ca.crt": "x"}}, {"metadata": {"labels": {"a": "b"}}}))})
    return [{"do": "create", "objects": [simple("ServiceAccount")(rng, "a"), simple("ServiceAccount")(rng, "b")]},
            {"do": "create", "objects": [token(n) for n in range(3)]}] + [rng.choice(changes)() for _ in range(rng.randint(3, 6))]


def volumes(rng):
    """Claims, volumes and their attribute classes, which are deleted while pods and claims use them."""
    names = ["fast.$NS", "slow.$NS"]
    claims = ["c0", "c1", "c2", "p0-scratch"]

    def attributes(name):
        return {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttributesClass", "metadata": {"name": name},
                "driverName": "csi.example.com", "parameters": {"iops": "1"}}

    def volume(number):
        spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Retain",
                "csi": {"driver": "csi.example.com", "volumeHandle": "v%d" % number}}
        if rng.random() < 0.5:
            spec["volumeAttributesClassName"] = rng.choice(names)
        return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v%d.$NS" % number}, "spec": spec}

    def claim(name):
        metadata = {"name": name}
        if name == "p0-scratch" and rng.random() < 0.7:
            metadata["ownerReferences"] = [{"apiVersion": "v1", "kind": "Pod", "name": "p0", "uid": "@Pod/p0", "controller": True}]
        spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "1Gi"}}}
        if rng.random() < 0.5:
            spec["volumeAttributesClassName"] = rng.choice(names)
        return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}

    def pod(number):
        mounted = [{"name": "v", "persistentVolumeClaim": {"claimName": rng.choice(claims[:3])}}]
        if rng.random() < 0.5:
            mounted.append({"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": claim("x")["spec"]}}})
        spec = dict(POD, volumes=mounted, terminationGracePeriodSeconds=0)
        if rng.random() < 0.6:
            spec["nodeName"] = "nowhere"
        metadata = {"name": "p%d" % number}
        if rng.random() < 0.2:
            metadata["finalizers"] = [HOLD]
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
    at = lambda do, kind, name, **more: {"do": do, "kind": kind, "name": name, **more}
    pods = ("p0", "p1", "p2")
    changes = (
        lambda: at("delete", "PersistentVolumeClaim", rng.choice(claims)), lambda: at("delete", "PersistentVolumeClaim", rng.choice(claims)),
        lambda: at("delete", "PersistentVolume", rng.choice(("v0.$NS", "v1.$NS"))),
        lambda: at("delete", "VolumeAttributesClass", rng.choice(names)),
        lambda: at("delete", "Pod", rng.choice(pods), grace=0), lambda: at("delete", "Pod", rng.choice(pods), grace=0),
        lambda: at("release", "Pod", rng.choice(pods)),
        lambda: at("patch", "Pod", rng.choice(pods), sub="status", patch={"status": {"phase": rng.choice(("Succeeded", "Failed"))}}),
        lambda: at("patch", "PersistentVolume", rng.choice(("v0.$NS", "v1.$NS")), sub="status",
                   patch={"status": {"phase": rng.choice(("Bound", "Released", "Available"))}}),
        lambda: at("patch", "PersistentVolumeClaim", rng.choice(claims), sub="status",
                   patch={"status": {"currentVolumeAttributesClassName": rng.choice(names)}}),
        lambda: at("finalizers", rng.choice(("PersistentVolumeClaim",)), rng.choice(claims), finalizers=rng.choice((None, [HOLD]))),
        lambda: at("finalizers", "VolumeAttributesClass", rng.choice(names), finalizers=None),
        lambda: {"do": "create", "objects": [claim(rng.choice(claims))]})
    steps = [{"do": "create", "objects": [attributes(name) for name in names] + [volume(0), volume(1)]},
             {"do": "create", "objects": [pod(number) for number in range(3)] + [claim(name) for name in claims]}]
    return steps + [rng.choice(changes)() for _ in range(rng.randint(5, 10))]


KINDS = {f.__name__: f for f in (owners, race, namespace, quota, devices, account, volumes)}


def scenario(kind, seed):
    """The steps that this seed makes."""
    return KINDS[kind](random.Random("%s/%s" % (kind, seed)))
