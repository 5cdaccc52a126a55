#!/usr/bin/env bash
# Compares controllers with those of kube-controller-manager in recorded scenarios, on kube-apiserver and etcd.
#   e2e/world/world.sh run|record|list [options] [SCENARIO.json|DIR...]      default: all of e2e/world/scenarios
# --help lists the options; README.md describes them. Needs Python 3 with its standard library, openssl, and the binaries of kube.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PYTHONPATH=$here/../harness exec python3 -B "$here/lib/world.py" "$@"
