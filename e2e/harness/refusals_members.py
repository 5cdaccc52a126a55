"""Bad values of members whose features became default in the last releases, for refusals.py. Each is a dry run: name, method, path, body, content type."""

MERGE, JSON = "application/merge-patch+json", "application/json"
DRY = "?dryRun=All"


def status(member, container, **members):
    return {member: [dict({"name": container, "image": "i", "imageID": "", "ready": True, "restartCount": 0}, **members)]}


def extended(name, *mappings):
    keys = ("containerName", "resourceName", "requestName")
    return {"extendedResourceClaimStatus": {"resourceClaimName": name, "requestMappings": [dict(zip(keys, mapping)) for mapping in mappings]}}


def devices(name, *resources):
    return {"allocatedResourcesStatus": [{"name": name, "resources": [dict(zip(("resourceID", "health"), each)) for each in resources]}]}


def user(**members):
    return {"user": {"linux": members}}


WELL = ("a", "Healthy")
MAPPED = ("c", "example.com/g", "container-0-request-0")

# The pod whose status is patched.
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "s"}, "spec": {
    "resourceClaims": [{"name": "a", "resourceClaimTemplateName": "t"}, {"name": "b", "resourceClaimName": "given"}],
    "initContainers": [{"name": "i", "image": "i:1"}],
    "containers": [{"name": "c", "image": "i:1", "resources": {
        "limits": {"example.com/g": "1", "cpu": "1"}, "claims": [{"name": "a"}, {"name": "b", "request": "q"}]}}]}}

STATUSES = [
    extended("e", MAPPED), extended("e", ("c", "example.com/h", "r")), extended("e", ("c", "cpu", "r")), extended("e", ("c", "", "r")),
    extended("e", ("z", "example.com/g", "r")), extended("e", ("i", "example.com/g", "r")), extended("e", ("", "example.com/g", "r")),
    extended("e", MAPPED, MAPPED), extended("e", MAPPED, ("c", "example.com/g", "r")), extended("e"), extended("", MAPPED), extended("E_x", MAPPED),
    extended("e", ("c", "example.com/g", "A_b")), extended("e", ("c", "example.com/g", "")), extended("e", ("c", "example.com/g", "a/b")),
    {"resourceClaimStatuses": [{"name": "a", "resourceClaimName": "x"}]}, {"resourceClaimStatuses": [{"name": "z", "resourceClaimName": "x"}]},
    {"resourceClaimStatuses": [{"name": "", "resourceClaimName": "x"}]}, {"resourceClaimStatuses": [{"name": "a", "resourceClaimName": "X_"}]},
    {"resourceClaimStatuses": [{"name": "a", "resourceClaimName": ""}]}, {"resourceClaimStatuses": [{"name": "a"}, {"name": "a"}]},
    status("containerStatuses", "c", **user(uid=-1, gid=-2, supplementalGroups=[-3, 4, 2147483648])),
    status("containerStatuses", "c", **user(uid=4294967296, gid=2147483648)), status("containerStatuses", "c", user={}),
    status("containerStatuses", "z", **user(uid=-1, gid=0)), status("initContainerStatuses", "i", **user(uid=-1, gid=0)),
    status("ephemeralContainerStatuses", "z", **user(uid=-1, gid=0)), status("ephemeralContainerStatuses", "z", **devices("claim:a", WELL)),
    status("containerStatuses", "c", **devices("claim:x", ("a", "Nope"))), status("containerStatuses", "c", **devices("claim:a", ("a", "Nope"))),
    status("containerStatuses", "c", **devices("claim:a", WELL)), status("containerStatuses", "c", **devices("claim:b", WELL)),
    status("containerStatuses", "c", **devices("claim:b/q", WELL)), status("containerStatuses", "c", **devices("claim:b/z", WELL)),
    status("containerStatuses", "c", **devices("example.com/g", WELL)), status("containerStatuses", "c", **devices("example.com/h", WELL)),
    status("containerStatuses", "c", **devices("cpu", WELL)), status("containerStatuses", "c", **devices("claim:a", WELL, WELL)),
    status("containerStatuses", "c", **devices("")), status("containerStatuses", "c", **devices("claim:a", ("", ""))),
    status("initContainerStatuses", "i", **devices("claim:a", WELL)), status("containerStatuses", "z", **devices("claim:a", WELL)),
    {"conditions": [{"type": "Ready", "status": "True", "observedGeneration": -1}]}, {"observedGeneration": -1},
    status("containerStatuses", "c", stopSignal="SIGNOPE"), status("containerStatuses", "c", allocatedResources={"cpu": "-1"}),
]


def stateful_set(strategy):
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "m"}, "spec": {
        "serviceName": "s", "selector": {"matchLabels": {"a": "b"}}, "updateStrategy": strategy,
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}}}


STRATEGIES = [{"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": value}}
              for value in (0, "0%", "101%", -1, "-5%", "x", "5", "1.5%", "", "%", 1, "50%")] + [
    {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": 1}}, {"type": "Nope"}, {"type": "RollingUpdate", "rollingUpdate": {"partition": -1}}]


def claim(kind, *requests):
    spec = {"devices": {"requests": [{"name": name, "exactly": {"deviceClassName": "d", "adminAccess": admin}} for name, admin in requests]}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": {"name": "c"}, "spec": {"spec": spec} if kind.endswith("Template") else spec}


CLAIMS = [claim("ResourceClaim", ("r", True)), claim("ResourceClaim", ("q", False), ("r", True), ("s", True)), claim("ResourceClaim", ("R", True)),
          claim("ResourceClaim", ("r", False)), claim("ResourceClaimTemplate", ("r", True)), claim("ResourceClaimTemplate", ("r", False))]


def spec(container=None, **members):
    return dict({"containers": [dict({"name": "c", "image": "i:1"}, **(container or {}))]}, **members)


def key(**members):
    return {"env": [{"name": "A", "valueFrom": {"fileKeyRef": members}}]}


FILES = {"volumes": [{"name": "f", "emptyDir": {}}, {"name": "m", "configMap": {"name": "m"}}]}
LARGE = {"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}

PODS = [
    spec(key(volumeName="f", path="a", key="K"), **FILES), spec(key(volumeName="", path="a", key="K"), **FILES), spec(key(volumeName="f", path="", key="K"), **FILES),
    spec(key(volumeName="f", path="a", key=""), **FILES), spec(key(volumeName="z", path="a", key="K"), **FILES), spec(key(volumeName="m", path="a", key="K"), **FILES),
    spec(key(volumeName="f", path="../a", key="K"), **FILES), spec(key(volumeName="f", path="/a", key="K"), **FILES), spec(key(volumeName="f", path="a", key="1 x"), **FILES),
    spec(key(volumeName="F_", path="a", key="K"), **FILES),
    spec(resources=LARGE, os={"name": "windows"}), spec(resources=LARGE), spec(resources={"limits": {"example.com/g": "1"}}), spec(resources={"claims": [{"name": "a"}]}),
    spec(resources={"requests": {"cpu": "-1"}}), spec({"resources": {"requests": {"cpu": "3"}}}, resources=LARGE),
    spec({"volumeDevices": [{"name": "d", "devicePath": "/d"}]}, hostUsers=False, volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "d"}}]),
    spec(hostUsers=False, hostNetwork=True), spec(hostUsers=False, hostPID=True), spec(hostUsers=False, hostIPC=True), spec(hostUsers=False),
    spec({"securityContext": {"procMount": "Unmasked"}}), spec({"securityContext": {"procMount": "Unmasked"}}, hostUsers=False), spec({"securityContext": {"procMount": "Nope"}}, hostUsers=False),
    spec({"lifecycle": {"stopSignal": "SIGTERM"}}), spec({"lifecycle": {"stopSignal": "SIGNOPE"}}, os={"name": "linux"}), spec({"lifecycle": {"stopSignal": "SIGUSR1"}}, os={"name": "windows"}),
    spec(hostnameOverride="a"), spec(hostnameOverride="A_"), spec(hostnameOverride="a.b"), spec(hostnameOverride="a" * 65), spec(hostnameOverride="a", setHostnameAsFQDN=True), spec(hostnameOverride="a", hostNetwork=True),
    spec({"restartPolicy": "Nope"}), spec({"restartPolicy": "Never"}), spec({"restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}]}),
    spec({"restartPolicy": "Never", "restartPolicyRules": [{"action": "Nope", "exitCodes": {"operator": "In", "values": [1]}}]}),
    spec({"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "Nope", "values": [1]}}]}),
    spec({"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": []}}]}),
    spec({"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart"}]}), spec({"restartPolicy": "Never", "restartPolicyRules": [{"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [1]}}]}),
    spec(volumes=[{"name": "i", "image": {"reference": "", "pullPolicy": "Always"}}]), spec(volumes=[{"name": "i", "image": {"reference": "x", "pullPolicy": "Nope"}}]),
    spec({"volumeMounts": [{"name": "i", "mountPath": "/i", "subPathExpr": "$(A)"}]}, volumes=[{"name": "i", "image": {"reference": "x"}}]),
    spec({"volumeMounts": [{"name": "f", "mountPath": "/i", "readOnly": True, "recursiveReadOnly": "Nope"}]}, **FILES),
    spec({"volumeMounts": [{"name": "f", "mountPath": "/i", "recursiveReadOnly": "Enabled"}]}, **FILES),
    spec(securityContext={"supplementalGroupsPolicy": "Nope"}), spec(securityContext={"supplementalGroupsPolicy": "Strict"}, os={"name": "windows"}),
    spec(securityContext={"seLinuxChangePolicy": "Nope"}), spec(securityContext={"seLinuxChangePolicy": "Recursive"}, os={"name": "windows"}),
    spec(dnsConfig={"searches": ["_a.b", "."]}), spec(dnsConfig={"searches": ["a b"]}), spec({"env": [{"name": "a=b", "value": "x"}]}), spec({"env": [{"name": "a b!", "value": "x"}]}),
    spec({"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "Nope"}]}), spec({"resizePolicy": [{"resourceName": "pods", "restartPolicy": "NotRequired"}]}),
    spec(volumes=[{"name": "p", "projected": {"sources": [{"podCertificate": {"signerName": "x", "keyType": "Nope"}}]}}]),
    spec(volumes=[{"name": "p", "projected": {"sources": [{"podCertificate": {"signerName": "example.com/s", "keyType": "ED25519", "maxExpirationSeconds": 5}}]}}]),
    spec(volumes=[{"name": "p", "projected": {"sources": [{"podCertificate": {"signerName": "example.com/s", "keyType": "RSA3072", "keyPath": "../k", "certificateChainPath": "c"}}]}}]),
    spec(volumes=[{"name": "p", "projected": {"sources": [{"podCertificate": {"signerName": "example.com/s", "keyType": "RSA3072", "credentialBundlePath": "b", "userAnnotations": {"x y": "1"}}}]}}]),
    spec(os={"name": "windows"}, hostPID=True, hostIPC=True, hostNetwork=True, hostUsers=False, shareProcessNamespace=True),
    spec(os={"name": "windows"}, hostPID=True, securityContext={
        "appArmorProfile": {"type": "RuntimeDefault"}, "seLinuxOptions": {"level": "a"}, "seccompProfile": {"type": "RuntimeDefault"}, "fsGroup": 1,
        "fsGroupChangePolicy": "Always", "sysctls": [{"name": "kernel.shm_rmid_forced", "value": "1"}], "runAsUser": 1, "runAsGroup": 1, "supplementalGroups": [1]}),
    spec({"securityContext": {
        "appArmorProfile": {"type": "RuntimeDefault"}, "seLinuxOptions": {"level": "a"}, "seccompProfile": {"type": "RuntimeDefault"}, "capabilities": {"add": ["A"]},
        "readOnlyRootFilesystem": True, "privileged": False, "allowPrivilegeEscalation": True, "procMount": "Default", "runAsUser": 1, "runAsGroup": 1}}, os={"name": "windows"}),
    spec({"securityContext": {"windowsOptions": {"runAsUserName": "a"}}}, os={"name": "linux"}, securityContext={"windowsOptions": {"runAsUserName": "a"}}),
    spec(os={"name": "windows"}, securityContext={"windowsOptions": {"hostProcess": True}}), spec(os={"name": "other"}),
    spec(schedulingGroup={"podGroupName": "X_"}), spec(workloadRef={"name": "w", "podGroup": "P_"}),
    spec(resourceClaims=[{"name": "a"}]), spec(resourceClaims=[{"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"}]), spec(resourceClaims=[{"name": "A_", "resourceClaimName": "x"}]),
    spec(resourceClaims=[{"name": "a", "resourceClaimName": "X_"}]), spec({"resources": {"claims": [{"name": "z"}]}}, resourceClaims=[{"name": "a", "resourceClaimName": "x"}]),
    spec({"resources": {"claims": [{"name": "a", "request": "R_"}]}}, resourceClaims=[{"name": "a", "resourceClaimName": "x"}]),
    spec(runtimeClassName=""), spec(runtimeClassName="."), spec(runtimeClassName="a%b/c"), spec(runtimeClassName="A_"), spec(preemptionPolicy=""), spec(priorityClassName=""),
    spec(priorityClassName="a/b"),
]

OBJECTS = [
    ("/api/v1/namespaces/%s/services", {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "1x"}, "spec": {"ports": [{"port": 1}]}}),
    ("/api/v1/namespaces/%s/services", {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"ports": [{"port": 1}], "trafficDistribution": "Nope"}}),
    ("/api/v1/namespaces/%s/services", {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"ports": [{"port": 1}], "trafficDistribution": "PreferSameNode"}}),
    ("/apis/storage.k8s.io/v1/csidrivers", {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "d.example.com"}, "spec": {"nodeAllocatableUpdatePeriodSeconds": 1}}),
    ("/apis/storage.k8s.io/v1/csidrivers", {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "d.example.com"}, "spec": {"serviceAccountTokenInSecrets": True}}),
    ("/apis/storage.k8s.io/v1/volumeattributesclasses", {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttributesClass", "metadata": {"name": "v"}, "driverName": "", "parameters": {}}),
    ("/apis/batch/v1/namespaces/%s/jobs", {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"managedBy": "x", "template": {"spec": dict(spec(), restartPolicy="Never")}}}),
    ("/apis/batch/v1/namespaces/%s/jobs", {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"podReplacementPolicy": "Nope", "template": {"spec": dict(spec(), restartPolicy="Never")}}}),
    ("/apis/autoscaling/v2/namespaces/%s/horizontalpodautoscalers", {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "h"}, "spec": {
        "maxReplicas": 2, "scaleTargetRef": {"kind": "Deployment", "name": "d"}, "behavior": {"scaleUp": {"tolerance": "-1", "policies": [{"type": "Pods", "value": 1, "periodSeconds": 1}]}}}}),
    ("/apis/autoscaling/v2/namespaces/%s/horizontalpodautoscalers", {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "h"}, "spec": {
        "minReplicas": 0, "maxReplicas": 2, "scaleTargetRef": {"kind": "Deployment", "name": "d"}}}),
    ("/apis/apps/v1/namespaces/%s/statefulsets", stateful_set({"type": "RollingUpdate"})),
]


# What values of every member found (members.py).
def windows(**options):
    return {"securityContext": {"windowsOptions": options}}


def term(**members):
    return {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [dict({"topologyKey": "zone"}, **members)]}}}


SELECTED = {"labelSelector": {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "Exists"}, {"key": "c", "operator": "Exists"}]}}
CLAIMED = [{"name": "a", "resourceClaimName": "x"}]
NET = {"sysctls": [{"name": name, "value": "1"} for name in ("net.core.somaxconn", "net/core/x", "kernel.shm_rmid_forced", "fs.mqueue.max", "kernel.sem", "kernel.semx", "net.core.somaxconn")]}
FOUND = [
    *[spec(windows(**options)) for options in (
        {"gmsaCredentialSpecName": ""}, {"gmsaCredentialSpecName": "A_"}, {"gmsaCredentialSpec": ""}, {"gmsaCredentialSpec": "x" * 65537}, {"hostProcess": True}, {"hostProcess": False})],
    *[spec(windows(runAsUserName=name)) for name in (
        "", "a/b", "a\\b\\c", "a\n", "\\u", "d\\", "d.e\\u", ".d\\u", "d" * 256 + "\\u", "u" * 105, " . ", "a@b", "NT AUTHORITY\\SYSTEM", "d_e\\u")],
    spec(windows(hostProcess=False), securityContext={"windowsOptions": {"hostProcess": True}}, hostNetwork=True),
    spec(securityContext={"windowsOptions": {"hostProcess": True}}, hostNetwork=True, initContainers=[dict({"name": "i", "image": "i:1"}, **windows(hostProcess=False))]),
    spec(**term(matchLabelKeys=["bad key!"])), spec(**term(matchLabelKeys=["a"], mismatchLabelKeys=["a"])), spec(**term(matchLabelKeys=["a", "c"], mismatchLabelKeys=["c"], **SELECTED)),
    spec(topologySpreadConstraints=[dict({"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "matchLabelKeys": ["a", "x y"]}, **SELECTED)]),
    *[spec({"resources": {"claims": claims}}, resourceClaims=CLAIMED) for claims in (
        [{}], [{"name": "a"}, {"name": "a"}], [{"name": "a", "request": "r"}, {"name": "a"}], [{"name": "a"}, {"name": "a", "request": "r"}], [{"name": "z", "request": "R_"}],
        [{"name": "a", "request": "r"}, {"name": "a", "request": "r"}], [{"name": "a", "request": "r"}, {"name": "a", "request": "q"}])],
    spec({"resources": {"limits": {"a/b/c": "1"}}}), *[spec(resources={"limits": {name: "1"}}) for name in ("a/b/c", "k", "bad key!", "ephemeral-storage")],
    spec(securityContext=NET, hostNetwork=True), spec(securityContext=NET, hostIPC=True), spec(dnsConfig={"searches": ["a" * 254]}),
    spec(securityContext={"seccompProfile": {"type": "RuntimeDefault", "localhostProfile": ""}}),
    *[spec(volumes=[dict(volume, name="v")]) for volume in (
        {"storageos": {}}, {"storageos": {"volumeName": "A_", "volumeNamespace": "B_", "secretRef": {}}}, {"cinder": {"volumeID": "x", "secretRef": {}}},
        {"gitRepo": {"repository": "r", "directory": "../x"}}, {"gcePersistentDisk": {"partition": -1}}, {"iscsi": {"targetPortal": "p", "iqn": "x", "initiatorName": "y", "secretRef": {}}},
        {"ephemeral": {"volumeClaimTemplate": {"metadata": {"name": "n", "uid": "u", "finalizers": [], "annotations": {"x y": ""}, "deletionGracePeriodSeconds": 0, "generation": 0},
                                               "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1"}}}}}})],
    spec(key(volumeName="z", path="", key="K"), initContainers=[dict({"name": "i", "image": "i:1"}, **key(volumeName="z", path="a", key="K"))]),
    spec(initContainers=[{"name": "i", "image": "i:1", "restartPolicyRules": [{"action": "Nope"}]}]),
    spec(initContainers=[{"name": "h", "image": "i:1"}, {"name": "i", "image": "i:1", "ports": [{"containerPort": 1, "hostPort": 1}] * 2}]),
    spec(resourceClaims=CLAIMED + [{"name": "a", "resourceClaimName": "X_"}, {"name": "A_"}]),
]
FOUND_STATUSES = [
    status("initContainerStatuses", "i", allocatedResourcesStatus=[{"name": "claim:e/r", "resources": [{"resourceID": "a", "message": ""}, {"resourceID": "a", "message": "x" * 1025}]}]),
    status("containerStatuses", "z", **devices("claim:a", ("a", "Nope"))), {"hostIP": "x", "hostIPs": [{"ip": "x"}, {"ip": "y"}]}, {"podIP": "1.2.3.4", "podIPs": [{"ip": "1.2.3.4"}, {"ip": "y"}]},
    dict(extended("e", MAPPED), **status("containerStatuses", "c", **devices("claim:e/container-0-request-0", WELL))),
    dict(extended("e", MAPPED), **status("containerStatuses", "c", **devices("claim:e/r", WELL))),
    extended("e", ("z", "example.com/g", "R_"), ("z", "example.com/g", "R_")),
]


def access(**attributes):
    return {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": dict({"verb": "get", "resource": "pods"}, **attributes)}}


def devices_of(**members):
    devices = dict({"requests": [{"name": "r", "exactly": {"deviceClassName": "d"}}]}, **members)
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"}, "spec": {"devices": devices}}


REVIEWS = [access(**{kind: value}) for kind in ("fieldSelector", "labelSelector") for value in (
    {}, {"rawSelector": "a=b", "requirements": [{"key": "a", "operator": "Exists"}]}, {"requirements": [{}]}, {"requirements": [{"key": "A B", "operator": "In"}]},
    {"requirements": [{"key": "a", "operator": "Exists", "values": ["b c"]}]}, {"requirements": [{"key": "a", "operator": "Nope", "values": ["b"]}]})]
REVIEWS[0]["spec"]["nonResourceAttributes"] = {"path": "/x"}
DEVICE_CLAIMS = [
    devices_of(constraints=[{"matchAttribute": "a/b", "distinctAttribute": "new"}]),
    devices_of(requests=[{"name": "r", "exactly": {"deviceClassName": "d", "allocationMode": "Nope"}, "firstAvailable": [
        {"name": "n", "deviceClassName": "X_", "allocationMode": "Nope", "tolerations": [{"key": "x y", "operator": "Nope", "effect": "Nope"}]}, {"name": "n"}]}]),
    devices_of(config=[{"opaque": {"driver": "a" * 300, "parameters": {}}}]),
]


# Certificate signing requests: signed with SHA-1, with a byte after their end, of a key of 512 bits.
REQUESTS = [
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1HNENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCTlRZN1pvcmYzVU"
    "9JUUJLdmQrWUpFbHFWZTc0ZHhYNTVVWURRTWttQ05PbW0zL0xCNTNVS2d0VCtVUUNKdWtmCm9iaVU1dHV6SnZ0cm8yNWRSb1JIbWVtZ0FEQUpCZ2NxaGtqT1BRUUJBMGdBTUVVQ0lBRVZUR01EbkFV"
    "T1JCR08KVENhYXJqTzVGd1BsMzJkL09tQkxMVnBuK1UvY0FpRUE2WGNobXZNVVFJTllRRFJGRjFieUJFUzhLNzdsOTZDbwpzR2FFNGlXM25oOD0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC"
    "0tLS0tCg==",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCTlRZN1pvcmYzVU"
    "9JUUJLdmQrWUpFbHFWZTc0ZHhYNTVVWURRTWttQ05PbW0zL0xCNTNVS2d0VCtVUUNKdWtmCm9iaVU1dHV6SnZ0cm8yNWRSb1JIbWVtZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpRUEwL0cyTThB"
    "K01ZMUMKSFk3VGFjWFlwdnVNUVhSVkdHcVU4REcwVzlnVnZMa0NJSEVZMXNFQitseHhpYnNNenQrTTY0VHQrcVRhTFh6YQpXT3RLcUp4RzJIUXRBQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUV"
    "VFU1QtLS0tLQo=",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1IRUNBUUF3RERFS01BZ0dBMVVFQXd3QmVEQmNNQTBHQ1NxR1NJYjNEUUVCQVFVQUEwc0FNRWdDUVFDMgp0aVJxdk9kM3dNSG"
    "5xYmVYUmtrT2lya0lIUmZ2VXMrSlhBRHQrN3JJKyttbzdaMjZsZmVsdnJIUkRPQ1lwOHlJClk1bHJNUlI5OG1JMVpUQ1BzL05UQWdNQkFBR2dBREFOQmdrcWhraUc5dzBCQVFzRkFBTkJBSTNGVk5z"
    "UmZld0YKNHB3Y2FnaVN1ZFpBeFNtb3FNdDRBcVJVRTdZU1UwYlk2ZWhkZ0pUeFRDUWU2YS9qK2U0YkhQY0dJejVEWlpDUAoxZG1iSGtSeDBnQT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC"
    "0tLS0tCg==",
]


# From 2^63 / 1000 on, the thousandths of an amount do not fit into 64 bits.
AMOUNTS = (
    "9223372036854774", "9223372036854775", "9223372036854775.5", "9223372036854775.807", "9223372036854775.808", "9223372036854775.999", "9223372036854776",
    "9223372036854777", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "1e18", "1e19",
    "1e30", "-1", "-9223372036854776", "-1e19", "500m", "1u", "999999999999999999n", "8Pi", "9Pi", "1Ei", "1.5Ei", "7Ei", "8Ei", "0.1Ei", "9P", "10P", "1E", "8E",
    "9007199254740991k", "9007199254740992M", "9223372036854775807k", "9223372036854775G", "9223372036854776E3")


def amounts(amount):
    """Requests with an amount of what must be whole, of pages, of storage, and of an overhead, which is not rounded."""
    container = {"name": "c", "image": "i:1", "resources": {"limits": {"example.com/foo": amount}}}
    pages = {"name": "c", "image": "i:1", "resources": {"limits": {"hugepages-2Mi": amount, "cpu": "1"}}}
    return [
        ("pods", "v1", "Pod", {"spec": {"containers": [container]}}), ("pods", "v1", "Pod", {"spec": {"containers": [pages]}}),
        ("nodes", "v1", "Node", {"status": {"allocatable": {"example.com/foo": amount}}}), ("nodes", "v1", "Node", {"status": {"capacity": {"pods": amount}}}),
        ("resourcequotas", "v1", "ResourceQuota", {"spec": {"hard": {"pods": amount}}}),
        ("resourcequotas", "v1", "ResourceQuota", {"spec": {"hard": {"requests.example.com/foo": amount}}}),
        ("limitranges", "v1", "LimitRange", {"spec": {"limits": [{"type": "Container", "max": {"example.com/foo": amount}}]}}),
        ("persistentvolumes", "v1", "PersistentVolume", {"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": amount}, "hostPath": {"path": "/a"}}}),
        ("runtimeclasses", "node.k8s.io/v1", "RuntimeClass", {"handler": "h", "overhead": {"podFixed": {"cpu": amount}}})]


def collection(namespace, plural, version):
    """Returns the path of the objects of a kind."""
    prefix = ("/apis/" if "/" in version else "/api/") + version
    return prefix + ("" if plural in CLUSTER_SCOPED else "/namespaces/" + namespace) + "/" + plural


CLUSTER_SCOPED = ("nodes", "persistentvolumes", "runtimeclasses")


USERS = [
    {"name": "s", "secret": {"secretName": "s", "defaultUser": 1, "items": [{"key": "a", "path": "b", "user": 2}]}},
    {"name": "d", "downwardAPI": {"defaultUser": 1, "items": [{"path": "a", "fieldRef": {"fieldPath": "metadata.name"}, "user": 3}]}},
    {"name": "p", "projected": {"defaultUser": 3, "sources": [{"serviceAccountToken": {"path": "t", "user": 1}}, {"clusterTrustBundle": {"name": "x", "path": "c", "user": 3}}]}}]
# Members of features that are off; a write loses them.
OFF = [
    spec({"lifecycle": {}}), spec({"lifecycle": {"stopSignal": "SIGTERM"}}), spec({"lifecycle": {"stopSignal": "SIGNOPE", "preStop": {"sleep": {"seconds": 1}}}}),
    spec(initContainers=[{"name": "i", "image": "i:1", "restartPolicy": "Always", "lifecycle": {"stopSignal": "SIGTERM"}}], os={"name": "linux"}),
    spec(schedulingGroup={"podGroupName": "x"}), spec(workloadRef={"name": "w", "podGroup": "g"}), spec(evictionResponders=[{"name": "a.b/c"}]),
    spec({"readinessProbe": {"grpc": {"port": 1, "mode": "TLS"}}}), spec({"readinessProbe": {"httpGet": {"port": 1, "protocol": "H2C"}}}),
    spec({"lifecycle": {"postStart": {"httpGet": {"port": 1, "protocol": "H2C"}}}}), spec(volumes=[{"name": "h", "emptyDir": {"mode": 448}}]), spec(volumes=USERS),
    spec({"volumeMounts": [{"name": "v", "mountPath": "/v", "bindMountOptions": ["noexec"]}]}, volumes=[{"name": "v", "emptyDir": {}}]),
    spec(resourceClaims=[{"name": "a", "podGroupResourceClaim": "x"}]), spec(tolerations=[{"key": "a", "operator": "Lt", "value": "5"}]), spec(hostUsers=False, hostNetwork=True),
    spec(volumes=[{"name": "g", "gitRepo": {"repository": "x"}}])]
OFF_STATUSES = [
    status("containerStatuses", "c", stopSignal="SIGTERM"), {"volumeHealth": [{"name": "a"}]}, {"nodeAllocatableResourceClaimStatuses": [{"resourceClaimName": "a"}]},
    status("containerStatuses", "c", volumeMounts=[{"name": "v", "mountPath": "/v", "volumeStatus": {"image": {"imageRef": "x"}}}])]

FEATURES = ["InPlacePodLevelResourcesVerticalScaling", "InPlacePodVerticalScalingInitContainers"]
ROOM, SIZE = {"cpu": "2", "memory": "1Gi"}, {"requests": {"cpu": "100m", "memory": "10Mi"}, "limits": {"cpu": "1", "memory": "100Mi"}}
# The nodes of pods that are resized: labels, allocatable amounts, declared features.
NODES = {
    "plain": ({"kubernetes.io/os": "linux"}, ROOM, []), "able": ({"kubernetes.io/os": "linux"}, ROOM, FEATURES), "other": ({"kubernetes.io/os": "windows"}, ROOM, FEATURES),
    "unnamed": ({}, ROOM, FEATURES), "empty": ({"kubernetes.io/os": "linux"}, {}, FEATURES), "one": ({"kubernetes.io/os": ""}, ROOM, FEATURES[:1])}


def resizes():
    """Bodies of resizes: of a container, of all amounts, of an init container, of a sidecar, of the pod; within the room and beyond it."""
    def sized(member, name, cpu, memory="10Mi"):
        amounts = {"cpu": cpu, "memory": memory}
        return {"spec": {member: [{"name": name, "resources": {"requests": amounts, "limits": amounts}}]}}
    whole = {"cpu": "1500m", "memory": "100Mi"}
    return [sized("containers", "c", "200m"), sized("containers", "c", "20"), sized("containers", "c", "2001m", "2Gi"), sized("containers", "c", "100m", "2Gi"),
            sized("containers", "c", "1900m"), sized("initContainers", "i", "300m"), sized("initContainers", "i", "30"), sized("initContainers", "s", "300m"),
            {"spec": {"resources": {"requests": whole, "limits": whole}}}, {"spec": {"containers": [{"name": "c", "resources": SIZE}]}}]


def resize_steps(pods):
    """Requests that make the nodes and their pods, resize these, and remove the nodes."""
    listed, strategic = [], "application/strategic-merge-patch+json"
    for node, (labels, room, features) in NODES.items():
        listed += [("the node " + node, "POST", "/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node, "labels": labels}}),
                   ("its room", "PATCH", "/api/v1/nodes/%s/status" % node, {"status": {"allocatable": room, "declaredFeatures": features}}, MERGE)]
    for node in list(NODES) + ["missing"]:
        listed.append(("a pod of the node " + node, "POST", pods, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "z-" + node}, "spec": {
            "nodeName": node, "initContainers": [{"name": "i", "image": "i:1", "resources": SIZE}, {"name": "s", "image": "i:1", "restartPolicy": "Always", "resources": SIZE}],
            "containers": [{"name": "c", "image": "i:1", "resources": SIZE}]}}))
        listed += [("resize %d on the node %s" % (i, node), "PATCH", pods + "/z-" + node + "/resize" + DRY, body, strategic) for i, body in enumerate(resizes())]
    return listed + [("the end of the node " + node, "DELETE", "/api/v1/nodes/" + node) for node in NODES]


def steps(namespace):
    """Returns the requests; the first ones prepare, and change something."""
    here = "/api/v1/namespaces/" + namespace
    listed = [("a pod with claims", "POST", here + "/pods", POD)]
    listed += [("status %d" % i, "PATCH", here + "/pods/s/status" + DRY, {"status": body}, MERGE) for i, body in enumerate(STATUSES)]
    listed += [("strategy %d" % i, "POST", "/apis/apps/v1/namespaces/%s/statefulsets%s" % (namespace, DRY), stateful_set(each)) for i, each in enumerate(STRATEGIES)]
    listed += [("claim %d" % i, "POST", "/apis/resource.k8s.io/v1/namespaces/%s/%ss%s" % (namespace, each["kind"].lower(), DRY), each) for i, each in enumerate(CLAIMS)]
    listed += [("spec %d" % i, "POST", here + "/pods" + DRY, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "spec": each}) for i, each in enumerate(PODS)]
    listed += [("object %d" % i, "POST", (path % namespace if "%s" in path else path) + DRY, each) for i, (path, each) in enumerate(OBJECTS)]
    listed += [("stored amount " + amount, "POST", collection(namespace, plural, version) + DRY, dict(members, apiVersion=version, kind=kind, metadata={"name": "a"}))
               for amount in AMOUNTS for plural, version, kind, members in amounts(amount)]
    listed += [("stored without a feature %d" % i, "POST", here + "/pods" + DRY, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "spec": each}) for i, each in enumerate(OFF)]
    listed += [("stored status without a feature %d" % i, "PATCH", here + "/pods/s/status" + DRY, {"status": body}, MERGE) for i, body in enumerate(OFF_STATUSES)]
    listed += [("found %d" % i, "POST", here + "/pods" + DRY, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "spec": each}) for i, each in enumerate(FOUND)]
    listed += [("found status %d" % i, "PATCH", here + "/pods/s/status" + DRY, {"status": body}, MERGE) for i, body in enumerate(FOUND_STATUSES)]
    listed += [("review of access %d" % i, "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body) for i, body in enumerate(REVIEWS)]
    listed += [("devices of a claim %d" % i, "POST", "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims%s" % (namespace, DRY), body) for i, body in enumerate(DEVICE_CLAIMS)]
    listed.append(("stored secrets of an account", "POST", here + "/serviceaccounts" + DRY, {
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "a"}, "secrets": [{"name": "s", "namespace": "n", "uid": "u", "kind": "K"}]}))
    listed += [("request of a certificate %d" % i, "POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests" + DRY, {
        "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"name": "c"},
        "spec": {"signerName": "kubernetes.io/kube-apiserver-client", "usages": ["client auth"], "request": body}}) for i, body in enumerate(REQUESTS)]
    listed += resize_steps(here + "/pods")
    listed.append(("a deletion that breaks the cluster", "DELETE", here + "/configmaps/a" + DRY, {"ignoreStoreReadErrorWithClusterBreakingPotential": True}))
    return listed
