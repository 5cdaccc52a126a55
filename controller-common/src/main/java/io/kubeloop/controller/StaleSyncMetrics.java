package io.kubeloop.controller;

import io.kubeloop.api.ResourceType;

/**
 * Receives each sync that begins while a cache does not show all writes of the controller (upstream: the metrics {@code
 * stale_sync_skips_total} of KEP-5647). Upstream skips such a sync and retries it; here it continues with what was written.
 *
 * <p>Implementations must be thread-safe and must not block.
 */
@FunctionalInterface
public interface StaleSyncMetrics {

    /** Ignores everything. */
    StaleSyncMetrics NONE = (controller, resource) -> {};

    /**
     * Counts a sync.
     *
     * @param controller the controller's name, such as {@code daemonset}
     * @param resource the resource whose cache is behind
     */
    void staleSync(String controller, ResourceType<?> resource);
}
