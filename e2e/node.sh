#!/usr/bin/env bash
# Runs controller managers in a cluster with real nodes: two kubelets, whose containers run on this machine, and kube-scheduler. Scenarios
# check what an operator expects, and the states and events at their ends are compared with those of kube-controller-manager.
#   e2e/node.sh [CLUSTER...]        default: original kubeloop embedded; the first is what the others are compared with
#     original                      kube-controller-manager on kube-apiserver
#     kubeloop                      this project's controllers on kube-apiserver
#     embedded                      this project's controllers on `./kubeloop apiserver`
# --help lists the options. Needs root, because the nodes need it; README.md has the rest. The binaries come from kube.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PYTHONPATH=$here/harness:$here/world/lib exec python3 -B "$here/node/node.py" "$@"
