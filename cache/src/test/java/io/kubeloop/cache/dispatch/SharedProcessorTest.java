package io.kubeloop.cache.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.cache.store.StoreTransaction;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several handlers without their threads: the pending calls are counted. */
class SharedProcessorTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);
    private final SharedProcessor<Thing> processor = new SharedProcessor<>(
            "things",
            scheduler,
            new OwnedThreads(Thread::new, OwnedThreads.newFamily()),
            store,
            new InformerMeter("things", scheduler),
            Duration.ofSeconds(1));

    private ProcessorListener<Thing> register(Duration resyncPeriod) {
        ProcessorListener<Thing> listener = processor.listener(new RecordingHandler());
        processor.register(listener, resyncPeriod);
        return listener;
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

    private StoreTransaction<ObjectName, Thing> adding(Thing added) {
        StoreTransaction<ObjectName, Thing> transaction = store.change();
        transaction.put(added.objectName(), added);
        return transaction;
    }

    @Test
    void publish_whenABacklogCannotGrow_changesNothing_andTellsAllWhenRepeated_C10() {
        // I7: a commit without a notification would never be repaired, as the next list finds equal objects.
        ProcessorListener<Thing> first = register(Duration.ZERO);
        ProcessorListener<Thing> second = register(Duration.ZERO);
        Thing added = Thing.of("n/a", "1");
        for (int failing = 1; failing <= 2; failing++) {
            List<Notification<Thing>> notifications = new TooLargeOnce(added, failing);
            assertThatThrownBy(() -> processor.publish(adding(added), notifications))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(first.pending()).isZero();
            assertThat(second.pending()).isZero();
            assertThat(store.list()).isEmpty();
        }

        assertThat(processor.publish(adding(added), List.of(new Notification.Added<>(added, false, EventCause.WATCH))))
                .isTrue();
        assertThat(first.pending()).isEqualTo(1);
        assertThat(second.pending()).isEqualTo(1);
        assertThat(store.list()).containsExactly(added);
    }

    /** Pretends, at the nth call of size(), to be longer than any array, so no memory suffices for it. */
    private static final class TooLargeOnce extends AbstractList<Notification<Thing>> {

        private final Thing added;
        private int until;

        TooLargeOnce(Thing added, int nth) {
            this.added = added;
            this.until = nth;
        }

        @Override
        public Notification<Thing> get(int index) {
            return new Notification.Added<>(added, false, EventCause.WATCH);
        }

        @Override
        public int size() {
            return --until == 0 ? Integer.MAX_VALUE : 1;
        }
    }
}
