"""Makes up scenarios of nodes, volumes and device claims, as steps for nodes.py.

A step starts when the one before has settled, and a timer of a scenario has run out by then or takes an hour, so that nothing depends on
a second more or less. Objects that compete for another one come in steps of their own.
"""
import random

HOSTNAME = "kubernetes.io/hostname"
TAINT = "node.kubernetes.io/"
ATTACHED = {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}
DRIVERS = ("attach.world.example", "attach.world.example", "slow.world.example")
# Longer than the grace period of nodes.
LOST = 12


def make(version, kind, name, spec=None, **metadata):
    made = {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}}
    if spec is not None:
        made["spec"] = spec
    return made


def create(*objects, **more):
    return {"do": "create", "objects": list(objects), **more}


def patch(kind, name, change, **more):
    return {"do": "patch", "kind": kind, "name": name, "patch": change, **more}


def delete(kind, name, **more):
    return {"do": "delete", "kind": kind, "name": name, **more}


def conditions(**statuses):
    return {"status": {"conditions": [{"type": kind, "status": status, "reason": "Made", "message": "by the scenario"}
                                      for kind, status in statuses.items()]}}


def node(name, labels=None, annotations=None, taints=None, **statuses):
    made = make("v1", "Node", "$NS." + name, {"taints": taints or []}, labels={HOSTNAME: "$NS." + name, **(labels or {})},
                annotations=annotations or {})
    return {**made, **(conditions(**statuses) if statuses else {})}


def pod(name, place, annotations=None, **spec):
    """A pod on a node, or one that is not scheduled."""
    selector = {"nodeSelector": {HOSTNAME: "$NS." + place}} if place else {}
    return make("v1", "Pod", name, {"containers": [{"name": "c", "image": "example/app:1"}], "terminationGracePeriodSeconds": 1, **selector, **spec},
                annotations={**({} if place else {"world/hold": "true"}), **(annotations or {})})


def schedule(name, place):
    """Gives a pod that waits its node; a pod's selector cannot change, so the node is bound."""
    return {"do": "bind", "name": name, "node": "$NS." + place}


# -- nodes
def toleration(rng):
    return rng.choice((
        {"key": "own", "operator": "Exists", "effect": "NoExecute"}, {"key": "own", "operator": "Equal", "value": "a", "effect": "NoExecute"},
        {"key": "own", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": rng.choice((0, 2, 3600))},
        {"operator": "Exists"}, {"key": "own", "operator": "Exists", "effect": "NoSchedule"}, {"key": "other", "operator": "Exists"},
        {"key": TAINT + rng.choice(("not-ready", "unreachable")), "operator": "Exists", "effect": "NoExecute",
         "tolerationSeconds": rng.choice((1, 3600))}))


def evictable(rng, name, place):
    tolerations = [toleration(rng) for _ in range(rng.choice((0, 1, 1, 2)))]
    annotations = {"world/hold-delete": "true"} if rng.random() < 0.3 else {}
    if rng.random() < 0.15:
        annotations["world/phase"] = "Succeeded"
    return pod(name, place, annotations, **({"tolerations": tolerations} if tolerations else {}))


def taints(rng):
    """Conditions, taints and labels of nodes whose kubelets report, and the pods there."""
    names, pods = ["n0", "n1"], 0
    kinds = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")

    def own():
        chosen = rng.sample([{"key": "own", "value": "a", "effect": "NoExecute"}, {"key": "own", "value": "b", "effect": "NoExecute"},
                             {"key": "other", "effect": "NoExecute"}, {"key": "own", "effect": "NoSchedule"},
                             {"key": TAINT + "disk-pressure", "effect": "NoSchedule"}, {"key": TAINT + "unschedulable", "effect": "NoSchedule"},
                             {"key": TAINT + "out-of-service", "effect": "NoExecute"}], rng.choice((0, 1, 1, 2)))
        return list({(taint["key"], taint["effect"]): taint for taint in chosen}.values())

    def statuses():
        ready = rng.choice(("True", "True", "True", "False", "Unknown"))
        return {"Ready": ready, **{kind: rng.choice(("True", "False", "False", "Unknown")) for kind in rng.sample(kinds, rng.randrange(4))}}

    def system():
        return rng.choice(({}, {"kubernetes.io/os": "linux", "kubernetes.io/arch": rng.choice(("amd64", "arm64"))}, {"beta.kubernetes.io/os": "windows"},
                           {"kubernetes.io/os": "linux", "beta.kubernetes.io/os": "windows"}))

    def late():
        nonlocal pods
        pods += 1
        return create(evictable(rng, "p%d" % pods, rng.choice(names)))
    some = lambda: "$NS." + rng.choice(names)
    changes = (
        lambda: patch("Node", some(), {"spec": {"taints": own()}}), lambda: patch("Node", some(), {"spec": {"taints": own()}}),
        lambda: patch("Node", some(), conditions(**statuses()), sub="status"), lambda: patch("Node", some(), conditions(**statuses()), sub="status"),
        lambda: patch("Node", some(), {"spec": {"unschedulable": rng.random() < 0.6}}),
        lambda: patch("Node", some(), {"metadata": {"labels": system()}}), late, late,
        lambda: {"do": "tolerate", "name": "p%d" % rng.randint(1, pods), "toleration": toleration(rng)},
        lambda: delete("Pod", "p%d" % rng.randint(1, pods)), lambda: delete("Node", some()),
        lambda: create(node(rng.choice(names), system(), None, own(), **statuses())))
    steps = [create(*(node(name, system(), None, own() if rng.random() < 0.3 else None, **({"Ready": "True"} if rng.random() < 0.7 else statuses()))
                      for name in names))]
    steps += [late() for _ in range(rng.randint(1, 3))]
    # Timers end within three seconds.
    return [{"quiet": 5, **step} for step in steps + [rng.choice(changes)() for _ in range(rng.randint(3, 6))]]


def zones(rng):
    """Kubelets that end and come back: leases, zones in disruption, eviction."""
    places = rng.choice((("a",), ("a",), ("a", "b")))
    key = rng.choice(("topology.kubernetes.io/zone", "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"))
    names = ["n%d" % number for number in range(rng.randint(2, 5))]

    def one(name):
        labels = {key: "$NS-" + rng.choice(places), "topology.kubernetes.io/region": "r"}
        if rng.random() < 0.1:
            labels["node.kubernetes.io/exclude-disruption"] = "true"
        statuses = {} if rng.random() < 0.1 else {"Ready": rng.choice(("True",) * 9 + ("False",))}
        if statuses and rng.random() < 0.4:
            statuses.update(MemoryPressure="False", NetworkUnavailable="False")
        return node(name, labels, None, None, **statuses)
    brief = [{"key": TAINT + what, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 2} for what in ("not-ready", "unreachable")]
    pods = [pod("p%d" % number, name, {"world/ready": "false"} if rng.random() < 0.2 else None,
                **({"tolerations": brief} if rng.random() < 0.6 else {})) for number, name in enumerate(names) if rng.random() < 0.8]
    some = lambda: rng.sample(names, min(len(names), rng.choice((1, 1, 1, 2, 5))))
    changes = (
        lambda: {"do": "lose", "nodes": some(), "quiet": LOST}, lambda: {"do": "lose", "nodes": some(), "quiet": LOST},
        lambda: {"do": "find", "nodes": some(), "quiet": 5}, lambda: {"do": "find", "nodes": names, "quiet": 5},
        lambda: patch("Node", "$NS." + rng.choice(names), conditions(Ready=rng.choice(("True", "False"))), sub="status", quiet=5),
        lambda: delete("Node", "$NS." + rng.choice(names), quiet=5),
        lambda: create(pod("late%d" % rng.randrange(3), rng.choice(names)), quiet=5))
    return [create(*(one(name) for name in names), quiet=4), create(*pods, quiet=4), {"do": "lose", "nodes": some(), "quiet": LOST}] + [
        rng.choice(changes)() for _ in range(rng.randint(2, 4))] + [{"do": "find", "nodes": names, "quiet": 5}]


# -- volumes
def sources(rng, name):
    return rng.choice(({"csi": {"driver": "csi.world.example", "volumeHandle": name}},) * 4 + (
        {"nfs": {"server": "nfs.example.com", "path": "/x"}}, {"hostPath": {"path": "/srv/x"}},
        {"local": {"path": "/mnt/x"}, "nodeAffinity": {"required": {"nodeSelectorTerms": [
            {"matchExpressions": [{"key": HOSTNAME, "operator": "In", "values": ["nowhere"]}]}]}}}))


def binding(rng):
    """Volumes and claims: matching, classes, what is bound beforehand, reclaiming."""
    classes = {"$NS.fast": ("csi.world.example", "Immediate"), "$NS.late": ("csi.world.example", "WaitForFirstConsumer"),
               "$NS.static": ("kubernetes.io/no-provisioner", "WaitForFirstConsumer"), "$NS.moved": ("kubernetes.io/gce-pd", "Immediate"),
               "$NS.old": ("kubernetes.io/none", "Immediate")}
    used = rng.sample(sorted(classes), 2) + ["$NS.absent", ""]
    claims = ["c0", "c1", "c2"]
    sizes = ("1Gi", "1Gi", "2Gi", "3Gi")
    modes = lambda: rng.choice((["ReadWriteOnce"],) * 4 + (["ReadWriteMany"], ["ReadOnlyMany", "ReadWriteOnce"], ["ReadWriteOncePod"]))
    count = 0

    def storage(name):
        provisioner, mode = classes[name]
        return {**make("storage.k8s.io/v1", "StorageClass", name), "provisioner": provisioner, "volumeBindingMode": mode, "allowVolumeExpansion": True}

    def volume(claim=None):
        nonlocal count
        name = "$NS.v%d" % count
        count += 1
        spec = {"capacity": {"storage": rng.choice(sizes)}, "accessModes": modes(), "storageClassName": rng.choice(used),
                "persistentVolumeReclaimPolicy": rng.choice(("Retain", "Delete")), **sources(rng, name)}
        if rng.random() < 0.1:
            spec["volumeMode"] = "Block"
        metadata = {"labels": {"tier": rng.choice("ab")}} if rng.random() < 0.4 else {}
        if claim or rng.random() < 0.3:
            claim = claim or rng.choice(claims)
            spec["claimRef"] = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "$NS", "name": claim}
            uid = rng.choice(("", "", "@PersistentVolumeClaim/" + claim, "00000000-0000-0000-0000-000000000001"))
            if uid:
                spec["claimRef"]["uid"] = uid
        if rng.random() < 0.2:
            metadata["annotations"] = {"pv.kubernetes.io/provisioned-by": rng.choice(("csi.world.example", "kubernetes.io/gce-pd"))}
        return make("v1", "PersistentVolume", name, spec, **metadata)

    def claim(name):
        spec = {"accessModes": modes()[:1], "resources": {"requests": {"storage": rng.choice(sizes)}}}
        if rng.random() < 0.9:
            spec["storageClassName"] = rng.choice(used)
        if rng.random() < 0.2:
            spec["volumeName"] = "$NS.v%d" % rng.randrange(4)
        if rng.random() < 0.15:
            spec["selector"] = {"matchLabels": {"tier": rng.choice("ab")}}
        if rng.random() < 0.1:
            spec["volumeMode"] = "Block"
        return make("v1", "PersistentVolumeClaim", name, spec)

    def user(number):
        volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": rng.choice(claims)}}]
        if rng.random() < 0.3:
            volumes.append({"name": "own", "ephemeral": {"volumeClaimTemplate": {
                "metadata": {"labels": {"of": "template"}}, "spec": claim("x")["spec"]}}})
        return pod("p%d" % number, None, None, volumes=volumes)
    some = lambda: "$NS.v%d" % rng.randrange(max(count, 1))
    changes = (
        lambda: create(volume()), lambda: create(volume()), lambda: create(volume(rng.choice(claims))), lambda: create(claim(rng.choice(claims))),
        lambda: create(claim(rng.choice(claims))), lambda: delete("PersistentVolumeClaim", rng.choice(claims)),
        lambda: delete("PersistentVolumeClaim", rng.choice(claims)), lambda: delete("PersistentVolume", some()),
        lambda: create(user(rng.randrange(2))), lambda: delete("Pod", "p%d" % rng.randrange(2), grace=0),
        lambda: create(storage(rng.choice(sorted(classes)))), lambda: delete("StorageClass", rng.choice(used[:2])),
        lambda: patch("PersistentVolume", some(), {"spec": {"persistentVolumeReclaimPolicy": rng.choice(("Retain", "Delete"))}}),
        lambda: patch("PersistentVolume", some(), {"spec": {"claimRef": None}}),
        lambda: patch("PersistentVolume", some(), {"spec": {"claimRef": {"uid": None}}}),
        lambda: patch("PersistentVolume", some(), {"metadata": {"labels": {"tier": rng.choice("ab")}}}),
        lambda: patch("PersistentVolumeClaim", rng.choice(claims), {"metadata": {"annotations": {"volume.kubernetes.io/selected-node": "nowhere"}}}),
        lambda: patch("PersistentVolumeClaim", rng.choice(claims), {"spec": {"resources": {"requests": {"storage": rng.choice(("4Gi", "5Gi"))}}}}),
        lambda: patch("PersistentVolumeClaim", rng.choice(claims), {"status": {"capacity": {"storage": "4Gi"}}}, sub="status"),
        lambda: patch("PersistentVolumeClaim", rng.choice(claims), {"spec": {"storageClassName": rng.choice(used)}}),
        lambda: {"do": "finalizers", "kind": "PersistentVolume", "name": some(), "finalizers": None})
    steps = [create(*(storage(name) for name in used[:2]), quiet=1)]
    first = [lambda: create(volume()) for _ in range(rng.randint(1, 3))] + [lambda name=name: create(claim(name)) for name in claims[:rng.randint(1, 3)]]
    rng.shuffle(first)
    return steps + [step() for step in first] + [rng.choice(changes)() for _ in range(rng.randint(4, 7))]


def attachments(rng):
    """Volumes of pods on nodes: attached, shared, in use, detached."""
    names, pods = ["n0", "n1"], 0
    volumes = ["v0", "v1"]
    drivers = {name: rng.choice(DRIVERS + ("none.$NS.example.com",)) for name in volumes}

    def volume(name):
        return make("v1", "PersistentVolume", "$NS." + name, {
            "capacity": {"storage": "1Gi"}, "accessModes": [rng.choice(("ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany"))],
            "storageClassName": "none", "persistentVolumeReclaimPolicy": "Retain", "csi": {"driver": drivers[name], "volumeHandle": "$NS." + name},
            "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "$NS", "name": name}})

    def claim(name):
        return make("v1", "PersistentVolumeClaim", name, {"accessModes": ["ReadWriteMany"], "storageClassName": "none", "volumeName": "$NS." + name,
                                                         "resources": {"requests": {"storage": "1Gi"}}})

    def fitting(name, made):
        return {**claim(name), "spec": {**claim(name)["spec"], "accessModes": made["spec"]["accessModes"]}}

    def user():
        nonlocal pods
        pods += 1
        mounted = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in rng.sample(volumes, rng.choice((1, 1, 2)))]
        notes = {"world/hold-delete": "true"} if rng.random() < 0.15 else {}
        if rng.random() < 0.1:
            notes["world/phase"] = rng.choice(("Succeeded", "Failed"))
        return create(pod("p%d" % pods, rng.choice(names + [None]), notes, volumes=mounted, restartPolicy="Never"))
    handle = lambda name: "kubernetes.io/csi/%s^$NS.%s" % (drivers[name], name)
    some = lambda: "$NS." + rng.choice(names)
    known = lambda: "p%d" % rng.randint(1, max(pods, 1))
    changes = (
        user, user, lambda: delete("Pod", known()), lambda: delete("Pod", known()), lambda: delete("Pod", known(), grace=0),
        lambda: schedule(known(), rng.choice(names)),
        lambda: patch("Node", some(), {"status": {"volumesInUse": [handle(name) for name in rng.sample(volumes, rng.choice((1, 2)))]}}, sub="status"),
        lambda: patch("Node", some(), {"status": {"volumesInUse": None}}, sub="status"),
        lambda: patch("Node", some(), {"spec": {"taints": rng.choice(([], [
            {"key": TAINT + "out-of-service", "value": "nodeshutdown", "effect": rng.choice(("NoExecute", "NoSchedule"))}]))}}),
        lambda: patch("Node", some(), {"metadata": {"annotations": {next(iter(ATTACHED)): None}}}),
        lambda: {"do": "detach", "volume": "$NS." + rng.choice(volumes)},
        lambda: delete("Node", some()),
        lambda: create(node(rng.choice(names), None, ATTACHED, None, Ready="True")))
    made = [volume(name) for name in volumes]
    steps = [create(*(node(name, None, ATTACHED if rng.random() < 0.9 else None, None, Ready="True") for name in names)),
             create(*made, *(fitting(name, one) for name, one in zip(volumes, made)))]
    if rng.random() < 0.5:
        steps[0]["objects"].append(make("storage.k8s.io/v1", "CSIDriver", "none.$NS.example.com", {"attachRequired": rng.random() < 0.5}))
    # The slow driver attaches four seconds after its error.
    return [{"quiet": 4, **step} for step in steps + [user()] + [rng.choice(changes)() for _ in range(rng.randint(4, 7))]]


# -- device claims
def allocation(rng, device="d0"):
    tolerated = rng.choice(([],) * 2 + ([{"key": "own", "operator": "Exists", "effect": "NoExecute"}], [{"operator": "Exists"}],
                                        [{"key": "own", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": rng.choice((0, 2, 3600))}]))
    result = {"request": "r", "driver": "dra.world.example", "pool": "$NS", "device": device}
    return {"devices": {"results": [{**result, **({"tolerations": tolerated} if tolerated else {})}]}}


DEVICES = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "example"}}]}}
HELD = ["resource.kubernetes.io/delete-protection"]


def claims(rng):
    """Claims of templates, and those that pods share. The claim of a template is not deleted: the original does not make another one within a
    minute of its creation, because its memory of own writes still has it."""
    pods = []

    def template(name):
        return make("resource.k8s.io/v1", "ResourceClaimTemplate", name, {
            "metadata": {"labels": {"app": "x"}, "annotations": {"note": "y"}} if rng.random() < 0.5 else {}, "spec": DEVICES})

    def shared():
        return make("resource.k8s.io/v1", "ResourceClaim", "shared", DEVICES)

    def user():
        # A finished pod makes the original reserve a shared claim and release it without end.
        shares = rng.random() < 0.4
        wanted = [{"name": "a", "resourceClaimTemplateName": rng.choice(("t", "t", "late"))}] if rng.random() < 0.8 or not shares else []
        if shares:
            wanted.append({"name": "s", "resourceClaimName": "shared"})
        elif rng.random() < 0.3:
            wanted.append({"name": "b", "resourceClaimTemplateName": "t"})
        name = "p%d" % len(pods)
        pods.append((name, shares))
        notes = {"world/hold-delete": "true"} if rng.random() < 0.15 else {}
        notes.update({"world/phase": rng.choice(("Succeeded", "Failed"))} if not shares and rng.random() < 0.3 else {})
        return create(pod(name, None, notes, resourceClaims=wanted, restartPolicy="Never" if notes.get("world/phase") else "Always"))
    some = lambda: rng.choice(pods)[0]
    changes = (
        user, user, lambda: {"do": "allocate", "pod": some(), "claim": rng.choice("ab"), "allocation": allocation(rng), "reserve": rng.random() < 0.7},
        lambda: {"do": "allocate", "pod": some(), "claim": "a", "allocation": allocation(rng), "reserve": True},
        lambda: {"do": "allocate", "name": "shared", "allocation": allocation(rng), "pods": [name for name, shares in pods if shares][:2]},
        lambda: schedule(some(), "n0"), lambda: schedule(some(), "n0"), lambda: delete("Pod", some()), lambda: delete("Pod", some()),
        lambda: delete("Pod", some(), grace=0), lambda: create(template(rng.choice(("t", "late")))), lambda: delete("ResourceClaim", "shared"),
        lambda: create(shared()),
        lambda: delete("ResourceClaimTemplate", "t"))
    return [create(node("n0", Ready="True"), template("t"), shared()), user()] + [rng.choice(changes)() for _ in range(rng.randint(5, 9))]


def devices(rng):
    """Taints of devices, which evict the pods that use them. Evicted pods go at once: the original may report that it cancels a deletion that
    has begun."""
    def one(name):
        taint = lambda: {"key": rng.choice(("own", "other")), "effect": rng.choice(("NoExecute", "NoExecute", "NoSchedule")),
                         **({"value": "a"} if rng.random() < 0.3 else {})}
        return {"name": name, **({"taints": [taint()]} if rng.random() < 0.35 else {})}

    def slice_of(number, generation=1):
        return {"driver": "dra.world.example", "pool": {"name": "$NS", "generation": generation, "resourceSliceCount": 1}, "allNodes": True,
                "devices": [one("d%d" % device) for device in range(number)]}
    count, steps = rng.randint(1, 3), []
    steps.append(create(node("n0", Ready="True"), make("resource.k8s.io/v1", "ResourceSlice", "$NS.slice", slice_of(3)), *(
        make("resource.k8s.io/v1", "ResourceClaim", "c%d" % number, DEVICES, finalizers=HELD) for number in range(count))))
    steps.append(create(*(pod("p%d" % number, rng.choice(("n0", "n0", "n0", None)),
                              resourceClaims=[{"name": "c", "resourceClaimName": "c%d" % rng.randrange(count)}]) for number in range(rng.randint(1, 3)))))
    allocate = lambda: {"do": "allocate", "name": "c%d" % rng.randrange(count), "allocation": allocation(rng, "d%d" % rng.randrange(3)), "pods": "users"}
    steps += [{"do": "allocate", "name": "c%d" % number, "allocation": allocation(rng, "d%d" % rng.randrange(3)), "pods": "users"} for number in range(count)]
    generation = 1

    def newer():
        nonlocal generation
        generation += 1
        return create(make("resource.k8s.io/v1", "ResourceSlice", "$NS.slice%d" % generation, slice_of(3, generation)))
    taint = lambda: patch("ResourceSlice", "$NS.slice", {"spec": {"devices": slice_of(3)["devices"]}})
    changes = (taint, taint, taint, allocate, newer, lambda: delete("ResourceSlice", "$NS.slice"), lambda: schedule("p%d" % rng.randrange(3), "n0"),
               lambda: delete("Pod", "p%d" % rng.randrange(3)), lambda: delete("ResourceClaim", "c%d" % rng.randrange(count)))
    # Timers end within two seconds.
    return [{"quiet": 4, **step} for step in steps + [rng.choice(changes)() for _ in range(rng.randint(3, 5))]]


KINDS = {f.__name__: f for f in (taints, zones, binding, attachments, claims, devices)}


def scenario(kind, seed):
    """The steps that this seed makes."""
    return KINDS[kind](random.Random("%s/%s" % (kind, seed)))
