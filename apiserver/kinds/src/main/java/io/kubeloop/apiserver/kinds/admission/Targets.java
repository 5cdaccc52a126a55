/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;

/** Matches writes with the resources that a plug-in handles. */
final class Targets {

    private Targets() {}

    /** Returns whether the request writes an object of this resource, such as {@code pods}, not a subresource. */
    static boolean writes(AdmissionRequest request, String resource) {
        return request.isMain() && request.store().resource().toString().equals(resource);
    }

    /** Returns whether the request creates an object of this resource. */
    static boolean creates(AdmissionRequest request, String resource) {
        return request.operation() == Operation.CREATE && writes(request, resource);
    }
}
