"""Adds to the table of feature gates their stages, and the gates that they require:
manager_gates.py PROGRAM METRICS TABLE. The program names the missing gates when a gate is on and all others are off."""
import re
import subprocess
import sys

STAGE = re.compile(r'^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\}', re.M)


def required(program, name):
    ended = subprocess.run(
        [program, "--kubeconfig=/nonexistent", "--feature-gates=AllAlpha=false,AllBeta=false,%s=true" % name], capture_output=True, text=True)
    found = re.search(name + r" is enabled, but depends on features that are disabled: \[([^]]*)\]", ended.stderr)
    return found.group(1) if found else ""


def main(program, metrics, table):
    with open(metrics) as file:
        stages = dict(STAGE.findall(file.read()))
    with open(table) as file:
        rows = [line.split("\t")[:3] for line in file.read().splitlines()]
    lines = ["\t".join(rows[0] + ["stage", "requires"])]
    for name, default, locked in rows[1:]:
        lines.append("\t".join([name, default, locked, stages.get(name, ""), "" if locked == "true" or name.startswith("All") else required(program, name)]))
    with open(table, "w") as file:
        file.write("".join(line + "\n" for line in lines))


main(*sys.argv[1:])
