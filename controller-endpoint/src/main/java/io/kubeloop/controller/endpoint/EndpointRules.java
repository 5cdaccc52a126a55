package io.kubeloop.controller.endpoint;

/**
 * What releases of Kubernetes, and this controller, disagree on.
 *
 * @param dualStack whether an address of the service's IP family is taken (feature gate {@code IPv6DualStack}; on since
 *     v1.21); else a pod's first address, whatever its family
 * @param maxAddresses how many addresses an object may hold; what is beyond is cut off and the object annotated (v1.22: 1000);
 *     0 for no limit
 * @param podVersions whether addresses carry the resource version of their pod, so that every change of a pod is a write
 *     (until v1.21)
 * @param finishedPods whether pods that have ended are listed if their restart policy would have them run again (until v1.21);
 *     else never
 * @param frugal whether requests are left out that change nothing: updates that would be refused because the cache lags behind
 *     this controller's own writes, the second deletion of Endpoints whose service is gone, and the writes on every sync of a
 *     service that itself carries the label {@code service.kubernetes.io/headless}
 */
public record EndpointRules(
        boolean dualStack, int maxAddresses, boolean podVersions, boolean finishedPods, boolean frugal) {

    /** As v1.20 behaves, with its alpha feature gates off. */
    public static final EndpointRules V1_20 = new EndpointRules(false, 0, true, true, false);

    /** As current releases behave, without their superfluous requests. */
    public static final EndpointRules CURRENT = new EndpointRules(true, 1000, false, false, true);

    /** Checks the limit. */
    public EndpointRules {
        if (maxAddresses < 0) {
            throw new IllegalArgumentException("maxAddresses must not be negative, got " + maxAddresses);
        }
    }

    /** Returns a copy with the feature gate on or off. */
    public EndpointRules withDualStack(boolean on) {
        return new EndpointRules(on, maxAddresses, podVersions, finishedPods, frugal);
    }
}
