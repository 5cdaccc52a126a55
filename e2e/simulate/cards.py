#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An operator without a library: each card has a config map with its text.

With the argument "faulty" it notes in the status that a card is done before it does the work.
"""
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

FAULTY = "faulty" in sys.argv[1:]
CARDS = "/apis/example.com/v1/namespaces/default/cards"
MAPS = "/api/v1/namespaces/default/configmaps"


def server():
    with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
        return re.search(r"server: *\"?([^\"\s]+)", file.read()).group(1)


SERVER = server()


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        SERVER + path, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def get(path):
    try:
        return call("GET", path)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def note_done(card):
    if card.get("status", {}).get("phase") != "Done":
        card["status"] = {"phase": "Done", "copies": 1}
        call("PUT", f"{CARDS}/{card['metadata']['name']}/status", card)


def make_map(card):
    name = card["metadata"]["name"]
    data = {"text": card["spec"]["text"]}
    known = get(f"{MAPS}/{name}")
    if known is None:
        call("POST", MAPS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data})
    elif known.get("data") != data:
        known["data"] = data
        call("PUT", f"{MAPS}/{name}", known)


def sync(card):
    if FAULTY:
        if card.get("status", {}).get("phase") != "Done":
            note_done(card)
            make_map(card)
    else:
        make_map(card)
        note_done(card)


def run():
    cards = call("GET", CARDS)
    for card in cards["items"]:
        sync(card)
    version = cards["metadata"]["resourceVersion"]
    watch = f"{SERVER}{CARDS}?watch=1&resourceVersion={version}&timeoutSeconds=300"
    with urllib.request.urlopen(watch, timeout=330) as events:
        for line in events:
            event = json.loads(line)
            if event["type"] == "ERROR":
                return
            if event["type"] in ("ADDED", "MODIFIED"):
                sync(get(f"{CARDS}/{event['object']['metadata']['name']}"))


while True:
    try:
        run()
    except (OSError, ValueError) as error:
        print(f"trying again after {error}", flush=True)
        time.sleep(0.1)
