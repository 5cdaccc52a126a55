/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IndexedHeapTest {

    private static final int BURST = 100_000;

    private final IndexedHeap<Node> heap = new IndexedHeap<>(Comparator.comparingInt(node -> node.value));

    private static final class Node extends IndexedHeap.Node {
        int value;

        Node(int value) {
            this.value = value;
        }
    }

    @Test
    void push_afterABurst_releasesTheArray_C12() {
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

    @Test
    void first_underRandomPushesUpdatesAndRemovals_isTheLeast() {
        Random random = new Random(7);
        List<Node> model = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int kind = random.nextInt(4);
            if (kind < 2 || model.isEmpty()) {
                Node node = new Node(random.nextInt(1000));
                heap.push(node);
                model.add(node);
            } else {
                Node node = model.get(random.nextInt(model.size()));
                if (kind == 2) {
                    node.value = random.nextInt(1000);
                    heap.update(node);
                } else {
                    heap.remove(node);
                    model.remove(node);
                    assertThat(node.isInHeap()).isFalse();
                }
            }
            assertThat(heap.size()).isEqualTo(model.size());
            if (!model.isEmpty()) {
                assertThat(heap.first().value)
                        .isEqualTo(model.stream()
                                .mapToInt(node -> node.value)
                                .min()
                                .orElseThrow());
            }
        }
    }
}
