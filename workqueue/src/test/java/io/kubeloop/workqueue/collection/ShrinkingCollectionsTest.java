package io.kubeloop.workqueue.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The collections of a queue hold what they were given, and release memory after a burst. */
class ShrinkingCollectionsTest {

    private static final int BURST = 100_000;

    @Test
    void fifo_afterABurst_releasesItsArrays_C12() {
        ShrinkingFifo<Integer> line = new ShrinkingFifo<>();
        for (int i = 0; i < BURST; i++) {
            line.push(i);
        }
        for (int i = 0; i < BURST; i++) {
            assertThat(line.pop()).isEqualTo(i);
        }
        assertThat(line.capacity()).isGreaterThanOrEqualTo(BURST);

        for (int i = 0; i < 5; i++) {
            line.push(i);
            assertThat(line.pop()).isEqualTo(i);
        }

        assertThat(line.capacity()).isLessThanOrEqualTo(ShrinkingFifo.LARGEST_KEPT);
    }

    @Test
    void fifo_ofBurstsAndTrickles_keepsTheOrder_C12() {
        Random random = new Random(28);
        ShrinkingFifo<Integer> line = new ShrinkingFifo<>();
        ArrayDeque<Integer> model = new ArrayDeque<>();
        int next = 0;
        for (int round = 0; round < 300; round++) {
            for (int n = random.nextInt(round % 10 == 0 ? 5_000 : 20); n > 0; n--) {
                line.push(next);
                model.add(next++);
            }
            for (int n = random.nextInt(model.size() + 1); n > 0; n--) {
                assertThat(line.pop()).isEqualTo(model.poll());
            }
            assertThat(line.size()).isEqualTo(model.size());
        }
    }

    @Test
    void map_afterABurst_replacesItsTable_C12() {
        ShrinkingMap<Integer, String> map = new ShrinkingMap<>();
        for (int i = 0; i < BURST; i++) {
            map.put(i, "value");
        }
        for (int i = 0; i < BURST; i++) {
            map.remove(i);
        }
        assertThat(map.replacements()).isZero();

        map.put(1, "one");
        map.remove(1);
        map.put(2, "two");

        assertThat(map.replacements()).isEqualTo(1);
        assertThat(map.get(2)).isEqualTo("two");
        assertThat(map.get(1)).isNull();
    }

    @Test
    void heap_afterABurst_releasesItsArray_C12() {
        IndexedHeap<Node> heap = new IndexedHeap<>(Comparator.comparingInt(node -> node.value));
        for (int i = BURST; i > 0; i--) {
            heap.push(new Node(i));
        }
        while (heap.size() > 3) {
            heap.pop();
        }

        heap.push(new Node(0));

        assertThat(heap.capacity()).isEqualTo(IndexedHeap.LARGEST_KEPT);
        assertThat(heap.pop().value).isZero();
        assertThat(heap.pop().value).isEqualTo(BURST - 2);
        assertThat(heap.pop().value).isEqualTo(BURST - 1);
        assertThat(heap.pop().value).isEqualTo(BURST);
    }

    private static final class Node extends IndexedHeap.Node {
        final int value;

        Node(int value) {
            this.value = value;
        }
    }
}
