"""Prints the sizes of what a build made, as docs/release.md shows them: sizes.py TREE VERSION. Then a line per limit."""

import pathlib
import sys
import tarfile

tree, version = pathlib.Path(sys.argv[1]), sys.argv[2]
app = tree / "app/target"


def jar(module):
    return (tree / module / f"target/kubeloop-{module}-{version}.jar").stat().st_size


def total(files):
    return sum(file.stat().st_size for file in files if file.is_file())


core = {module: jar(module) for module in ("api-model", "workqueue", "cache")}
libraries = list((app / "lib").iterdir())
ours = [file for file in libraries if file.name.startswith("kubeloop-")] + [app / "kubeloop-app.jar"]
castle = [file for file in libraries if file.name.startswith("bc")]
others = [file for file in libraries if file not in ours and file not in castle]
rows = [(f"`kubeloop-{module}`", size) for module, size in core.items()]
rows += [("these three together", sum(core.values())), ("`kubeloop-runtime`, below two of them", jar("runtime"))]
rows += [("the program: Kubeloop's jars", total(ours)), ("the program: Bouncy Castle", total(castle)),
         ("the program: other libraries", total(others)), ("the program", total(ours + castle + others))]
rows += [("run-time image", total((app / "runtime").rglob("*"))), ("container image", (app / "kubeloop-image.tar").stat().st_size)]
print("| what | MB |")
print("| --- | --- |")
for what, size in rows:
    print(f"| {what} | {size / 1e6:.2f} |")


def check(what, good):
    print("ok  " if good else "FAIL", what)


check("api-model, workqueue and cache together have at most 1 MiB", sum(core.values()) <= 1 << 20)
