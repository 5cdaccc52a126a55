/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.kubeloop.testing.Undeclared;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SystemSchedulerTest {

    private static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    private final List<Thread> made = new CopyOnWriteArrayList<>();
    private final Semaphore runs = new Semaphore(0);
    private final Scheduler scheduler = Scheduler.system(this::newThread);

    private Thread newThread(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    private boolean allEnded() {
        return made.stream().noneMatch(Thread::isAlive);
    }

    private void awaitWaiting() {
        await().until(() -> made.get(0).getState() == Thread.State.TIMED_WAITING);
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void scheduleAt_aTimeThatHasPassed_runsAtOnce() throws Exception {
        scheduler.scheduleAt(System.nanoTime() - 1, runs::release);

        runs.acquire();
        scheduler.close();
        assertThat(made).extracting(Thread::getName).containsExactly("kubeloop-timer");
    }

    @Test
    void schedule_anEarlierTask_wakesTheThreadThatWaits() throws Exception {
        scheduler.schedule(NEVER, () -> {});
        awaitWaiting();

        scheduler.schedule(Duration.ZERO, runs::release);

        runs.acquire();
        scheduler.close();
    }

    @Test
    void tasks_ofEqualTimes_runInTheOrderOfTheCalls() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CountDownLatch mayStart = new CountDownLatch(1);
        scheduler.schedule(Duration.ZERO, () -> uninterruptibly(mayStart));
        long at = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            int number = i;
            scheduler.scheduleAt(at, () -> order.add(number));
        }
        scheduler.scheduleAt(at, runs::release);

        mayStart.countDown();

        runs.acquire();
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        scheduler.close();
    }

    @Test
    void cancel_preventsTheTask_andMayBeRepeated() throws Exception {
        CountDownLatch mayStart = new CountDownLatch(1);
        scheduler.schedule(Duration.ZERO, () -> uninterruptibly(mayStart));
        Scheduler.Task task = scheduler.schedule(Duration.ZERO, () -> runs.release(100));
        task.cancel();
        task.cancel();
        scheduler.schedule(Duration.ZERO, runs::release);

        mayStart.countDown();

        runs.acquire();
        scheduler.close();
        assertThat(runs.availablePermits()).isZero();
    }

    @Test
    void schedule_duringATask_runsAfterIt() throws Exception {
        scheduler.schedule(Duration.ZERO, () -> scheduler.schedule(Duration.ZERO, runs::release));

        runs.acquire();
        scheduler.close();
    }

    @Test
    void task_thatThrows_isReported_andTheNextRuns() throws Exception {
        AtomicReference<Throwable> reported = new AtomicReference<>();
        Scheduler reporting = Scheduler.system(body -> {
            Thread thread = newThread(body);
            thread.setUncaughtExceptionHandler((failed, error) -> reported.set(error));
            return thread;
        });
        reporting.schedule(Duration.ZERO, () -> {
            throw Undeclared.rethrow(new IOException("scripted"));
        });
        reporting.schedule(Duration.ZERO, runs::release);

        runs.acquire();
        assertThat(reported.get()).hasMessage("scripted");
        reporting.close();
        assertThat(made).hasSize(1);
    }

    @Test
    void interrupt_isHarmless() throws Exception {
        scheduler.schedule(NEVER, () -> {});
        awaitWaiting();

        made.get(0).interrupt();
        scheduler.schedule(Duration.ZERO, runs::release);

        runs.acquire();
        scheduler.close();
    }

    @Test
    void thread_withoutTasks_ends_andTheNextTaskStartsAnother_I12() throws Exception {
        scheduler.schedule(Duration.ZERO, runs::release);
        runs.acquire();
        await().until(this::allEnded);

        scheduler.schedule(Duration.ZERO, runs::release);

        runs.acquire();
        scheduler.close();
        assertThat(made).hasSize(2);
        assertThat(allEnded()).isTrue();
    }

    @Test
    void close_beforeAnyTask_startsNoThread() {
        scheduler.close();
        scheduler.schedule(Duration.ZERO, runs::release).cancel();

        assertThat(made).isEmpty();
    }

    @Test
    void close_dropsTasks_andWaitsForTheOneThatRuns_I12() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        scheduler.schedule(Duration.ZERO, () -> {
            runs.release();
            uninterruptibly(mayEnd);
        });
        scheduler.schedule(Duration.ZERO, runs::release);
        runs.acquire();
        FutureTask<Void> close = new FutureTask<>(scheduler::close, null);
        Thread closing = new Thread(close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        mayEnd.countDown();

        close.get();
        assertThat(runs.availablePermits()).isZero();
        assertThat(allEnded()).isTrue();
    }

    @Test
    void close_interrupted_doesNotWait_andRemembersIt() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        scheduler.schedule(Duration.ZERO, () -> {
            runs.release();
            uninterruptibly(mayEnd);
        });
        runs.acquire();
        Thread.currentThread().interrupt();

        scheduler.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(allEnded()).isFalse();
        mayEnd.countDown();
        await().until(this::allEnded);
    }

    @Test
    void close_byATask_doesNotWait() throws Exception {
        scheduler.schedule(Duration.ZERO, () -> {
            scheduler.close();
            runs.release();
        });

        runs.acquire();
        await().until(this::allEnded);
    }

    @Test
    void schedule_whenTheFactoryThrows_throws_andTheNextCallStartsTheThread() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ThreadFactory failingOnce = body -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no more threads");
            }
            return newThread(body);
        };
        try (Scheduler failing = Scheduler.system(failingOnce)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> failing.schedule(Duration.ZERO, () -> runs.release(2)))
                    .withMessageStartingWith("Cannot start thread kubeloop-timer: no more threads");

            failing.schedule(Duration.ZERO, runs::release);

            runs.acquire();
            CountDownLatch later = new CountDownLatch(1);
            failing.schedule(Duration.ZERO, later::countDown);
            later.await();
            assertThat(runs.availablePermits()).isZero();
        }
    }

    @Test
    void system_isSharedByTheProcess_andCannotBeClosed() throws Exception {
        Scheduler.system().close();
        Scheduler.system().schedule(Duration.ZERO, runs::release);

        runs.acquire();
        assertThat(Scheduler.system()).isSameAs(Scheduler.system());
    }
}
