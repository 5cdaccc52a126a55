package io.kubeloop.workqueue.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelayHeapTest {

    private final DelayHeap<String> heap = new DelayHeap<>();

    @Test
    void pollReady_ofAnEmptyHeap_isNull() {
        assertThat(heap.pollReady(Long.MAX_VALUE)).isNull();
    }

    @Test
    void pollReady_atTheTimeItself_isReady_DQ04() {
        heap.offer("a", 10);

        assertThat(heap.pollReady(9)).isNull();
        assertThat(heap.pollReady(10)).isEqualTo("a");
        assertThat(heap.isEmpty()).isTrue();
    }

    @Test
    void pollReady_ofEqualTimes_keepsTheOrderOfOffers() {
        for (String item : new String[] {"a", "b", "c", "d", "e"}) {
            heap.offer(item, 10);
        }

        for (String item : new String[] {"a", "b", "c", "d", "e"}) {
            assertThat(heap.pollReady(10)).isEqualTo(item);
        }
    }

    @Test
    void earliest_isTheEarliestTimeAskedForAnyItem_DQ02() {
        heap.offer("a", 10);
        assertThat(heap.earliest()).isEqualTo(10);
        heap.offer("b", 20);
        heap.offer("a", 15);
        assertThat(heap.earliest()).isEqualTo(10);
        heap.offer("b", 5);
        assertThat(heap.earliest()).isEqualTo(5);
    }

    @Test
    void offer_acrossTheOverflowOfTheClock_staysInOrder() {
        heap.offer("late", Long.MAX_VALUE + 5);
        heap.offer("early", Long.MAX_VALUE - 5);

        assertThat(heap.pollReady(Long.MAX_VALUE)).isEqualTo("early");
        assertThat(heap.pollReady(Long.MAX_VALUE)).isNull();
        assertThat(heap.pollReady(Long.MIN_VALUE + 4)).isEqualTo("late");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void heap_underRandomOperations_holdsTheEarliestTimeOfEachItem_DQ02(long seed) {
        Random random = new Random(seed);
        Map<String, Long> model = new HashMap<>();
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(3) > 0) {
                String item = "i" + random.nextInt(200);
                long readyAt = now + random.nextInt(1000);
                heap.offer(item, readyAt);
                model.merge(item, readyAt, Math::min);
            } else {
                now += random.nextInt(20);
                String item = heap.pollReady(now);
                if (item == null) {
                    assertThat(model.values()).allMatch(after(now));
                } else {
                    long readyAt = model.remove(item);
                    assertThat(readyAt).isLessThanOrEqualTo(now);
                    assertThat(model.values()).noneMatch(time -> time < readyAt);
                }
            }
            assertThat(heap.size()).isEqualTo(model.size());
        }
    }

    private static Predicate<Long> after(long now) {
        return time -> time > now;
    }
}
