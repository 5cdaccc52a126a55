package io.kubeloop.controller.endpoint;

import io.kubeloop.api.EndpointAddress;
import io.kubeloop.api.EndpointPort;
import io.kubeloop.api.EndpointSubset;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a server's subsets say what they should.
 *
 * <p>Their order does not count, nor do fields that this controller does not set: a server that adds a field of its own must
 * not be written to for ever.
 */
final class SubsetEquality {

    private final boolean comparesPodVersions;

    SubsetEquality(EndpointRules rules) {
        comparesPodVersions = rules.podVersions() && !rules.frugal();
    }

    /**
     * Returns whether the two are the same.
     *
     * @param actual as the server has them
     * @param desired in canonical order
     */
    boolean areEqual(List<EndpointSubset> actual, List<EndpointSubset> desired) {
        return SubsetOrder.sort(known(actual)).equals(known(desired));
    }

    private List<EndpointSubset> known(List<EndpointSubset> subsets) {
        return subsets.stream().map(this::known).toList();
    }

    private EndpointSubset known(EndpointSubset subset) {
        return new EndpointSubset(
                subset.addresses().stream().map(this::known).toList(),
                subset.notReadyAddresses().stream().map(this::known).toList(),
                subset.ports().stream().map(SubsetEquality::known).toList(),
                UnknownFields.NONE);
    }

    private static EndpointPort known(EndpointPort port) {
        return new EndpointPort(port.name(), port.port(), port.protocol(), port.appProtocol(), UnknownFields.NONE);
    }

    private EndpointAddress known(EndpointAddress address) {
        return new EndpointAddress(
                address.ip(), address.hostname(), address.nodeName(), known(address.targetRef()), UnknownFields.NONE);
    }

    private @Nullable ObjectReference known(@Nullable ObjectReference target) {
        return target == null
                ? null
                : new ObjectReference(
                        target.kind(),
                        target.namespace(),
                        target.name(),
                        target.uid(),
                        target.apiVersion(),
                        comparesPodVersions ? target.resourceVersion() : "",
                        target.fieldPath(),
                        UnknownFields.NONE);
    }
}
