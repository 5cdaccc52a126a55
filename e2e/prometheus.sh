#!/usr/bin/env bash
# Scrapes kube-controller-manager and Kubeloop with Prometheus as kube-prometheus does: two endpoints over HTTPS with the token of a service
# account. Each manager runs on a kube-apiserver of its own and does the same work. Compares which alerts are active, which queries find
# series, and the pages /metrics, /statusz and /flagz.
#   e2e/prometheus.sh [--from DIR] [--page]
#     --from DIR   also the rules and the dashboard of a checkout of kube-prometheus, which this project does not contain
#     --page       writes the comparison of the metrics into docs/metrics.md, instead of comparing it with the page
# Installs Debian's package prometheus as root. KUBELOOP is the program, default ./kubeloop of this tree. Takes about three minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
from=
page=
while [ $# -gt 0 ]; do
    case $1 in
        --from)
            from=${2:?prometheus: --from needs a directory}
            shift 2
            ;;
        --page)
            page=--write
            shift
            ;;
        *)
            echo "usage: e2e/prometheus.sh [--from DIR] [--page]" >&2
            exit 2
            ;;
    esac
done
command -v prometheus >/dev/null 2>&1 || install_package prometheus
need prometheus curl python3 promtool
work=$(mktemp -d)
kinds=(original kubeloop)
ended() {
    stop_background
    for kind in "${kinds[@]}"; do "$here/down.sh" --dir "$work/$kind" >/dev/null 2>&1 || true; done
    rm -rf "$work"
}
trap ended EXIT
KUBEBUILDER_ASSETS=$("$here/kube.sh")
export KUBEBUILDER_ASSETS KUBECTL=$KUBEBUILDER_ASSETS/kubectl
kubeloop=${KUBELOOP:-$home/kubeloop}
"$kubeloop" version
k() { "$KUBECTL" --kubeconfig "$work/$kind/admin.kubeconfig" --request-timeout=20s "$@"; }

if [ -n "$from" ]; then
    sed '1,/^spec:/d; s/^  //' "$from/manifests/kubernetesControlPlane-prometheusRule.yaml" >"$work/upstream.yml"
    promtool check rules --lint=none "$work/upstream.yml" | tail -n 1
fi
cp "$here/prometheus/alerts.yml" "$work/alerts.yml"
first=$(free_ports 4)
port() { case $1 in original) echo "$first" ;; *) echo $((first + 1)) ;; esac; }

# The managers run as the administrator, which the default roles of delegated authentication do not restrict.
begin() {
    "$here/up.sh" --dir "$work/$kind"
    k create namespace monitoring >/dev/null
    k create serviceaccount -n monitoring prometheus >/dev/null
    k create clusterrole prometheus --verb=get --non-resource-url=/metrics,/metrics/slis >/dev/null
    k create clusterrolebinding prometheus --clusterrole=prometheus --serviceaccount=monitoring:prometheus >/dev/null
    k create token -n monitoring prometheus --duration=1h >"$work/$kind.token"
    local config=$work/$kind/admin.kubeconfig program
    case $kind in
        original) program=("$KUBEBUILDER_ASSETS/kube-controller-manager") ;;
        *) program=("$kubeloop" controller-manager) ;;
    esac
    background "manager-$kind" "${program[@]}" --kubeconfig "$config" --authentication-kubeconfig "$config" --authorization-kubeconfig "$config" \
        --bind-address 127.0.0.1 --secure-port "$(port "$kind")" --cert-dir "$work/$kind" --use-service-account-credentials \
        --leader-elect-lease-duration=120s --leader-elect-renew-deadline=100s \
        --service-account-private-key-file="$work/$kind/pki/sa.key" --root-ca-file="$work/$kind/pki/ca.crt" \
        --cluster-signing-cert-file="$work/$kind/pki/ca.crt" --cluster-signing-key-file="$work/$kind/pki/ca.key" \
        --authorization-always-allow-paths=/healthz,/metrics,/statusz,/flagz
    background "kubelet-$kind" "$kubeloop" kubelet --kubeconfig "$config" --nodes 2
    local web=$((first + 2))
    [ "$kind" = original ] || web=$((first + 3))
    cat >"$work/$kind.yml" <<EOF
global: {scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}
rule_files: ["$work/alerts.yml"$([ -z "$from" ] || printf ', "%s"' "$work/upstream.yml")]
scrape_configs:
$(for path in /metrics /metrics/slis; do
        printf '  - job_name: "%s"\n    metrics_path: %s\n    scheme: https\n    authorization: {credentials_file: "%s"}\n' \
            "$path" "$path" "$work/$kind.token"
        printf '    tls_config: {insecure_skip_verify: true}\n    scrape_interval: %s\n    scrape_timeout: 1s\n' \
            "$([ "$path" = /metrics ] && echo 2s || echo 1s)"
        printf '    static_configs: [{targets: ["127.0.0.1:%s"], labels: {job: kube-controller-manager}}]\n' "$(port "$kind")"
        printf '    relabel_configs: [{source_labels: [__metrics_path__], target_label: metrics_path}]\n'
    done)
EOF
    background "prometheus-$kind" prometheus --config.file="$work/$kind.yml" --storage.tsdb.path="$work/$kind-data" \
        --web.listen-address="127.0.0.1:$web"
    echo "http://127.0.0.1:$web" >"$work/$kind.url"
}
scrape() { # PAGE: as the administrator's pages, without a token where that is allowed
    curl -ksSf "https://127.0.0.1:$(port "$kind")/$1"
}
# The original counts checks of its health when a kubelet asks for them.
probe() { scrape healthz >/dev/null; }
leads() { scrape metrics | grep -c '^leader_election_master_status.* 1'; }
answers() { curl -sSf --get "$(cat "$work/$kind.url")/api/v1/query" --data-urlencode "query=$1"; }
series() { answers 'count(up)' | python3 -c 'import json, sys; print(*[each["value"][1] for each in json.load(sys.stdin)["data"]["result"]])'; }

load() {
    k apply -f "$here/prometheus/work.yaml" >/dev/null
    k wait --for=condition=Complete job/batch --timeout=60s >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    k scale deployment web --replicas=1 >/dev/null
    k set image deployment/web main=example.com/app:2 >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    k delete statefulset db >/dev/null
    k create namespace passing >/dev/null
    k create configmap -n passing one >/dev/null
    k delete namespace passing --timeout=60s >/dev/null
}

says() { # WHAT COMMAND...: a check that also shows what the command prints
    local what=$1 code=0
    shift
    "$@" >"$work/said" 2>&1 || code=$?
    cat "$work/said"
    holds "$what" [ "$code" = 0 ]
}

for kind in "${kinds[@]}"; do
    begin
    PATIENCE=90 eventually "$kind leads" 1 leads
    holds "the $kind is well" probe
    eventually "Prometheus scrapes both endpoints of the $kind" 2 series
    sleep 5
    scrape metrics >"$work/$kind.start"
    holds "the $kind does the work" load
    for _ in 1 2 3 4 5 6; do
        sleep 2
        probe
    done
    scrape metrics >"$work/$kind.end"
    for each in statusz flagz; do holds "$kind: /$each" scrape "$each"; done
    answers up >"$work/$kind.up"
    curl -sSf "$(cat "$work/$kind.url")/api/v1/rules?type=alert" >"$work/$kind.alerts"
    python3 "$here/harness/prometheus_queries.py" ask "$(cat "$work/$kind.url")" "$here/prometheus/queries.tsv" $from >"$work/$kind.queries"
done
says "every scrape succeeds" python3 "$here/harness/prometheus_queries.py" up "$work/original.up" "$work/kubeloop.up"
note "alerts that are pending or firing, and series that queries find"
says "the same alerts are active" python3 "$here/harness/prometheus_queries.py" alerts "$work/original.alerts" "$work/kubeloop.alerts"
says "the same queries find series" python3 "$here/harness/prometheus_queries.py" compare "$work/original.queries" "$work/kubeloop.queries"
says "docs/metrics.md has the comparison of the metrics" python3 "$here/harness/metrics_page.py" $page "$home/docs/metrics.md" \
    "$work/original.start" "$work/original.end" "$work/kubeloop.start" "$work/kubeloop.end"
printf 'prometheus: ' && summary
