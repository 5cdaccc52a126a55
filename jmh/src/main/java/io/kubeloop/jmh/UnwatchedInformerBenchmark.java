package io.kubeloop.jmh;

import io.kubeloop.cache.InformerMetrics;
import io.kubeloop.cache.InformerMetricsProvider;

/**
 * Measures the cost of the observer of a live page while no viewer is connected: the same as {@link
 * SharedInformerBenchmark}, with a receiver of measurements that is asked for each event whether it watches.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar "(Shared|Unwatched)InformerBenchmark.change" -prof gc
 * </pre>
 */
public class UnwatchedInformerBenchmark extends SharedInformerBenchmark {

    private volatile boolean watched;

    @Override
    InformerMetricsProvider metrics() {
        return (type, name, health) -> new InformerMetrics() {
            @Override
            public boolean isWatched() {
                return watched;
            }
        };
    }
}
