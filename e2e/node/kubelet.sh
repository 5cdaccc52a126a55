#!/usr/bin/env bash
# A real node on this machine: containerd, runc and a kubelet, for any API server. Several nodes can run side by side.
#   e2e/node/kubelet.sh up --dir DIR --kubeconfig FILE [OPTION...]
#     --kubeconfig FILE    the kubelet's credentials; with --bootstrap, only those for its first certificate request
#     --bootstrap          the kubelet requests its certificates and rotates them
#     --client-ca FILE     serves the kubelet's API to clients of this authority, on every address; default: to everyone, on loopback
#     --name NAME          the node's name; default node-1
#     --port N             the kubelet's port; default 10250
#     --subnet CIDR        addresses of pods; default: the range in the node's spec.podCIDR, which node-ipam-controller assigns
#     --image FILE         an image to load, as an archive; repeatable
#   e2e/node/kubelet.sh stop --dir DIR      ends the kubelet alone: the node is lost, and its containers run on
#   e2e/node/kubelet.sh start --dir DIR     starts it again
#   e2e/node/kubelet.sh down --dir DIR      ends kubelet, containers and containerd, and removes what they left outside of DIR
# Needs root. On Debian the script installs containerd, runc, iptables and busybox. kube.sh builds the kubelet; the network plugins come
# through the Go module proxy. The image registry.local/app:1 is busybox. DIR must be absolute, and short: it contains sockets.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plugins_version=v1.9.1

usage() {
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}
cannot() {
    echo "kubelet: $*" >&2
    exit 1
}
verb=${1:-}
shift || true
dir='' kubeconfig='' bootstrap='' client_ca='' name=node-1 port=10250 subnet='' images=()
while [ $# -gt 0 ]; do
    case $1 in
        --bootstrap)
            bootstrap=yes
            shift
            ;;
        --dir | --kubeconfig | --client-ca | --name | --port | --subnet | --image)
            [ $# -gt 1 ] || usage
            case $1 in
                --dir) dir=$2 ;;
                --kubeconfig) kubeconfig=$2 ;;
                --client-ca) client_ca=$2 ;;
                --name) name=$2 ;;
                --port) port=$2 ;;
                --subnet) subnet=$2 ;;
                --image) images+=("$2") ;;
            esac
            shift 2
            ;;
        *) usage ;;
    esac
done
case $dir in /*) ;; *) usage ;; esac

ctr() { command ctr -a "$dir/containerd.sock" -n k8s.io "$@"; }
# run NAME COMMAND...: in the background, until end NAME.
run() {
    local process=$1
    shift
    setsid nohup "$@" >>"$dir/$process.log" 2>&1 </dev/null &
    echo $! >"$dir/$process.pid"
}
end() {
    local pid
    [ -s "$dir/$1.pid" ] || return 0
    pid=$(cat "$dir/$1.pid")
    rm -f "$dir/$1.pid"
    kill "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
}
start_kubelet() {
    mapfile -t command <"$dir/kubelet.command"
    run kubelet "${command[@]}"
}

tools() {
    local package
    for package in containerd runc iptables; do
        command -v "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [ -x /bin/busybox ] || missing+=(busybox-static)
    if [ ${#missing[@]} -gt 0 ]; then
        echo "kubelet: installing ${missing[*]}" >&2
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1 ||
            cannot "cannot install ${missing[*]}"
    fi
    assets=$("$here/../kube.sh" kubelet)
    plugins=${XDG_CACHE_HOME:-$HOME/.cache}/kubeloop/cni-$plugins_version
    for plugin in main/bridge main/loopback ipam/host-local meta/portmap; do
        [ -x "$plugins/${plugin#*/}" ] ||
            CGO_ENABLED=0 GOBIN=$plugins go install "github.com/containernetworking/plugins/plugins/$plugin@$plugins_version" >&2 ||
            cannot "the network plugin $plugin did not build"
    done
}

# network CIDR: the configuration of the pods' network, a bridge of this node.
network() {
    cat <<C
{"cniVersion": "1.0.0", "name": "$name", "plugins": [
  {"type": "bridge", "bridge": "$bridge", "isGateway": true, "hairpinMode": true, "ipMasq": true,
   "ipam": {"type": "host-local", "dataDir": "$dir/addresses", "ranges": [[{"subnet": "$1"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
C
}

# cgroups VERB: makes or removes the node's own groups. Kubelets that share a root end each other's pods.
cgroups() {
    local root group
    for root in /sys/fs/cgroup /sys/fs/cgroup/*/; do
        root=${root%/}
        [ -e "$root/cgroup.procs" ] && [ "$root" != /sys/fs/cgroup/unified ] || continue
        group=$root/kubeloop-$name
        if [ "$1" = make ]; then
            mkdir -p "$group"
            [ ! -e "$group/cpuset.cpus" ] || [ ! -e "$root/cpuset.mems" ] || for file in cpus mems; do cat "$root/cpuset.$file" >"$group/cpuset.$file"; done
            [ ! -e "$root/cgroup.subtree_control" ] || sed 's/\(^\| \)/\1+/g' "$group/cgroup.controllers" >"$root/cgroup.subtree_control"
        elif [ -d "$group" ]; then
            find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
        fi
        [ ! -e "$root/cgroup.controllers" ] || break
    done
}

up() {
    [ -n "$kubeconfig" ] || usage
    [ ! -e "$dir/kubelet.pid" ] || cannot "$dir is in use: e2e/node/kubelet.sh down --dir $dir"
    missing=()
    tools
    mkdir -p "$dir"/{root,state,cni,kubelet,logs,pki}
    bridge=kl-$(printf %s "$name" | cksum | cut -c 1-8)
    sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.conf.all.route_localnet=1
    # Rules of kube-proxy apply to the traffic inside a bridge, too.
    [ ! -e /proc/sys/net/bridge/bridge-nf-call-iptables ] || sysctl -q -w net.bridge.bridge-nf-call-iptables=1
    # Without CAP_SYS_RESOURCE, as in some containers and virtual machines, no process may lower its oom_score_adj.
    restrict=false
    capsh=$(sed -n 's/^CapEff:\t//p' /proc/self/status)
    [ $((0x$capsh >> 24 & 1)) = 1 ] || restrict=true
    cat >"$dir/containerd.toml" <<T
version = 2
root = "$dir/root"
state = "$dir/state"
[grpc]
  address = "$dir/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.local/app:1"
  restrict_oom_score_adj = $restrict
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$plugins"
    conf_dir = "$dir/cni"
    conf_template = "$dir/network.template"
T
    network '{{.PodCIDR}}' >"$dir/network.template"
    [ -z "$subnet" ] || network "$subnet" >"$dir/cni/10-bridge.conflist"
    run containerd containerd --config "$dir/containerd.toml"
    for _ in $(seq 100); do
        ctr version >/dev/null 2>&1 && break
        kill -0 "$(cat "$dir/containerd.pid")" 2>/dev/null || break
        sleep 0.1
    done
    python3 -B "$here/image.py" registry.local/app:1 "$dir/app.tar" -- /bin/sleep infinity
    for image in "$dir/app.tar" ${images[@]+"${images[@]}"}; do
        ctr images import "$image" >/dev/null || cannot "containerd does not load $image: $(tail -n 1 "$dir/containerd.log")"
    done

    cgroups make
    access='authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
address: 127.0.0.1'
    rotate=false
    [ -z "$bootstrap" ] || rotate=true
    [ -z "$client_ca" ] || access="authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $client_ca}}
authorization: {mode: Webhook}"
    cat >"$dir/kubelet.yaml" <<T
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
containerRuntimeEndpoint: unix://$dir/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /kubeloop-$name
failCgroupV1: false
failSwapOn: false
$access
port: $port
healthzPort: 0
rotateCertificates: $rotate
serverTLSBootstrap: $rotate
nodeStatusUpdateFrequency: 5s
localStorageCapacityIsolation: false
podLogsDir: $dir/logs
resolvConf: $dir/resolv.conf
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
T
    : >"$dir/resolv.conf"
    {
        printf '%s\n' "$assets/kubelet" --config "$dir/kubelet.yaml" --root-dir "$dir/kubelet" --cert-dir "$dir/pki" \
            "--hostname-override=$name" --v=2
        if [ -n "$bootstrap" ]; then
            printf '%s\n' "--bootstrap-kubeconfig=$kubeconfig" "--kubeconfig=$dir/kubeconfig"
        else
            echo "--kubeconfig=$kubeconfig"
        fi
    } >"$dir/kubelet.command"
    start_kubelet
}

down() {
    end kubelet
    for _ in 1 2 3; do
        for task in $(ctr tasks ls -q 2>/dev/null); do ctr tasks kill -s SIGKILL "$task" 2>/dev/null || true; done
        sleep 0.5
        for task in $(ctr tasks ls -q 2>/dev/null); do ctr tasks rm -f "$task" >/dev/null 2>&1 || true; done
        [ -n "$(ctr tasks ls -q 2>/dev/null)" ] || break
    done
    end containerd
    awk -v dir="$dir/" 'index($2, dir) == 1 {print $2}' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount" || true; done
    for link in $(find /var/log/containers -lname "$dir/*" 2>/dev/null); do rm -f "$link"; done
    name=$(sed -n 's/^--hostname-override=//p' "$dir/kubelet.command")
    ip link delete "kl-$(printf %s "$name" | cksum | cut -c 1-8)" 2>/dev/null || true
    cgroups remove
    # Containers that were killed leave their rules and network namespaces. The last node removes them, and the kubelets' rules.
    if ! ip -o link show type bridge | grep -q ': kl-'; then
        iptables-save 2>/dev/null | grep -vE 'KUBE-|CNI-' | iptables-restore 2>/dev/null || true
        for namespace in /var/run/netns/cni-*; do
            [ ! -e "$namespace" ] || ip netns delete "${namespace##*/}" 2>/dev/null || true
        done
    fi
}

case $verb in
    up) up ;;
    down) down ;;
    start) start_kubelet ;;
    stop) end kubelet ;;
    *) usage ;;
esac
