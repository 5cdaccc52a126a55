"""Reads the help, the configuration and the metrics of kube-controller-manager, and writes them as tables:
manager_facts.py FROM TO, two directories."""
import json
import os
import re
import sys

SECTION = re.compile(r"^(\S.*) flags:$")
FLAG = re.compile(r"^ {2,6}(?:-\w, )?--([\w-]+)(?:\[=\w+\]|(?: (\S+))?)(?:  +(.*))?$")
DEFAULT = re.compile(r'\(default (\[.*\]|"[^"]*"|[^)]*)\)$')


RECORDED_WITH = ("kubeconfig", "cert-dir", "tls-cert-file", "tls-private-key-file", "secure-port", "bind-address", "authorization-always-allow-paths")


def default(text):
    found = DEFAULT.search(text)
    return found.group(1).strip('"') if found else ""


def flags(help_text):
    section, rows = "", [["section", "name", "type", "default"]]
    for line in help_text.splitlines():
        if SECTION.match(line):
            section = SECTION.match(line).group(1).lower()
        elif section and FLAG.match(line):
            name, kind, text = FLAG.match(line).groups()
            rows.append([section, name, (kind or "bool").split("[")[0], default(text or "")])
        elif section and rows[-1][3] == "" and default(line):
            rows[-1][3] = default(line)  # the last line of a long text
    return ["\t".join(row) for row in rows]


def controllers(help_text):
    return re.search(r"All controllers: (.*)", help_text).group(1).split(", ")


def configuration(text):
    configz = json.loads(text)
    for part in configz.values():
        # Those of the command that recorded it.
        part["Generic"]["ClientConnection"]["kubeconfig"] = ""
    return json.dumps(configz, indent=1).splitlines()


def metrics(text):
    return sorted(line.removeprefix("# TYPE ") for line in text.splitlines() if line.startswith("# TYPE ") and not line.startswith("# TYPE go_"))


def queues(text):
    return sorted(set(re.findall(r'^workqueue_depth\{name="([^"]*)"', text, re.M)))


def shown_flags(text):
    """The original chooses the characters between a flag and its value at random."""
    lines = text.splitlines()
    shown = [re.match(r"([a-z0-9-]+)(?:: ?|= ?| +)(.*)$", line).groups() for line in lines[3:]]
    return lines[:3] + [name + ": " + ("(of the command that recorded it)" if name in RECORDED_WITH else value) for name, value in shown]


def main(source, target):
    def read(name):
        with open(os.path.join(source, name)) as file:
            return file.read()

    for name, lines in {
        "flags.tsv": flags(read("help")),
        "controllers.txt": controllers(read("help")),
        "configz.json": configuration(read("configz")),
        "metrics.txt": metrics(read("metrics")),
        "queues.txt": queues(read("metrics")),
        "flagz.txt": shown_flags(read("flagz")),
    }.items():
        with open(os.path.join(target, "kube-controller-manager-" + name), "w") as file:
            file.write("".join(line + "\n" for line in lines))


main(*sys.argv[1:])
