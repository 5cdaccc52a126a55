#!/usr/bin/env bash
# Trials of operators that others wrote, unmodified, by `./kubeloop simulate` and in this process (docs/prove-your-operator.md):
#   e2e/operators.sh [--budget SECONDS] [--keep DIR] [NAME...]
#     names      josdk (three reconcilers of its sample WebPage, in one JVM), memcached (controller-runtime), kopf (its example of children),
#                documents (kube-rs); default: all
#     --budget   time for the trials of one operator; default 120
#     --keep     leaves the reports in DIR
# Their sources are cloned at the tags below, or come from folders of these names in OPERATOR_SOURCES, and are built with the tools of their
# languages in $XDG_CACHE_HOME/kubeloop/operators. An operator passes when its trials ran: findings are printed, not judged.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need operators git
budget=120 keep= names=()
while [ $# -gt 0 ]; do
    case $1 in
        --budget | --keep)
            declare "${1#--}=${2:?operators: $1 needs a value}"
            shift
            ;;
        -*)
            echo "usage: e2e/operators.sh [--budget SECONDS] [--keep DIR] [NAME...]" >&2
            exit 2
            ;;
        *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || names=(josdk memcached kopf documents)
work=$(mktemp -d)
trap '[ -z "$keep" ] || { mkdir -p "$keep" && cp "$work"/*.txt "$work"/*.log "$keep/"; }; rm -rf "$work"' EXIT
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/operators
mkdir -p "$cache"

# source_of OWNER/NAME TAG: prints the folder with the sources
source_of() {
    local dir=${OPERATOR_SOURCES:+$OPERATOR_SOURCES/${1#*/}}
    if [ -z "$dir" ]; then
        dir=$cache/${1#*/}-$2
        [ -d "$dir" ] || git -c advice.detachedHead=false clone -q --depth 1 --branch "$2" "https://github.com/$1" "$dir" || return
    fi
    echo "$dir"
}

# simulate NAME DEFINITIONS COMMAND [ARGUMENT...]: runs trials of a program; prints what `result` reads
simulate() {
    local name=$1 definitions=$2 command=$3
    shift 3
    "$home/kubeloop" simulate --operator "$command" --crds "$definitions" --workload "$here/operators/$name" --budget "${budget}s" \
        --report "$work/$name.txt" "$@" >/dev/null
    [ -s "$work/$name.txt" ]
}

operator_josdk() {
    local dir=$cache/josdk sources
    sources=$(source_of operator-framework/java-operator-sdk v5.2.3) || return
    rm -rf "$dir"
    mkdir -p "$dir/src"
    cp -R "$here/operators/josdk/." "$dir/"
    cp -R "$sources/sample-operators/webpage/src/main" "$dir/src/"
    borrow_repository "$work/repository"
    (cd "$home" && mvn -q -B -ntp -Pquick -DskipTests -Dmaven.repo.local="$work/repository" -pl testing/simulation -am install) || return
    (cd "$dir" && mvn -q -B -ntp -Dmaven.repo.local="$work/repository" "-DargLine=-XX:TieredStopAtLevel=1 -Dbudget=$budget" test)
    return_repository "$work/repository"
    cp "$dir"/target/*.txt "$work/"
}

operator_memcached() {
    local sources
    sources=$(source_of kubernetes-sigs/kubebuilder v4.9.0)/docs/book/src/getting-started/testdata/project || return
    (cd "$sources" && CGO_ENABLED=0 go build -buildvcs=false -o "$cache/memcached" ./cmd) || return
    simulate memcached "$sources/config/crd/bases" "$cache/memcached --metrics-bind-address=0 --health-probe-bind-address=0" \
        --calm 200ms
}

operator_kopf() {
    local sources
    sources=$(source_of nolar/kopf 1.44.6) || return
    [ -x "$cache/kopf/bin/kopf" ] || python3 -m venv "$cache/kopf" || return
    "$cache/kopf/bin/pip" install -q --disable-pip-version-check 'kopf==1.45.2' pykube-ng pyyaml || return
    simulate kopf-children "$sources/examples/crd.yaml" "$cache/kopf/bin/kopf run --standalone -n default $sources/examples/02-children/example.py"
}

operator_documents() {
    local sources
    sources=$(source_of kube-rs/controller-rs 0.16.0) || return
    (cd "$sources" && CARGO_TARGET_DIR=$cache/documents cargo build --quiet --locked) || return
    simulate documents "$sources/yaml/crd.yaml" "$cache/documents/debug/controller" --calm 200ms
}

for name in "${names[@]}"; do
    declare -F "operator_$name" >/dev/null || {
        echo "operators: no operator $name" >&2
        exit 2
    }
    note "$name"
    if "operator_$name" >"$work/$name.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        tail -n 20 "$work/$name.log"
    fi
done
for report in "$work"/*.txt; do
    [ -s "$report" ] && echo "$(basename "$report" .txt): $(grep -E '^[0-9]+ trials of' "$report")"
done
printf 'operators: ' && summary
