/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The table of a queue holds what it was given, and releases memory after a burst. */
class ItemTableTest {

    private static final int BURST = 100_000;

    @Test
    void table_afterABurst_releasesItsArray_C12() {
        ItemTable<Integer, Item> table = new ItemTable<>(Item::new);
        for (int i = 0; i < BURST; i++) {
            table.add(i);
        }
        for (int i = 0; i < BURST; i++) {
            table.remove(Objects.requireNonNull(table.get(i)));
        }
        assertThat(table.capacity()).isGreaterThanOrEqualTo(BURST);

        table.add(2);

        assertThat(table.capacity()).isLessThanOrEqualTo(ItemTable.LARGEST_KEPT);
        assertThat(table.get(2)).isNotNull();
        assertThat(table.get(1)).isNull();
    }

    @Test
    void table_ofCollidingItemsThatComeAndGo_equalsAMap_C12() {
        Random random = new Random(71);
        ItemTable<Colliding, Valued> table = new ItemTable<>(Valued::new);
        Map<Colliding, Integer> model = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            Colliding item = new Colliding(random.nextInt(200));
            Valued node = table.get(item);
            assertThat(node == null ? null : node.value).isEqualTo(model.get(item));
            if (node == null) {
                node = table.add(item);
                node.value = step;
                model.put(item, step);
            } else {
                table.remove(node);
                model.remove(item);
            }
            assertThat(table.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    @Test
    void namesOfEqualHashCodes_areComparedInProportionToTheirNumber() {
        int names = 20_000;
        ItemTable<Name, Named> table = new ItemTable<>(Named::new);
        for (int i = 0; i < names; i++) {
            table.add(new Name(i));
        }
        comparisons = 0;
        for (int i = 0; i < names; i++) {
            Named node = Objects.requireNonNull(table.get(new Name(i)), "lost an item");
            assertThat(node.item().number).isEqualTo(i);
            table.remove(node);
        }

        assertThat(comparisons).isLessThan(2L * names);
        assertThat(table.isEmpty()).isTrue();
    }

    private static long comparisons;

    /** Its hash code is one that a tenant chose for all names. */
    private record Name(int number) {
        @Override
        public boolean equals(Object other) {
            comparisons++;
            return other instanceof Name name && name.number == number;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    private static final class Named extends ItemTable.Node<Name> {}

    private record Colliding(int number) {
        @Override
        public int hashCode() {
            return number % 7;
        }
    }

    private static final class Item extends ItemTable.Node<Integer> {}

    private static final class Valued extends ItemTable.Node<Colliding> {
        int value;
    }
}
