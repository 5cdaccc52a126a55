package io.kubeloop.controller.endpoint;

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
record PodChange(boolean endpointChanged, boolean membershipChanged) {

    /** Compares two states of a pod. */
    static PodChange between(Pod before, Pod after, EndpointRules rules) {
        // A resync delivers the same state again.
        if (before.metadata().resourceVersion().equals(after.metadata().resourceVersion())) {
            return new PodChange(false, false);
        }
        boolean membership = !before.metadata().labels().equals(after.metadata().labels())
                || !sameHostname(before.spec(), after.spec());
        return new PodChange(endpointChanged(before, after, rules), membership);
    }

    private static boolean sameHostname(PodSpec before, PodSpec after) {
        return before.hostname().equals(after.hostname()) && before.subdomain().equals(after.subdomain());
    }

    private static boolean endpointChanged(Pod before, Pod after, EndpointRules rules) {
        // Upstream compares the deletion times by identity: any update of a terminating pod counts.
        return before.metadata().isDeleting()
                || after.metadata().isDeleting()
                || before.isReady() != after.isReady()
                || (!rules.finishedPods() && before.isFinished() != after.isFinished())
                || !before.status().podIPs().equals(after.status().podIPs());
    }

    /** Returns the services to sync. */
    Set<ObjectName> servicesToUpdate(ServiceSelectorCache selectors, Lister<Service> services, Pod before, Pod after) {
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
