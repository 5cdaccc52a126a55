package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetStatus;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.ChildIndex;
import io.kubeloop.controller.ControllerRefManager;
import io.kubeloop.controller.OwnedWrites;
import io.kubeloop.controller.RecentWrites;
import io.kubeloop.controller.RecheckDeletionTimestamp;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Writes the status of sets, claims their pods, and remembers what it wrote until the cache shows it.
 *
 * <p>Thread-safe for different sets. Every write blocks until the server responds.
 */
final class StatefulSetWrites {

    private final KubeClient client;
    private final ResourceClient<StatefulSet> sets;
    private final ResourceClient<Pod> pods;
    private final ChildIndex<Pod> podCache;
    private final OwnedWrites<Pod> writtenPods;
    private final RecentWrites<StatefulSet> writtenSets;

    /** The UID of each set that was synced, by key: the next one of its name is another owner. */
    private final Map<ObjectName, String> owners = new ConcurrentHashMap<>();

    /** Creates the writes of a controller; the clock measures the age of what it wrote. */
    StatefulSetWrites(KubeClient client, ChildIndex<Pod> podCache, OwnedWrites<Pod> writtenPods, Clock steady) {
        this.client = client;
        this.podCache = podCache;
        this.writtenPods = writtenPods;
        sets = client.resource(ResourceTypes.STATEFUL_SETS);
        pods = client.resource(ResourceTypes.PODS);
        writtenSets = new RecentWrites<>(steady);
    }

    /**
     * Returns the set as cached or, if that is newer, as last written.
     *
     * @param forget drops other records of a set that had the name before, by UID
     */
    StatefulSet latest(StatefulSet cached, Consumer<String> forget) {
        String uid = cached.metadata().uid();
        String before = owners.put(cached.objectName(), uid);
        if (before != null && !before.equals(uid)) {
            writtenPods.forget(before);
            writtenSets.forget(cached.objectName());
            forget.accept(before);
        }
        return writtenSets.latest(cached);
    }

    /** Adopts and releases pods, and returns those that the set controls afterwards. */
    List<Pod> claimPods(StatefulSet set, Selector selector) {
        String uid = set.metadata().uid();
        String namespace = set.metadata().namespace();
        List<Pod> candidates = writtenPods.latest(uid, namespace, podCache.candidates(namespace, uid));
        return new ControllerRefManager<Pod>(
                        ResourceTypes.STATEFUL_SETS,
                        set,
                        selector::matches,
                        RecheckDeletionTimestamp.of(client, ResourceTypes.STATEFUL_SETS, set),
                        "Pod",
                        (pod, patch) -> writtenPods.write(uid, pod, () -> pods.patch(pod.objectName(), patch)))
                .claim(candidates, pod -> StatefulSetSync.isMember(set, pod));
    }

    /** Writes the status if it differs. */
    void updateStatus(StatefulSet set, StatefulSetStatus status) {
        if (!StatefulSetStatuses.differs(set.status(), status)) {
            return;
        }
        RecentWrites.Entry<StatefulSet> begun = writtenSets.begin(set.objectName());
        try {
            StatefulSet result = sets.updateStatus(set.withStatus(status));
            writtenSets.done(begun, set.metadata().resourceVersion(), result);
        } catch (RuntimeException e) {
            writtenSets.forget(set.objectName());
            throw e;
        }
    }

    /**
     * Drops the records of a set that no longer exists.
     *
     * @param forget drops other records of the set, by UID
     */
    void forget(ObjectName set, Consumer<String> forget) {
        writtenSets.forget(set);
        String uid = owners.remove(set);
        if (uid != null) {
            writtenPods.forget(uid);
            forget.accept(uid);
        }
    }
}
