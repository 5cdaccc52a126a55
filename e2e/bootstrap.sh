#!/usr/bin/env bash
# TLS bootstrap of a kubelet with the approver and the signer of the controller manager, on a real kube-apiserver, as far as it needs no
# node: token, first client certificate, rotation, serving certificates by policy, expired tokens, the signed cluster-info.
#   e2e/bootstrap.sh
# KUBELOOP is the program, default ./kubeloop of this tree; MANAGER=original runs kube-controller-manager instead. Takes a minute.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$(dirname "$here")
. "$here/lib.sh"
need bootstrap openssl
work=$(mktemp -d)
kube=$work/kube
trap 'stop_background; "$here/down.sh" --dir "$kube" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
assets=$("$here/kube.sh")
KUBECTL=$assets/kubectl
export KUBECTL
KUBEBUILDER_ASSETS=$assets "$here/up.sh" --dir "$kube" -- --enable-bootstrap-token-auth=true
export KUBECONFIG=$kube/admin.kubeconfig
k() { "$KUBECTL" --request-timeout=10s "$@"; }
flags=(--kubeconfig "$KUBECONFIG" --secure-port=0 --cert-dir="$work" --leader-elect=false --use-service-account-credentials
    --service-account-private-key-file="$kube/pki/sa.key" --root-ca-file="$kube/pki/ca.crt" --cluster-signing-duration=24h
    --cluster-signing-cert-file="$kube/pki/ca.crt" --cluster-signing-key-file="$kube/pki/ca.key"
    --controllers='*,bootstrapsigner,tokencleaner')
if [ "${MANAGER:-}" = original ]; then
    background manager "$assets/kube-controller-manager" "${flags[@]}"
else
    background manager "${KUBELOOP:-$home/kubeloop}" controller-manager "${flags[@]}"
fi

note "a bootstrap token, and what kubeadm allows its group"
group=system:bootstrappers:kubeadm:default-node-token
token() { # ID EXPIRATION
    k create -f - >/dev/null <<T
apiVersion: v1
kind: Secret
metadata: {name: bootstrap-token-$1, namespace: kube-system}
type: bootstrap.kubernetes.io/token
stringData: {token-id: "$1", token-secret: 0123456789abcdef, expiration: "$2", usage-bootstrap-authentication: "true", usage-bootstrap-signing: "true", auth-extra-groups: $group}
T
}
token abcdef "$(date -u -d '+1 hour' +%FT%TZ)"
token 012345 "$(date -u -d '-1 hour' +%FT%TZ)"
k create clusterrolebinding join --clusterrole=system:node-bootstrapper --group=$group >/dev/null
k create clusterrolebinding approve-join --clusterrole=system:certificates.k8s.io:certificatesigningrequests:nodeclient --group=$group >/dev/null
k create clusterrolebinding approve-rotation --clusterrole=system:certificates.k8s.io:certificatesigningrequests:selfnodeclient --group=system:nodes >/dev/null
k create clusterrole request --verb=create,get --resource=certificatesigningrequests.certificates.k8s.io >/dev/null
k create clusterrolebinding request --clusterrole=request --group=system:nodes >/dev/null
k -n kube-public create configmap cluster-info --from-file=kubeconfig="$KUBECONFIG" >/dev/null
PATIENCE=60 eventually "an expired token is deleted" "" sh -c "'$KUBECTL' -n kube-system get secret bootstrap-token-012345 --ignore-not-found -o name"
eventually "cluster-info is signed with the token" yes sh -c "'$KUBECTL' -n kube-public get configmap cluster-info -o 'jsonpath={.data.jws-kubeconfig-abcdef}' | grep -q '\.\.' && echo yes"

request() { # NAME SUBJECT SIGNER USAGES [EXTENSION]: a CertificateSigningRequest
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "$2" ${5:+-addext "$5"} -keyout "$work/$1.key" -out "$work/$1.csr" 2>/dev/null
    printf 'apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: %s}\nspec: {request: %s, signerName: kubernetes.io/%s, usages: [%s]}\n' \
        "$1" "$(base64 <"$work/$1.csr" | tr -d '\n')" "$3" "$4" >"$work/$1.yaml"
}
as() { # CREDENTIAL...: kubectl without the certificate of the administrator
    "$KUBECTL" --kubeconfig /dev/null --server "$(sed -n 's/^ *server: //p' "$KUBECONFIG")" --certificate-authority "$kube/pki/ca.crt" --request-timeout=10s "$@"
}
conditions() { k get csr "$1" -o 'jsonpath={range .status.conditions[*]}{.type}/{.reason} {end}'; }
issued() { # NAME: writes the certificate and prints its subject and purpose
    k get csr "$1" -o 'jsonpath={.status.certificate}' | base64 -d >"$work/$1.crt"
    [ -s "$work/$1.crt" ] && openssl verify -CAfile "$kube/pki/ca.crt" "$work/$1.crt" >/dev/null &&
        openssl x509 -in "$work/$1.crt" -noout -subject -ext extendedKeyUsage | sed 1n\;2d | tr -s '\n ' ' '
}

note "the first certificate, requested with the token"
node=/O=system:nodes/CN=system:node:one
client='digital signature, client auth'
request first "$node" kube-apiserver-client-kubelet "$client"
holds "the token may request" as --token=abcdef.0123456789abcdef create -f "$work/first.yaml"
eventually "it is approved" "Approved/AutoApproved " conditions first
eventually "and signed" "subject=O = system:nodes, CN = system:node:one TLS Web Client Authentication " issued first
kubelet=(--client-certificate="$work/first.crt" --client-key="$work/first.key")
eventually "its holder is the node" system:node:one as "${kubelet[@]}" auth whoami -o 'jsonpath={.status.userInfo.username}'
request masters /O=system:masters/CN=system:node:one kube-apiserver-client-kubelet "$client"
holds "a request for another group" as --token=abcdef.0123456789abcdef create -f "$work/masters.yaml"

note "rotation, requested with the first certificate"
request rotated "$node" kube-apiserver-client-kubelet "$client"
holds "the node may request" as "${kubelet[@]}" create -f "$work/rotated.yaml"
eventually "it is approved" "Approved/AutoApproved " conditions rotated
eventually "and signed" "subject=O = system:nodes, CN = system:node:one TLS Web Client Authentication " issued rotated
request other /O=system:nodes/CN=system:node:two kube-apiserver-client-kubelet "$client"
holds "a request for another node" as "${kubelet[@]}" create -f "$work/other.yaml"

note "serving certificates: by policy, an administrator approves them"
request serving "$node" kubelet-serving 'digital signature, server auth' subjectAltName=DNS:one,IP:10.0.0.1
holds "the node may request" as "${kubelet[@]}" create -f "$work/serving.yaml"
holds "approve" k certificate approve serving
eventually "it is signed" "subject=O = system:nodes, CN = system:node:one TLS Web Server Authentication " issued serving
eventually "for the names of the node" "DNS:one, IP Address:10.0.0.1" sh -c "openssl x509 -in '$work/serving.crt' -noout -ext subjectAltName | sed -n '2s/^ *//p'"
request wrong "/CN=one" kubelet-serving 'digital signature, server auth' subjectAltName=DNS:one
holds "a request without the group of nodes" as "${kubelet[@]}" create -f "$work/wrong.yaml"
holds "approve" k certificate approve wrong
eventually "fails" "Approved/KubectlApprove Failed/SignerValidationFailure " conditions wrong

note "what nobody approves stays pending"
request pending "$node" kubelet-serving 'digital signature, server auth' subjectAltName=DNS:one
holds "the node may request" as "${kubelet[@]}" create -f "$work/pending.yaml"
request last "$node" kube-apiserver-client-kubelet "$client"
holds "a later request" as "${kubelet[@]}" create -f "$work/last.yaml"
eventually "is approved" "Approved/AutoApproved " conditions last
for name in masters other pending; do eventually "$name is not" "" conditions $name; done
printf 'bootstrap: ' && summary
