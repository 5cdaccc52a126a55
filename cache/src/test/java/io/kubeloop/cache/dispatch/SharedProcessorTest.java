package io.kubeloop.cache.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ManualTimers;
import io.kubeloop.cache.RecordingHandler;
import io.kubeloop.cache.Thing;
import io.kubeloop.cache.runtime.OwnedThreads;
import io.kubeloop.cache.store.StoreTransaction;
import io.kubeloop.cache.store.ThreadSafeStore;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Handlers side by side, without their threads: what each has to come is counted. */
class SharedProcessorTest {

    private final ManualTimers timers = new ManualTimers();
    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);
    private final SharedProcessor<Thing> processor = new SharedProcessor<>(
            "things", timers, new OwnedThreads(Thread::new, OwnedThreads.newFamily()), store, Duration.ofSeconds(1));

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
        timers.advance(Duration.ofSeconds(10));
        assertThat(processor.decideResync()).isTrue();
        timers.advance(Duration.ofSeconds(1));
        assertThat(processor.decideResync()).as("the fast one alone").isTrue();

        processor.resync();
        processor.resync();

        assertThat(slow.pending()).isEqualTo(1);
        assertThat(fast.pending())
                .as("shown once: nothing has changed in between")
                .isEqualTo(1);
    }

    @Test
    void publish_whenOneBacklogCannotGrow_tellsTheOthers_I7() {
        ProcessorListener<Thing> first = register(Duration.ZERO);
        ProcessorListener<Thing> second = register(Duration.ZERO);
        Thing added = Thing.of("n/a", "1");
        StoreTransaction<ObjectName, Thing> transaction = StoreTransaction.change(store, store.snapshot());
        transaction.put(added.objectName(), added);

        assertThatThrownBy(() -> processor.publish(transaction, new FailingOnce(added)))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(first.pending()).isZero();
        assertThat(second.pending()).isEqualTo(1);
        assertThat(store.list()).containsExactly(added);
    }

    /** Memory is short when it is first gone through. */
    private static final class FailingOnce extends AbstractList<Notification<Thing>> {

        private final Thing added;
        private final AtomicBoolean failed = new AtomicBoolean();

        FailingOnce(Thing added) {
            this.added = added;
        }

        @Override
        public Notification<Thing> get(int index) {
            return new Notification.Added<>(added, false, EventCause.WATCH);
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Iterator<Notification<Thing>> iterator() {
            if (failed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("scripted");
            }
            return List.of(get(0)).iterator();
        }
    }
}
