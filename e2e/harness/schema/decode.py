#!/usr/bin/env python3
"""Records what kube-apiserver answers to bodies that it cannot decode, or whose fields are unknown or duplicate.

    decode.py --kubeconfig FILE --out FILE

Every body is sent as a dry run with fieldValidation=Strict. The result is a list of conversations: the kind, the body as text, and
the code and message of the answer.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kubeapi  # noqa: E402

DEPLOYMENT = ('{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"%s},"spec":{"selector":{"matchLabels":{"a":"b"}},'
              '"template":{"metadata":{"labels":{"a":"b"}%s},"spec":{%s"containers":[{"name":"c","image":"i"%s}]%s}}%s}%s}')
POD = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"%s},"spec":{"containers":[{"name":"c","image":"i"%s}]%s}%s}'
SECRET = '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}%s}'
CONFIG_MAP = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"%s}%s}'
LEASE = '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"},"spec":{%s}}'
PDB = '{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"a"},"spec":{"selector":{},%s}}'
REVISION = '{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"a"},"revision":1,%s}'
WEBHOOK = ('{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"a"},'
           '"webhooks":[{"name":"a.b.c","rules":[{%s}],"clientConfig":{"url":"https://a/"},"sideEffects":"None",'
           '"admissionReviewVersions":["v1"]}]}')
POLICY = ('{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"a"},"spec":'
          '{"matchConstraints":{"resourceRules":[{%s}]},"validations":[{"expression":"true"}]}}')
DEFINITION = ('{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.b.c"},"spec":'
              '{"group":"b.c","scope":"Namespaced","names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,'
              '"storage":true,"schema":{"openAPIV3Schema":{"type":"object"%s}}}]}}')
QUOTA = '{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"a"},"spec":{"hard":{%s}}}'
REVIEW = ('{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"u",'
          '"resourceAttributes":{"verb":"get"},"extra":{%s}}}')


def deployment(metadata="", template="", first="", container="", last="", spec="", root=""):
    return DEPLOYMENT % (metadata, template, first, container, last, spec, root)


def pod(metadata="", container="", spec="", root=""):
    return POD % (metadata, container, spec, root)


BODIES = [
    # Wrong types.
    deployment(spec=',"replicas":"3"'), deployment(spec=',"replicas":1.5'), deployment(spec=',"replicas":1.0'),
    deployment(spec=',"replicas":1e2'), deployment(spec=',"replicas":2147483648'), deployment(spec=',"replicas":true'),
    deployment(spec=',"replicas":{}'), deployment(spec=',"replicas":[]'), deployment(spec=',"replicas":null'),
    deployment(spec=',"strategy":"Recreate"'), deployment(spec=',"strategy":{"type":1}'),
    deployment(spec=',"strategy":{"rollingUpdate":{"maxSurge":true}}'),
    deployment(spec=',"strategy":{"rollingUpdate":{"maxSurge":1.5}}'),
    deployment(spec=',"strategy":{"rollingUpdate":{"maxSurge":{}}}'),
    deployment(metadata=',"labels":{"a":1}'), deployment(metadata=',"labels":["a"]'), deployment(metadata=',"labels":{"a":null}'),
    deployment(metadata=',"labels":"a"'), deployment(metadata=',"finalizers":"a"'), deployment(metadata=',"finalizers":[1]'),
    deployment(metadata=',"generation":"1"'), deployment(metadata=',"generation":9223372036854775808'),
    deployment(metadata=',"creationTimestamp":1'), deployment(metadata=',"creationTimestamp":"yesterday"'),
    deployment(metadata=',"creationTimestamp":"2024-13-01T00:00:00Z"'), deployment(metadata=',"creationTimestamp":""'),
    deployment(metadata=',"creationTimestamp":"2024-01-01T00:00:00"'), deployment(metadata=',"creationTimestamp":{}'),
    deployment(metadata=',"creationTimestamp":"2024-01-32T00:00:00Z"'), deployment(metadata=',"creationTimestamp":"2024-02-30T00:00:00Z"'),
    deployment(metadata=',"creationTimestamp":"2024-01-01T25:00:00Z"'), deployment(metadata=',"creationTimestamp":"2024-01-01T00:60:00Z"'),
    deployment(metadata=',"creationTimestamp":"2024-01-01T00:00:00Zx"'), deployment(metadata=',"creationTimestamp":"2024-01-01 00:00:00Z"'),
    deployment(metadata=',"creationTimestamp":"2024-01-01T00:00:61Z"'), deployment(metadata=',"creationTimestamp":"2024-01-01T00:00:00+25:00"'),
    deployment(metadata=',"creationTimestamp":"24-01-01T00:00:00Z"'), deployment(metadata=',"creationTimestamp":"2024-1-01T00:00:00Z"'),
    deployment(metadata=',"creationTimestamp":"2024-01-01T0:00:00Z"'), deployment(metadata=',"creationTimestamp":true'),
    deployment(metadata=',"managedFields":[{"time":5}]'), deployment(metadata=',"ownerReferences":[{"controller":"yes"}]'),
    deployment(metadata=',"deletionGracePeriodSeconds":false'),
    pod(container=',"imagePullPolicy":1'), pod(container=',"ports":[{"containerPort":"http"}]'),
    pod(container=',"ports":[{"protocol":1}]'), pod(container=',"args":["a",1]'), pod(container=',"args":[["a"]]'),
    pod(container=',"env":[{"name":"A","value":1}]'), pod(container=',"env":[1]'), pod(container=',"env":{"A":"b"}'),
    pod(container=',"resources":{"limits":{"cpu":true}}'), pod(container=',"resources":{"limits":{"cpu":"x"}}'),
    pod(container=',"resources":{"limits":{"cpu":"1x"}}'), pod(container=',"resources":{"limits":{"cpu":"1.1.1"}}'),
    pod(container=',"resources":{"limits":{"cpu":""}}'), pod(container=',"resources":{"limits":{"cpu":{}}}'),
    pod(container=',"resources":{"limits":["cpu"]}'), pod(container=',"resources":{"limits":{"cpu":null}}'),
    pod(container=',"resources":[]'),
    pod(container=',"livenessProbe":{"httpGet":{"port":{}}}'), pod(container=',"livenessProbe":{"httpGet":{"port":"a","path":1}}'),
    pod(spec=',"volumes":[{"name":"v","emptyDir":"x"}]'), pod(spec=',"volumes":[{"name":"v","configMap":{"items":{}}}]'),
    pod(spec=',"volumes":[{"name":"v","secret":{"defaultMode":"0644"}}]'), pod(spec=',"volumes":[null]'), pod(spec=',"nodeSelector":{"a":true}'),
    pod(spec=',"nodeSelector":[]'), pod(spec=',"hostNetwork":"true"'), pod(spec=',"hostNetwork":1'),
    pod(spec=',"terminationGracePeriodSeconds":"30"'), pod(spec=',"restartPolicy":{}'), pod(spec=',"containers":{}'),
    pod(spec=',"dnsConfig":{"options":[{"value":1}]}'), pod(spec=',"tolerations":[{"tolerationSeconds":1.5}]'),
    pod(spec=',"securityContext":{"sysctls":[{"name":1}]}'), pod(spec=',"affinity":[]'),
    pod(root=',"status":{"podIPs":[1]}'), pod(root=',"status":"x"'), pod(root=',"spec":null'), pod(root=',"spec":[]'),
    pod(spec=',"hostNetwork":"true","hostPID":1'), pod(metadata=',"labels":{"a":1},"creationTimestamp":"x"'),
    SECRET % ',"data":{"a":"!"}', SECRET % ',"data":{"a":1}', SECRET % ',"data":"a"', SECRET % ',"data":{"a":"YQ"}',
    SECRET % ',"data":{"a":null}', SECRET % ',"stringData":{"a":1}', SECRET % ',"immutable":"x"', SECRET % ',"type":1',
    SECRET % ',"data":{"a":"Y\\nQ=="}', SECRET % ',"data":{"a":[89]}',
    CONFIG_MAP % ("", ',"data":{"a":{}}'), CONFIG_MAP % ("", ',"data":{"a":1.0}'), CONFIG_MAP % ("", ',"binaryData":{"a":"%%"}'),
    LEASE % '"renewTime":"2024-01-01T00:00:00Z"', LEASE % '"renewTime":1', LEASE % '"acquireTime":"x"',
    LEASE % '"renewTime":"2024-01-01T00:00:00.000000"', LEASE % '"renewTime":"2024-01-01T00:00:00.000Z"',
    LEASE % '"leaseDurationSeconds":"1"',
    PDB % '"minAvailable":[]', PDB % '"minAvailable":"50%","maxUnavailable":2147483648', PDB % '"minAvailable":null',
    REVISION % '"data":"x"', REVISION % '"data":1', REVISION % '"data":null', REVISION % '"revision":"x"',
    WEBHOOK % '"apiGroups":"x"', WEBHOOK % '"operations":[1]', WEBHOOK % '"scope":1', WEBHOOK % '"operatons":["CREATE"]',
    POLICY % '"apiGroups":[1]', POLICY % '"operations":1', POLICY % '"resourceNames":1', POLICY % '"x":1',
    DEFINITION % ',"additionalProperties":"x"', DEFINITION % ',"additionalProperties":{"type":1}', DEFINITION % ',"items":1',
    DEFINITION % ',"properties":{"a":{"minimum":"1"}}', DEFINITION % ',"properties":{"a":[]}', DEFINITION % ',"required":[1]',
    DEFINITION % ',"items":{"tipe":"string"}', DEFINITION % ',"properties":{"a":{"tipe":"string"}}', DEFINITION % ',"maxLength":1.5',
    DEFINITION % ',"minimum":"x"', DEFINITION % ',"additionalProperties":{"type":"object","type":"string"}',
    DEFINITION % ',"default":{"a":1,"a":2}', DEFINITION % ',"dependencies":{"a":1}', DEFINITION % ',"dependencies":{"a":[1]}',
    DEFINITION % ',"items":[{"type":1}]',
    QUOTA % '"pods":"x"', QUOTA % '"pods":5', QUOTA % '"pods":-1.5',
    REVIEW % '"a":"x"', REVIEW % '"a":[1]', REVIEW % '"a":null',
    # Unknown and duplicate fields.
    deployment(root=',"x":1'), deployment(spec=',"x":{"y":1}'), deployment(container=',"x":1'), deployment(template=',"x":1'),
    deployment(metadata=',"x":1'), deployment(spec=',"Replicas":3'), deployment(container=',"Image":"x"'),
    deployment(container=',"image":"j"'), deployment(container=',"image":"j","image":"k"'), deployment(metadata=',"labels":{"a":"1","a":"2"}'),
    deployment(metadata=',"name":"b"'), deployment(metadata=',"labels":{"a.b/c":"1","a.b/c":"2"}'), deployment(spec=',"replicas":1,"replicas":2'),
    deployment(spec=',"x":1,"x":2'), deployment(spec=',"x":{"a":1,"a":2}'), deployment(root=',"metadata":{"annotations":{"a":"b"}}'),
    deployment(root=',"kind":"Deployment"'), deployment(container=',"ports":[{"containerPort":1,"x":1},{"containerPort":2,"x":1}]'),
    deployment(container=',"resources":{"limits":{"cpu":"1","cpu":"2"}}'), deployment(first='"x":1,', container=',"y":2', spec=',"z":3'),
    deployment(first='"dnsPolicy":"Default","dnsPolicy":"None",', container=',"y":2'), deployment(spec=',"a\\"b":1'),
    deployment(spec=',"\\u00e4":1'), deployment(spec=',"a.b":1'), deployment(spec=',"":1'), deployment(spec=',"x\\ny":1'),
    deployment(metadata=',"managedFields":[{"fieldsV1":{"a":1,"a":2}}]'),
    pod(spec=',"volumes":[{"name":"v","emptyDir":{"x":1}}]'), pod(spec=',"volumes":[{"name":"v","x":1}]'),
    pod(spec=',"containers":[{"name":"d","image":"j"}]'), pod(root=',"status":{"x":1}'),
    CONFIG_MAP % ("", ',"data":{"a":"b","a":"c"}'), CONFIG_MAP % ("", ',"data":{"a":"b"},"data":{"c":"d"}'),
    SECRET % ',"data":{"a":"YQ==","a":"Yg=="}', REVISION % '"data":{"a":1,"a":2}', PDB % '"x":1',
    # Documents that are no objects of a kind.
    "", " ", "{", "[]", "5", "null", '"x"', "{}", "nul", "{]", '{"a"', '{"a":', '{"a":}', '{"a":1', '{"a":1,}', '{"a":1}x', "{'a':1}",
    '{"kind":"Pod"}', '{"apiVersion":"v1"}', '{"kind":5,"apiVersion":"v1"}', '{"kind":"Pod","apiVersion":1}', '{"a":01}', '{"a":1.}',
    '{"a":-}', '{"a":1e}', '{"a":tru}', '{"a":"\\x"}', '{"a":"\\u12g4"}', '{"a":"b', '{"a":"\\n"', '{"a" 1}', '{"a":1 "b":2}', '[1',
    '{"a":[1 2]}', '{"a":[1,]}', '{"a":"\t"}', '{a:1}', '{"kind":"Pod","kind":"ConfigMap","apiVersion":"v1"}',
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    api = kubeapi.Kube(options.kubeconfig, "record-decode")
    kinds = {}
    for group_version in ["v1"] + [version["groupVersion"] for group in api.get("/apis")["groups"] for version in group["versions"]]:
        prefix = ("/apis/" if "/" in group_version else "/api/") + group_version
        for resource in api.get(prefix)["resources"]:
            if "create" in resource["verbs"] and "/" not in resource["name"]:
                kinds[group_version, resource["kind"]] = (
                    prefix + ("/namespaces/default/" if resource["namespaced"] else "/") + resource["name"])
    conversations = []
    for body in BODIES:
        try:
            named = json.loads(body)
            kind = (named["apiVersion"], named["kind"])
        except (ValueError, TypeError, KeyError):
            kind = ("v1", "ConfigMap")
        path = kinds.get(kind) if all(isinstance(word, str) for word in kind) else None
        kind = kind if path else ("v1", "Pod")
        path = path or kinds["v1", "Pod"]
        connection = api.config.connect(60)
        connection.request("POST", path + "?dryRun=All&fieldValidation=Strict", body.encode(), api.headers("application/json"))
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        code = response.status
        conversation = {"apiVersion": kind[0], "kind": kind[1], "body": body, "code": code}
        # Later stages than the decoder answer with other codes.
        if code == 400:
            conversation["message"] = answer["message"]
        elif code < 300:
            conversation["object"] = without_server_fields(answer)
        conversations.append(conversation)
    with open(options.out, "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(c, ensure_ascii=False) for c in conversations) + "\n]\n")


def without_server_fields(answer):
    """The object without what differs from run to run."""
    for field in ("uid", "creationTimestamp", "managedFields", "resourceVersion", "generation"):
        answer.get("metadata", {}).pop(field, None)
    return answer


if __name__ == "__main__":
    main()
