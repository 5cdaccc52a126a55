/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.KeyException;
import io.kubeloop.cache.fake.Thing;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeltaFifoTest extends DeltaQueueContractTest {

    @Override
    DeltaQueue<ObjectName, Thing> create(KnownObjects<ObjectName, Thing> known) {
        return new DeltaFifo<>(Thing::objectName, known);
    }

    @Test
    void changesOfOneKey_areGatheredAtThePlaceOfTheFirst() {
        // DF-03
        queue.add(Thing.of("n/a", "1"));
        queue.add(Thing.of("n/b", "2"));
        queue.update(Thing.of("n/a", "3"));
        assertThat(queue.size()).isEqualTo(2);
        drain();
        assertThat(consumer.log).containsExactly("synced", "n/a@1", "n/a@3", "n/b@2");
    }

    @Test
    void pop_moreKeysThanABatch_takesTheOldest() {
        DeltaFifo<ObjectName, Thing> small = new DeltaFifo<>(Thing::objectName, consumer, 2);
        small.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2"), Thing.of("n/c", "3")), "5");
        assertThat(small.pop(consumer)).isTrue();
        assertThat(consumer.log).containsExactly("n/a@1 initial", "n/b@2 initial");
        assertThat(small.hasSynced()).isFalse();
        assertThat(small.pop(consumer)).isTrue();
        assertThat(consumer.log).containsExactly("n/a@1 initial", "n/b@2 initial", "n/c@3 initial", "synced");
        assertThat(small.hasSynced()).isTrue();
    }

    /**
     * InformerHistoryTest found this once in a thousand histories: the deltas of a key come together, whatever they
     * are.
     */
    @Test
    void pop_objectOfTheFirstListThatWasDeletedAndMadeAnew_isInitialInBothItsLives_DF15() {
        queue.replace(List.of(Thing.of("n/a", "1")), "5");
        queue.delete(Thing.of("n/a", "6"));
        queue.add(Thing.of("n/a", "7"));
        queue.add(Thing.of("n/b", "8"));
        drain();
        assertThat(consumer.log).containsExactly("n/a@1 initial", "-n/a", "n/a@7 initial", "synced", "n/b@8");
    }

    @Test
    void replace_withoutWhatIsJustBeingDeleted_saysNothingNew() {
        queue.add(Thing.of("n/a", "1"));
        drain();
        queue.delete(Thing.of("n/a", "2"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                onOtherThread(() -> queue.replace(List.of(), "3"));
                consumer.deltas(deltas, isInInitialList);
            }
        });
        assertThat(queue.size()).isZero();
    }

    @Test
    void delete_whileTheDeletionIsInProcess_saysNothingNew() {
        queue.add(Thing.of("n/a", "1"));
        drain();
        queue.delete(Thing.of("n/a", "2"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                onOtherThread(() -> queue.delete(Thing.of("n/a", "3")));
                consumer.deltas(deltas, isInInitialList);
            }
        });
        assertThat(queue.size()).isZero();
    }

    @Test
    void hasSynced_firstChangeIsADeletionWithoutKey_waitsForTheList() {
        assertThatThrownBy(() -> queue.delete(null)).isInstanceOf(KeyException.class);
        assertThat(queue.hasSynced()).isFalse();
        assertThatThrownBy(() -> queue.update(null)).isInstanceOf(KeyException.class);
        assertThat(queue.hasSynced()).isTrue();
    }
}
