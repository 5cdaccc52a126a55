/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The signers of Kubernetes, each with the requests that it accepts (upstream: {@code signer.isKubeletServing} and the
 * like).
 */
public enum BuiltInSigner {

    /** Certificates by which kubelets serve. */
    KUBELET_SERVING("kubernetes.io/kubelet-serving", "csrsigning-kubelet-serving"),

    /** Certificates by which kubelets connect to the API server. */
    KUBELET_CLIENT("kubernetes.io/kube-apiserver-client-kubelet", "csrsigning-kubelet-client"),

    /** Certificates by which other clients connect to the API server. */
    API_SERVER_CLIENT("kubernetes.io/kube-apiserver-client", "csrsigning-kube-apiserver-client"),

    /** Certificates of any purpose. The API server accepts such requests only from versions before v1. */
    LEGACY_UNKNOWN("kubernetes.io/legacy-unknown", "csrsigning-legacy-unknown");

    private static final String CLIENT_AUTH = "client auth";
    private static final String SERVER_AUTH = "server auth";
    private static final String DIGITAL_SIGNATURE = "digital signature";
    private static final String KEY_ENCIPHERMENT = "key encipherment";

    private final String signerName;
    private final String loopName;

    BuiltInSigner(String signerName, String loopName) {
        this.signerName = signerName;
        this.loopName = loopName;
    }

    /** Returns the name in {@code spec.signerName} of a request. */
    public String signerName() {
        return signerName;
    }

    /** Returns the name of the signer's loop, in logs and metrics. */
    String loopName() {
        return loopName;
    }

    /** Returns why the signer rejects a request, in upstream's words; empty if it accepts it. */
    String rejection(CertificateRequest request, List<String> usages) {
        return switch (this) {
            case KUBELET_SERVING -> ofKubeletServing(request, usages);
            case KUBELET_CLIENT -> ofKubeletClient(request, usages);
            case API_SERVER_CLIENT -> ofClient(usages);
            case LEGACY_UNKNOWN -> "";
        };
    }

    private static String ofKubeletServing(CertificateRequest request, List<String> usages) {
        if (!isOfNodes(request)) {
            return "subject organization is not system:nodes";
        }
        if (!request.hasNames(CertificateRequest.DNS) && !request.hasNames(CertificateRequest.IP)) {
            return "DNS or IP subjectAltName is required";
        }
        if (request.hasNames(CertificateRequest.EMAIL)) {
            return "Email subjectAltNames are not allowed";
        }
        if (request.hasNames(CertificateRequest.URI)) {
            return "URI subjectAltNames are not allowed";
        }
        String mismatch = mismatch(usages, SERVER_AUTH);
        return mismatch.isEmpty() ? ofNodeName(request) : mismatch;
    }

    private static String ofKubeletClient(CertificateRequest request, List<String> usages) {
        if (!isOfNodes(request)) {
            return "subject organization is not system:nodes";
        }
        if (request.hasNames(CertificateRequest.DNS)) {
            return "DNS subjectAltNames are not allowed";
        }
        if (request.hasNames(CertificateRequest.EMAIL)) {
            return "Email subjectAltNames are not allowed";
        }
        if (request.hasNames(CertificateRequest.IP)) {
            return "IP subjectAltNames are not allowed";
        }
        if (request.hasNames(CertificateRequest.URI)) {
            return "URI subjectAltNames are not allowed";
        }
        String unnamed = ofNodeName(request);
        return unnamed.isEmpty() ? mismatch(usages, CLIENT_AUTH) : unnamed;
    }

    private static boolean isOfNodes(CertificateRequest request) {
        return request.organizations().equals(List.of("system:nodes"));
    }

    private static String ofNodeName(CertificateRequest request) {
        return request.commonName().startsWith("system:node:")
                ? ""
                : "subject common name does not begin with system:node:";
    }

    /** A kubelet needs the usage and signatures. The key of an RSA certificate may also encipher keys. */
    private static String mismatch(List<String> usages, String purpose) {
        Set<String> given = Set.copyOf(usages);
        Set<String> ofRsa = Set.of(DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, purpose);
        return given.equals(ofRsa) || given.equals(Set.of(DIGITAL_SIGNATURE, purpose))
                ? ""
                : "usages did not match [" + String.join(" ", new TreeSet<>(ofRsa)) + "]";
    }

    private static String ofClient(List<String> usages) {
        for (String usage : usages) {
            if (!List.of(CLIENT_AUTH, DIGITAL_SIGNATURE, KEY_ENCIPHERMENT).contains(usage)) {
                return "invalid usage for client certificate: " + usage;
            }
        }
        return usages.contains(CLIENT_AUTH) ? "" : "missing required usage for client certificate: " + CLIENT_AUTH;
    }
}
