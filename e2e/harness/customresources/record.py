#!/usr/bin/env python3
"""Records how kube-apiserver answers to custom resource definitions and to custom resources.

    record.py --kubeconfig FILE --out DIR

definitions.json: definitions that are created as a dry run; the code, the causes and the warnings of the answer.
objects.json: definitions that are created, and requests for their objects: the code, the causes, the message and the object.
Causes are sorted, because the server visits maps in random order.
"""
import argparse
import copy
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kubeapi  # noqa: E402
from cases import DEFINITIONS, OBJECTS  # noqa: E402

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


def answer(code, warnings, body):
    result = {"code": code}
    if warnings:
        result["warnings"] = sorted(warnings)
    if body.get("kind") == "Status":
        causes = body.get("details", {}).get("causes", [])
        if causes:
            result["causes"] = sorted(
                "%s %s: %s" % (c.get("reason", ""), c.get("field", ""), c.get("message", "")) for c in causes)
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
    def __init__(self, config):
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
        for name, definition in DEFINITIONS:
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
        for _ in range(200):
            code, _, _ = self.exchange("GET", path)
            if code == 404:
                return
            time.sleep(0.05)
        raise SystemExit("record: %s is still there" % path)

    def objects(self):
        recorded = []
        for name, definition, requests in OBJECTS:
            created = self.request("POST", DEFINITIONS_PATH, definition)
            assert created["code"] == 201, (name, created)
            self.established(definition["metadata"]["name"])
            steps = []
            for request in requests:
                method, path, body = request[0], request[1], request[2] if len(request) > 2 else None
                if method == "WAIT":
                    time.sleep(1)  # for the server to serve the changed definition
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    recorder = Recorder(kubeapi.Config(args.kubeconfig))
    os.makedirs(args.out, exist_ok=True)
    for file, records in (("definitions.json", recorder.definitions()), ("objects.json", recorder.objects())):
        with open(os.path.join(args.out, file), "w") as out:
            out.write("[\n" + ",\n".join(json.dumps(record, sort_keys=False) for record in records) + "\n]\n")
        print("%s: %d" % (file, len(records)))


if __name__ == "__main__":
    main()
