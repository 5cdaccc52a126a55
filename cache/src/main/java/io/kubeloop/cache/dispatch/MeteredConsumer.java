/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.cache.queue.Delta;
import io.kubeloop.cache.queue.DeltaConsumer;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.List;

/** Measures the time that another consumer takes. Confined to the processing thread. */
public record MeteredConsumer<K, T>(DeltaConsumer<K, T> consumer, Scheduler scheduler, InformerMeter meter)
        implements DeltaConsumer<K, T> {

    @Override
    public void deltas(List<Delta<K, T>> deltas, boolean isInInitialList) {
        measure(() -> consumer.deltas(deltas, isInInitialList));
    }

    @Override
    public void replacedAll(List<T> objects, String resourceVersion, boolean isInInitialList) {
        measure(() -> consumer.replacedAll(objects, resourceVersion, isInInitialList));
    }

    @Override
    public void syncAll() {
        measure(consumer::syncAll);
    }

    @Override
    public void bookmark(String resourceVersion) {
        consumer.bookmark(resourceVersion);
    }

    @Override
    public void synced() {
        consumer.synced();
    }

    private void measure(Runnable work) {
        long start = scheduler.nanoTime();
        try {
            work.run();
        } finally {
            meter.processed(Duration.ofNanos(scheduler.nanoTime() - start));
        }
    }
}
