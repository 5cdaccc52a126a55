#!/usr/bin/env python3
"""Writes a small container image as an archive: busybox with all its names, and files of yours.

Needs a static busybox at /bin/busybox (on Debian, the package busybox-static). `ctr -n k8s.io images import OUT` loads the archive.
"""
import argparse
import hashlib
import io
import json
import os
import stat
import subprocess
import tarfile

BUSYBOX = "/bin/busybox"
ACCOUNTS = {"etc/passwd": b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
            "etc/group": b"root:x:0:\nnobody:x:65534:\n"}


def entry(tar, path, data=None, link=None, mode=0o755):
    """A file, a link, or a directory."""
    info = tarfile.TarInfo(path)
    info.mode = mode
    if link:
        info.type, info.linkname = tarfile.SYMTYPE, link
    elif data is None:
        info.type = tarfile.DIRTYPE
    else:
        info.size = len(data)
    tar.addfile(info, io.BytesIO(data) if data is not None else None)


def layer(files, busybox):
    """The only layer: a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for folder in ("bin", "etc", "root", "var", "home"):
            entry(tar, folder)
        entry(tar, "tmp", mode=0o1777)
        for path, data in ACCOUNTS.items():
            entry(tar, path, data, mode=0o644)
        if busybox:
            entry(tar, "bin/busybox", read(BUSYBOX))
            for name in sorted(set(subprocess.check_output([BUSYBOX, "--list"], text=True).split()) - {"busybox"}):
                entry(tar, "bin/" + name, link="busybox")
        made = {"bin", "etc", "root", "var", "home", "tmp"}
        for file in files:
            path, local = file.split("=", 1)
            parts = path.strip("/").split("/")
            for depth in range(1, len(parts)):
                folder = "/".join(parts[:depth])
                if folder not in made:
                    made.add(folder)
                    entry(tar, folder)
            entry(tar, "/".join(parts), read(local), mode=stat.S_IMODE(os.stat(local).st_mode))
    return out.getvalue()


def read(path):
    with open(path, "rb") as source:
        return source.read()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="NAME[,NAME]", help="names of the image, such as registry.local/app:1")
    parser.add_argument("out", metavar="OUT", help="the archive")
    parser.add_argument("--file", action="append", default=[], metavar="PATH=LOCAL", help="a file of the image; repeatable")
    parser.add_argument("--entrypoint", metavar="PATH", help="program of the image; the command is its arguments")
    parser.add_argument("--user", default="", metavar="UID", help="user of the processes; default: root")
    parser.add_argument("--no-busybox", action="store_true", help="nothing but your files")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the command, after --")
    options = parser.parse_args()
    content = layer(options.file, not options.no_busybox)
    process = {"Cmd": options.command, "Env": ["PATH=/bin:/"], "User": options.user}
    if options.entrypoint:
        process["Entrypoint"] = [options.entrypoint]
    created = "2026-01-01T00:00:00Z"
    config = json.dumps({"architecture": "amd64", "os": "linux", "created": created, "config": process, "history": [{"created": created}],
                         "rootfs": {"type": "layers", "diff_ids": ["sha256:" + sha256(content)]}}).encode()
    name = sha256(config) + ".json"
    manifest = json.dumps([{"Config": name, "RepoTags": options.names.split(","), "Layers": ["layer.tar"]}]).encode()
    with tarfile.open(options.out, "w") as tar:
        for path, data in ((name, config), ("layer.tar", content), ("manifest.json", manifest)):
            entry(tar, path, data, mode=0o644)


if __name__ == "__main__":
    main()
