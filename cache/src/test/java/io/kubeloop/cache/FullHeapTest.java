package io.kubeloop.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a backlog does when memory does not suffice for one call more: in a JVM of its own, whose heap is full. */
class FullHeapTest {

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void notificationThatDoesNotFit_losesNoneOfThoseThatWait_I1() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Full.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).as("it ends").isTrue();
            assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                    .contains("did not fit: 3")
                    .contains("lost: 0");
        } finally {
            process.destroyForcibly();
        }
    }

    /** The program of that JVM. */
    static final class Full {

        /** Just below the lengths at which the JDK's lists (71140) and deques (72442) grow. */
        private static final int CALLS = 71_000;

        private static final int CHUNK = 1 << 14;

        /** Not enough for a longer backlog. */
        private static final int FREE_CHUNKS = 18;

        private Full() {}

        public static void main(String[] args) throws Exception {
            AtomicInteger told = new AtomicInteger();
            ManualTimers timers = new ManualTimers();
            SharedProcessor<Thing> processor = new SharedProcessor<>(
                    "things",
                    timers,
                    new OwnedThreads(Thread::new, OwnedThreads.newFamily()),
                    new ThreadSafeStore<ObjectName, Thing>(Thing::objectName, Thing::version),
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
                listener.addAll(one);
            }
            List<byte[]> ballast = fillTheHeap();
            int failures = 0;
            while (failures < 3 && accepted < 2 * CALLS) {
                try {
                    listener.addAll(one);
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

        private static List<byte[]> fillTheHeap() {
            List<byte[]> ballast = new ArrayList<>(1 << 14);
            try {
                while (ballast.size() < 1 << 14) {
                    ballast.add(new byte[CHUNK]);
                }
            } catch (OutOfMemoryError e) {
                ballast.subList(ballast.size() - FREE_CHUNKS, ballast.size()).clear();
            }
            return ballast;
        }
    }
}
