/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.WithMethods;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of informers. Immutable; start from {@link #DEFAULT} and change single settings.
 *
 * @param namespace the only namespace to watch; empty, the default, for all namespaces
 * @param labelSelector label selector that objects must match; empty, the default, for none
 * @param fieldSelector field selector that objects must match; empty, the default, for none
 * @param shardSelector text of the {@link io.kubeloop.api.selector.ShardSelector} that objects must match; empty, the
 *     default, for none
 * @param resyncPeriod resync period of handlers that do not set their own: the cache passes every object on again after
 *     each period. Zero, the default, for never; otherwise at least one second
 * @param resyncPeriods resync periods of single resources, for the informers of a factory; empty by default
 * @param streamingList whether to start with a streaming list if the server supports it (upstream: WatchList); true by
 *     default
 * @param announceUnchanged whether handlers receive an update for an object that arrives again in its cached version,
 *     as upstream does; false by default. A resync delivers unchanged objects in any case
 * @param transform applied to every object before it is stored; by default the identity. An informer's own
 *     {@link SharedInformer#setTransform transform} replaces it
 * @param queue the queue between reflector and store; {@link QueueKind#REAL_FIFO} by default
 * @param minWatchTimeout lower bound of the duration of a watch; the duration of each watch is random, between this
 *     bound and twice the bound. At least 5 minutes, which is the default
 * @param internalErrorBudget the time, counted from the first error, during which an internal error on a watch leads to
 *     another watch instead of a list (upstream: {@code MaxInternalErrorRetryDuration}); zero, the default, turns this
 *     off
 * @param metrics receives measurements of each informer; by default none are taken
 * @param threads makes the threads; by default virtual threads on JDK 24 and later, otherwise daemon threads
 * @param scheduler the scheduler of all waits; null, the default, means real time. A given scheduler is not closed with
 *     the informers
 * @param random returns numbers from 0 up to but not including 1, for jitter; must be thread-safe
 */
@WithMethods
public record InformerConfig(
        String namespace,
        String labelSelector,
        String fieldSelector,
        String shardSelector,
        Duration resyncPeriod,
        Map<ResourceType<?>, Duration> resyncPeriods,
        boolean streamingList,
        boolean announceUnchanged,
        ObjectTransform transform,
        QueueKind queue,
        Duration minWatchTimeout,
        Duration internalErrorBudget,
        InformerMetricsProvider metrics,
        ThreadFactory threads,
        @Nullable Scheduler scheduler,
        DoubleSupplier random)
        implements InformerConfigBuilder.With {

    /** The kinds of queue between reflector and store. */
    public enum QueueKind {
        /** {@code RealFifo}: delivers every change in the order of the watch. */
        REAL_FIFO,
        /** {@code DeltaFifo}: delivers the queued changes of one key together. */
        DELTA_FIFO
    }

    /** The default and the minimum of {@link #minWatchTimeout}. */
    public static final Duration MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

    /** The minimum of a resync period that is not zero. */
    public static final Duration MIN_RESYNC = Duration.ofSeconds(1);

    /** The defaults: all namespaces, no resync, streaming lists, real time. */
    public static final InformerConfig DEFAULT = new InformerConfig(
            "",
            "",
            "",
            "",
            Duration.ZERO,
            Map.of(),
            true,
            false,
            Transforms::identity,
            QueueKind.REAL_FIFO,
            MIN_WATCH_TIMEOUT,
            Duration.ZERO,
            InformerMetricsProvider.NONE,
            OwnedThreads.defaultFactory(),
            null,
            () -> ThreadLocalRandom.current().nextDouble());

    /**
     * Checks the values, and raises periods below their minimum.
     *
     * @throws IllegalArgumentException if a resync period or the budget for internal errors is negative
     */
    public InformerConfig {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(labelSelector, "labelSelector");
        Objects.requireNonNull(fieldSelector, "fieldSelector");
        Objects.requireNonNull(shardSelector, "shardSelector");
        Objects.requireNonNull(transform, "transform");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(threads, "threads");
        Objects.requireNonNull(random, "random");
        resyncPeriod = atLeastMinimum(resyncPeriod);
        resyncPeriods = Map.copyOf(resyncPeriods);
        if (internalErrorBudget.isNegative()) {
            throw new IllegalArgumentException(
                    "a budget for internal errors cannot be negative, got " + internalErrorBudget);
        }
        if (minWatchTimeout.compareTo(MIN_WATCH_TIMEOUT) < 0) {
            minWatchTimeout = MIN_WATCH_TIMEOUT;
        }
    }

    /** Returns the period, raised to {@link #MIN_RESYNC} unless it is zero. */
    private static Duration atLeastMinimum(Duration resyncPeriod) {
        if (resyncPeriod.isNegative()) {
            throw new IllegalArgumentException("a resync period cannot be negative, got " + resyncPeriod);
        }
        return resyncPeriod.isZero() || resyncPeriod.compareTo(MIN_RESYNC) >= 0 ? resyncPeriod : MIN_RESYNC;
    }

    /** Returns the scope: which objects the informers hold. */
    public InformerScope scope() {
        return new InformerScope(namespace, labelSelector, fieldSelector, shardSelector);
    }

    /** Returns a copy with this scope. */
    public InformerConfig withScope(InformerScope scope) {
        return InformerConfigBuilder.builder(this)
                .namespace(scope.namespace())
                .labelSelector(scope.labelSelector())
                .fieldSelector(scope.fieldSelector())
                .shardSelector(scope.shardSelector())
                .build();
    }

    /** Returns a copy with these selectors; empty for none. */
    public InformerConfig withSelectors(String labelSelector, String fieldSelector) {
        return InformerConfigBuilder.builder(this)
                .labelSelector(labelSelector)
                .fieldSelector(fieldSelector)
                .build();
    }
}
