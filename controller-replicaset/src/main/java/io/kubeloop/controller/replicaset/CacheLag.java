/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Pods;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pods of one owner that are known to differ between cache and server.
 *
 * @param unseen active pods that the cache does not show, or does not show as the owner's
 * @param ghosts pods that the cache shows as active and as the owner's, but the server does not
 */
record CacheLag(List<Pod> unseen, Set<ObjectName> ghosts) {

    /** Cache and server were not compared; the cache is used as it is. */
    static final CacheLag UNKNOWN = new CacheLag(List.of(), Set.of());

    /**
     * Compares the server's pods with the cache's; both lists may contain pods of other owners. O(n).
     *
     * @param claimed the live pods that the owner controls, including those just adopted
     */
    static CacheLag between(List<Pod> claimed, List<Pod> live, List<Pod> cached, String ownerUid) {
        Set<String> liveUids = uids(activeOf(live, ownerUid));
        Set<String> cachedUids = uids(activeOf(cached, ownerUid));
        List<Pod> unseen = claimed.stream()
                .filter(pod -> !cachedUids.contains(pod.metadata().uid()))
                .toList();
        Set<ObjectName> ghosts = activeOf(cached, ownerUid).stream()
                .filter(pod -> !liveUids.contains(pod.metadata().uid()))
                .map(Pods::podKey)
                .collect(Collectors.toSet());
        return new CacheLag(unseen, ghosts);
    }

    private static List<Pod> activeOf(List<Pod> pods, String ownerUid) {
        return pods.stream()
                .filter(pod -> {
                    OwnerReference controller = pod.metadata().controller();
                    return Pods.isPodActive(pod)
                            && controller != null
                            && controller.uid().equals(ownerUid);
                })
                .toList();
    }

    private static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.metadata().uid()).collect(Collectors.toSet());
    }
}
