/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;

/** Reads the conditions of a request. Stateless. */
final class Approval {

    static final String APPROVED = "Approved";
    static final String DENIED = "Denied";
    static final String FAILED = "Failed";

    private Approval() {}

    /**
     * Returns whether there is a condition of a type, whatever its status: the API allows no other than {@code True}.
     */
    static boolean has(CertificateSigningRequest request, String type) {
        return request.status().conditions().stream()
                .anyMatch(condition -> condition.type().equals(type));
    }

    /** Returns whether the request waits for a signature. */
    static boolean isToBeSigned(CertificateSigningRequest request) {
        return has(request, APPROVED)
                && !has(request, DENIED)
                && request.status().conditions().stream().noneMatch(Approval::isFailure);
    }

    private static boolean isFailure(CertificateSigningRequestCondition condition) {
        return condition.type().equals(FAILED)
                && (condition.status().isEmpty() || condition.status().equals("True"));
    }
}
