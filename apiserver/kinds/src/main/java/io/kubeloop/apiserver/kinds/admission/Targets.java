/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Returns why a name that a plug-in looks up cannot be part of a path; null if it can. */
    static @Nullable String pathProblem(String name) {
        if (name.isEmpty()) {
            return "resource name may not be empty";
        }
        List<String> problems = NameValidation.pathSegment(name);
        return problems.isEmpty()
                ? null
                : "invalid resource name \"" + name + "\": [" + String.join(" ", problems) + "]";
    }
}
