#!/usr/bin/env bash
# Runs a command while CoreDNS serves the names of a cluster to its pods, as Service kube-system/kube-dns.
#   KUBECONFIG=FILE e2e/conformance/with-dns.sh COMMAND...
#   e2e/conformance/with-dns.sh --build       builds CoreDNS through the Go module proxy, and prints the path of the program
# CoreDNS runs on this machine, at its first address.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../lib.sh"
version=v1.15.0
program=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/coredns-$version
work=$(mktemp -d)
trap 'stop_background; rm -rf "$work"' EXIT
if [ ! -x "$program" ]; then
    need with-dns go
    note "building CoreDNS; this takes minutes" >&2
    (
        cd "$work"
        export GOFLAGS='-mod=mod -buildvcs=false' CGO_ENABLED=0
        printf 'module kubeloop/coredns\n\ngo 1.26\n\nrequire github.com/coredns/coredns %s\n' "$version" >go.mod
        printf 'package main\n\nimport (\n\t_ "github.com/coredns/coredns/core/plugin"\n\t"github.com/coredns/coredns/coremain"\n)\n\nfunc main() { coremain.Run() }\n' >main.go
        go mod tidy
        go build -ldflags '-s -w' -o "$program" .
    ) >"$work/build.log" 2>&1 || {
        tail -n 5 "$work/build.log" >&2
        exit 1
    }
fi
if [ "$1" = --build ]; then
    echo "$program"
    exit
fi
address=$(hostname -I | cut -d ' ' -f 1)
port=$(free_ports 1)
cat >"$work/Corefile" <<C
.:$port {
    bind $address
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        kubeconfig $KUBECONFIG
        pods insecure
    }
}
C
background coredns "$program" -conf "$work/Corefile"
"${KUBECTL:-kubectl}" apply -f - >/dev/null <<Y
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system, labels: {k8s-app: kube-dns}}
spec:
  clusterIP: 10.96.0.10
  ports: [{name: dns, port: 53, protocol: UDP, targetPort: $port}, {name: dns-tcp, port: 53, protocol: TCP, targetPort: $port}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kube-dns, namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns}}
addressType: IPv4
endpoints: [{addresses: [$address]}]
ports: [{name: dns, port: $port, protocol: UDP}, {name: dns-tcp, port: $port, protocol: TCP}]
Y
"$@"
