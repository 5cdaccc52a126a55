#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs trials of Kubeloop's own controllers: crashes, missed states, stale caches and refusals over the scenarios of
# e2e/world whose steps the control plane in a process can take.
#   e2e/simulate-controllers.sh [REGEX_OF_SCENARIOS [TRIALS_PER_SCENARIO]]
# Needs what the build needs. 20 trials of all scenarios take about half an hour on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scenarios=${1:-.*}
trials=${2:-20}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
mvn -q -B -ntp -Pquick -pl testing/simulation -am test -Dtest=OwnControllersTest -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dtest.jvm=-XX:+UseSerialGC -Dkubeloop.world.scenarios=$scenarios -Dkubeloop.world.trials=$trials" >"$log" 2>&1 || code=$?
reports=testing/simulation/target/surefire-reports
output=$reports/io.kubeloop.simulation.OwnControllersTest-output.txt
[ ! -f "$output" ] || cat "$output"
[ "$code" = 0 ] || tail -40 "$log"
results=$reports/TEST-io.kubeloop.simulation.OwnControllersTest.xml
total=$(sed -n 's/.*<testsuite .* tests="\([0-9]*\)".*/\1/p' "$results")
skipped=$(sed -n 's/.*<testsuite .* skipped="\([0-9]*\)".*/\1/p' "$results")
failed=$(grep -c -e '<failure' -e '<error' "$results" || true)
echo "simulate-controllers: $((total - failed - skipped)) passed, $failed failed, $skipped skipped"
[ "$code" = 0 ] && [ "$failed" = 0 ]
