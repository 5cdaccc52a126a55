"""The objects that the conversations are about: per kind a minimal one, a rich one, a change, and a status.

An entry has these members, all of them optional:
  minimal   what a create needs besides apiVersion, kind and metadata
  rich      an object with most of the kind's fields
  change    a merge patch that a stored minimal object accepts
  status    a merge patch of the status
  name      the name, if the kind restricts it; `{}` is replaced by a letter
  invalid   (words, members) of further objects that a server should refuse
  settled   the type of the status condition that kube-apiserver itself sets some time after a create
  create    True if the resource has only the verb create
"""
import base64

CONTAINER = {"name": "main", "image": "example.com/app:1"}
POD = {"containers": [CONTAINER]}
LABELS = {"app": "a"}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": POD}
SELECTOR = {"matchLabels": LABELS}
RICH_TEMPLATE = {"metadata": {"labels": {"app": "a", "tier": "front"}, "annotations": {"note": "n"}}, "spec": {
    "initContainers": [{"name": "init", "image": "example.com/init", "command": ["sh"]}],
    "containers": [{"name": "main", "image": "example.com/app:1", "ports": [{"containerPort": 8080, "name": "http"}],
                    "env": [{"name": "A", "value": "b"}],
                    "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"cpu": "1"}}}],
    "terminationGracePeriodSeconds": 10, "nodeSelector": {"disk": "fast"}}}
META_SELECTOR = {"matchLabels": {"app": "a"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["x", "y"]}]}
TIME = "2020-02-03T04:05:06Z"
MICRO = "2020-02-03T04:05:06.123456Z"
CSR_REQUEST = (
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIUk1Ia0NBUUF3RnpFVk1CTUdBMVVFQXd3TVkyOXVkbVZ5YzJGMGFXOXVNRmt3RXdZSEtv"
    "Wkl6ajBDQVFZSQpLb1pJemowREFRY0RRZ0FFbmhLdFM0S3pYQ0pxOW9nZG16TXhZeHNQQ1l1MzBNRnJ2WDZRQ1VRU1hCY3daUTBRCmVTQ3pCR3cwa1lMb1pG"
    "SERZbkFBYmRMN00yRHBkeVFvb0xUdHJLQUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUMKSURhSWhxZkJmOWtYRjV3UzlhWTh3enF3elFZK3RrSlFDMk9YMkNv"
    "TlhWTHVBaUVBdDJsMGhKOXdGV3RqUnNrbwpqY2cvUmR4Tmp4R1YzTW9sZitDVXZMRVZ2Vjg9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=")


def pem(body, block="CERTIFICATE", headers=""):
    """A PEM block with a body in base64."""
    lines = [body[i:i + 64] for i in range(0, len(body), 64)]
    return "-----BEGIN %s-----\n%s%s\n-----END %s-----\n" % (block, headers, "\n".join(lines), block)


# Certificates of two authorities, and of none.
AUTHORITY = (
    "MIIBlTCCATygAwIBAgIUdJfcG4T3GU4PARpkAcF1yj1TlPwwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOY29udmVyc2F0aW9uIGEwIBcNMjYxMTI3MjMwOTMz"
    "WhgPMjEyNjExMDMyMzA5MzNaMBkxFzAVBgNVBAMMDmNvbnZlcnNhdGlvbiBhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFXBU/qcTifnGSg7ih9BAGlH/"
    "Mr7eTyH4zIXw98wPP3pCIgcKLobyA5nDkBcdwuuOoWIk7KX1X9l42yIwLmSuhaNgMF4wHQYDVR0OBBYEFGl5Yzw0YI9DxIQBw8NlQSIUsKmAMB8GA1UdIwQY"
    "MBaAFGl5Yzw0YI9DxIQBw8NlQSIUsKmAMA8GA1UdEwEB/wQFMAMBAf8wCwYDVR0PBAQDAgIEMAoGCCqGSM49BAMCA0cAMEQCIHQwRqclvSGxgiTE+E30R5PO"
    "bW0WhAg7Xuzod5MOH6SKAiAV38rSSRRuA+fPmKol7Fb3p07YEn1M1tVSpFxaqhiOGA==")
OTHER_AUTHORITY = (
    "MIIBljCCATygAwIBAgIUfaAmrtCiTvr499PpeAbmSvJhGjIwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwOY29udmVyc2F0aW9uIGIwIBcNMjYxMTI3MjMwOTMz"
    "WhgPMjEyNjExMDMyMzA5MzNaMBkxFzAVBgNVBAMMDmNvbnZlcnNhdGlvbiBiMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPH/2Zpdl9ZgvnOsw05+uZNZX"
    "Z7FPf2klVvChKRtg+Sf0yhamlZX+JDKt+ASloWW0C5eZJylblh+xmAL90NWvIaNgMF4wHQYDVR0OBBYEFNJ9vbsNxeEVBfiPukvB7DW0TejBMB8GA1UdIwQY"
    "MBaAFNJ9vbsNxeEVBfiPukvB7DW0TejBMA8GA1UdEwEB/wQFMAMBAf8wCwYDVR0PBAQDAgIEMAoGCCqGSM49BAMCA0gAMEUCIQCM9JRfp6aPCXXMp/W1oemR"
    "Nz39t9uaN3QDwdFfJXUsQQIgHd+630as4R8lKI5PHeBzuQREJAfOxoAoXeVFn+yAovM=")
NO_AUTHORITY = (
    "MIIBczCCARigAwIBAgIUMEUEfJOfDHoKvLM6eZdQVuJAC7YwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMjcyMzA5MzNaGA8yMTI2MTEw"
    "MzIzMDkzM1owDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIuqwk9rke9oQ4SYSGQqLg0zsQ2C8z/T8Tvq1guxAZJiLceyMWhU"
    "23g1NyOpzU0yL5JX2aWqfmsjwqsiFMhfLj+jUDBOMB0GA1UdDgQWBBRHOpLZj8jlqXXK0yunCDU5Lm46UDAfBgNVHSMEGDAWgBRHOpLZj8jlqXXK0yunCDU5"
    "Lm46UDAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0kAMEYCIQCVtiKIFaSPM9e1PPAECTw3Z1pqeA7npV2yUOtzlg6edgIhAMSoYVFrpn6P/icKJxGWosrZ"
    "7Nv9kXD1yeNwmeMLeQUD")
# The signing request without its PEM block.
STUB_REQUEST = "".join(base64.b64decode(CSR_REQUEST).decode().splitlines()[1:-1])
POD_IDENTITY = {"podName": "p", "podUID": "1", "serviceAccountName": "s", "serviceAccountUID": "2", "nodeName": "n", "nodeUID": "3",
                "stubPKCS10Request": STUB_REQUEST}

RICH_POD = {
    "activeDeadlineSeconds": 600, "automountServiceAccountToken": False, "dnsPolicy": "None",
    "dnsConfig": {"nameservers": ["192.0.2.53"], "searches": ["example.com"], "options": [{"name": "ndots", "value": "2"}]},
    "hostAliases": [{"ip": "192.0.2.7", "hostnames": ["seven.example.com"]}], "hostname": "host", "subdomain": "sub",
    "enableServiceLinks": False, "imagePullSecrets": [{"name": "pull"}], 
    "nodeSelector": {"disk": "fast"}, "readinessGates": [{"conditionType": "example.com/gate"}], "restartPolicy": "OnFailure",
    "schedulerName": "mine", "serviceAccountName": "robot", "setHostnameAsFQDN": False, "shareProcessNamespace": True,
    "terminationGracePeriodSeconds": 5, "os": {"name": "linux"}, "schedulingGates": [{"name": "example.com/wait"}],
    "securityContext": {"fsGroup": 7, "runAsUser": 1000, "runAsGroup": 1000, "runAsNonRoot": True, "supplementalGroups": [5],
                        "fsGroupChangePolicy": "OnRootMismatch", "seccompProfile": {"type": "RuntimeDefault"},
                        "sysctls": [{"name": "net.core.somaxconn", "value": "1024"}]},
    "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute", "tolerationSeconds": 30}],
    "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule",
                                   "labelSelector": {"matchLabels": {"app": "a"}}, "minDomains": 2}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]},
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 5, "preference": {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}}]},
        "podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": {"matchLabels": {"app": "a"}}, "topologyKey": "host", "namespaces": ["other"]}]}},
    "initContainers": [{"name": "sidecar", "image": "example.com/s", "restartPolicy": "Always",
                        "readinessProbe": {"grpc": {"port": 9, "mode": "TLS"}}}],
    "evictionResponders": [{"name": "example.com/responder", "priority": 1}],
    "containers": [{
        "name": "main", "image": "example.com/app", "imagePullPolicy": "IfNotPresent", "command": ["run"], "args": ["-v"],
        "workingDir": "/work", "stdin": True, "tty": True, "terminationMessagePath": "/end", "terminationMessagePolicy": "File",
        "ports": [{"name": "http", "containerPort": 8080, "hostPort": 18080, "protocol": "TCP", "hostIP": "192.0.2.1"}],
        "env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
                {"name": "C", "valueFrom": {"configMapKeyRef": {"name": "cm", "key": "k", "optional": True}}},
                {"name": "D", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}},
                {"name": "E", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
        "envFrom": [{"prefix": "P_", "configMapRef": {"name": "cm"}}],
        "resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "500m", "memory": "0.5Gi"}},
        "volumeMounts": [{"name": "data", "mountPath": "/data", "subPath": "x", "bindMountOptions": ["noexec"]}, {"name": "cm", "mountPath": "/cm", "readOnly": True}],
        "volumeDevices": [{"name": "claim", "devicePath": "/dev/x"}],
        "livenessProbe": {"httpGet": {"path": "/live", "port": "http", "httpHeaders": [{"name": "H", "value": "v"}], "protocol": "HTTP2"},
                          "periodSeconds": 3},
        "readinessProbe": {"tcpSocket": {"port": 8080}, "initialDelaySeconds": 1, "timeoutSeconds": 2, "successThreshold": 2},
        "startupProbe": {"exec": {"command": ["true"]}, "failureThreshold": 9},
        "lifecycle": {"preStop": {"exec": {"command": ["stop"]}}, "postStart": {"httpGet": {"path": "/", "port": 80}}},
        "securityContext": {"privileged": False, "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                            "capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]}, "procMount": "Default"}}],
    "volumes": [{"name": "data", "emptyDir": {"sizeLimit": "1Gi", "medium": "Memory", "mode": 511}},
                {"name": "cm", "configMap": {"name": "cm", "items": [{"key": "k", "path": "p", "mode": 256, "user": 7}], "defaultMode": 420,
                                             "defaultUser": 8}},
                {"name": "secret", "secret": {"secretName": "s"}}, {"name": "host", "hostPath": {"path": "/x", "type": "Directory"}},
                {"name": "claim", "persistentVolumeClaim": {"claimName": "c"}},
                {"name": "down", "downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}},
                {"name": "all", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "audience": "a"}},
                                                          {"configMap": {"name": "cm"}}]}},
                {"name": "nfs", "nfs": {"server": "nfs.example.com", "path": "/"}},
                {"name": "csi", "csi": {"driver": "csi.example.com", "volumeAttributes": {"a": "b"}}},
                {"name": "own", "ephemeral": {"volumeClaimTemplate": {"spec": {
                    "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}}]}
POD_STATUS = {"phase": "Running", "podIP": "192.0.2.9", "podIPs": [{"ip": "192.0.2.9"}], "hostIP": "192.0.2.1", "startTime": TIME,
              "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": TIME}],
              "containerStatuses": [{"name": "main", "image": "example.com/app:1", "imageID": "", "ready": True, "restartCount": 3,
                                     "state": {"running": {"startedAt": TIME}}}]}
CONDITION = {"type": "Ready", "status": "True", "reason": "Because", "message": "it is so", "lastTransitionTime": TIME}
WEBHOOK = {"name": "hook.example.com", "admissionReviewVersions": ["v1"], "sideEffects": "None",
           "clientConfig": {"url": "https://hook.example.com/check"},
           "rules": [{"apiGroups": ["none.example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["nothings"]}]}
RICH_WEBHOOK = dict(WEBHOOK, failurePolicy="Ignore", matchPolicy="Exact", timeoutSeconds=3,
                    namespaceSelector=META_SELECTOR, objectSelector=META_SELECTOR,
                    matchConditions=[{"name": "c", "expression": "true"}],
                    clientConfig={"service": {"namespace": "default", "name": "hook", "path": "/x", "port": 8443}})
RULES = {"resourceRules": [{"apiGroups": ["none.example.com"], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"],
                            "resources": ["nothings"], "scope": "Namespaced"}]}
RBAC_RULES = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}]
RICH_RBAC = RBAC_RULES + [{"apiGroups": ["apps"], "resources": ["deployments"], "resourceNames": ["a"], "verbs": ["*"]}]
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
DEVICES = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c.example.com"}}]}}
RICH_DEVICES = {"devices": {
    "requests": [{"name": "r", "exactly": {"deviceClassName": "c.example.com", "count": 2, "allocationMode": "ExactCount",
                                           "selectors": [{"cel": {"expression": "device.driver == 'd.example.com'"}}]}},
                 {"name": "either", "firstAvailable": [{"name": "one", "deviceClassName": "c.example.com"}]}],
    "constraints": [{"requests": ["r"], "matchAttribute": "d.example.com/model"}],
    "config": [{"requests": ["r"], "opaque": {"driver": "d.example.com", "parameters": {"a": 1}}}]}}
SCHEMA = {"openAPIV3Schema": {"type": "object", "properties": {
    "spec": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1, "default": 3}, "colour": {"type": "string"}},
             "required": ["colour"]},
    "status": {"type": "object", "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}}}}}}
HPA_TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
REVIEW_SPEC = {"resourceAttributes": {"namespace": "default", "verb": "get", "resource": "pods"}}


def crd(plural, kind, **more):
    """The spec of a CustomResourceDefinition."""
    spec = {"group": "conversation.example.com", "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": SCHEMA}]}
    spec.update(more)
    return {"spec": spec}


def workload(**more):
    """The members of a kind with a selector and a template."""
    return {"spec": dict({"selector": SELECTOR, "template": TEMPLATE}, **more)}


OBJECTS = {
    "v1/bindings": {"create": True, "minimal": {"target": {"kind": "Node", "name": "n"}},
                    "rich": {"target": {"apiVersion": "v1", "kind": "Node", "name": "n"}}},
    "v1/configmaps": {"minimal": {"data": {"a": "1"}}, "rich": {"data": {"a": "1", "b.txt": "2"}, "binaryData": {"c": "AAEC"}, "immutable": True},
                      "change": {"data": {"z": "9"}}, "invalid": [("a key twice", {"data": {"a": "1"}, "binaryData": {"a": "AA=="}})]},
    "v1/endpoints": {"minimal": {"subsets": []}, "change": {"subsets": [{"addresses": [{"ip": "192.0.2.4"}], "ports": [{"port": 1}]}]},
                     "rich": {"subsets": [{"addresses": [{"ip": "192.0.2.2", "hostname": "h", "nodeName": "n",
                                                          "targetRef": {"kind": "Pod", "name": "p", "namespace": "x"}}],
                                           "notReadyAddresses": [{"ip": "192.0.2.3"}],
                                           "ports": [{"name": "http", "port": 80, "protocol": "TCP", "appProtocol": "http"}]}]}},
    "v1/events": {"minimal": {"involvedObject": {"kind": "Pod", "name": "p", "namespace": "{namespace}"}},
                  "rich": {"involvedObject": {"apiVersion": "v1", "kind": "Pod", "name": "p", "namespace": "{namespace}", "fieldPath": "spec"},
                           "reason": "Started", "message": "it started", "type": "Normal", "count": 2, "firstTimestamp": TIME,
                           "lastTimestamp": TIME, "source": {"component": "kubelet", "host": "n"}, "eventTime": MICRO,
                           "reportingComponent": "example.com/kubelet", "reportingInstance": "n", "action": "Start",
                           "series": {"count": 3, "lastObservedTime": MICRO}},
                  "change": {"message": "changed"}},
    "v1/limitranges": {"minimal": {"spec": {"limits": [{"type": "Container", "max": {"cpu": "2"}}]}},
                       "rich": {"spec": {"limits": [
                           {"type": "Container", "max": {"cpu": "2"}, "min": {"cpu": "1m"}, "default": {"cpu": "1"},
                            "defaultRequest": {"cpu": "100m"}, "maxLimitRequestRatio": {"cpu": "10"}},
                           {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}}]}},
                       "change": {"spec": {"limits": [{"type": "Pod", "max": {"memory": "1Gi"}}]}}},
    "v1/namespaces": {"minimal": {}, "rich": {"spec": {"finalizers": ["kubernetes"]}}, "change": {"metadata": {"labels": {"x": "y"}}},
                      "status": {"conditions": [CONDITION]}},
    "v1/nodes": {"minimal": {}, "rich": {"spec": {"podCIDR": "10.1.0.0/24", "podCIDRs": ["10.1.0.0/24"], "providerID": "p://1", "unschedulable": True,
                                                  "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]},
                                         "status": {"capacity": {"cpu": "4", "memory": "8Gi", "pods": "110"}, "allocatable": {"cpu": "4"},
                                                    "addresses": [{"type": "InternalIP", "address": "192.0.2.1"}],
                                                    "nodeInfo": {"kubeletVersion": "v1.36.3"}}},
                 "change": {"spec": {"unschedulable": True}},
                 "status": {"conditions": [{"type": "Ready", "status": "True", "reason": "Ok", "lastTransitionTime": TIME,
                                            "lastHeartbeatTime": TIME}],
                            "capacity": {"cpu": "4"}, "addresses": [{"type": "Hostname", "address": "n"}]}},
    "v1/persistentvolumeclaims": {"minimal": {"spec": CLAIM},
                                  "rich": {"spec": {"accessModes": ["ReadWriteOnce", "ReadOnlyMany"], "storageClassName": "fast",
                                                    "volumeMode": "Block", "selector": META_SELECTOR,
                                                    "resources": {"requests": {"storage": "1Gi"}, "limits": {"storage": "2Gi"}},
                                                    "dataSource": {"kind": "PersistentVolumeClaim", "name": "other"},
                                                    "volumeAttributesClassName": "gold"}},
                                  "change": {"metadata": {"labels": {"x": "y"}}},
                                  "status": {"phase": "Bound", "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
                                             "conditions": [{"type": "Resizing", "status": "True"}]}},
    "v1/persistentvolumes": {"minimal": {"spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                                                  "hostPath": {"path": "/x"}}},
                             "rich": {"spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "fast",
                                               "persistentVolumeReclaimPolicy": "Delete", "mountOptions": ["ro"], "volumeMode": "Filesystem",
                                               "claimRef": {"namespace": "default", "name": "c", "kind": "PersistentVolumeClaim"},
                                               "nodeAffinity": {"required": {"nodeSelectorTerms": [
                                                   {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}},
                                               "csi": {"driver": "d.example.com", "volumeHandle": "h", "fsType": "ext4"}}},
                             "change": {"spec": {"persistentVolumeReclaimPolicy": "Delete"}}, "status": {"phase": "Available"}},
    "v1/pods": {"minimal": {"spec": POD}, "rich": {"spec": RICH_POD}, "change": {"spec": {"activeDeadlineSeconds": 100}}, "status": POD_STATUS,
                "invalid": [("two containers of one name", {"spec": {"containers": [CONTAINER, CONTAINER]}}),
                            ("a mount without volume", {"spec": {"containers": [dict(CONTAINER, volumeMounts=[
                                {"name": "none", "mountPath": "/x"}])]}})]},
    "v1/podtemplates": {"minimal": {"template": TEMPLATE}, "rich": {"template": RICH_TEMPLATE},
                        "change": {"template": {"metadata": {"labels": {"x": "y"}}}}},
    "v1/replicationcontrollers": {"minimal": {"spec": {"template": TEMPLATE}},
                                  "rich": {"spec": {"replicas": 2, "minReadySeconds": 3, "selector": LABELS, "template": RICH_TEMPLATE}},
                                  "change": {"spec": {"replicas": 3}}, "status": {"replicas": 1, "readyReplicas": 1, "observedGeneration": 1}},
    "v1/resourcequotas": {"minimal": {"spec": {"hard": {"pods": "3"}}},
                          "rich": {"spec": {"hard": {"pods": "3", "requests.cpu": "2"},
                                            "scopes": ["NotTerminating"],
                                            "scopeSelector": {"matchExpressions": [
                                                {"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]}}},
                          "change": {"spec": {"hard": {"pods": "5", "count/configmaps": "9", "services.nodeports": "1"}}},
                          "status": {"hard": {"pods": "3"}, "used": {"pods": "1"}}},
    "v1/secrets": {"minimal": {"data": {"a": "MQ=="}}, "rich": {"type": "kubernetes.io/basic-auth", "data": {"username": "dQ=="},
                                                                "stringData": {"password": "p"}, "immutable": False},
                   "change": {"stringData": {"z": "9"}},
                   "invalid": [("of TLS without certificate", {"type": "kubernetes.io/tls", "data": {"tls.key": ""}}),
                               ("of docker with a bad file", {"type": "kubernetes.io/dockerconfigjson", "data": {".dockerconfigjson": "eA=="}}),
                               ("of a token without account", {"type": "kubernetes.io/service-account-token"})]},
    "v1/serviceaccounts": {"minimal": {}, "rich": {"secrets": [{"name": "s"}], "imagePullSecrets": [{"name": "p"}],
                                                   "automountServiceAccountToken": False}, "change": {"automountServiceAccountToken": True}},
    "v1/services": {"minimal": {"spec": {"ports": [{"port": 80}]}},
                    "rich": {"spec": {"type": "LoadBalancer", "selector": {"app": "a"}, "sessionAffinity": "ClientIP",
                                      "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}}, "externalTrafficPolicy": "Local",
                                      "internalTrafficPolicy": "Local", "loadBalancerSourceRanges": ["192.0.2.0/24"], "externalIPs": ["192.0.2.8"],
                                      "ipFamilyPolicy": "PreferDualStack", "publishNotReadyAddresses": True, "loadBalancerClass": "example.com/lb",
                                      "allocateLoadBalancerNodePorts": True, "trafficDistribution": "PreferClose",
                                      "ports": [{"name": "http", "port": 80, "targetPort": "web", "appProtocol": "http"},
                                                {"name": "dns", "port": 53, "protocol": "UDP"}]}},
                    "change": {"spec": {"selector": {"x": "y"}}}, "status": {"conditions": [CONDITION], "loadBalancer": {}},
                    "invalid": [("of an external name without it", {"spec": {"type": "ExternalName"}}),
                                ("headless of type NodePort", {"spec": {"type": "NodePort", "clusterIP": "None", "ports": [{"port": 1}]}})]},
    "admissionregistration.k8s.io/v1/mutatingadmissionpolicies": {
        "minimal": {"spec": {"matchConstraints": RULES, "reinvocationPolicy": "Never", "mutations": [
            {"patchType": "JSONPatch", "jsonPatch": {"expression": "[JSONPatch{op: 'test', path: '/kind', value: 'x'}]"}}]}},
        "rich": {"spec": {"failurePolicy": "Ignore", "matchConstraints": RULES, "reinvocationPolicy": "IfNeeded",
                          "matchConditions": [{"name": "c", "expression": "true"}], "variables": [{"name": "v", "expression": "1"}],
                          "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
                          "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}]}},
        "change": {"spec": {"failurePolicy": "Ignore"}}},
    "admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings": {
        "minimal": {"spec": {"policyName": "p.example.com"}},
        "rich": {"spec": {"policyName": "p.example.com", "paramRef": {"name": "n", "namespace": "x", "parameterNotFoundAction": "Deny"},
                          "matchResources": {"namespaceSelector": META_SELECTOR}}},
        "change": {"spec": {"policyName": "q.example.com"}}},
    "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations": {
        "minimal": {"webhooks": [WEBHOOK]}, "rich": {"webhooks": [dict(RICH_WEBHOOK, reinvocationPolicy="IfNeeded")]},
        "change": {"metadata": {"labels": {"x": "y"}}}},
    "admissionregistration.k8s.io/v1/validatingadmissionpolicies": {
        "minimal": {"spec": {"matchConstraints": RULES, "validations": [{"expression": "true"}]}},
        "rich": {"spec": {"failurePolicy": "Ignore", "matchConstraints": RULES, "matchConditions": [{"name": "c", "expression": "true"}],
                          "validations": [{"expression": "object.spec.x > 1", "message": "too small", "reason": "Forbidden"}],
                          "auditAnnotations": [{"key": "k", "valueExpression": "'v'"}], "variables": [{"name": "v", "expression": "1"}],
                          "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}},
        "change": {"spec": {"failurePolicy": "Ignore"}}, "status": {"observedGeneration": 1, "conditions": [CONDITION]}},
    "admissionregistration.k8s.io/v1/validatingadmissionpolicybindings": {
        "minimal": {"spec": {"policyName": "p.example.com", "validationActions": ["Deny"]}},
        "rich": {"spec": {"policyName": "p.example.com", "validationActions": ["Warn", "Audit"],
                          "paramRef": {"selector": {"matchLabels": {"a": "b"}}, "parameterNotFoundAction": "Allow"},
                          "matchResources": dict(RULES, matchPolicy="Exact", objectSelector=META_SELECTOR)}},
        "change": {"spec": {"policyName": "q.example.com"}}},
    "admissionregistration.k8s.io/v1/validatingwebhookconfigurations": {
        "minimal": {"webhooks": [WEBHOOK]}, "rich": {"webhooks": [RICH_WEBHOOK]}, "change": {"metadata": {"labels": {"x": "y"}}}},
    "apiextensions.k8s.io/v1/customresourcedefinitions": {
        "name": "{}s.conversation.example.com", "letters": True, "settled": "Established",
        "minimal": lambda letter: crd(letter + "s", letter.upper()),
        "rich": lambda letter: crd(letter + "s", letter.upper(), scope="Cluster", conversion={"strategy": "None"}, versions=[
            {"name": "v1", "served": True, "storage": True, "schema": SCHEMA, "subresources": {"status": {}, "scale": {
                "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector"}},
             "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size", "priority": 1, "description": "d",
                                           "format": "int32"}],
             "selectableFields": [{"jsonPath": ".spec.colour"}]},
            {"name": "v1beta1", "served": True, "storage": False, "deprecated": True, "deprecationWarning": "use v1",
             "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}],
            names={"plural": letter + "s", "singular": letter, "kind": letter.upper(), "listKind": letter.upper() + "List",
                   "shortNames": [letter + "x"], "categories": ["all"]}),
        "change": {"spec": {"names": {"shortNames": ["changed"]}}}, "status": {"storedVersions": ["v1"]}},
    "apiregistration.k8s.io/v1/apiservices": {
        "name": "v1.{}.conversation.example.com", "letters": True, "settled": "Available",
        "minimal": lambda letter: {"spec": {"group": letter + ".conversation.example.com", "version": "v1", "groupPriorityMinimum": 100,
                                            "versionPriority": 10}},
        "rich": lambda letter: {"spec": {"group": letter + ".conversation.example.com", "version": "v1", "groupPriorityMinimum": 100,
                                         "versionPriority": 10, "insecureSkipTLSVerify": True,
                                         "service": {"namespace": "default", "name": "none", "port": 8443}}},
        "change": {"spec": {"versionPriority": 20}}, "status": {"conditions": [CONDITION]}},
    "apps/v1/controllerrevisions": {"minimal": {"revision": 1, "data": {}}, "rich": {"revision": 2, "data": {"spec": {"a": [1, {"b": None}]}}},
                                    "change": {"revision": 3}},
    "apps/v1/daemonsets": {"minimal": workload(),
                           "rich": workload(template=RICH_TEMPLATE, minReadySeconds=3, revisionHistoryLimit=2,
                                            updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "20%", "maxSurge": 0}}),
                           "change": {"spec": {"minReadySeconds": 9}},
                           "status": {"currentNumberScheduled": 1, "desiredNumberScheduled": 2, "numberReady": 1, "observedGeneration": 1,
                                      "numberMisscheduled": 0, "conditions": [CONDITION]}},
    "apps/v1/deployments": {"minimal": workload(),
                            "rich": workload(template=RICH_TEMPLATE, replicas=3, minReadySeconds=3, revisionHistoryLimit=2, paused=True,
                                             progressDeadlineSeconds=60,
                                             strategy={"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "20%", "maxSurge": 2}}),
                            "change": {"spec": {"replicas": 4}},
                            "status": {"replicas": 3, "readyReplicas": 2, "availableReplicas": 1, "updatedReplicas": 3, "observedGeneration": 1,
                                       "conditions": [CONDITION]}},
    "apps/v1/replicasets": {"minimal": workload(), "rich": workload(template=RICH_TEMPLATE, replicas=3, minReadySeconds=3),
                            "change": {"spec": {"replicas": 4}},
                            "status": {"replicas": 3, "readyReplicas": 2, "availableReplicas": 1, "fullyLabeledReplicas": 1,
                                       "observedGeneration": 1, "conditions": [CONDITION]}},
    "apps/v1/statefulsets": {"minimal": workload(serviceName="s"),
                             "rich": workload(template=RICH_TEMPLATE, replicas=3, minReadySeconds=3, serviceName="s", revisionHistoryLimit=2,
                                              podManagementPolicy="Parallel", ordinals={"start": 2},
                                              persistentVolumeClaimRetentionPolicy={"whenDeleted": "Delete", "whenScaled": "Retain"},
                                              updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": 1}},
                                              volumeClaimTemplates=[{"metadata": {"name": "data"}, "spec": CLAIM}]),
                             "change": {"spec": {"replicas": 4}},
                             "status": {"replicas": 3, "readyReplicas": 2, "currentReplicas": 1, "observedGeneration": 1, "currentRevision": "r",
                                        "conditions": [CONDITION]}},
    "authentication.k8s.io/v1/selfsubjectreviews": {"create": True, "minimal": {}},
    "authentication.k8s.io/v1/tokenreviews": {"create": True, "minimal": {"spec": {"token": "none"}},
                                              "rich": {"spec": {"token": "none", "audiences": ["a"]}}},
    "authorization.k8s.io/v1/localsubjectaccessreviews": {
        "create": True, "minimal": {"spec": {"user": "u", "resourceAttributes": {"namespace": "{namespace}", "verb": "get", "resource": "pods"}}},
        "rich": {"spec": {"user": "u", "groups": ["system:masters"], "resourceAttributes": {
            "namespace": "{namespace}", "verb": "get", "resource": "pods", "group": "", "version": "v1", "name": "n", "subresource": "log"}}}},
    "authorization.k8s.io/v1/selfsubjectaccessreviews": {
        "create": True, "minimal": {"spec": REVIEW_SPEC}, "rich": {"spec": {"nonResourceAttributes": {"path": "/x", "verb": "get"}}}},
    "authorization.k8s.io/v1/selfsubjectrulesreviews": {"create": True, "minimal": {"spec": {"namespace": "default"}}},
    "authorization.k8s.io/v1/subjectaccessreviews": {
        "create": True, "minimal": {"spec": dict(REVIEW_SPEC, user="u")},
        "rich": {"spec": dict(REVIEW_SPEC, user="u", groups=["system:masters"], uid="1", extra={"scopes": ["a"]})}},
    "autoscaling/v1/horizontalpodautoscalers": {
        "minimal": {"spec": {"scaleTargetRef": HPA_TARGET, "maxReplicas": 3}},
        "rich": {"spec": {"scaleTargetRef": HPA_TARGET, "maxReplicas": 5, "minReplicas": 2, "targetCPUUtilizationPercentage": 70}},
        "change": {"spec": {"maxReplicas": 7}}, "status": {"currentReplicas": 1, "desiredReplicas": 2, "currentCPUUtilizationPercentage": 50}},
    "autoscaling/v2/horizontalpodautoscalers": {
        "minimal": {"spec": {"scaleTargetRef": HPA_TARGET, "maxReplicas": 3}},
        "rich": {"spec": {"scaleTargetRef": HPA_TARGET, "maxReplicas": 5, "minReplicas": 2,
                          "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}},
                                      {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "5"}}},
                                      {"type": "External", "external": {"metric": {"name": "q", "selector": META_SELECTOR},
                                                                        "target": {"type": "Value", "value": "30"}}},
                                      {"type": "Object", "object": {"describedObject": {"apiVersion": "v1", "kind": "Service", "name": "s"},
                                                                    "metric": {"name": "o"}, "target": {"type": "Value", "value": "1k"}}},
                                      {"type": "ContainerResource", "containerResource": {
                                          "name": "memory", "container": "main", "target": {"type": "AverageValue", "averageValue": "1Gi"}}}],
                          "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60, "selectPolicy": "Min", "policies": [
                              {"type": "Pods", "value": 1, "periodSeconds": 30}]}, "scaleUp": {"tolerance": "0.1"}}}},
        "change": {"spec": {"maxReplicas": 7}},
        "status": {"currentReplicas": 1, "desiredReplicas": 2, "conditions": [dict(CONDITION, type="AbleToScale")], "currentMetrics": [
            {"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": 50, "averageValue": "1"}}}]}},
    "batch/v1/cronjobs": {
        "minimal": {"spec": {"schedule": "*/5 * * * *", "jobTemplate": {"spec": {"template": {"spec": dict(POD, restartPolicy="Never")}}}}},
        "rich": {"spec": {"schedule": "@hourly", "timeZone": "Europe/Berlin", "startingDeadlineSeconds": 30, "concurrencyPolicy": "Forbid",
                          "suspend": True, "successfulJobsHistoryLimit": 1, "failedJobsHistoryLimit": 2,
                          "jobTemplate": {"metadata": {"labels": LABELS}, "spec": {
                              "backoffLimit": 2, "template": {"spec": dict(POD, restartPolicy="OnFailure")}}}}},
        "change": {"spec": {"suspend": True}},
        "status": {"lastScheduleTime": TIME, "lastSuccessfulTime": TIME, "active": [{"kind": "Job", "name": "j"}]},
        "invalid": [("with a zone in the schedule", {"spec": {"schedule": "TZ=UTC 0 * * * *", "jobTemplate": {
            "spec": {"template": {"spec": dict(POD, restartPolicy="Never")}}}}})]},
    "batch/v1/jobs": {
        "minimal": {"spec": {"template": {"spec": dict(POD, restartPolicy="Never")}}},
        "rich": {"spec": {"parallelism": 2, "completions": 3, "activeDeadlineSeconds": 60, "backoffLimit": 1, "ttlSecondsAfterFinished": 100,
                          "completionMode": "Indexed", "suspend": True, "podReplacementPolicy": "Failed", "backoffLimitPerIndex": 1,
                          "maxFailedIndexes": 2, "managedBy": "example.com/me",
                          "successPolicy": {"rules": [{"succeededIndexes": "0-1", "succeededCount": 1}]},
                          "podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [
                              {"type": "DisruptionTarget", "status": "True"}]}, {"action": "FailJob", "onExitCodes": {
                                  "containerName": "main", "operator": "In", "values": [1, 2]}}]},
                          "template": {"metadata": {"labels": LABELS}, "spec": dict(POD, restartPolicy="Never")}}},
        "change": {"spec": {"parallelism": 2}},
        "status": {"active": 1, "ready": 1, "startTime": TIME, "uncountedTerminatedPods": {"succeeded": ["u"]}},
        "invalid": [("that restarts always", {"spec": {"template": {"spec": POD}}})]},
    "certificates.k8s.io/v1/certificatesigningrequests": {
        "minimal": {"spec": {"request": CSR_REQUEST, "signerName": "example.com/signer", "usages": ["client auth"]}},
        "rich": {"spec": {"request": CSR_REQUEST, "signerName": "kubernetes.io/kube-apiserver-client", "expirationSeconds": 3600,
                          "usages": ["client auth", "digital signature"], "username": "other"}},
        "change": {"metadata": {"labels": {"x": "y"}}}, "status": {"conditions": [dict(CONDITION, type="Failed")]}},
    "certificates.k8s.io/v1/clustertrustbundles": {
        "name": "example.com:signer:bundle-{}",
        "minimal": {"spec": {"signerName": "example.com/signer", "trustBundle": pem(AUTHORITY)}},
        "rich": {"spec": {"signerName": "example.com/signer", "trustBundle": "# two\n" + pem(AUTHORITY) + pem(OTHER_AUTHORITY)}},
        "change": {"spec": {"trustBundle": pem(OTHER_AUTHORITY)}},
        "invalid": [("without a signer", {"metadata": {"name": "plain"}, "spec": {"signerName": None}}),
                    ("with a name of another signer", {"metadata": {"name": "example.com:other:bundle"}}),
                    ("with an authority twice", {"spec": {"trustBundle": pem(AUTHORITY) + pem(OTHER_AUTHORITY) + pem(AUTHORITY)}}),
                    ("with a certificate of no authority", {"spec": {"trustBundle": pem(AUTHORITY) + pem(NO_AUTHORITY)}}),
                    ("with a key", {"spec": {"trustBundle": pem(AUTHORITY, "PRIVATE KEY")}}),
                    ("with headers", {"spec": {"trustBundle": pem(AUTHORITY, headers="Name: value\n\n")}}),
                    ("with no certificate in a block", {"spec": {"trustBundle": pem("AAAA")}})]},
    "certificates.k8s.io/v1/podcertificaterequests": {
        "minimal": {"spec": dict(POD_IDENTITY, signerName="example.com/signer")},
        "rich": {"spec": dict(POD_IDENTITY, signerName="kubernetes.io/kube-apiserver-client-pod", maxExpirationSeconds=3600,
                              unverifiedUserAnnotations={"example.com/a": "b"})},
        "change": {"metadata": {"labels": {"x": "y"}}}, "status": {"conditions": [dict(CONDITION, type="Denied")]},
        "invalid": [("for too long", {"spec": {"maxExpirationSeconds": 8000000}}),
                    ("for too long at Kubernetes' own signer", {"spec": {"signerName": "kubernetes.io/x", "maxExpirationSeconds": 90000}}),
                    ("with no request", {"spec": {"stubPKCS10Request": "AAAA"}}),
                    ("with a long UID", {"spec": {"podUID": "1" * 129}}),
                    ("with an annotation without a domain", {"spec": {"unverifiedUserAnnotations": {"a": "b"}}})]},
    "coordination.k8s.io/v1/leases": {"minimal": {"spec": {}},
                                      "rich": {"spec": {"holderIdentity": "me", "leaseDurationSeconds": 15, "acquireTime": MICRO, "renewTime": MICRO,
                                                        "leaseTransitions": 2, "strategy": "OldestEmulationVersion", "preferredHolder": "you"}},
                                      "change": {"spec": {"holderIdentity": "other"}}},
    "discovery.k8s.io/v1/endpointslices": {
        "minimal": {"addressType": "IPv4", "endpoints": []},
        "rich": {"addressType": "IPv4", "ports": [{"name": "http", "port": 80, "protocol": "TCP", "appProtocol": "http"}],
                 "endpoints": [{"addresses": ["192.0.2.5"], "conditions": {"ready": True, "serving": True, "terminating": False}, "hostname": "h",
                                "nodeName": "n", "zone": "z", "hints": {"forZones": [{"name": "z"}], "forNodes": [{"name": "n"}]},
                                "targetRef": {"kind": "Pod", "name": "p", "namespace": "x"}, "deprecatedTopology": {"a": "b"}}]},
        "change": {"endpoints": [{"addresses": ["192.0.2.6"]}]}},
    "events.k8s.io/v1/events": {
        "minimal": {"eventTime": MICRO, "reportingController": "example.com/c", "reportingInstance": "i", "action": "Do", "reason": "Why",
                    "type": "Normal", "regarding": {"kind": "Pod", "name": "p", "namespace": "{namespace}"}},
        "rich": {"eventTime": MICRO, "reportingController": "example.com/c", "reportingInstance": "i", "action": "Do", "reason": "Why",
                 "type": "Warning", "note": "a note", "regarding": {"apiVersion": "v1", "kind": "Pod", "name": "p", "namespace": "{namespace}"},
                 "related": {"kind": "Node", "name": "n"}, "series": {"count": 2, "lastObservedTime": MICRO}},
        "change": {"series": {"count": 3, "lastObservedTime": MICRO}},
        "invalid": [("with old times", {"eventTime": MICRO, "reportingController": "example.com/c", "reportingInstance": "i", "action": "Do",
                                        "reason": "Why", "type": "Normal", "deprecatedCount": 3, "deprecatedFirstTimestamp": TIME,
                                        "regarding": {"kind": "Pod", "name": "p", "namespace": "{namespace}"}})]},
    "flowcontrol.apiserver.k8s.io/v1/flowschemas": {
        "settled": "Dangling", "minimal": {"spec": {"priorityLevelConfiguration": {"name": "global-default"}}},
        "rich": {"spec": {"priorityLevelConfiguration": {"name": "none"}, "matchingPrecedence": 9000, "distinguisherMethod": {"type": "ByUser"},
                          "rules": [{"subjects": [{"kind": "User", "user": {"name": "nobody"}}, {"kind": "Group", "group": {"name": "g"}},
                                                  {"kind": "ServiceAccount", "serviceAccount": {"namespace": "n", "name": "s"}}],
                                     "resourceRules": [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"], "namespaces": ["none"]}],
                                     "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/none"]}]}]}},
        "change": {"spec": {"matchingPrecedence": 8000}}, "status": {"conditions": [dict(CONDITION, type="Other")]}},
    "flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations": {
        "minimal": {"spec": {"type": "Limited", "limited": {"nominalConcurrencyShares": 1, "limitResponse": {"type": "Reject"}}}},
        "rich": {"spec": {"type": "Limited", "limited": {"nominalConcurrencyShares": 2, "lendablePercent": 10, "borrowingLimitPercent": 20,
                                                         "limitResponse": {"type": "Queue", "queuing": {
                                                             "queues": 4, "handSize": 2, "queueLengthLimit": 5}}}}},
        "change": {"spec": {"limited": {"nominalConcurrencyShares": 3}}}, "status": {"conditions": [dict(CONDITION, type="Other")]}},
    "networking.k8s.io/v1/ingressclasses": {"minimal": {"spec": {"controller": "example.com/c"}},
                                            "rich": {"spec": {"controller": "example.com/c", "parameters": {
                                                "apiGroup": "example.com", "kind": "P", "name": "p", "scope": "Namespace", "namespace": "x"}}},
                                            "change": {"metadata": {"labels": {"x": "y"}}}},
    "networking.k8s.io/v1/ingresses": {
        "minimal": {"spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}},
        "rich": {"spec": {"ingressClassName": "c", "tls": [{"hosts": ["a.example.com"], "secretName": "t"}],
                          "defaultBackend": {"resource": {"apiGroup": "example.com", "kind": "B", "name": "b"}},
                          "rules": [{"host": "*.example.com", "http": {"paths": [
                              {"path": "/x", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"name": "http"}}}},
                              {"path": "/y", "pathType": "Exact", "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}]}},
        "change": {"spec": {"ingressClassName": "other"}},
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.30", "ports": [{"port": 80, "protocol": "TCP"}]}, {"hostname": "h.example.com"}]}}},
    "networking.k8s.io/v1/ipaddresses": {
        "names": ["198.51.100.1", "198.51.100.2", "198.51.100.3", "198.51.100.4", "198.51.100.5", "198.51.100.6"],
        "minimal": {"spec": {"parentRef": {"resource": "services", "namespace": "x", "name": "s"}}},
        "rich": {"spec": {"parentRef": {"group": "example.com", "resource": "things", "namespace": "x", "name": "s"}}},
        "change": {"metadata": {"labels": {"x": "y"}}}},
    "networking.k8s.io/v1/networkpolicies": {
        "minimal": {"spec": {"podSelector": {}}},
        "rich": {"spec": {"podSelector": META_SELECTOR, "policyTypes": ["Ingress", "Egress"],
                          "ingress": [{"ports": [{"protocol": "TCP", "port": 80, "endPort": 90}, {"port": "http"}],
                                       "from": [{"podSelector": {"matchLabels": {"a": "b"}}, "namespaceSelector": {}},
                                                {"ipBlock": {"cidr": "192.0.2.0/24", "except": ["192.0.2.128/25"]}}]}],
                          "egress": [{"to": [{"ipBlock": {"cidr": "2001:db8::/32"}}]}]}},
        "change": {"spec": {"podSelector": {"matchLabels": {"x": "y"}}}}},
    "networking.k8s.io/v1/servicecidrs": {"settled": "Ready", "minimal": {"spec": {"cidrs": ["198.51.100.0/28"]}},
                                          "rich": {"spec": {"cidrs": ["198.51.100.16/28", "2001:db8:1::/112"]}},
                                          "change": {"metadata": {"labels": {"x": "y"}}}, "status": {"conditions": [dict(CONDITION, type="Other")]}},
    "node.k8s.io/v1/runtimeclasses": {"minimal": {"handler": "h"},
                                      "rich": {"handler": "h", "overhead": {"podFixed": {"cpu": "10m", "memory": "1Mi"}},
                                               "scheduling": {"nodeSelector": {"a": "b"}, "tolerations": [{"key": "k", "operator": "Exists"}]}},
                                      "change": {"metadata": {"labels": {"x": "y"}}}},
    "policy/v1/poddisruptionbudgets": {"minimal": {"spec": {"minAvailable": 1, "selector": SELECTOR}},
                                       "rich": {"spec": {"maxUnavailable": "20%", "selector": META_SELECTOR, "unhealthyPodEvictionPolicy": "AlwaysAllow"}},
                                       "change": {"spec": {"minAvailable": 2}},
                                       "status": {"disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1, "expectedPods": 2,
                                                  "observedGeneration": 1, "disruptedPods": {"p": TIME}, "conditions": [CONDITION]},
                                       "invalid": [("with both bounds", {"spec": {"minAvailable": 1, "maxUnavailable": 1, "selector": SELECTOR}})]},
    "rbac.authorization.k8s.io/v1/clusterrolebindings": {
        "minimal": {"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}},
        "rich": {"roleRef": {"kind": "ClusterRole", "name": "view", "apiGroup": "rbac.authorization.k8s.io"},
                 "subjects": [{"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "namespace": "n", "name": "s"},
                              {"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "g"}]},
        "change": {"subjects": [{"kind": "User", "name": "v"}]}},
    "rbac.authorization.k8s.io/v1/clusterroles": {
        "minimal": {"rules": RBAC_RULES},
        "rich": {"rules": RICH_RBAC + [{"nonResourceURLs": ["/x", "/y/*"], "verbs": ["get"]}],
                 "aggregationRule": {"clusterRoleSelectors": [META_SELECTOR]}},
        "change": {"rules": RICH_RBAC}},
    "rbac.authorization.k8s.io/v1/rolebindings": {
        "minimal": {"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}},
        "rich": {"roleRef": {"kind": "Role", "name": "r", "apiGroup": "rbac.authorization.k8s.io"},
                 "subjects": [{"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "name": "s", "namespace": "n"}]},
        "change": {"subjects": [{"kind": "User", "name": "v"}]}},
    "rbac.authorization.k8s.io/v1/roles": {"minimal": {"rules": RBAC_RULES}, "rich": {"rules": RICH_RBAC}, "change": {"rules": RICH_RBAC}},
    "resource.k8s.io/v1/deviceclasses": {
        "minimal": {"spec": {}},
        "rich": {"spec": {"selectors": [{"cel": {"expression": "device.driver == 'd.example.com'"}}], "extendedResourceName": "example.com/gpu",
                          "config": [{"opaque": {"driver": "d.example.com", "parameters": {"a": 1}}}]}},
        "change": {"spec": {"selectors": [{"cel": {"expression": "true"}}]}}},
    "resource.k8s.io/v1/devicetaintrules": {
        "minimal": {"spec": {"taint": {"key": "example.com/k", "effect": "NoSchedule"}}},
        "rich": {"spec": {"deviceSelector": {"driver": "d.example.com", "pool": "p", "device": "d"},
                          "taint": {"key": "example.com/k", "value": "v", "effect": "NoExecute", "timeAdded": TIME}}},
        "change": {"spec": {"taint": {"value": "w"}}}, "status": {"conditions": [CONDITION]}},
    "resource.k8s.io/v1/resourceclaims": {
        "minimal": {"spec": DEVICES}, "rich": {"spec": RICH_DEVICES}, "change": {"metadata": {"labels": {"x": "y"}}},
        "status": {"allocation": {"devices": {"results": [{"request": "r", "driver": "d.example.com", "pool": "p", "device": "d"}]}},
                   "reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}},
    "resource.k8s.io/v1/resourceclaimtemplates": {
        "minimal": {"spec": {"spec": DEVICES}}, "rich": {"spec": {"metadata": {"labels": {"a": "b"}}, "spec": RICH_DEVICES}},
        "change": {"metadata": {"labels": {"x": "y"}}}},
    "resource.k8s.io/v1/resourceslices": {
        "minimal": {"spec": {"driver": "d.example.com", "nodeName": "n", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}},
        "rich": {"spec": {"driver": "d.example.com", "allNodes": True, "pool": {"name": "q", "generation": 1, "resourceSliceCount": 2},
                          "devices": [{"name": "one", "attributes": {"model": {"string": "m"}, "size": {"int": 3}, "good": {"bool": True},
                                                                     "v": {"version": "1.2.3"}},
                                       "capacity": {"memory": {"value": "1Gi"}}}]}},
        "change": {"spec": {"pool": {"generation": 2}}}},
    "scheduling.k8s.io/v1/priorityclasses": {
        "minimal": {"value": 5}, "rich": {"value": 1000, "description": "d", "preemptionPolicy": "Never", "globalDefault": False},
        "change": {"description": "changed"}},
    "storage.k8s.io/v1/csidrivers": {
        "minimal": {"spec": {}},
        "rich": {"spec": {"attachRequired": False, "podInfoOnMount": True, "volumeLifecycleModes": ["Ephemeral"], "storageCapacity": True,
                          "fsGroupPolicy": "File", "requiresRepublish": True, "seLinuxMount": True, "nodeAllocatableUpdatePeriodSeconds": 60,
                          "tokenRequests": [{"audience": "a", "expirationSeconds": 3600}]}},
        "change": {"spec": {"requiresRepublish": True}}},
    "storage.k8s.io/v1/csinodes": {
        "minimal": {"spec": {"drivers": []}},
        "rich": {"spec": {"drivers": [{"name": "d.example.com", "nodeID": "i", "topologyKeys": ["zone"], "allocatable": {"count": 3}}]}},
        "change": {"spec": {"drivers": [{"name": "e.example.com", "nodeID": "i", "topologyKeys": None}]}},
        "status": {"storageHealth": [{"name": "d.example.com", "healthConditions": [{"status": "StorageDegraded", "reason": "Because"}]}]}},
    "storage.k8s.io/v1/csistoragecapacities": {
        "minimal": {"storageClassName": "c"},
        "rich": {"storageClassName": "c", "capacity": "1Gi", "maximumVolumeSize": "512Mi", "nodeTopology": META_SELECTOR},
        "change": {"capacity": "2Gi"}},
    "storage.k8s.io/v1/storageclasses": {
        "minimal": {"provisioner": "p.example.com"},
        "rich": {"provisioner": "p.example.com", "parameters": {"a": "b"}, "reclaimPolicy": "Retain", "mountOptions": ["ro"],
                 "allowVolumeExpansion": True, "volumeBindingMode": "WaitForFirstConsumer",
                 "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["a"]}]}]},
        "change": {"allowVolumeExpansion": True}},
    "storage.k8s.io/v1/volumeattachments": {
        "minimal": {"spec": {"attacher": "a.example.com", "nodeName": "n", "source": {"persistentVolumeName": "v"}}},
        "rich": {"spec": {"attacher": "a.example.com", "nodeName": "n", "source": {"persistentVolumeName": "v"}},
                 "status": {"attached": True, "attachmentMetadata": {"a": "b"}}},
        "change": {"metadata": {"labels": {"x": "y"}}},
        "status": {"attached": True, "attachError": {"time": TIME, "message": "m", "errorCode": 3}}},
    "storage.k8s.io/v1/volumeattributesclasses": {
        "minimal": {"driverName": "d.example.com", "parameters": {"a": "b"}}, "rich": {"driverName": "d.example.com", "parameters": {"a": "b", "c": "d"}},
        "change": {"metadata": {"labels": {"x": "y"}}}},
    "storagemigration.k8s.io/v1/storageversionmigrations": {
        "minimal": {"spec": {"resource": {"group": "", "resource": "secrets"}}},
        "rich": {"spec": {"resource": {"group": "apps", "resource": "deployments"}}},
        "change": {"metadata": {"labels": {"x": "y"}}}, "status": {"conditions": [dict(CONDITION, type="Running")], "resourceVersion": "5"}},
}
