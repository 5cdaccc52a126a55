/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.store.StoreTransaction;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several handlers without their threads: the pending calls are counted. */
class SharedProcessorTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);
    private final SharedProcessor<Thing> processor = new SharedProcessor<>(
            "things", scheduler, new OwnedThreads(Thread::new, OwnedThreads.newFamily()), store, Duration.ofSeconds(1));

    private ProcessorListener<Thing> register(Duration resyncPeriod) {
        return processor.register(new RecordingHandler(), resyncPeriod);
    }

    @Test
    void resync_ofAHandlerThatWasDueBeforeTheProcessingThreadCameToIt_isNotLost_RS03() {
        ProcessorListener<Thing> fast = register(Duration.ofSeconds(1));
        ProcessorListener<Thing> slow = register(Duration.ofSeconds(10));
        store.add(Thing.of("n/a", "1"));
        scheduler.advance(Duration.ofSeconds(10));
        assertThat(processor.decideResync()).isTrue();
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(processor.decideResync()).as("the fast one alone").isTrue();

        processor.resync();
        processor.resync();

        assertThat(slow.pending()).isEqualTo(1);
        assertThat(fast.pending())
                .as("shown once: nothing has changed in between")
                .isEqualTo(1);
    }

    /** Commits a version of one object, as the processing thread does. */
    private Notification.Batch<Thing> commit(int version) {
        Thing before = store.getByKey(ObjectName.parse("n/a"));
        Thing thing = Thing.of("n/a", String.valueOf(version));
        StoreTransaction<ObjectName, Thing> transaction = store.change();
        transaction.put(thing.objectName(), thing);
        assertThat(store.tryCommit(transaction)).isTrue();
        return new Notification.Batch<>(
                transaction.commit(),
                List.of(
                        before == null
                                ? new Notification.Added<>(thing, false, EventCause.WATCH)
                                : new Notification.Updated<>(before, thing, EventCause.WATCH)));
    }

    @Test
    void register_betweenACommitAndItsDistribution_deliversTheChangeOnce_I4() throws Exception {
        Notification.Batch<Thing> committed = commit(1);
        RecordingHandler handler = new RecordingHandler();
        ProcessorListener<Thing> listener = processor.register(handler, Duration.ZERO);
        processor.distribute(committed);
        processor.distribute(commit(2));
        processor.start();
        assertThat(handler.take(2)).containsExactly("add n/a@1 initial", "update n/a@1 -> n/a@2");
        await().until(() -> listener.pending() == 0);
        processor.stop();
    }

    /** Expects each version once, from that of its replay on. */
    private static final class Follower implements ResourceEventHandler<Thing> {

        private final List<String> gaps = new CopyOnWriteArrayList<>();
        private volatile int version;

        @Override
        public void onAdd(Thing object, boolean isInInitialList) {
            if (version != 0) {
                gaps.add("added again: " + object);
            }
            version = Integer.parseInt(object.version());
        }

        @Override
        public void onUpdate(Thing oldObject, Thing newObject) {
            if (Integer.parseInt(newObject.version()) != version + 1) {
                gaps.add(newObject + " after " + version);
            }
            version = Integer.parseInt(newObject.version());
        }
    }

    @Test
    void register_whileAnotherThreadCommits_deliversTheCacheAndThenEachLaterChange_I4() throws Exception {
        int last = 5_000;
        processor.distribute(commit(1));
        processor.start();
        Thread processing = new Thread(
                () -> IntStream.rangeClosed(2, last).forEach(version -> processor.distribute(commit(version))));
        processing.start();
        List<Follower> handlers = new ArrayList<>();
        while (processing.isAlive() && handlers.size() < 100) {
            Follower handler = new Follower();
            handlers.add(handler);
            processor.register(handler, Duration.ZERO);
        }
        processing.join();
        for (Follower handler : handlers) {
            await().until(() -> handler.version == last);
            assertThat(handler.gaps).isEmpty();
        }
        processor.stop();
    }
}
