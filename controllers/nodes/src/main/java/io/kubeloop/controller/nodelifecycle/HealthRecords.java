/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodelifecycle;

import io.kubeloop.api.Condition;
import io.kubeloop.api.MicroTime;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Time;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.core.Node;
import io.kubeloop.cache.Lister;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When each node was last heard of, by the controller's own clock (upstream: {@code nodeHealthMap}). A node is heard of
 * when the heartbeat of its condition Ready changes, or when its lease is renewed. Timestamps of the node's own clock
 * are only compared with each other.
 *
 * <p>A silent node is declared failed only after its lease was read from the server, because the watch of the leases
 * may be behind (upstream: {@code NodeControllerLeaseCircuitBreaker}).
 *
 * <p>The monitor's thread writes; any thread reads. Thread-safe. {@link #observe} blocks while it reads a lease.
 */
final class HealthRecords {

    private static final Logger LOG = LoggerFactory.getLogger(HealthRecords.class);

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
    private final ResourceClient<Lease> client;
    private final NodeLifecycleConfig config;

    HealthRecords(Lister<Lease> leases, ResourceClient<Lease> client, NodeLifecycleConfig config) {
        this.leases = leases;
        this.client = client;
        this.config = config;
    }

    /**
     * Compares a node with what was last seen of it.
     *
     * @return whether the node has been silent for longer than it may
     * @throws RuntimeException if the lease of a silent node could not be read; nothing is known then
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
        MicroTime renewal = renewal(leases.get(lease(name)), renewed);
        if (renewal != null) {
            renewed = renewal;
            heard = now;
        }
        records.put(name, new Health(ready, heard, renewed));
        Duration grace = ready == null ? config.startupGracePeriod() : config.gracePeriod();
        if (!now.isAfter(heard.plus(grace))) {
            return false;
        }
        boolean isDeclared = ready != null && ready.status().equals("Unknown");
        MicroTime missed = isDeclared ? null : renewal(read(name), renewed);
        if (missed == null) {
            return true;
        }
        LOG.info("The cached lease of node {} is behind the server; the node is alive", name);
        records.put(name, new Health(ready, now, missed));
        return false;
    }

    private static ObjectName lease(String node) {
        return new ObjectName(LEASE_NAMESPACE, node);
    }

    /** Returns the renewal of a lease if it is later than the last one, else null. */
    private static @Nullable MicroTime renewal(@Nullable Lease lease, @Nullable MicroTime last) {
        MicroTime renewal = lease == null ? null : lease.spec().renewTime();
        return renewal != null && (last == null || last.compareTo(renewal) < 0) ? renewal : null;
    }

    private @Nullable Lease read(String node) {
        try {
            return client.get(lease(node));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
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
