package io.kubeloop.controller.endpoint;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.Service;
import io.kubeloop.cache.Lister;
import java.util.HashSet;
import java.util.Set;

/**
 * What a change of a pod means for endpoints (upstream: {@code endpointutil.GetServicesToUpdateOnPodChange}).
 *
 * @param endpointChanged whether the pod's own address is affected
 * @param membershipChanged whether other services may choose the pod now, or name it differently
 */
record PodChange(boolean endpointChanged, boolean membershipChanged) {

    /** Compares two states of a pod. */
    static PodChange between(Pod before, Pod after, EndpointRules rules) {
        // A resync shows the same state again.
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
            // Services that chose the pod and still do see nothing of it.
            now.retainAll(then);
            affected.removeAll(now);
        }
        return affected;
    }
}
