/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of an informer, for health checks, metrics and people. Immutable.
 *
 * @param name the resource, followed by {@code (metadata)} if the informer holds only metadata, by {@code (generic)} if
 *     it holds generic objects of a resource that has a record, and by the scope in brackets unless it holds everything
 * @param state the current phase of the reflector
 * @param since when that phase began; null before the start
 * @param synced whether the cache holds the whole first list
 * @param lastSyncResourceVersion the resource version of the last list or event that was received
 * @param storeResourceVersion the resource version of the last write to the cache; it lags behind
 *     lastSyncResourceVersion
 * @param lastEventAt when the last list or watch event arrived, bookmarks included; null if none has arrived
 * @param lastError the last failure of a request, watch or transform; null if there was none. A success does not clear
 *     it
 * @param lastErrorAt when that failure happened
 * @param errorHint a remedy for lastError that an operator can apply, such as to grant a missing role; empty if none is
 *     known
 * @param lists number of lists requested, pages not counted
 * @param watches number of watches opened
 * @param errors number of failed lists, watches and transforms
 * @param objects number of cached objects
 * @param queued number of entries that the reflector has queued and that have not been processed (upstream's metric:
 *     informer_queued_items)
 * @param handlers the state of each registered handler
 */
public record InformerHealth(
        String name,
        ReflectorState state,
        @Nullable Instant since,
        boolean synced,
        String lastSyncResourceVersion,
        String storeResourceVersion,
        @Nullable Instant lastEventAt,
        @Nullable Throwable lastError,
        @Nullable Instant lastErrorAt,
        String errorHint,
        long lists,
        long watches,
        long errors,
        int objects,
        int queued,
        List<HandlerHealth> handlers) {

    /** The number of decimal digits that a metric, a floating-point number, represents exactly. */
    private static final int METRIC_DIGITS = 15;

    /**
     * Returns a resource version as the value of a metric: its last 15 digits, 0 for an empty version, and NaN if it is
     * not a number.
     */
    public static double versionMetric(String resourceVersion) {
        String digits = resourceVersion.substring(Math.max(0, resourceVersion.length() - METRIC_DIGITS));
        return digits.isEmpty()
                ? 0
                : digits.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(digits) : Double.NaN;
    }

    /**
     * The state of one handler.
     *
     * @param name the name of the handler, by default that of its class
     * @param synced whether it has handled the whole first list
     * @param pending number of calls still to be made, the running call included
     * @param behindSince the time when the handler fell behind: more than 1024 calls were pending, and the number has
     *     not dropped to 512 since; null if the handler is not behind
     * @param delivered number of calls that have returned or thrown
     * @param failed number of calls that have thrown
     */
    public record HandlerHealth(
            String name,
            boolean synced,
            long pending,
            @Nullable Instant behindSince,
            long delivered,
            long failed) {}
}
