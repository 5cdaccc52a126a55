/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podgc;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.Node;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of pods that the cache does not contain. A node counts as gone when the cache has lacked it for {@link
 * #QUARANTINE}, and the server lacks it too. Confined to the worker.
 */
final class MissingNodes {

    static final Duration QUARANTINE = Duration.ofSeconds(40);

    private static final Logger LOG = LoggerFactory.getLogger(MissingNodes.class);

    private final ResourceClient<Node> client;
    private final Clock clock;

    /** When the quarantine of each node ends. */
    private final Map<String, Instant> quarantine = new LinkedHashMap<>();

    /**
     * Creates an empty set.
     *
     * @param clock measures the quarantine
     */
    MissingNodes(ResourceClient<Node> client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Returns the nodes that are gone. Blocks for a request for each node at the end of its quarantine.
     *
     * @param used the nodes of pods
     * @param existing the nodes that the cache contains
     */
    Set<String> gone(Set<String> used, Set<String> existing) {
        Instant now = clock.instant();
        for (String node : used) {
            if (!existing.contains(node)) {
                quarantine.putIfAbsent(node, now.plus(QUARANTINE));
            }
        }
        Set<String> gone = new HashSet<>();
        Iterator<Map.Entry<String, Instant>> entries = quarantine.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Instant> entry = entries.next();
            if (!entry.getValue().isAfter(now)) {
                entries.remove();
                if (!existing.contains(entry.getKey()) && isGone(entry.getKey())) {
                    gone.add(entry.getKey());
                }
            }
        }
        return gone;
    }

    private boolean isGone(String node) {
        try {
            client.get(new ObjectName("", node));
            return false;
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                LOG.warn("Cannot read node {}; its pods stay for another quarantine: {}", node, e.getMessage());
            }
            return e.isNotFound();
        } catch (TransportException e) {
            LOG.warn("Cannot read node {}; its pods stay for another quarantine: {}", node, e.getMessage());
            return false;
        }
    }
}
