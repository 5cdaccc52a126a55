"""Bad values of members that upstream checks by tags beside its types (+k8s:required, format, maxItems and so on), for refusals.py: name, method, path,
body, content type. Creations are dry runs."""

MERGE, JSON = "application/merge-patch+json", "application/json"
DRY = "?dryRun=All"
DEVICES, NETWORK, STORAGE = "resource.k8s.io/v1", "networking.k8s.io/v1", "storage.k8s.io/v1"
ACCESS, FLOWS, ADMISSION = "rbac.authorization.k8s.io/v1", "flowcontrol.apiserver.k8s.io/v1", "admissionregistration.k8s.io/v1"
SHARE = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
JOB = {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}


def slice_of(*devices, **spec):
    members = {"driver": "d.example.com", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}, "nodeName": "n"}
    return members | ({"devices": list(devices)} if devices else {}) | spec


def device(name="d", **members):
    return dict(members, name=name)


def counters(key, name="c", amounts=None):
    return {key: name, "counters": {"a": {"value": "1"}} if amounts is None else amounts}


def shared(name="c", amounts=None):
    return counters("name", name, amounts)


def consumed(name="c", amounts=None):
    return counters("counterSet", name, amounts)


def exact(name="r", **members):
    return {"name": name, "exactly": {"deviceClassName": "c"} | members}


def either(*alternatives):
    return {"name": "r", "firstAvailable": list(alternatives)}


def alternative(name="s", **members):
    return {"name": name, "deviceClassName": "c"} | members


def opaque(driver="d.example.com", **members):
    return dict(members, opaque={"driver": driver, "parameters": {"a": 1}})


def selectors(count):
    return [{"cel": {"expression": "true"}}] * count


def numbered(form, count):
    return [form % number for number in range(count)]


BAD, BAD_AMOUNT = "A_", {"A_": {"value": "1"}}

SLICES = [
    slice_of(sharedCounters=[shared(name) for name in numbered("c%d", 9)]), slice_of(sharedCounters=[shared(), shared()]),
    slice_of(sharedCounters=[shared("c%d" % (number % 2)) for number in range(9)] + [shared("")]),
    *[slice_of(sharedCounters=[shared(name)]) for name in ("", BAD, "a" * 64)], slice_of(sharedCounters=[shared("c", {})]),
    slice_of(sharedCounters=[shared("c", BAD_AMOUNT)]), slice_of(sharedCounters=[shared(BAD, {}), shared(BAD, BAD_AMOUNT), shared("")]),
    slice_of(device(consumesCounters=[consumed(name) for name in numbered("c%d", 3)])), slice_of(device(consumesCounters=[consumed(), consumed()])),
    *[slice_of(device(consumesCounters=[consumed(name)])) for name in ("", BAD)], slice_of(device(consumesCounters=[consumed("c", {})])),
    slice_of(device(consumesCounters=[consumed("c", BAD_AMOUNT)])),
    slice_of(device(consumesCounters=[consumed("c", BAD_AMOUNT), consumed("", {})], taints=[{"key": "k", "effect": "X"}] * 17)),
    slice_of(device(bindingConditions=numbered("c%d", 5), bindingFailureConditions=numbered("f%d", 5))),
    slice_of(device(bindingConditions=["_x_", "_x_"], bindingFailureConditions=["_y"])),
    *[slice_of(device(attributes={"a": value})) for value in ({}, {"int": 1, "bool": True}, {"int": 1, "string": "x", "version": "1.2.3"})],
    *[slice_of(device(taints=taints)) for taints in (
        [{"key": "k"}], [{"key": "k", "effect": "X"}], [{"key": "", "effect": "X"}, {"key": "_", "value": "_", "effect": ""}])],
    slice_of(device(""), driver="", pool={"name": ""}), slice_of(device("A"), device("A"), driver="A_b", pool={"name": "a//B_"}),
    slice_of(device(attributes={"a_/b": {}, "_": {"int": 1, "bool": True}}, taints=[{"key": ""}], bindingConditions=["a"] * 5,
                    consumesCounters=[consumed(""), consumed("")]), device(), pool={"name": ""}),
]

CLAIMS = [
    {"requests": [exact(name) for name in numbered("r%d", 33)]}, {"requests": [exact(), exact()]}, {"requests": [exact(BAD), exact(BAD)]},
    {"requests": [exact()], "constraints": [{"matchAttribute": "a/b", "requests": ["r"]}] * 33},
    {"requests": [exact()], "config": [opaque(requests=["r"])] * 33}, {"requests": [either(*[alternative(name) for name in numbered("s%d", 9)])]},
    {"requests": [either(alternative(), alternative())]}, *[{"requests": [either(alternative(deviceClassName=name))]} for name in ("", BAD, "a" * 254)],
    *[{"requests": [exact(deviceClassName=name)]} for name in ("", BAD)], {"requests": [exact(selectors=selectors(33))]},
    {"requests": [either(alternative(selectors=selectors(33)))]}, {"requests": [exact(allocationMode="X")]}, {"requests": [either(alternative(allocationMode="X"))]},
    *[{"requests": [exact()], "constraints": [{"matchAttribute": "a/b", "requests": names}]} for names in (["r"] * 33, ["r", "r"], [BAD, BAD])],
    *[{"requests": [exact()], "constraints": [{kind: name}]} for kind in ("matchAttribute", "distinctAttribute") for name in (
        "ab", "/b", "a/", "A_/b", "a/b-", "a" * 64 + "/b", "a/" + "b" * 33, "a/b/c", "", "/", "a.example.com/1")],
    {"requests": [exact()], "constraints": [{"matchAttribute": "a/b", "distinctAttribute": "a/b"}]}, {"requests": [exact()], "constraints": [{}]},
    *[{"requests": [exact()], "config": [opaque(requests=names)]} for names in (["r", "r"], ["r"] * 33)],
    *[{"requests": [exact()], "config": [opaque(name)]} for name in ("", BAD, "a" * 64, "-")],
    *[{"requests": [exact(tolerations=[toleration])]} for toleration in (
        {"key": "_", "operator": "Exists"}, {"key": "k", "operator": "X"}, {"key": "k", "operator": "Exists", "effect": "X"})],
    {"requests": [exact(tolerations=[{"key": "a/b/c", "operator": "", "value": "_", "effect": "X"}], allocationMode="X")]},
    {"requests": [exact("_", deviceClassName="", selectors=selectors(33), tolerations=[{"key": "_", "operator": "X", "effect": "Y", "value": "_"}]),
                  dict(either(alternative("_", deviceClassName=""), alternative("_")), name="_")],
     "constraints": [{"matchAttribute": "a", "requests": ["_", "_"]}], "config": [opaque("", requests=["r", "r"])]},
]

CLASSES = [{"selectors": selectors(33), "config": [opaque()] * 33}, {"selectors": selectors(33), "config": [opaque("")], "extendedResourceName": "x"}] + [
    {"extendedResourceName": name} for name in ("ab", "kubernetes.io/a", "requests.a/b", "a/_", "a.example.com/" + "b" * 64, "/", "a.kubernetes.io/b", "")]

TAINTS = [
    {"taint": {"key": "k"}}, {"taint": {"key": "k", "effect": "X"}, "deviceSelector": {"driver": "", "pool": "", "device": ""}},
    {"taint": {"key": "", "effect": "", "value": "_"}, "deviceSelector": {"driver": BAD, "pool": "_", "device": "_"}},
]


def result(**members):
    return {"request": "r", "driver": "d.example.com", "pool": "p", "device": "d"} | members


def allocation(*results, config=None):
    return {"allocation": {"devices": dict({"results": list(results) or [result()]}, **({"config": config} if config else {}))}}


def consumer(number, uid):
    return {"resource": "pods", "name": "n%d" % number, "uid": "u%d" % uid}


def status_of(**members):
    return {"driver": "d.example.com", "pool": "p", "device": "d"} | members


def described(*devices):
    return dict(allocation(), devices=list(devices))


STATUSES = [
    allocation(*[result(device=name) for name in numbered("d%d", 33)]), allocation(config=[opaque(source="FromClaim")] * 65),
    *[allocation(result(shareID=share)) for share in ("x", "", SHARE.upper(), "urn:uuid:" + SHARE, SHARE.replace("-", ""), SHARE[:-1] + "g")],
    *[allocation(result(pool=name)) for name in ("", "a//b", BAD, "a/B_", "/", "a" * 254, "a/" * 130)],
    *[allocation(result(driver=name)) for name in ("", BAD, "a" * 64)], allocation(result(driver="", pool="", device="", request="_", shareID="x")),
    *[allocation(config=[config]) for config in (
        opaque(source=""), opaque(source="X"), opaque(source="FromClass", requests=["r", "r"]), opaque(source="FromClass", requests=["r"] * 33),
        opaque("", source="FromClass"))],
    allocation(result(bindingConditions=numbered("c%d", 5), bindingFailureConditions=numbered("f%d", 5))),
    dict(allocation(), reservedFor=[consumer(number, number) for number in range(257)]), dict(allocation(), reservedFor=[consumer(1, 1), consumer(2, 1)]),
    dict(allocation(), reservedFor=[{"resource": "", "name": "", "uid": ""}] * 2), described(status_of(), status_of()),
    dict(allocation(result(shareID=SHARE)), devices=[status_of(shareID="X")]),
    *[described(status_of(networkData=data)) for data in (
        {"interfaceName": "a" * 257, "hardwareAddress": "b" * 129}, {"interfaceName": "é" * 200, "hardwareAddress": "é" * 100},
        {"ips": numbered("10.0.0.%d/24", 17)}, {"ips": ["10.0.0.1/24"] * 2}, {"ips": ["x", "x", "010.0.0.1/24"]})],
]

LEVELS = [
    {}, {"type": "X"}, {"type": "Limited"}, {"type": "Limited", "limited": {}}, {"type": "Limited", "limited": {"limitResponse": {"type": "Queue"}}},
    {"type": "Limited", "limited": {"limitResponse": {"type": "X"}}}, {"type": "Limited", "limited": {"limitResponse": {"type": "Reject", "queuing": {}}}},
    {"type": "Exempt", "limited": {}}, {"type": "X", "exempt": {}}, {"exempt": {}, "limited": {"limitResponse": {"type": "Reject", "queuing": {}}}},
    {"type": "Limited", "exempt": {}, "limited": {"nominalConcurrencyShares": -1, "lendablePercent": 101}},
    {"type": "Limited", "limited": {"lendablePercent": 101, "limitResponse": {"queuing": {"queues": -1}}}},
]


def created(space):
    """Rows of path, version, kind and the members of the objects."""
    claims = "/apis/%s/namespaces/%s/resourceclaims" % (DEVICES, space)
    target = {"scaleTargetRef": {"kind": "X", "name": "y"}}
    yield "/apis/%s/resourceslices" % DEVICES, DEVICES, "ResourceSlice", [{"spec": spec} for spec in SLICES]
    yield claims, DEVICES, "ResourceClaim", [{"spec": {"devices": spec}} for spec in CLAIMS]
    yield "/apis/%s/deviceclasses" % DEVICES, DEVICES, "DeviceClass", [{"spec": spec} for spec in CLASSES]
    yield "/apis/%s/devicetaintrules" % DEVICES, DEVICES, "DeviceTaintRule", [{"spec": spec} for spec in TAINTS]
    yield "/apis/%s/prioritylevelconfigurations" % FLOWS, FLOWS, "PriorityLevelConfiguration", [{"spec": spec} for spec in LEVELS]
    yield "/apis/%s/validatingadmissionpolicybindings" % ADMISSION, ADMISSION, "ValidatingAdmissionPolicyBinding", [
        {"spec": spec} for spec in ({}, {"paramRef": {}}, {"policyName": BAD, "validationActions": ["X"]})]
    for version in "autoscaling/v1", "autoscaling/v2":
        yield "/apis/%s/namespaces/%s/horizontalpodautoscalers" % (version, space), version, "HorizontalPodAutoscaler", [
            {"spec": spec | target} for spec in ({}, {"minReplicas": -1, "maxReplicas": -1}, {"minReplicas": 3, "maxReplicas": 2})]
    yield "/apis/batch/v1/namespaces/%s/cronjobs" % space, "batch/v1", "CronJob", [
        {"spec": dict(spec, jobTemplate=JOB)} for spec in ({}, {"schedule": "x"}, {"startingDeadlineSeconds": -1, "concurrencyPolicy": "X"})]
    yield "/api/v1/namespaces/%s/replicationcontrollers" % space, "v1", "ReplicationController", [
        {"spec": {"replicas": -1, "minReadySeconds": -1, "selector": {"a": "b"}, "template": TEMPLATE}}]
    yield "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices" % space, "discovery.k8s.io/v1", "EndpointSlice", [
        {"endpoints": [{"addresses": []}]}, {"addressType": "X", "endpoints": [{"addresses": [], "hostname": "_"}], "ports": [{"name": "_"}]},
        {"addressType": "IPv4", "endpoints": [{"addresses": numbered("1.1.1.%d", 101)}, {"addresses": [], "hostname": "_"}]}]
    yield "/apis/%s/namespaces/%s/networkpolicies" % (NETWORK, space), NETWORK, "NetworkPolicy", [
        {"spec": {"podSelector": {}, "policyTypes": ["X"], "egress": [{"to": [{"ipBlock": {"cidr": "", "except": ["x"]}}, {}]}]}}]
    yield "/apis/%s/ingressclasses" % NETWORK, NETWORK, "IngressClass", [
        {"spec": {"controller": "a.b/c", "parameters": {"kind": "", "name": ""}}},
        {"spec": {"controller": "", "parameters": {"kind": "", "name": "", "apiGroup": "_", "scope": "X"}}}]
    yield "/apis/%s/ipaddresses" % NETWORK, NETWORK, "IPAddress", [
        {"spec": spec} for spec in ({}, {"parentRef": {"resource": "", "name": ""}}, {"parentRef": {"resource": "", "name": "", "group": "_", "namespace": "a/b"}})]
    yield "/apis/node.k8s.io/v1/runtimeclasses", "node.k8s.io/v1", "RuntimeClass", [{"handler": handler} for handler in ("", BAD, "a" * 64)] + [
        {"handler": BAD, "scheduling": {"nodeSelector": {"_": "_"}, "tolerations": [{"operator": "X"}]}}]
    yield "/apis/%s/clusterroles" % ACCESS, ACCESS, "ClusterRole", [{"rules": [{"verbs": []}, {"nonResourceURLs": ["x"], "apiGroups": [""]}], "aggregationRule": {}}]
    yield "/apis/%s/clusterrolebindings" % ACCESS, ACCESS, "ClusterRoleBinding", [
        {"roleRef": {"apiGroup": "x", "kind": "X", "name": ""}, "subjects": [{"kind": "ServiceAccount", "name": ""}]}]
    yield "/apis/%s/storageclasses" % STORAGE, STORAGE, "StorageClass", [
        {}, {"provisioner": BAD, "reclaimPolicy": "X", "volumeBindingMode": "Y"}, {"parameters": {"": "x"}, "reclaimPolicy": "X"}]
    yield "/apis/%s/volumeattachments" % STORAGE, STORAGE, "VolumeAttachment", [
        {"spec": {"attacher": name, "nodeName": "n", "source": {"persistentVolumeName": "p"}}} for name in ("", BAD, "a" * 64)] + [
        {"spec": {"attacher": BAD, "nodeName": "", "source": {}}}]


def steps(space):
    """Creations, and changes of the status of a claim and of an EndpointSlice."""
    listed = []
    for path, version, kind, rows in created(space):
        listed += [("bad %s %d" % (kind, at), "POST", path + DRY, dict(row, apiVersion=version, kind=kind, metadata={"name": "1.2.3.4" if kind == "IPAddress" else "x"}))
                   for at, row in enumerate(rows)]
    claims = "/apis/%s/namespaces/%s/resourceclaims" % (DEVICES, space)
    slices = "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices" % space
    listed += [("a claim", "POST", claims, {"apiVersion": DEVICES, "kind": "ResourceClaim", "metadata": {"name": "s"}, "spec": {"devices": {"requests": [exact()]}}}),
               ("another request", "PATCH", claims + "/s" + DRY, {"spec": {"devices": {"requests": [exact("o")]}}}, MERGE)]
    listed += [("bad status of a claim %d" % at, "PATCH", claims + "/s/status" + DRY, {"status": row}, MERGE) for at, row in enumerate(STATUSES)]
    listed += [("its allocation", "PATCH", claims + "/s/status", {"status": allocation()}, MERGE)]
    listed += [("another status %d" % at, "PATCH", claims + "/s/status" + DRY, {"status": row}, MERGE) for at, row in enumerate((
        allocation(result(device="e", shareID="x")), dict(allocation(result(device="e")), reservedFor=[consumer(1, 1), consumer(2, 1)])))]
    listed += [("an EndpointSlice", "POST", slices, {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": {"name": "s"}, "addressType": "IPv4",
                                                    "endpoints": [{"addresses": ["1.1.1.1"]}]})]
    listed += [("another slice %d" % at, "PATCH", slices + "/s" + DRY, row, MERGE) for at, row in enumerate((
        {"addressType": "IPv6"}, {"addressType": "X"}, {"addressType": "X", "ports": [{"name": "_"}], "endpoints": [{"addresses": []}]}))]
    return listed
