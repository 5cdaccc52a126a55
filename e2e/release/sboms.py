"""Compares the lists of dependencies with what is shipped: sboms.py TREE REPOSITORY VERSION. Prints a line per check."""

import json
import pathlib
import sys

tree, repository, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
group = repository / "io/kubeloop"


def check(what, faults):
    print("FAIL" if faults else "ok  ", what)
    for fault in faults:
        print("     ", fault)


def components(artifact):
    bom = json.loads((group / artifact / version / f"{artifact}-{version}-cyclonedx.json").read_text())
    assert bom["bomFormat"] == "CycloneDX", artifact
    return bom


faults = []
for directory in sorted(group.iterdir()):
    bom = components(directory.name)
    about = bom["metadata"]["component"]
    if (about["name"], about["version"]) != (directory.name, version):
        faults.append(f"{directory.name}: the list is of {about['name']} {about['version']}")
    for part in bom.get("components", []):
        if "hashes" not in part or not part.get("licenses"):
            faults.append(f"{directory.name}: {part['name']} has no hash or no license")
check("each list of dependencies is of its artifact, with hashes and licenses", faults)

listed = {f"{part['name']}-{part['version']}.jar" for part in components("kubeloop-app")["components"]}
shipped = {jar.name for jar in (tree / "app/target/lib").iterdir()}
check("the list of the program names the jars beside it", [f"{name} is in one of them only" for name in sorted(listed ^ shipped)])
