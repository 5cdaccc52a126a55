#!/usr/bin/env bash
# Has services and sets come and go on a real kube-apiserver, each under a new name, and looks whether the controller manager forgets them:
# live heap, threads and open files must not grow with what is gone.
#   e2e/soak.sh [--minutes N]        default: 30
#   e2e/soak.sh --trees              namespaces, trees of owners and custom resource definitions instead
# --help tells the options. Needs Python 3 and its standard library, and the JDK's jcmd.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
need soak python3
find_kubectl
export KUBECTL
"$(dirname "$here")/kubeloop" version
exec python3 -B "$here/harness/soak.py" "$@"
