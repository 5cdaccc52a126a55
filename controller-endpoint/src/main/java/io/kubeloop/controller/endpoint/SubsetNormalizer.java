package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import org.jspecify.annotations.Nullable;

/**
 * Subsets reduced to what they say: without the fields that this controller does not know, and without the difference between
 * a member that is absent and one that is empty, so that equal content makes equal records. A function.
 */
final class SubsetNormalizer {

    private final boolean podVersions;

    /**
     * Makes a function.
     *
     * @param podVersions whether the resource versions of targets stay
     */
    SubsetNormalizer(boolean podVersions) {
        this.podVersions = podVersions;
    }

    EndpointSubset of(EndpointSubset subset) {
        return new EndpointSubset(
                subset.addresses().stream().map(this::of).toList(),
                subset.notReadyAddresses().stream().map(this::of).toList(),
                subset.ports().stream().map(SubsetNormalizer::of).toList(),
                UnknownFields.NONE);
    }

    private static EndpointPort of(EndpointPort port) {
        return new EndpointPort(port.name(), port.port(), port.protocol(), port.appProtocol(), UnknownFields.NONE);
    }

    private EndpointAddress of(EndpointAddress address) {
        return new EndpointAddress(
                address.ip(), address.hostname(), address.nodeName(), of(address.targetRef()), UnknownFields.NONE);
    }

    private @Nullable ObjectReference of(@Nullable ObjectReference target) {
        return target == null
                ? null
                : new ObjectReference(
                        target.kind(),
                        target.namespace(),
                        target.name(),
                        target.uid(),
                        target.apiVersion(),
                        podVersions ? target.resourceVersion() : "",
                        target.fieldPath(),
                        UnknownFields.NONE);
    }
}
