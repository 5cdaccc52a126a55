#!/usr/bin/env bash
# Runs one suite of Kubernetes' command-line tests in a process of its own; test-cmd.sh starts it in its copy of the tests.
#   suite.sh SUITE      a function of the tests, or "inline": the checks between the suites
# Reads SECURE_API_PORT, TMPDIR, and KUBE_TEMP, a fresh directory. Exits 0 if the suite passes.
chosen=$1 # the tests have a variable "suite"

# The binaries are built, and colors have no use in a log.
make() { :; }
tput() { :; }
. hack/lib/init.sh
. hack/lib/test.sh
. test/cmd/legacy-script.sh
kube::etcd::start() { :; }
kube::etcd::cleanup() { :; }

# Replaces the function that the tests call for each suite.
record_command() {
    local code
    [ "$chosen" != inline ] || return 0
    set +o errexit +o nounset
    ("$chosen")
    code=$?
    set -o errexit -o nounset
    [ "$code" = 0 ] || foundError=$chosen
}

setup
export SUPPORTED_RESOURCES=("*")
[ "$chosen" = inline ] || {
    create_and_use_new_namespace
    WHAT=$chosen
}
runTests
