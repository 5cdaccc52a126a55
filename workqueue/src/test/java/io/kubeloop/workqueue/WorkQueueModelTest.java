/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations, unpaired ones too, on the queue and on a model of three plain collections. */
class WorkQueueModelTest {

    private static final int OPERATIONS = 20_000;
    private static final int ITEMS = 6;

    /** The queue as the specification words it (WQ-01 to WQ-06). */
    private static final class Model {

        final Deque<Integer> queue = new ArrayDeque<>();
        final Set<Integer> dirty = new HashSet<>();
        final Set<Integer> processing = new HashSet<>();

        void add(Integer item) {
            if (dirty.add(item) && !processing.contains(item)) {
                queue.add(item);
            }
        }

        Integer get() {
            Integer item = queue.removeFirst();
            processing.add(item);
            dirty.remove(item);
            return item;
        }

        void done(Integer item) {
            if (processing.remove(item) && dirty.contains(item)) {
                queue.add(item);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20_261_120})
    void queue_underRandomOperations_doesAsTheModel(long seed) throws Exception {
        Random random = new Random(seed);
        Model model = new Model();
        WorkQueue<Integer> queue = WorkQueues.fifo(WorkQueueConfig.named(""));
        for (int i = 0; i < OPERATIONS; i++) {
            Integer item = random.nextInt(ITEMS);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    model.add(item);
                    queue.add(item);
                }
                case 3, 4 -> {
                    if (!model.queue.isEmpty()) {
                        assertThat(queue.get())
                                .as("seed %d, operation %d", seed, i)
                                .isEqualTo(model.get());
                    }
                }
                case 5, 6 -> {
                    if (!model.processing.isEmpty()) {
                        Integer oldest = model.processing.iterator().next();
                        model.done(oldest);
                        queue.done(oldest);
                    }
                }
                default -> {
                    // Rarely a done of an item that no worker has.
                    if (random.nextInt(10) == 0 && model.queue.size() < 50) {
                        model.done(item);
                        queue.done(item);
                    }
                }
            }
            assertThat(queue.length()).as("seed %d, operation %d", seed, i).isEqualTo(model.queue.size());
        }
    }
}
