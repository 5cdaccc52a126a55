#!/usr/bin/env bash
# Generates scenarios and compares what kube-controller-manager and our controllers leave behind in them, on a real kube-apiserver.
#   e2e/differential.sh [--count N] [--seed S]      default: 24 scenarios, others each time
#   e2e/differential.sh --kinds [deployment|statefulset|daemonset|job|cronjob|disruption|endpointslice]...
#                                              the controllers of workloads, 10 scenarios of each
#   e2e/differential.sh --owners [owners|race|namespace|quota|devices|account|volumes]...
#                                              owners and dependents, namespaces, quotas, service accounts and volumes, likewise
#   e2e/differential.sh --nodes [taints|zones|binding|attachments|claims|devices]...
#                                              nodes, volumes and device claims, likewise
# --help tells the options (--kinds --help, --owners --help and --nodes --help the others). Needs Python 3 and its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need differential python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version
suite=differential
[ "${1:-}" != --kinds ] || suite=workloads
[ "${1:-}" != --owners ] || suite=owners
[ "${1:-}" != --nodes ] || suite=nodes
PYTHONPATH=$here/world/lib exec python3 -B "$here/harness/$suite.py" "$@"
