/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.metrics;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.InformerHealth;
import java.util.function.Supplier;

/** Creates an {@link InformerMetrics} for each informer. Thread-safe. */
@FunctionalInterface
public interface InformerMetricsProvider {

    /** Takes no measurements. */
    InformerMetricsProvider NONE = (type, informer, health) -> InformerMetrics.NONE;

    /**
     * Returns the metrics of an informer that is being started. If this throws, the exception is logged and the
     * informer runs without metrics.
     *
     * @param type the resource, for the labels {@code group}, {@code version} and {@code resource}
     * @param informer the name of the informer, as in {@link InformerHealth#name()}, for the label {@code name}
     * @param health returns the state whenever metrics are read, until {@link InformerMetrics#close}
     */
    InformerMetrics register(ResourceType<?> type, String informer, Supplier<InformerHealth> health);

    /**
     * Returns whether the metrics may be {@linkplain InformerMetrics#isWatched watched}. The informer then has
     * decorators that report {@linkplain InformerMetrics#trace traces}; otherwise it calls neither method. False by
     * default.
     */
    default boolean traces() {
        return false;
    }
}
