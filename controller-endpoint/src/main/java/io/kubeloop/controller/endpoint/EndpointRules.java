package io.kubeloop.controller.endpoint;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * What releases of Kubernetes, and this controller, disagree on.
 *
 * @param dualStack whether an address of the service's IP family is taken (feature gate {@code IPv6DualStack}, on since
 *     v1.21); else a pod's first address, whatever its family
 * @param canonicalAddresses whether addresses are written in the one spelling that all should use, whatever the pod's status has
 *     (since v1.33: current servers refuse some others); only with {@code dualStack}
 * @param maxAddresses how many addresses an object may hold; what is beyond is cut off and the object annotated (since v1.22:
 *     1000); 0 for no limit
 * @param podVersions whether addresses carry the resource version that their pod had (not so in current releases)
 * @param finishedPods whether pods that have ended are listed if they are ready, or if their restart policy would have them run
 *     again (until v1.24); else never
 * @param externalNames whether services of type {@code ExternalName} that have a selector get Endpoints (not so in current
 *     releases)
 * @param unreadyAnnotation whether the annotation {@code service.alpha.kubernetes.io/tolerate-unready-endpoints} overrules the field
 *     {@code publishNotReadyAddresses} (not so in current releases)
 * @param managedByLabel whether Endpoints that this controller writes say so, by the label
 *     {@code endpoints.kubernetes.io/managed-by} (since v1.33)
 * @param anyPacking whether subsets that somebody has split, or left unpacked, are left so while they say the same (since they are
 *     compared after packing them, in current releases); else they are packed again
 * @param frugal whether requests are left out that change nothing that matters: updates for a pod's new resource version alone,
 *     updates that would be refused because the cache lags behind this controller's own writes, deletions of Endpoints that are
 *     gone already, events about conflicts, updates that would only bring subsets, addresses or ports into another order, and
 *     the update by every sync of a service that itself carries the label {@code service.kubernetes.io/headless}
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

    /** As v1.20 behaves request by request, with its alpha feature gates off. */
    public static final EndpointRules V1_20 = EndpointRulesBuilder.builder()
            .podVersions(true)
            .finishedPods(true)
            .externalNames(true)
            .unreadyAnnotation(true)
            .build();

    /** The state that v1.20 ends in, with dual stack, limit and spelling of addresses as in later releases, in fewer requests. */
    public static final EndpointRules DEFAULT = EndpointRulesBuilder.builder(V1_20)
            .dualStack(true)
            .canonicalAddresses(true)
            .maxAddresses(1000)
            .frugal(true)
            .build();

    /** The state that current releases end in, in fewer requests. */
    public static final EndpointRules CURRENT = EndpointRulesBuilder.builder()
            .dualStack(true)
            .canonicalAddresses(true)
            .maxAddresses(1000)
            .managedByLabel(true)
            .anyPacking(true)
            .frugal(true)
            .build();

    /** Checks the limit. */
    public EndpointRules {
        if (maxAddresses < 0) {
            throw new IllegalArgumentException("maxAddresses must not be negative, got " + maxAddresses);
        }
    }

    /** Returns a copy with the feature gate on or off. */
    public EndpointRules withDualStack(boolean on) {
        return EndpointRulesBuilder.builder(this).dualStack(on).build();
    }
}
