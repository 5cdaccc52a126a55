"""Reports what changed between the recordings of two releases of Kubernetes, in Markdown. adopt.sh calls it."""
import argparse
import json
import os
import subprocess

SHOWN = 60  # lines of each part
LABELS = ("name", "step", "title", "case", "text")


def types(text):
    """The types and fields of the schema."""
    found, package, kind = {}, "", ""
    for line in text.splitlines():
        if line.startswith("package "):
            package = line.split()[1]
        elif line.startswith(" "):
            number, name, *rest = line.split(" ")[1:]
            found["%s.%s field %s" % (package, kind, name.rstrip("!?*"))] = " ".join([number, name, *rest])
        elif line and not line.startswith("#"):
            kind = line.split(" ")[0]
            found["%s.%s" % (package, kind)] = line[len(kind):].strip()
    return found


def resources(text):
    """The resources, and the columns of their tables."""
    found, version, resource = {}, "", ""
    for line in text.splitlines():
        if line.startswith("version "):
            version = line.split()[1]
        elif line.startswith(" "):
            for column in line.strip().lstrip("=").split("|"):
                found["%s/%s column %s" % (version, resource, column.split(";")[0])] = column
        elif line and not line.startswith("#"):
            resource = line.split(" ")[0]
            found["%s/%s" % (version, resource)] = line[len(resource):].strip()
    return found


def table(text):
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    key = 1 if rows and rows[0][0] == "section" else 0
    return {row[key]: " ".join(row[:key] + row[key + 1:]) for row in rows}


def leaves(value, path=""):
    if isinstance(value, dict):
        for name, child in value.items():
            yield from leaves(child, path + "." + name if path else name)
    elif isinstance(value, list):
        seen = {}
        for child in value:
            label = next((str(child[key]) for key in LABELS if key in child and not isinstance(child[key], (dict, list))), "") \
                if isinstance(child, dict) else ""
            seen[label] = seen.get(label, -1) + 1
            yield from leaves(child, "%s[%s]" % (path, label + ("#%d" % seen[label] if seen[label] or not label else "")))
    else:
        yield path, json.dumps(value, ensure_ascii=False)


def objects(text):
    found = {}
    for line in text.splitlines():
        item = json.loads(line)
        found.update(leaves(item, "%s %s" % (item.get("kind"), item.get("metadata", {}).get("name"))))
    return found


def keyed(path, text):
    """The facts of a file by their names."""
    ending = os.path.splitext(path)[1]
    if "\0" in text:
        return {"%d characters of a binary form" % len(text): ""}
    if ending == ".json":
        try:
            return dict(leaves(json.loads(text or "null")))
        except json.JSONDecodeError:
            ending = ".txt"
    readers = {".types": types, ".resources": resources, ".tsv": table, ".jsonl": objects}
    return readers.get(ending, lambda all_lines: dict.fromkeys(all_lines.splitlines(), ""))(text)


def between(old, new):
    """The parts in which two texts differ, with what is around them."""
    start = len(os.path.commonprefix([old, new]))
    end = len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]]))
    return "`%s` → `%s`" % tuple(text[max(0, start - 20):len(text) - end + 5][:90] for text in (old, new))


def differences(old, new):
    """The kind of each difference, its name, and what it is."""
    for name in new:
        if name not in old:
            yield "new", name, new[name]
    for name in old:
        if name not in new:
            yield "gone", name, old[name]
        elif old[name] != new[name]:
            yield "changed", name, between(old[name], new[name])


def part(title, old, new):
    """Prints a part of the report, and returns the number of differences. A case is a line; cases that differ alike are one line."""
    cases = {}
    for kind, name, text in differences(old, new):
        case = name[:name.index("]") + 1] if name.find("[") < name.find("]") and title.endswith(".json") else name
        cases.setdefault((kind, case), []).append("%s %s" % (name[len(case):], text))
    alike = {}
    for (kind, case), members in cases.items():
        more = "" if len(members) == 1 else " (and %d more)" % (len(members) - 1)
        text = members[0].strip()[:200] + more
        alike.setdefault((kind, text, text or case), []).append(case)
    count = sum(map(len, cases.values()))
    if count:
        print("\n## %s: %d\n" % (title, count))
    for (kind, text, _), names in list(alike.items())[:SHOWN]:
        print("- %s: `%s`%s %s" % (kind, names[0], "" if len(names) == 1 else " and %d like it:" % (len(names) - 1), text))
    if len(alike) > SHOWN:
        print("- and %d more" % (len(alike) - SHOWN))
    return count


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("tree", "out", "old", "new"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()

    def git(*arguments):
        return subprocess.run(["git", "-C", options.tree, *arguments], check=True, capture_output=True).stdout.decode(errors="replace")

    print("# From Kubernetes %s to %s\n\n| step | seconds | |\n| --- | --- | --- |" % (options.old, options.new))
    for line in read(os.path.join(options.out, "times")).splitlines():
        step, seconds, ok = line.split()
        print("| %s | %s | %s |" % (step, seconds, "" if ok == "yes" else "**failed**"))
    total, files = 0, {"A": [], "D": []}
    for line in git("diff", "--name-status", "--no-renames", "adopt-base", "HEAD").splitlines():
        status, path = line.split("\t")
        if path == "e2e/kubernetes-release":
            continue
        if status == "M":
            total += part(path, *(keyed(path, git("show", commit + ":" + path)) for commit in ("adopt-base", "HEAD")))
        else:
            files[status].append(path)
    for status, title in (("A", "New files"), ("D", "Files that are gone")):
        names = dict.fromkeys(files[status], "")
        total += part(title, *(({}, names) if status == "A" else (names, {})))
    names = [os.path.join(options.out, "conformance-%s.txt" % release) for release in (options.old, options.new)]
    if all(map(os.path.exists, names)):
        total += part("Conformance tests", *(keyed(name, read(name)) for name in names))
    minor = options.old.rsplit(".", 1)[0]
    if options.old != options.new:
        found = git("grep", "-lwF", minor, "--", "*.java", "*.sh", "*.py", "*.md", "*.yml", ":!CHANGELOG.md", ":!docs/adr").splitlines()
        print("\n## Files that name %s: %d\n" % (minor, len(found)))
        print("\n".join("- " + name for name in found))
    print("\nIn total: %d differences" % total)


main()
