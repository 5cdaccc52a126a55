#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves two operators in Python with `kubeloop simulate`: a correct one, and one that records its work as done before it is.
#   e2e/simulate.sh
# Needs what the build needs, and python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

# check NAME COMMAND...: counts whether the command succeeds
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok $name"
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
}

# simulate NAME BUDGET KINDS ARGUMENT...: runs trials of the operator with the arguments; the exit code is in $code
simulate() {
    local name=$1 budget=$2 kinds=$3
    shift 3
    code=0
    ./kubeloop simulate --operator "python3 e2e/simulate/cards.py $*" --crds e2e/simulate/crd.yaml \
        --workload e2e/simulate/workload --trials "$kinds" --budget "$budget" --calm 300ms \
        --report "$dir/$name.html" --report "$dir/$name.xml" >"$dir/$name.txt" 2>"$dir/$name.err" || code=$?
}

simulate correct 10m crash
check "a correct operator raises no alarm" test "$code" = 0
simulate none 1s crash
check "a budget that ends within the reference fails it" test "$code" = 1
check "the reason is a proposal" grep -q "budget is 1 s: allow more time" "$dir/none.txt"
simulate short 20s crash,missed,answers,stale,combined
check "a budget that runs out is no proof" test "$code" = 3 -o "$code" = 4
check "the first line says so" grep -qE "^(INCOMPLETE: only|BUDGET TOO SMALL: no trial of) " <(head -1 "$dir/short.txt")
tail -1 "$dir/correct.txt"
simulate faulty 90s crash faulty
check "a faulty operator is found" test "$code" = 1
check "the story names the crash" grep -q "killed after \`update cards.example.com/status default/birthday\`" "$dir/faulty.txt"
check "the report for build servers names it" grep -q '<failure message=' "$dir/faulty.xml"
check "the page names it" grep -q '<section>' "$dir/faulty.html"
[ "$failed" = 0 ] || cat "$dir"/*.txt "$dir"/*.err
echo "simulate: $passed passed, $failed failed"
[ "$failed" = 0 ]
