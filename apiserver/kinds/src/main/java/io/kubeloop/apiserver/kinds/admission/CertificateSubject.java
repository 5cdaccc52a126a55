/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.kinds.validation.server.PemRequest;
import io.kubeloop.json.tree.JsonObject;
import java.util.Base64;
import java.util.List;

/**
 * Rejects requests for a client certificate of the group {@code system:masters}, which has every permission (upstream:
 * the plug-in {@code CertificateSubjectRestriction}). Stateless; thread-safe.
 */
final class CertificateSubject implements AdmissionPlugin {

    private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
    private static final String ALL_POWERFUL = "system:masters";

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        if (!Targets.creates(request, "certificatesigningrequests.certificates.k8s.io")
                || !object.string("spec", "signerName").equals(SIGNER)) {
            return;
        }
        List<String> groups;
        try {
            groups = PemRequest.organizations(Base64.getDecoder().decode(object.string("spec", "request")));
        } catch (IllegalArgumentException e) {
            throw request.forbidden("failed to parse CSR: " + e.getMessage());
        }
        if (groups.contains(ALL_POWERFUL)) {
            throw request.forbidden("use of " + SIGNER + " signer with " + ALL_POWERFUL + " group is not allowed");
        }
    }
}
