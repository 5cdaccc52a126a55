package io.kubeloop.controller.endpoint;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The points in which releases of Kubernetes, and this controller, differ. Immutable.
 *
 * @param dualStack whether the pod's address of the service's IP family is used (feature gate {@code IPv6DualStack},
 * on since v1.21); else its first address
 * @param canonicalAddresses whether addresses are written in canonical form (since v1.33, whose servers reject some
 * other forms); only with {@code dualStack}
 * @param maxAddresses the largest number of addresses of an object (since v1.22: 1000); more are truncated and the
 * object is annotated; 0 for no limit
 * @param podVersions whether addresses have the resource version of their pod (not in current releases)
 * @param finishedPods whether finished pods are listed if they are ready or if their restart policy restarts them
 * (until v1.24); else never
 * @param externalNames whether services of type {@code ExternalName} that have a selector get Endpoints (not so in current
 *     releases)
 * @param unreadyAnnotation whether the annotation {@code service.alpha.kubernetes.io/tolerate-unready-endpoints}
 * overrides the field {@code publishNotReadyAddresses} (not in current releases)
 * @param managedByLabel whether written Endpoints have the label {@code endpoints.kubernetes.io/managed-by} (since
 * v1.33)
 * @param anyPacking whether subsets that are packed differently but list the same addresses and ports stay unchanged
 * (as in current releases, which compare after packing); else they are packed again
 * @param frugal whether requests without a relevant effect are omitted: updates for a pod's new resource version
 * alone; updates that fail because the cache lags behind this controller's own writes; deletions of Endpoints that do
 * not exist; events about conflicts; updates that only reorder subsets, addresses or ports; the update at every sync
 * of a service that has the label {@code service.kubernetes.io/headless} itself
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

    /** The behavior of v1.20, request by request, with its alpha feature gates off. */
    public static final EndpointRules V1_20 = EndpointRulesBuilder.builder()
            .podVersions(true)
            .finishedPods(true)
            .externalNames(true)
            .unreadyAnnotation(true)
            .build();

    /** The final state of v1.20 in fewer requests, with the dual stack, limit and address form of later releases. */
    public static final EndpointRules DEFAULT = EndpointRulesBuilder.builder(V1_20)
            .dualStack(true)
            .canonicalAddresses(true)
            .maxAddresses(1000)
            .frugal(true)
            .build();

    /** The final state of current releases in fewer requests. */
    public static final EndpointRules CURRENT = EndpointRulesBuilder.builder()
            .dualStack(true)
            .canonicalAddresses(true)
            .maxAddresses(1000)
            .managedByLabel(true)
            .anyPacking(true)
            .frugal(true)
            .build();

    /** Checks that the limit is not negative. */
    public EndpointRules {
        if (maxAddresses < 0) {
            throw new IllegalArgumentException("maxAddresses must not be negative, got " + maxAddresses);
        }
    }

    /** Returns a copy with this setting of {@code dualStack}. */
    public EndpointRules withDualStack(boolean on) {
        return EndpointRulesBuilder.builder(this).dualStack(on).build();
    }
}
