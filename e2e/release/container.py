"""Checks the tar of the container image and unpacks it: container.py TAR DIR. DIR/root is its file system, DIR/command its entry point, DIR/environment its variables."""

import hashlib
import json
import pathlib
import platform
import sys
import tarfile

archive, directory = tarfile.open(sys.argv[1]), pathlib.Path(sys.argv[2])
root = directory / "root"
root.mkdir(parents=True)


def check(what, good):
    print("ok  " if good else "FAIL", what)


manifest = json.load(archive.extractfile("manifest.json"))[0]
config = json.load(archive.extractfile(manifest["Config"]))
digests = []
for name in manifest["Layers"]:
    with tarfile.open(fileobj=archive.extractfile(name)) as layer:
        layer.extractall(root)
    with tarfile.open(fileobj=archive.extractfile(name)) as layer:
        layer.fileobj.seek(0)
        digests.append("sha256:" + hashlib.sha256(layer.fileobj.read()).hexdigest())
run = config["config"]
check("the layers of the container image have the digests of its configuration", digests == config["rootfs"]["diff_ids"])
check("the container image has the architecture of this machine",
      (config["os"], config["architecture"]) == ("linux", {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine())))
check("the container image is reproducible: its files have no time of the build", config["created"] == "1970-01-01T00:00:00Z")
check("the container image runs the controller manager, and finds it by the name of the original",
      run["Cmd"] == ["controller-manager"] and any(
          (root / folder.lstrip("/") / "kube-controller-manager").exists()
          for entry in run["Env"] if entry.startswith("PATH=") for folder in entry[5:].split(":")))
(directory / "command").write_text("\n".join(run["Entrypoint"]) + "\n")
(directory / "environment").write_text("\n".join(run["Env"]) + "\n")
