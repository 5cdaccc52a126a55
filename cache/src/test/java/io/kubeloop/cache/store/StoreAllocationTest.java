/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.testing.Allocations;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The bytes that a write allocates in a store of 10,000 objects with the namespace index. The interpreter allocates
 * what the compiler removes, so limits have a margin.
 */
class StoreAllocationTest {

    private static final int CALLS = 20_000;

    private final List<Thing> things = IntStream.range(0, 10_000)
            .mapToObj(i -> Thing.of("team-" + i % 100 + "/a" + i, "1"))
            .toList();
    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);
    private int next;

    StoreAllocationTest() {
        store.addIndexers(Map.of(Indexers.NAMESPACE, Indexers::byNamespace));
        things.forEach(store::add);
    }

    private Thing next() {
        return things.get(next++ % things.size());
    }

    @Test
    void update_allocatesTheTransaction() throws Exception {
        double bytes = Allocations.perCall(CALLS, () -> {
            store.update(next());
            return store;
        });

        assertThat(bytes).isLessThanOrEqualTo(280);
    }

    @Test
    void deleteAndAdd_allocateTheTransactions() throws Exception {
        double bytes = Allocations.perCall(CALLS, () -> {
            Thing thing = next();
            store.delete(thing);
            store.add(thing);
            return store;
        });

        assertThat(bytes).isLessThanOrEqualTo(560);
    }

    @Test
    void get_allocatesNothing() throws Exception {
        List<ObjectName> keys = things.stream().map(Thing::objectName).toList();
        double bytes = Allocations.perCall(CALLS, () -> store.getByKey(keys.get(next++ % keys.size())));

        assertThat(bytes).isLessThan(1);
    }
}
