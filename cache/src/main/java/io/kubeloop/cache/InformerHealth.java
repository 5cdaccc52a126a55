package io.kubeloop.cache;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an informer is doing, for health checks, metrics and people.
 *
 * @param name the resource, with {@code (metadata)} behind it if the informer holds that alone, or {@code (generic)} if it holds
 *     generic objects of a resource that has a record, and the informer's scope in brackets unless it holds everything
 * @param state what the reflector is doing
 * @param since when it began to do so; null before the start
 * @param synced whether the cache holds the whole first list
 * @param lastSyncResourceVersion up to where the server has been heard
 * @param storeResourceVersion the version of what was written last to the cache; follows behind lastSyncResourceVersion
 * @param lastEventAt when the last list or watch event came, bookmarks included; null if none did
 * @param lastError the last failure of a request, watch or transform; null if there was none. Not cleared by success
 * @param lastErrorAt when that was
 * @param errorHint what people have to do about lastError, such as give the user the role that is missing; empty if there is no
 *     saying, or time will do it
 * @param lists how many lists have been asked for, pages not counted
 * @param watches how many watches have been opened
 * @param errors how many of either, or of transforms, have failed
 * @param objects how many objects the cache holds
 * @param queued how many entries have been queued by the reflector and not been processed (upstream's metric:
 *     informer_queued_items)
 * @param handlers one entry per registered handler
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

    /** So many decimal digits of a version fit a metric, which is a floating-point number, exactly. */
    private static final int METRIC_DIGITS = 15;

    /**
     * Returns a resource version as a metric's value: its last 15 digits, 0 for an empty one, and NaN for what is no number
     * (RV-05).
     */
    public static double versionMetric(String resourceVersion) {
        String digits = resourceVersion.substring(Math.max(0, resourceVersion.length() - METRIC_DIGITS));
        return digits.isEmpty()
                ? 0
                : digits.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(digits) : Double.NaN;
    }
}
