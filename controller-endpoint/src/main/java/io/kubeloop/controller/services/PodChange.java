/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.services;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Lister;
import java.util.HashSet;
import java.util.Set;

/**
 * The effects of a pod's change on Endpoints (upstream: {@code endpointutil.GetServicesToUpdateOnPodChange}).
 *
 * @param endpointChanged whether the pod's address entry changes
 * @param membershipChanged whether other services may select the pod, or its host name changes
 */
public record PodChange(boolean endpointChanged, boolean membershipChanged) {

    /**
     * Compares two states of a pod.
     *
     * @param endMatters whether the end of a pod that is not deleted counts; the slices' controller does not look at it
     */
    public static PodChange between(Pod before, Pod after, boolean endMatters) {
        // A resync delivers the same state again.
        if (before.metadata().resourceVersion().equals(after.metadata().resourceVersion())) {
            return new PodChange(false, false);
        }
        boolean membership = !before.metadata().labels().equals(after.metadata().labels())
                || !sameHostname(before.spec(), after.spec());
        return new PodChange(endpointChanged(before, after, endMatters), membership);
    }

    private static boolean sameHostname(PodSpec before, PodSpec after) {
        return before.hostname().equals(after.hostname()) && before.subdomain().equals(after.subdomain());
    }

    private static boolean endpointChanged(Pod before, Pod after, boolean endMatters) {
        // Upstream compares the deletion times by identity: any update of a terminating pod counts.
        return before.metadata().isDeleting()
                || after.metadata().isDeleting()
                || before.isReady() != after.isReady()
                || (endMatters && before.isFinished() != after.isFinished())
                || !before.status().podIPs().equals(after.status().podIPs());
    }

    /** Returns the services to sync. O(services of the namespace). */
    public Set<ObjectName> servicesToUpdate(
            ServiceSelectorCache selectors, Lister<Service> services, Pod before, Pod after) {
        if (!endpointChanged && !membershipChanged) {
            return Set.of();
        }
        Set<ObjectName> now = selectors.getPodServiceMemberships(services, after);
        if (!membershipChanged) {
            return now;
        }
        Set<ObjectName> then = selectors.getPodServiceMemberships(services, before);
        Set<ObjectName> affected = new HashSet<>(now);
        affected.addAll(then);
        if (!endpointChanged) {
            // Services that select the pod before and after the change are not affected.
            now.retainAll(then);
            affected.removeAll(now);
        }
        return affected;
    }
}
