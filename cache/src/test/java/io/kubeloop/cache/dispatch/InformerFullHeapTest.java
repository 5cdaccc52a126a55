package io.kubeloop.cache.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.FullHeap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A backlog that cannot grow for lack of memory, in a JVM with a full heap. */
class InformerFullHeapTest {

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void notificationThatDoesNotFit_losesNoneOfThoseThatWait_I1() throws Exception {
        assertThat(FullHeap.run(Full.class)).contains("did not fit: 3").contains("lost: 0");
    }

    /** The program of that JVM. */
    static final class Full {

        /** Just below the sizes at which the JDK's lists (71140) and deques (72442) grow. */
        private static final int CALLS = 71_000;

        /** Less than a longer backlog needs. */
        private static final int FREE_CHUNKS = 18;

        private Full() {}

        private static void add(ProcessorListener<Thing> listener, List<Notification<Thing>> notifications) {
            listener.reserve(notifications.size());
            try {
                listener.append(notifications);
            } finally {
                listener.release();
            }
        }

        public static void main(String[] args) throws Exception {
            AtomicInteger told = new AtomicInteger();
            ManualScheduler scheduler = new ManualScheduler();
            SharedProcessor<Thing> processor = new SharedProcessor<>(
                    "things",
                    scheduler,
                    new OwnedThreads(Thread::new, OwnedThreads.newFamily()),
                    new ThreadSafeStore<ObjectName, Thing>(Thing::objectName, Thing::version),
                    new InformerMeter("things", scheduler),
                    Duration.ZERO);
            ProcessorListener<Thing> listener = processor.listener(new ResourceEventHandler<Thing>() {
                @Override
                public void onAdd(Thing object, boolean isInInitialList) {
                    told.incrementAndGet();
                }
            });
            processor.register(listener, Duration.ZERO);
            List<Notification<Thing>> one =
                    List.of(new Notification.Added<>(Thing.of("n/a", "1"), false, EventCause.WATCH));
            int accepted = 0;
            for (; accepted < CALLS; accepted++) {
                add(listener, one);
            }
            List<byte[]> ballast = FullHeap.fill(FREE_CHUNKS);
            int failures = 0;
            while (failures < 3 && accepted < 2 * CALLS) {
                try {
                    add(listener, one);
                    accepted++;
                } catch (OutOfMemoryError e) {
                    failures++;
                }
            }
            ballast.clear();
            processor.start();
            processor.synced();
            listener.awaitSync(Duration.ofDays(1));
            listener.close();
            System.out.println("did not fit: " + failures + ", lost: " + (accepted - told.get()));
        }
    }
}
