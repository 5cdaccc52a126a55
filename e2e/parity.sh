#!/usr/bin/env bash
# Runs parity scenarios: our controllers against what kube-controller-manager left behind in the same situations.
#   e2e/parity.sh [real | embedded | all] [SCENARIO...]     default: all servers, all scenarios of e2e/parity
# real is kube-apiserver and etcd (found or built by kube.sh); embedded is `kubeloop apiserver`. Ends with a Markdown table.
# --help tells the options, --list the scenarios. Needs Python 3 and its standard library.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need parity python3
find_kubectl
export KUBECTL
exec python3 -B "$here/harness/parity.py" "$@"
