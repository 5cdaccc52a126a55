#!/usr/bin/env python3
"""Records how kube-apiserver answers to custom resource definitions and to custom resources.

    record.py --kubeconfig FILE --out DIR [--cases MODULE]

definitions.json: definitions that are created as a dry run; the code, the causes and the warnings of the answer.
objects.json: definitions that are created, and requests for their objects: the code, the causes, the message and the object.
functions.json: the type or the refusal, and the value or the error of each expression, if the cases have any.
policies.json: admission policies, if the cases have any, and requests that they check.
Causes are sorted, because the server visits maps in random order.
"""
import argparse
import copy
import importlib
import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kubeapi  # noqa: E402

DEFINITIONS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
DROPPED = ("uid", "resourceVersion", "creationTimestamp", "managedFields")


def cleaned(obj):
    result = copy.deepcopy(obj)
    for condition in (result.get("status") or {}).get("conditions") or [] if isinstance(result.get("status"), dict) else []:
        condition.pop("lastTransitionTime", None)
    if isinstance(result.get("items"), list):
        result["items"] = [cleaned(item) for item in result["items"]]
    for field in DROPPED:
        result.get("metadata", {}).pop(field, None)
    return result


SELF_TYPE = re.compile(r"selfType\d+")  # the server numbers its types by the time


def answer(code, warnings, body):
    result = {"code": code}
    if warnings:
        result["warnings"] = sorted(warnings)
    if body.get("kind") == "Status":
        causes = body.get("details", {}).get("causes", [])
        if "failed calling webhook" in body.get("message", ""):
            return result  # the text is that of Go's network
        if causes:
            result["causes"] = sorted(
                SELF_TYPE.sub("selfType", "%s %s: %s" % (c.get("reason", ""), c.get("field", ""), c.get("message", "")))
                for c in causes)
            if code == 403:
                result["reason"], result["message"] = body.get("reason", ""), body.get("message", "")
        elif code >= 300:
            result["message"] = body.get("message", "")
    else:
        result["object"] = cleaned(body)
    return result


def warnings_of(headers):
    texts = []
    for value in headers.get_all("Warning") or []:
        # 299 - "text"
        quoted = value[value.index('"') + 1:value.rindex('"')]
        texts.append(quoted.replace('\\"', '"').replace("\\\\", "\\"))
    return texts


class Recorder:
    def __init__(self, config, cases):
        self.cases = cases
        self.connection = config.connect(60)
        self.headers = config.headers

    def exchange(self, method, path, body=None, content_type=kubeapi.JSON, accept=kubeapi.JSON):
        headers = dict(self.headers, Accept=accept)
        if body is not None:
            headers["Content-Type"] = content_type
            body = body if isinstance(body, str) else json.dumps(body)
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        return response.status, response.headers, response.read()

    def request(self, method, path, body=None, content_type=kubeapi.JSON, accept=kubeapi.JSON):
        code, headers, raw = self.exchange(method, path, body, content_type, accept)
        try:
            return answer(code, warnings_of(headers), json.loads(raw))
        except ValueError:
            return {"code": code}  # a path that no resource serves is answered in plain text

    def definitions(self):
        recorded = []
        for name, definition in self.cases.DEFINITIONS:
            if isinstance(definition, tuple):
                recorded.append(self.change(name, *definition))
                continue
            result = self.request("POST", DEFINITIONS_PATH + "?dryRun=All", definition)
            recorded.append({"name": name, "definition": definition, "answer": result})
        return recorded

    def change(self, name, before, after):
        created = self.request("POST", DEFINITIONS_PATH, before)
        assert created["code"] == 201, (name, created)
        self.established(before["metadata"]["name"])
        path = DEFINITIONS_PATH + "/" + before["metadata"]["name"]
        result = self.request("PATCH", path + "?dryRun=All", after, "application/merge-patch+json")
        self.remove(before)
        return {"name": name, "definition": before, "patch": after, "answer": result}

    def established(self, name):
        for _ in range(100):
            conditions = json.loads(self.exchange("GET", DEFINITIONS_PATH + "/" + name)[2]).get("status", {}).get("conditions") or []
            if any(c["type"] == "Established" and c["status"] == "True" for c in conditions):
                time.sleep(0.3)
                return
            time.sleep(0.05)
        raise SystemExit("record: %s is not established" % name)

    def remove(self, definition):
        path = DEFINITIONS_PATH + "/" + definition["metadata"]["name"]
        self.exchange("DELETE", path)
        for _ in range(1200):  # a minute
            code, _, _ = self.exchange("GET", path)
            if code == 404:
                return
            time.sleep(0.05)
        raise SystemExit("record: %s is still there" % path)

    def objects(self):
        recorded = []
        for name, definition, requests in self.cases.OBJECTS:
            created = self.request("POST", DEFINITIONS_PATH, definition)
            assert created["code"] == 201, (name, created)
            self.established(definition["metadata"]["name"])
            steps = []
            for request in requests:
                method, path, body = request[0], request[1], request[2] if len(request) > 2 else None
                if method == "WAIT":
                    time.sleep(1)  # for the server to serve the changed definition
                    continue
                if method == "OWNERS":
                    steps.append({"method": method, "path": path, "owners": self.owners(path)})
                    continue
                content_type = request[3] if len(request) > 3 else kubeapi.JSON
                step = {"method": method, "path": path, "answer": self.request(method, path, body, content_type)}
                if body is not None:
                    step["body"] = body
                if content_type != kubeapi.JSON:
                    step["contentType"] = content_type
                steps.append(step)
            self.remove(definition)
            recorded.append({"name": name, "definition": definition, "steps": steps})
        return recorded

    def owners(self, path):
        """The managers of an object with their fields, as text, because the order of the fields counts."""
        entries = json.loads(self.exchange("GET", path)[2])["metadata"].get("managedFields") or []
        return ["%s %s %s %s %s" % (e["manager"], e["operation"], e.get("subresource", "-"), e["apiVersion"],
                                    json.dumps(e["fieldsV1"], separators=(",", ":"))) for e in entries]

    def settled(self, *request):
        """The answer once the server knows the types of a new definition, which policies need."""
        for _ in range(60):
            result = self.request(*request)
            if result["code"] != 503:
                return result
            time.sleep(0.5)
        raise SystemExit("record: %s" % result)

    def policies(self):
        """Requests after the creation of policies: setup, a moment for the server to read them, steps, removal."""
        recorded = []
        for name, setup, requests in self.cases.POLICIES:
            for method, path, body in setup:
                created = self.request(method, path, body)
                assert created["code"] == 201, (name, created)
            if setup:
                time.sleep(1.5)
            steps = []
            for request in requests:
                method, path, body = request[0], request[1], request[2] if len(request) > 2 else None
                content_type = request[3] if len(request) > 3 else kubeapi.JSON
                step = {"method": method, "path": path, "answer": self.settled(method, path, body, content_type)}
                if body is not None:
                    step["body"] = body
                if content_type != kubeapi.JSON:
                    step["contentType"] = content_type
                steps.append(step)
            for _ in range(2 if setup else 0):  # until the server forgets a policy, it can refuse the deletion of the others
                for _, path, body in reversed(setup):
                    self.exchange("DELETE", path + "/" + body["metadata"]["name"])
                time.sleep(1.5)
            recorded.append({"name": name, "setup": [{"path": path, "body": body} for _, path, body in setup], "steps": steps})
        return recorded

    def functions(self):
        """The type or the refusal of each expression, and its value or error: hundreds in the mutations of one policy."""
        rows = [{"expression": one} for one in self.cases.FUNCTIONS]
        for start in range(0, len(rows), 200):
            part = rows[start:start + 200]
            answer = json.loads(self.exchange("POST", CHANGING_PATH + "?dryRun=All", changing(
                [{"patchType": "JSONPatch", "jsonPatch": {"expression": row["expression"]}} for row in part]))[2])
            for cause in answer["details"]["causes"]:
                match = re.fullmatch(r"spec.mutations\[(\d+)\].jsonPatch.expression", cause["field"])
                row, message = part[int(match.group(1))], cause["message"]
                message = message[message.index(": must evaluate to ") + 2:] if ": must evaluate to list(JSONPatch) but got " in message \
                    else re.sub(r"^(Invalid value: .*?|Internal error): (?=compilation failed|program inst)", "", message, flags=re.S)
                if message.startswith("must evaluate to list(JSONPatch) but got "):
                    row["type"] = message.removeprefix("must evaluate to list(JSONPatch) but got ")
                else:
                    row["refused"] = message
        typed = [row for row in rows if "type" in row]
        for row in typed:
            show = shown(row["expression"], row["type"])
            if show != "'%s'.format([[" + row["expression"] + "]])":
                row["shown"] = show
        for start in range(0, len(typed), 100):
            self.evaluate(typed[start:start + 100])
        return rows

    def evaluate(self, rows):
        """Evaluates expressions that have a type. Those that no program can be made of are refused after all."""
        mutations = [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{data: {'%d': %s}}" % (
            i, row.get("shown", "'%s'.format([[" + row["expression"] + "]])"))}} for i, row in enumerate(rows)]
        for policy in ("Ignore", "Fail"):  # the values, and then the errors
            for path, body in ((CHANGING_PATH, changing(mutations, policy)), (CHANGING_PATH.replace("policies", "policybindings"), {
                    "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding",
                    "metadata": {"name": "f"}, "spec": {"policyName": "f"}})):
                code, _, raw = self.exchange("POST", path, body)
                if code != 201:
                    for cause in json.loads(raw)["details"]["causes"]:
                        row = rows[int(re.search(r"\d+", cause["field"]).group())]
                        if "program instantiation failed: " in cause["message"]:
                            del row["type"]
                        row["refused"] = cause["message"][cause["message"].index("failed: ") + len("failed: "):]
                    return self.evaluate([row for row in rows if "refused" not in row])
            time.sleep(2)
            _, _, raw = self.exchange("POST", MAPS + "?dryRun=All", {
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "x"}})
            answer = json.loads(raw)
            for i, row in enumerate(rows):
                if policy == "Ignore" and str(i) in answer["data"]:
                    row["value"] = answer["data"][str(i)]
                elif policy == "Fail":
                    text = "expression '" + mutations[i]["applyConfiguration"]["expression"] + "' resulted in error: "
                    for cause in answer.get("details", {}).get("causes", []):
                        if text in cause["message"]:
                            row["error"] = cause["message"].split(text, 1)[1]
            self.exchange("DELETE", CHANGING_PATH.replace("policies", "policybindings") + "/f")
            self.exchange("DELETE", CHANGING_PATH + "/f")
            time.sleep(1.5)
        for row in rows:
            assert ("value" in row) != ("error" in row), (row, json.dumps(answer)[:300])


MAPS = "/api/v1/namespaces/default/configmaps"
CHANGING_PATH = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies"


def shown(expression, of_type):
    """An expression with the text of a value of a type."""
    if of_type.startswith("optional_type"):
        return "'%s'.format([" + expression + ".hasValue() ? [" + expression + ".value()] : []])"
    if of_type in ("net.IP", "net.CIDR"):
        return "string(" + expression + ")"
    if of_type.startswith("kubernetes."):
        return "string(" + expression + " == " + expression + ")"
    return "'%s'.format([[" + expression + "]])"


def changing(mutations, policy="Fail"):
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": "f"}, "spec": {
        "failurePolicy": policy, "reinvocationPolicy": "Never", "mutations": mutations, "matchConstraints": {"resourceRules": [
            {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]}}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--cases", default="cases")
    args = parser.parse_args()
    recorder = Recorder(kubeapi.Config(args.kubeconfig), importlib.import_module(args.cases))
    os.makedirs(args.out, exist_ok=True)
    files = [("definitions.json", recorder.definitions), ("objects.json", recorder.objects)]
    if hasattr(recorder.cases, "POLICIES"):
        files.append(("policies.json", recorder.policies))
    if hasattr(recorder.cases, "FUNCTIONS"):
        rows = recorder.functions()
        _, _, version = recorder.exchange("GET", "/version")
        with open(os.path.join(args.out, "functions.json"), "w") as out:
            out.write('{"release": "%s", "rows": [\n' % json.loads(version)["gitVersion"])
            out.write(",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]}\n")
        print("functions.json: %d" % len(rows))
    for file, record in files:
        records = record()
        with open(os.path.join(args.out, file), "w") as out:
            out.write("[\n" + ",\n".join(json.dumps(record, sort_keys=False) for record in records) + "\n]\n")
        print("%s: %d" % (file, len(records)))


if __name__ == "__main__":
    main()
