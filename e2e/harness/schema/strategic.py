#!/usr/bin/env python3
"""Records strategic merge patches of many kinds: the object before, the patch, and the object that kube-apiserver makes of them.

    strategic.py --kubeconfig FILE --out FILE
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import documents  # noqa: E402
import kubeapi  # noqa: E402

# Kinds beside those of documents.py.
OBJECTS = {
    **documents.OBJECTS,
    "serviceaccount": ("/api/v1/namespaces/default/serviceaccounts", {
        "secrets": [{"name": "a"}, {"name": "b"}], "imagePullSecrets": [{"name": "c"}]}),
    "rolebinding": ("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", {
        "subjects": [{"kind": "User", "name": "u", "apiGroup": "rbac.authorization.k8s.io"}],
        "roleRef": {"kind": "Role", "name": "r", "apiGroup": "rbac.authorization.k8s.io"}}),
    "endpointslice": ("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
        "addressType": "IPv4", "endpoints": [{"addresses": ["10.0.0.1"]}, {"addresses": ["10.0.0.2"]}],
        "ports": [{"name": "a", "port": 1, "protocol": "TCP"}]}),
    "csidriver": ("/apis/storage.k8s.io/v1/csidrivers", {"spec": {
        "tokenRequests": [{"audience": "a"}, {"audience": "b"}], "podInfoOnMount": True}}),
    "ingressclass": ("/apis/networking.k8s.io/v1/ingressclasses", {"spec": {"controller": "a.b/c", "parameters": {
        "kind": "K", "name": "n", "scope": "Cluster", "apiGroup": "g.h"}}}),
    "podtemplate": ("/api/v1/namespaces/default/podtemplates", {"template": documents.TEMPLATE}),
    "service": ("/api/v1/namespaces/default/services", {"spec": {"clusterIP": "None", "selector": {"a": "b"}, "ports": [
        {"name": "a", "port": 1}, {"name": "b", "port": 2}]}}),
}
CONTAINER = {"containers": [{"name": "d", "image": "j"}, {"name": "c", "ports": [{"containerPort": 81}]}]}
PATCHES = [
    ("statefulset", {"spec": {"template": {"spec": CONTAINER}}}),
    ("statefulset", {"spec": {"template": {"spec": {"containers": [{"name": "c", "$patch": "delete"}, {"name": "e", "image": "k"}]}}}}),
    ("daemonset", {"spec": {"template": {"spec": {"volumes": [{"name": "e", "hostPath": {"path": "/x"}, "emptyDir": None}]}}}}),
    ("daemonset", {"spec": {"template": {"spec": {"volumes": [{"name": "e", "$retainKeys": ["name", "hostPath"],
                                                               "hostPath": {"path": "/x"}}]}}}}),
    ("daemonset", {"spec": {"updateStrategy": {"type": "OnDelete", "rollingUpdate": None}}}),
    ("deployment", {"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}),
    ("deployment", {"spec": {"template": {"spec": {"topologySpreadConstraints": [
        {"topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}, {"topologyKey": "host", "maxSkew": 2,
                                                                          "whenUnsatisfiable": "DoNotSchedule"}]}}}}),
    ("deployment", {"metadata": {"finalizers": ["a.b/c"], "labels": {"x": "y"}},
                    "spec": {"template": {"spec": {"tolerations": [{"key": "k", "operator": "Exists"}]}}}}),
    ("deployment", {"spec": {"template": {"spec": {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}}}}}}),
    ("deployment", {"spec": {"template": {"spec": {"$setElementOrder/containers": [{"name": "z"}, {"name": "c"}],
                                                   "containers": [{"name": "z", "image": "z"}]}}}}),
    ("cronjob", {"spec": {"jobTemplate": {"spec": {"template": {"spec": CONTAINER}}}}}),
    ("cronjob", {"spec": {"jobTemplate": {"metadata": {"annotations": {"a": "b"}}}, "suspend": True}}),
    ("horizontalpodautoscaler", {"spec": {"metrics": [{"type": "Resource", "resource": {"name": "memory", "target": {
        "type": "Utilization", "averageUtilization": 50}}}]}}),
    ("horizontalpodautoscaler", {"spec": {"behavior": {"scaleUp": {"policies": [{"type": "Percent", "value": 1, "periodSeconds": 5}]}}}}),
    ("poddisruptionbudget", {"spec": {"selector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}}),
    ("ingress", {"spec": {"rules": [{"host": "c.d"}], "tls": [{"hosts": ["c.d"]}]}}),
    ("networkpolicy", {"spec": {"ingress": [{"from": [{"podSelector": {}}]}], "policyTypes": ["Egress"]}}),
    ("resourcequota", {"spec": {"hard": {"pods": "5", "requests.cpu": None, "secrets": 1}}}),
    ("limitrange", {"spec": {"limits": [{"type": "Pod", "max": {"cpu": "1"}}]}}),
    ("persistentvolume", {"spec": {"accessModes": ["ReadWriteOnce"], "claimRef": {"name": "a", "namespace": "b"}}}),
    ("secret", {"data": {"b": "Yg=="}}),
    ("clusterrole", {"rules": [{"verbs": ["list"], "apiGroups": ["a"], "resources": ["b"]}]}),
    ("storageclass", {"metadata": {"annotations": {"a": None, "b": "c"}}, "allowVolumeExpansion": None}),
    ("validatingwebhookconfiguration", {"webhooks": [{"name": "a.b.c", "timeoutSeconds": 5}]}),
    ("validatingwebhookconfiguration", {"webhooks": [{"name": "d.e.f", "clientConfig": {"url": "https://d.e"}, "sideEffects": "None",
                                                      "admissionReviewVersions": ["v1"]}]}),
    ("validatingwebhookconfiguration", {"webhooks": [{"name": "a.b.c", "matchConditions": [{"name": "m", "expression": "true"}]}]}),
    ("customresourcedefinition", {"spec": {"names": {"shortNames": ["x"]}, "conversion": {"strategy": "None"}}}),
    ("deviceclass", {"spec": {"selectors": [{"cel": {"expression": "true"}}]}}),
    ("flowschema", {"spec": {"rules": [{"subjects": [{"kind": "Group", "group": {"name": "g"}}], "resourceRules": [{
        "verbs": ["get"], "apiGroups": [""], "resources": ["pods"], "namespaces": ["*"]}]}]}}),
    ("serviceaccount", {"secrets": [{"name": "c"}], "imagePullSecrets": [{"name": "d"}]}),
    ("serviceaccount", {"secrets": [{"name": "a", "$patch": "delete"}, {"name": "d"}]}),
    ("rolebinding", {"subjects": [{"kind": "ServiceAccount", "name": "s", "namespace": "n"}]}),
    ("endpointslice", {"endpoints": [{"addresses": ["10.0.0.3"]}], "ports": [{"name": "b", "port": 2}]}),
    ("csidriver", {"spec": {"tokenRequests": [{"audience": "c"}], "requiresRepublish": True}}),
    ("ingressclass", {"spec": {"parameters": {"name": "m"}}}),
    ("podtemplate", {"template": {"spec": {"containers": [{"name": "c", "env": [{"name": "A", "value": "b"}], "resources": {
        "limits": {"cpu": None}}}], "hostAliases": [{"ip": "1.2.3.4", "hostnames": ["h"]}]}}}),
    ("podtemplate", {"template": {"spec": {"containers": [{"name": "c", "livenessProbe": {"httpGet": None, "exec": {"command": ["x"]}},
                                                           "$setElementOrder/volumeMounts": [{"mountPath": "/w"}, {"mountPath": "/v"}],
                                                           "volumeMounts": [{"mountPath": "/w", "name": "e"}]}]}}}),
    ("service", {"spec": {"ports": [{"port": 2, "name": "c"}, {"port": 3, "name": "d", "targetPort": 3}], "selector": {"c": "d"}}}),
    ("service", {"spec": {"selector": {"$patch": "replace", "x": "y"}}}),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    api = kubeapi.Kube(options.kubeconfig, "record-strategic")
    cases = []
    for name, patch in PATCHES:
        collection, content = OBJECTS[name]
        path = collection + "/" + api.create(collection, {"metadata": {"name": "s"}, **content} if "metadata" not in content
                                             else content)["metadata"]["name"]
        before = api.get(path)
        after = api.patch(path + "?dryRun=All", patch, kubeapi.STRATEGIC)
        api.delete(path, grace=0)
        cases.append({"before": plain(before), "patch": patch, "after": plain(after)})
    with open(options.out, "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n")


def plain(item):
    """The object without what differs from run to run, and what the server writes itself."""
    for field in ("uid", "creationTimestamp", "managedFields", "resourceVersion", "generation"):
        item["metadata"].pop(field, None)
    item["metadata"].get("annotations", {}).pop("deprecated.daemonset.template.generation", None)
    item.pop("status", None)
    return item


if __name__ == "__main__":
    main()
