#!/usr/bin/env bash
# Measures our controllers beside kube-controller-manager at scale, on a real kube-apiserver and etcd, and prints Markdown tables.
#   e2e/scale.sh [WORKLOAD...]       workloads: 1x5000, 100x50, services; default: all, three rounds, about ten minutes
# --help tells the options. Needs Python 3 and its standard library. Compare ratios of one run only.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need scale python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version
exec python3 -B "$here/harness/scale.py" "$@"
