/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on the queue and on a model that looks at everything each time. */
class PriorityWorkQueueModelTest {

    private static final int OPERATIONS = 20_000;
    private static final int ITEMS = 8;

    private static final class Pending {
        int priority;
        long readyAt;
        boolean ready;
        long turn;
    }

    private static final class Model {

        private static final Comparator<Map.Entry<Integer, Pending>> LINE = Comparator.comparing(
                        Map.Entry<Integer, Pending>::getValue,
                        Comparator.comparingInt((Pending pending) -> -pending.priority))
                .thenComparing(Map.Entry::getValue, Comparator.comparingLong(pending -> pending.turn));

        final Map<Integer, Pending> pending = new HashMap<>();
        final Set<Integer> processing = new HashSet<>();
        long now;
        long turns;

        void add(Integer item, int priority, long delay) {
            Pending known = pending.get(item);
            if (known == null) {
                known = new Pending();
                known.priority = priority;
                known.readyAt = now + delay;
                known.turn = turns++;
                known.ready = delay == 0;
                pending.put(item, known);
                return;
            }
            if (known.ready) {
                if (priority > known.priority) {
                    known.turn = turns++;
                }
            } else if (delay == 0) {
                known.ready = true;
                known.turn = turns++;
            } else if (now + delay < known.readyAt) {
                known.readyAt = now + delay;
                known.turn = turns++;
            }
            known.priority = Math.max(known.priority, priority);
        }

        void advance(long by) {
            now += by;
            pending.values().stream()
                    .filter(item -> !item.ready && item.readyAt <= now)
                    .sorted(Comparator.comparingLong((Pending item) -> item.readyAt)
                            .thenComparingInt(item -> -item.priority)
                            .thenComparingLong(item -> item.turn))
                    .forEach(item -> {
                        item.ready = true;
                        item.turn = turns++;
                    });
        }

        List<Integer> line() {
            return pending.entrySet().stream()
                    .filter(item -> item.getValue().ready && !processing.contains(item.getKey()))
                    .sorted(LINE)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        Prioritized<Integer> get() {
            Integer item = line().get(0);
            processing.add(item);
            return new Prioritized<>(item, pending.remove(item).priority);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20_261_120})
    void queue_underRandomOperations_doesAsTheModel(long seed) throws Exception {
        Random random = new Random(seed);
        Model model = new Model();
        ManualScheduler clock = new ManualScheduler();
        PriorityWorkQueue<Integer> queue = WorkQueues.priority(
                WorkQueueConfig.named("").withScheduler(clock), RateLimiters.exponential(Duration.ZERO, Duration.ZERO));
        for (int i = 0; i < OPERATIONS; i++) {
            Integer item = random.nextInt(ITEMS);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    int priority = random.nextInt(3);
                    long delay = random.nextBoolean() ? 0 : random.nextInt(20);
                    model.add(item, priority, delay);
                    queue.addWithOptions(item, AddOptions.ofPriority(priority).withAfter(Duration.ofNanos(delay)));
                }
                case 3, 4 -> {
                    if (!model.line().isEmpty()) {
                        assertThat(queue.getWithPriority())
                                .as("seed %d, operation %d", seed, i)
                                .isEqualTo(model.get());
                    }
                }
                case 5, 6 -> {
                    List<Integer> processing = new ArrayList<>(model.processing);
                    if (!processing.isEmpty()) {
                        Integer ended = processing.get(random.nextInt(processing.size()));
                        model.processing.remove(ended);
                        queue.done(ended);
                    }
                }
                default -> {
                    int by = random.nextInt(5);
                    model.advance(by);
                    clock.advance(Duration.ofNanos(by));
                }
            }
            assertThat(queue.length())
                    .as("seed %d, operation %d", seed, i)
                    .isEqualTo(model.line().size());
            assertThat(queue.delayed()).as("seed %d, operation %d", seed, i).isEqualTo((int)
                    model.pending.values().stream().filter(p -> !p.ready).count());
        }
    }
}
