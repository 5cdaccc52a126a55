/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.testing.Allocations;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The bytes that a change allocates on its way through a queue: 24 for the {@link Delta}. The key is not counted, as
 * these keys exist already. Limits are the measured bytes and 8 more.
 */
class DeltaQueueAllocationTest {

    private static final int CALLS = 20_000;
    private static final int BURST = 100;

    private final List<ObjectName> keys = IntStream.range(0, 1_000)
            .mapToObj(i -> new ObjectName("n", "a" + i))
            .toList();
    private int next;

    @Test
    void deltaFifo_ofDistinctKeys_allocatesTheChange() throws Exception {
        assertThat(addAndPop(new DeltaFifo<>(key -> key, stored()))).isLessThanOrEqualTo(32);
    }

    @Test
    void deltaFifo_ofOneKeyInBursts_allocatesTheChanges() throws Exception {
        DeltaQueue<ObjectName, ObjectName> queue = new DeltaFifo<>(key -> key, stored());
        DeltaConsumer<ObjectName, ObjectName> consumer = new Ignoring();

        double bytes = Allocations.perCall(CALLS / BURST + 1_000, () -> {
            for (int i = 0; i < BURST; i++) {
                queue.update(keys.get(0));
            }
            return queue.pop(consumer);
        });

        assertThat(bytes / BURST).isLessThanOrEqualTo(32);
    }

    @Test
    void inOrderFifo_allocatesTheChange() throws Exception {
        assertThat(addAndPop(new RealFifo<>(key -> key))).isLessThanOrEqualTo(32);
    }

    private double addAndPop(DeltaQueue<ObjectName, ObjectName> queue) throws Exception {
        DeltaConsumer<ObjectName, ObjectName> consumer = new Ignoring();
        return Allocations.perCall(CALLS, () -> {
            queue.add(keys.get(next++ % keys.size()));
            return queue.pop(consumer);
        });
    }

    private static KnownObjects<ObjectName, ObjectName> stored() {
        Map<ObjectName, ObjectName> none = Map.of();
        return new KnownObjects<>() {
            @Override
            public List<ObjectName> keys() {
                return List.of();
            }

            @Override
            public ObjectName get(ObjectName key) {
                return none.get(key);
            }
        };
    }

    private static final class Ignoring implements DeltaConsumer<ObjectName, ObjectName> {

        @Override
        public void deltas(List<Delta<ObjectName, ObjectName>> deltas, boolean isInInitialList) {}

        @Override
        public void replacedAll(List<ObjectName> objects, String resourceVersion, boolean isInInitialList) {}

        @Override
        public void syncAll() {}

        @Override
        public void bookmark(String resourceVersion) {}

        @Override
        public void synced() {}
    }
}
