#!/usr/bin/env bash
# Starts etcd and kube-apiserver on free ports of loopback, with certificates of their own, and writes a kubeconfig for an
# administrator. Takes some seconds.
#   e2e/up.sh --dir DIR [--embedded] [--for-nodes] [-- FLAG...]
#     DIR          takes everything: data, certificates, logs, process ids, admin.kubeconfig
#     --embedded   starts `./kubeloop apiserver` instead of both
#     --for-nodes  lets kubelets join with DIR/bootstrap.kubeconfig: the server listens on the first address of this machine, so that
#                  pods reach it, gives pods service accounts, which a controller must make, and connects to kubelets
#     FLAG...      further flags for the API server
# The binaries come from KUBEBUILDER_ASSETS, or from kube.sh. `e2e/down.sh --dir DIR` stops it all.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
dir=
embedded=
nodes=

cannot() {
    echo "up: $*" >&2
    exit 1
}
usage() {
    echo "usage: e2e/up.sh --dir DIR [--embedded] [--for-nodes] [-- FLAG...]" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
        --dir)
            dir=${2:-}
            shift 2
            ;;
        --embedded)
            embedded=yes
            shift
            ;;
        --for-nodes)
            nodes=yes
            shift
            ;;
        --)
            shift
            break
            ;;
        *) usage ;;
    esac
done
[ -n "$dir" ] || usage
command -v openssl >/dev/null 2>&1 || cannot "openssl is not installed"
kubectl=${KUBECTL:-kubectl}
command -v "$kubectl" >/dev/null 2>&1 || cannot "kubectl is not installed (set KUBECTL)"
[ -n "$embedded" ] || assets=$("$here/kube.sh")
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
[ ! -e "$dir/apiserver.pid" ] || cannot "$dir is in use: e2e/down.sh --dir $dir"

# Everything but the process ids may be left from a run before.
rm -rf "$dir/etcd" "$dir/pki"
mkdir -p -m 700 "$dir/pki"

address=127.0.0.1
[ -z "$nodes" ] || address=$(hostname -I | cut -d ' ' -f 1)

# --- certificates: one authority signs the server's and the administrator's
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out "$dir/pki/$1.key"; }
certificate() { # NAME SUBJECT EXTENSIONS
    key "$1"
    openssl req -new -key "$dir/pki/$1.key" -subj "$2" |
        openssl x509 -req -CA "$dir/pki/ca.crt" -CAkey "$dir/pki/ca.key" -set_serial "0x$(openssl rand -hex 8)" -days 3650 \
            -extfile <(printf '%s\n' "$3") -out "$dir/pki/$1.crt" 2>>"$dir/openssl.log"
}
key ca
openssl req -x509 -new -key "$dir/pki/ca.key" -subj /CN=e2e-ca -days 3650 -out "$dir/pki/ca.crt" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
names=IP:127.0.0.1,IP:$address,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default,DNS:kubernetes.default.svc
certificate apiserver /CN=kube-apiserver $'extendedKeyUsage=serverAuth\nsubjectAltName='"$names"
certificate admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth
openssl genrsa -out "$dir/pki/sa.key" 2048 2>>"$dir/openssl.log"
openssl rsa -in "$dir/pki/sa.key" -pubout -out "$dir/pki/sa.pub" 2>>"$dir/openssl.log"

port=$(free_ports 3)
server=https://$address:$port
client=http://127.0.0.1:$((port + 1))
peer=http://127.0.0.1:$((port + 2))

encoded() { base64 <"$1" | tr -d '\n'; }
kubeconfig() { # NAME CREDENTIALS
    cat >"$dir/$1.kubeconfig" <<K
apiVersion: v1
kind: Config
current-context: e2e
clusters:
- name: e2e
  cluster:
    server: $server
    certificate-authority-data: $(encoded "$dir/pki/ca.crt")
users:
- name: $1
  user: $2
contexts:
- name: e2e
  context:
    cluster: e2e
    user: $1
K
}
umask 077
kubeconfig admin "{client-certificate-data: $(encoded "$dir/pki/admin.crt"), client-key-data: $(encoded "$dir/pki/admin.key")}"
token=$(openssl rand -hex 16)
kubeconfig bootstrap "{token: $token}"
echo "$token,kubelet-bootstrap,1,\"system:bootstrappers\"" >"$dir/pki/tokens.csv"

# --- the servers; nobody needs them to survive a power cut
start() { # NAME COMMAND...
    local name=$1
    shift
    setsid nohup "$@" >"$dir/$name.log" 2>&1 </dev/null &
    echo $! >"$dir/$name.pid"
}
flags=(--bind-address="$address" --tls-cert-file="$dir/pki/apiserver.crt" --tls-private-key-file="$dir/pki/apiserver.key"
    --client-ca-file="$dir/pki/ca.crt" --service-account-issuer=https://kubernetes.default.svc
    --service-account-signing-key-file="$dir/pki/sa.key" --service-cluster-ip-range=10.96.0.0/16)
if [ -n "$nodes" ]; then
    flags+=(--token-auth-file="$dir/pki/tokens.csv" --kubelet-certificate-authority="$dir/pki/ca.crt"
        --kubelet-client-certificate="$dir/pki/admin.crt" --kubelet-client-key="$dir/pki/admin.key"
        --kubelet-preferred-address-types=InternalIP)
else
    # Without its admission plugin no pod needs a service account, which another controller would have to make.
    flags+=(--disable-admission-plugins=ServiceAccount)
fi
if [ -n "$embedded" ]; then
    # The controllers delete dependents and contents of namespaces, as with kube-apiserver.
    start apiserver "$here/../kubeloop" apiserver --port="$port" --enable-garbage-collector=false "${flags[@]}" "$@"
    limit=900 # the first start builds
else
    if [ -n "$nodes" ]; then
        flags+=(--authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --advertise-address="$address")
    else
        flags+=(--authorization-mode=RBAC --advertise-address=192.0.2.1)
    fi
    start etcd "$assets/etcd" --name e2e --data-dir "$dir/etcd" --unsafe-no-fsync --log-level warn \
        --listen-client-urls "$client" --advertise-client-urls "$client" \
        --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "e2e=$peer"
    start apiserver "$assets/kube-apiserver" --etcd-servers="$client" --secure-port="$port" --cert-dir="$dir/pki" \
        --service-account-key-file="$dir/pki/sa.pub" --allow-privileged=true "${flags[@]}" "$@"
    limit=90
fi

give_up() {
    tail -n 20 "$dir"/*.log >&2
    "$here/down.sh" --dir "$dir"
    cannot "the API server $1"
}
admin() { "$kubectl" --kubeconfig "$dir/admin.kubeconfig" --request-timeout=5s "$@" >/dev/null; }
deadline=$((SECONDS + limit))
until { admin get --raw /readyz && admin get namespace default; } 2>/dev/null; do
    kill -0 "$(cat "$dir/apiserver.pid")" 2>/dev/null || give_up "ended"
    [ $SECONDS -lt $deadline ] || give_up "is not ready after $limit s"
    sleep 0.2
done

# --- who may ask for a certificate of a node, and renew it, as kubeadm sets it up
if [ -n "$nodes" ]; then
    signer=system:certificates.k8s.io:certificatesigningrequests
    admin create clusterrolebinding e2e:bootstrap --clusterrole=system:node-bootstrapper --group=system:bootstrappers
    admin create clusterrolebinding e2e:approve-bootstrap --clusterrole=$signer:nodeclient --group=system:bootstrappers
    admin create clusterrolebinding e2e:approve-rotation --clusterrole=$signer:selfnodeclient --group=system:nodes
    # The embedded server has no authorizer of its own for nodes.
    [ -z "$embedded" ] || admin create clusterrolebinding e2e:nodes --clusterrole=system:node --group=system:nodes
fi
echo "up: $server, KUBECONFIG=$dir/admin.kubeconfig"
