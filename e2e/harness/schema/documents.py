#!/usr/bin/env python3
"""Records objects of many kinds as kube-apiserver sends them in JSON and in protocol buffers.

    documents.py --kubeconfig FILE --out DIR

DIR takes NAME.json and NAME.pb for each object. Names and times in them differ from run to run, so that files that are there stay.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kubeapi  # noqa: E402

PROTOBUF = "application/vnd.kubernetes.protobuf"
TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": {
    "restartPolicy": "Always", "containers": [{
        "name": "c", "image": "i", "ports": [{"containerPort": 80}], "resources": {"limits": {"cpu": "1500m", "memory": "1Gi"}},
        "livenessProbe": {"httpGet": {"port": "http", "path": "/"}}, "volumeMounts": [{"name": "v", "mountPath": "/v"}]}],
    "volumes": [{"name": "v", "projected": {"sources": [{"configMap": {"name": "m", "items": [{"key": "k", "path": "p"}]}}]}},
                {"name": "e", "emptyDir": {"sizeLimit": "1Mi"}}],
    "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
        {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}}},
    "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]}}
SELECTOR = {"matchLabels": {"app": "a"}}
JOB = {"backoffLimit": 3, "template": {**TEMPLATE, "spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}},
       "podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}}
SCHEMA = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "required": ["spec"], "properties": {
    "spec": {"type": "object", "properties": {
        "a": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"],
              "items": {"type": "object", "required": ["n"], "properties": {"n": {"type": "string", "default": "d"}}}},
        "b": {"type": "number", "minimum": 0.5, "maximum": 1e30, "multipleOf": 0.25},
        "c": {"type": "object", "additionalProperties": {"type": "string", "enum": ["x", "y"]}},
        "e": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        "f": {"type": "object", "additionalProperties": True}}}}}

# name: (path of the collection, object)
OBJECTS = {
    "statefulset": ("/apis/apps/v1/namespaces/default/statefulsets", {
        "spec": {"serviceName": "s", "selector": SELECTOR, "template": TEMPLATE, "volumeClaimTemplates": [{
            "metadata": {"name": "d"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}),
    "daemonset": ("/apis/apps/v1/namespaces/default/daemonsets", {"spec": {"selector": SELECTOR, "template": TEMPLATE}}),
    "deployment": ("/apis/apps/v1/namespaces/default/deployments", {"spec": {
        "replicas": 0, "selector": SELECTOR, "template": TEMPLATE, "strategy": {"rollingUpdate": {"maxSurge": "25%"}}}}),
    "controllerrevision": ("/apis/apps/v1/namespaces/default/controllerrevisions", {"revision": 3, "data": {"a": [1, {"b": "c"}]}}),
    "job": ("/apis/batch/v1/namespaces/default/jobs", {"spec": JOB}),
    "cronjob": ("/apis/batch/v1/namespaces/default/cronjobs", {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": JOB}}}),
    "horizontalpodautoscaler": ("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {"spec": {
        "maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"},
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "AverageValue", "averageValue": "1500m"}}}],
        "behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]}}}}),
    "poddisruptionbudget": ("/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
        "spec": {"selector": SELECTOR, "minAvailable": "50%"}}),
    "ingress": ("/apis/networking.k8s.io/v1/namespaces/default/ingresses", {"spec": {"rules": [{"host": "a.b", "http": {"paths": [{
        "path": "/", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}]}}),
    "networkpolicy": ("/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {"spec": {
        "podSelector": {}, "ingress": [{"ports": [{"port": 80, "protocol": "UDP"}],
                                        "from": [{"ipBlock": {"cidr": "10.0.0.0/8", "except": ["10.1.0.0/16"]}}]}]}}),
    "resourcequota": ("/api/v1/namespaces/default/resourcequotas", {"spec": {"hard": {"pods": "4", "requests.cpu": "1500m"}}}),
    "limitrange": ("/api/v1/namespaces/default/limitranges", {"spec": {"limits": [{
        "type": "Container", "max": {"cpu": "2"}, "default": {"cpu": "500m"}}]}}),
    "persistentvolume": ("/api/v1/persistentvolumes", {"spec": {
        "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "nfs": {"server": "s", "path": "/p"}}}),
    "secret": ("/api/v1/namespaces/default/secrets", {"data": {"a": "AP8="}, "immutable": False}),
    "clusterrole": ("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
        "rules": [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}],
        "aggregationRule": None}),
    "storageclass": ("/apis/storage.k8s.io/v1/storageclasses", {
        "provisioner": "p.q/r", "parameters": {"a": "b"}, "allowVolumeExpansion": True,
        "allowedTopologies": [{"matchLabelExpressions": [{"key": "zone", "values": ["a"]}]}]}),
    "priorityclass": ("/apis/scheduling.k8s.io/v1/priorityclasses", {"value": -5, "preemptionPolicy": "Never"}),
    "validatingwebhookconfiguration": ("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {"webhooks": [{
        "name": "a.b.c", "clientConfig": {"url": "https://a.b/c", "caBundle": ""}, "sideEffects": "None",
        "admissionReviewVersions": ["v1"], "rules": [{"operations": ["CREATE"], "apiGroups": ["x.y"], "apiVersions": ["v1"],
                                                      "resources": ["zs"]}]}]}),
    "customresourcedefinition": ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        "metadata": {"name": "as.b.c"}, "spec": {
            "group": "b.c", "scope": "Namespaced", "names": {"plural": "as", "kind": "A"}, "versions": [{
                "name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA},
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.b", "statusReplicasPath": ".status.b"}},
                "additionalPrinterColumns": [{"name": "B", "type": "number", "jsonPath": ".spec.b"}]}]}}),
    "deviceclass": ("/apis/resource.k8s.io/v1/deviceclasses", {"spec": {
        "selectors": [{"cel": {"expression": "device.driver == 'a.b'"}}],
        "config": [{"opaque": {"driver": "a.b", "parameters": {"apiVersion": "a.b/v1", "kind": "P", "x": 1}}}]}}),
    "flowschema": ("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", {"spec": {
        "priorityLevelConfiguration": {"name": "catch-all"}, "matchingPrecedence": 900, "rules": [{
            "subjects": [{"kind": "User", "user": {"name": "u"}}],
            "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}]}]}}),
}


def get(api, path, accept):
    connection = api.config.connect(60)
    connection.request("GET", path, None, {**api.headers(), "Accept": accept})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        sys.exit("documents: GET %s: %s %s" % (path, response.status, body[:500]))
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    api = kubeapi.Kube(options.kubeconfig, "record-documents")
    os.makedirs(options.out, exist_ok=True)
    for name, (collection, content) in OBJECTS.items():
        files = [os.path.join(options.out, name + "." + form) for form in ("json", "pb")]
        if all(os.path.exists(file) for file in files):
            continue
        created = api.create(collection, {"metadata": {"name": "a"}, **content})
        path = collection + "/" + created["metadata"]["name"]
        # Controllers of the server may change it once more.
        bodies = None
        while bodies is None or json.loads(bodies[0])["metadata"]["resourceVersion"] != api.get(path)["metadata"]["resourceVersion"]:
            bodies = [get(api, path, accept) for accept in (kubeapi.JSON, PROTOBUF)]
        for file, body in zip(files, bodies):
            with open(file, "wb") as f:
                f.write(body)
        api.delete(path)


if __name__ == "__main__":
    main()
