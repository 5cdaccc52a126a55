/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.OwnJvm;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The cost of a control plane. Times are the CPU time of the thread that starts it: unlike real time, they do not grow
 * while the machine runs something else.
 */
@Isolated("counts what the process holds")
@Tag("stress")
class StartTest {

    /** Starts before the first count: they load the classes and open the files that stay. */
    private static final int FIRST = 10;

    private static final int STARTS = Integer.getInteger("kubeloop.starts", 20);

    /** The measured number, at most 1,980, and 10 %. */
    private static final long MOST_CLASSES = 2_180;

    @KubeloopTest
    private static final class Settings {}

    /** What a process holds. File descriptors are 0 where the system does not list them. */
    private record Held(int threads, long files, long directBuffers, long directBytes, long heap) {

        static Held now() throws IOException {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .findFirst()
                    .orElseThrow();
            return new Held(
                    (int) Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("kubeloop"))
                            .count(),
                    openFiles(),
                    direct.getCount(),
                    direct.getMemoryUsed(),
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }

        private static long openFiles() throws IOException {
            Path directory = Path.of("/proc/self/fd");
            if (!Files.isDirectory(directory)) {
                return 0;
            }
            try (Stream<Path> open = Files.list(directory)) {
                return open.count();
            }
        }
    }

    private static TestCluster start() {
        return TestCluster.start(Settings.class.getAnnotation(KubeloopTest.class), StartTest.class);
    }

    private static Duration cpuOfThisThread() {
        return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    private static void requestOverHttp(TestCluster cluster) throws IOException {
        URLConnection connection = cluster.uri().resolve("/version").toURL().openConnection();
        connection.setRequestProperty(
                "Connection", "close"); // the client of the JDK keeps connections of closed servers
        try (InputStream version = connection.getInputStream()) {
            assertThat(version.readAllBytes()).isNotEmpty();
        }
    }

    /** I12: no thread, file descriptor or buffer is left, and the heap does not grow. */
    @Test
    void manyControlPlanes_startFastAndLeaveNothing() throws IOException {
        Duration best = Duration.ofDays(1);
        Held before = null;
        for (int i = 0; i < FIRST + STARTS; i++) {
            if (i == FIRST) {
                before = Held.now();
            }
            Duration begin = cpuOfThisThread();
            TestCluster cluster = start();
            Duration took = cpuOfThisThread().minus(begin);
            best = took.compareTo(best) < 0 ? took : best;
            requestOverHttp(cluster);
            cluster.clock().awaitQuiet();
            cluster.close();
        }
        Held after = Held.now();
        System.out.printf("the fastest start took %d ms; before %s, after %s%n", best.toMillis(), before, after);

        assertThat(before).isNotNull();
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads());
        assertThat(after.files()).isLessThanOrEqualTo(before.files() + 2);
        assertThat(after.directBuffers()).isLessThanOrEqualTo(before.directBuffers() + 4);
        assertThat(after.directBytes()).isLessThanOrEqualTo(before.directBytes() + 1_000_000);
        assertThat(after.heap()).isLessThan(before.heap() + 8_000_000); // a control plane has 1.2 MB
        assertThat(best).isLessThan(Duration.ofMillis(100));
    }

    /** The program of {@link #firstStartOfAProcess_isBounded}. */
    static final class First {

        private First() {}

        /** Prints the CPU time of a start in milliseconds. */
        public static void main(String[] args) {
            Duration begin = cpuOfThisThread();
            TestCluster cluster = start();
            long took = cpuOfThisThread().minus(begin).toMillis();
            cluster.close();
            System.out.println("took " + took);
        }
    }

    /** Two thirds of this time are the loading of classes and the linking of lambdas. */
    @Test
    void firstStartOfAProcess_isBounded() throws Exception {
        String output = OwnJvm.run(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error"), First.class);

        System.out.println("the first start of a process: " + output);
        assertThat(output).startsWith("took ");
        assertThat(Long.parseLong(output.strip().substring("took ".length()))).isLessThan(2_000);
    }

    /** Most of the time of a first start is that of its classes. They are counted, so they do not become more. */
    @Test
    void classesOfAFirstStart_areBounded() throws Exception {
        long classes = OwnJvm.loadedClasses(First.class);

        System.out.println("classes of a first start: " + classes);
        assertThat(classes).isBetween(1_000L, MOST_CLASSES);
    }
}
