/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes subsets for comparison: removes fields that this controller does not know, and the difference between an
 * absent and an empty member. Equal content gives equal records. A function without state.
 */
public final class SubsetNormalizer {

    private final boolean podVersions;

    /**
     * Creates a normalizer.
     *
     * @param podVersions whether the resource versions of targets are kept
     */
    public SubsetNormalizer(boolean podVersions) {
        this.podVersions = podVersions;
    }

    /** Returns the subset in its normal form. O(addresses). */
    public EndpointSubset of(EndpointSubset subset) {
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
