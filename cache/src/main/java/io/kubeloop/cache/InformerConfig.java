package io.kubeloop.cache;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.runtime.OwnedThreads;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How informers behave. Immutable; begin with {@link #DEFAULT} and change what you need.
 *
 * @param namespace the one namespace to watch; empty for all, which is the default
 * @param labelSelector selector text that objects must match; empty for none, the default
 * @param fieldSelector selector text that objects must match; empty for none, the default
 * @param resyncPeriod how often a handler that does not say otherwise is shown every object again from the cache; zero for
 *     never, the default. At least one second else
 * @param resyncPeriods the periods of single resources, where they differ; what a factory's informers go by (FA-04)
 * @param streamingList whether to begin with a streaming list where the server can do it (upstream: WatchList); true by
 *     default
 * @param announceUnchanged whether an object that comes again as the cache has it, in a list or on the watch, is told as an
 *     update to handlers that do not resync, and to those that are due: upstream's behavior (DI-05, DI-06). False by default:
 *     it is news to nobody
 * @param transform what is done to every object before anybody sees it; nothing by default. An informer's own
 *     {@link SharedInformer#setTransform transform} takes its place
 * @param queue which delta queue lies between reflector and store; {@link QueueKind#IN_ORDER} by default
 * @param minWatchTimeout each watch ends after a time drawn from this to twice this; 5 minutes by default, and no less
 * @param internalErrorBudget for how long internal errors on a watch, counted from the first, cost another watch and no list
 *     (RE-45, upstream: {@code MaxInternalErrorRetryDuration}); zero, the default, for not at all
 * @param metrics what is told of each informer; nothing by default
 * @param threads makes the threads; by default virtual where that is safe, else daemon threads
 * @param timers everything that waits; null, the default, for timers on real time that are closed with their informers
 * @param random numbers from 0 up to but not including 1, for jitter; must be thread-safe
 */
@RecordBuilder
public record InformerConfig(
        String namespace,
        String labelSelector,
        String fieldSelector,
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
        @Nullable Timers timers,
        DoubleSupplier random) {

    /** Which delta queue to use. */
    public enum QueueKind {
        /** {@code InOrderFifo}: every change, in the order of the watch. */
        IN_ORDER,
        /** {@code DeltaFifo}: the changes of one key together. */
        DELTA_FIFO
    }

    /** The default of {@link #minWatchTimeout}, and its least value (RE-03). */
    public static final Duration MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

    /** The least resync period (RS-01). */
    public static final Duration MIN_RESYNC = Duration.ofSeconds(1);

    /** All namespaces, no resync, streaming lists, real time. */
    public static final InformerConfig DEFAULT = new InformerConfig(
            "",
            "",
            "",
            Duration.ZERO,
            Map.of(),
            true,
            false,
            Transforms::identity,
            QueueKind.IN_ORDER,
            MIN_WATCH_TIMEOUT,
            Duration.ZERO,
            InformerMetricsProvider.NONE,
            OwnedThreads.defaultFactory(),
            null,
            () -> ThreadLocalRandom.current().nextDouble());

    /**
     * Checks the values; raises times that are too short.
     *
     * @throws IllegalArgumentException if a resync period or the budget for internal errors is negative
     */
    public InformerConfig {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(labelSelector, "labelSelector");
        Objects.requireNonNull(fieldSelector, "fieldSelector");
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

    /** Returns which objects are held. */
    public InformerScope scope() {
        return new InformerScope(namespace, labelSelector, fieldSelector);
    }

    /** Returns a copy for these objects. */
    public InformerConfig withScope(InformerScope scope) {
        return withNamespace(scope.namespace()).withSelectors(scope.labelSelector(), scope.fieldSelector());
    }

    /** Returns a copy for one namespace; empty for all. */
    public InformerConfig withNamespace(String namespace) {
        return InformerConfigBuilder.builder(this).namespace(namespace).build();
    }

    /** Returns a copy with these selectors; empty for none. */
    public InformerConfig withSelectors(String labelSelector, String fieldSelector) {
        return InformerConfigBuilder.builder(this)
                .labelSelector(labelSelector)
                .fieldSelector(fieldSelector)
                .build();
    }

    /** Returns a copy with this default resync period; zero for never. */
    public InformerConfig withResyncPeriod(Duration resyncPeriod) {
        return InformerConfigBuilder.builder(this).resyncPeriod(resyncPeriod).build();
    }

    /** Returns a copy with these periods for single resources, in place of the ones it had. */
    public InformerConfig withResyncPeriods(Map<ResourceType<?>, Duration> resyncPeriods) {
        return InformerConfigBuilder.builder(this).resyncPeriods(resyncPeriods).build();
    }

    /** Returns a copy that uses streaming lists or not. */
    public InformerConfig withStreamingList(boolean streamingList) {
        return InformerConfigBuilder.builder(this).streamingList(streamingList).build();
    }

    /** Returns a copy that tells handlers of objects that come again unchanged, or not. */
    public InformerConfig withAnnounceUnchanged(boolean announceUnchanged) {
        return InformerConfigBuilder.builder(this)
                .announceUnchanged(announceUnchanged)
                .build();
    }

    /** Returns a copy with this transform, such as {@code Transforms::stripManagedFields}. */
    public InformerConfig withTransform(ObjectTransform transform) {
        return InformerConfigBuilder.builder(this).transform(transform).build();
    }

    /** Returns a copy with this kind of delta queue. */
    public InformerConfig withQueue(QueueKind queue) {
        return InformerConfigBuilder.builder(this).queue(queue).build();
    }

    /** Returns a copy with this budget for internal errors; zero for none. */
    public InformerConfig withInternalErrorBudget(Duration internalErrorBudget) {
        return InformerConfigBuilder.builder(this)
                .internalErrorBudget(internalErrorBudget)
                .build();
    }

    /** Returns a copy whose informers are measured. */
    public InformerConfig withMetrics(InformerMetricsProvider metrics) {
        return InformerConfigBuilder.builder(this).metrics(metrics).build();
    }

    /** Returns a copy whose threads come from the factory; their names are set afterwards. */
    public InformerConfig withThreads(ThreadFactory threads) {
        return InformerConfigBuilder.builder(this).threads(threads).build();
    }

    /** Returns a copy with these timers, which the caller closes. */
    public InformerConfig withTimers(Timers timers) {
        return InformerConfigBuilder.builder(this).timers(timers).build();
    }

    /** Returns a copy with this source of jitter. */
    public InformerConfig withRandom(DoubleSupplier random) {
        return InformerConfigBuilder.builder(this).random(random).build();
    }
}
