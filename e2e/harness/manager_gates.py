"""Adds to the table of feature gates their stages, the gates that they require, and the folders of controllers that read them:
manager_gates.py PROGRAM METRICS SOURCES TABLE. The program names the missing gates when a gate is on and all others are off."""
import os
import re
import subprocess
import sys

STAGE = re.compile(r'^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\}', re.M)


def required(program, name):
    ended = subprocess.run(
        [program, "--kubeconfig=/nonexistent", "--feature-gates=AllAlpha=false,AllBeta=false,%s=true" % name], capture_output=True, text=True)
    found = re.search(name + r" is enabled, but depends on features that are disabled: \[([^]]*)\]", ended.stderr)
    return found.group(1) if found else ""


def readers(sources):
    """Returns the folders of pkg/controller and of the command, by the gate that their code names."""
    found = {}
    for top in ("pkg/controller", "cmd/kube-controller-manager/app"):
        for folder, _, files in os.walk(os.path.join(sources, top)):
            name = os.path.relpath(folder, os.path.join(sources, top)) if top == "pkg/controller" else "command"
            for file in files:
                if file.endswith(".go") and not file.endswith("_test.go"):
                    with open(os.path.join(folder, file)) as text:
                        for gate in re.findall(r"\b\w*features\.([A-Z]\w+)", text.read()):
                            found.setdefault(gate, set()).add("all" if name == "." else name)
    return found


def main(program, metrics, sources, table):
    with open(metrics) as file:
        stages = dict(STAGE.findall(file.read()))
    with open(table) as file:
        rows = [line.split("\t") for line in file.read().splitlines()]
    folders = readers(sources)
    lines = ["\t".join(rows[0][:3] + ["stage", "requires", "controllers", "readers"])]
    for name, default, locked, controllers in rows[1:]:
        requires = "" if locked == "true" or name.startswith("All") else required(program, name)
        lines.append("\t".join([name, default, locked, stages.get(name, ""), requires, controllers, " ".join(sorted(folders.get(name, ())))]))
    with open(table, "w") as file:
        file.write("".join(line + "\n" for line in lines))


main(*sys.argv[1:])
