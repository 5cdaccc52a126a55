/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
import java.util.function.Supplier;

/**
 * Measures the cost of a live page without a viewer: the same as {@link SharedInformerBenchmark}, with the decorators
 * that read for each event whether the page is watched. An informer without a live page has none of them; its row is
 * that of the other benchmark.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar "(Shared|Unwatched)InformerBenchmark.change" -prof gc
 * </pre>
 */
public class UnwatchedInformerBenchmark extends SharedInformerBenchmark {

    private volatile boolean watched;

    @Override
    InformerMetricsProvider metrics() {
        return new InformerMetricsProvider() {
            @Override
            public InformerMetrics register(ResourceType<?> type, String informer, Supplier<InformerHealth> health) {
                return new InformerMetrics() {
                    @Override
                    public boolean isWatched() {
                        return watched;
                    }
                };
            }

            @Override
            public boolean traces() {
                return true;
            }
        };
    }
}
