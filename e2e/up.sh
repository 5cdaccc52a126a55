#!/usr/bin/env bash
# Starts etcd and kube-apiserver on free ports of loopback, with certificates of their own, and writes a kubeconfig for an
# administrator. Takes some seconds.
#   e2e/up.sh --dir DIR [-- FLAG...]
#     DIR      takes everything: data, certificates, logs, process ids, admin.kubeconfig
#     FLAG...  further flags for kube-apiserver
# The binaries come from KUBEBUILDER_ASSETS, or from kube.sh. `e2e/down.sh --dir DIR` stops it all.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
dir=

cannot() {
    echo "up: $*" >&2
    exit 1
}
while [ $# -gt 0 ]; do
    case $1 in
        --dir)
            dir=${2:-}
            shift 2
            ;;
        --)
            shift
            break
            ;;
        *)
            echo "usage: e2e/up.sh --dir DIR [-- FLAG...]" >&2
            exit 2
            ;;
    esac
done
[ -n "$dir" ] || {
    echo "usage: e2e/up.sh --dir DIR [-- FLAG...]" >&2
    exit 2
}
command -v openssl >/dev/null 2>&1 || cannot "openssl is not installed"
kubectl=${KUBECTL:-kubectl}
command -v "$kubectl" >/dev/null 2>&1 || cannot "kubectl is not installed (set KUBECTL)"
assets=$("$here/kube.sh")
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
[ ! -e "$dir/apiserver.pid" ] || cannot "$dir is in use: e2e/down.sh --dir $dir"

# Everything but the process ids may be left from a run before.
rm -rf "$dir/etcd" "$dir/pki"
mkdir -p -m 700 "$dir/pki"

# --- certificates: one authority signs the server's and the administrator's
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$dir/pki/$1.key"; }
certificate() { # NAME SUBJECT EXTENSIONS
    key "$1"
    openssl req -new -key "$dir/pki/$1.key" -subj "$2" |
        openssl x509 -req -CA "$dir/pki/ca.crt" -CAkey "$dir/pki/ca.key" -set_serial "0x$(openssl rand -hex 8)" -days 3650 \
            -extfile <(printf '%s\n' "$3") -out "$dir/pki/$1.crt" 2>>"$dir/openssl.log"
}
key ca
openssl req -x509 -new -key "$dir/pki/ca.key" -subj /CN=e2e-ca -days 3650 -out "$dir/pki/ca.crt" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
certificate apiserver /CN=kube-apiserver $'extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc'
certificate admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth
openssl genrsa -out "$dir/pki/sa.key" 2048 2>>"$dir/openssl.log"
openssl rsa -in "$dir/pki/sa.key" -pubout -out "$dir/pki/sa.pub" 2>>"$dir/openssl.log"

port=$(free_ports 3)
server=https://127.0.0.1:$port
client=http://127.0.0.1:$((port + 1))
peer=http://127.0.0.1:$((port + 2))

encoded() { base64 <"$1" | tr -d '\n'; }
(
    umask 077
    cat >"$dir/admin.kubeconfig" <<K
apiVersion: v1
kind: Config
current-context: e2e
clusters:
- name: e2e
  cluster:
    server: $server
    certificate-authority-data: $(encoded "$dir/pki/ca.crt")
users:
- name: admin
  user:
    client-certificate-data: $(encoded "$dir/pki/admin.crt")
    client-key-data: $(encoded "$dir/pki/admin.key")
contexts:
- name: e2e
  context:
    cluster: e2e
    user: admin
K
)

# --- the servers; nobody needs them to survive a power cut
start() { # NAME COMMAND...
    local name=$1
    shift
    setsid nohup "$@" >"$dir/$name.log" 2>&1 </dev/null &
    echo $! >"$dir/$name.pid"
}
start etcd "$assets/etcd" --name e2e --data-dir "$dir/etcd" --unsafe-no-fsync --log-level warn \
    --listen-client-urls "$client" --advertise-client-urls "$client" \
    --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "e2e=$peer"
# Without its admission plugin no pod needs a service account, which another controller would have to make.
start apiserver "$assets/kube-apiserver" --etcd-servers="$client" \
    --bind-address=127.0.0.1 --secure-port="$port" --advertise-address=192.0.2.1 \
    --tls-cert-file="$dir/pki/apiserver.crt" --tls-private-key-file="$dir/pki/apiserver.key" \
    --client-ca-file="$dir/pki/ca.crt" --cert-dir="$dir/pki" --authorization-mode=RBAC \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$dir/pki/sa.pub" \
    --service-account-signing-key-file="$dir/pki/sa.key" --service-cluster-ip-range=10.96.0.0/16 \
    --allow-privileged=true --disable-admission-plugins=ServiceAccount "$@"

give_up() {
    tail -n 20 "$dir/etcd.log" "$dir/apiserver.log" >&2
    "$here/down.sh" --dir "$dir"
    cannot "kube-apiserver $1"
}
deadline=$((SECONDS + 90))
until "$kubectl" --kubeconfig "$dir/admin.kubeconfig" --request-timeout=5s get --raw /readyz >/dev/null 2>&1 &&
    "$kubectl" --kubeconfig "$dir/admin.kubeconfig" --request-timeout=5s get namespace default >/dev/null 2>&1; do
    kill -0 "$(cat "$dir/apiserver.pid")" 2>/dev/null || give_up "ended"
    [ $SECONDS -lt $deadline ] || give_up "is not ready after 90 s"
    sleep 0.2
done
echo "up: $server, KUBECONFIG=$dir/admin.kubeconfig"
