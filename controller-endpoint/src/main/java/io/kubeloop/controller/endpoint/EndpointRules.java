package io.kubeloop.controller.endpoint;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The points in which releases of Kubernetes differ for Endpoints. {@link #CURRENT} is the default; {@link #V1_20} is the
 * alternative that {@code --rules=v1_20} chooses.
 *
 * @param dualStack whether a pod's address is chosen by the IP family of the service (feature gate {@code IPv6DualStack}, on
 *     since v1.21); otherwise a pod's first address is used, whatever its family
 * @param canonicalAddresses whether addresses are written in their canonical spelling (since v1.33; current API servers reject
 *     some other spellings); otherwise in the spelling of the pod's status. Has an effect only with {@code dualStack}
 * @param maxAddresses the number of addresses that an object may hold; an object with more is truncated and annotated (since
 *     v1.22, with a limit of 1000). 0 means no limit; must not be negative
 * @param podVersions whether each address carries the resource version of its pod; current releases omit it
 * @param finishedPods whether finished pods are listed if they are ready, or if their restart policy restarts them (until v1.24);
 *     otherwise they are never listed
 * @param externalNames whether services of type {@code ExternalName} that have a selector get Endpoints; not in current releases
 * @param unreadyAnnotation whether the annotation {@code service.alpha.kubernetes.io/tolerate-unready-endpoints} overrides the
 *     field {@code publishNotReadyAddresses}; current releases ignore it
 * @param managedByLabel whether Endpoints carry the label {@code endpoints.kubernetes.io/managed-by} (since v1.33)
 * @param anyPacking whether Endpoints count as up to date if they have the desired content in other subsets, for instance because
 *     a user has split them. Current releases pack subsets before they compare them; otherwise such Endpoints are packed again
 * @param frugal whether requests that change nothing relevant are omitted. These are updates only for a pod's new resource
 *     version; updates that conflict because the cache lags behind this controller's own writes; deletions of absent Endpoints;
 *     events about conflicts; updates only for another order of subsets, addresses or ports; and the update in every sync of a
 *     service that itself carries the label {@code service.kubernetes.io/headless}
 */
@RecordBuilder
public record EndpointRules(
        boolean dualStack,
        boolean canonicalAddresses,
        int maxAddresses,
        boolean podVersions,
        boolean finishedPods,
        boolean externalNames,
        boolean unreadyAnnotation,
        boolean managedByLabel,
        boolean anyPacking,
        boolean frugal) {

    /** The rules of v1.20 with its alpha feature gates off; the controller then sends the requests that v1.20 sends. */
    public static final EndpointRules V1_20 = EndpointRulesBuilder.builder()
            .podVersions(true)
            .finishedPods(true)
            .externalNames(true)
            .unreadyAnnotation(true)
            .build();

    /** The rules of current releases. The controller reaches the same Endpoints with fewer requests. */
    public static final EndpointRules CURRENT = EndpointRulesBuilder.builder()
            .dualStack(true)
            .canonicalAddresses(true)
            .maxAddresses(1000)
            .managedByLabel(true)
            .anyPacking(true)
            .frugal(true)
            .build();

    /**
     * Checks the limit.
     *
     * @throws IllegalArgumentException if {@code maxAddresses} is negative
     */
    public EndpointRules {
        if (maxAddresses < 0) {
            throw new IllegalArgumentException("maxAddresses must not be negative, got " + maxAddresses);
        }
    }

    /** Returns a copy with the feature gate {@code IPv6DualStack} on or off. */
    public EndpointRules withDualStack(boolean on) {
        return EndpointRulesBuilder.builder(this).dualStack(on).build();
    }
}
