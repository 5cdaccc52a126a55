#!/usr/bin/env python3
"""Writes a small container image as an archive: busybox with all its names, and files of yours.

Needs a static busybox at /bin/busybox (on Debian, the package busybox-static). `ctr -n k8s.io images import OUT` loads the archive.
"""
import argparse
import hashlib
import io
import json
import os
import re
import stat
import subprocess
import sys
import tarfile

BUSYBOX = "/bin/busybox"
ACCOUNTS = ["root:0:0", "nobody:65534:65534"]


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


def layer(files, busybox, accounts):
    """The only layer: a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for folder in ("bin", "etc", "root", "var", "home"):
            entry(tar, folder)
        entry(tar, "tmp", mode=0o1777)
        users = [account.split(":") for account in accounts]
        entry(tar, "etc/passwd", "".join("%s:x:%s:%s::/:/bin/sh\n" % tuple(user) for user in users).encode(), mode=0o644)
        entry(tar, "etc/group", "".join("%s:x:%s:\n" % (user[0], user[2]) for user in users).encode(), mode=0o644)
        if busybox:
            entry(tar, "bin/busybox", read(BUSYBOX))
            for name in sorted(set(subprocess.check_output([BUSYBOX, "--list"], text=True).split()) - {"busybox"}):
                entry(tar, "bin/" + name, link="busybox")
        made = {"bin", "etc", "root", "var", "home", "tmp"}
        for path, local in dict(file.split("=", 1) for file in files).items():
            parts = path.strip("/").split("/")
            for depth in range(1, len(parts)):
                folder = "/".join(parts[:depth])
                if folder not in made:
                    made.add(folder)
                    entry(tar, folder)
            entry(tar, "/".join(parts), read(local), mode=stat.S_IMODE(os.stat(local).st_mode))
    return out.getvalue()


def with_libraries(program):
    """A program and the libraries that it is linked with, each at its own path."""
    listed = subprocess.run(["ldd", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
    return ["%s=%s" % (path, path) for path in [program, *re.findall(r"/[^ ]+", listed)]]


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
    parser.add_argument("--program", action="append", default=[], metavar="PATH", help="a program of this machine, with its libraries; repeatable")
    parser.add_argument("--account", action="append", default=[], metavar="NAME:UID:GID", help="a further user; repeatable")
    parser.add_argument("--entrypoint", metavar="PATH", help="program of the image; the command is its arguments")
    parser.add_argument("--user", default="", metavar="UID", help="user of the processes; default: root")
    parser.add_argument("--no-busybox", action="store_true", help="nothing but your files")
    parser.epilog = "The command follows --."
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    files = options.file + [file for program in options.program for file in with_libraries(program)]
    content = layer(files, not options.no_busybox, ACCOUNTS + options.account)
    process = {"Cmd": sys.argv[end + 1:], "Env": ["PATH=/bin:/usr/bin:/usr/local/bin:/"], "User": options.user}
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
