package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.testing.Undeclared;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(10)
class ParallelizerTest {

    private final Threads threads = new Threads();

    @ParameterizedTest(name = "{0} pieces, {1} workers, chunks of {2}: {3} threads")
    @CsvSource({
        "1000, 1, 1, 1",
        "1000, 10, 1, 10",
        "1000, 10, 10, 10",
        "999, 10, 13, 10",
        "5, 10, 1, 5",
        "5, 10, 100, 1"
    })
    void everyPiece_isDoneOnce_onAsManyThreadsAsThereAreChunks_PZ01(int pieces, int workers, int chunk, int expected)
            throws Exception {
        AtomicIntegerArray done = new AtomicIntegerArray(pieces);

        Parallelizer.parallelizeUntil(() -> false, workers, pieces, chunk, threads, done::incrementAndGet);

        for (int i = 0; i < pieces; i++) {
            assertThat(done.get(i)).isEqualTo(1);
        }
        assertThat(threads.made())
                .hasSize(expected)
                .allMatch(thread -> thread.getName().startsWith("kubeloop-parallelizer-"));
        assertThat(threads.allEnded()).isTrue();
    }

    @Test
    void noPieces_returnsAtOnce_PZ01() throws Exception {
        Parallelizer.parallelizeUntil(() -> false, 3, 0, 1, threads, i -> {});

        assertThat(threads.made()).isEmpty();
    }

    @Test
    void workers_workAtTheSameTime_PZ01() throws Exception {
        CyclicBarrier all = new CyclicBarrier(3);

        Parallelizer.parallelizeUntil(() -> false, 3, 3, 1, threads, i -> {
            try {
                all.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(all.isBroken()).isFalse();
    }

    @Test
    void stop_isAskedBeforeEachPiece_PZ01() throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();

        Parallelizer.parallelizeUntil(stop::get, 1, 100, 10, threads, i -> stop.set(done.incrementAndGet() == 3));

        assertThat(done).hasValue(3);
    }

    @Test
    void failure_endsTheWork_andIsThrown() {
        AtomicInteger done = new AtomicInteger();

        assertThatThrownBy(() -> Parallelizer.parallelizeUntil(() -> false, 1, 100, 1, threads, i -> {
                    if (done.incrementAndGet() == 2) {
                        throw new IllegalStateException("piece " + i);
                    }
                }))
                .hasMessage("piece 1");
        assertThat(done).hasValue(2);
        assertThat(threads.allEnded()).isTrue();
    }

    @Test
    void error_isThrownToo() {
        assertThatThrownBy(() -> Parallelizer.parallelizeUntil(() -> false, 2, 2, 1, threads, i -> {
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
    }

    @Test
    void undeclaredException_isThrownToo() {
        IOException undeclared = new IOException("scripted");
        assertThatThrownBy(() -> Parallelizer.parallelizeUntil(() -> false, 1, 2, 1, threads, i -> {
                    throw Undeclared.rethrow(undeclared);
                }))
                .isInstanceOf(UndeclaredThrowableException.class)
                .hasCause(undeclared);
    }

    @Test
    void threadThatCannotBeMade_endsTheOthers_andIsThrown() {
        AtomicInteger made = new AtomicInteger();

        assertThatThrownBy(() -> Parallelizer.parallelizeUntil(
                        () -> false,
                        2,
                        2,
                        1,
                        action -> {
                            if (made.incrementAndGet() == 2) {
                                throw new IllegalStateException("no more threads");
                            }
                            return threads.newThread(action);
                        },
                        i -> {}))
                .hasMessage("no more threads");
        assertThat(threads.allEnded()).isTrue();
    }

    @Test
    void interrupt_endsTheWorkEarly_andWaitsForTheThreads() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        FutureTask<Void> work = threads.startAndAwaitBlocked(() -> {
            Parallelizer.parallelizeUntil(() -> false, 1, 100, 1, threads, i -> {
                done.incrementAndGet();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            return null;
        });
        await().until(() -> done.get() == 1);

        threads.made().get(0).interrupt();
        await().until(() ->
                !threads.made().get(0).isInterrupted() && threads.made().get(0).getState() == Thread.State.WAITING);
        goOn.countDown();

        assertThatThrownBy(work::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(done).hasValue(1);
        assertThat(threads.made().get(1).isAlive()).isFalse();
    }

    @Test
    void workersAndChunks_areAtLeastOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parallelizer.parallelizeUntil(() -> false, 0, 1, 1, threads, i -> {}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parallelizer.parallelizeUntil(() -> false, 1, 1, 0, threads, i -> {}));
    }
}
