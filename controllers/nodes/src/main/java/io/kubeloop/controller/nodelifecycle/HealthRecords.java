/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.Condition;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.core.Node;
import io.kubeloop.cache.Lister;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * When each node was last heard of, by the controller's own clock (upstream: {@code nodeHealthMap}). A node is heard of
 * when the heartbeat of its condition Ready changes, or when its lease is renewed. Timestamps of the node's own clock
 * are only compared with each other.
 *
 * <p>The monitor's thread writes; any thread reads. Thread-safe.
 */
final class HealthRecords {

    static final String LEASE_NAMESPACE = "kube-node-lease";

    /**
     * The last known state of a node.
     *
     * @param ready the last seen condition Ready; null if the node has none
     * @param heard when the node was last heard of
     * @param renewed the last seen renewal of its lease
     */
    private record Health(
            @Nullable Condition ready,
            Instant heard,
            @Nullable MicroTime renewed) {}

    private final Map<String, Health> records = new ConcurrentHashMap<>();
    private final Lister<Lease> leases;
    private final NodeLifecycleConfig config;

    HealthRecords(Lister<Lease> leases, NodeLifecycleConfig config) {
        this.leases = leases;
        this.config = config;
    }

    /**
     * Compares a node with what was last seen of it.
     *
     * @return whether the node has been silent for longer than it may
     */
    boolean observe(Node node, Instant now) {
        String name = node.metadata().name();
        Condition ready = NodeConditions.of(node.status(), NodeConditions.READY);
        Health last = records.get(name);
        Instant heard;
        if (last == null) {
            heard = ready == null ? created(node, now) : now;
        } else {
            heard = isNews(last.ready(), ready) ? now : last.heard();
        }
        MicroTime renewed = last == null ? null : last.renewed();
        Lease lease = leases.get(new ObjectName(LEASE_NAMESPACE, name));
        MicroTime renewal = lease == null ? null : lease.spec().renewTime();
        if (renewal != null && (renewed == null || renewed.compareTo(renewal) < 0)) {
            renewed = renewal;
            heard = now;
        }
        records.put(name, new Health(ready, heard, renewed));
        Duration grace = ready == null ? config.startupGracePeriod() : config.gracePeriod();
        return now.isAfter(heard.plus(grace));
    }

    private static Instant created(Node node, Instant now) {
        Time creation = node.metadata().creationTimestamp();
        return creation == null ? now : creation.instant();
    }

    private static boolean isNews(@Nullable Condition last, @Nullable Condition current) {
        if (last == null || current == null) {
            return last != current;
        }
        return !NodeConditions.heartbeat(last).equals(NodeConditions.heartbeat(current));
    }

    /** Records what the controller itself has written, which is no sign of life. */
    void written(Node node) {
        records.computeIfPresent(
                node.metadata().name(),
                (name, last) -> new Health(
                        NodeConditions.of(node.status(), NodeConditions.READY), last.heard(), last.renewed()));
    }

    /** Gives every node a new grace period. */
    void forgive(Instant now) {
        records.replaceAll((name, last) -> new Health(last.ready(), now, last.renewed()));
    }

    void forget(String node) {
        records.remove(node);
    }

    /** Returns whether the node is known to be not ready. */
    boolean isNotReady(String node) {
        Health health = records.get(node);
        Condition ready = health == null ? null : health.ready();
        return ready != null && !Objects.equals(ready.status(), "True");
    }
}
