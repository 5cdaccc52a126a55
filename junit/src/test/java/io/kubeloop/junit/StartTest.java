package io.kubeloop.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts the threads of the process")
class StartTest {

    private static final int STARTS = 20;

    @KubeloopTest
    private static final class Settings {}

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("kubeloop"))
                .toList();
    }

    /** I12. Prints how long a start takes; the bound only finds a start that has become slow by an order of magnitude. */
    @Test
    void manyControlPlanes_leaveNoThread() {
        Set<String> before = Set.copyOf(threads());
        long best = Long.MAX_VALUE;
        for (int i = 0; i < STARTS; i++) {
            long start = System.nanoTime();
            TestCluster cluster = TestCluster.start(Settings.class.getAnnotation(KubeloopTest.class), StartTest.class);
            long took = System.nanoTime() - start;
            best = Math.min(best, took);
            cluster.clock().awaitQuiet();
            int threads = threads().size();
            cluster.close();
            System.out.printf(
                    "start %d: %d ms, quiet and closed after %d ms, %d threads%n",
                    i, took / 1_000_000, (System.nanoTime() - start) / 1_000_000, threads - before.size());
        }
        System.out.println("the fastest start took " + Duration.ofNanos(best).toMillis() + " ms");

        assertThat(threads()).allMatch(before::contains);
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofSeconds(2));
    }
}
