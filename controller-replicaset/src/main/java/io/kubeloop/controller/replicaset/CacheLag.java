package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.Pod;
import io.kubeloop.controller.Pods;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * By what the cache is known to lag behind the server, for the pods of one owner.
 *
 * @param isKnown whether cache and server were compared
 * @param unseen how many of its active pods the cache does not show
 * @param ghosts pods that the cache shows as active and its own, and that are so no more
 */
record CacheLag(boolean isKnown, int unseen, Set<ObjectName> ghosts) {

    /** They were not compared: the cache is taken at its word. */
    static final CacheLag UNKNOWN = new CacheLag(false, 0, Set.of());

    /** Compares what the server has with what the cache shows; both may hold pods of others. O(n). */
    static CacheLag between(List<Pod> live, List<Pod> cached, String ownerUid) {
        Set<String> liveUids = uids(activeOf(live, ownerUid));
        Set<String> cachedUids = uids(cached);
        Set<ObjectName> ghosts = new HashSet<>();
        for (Pod pod : activeOf(cached, ownerUid)) {
            if (!liveUids.contains(pod.metadata().uid())) {
                ghosts.add(Pods.podKey(pod));
            }
        }
        liveUids.removeAll(cachedUids);
        return new CacheLag(true, liveUids.size(), ghosts);
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
        return pods.stream().map(pod -> pod.metadata().uid()).collect(Collectors.toCollection(HashSet::new));
    }
}
