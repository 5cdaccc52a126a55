package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.Pods;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * By what the cache is known to lag behind the server, for the pods of one owner.
 *
 * @param unseen its active pods that the cache does not show, or not as its own
 * @param ghosts pods that the cache shows as active and its own, and that are so no more
 */
record CacheLag(List<Pod> unseen, Set<ObjectName> ghosts) {

    /** They were not compared: the cache is taken at its word. */
    static final CacheLag UNKNOWN = new CacheLag(List.of(), Set.of());

    /**
     * Compares what the server has with what the cache shows; both may hold pods of others. O(n).
     *
     * @param claimed those of the live pods that are the owner's by now, adopted ones included
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
