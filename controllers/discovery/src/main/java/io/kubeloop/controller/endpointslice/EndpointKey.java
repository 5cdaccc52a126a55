/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.discovery.Endpoint;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies an endpoint of a service. Two endpoints with equal keys are two states of the same endpoint (upstream:
 * {@code endpointHash}).
 */
record EndpointKey(List<String> addresses, @Nullable String hostname, String namespace, String name) {

    static EndpointKey of(Endpoint endpoint) {
        ObjectReference target = endpoint.targetRef() == null ? ObjectReference.EMPTY : endpoint.targetRef();
        return new EndpointKey(
                endpoint.addresses().stream().sorted().toList(),
                endpoint.hostname() == null || endpoint.hostname().isEmpty() ? null : endpoint.hostname(),
                target.namespace(),
                target.name());
    }

    /** Returns whether a write would change the endpoint, given that the keys are equal. Hints do not count. */
    static boolean isSame(Endpoint desired, Endpoint current) {
        return Objects.equals(desired.nodeName(), current.nodeName())
                && Objects.equals(desired.zone(), current.zone())
                && desired.conditions().equals(current.conditions())
                && Objects.equals(withoutVersion(desired.targetRef()), withoutVersion(current.targetRef()));
    }

    private static @Nullable ObjectReference withoutVersion(@Nullable ObjectReference target) {
        return target == null
                ? null
                : new ObjectReference(
                        target.kind(),
                        target.namespace(),
                        target.name(),
                        target.uid(),
                        target.apiVersion(),
                        "",
                        target.fieldPath(),
                        target.unknownFields());
    }
}
