/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
@SuppressWarnings("try") // A worker works by being there: the body need not name it.
class WorkerTest {

    private static final Duration LONG = Duration.ofSeconds(8);

    private record Failure(String item, String message, int retries, boolean willRetry) {}

    private final Threads threads = new Threads();
    private final List<Failure> failures = new CopyOnWriteArrayList<>();
    private final RateLimitingQueue<String> queue =
            WorkQueues.rateLimiting("test", RateLimiters.exponential(Duration.ZERO, Duration.ofMillis(1)));

    @AfterEach
    void endThreads() {
        queue.shutDown();
        threads.made().forEach(Thread::interrupt);
    }

    private Worker.Builder<String> builder(SyncHandler<String> handler) {
        return Worker.builder(queue, handler)
                .threadFactory(threads)
                .onFailure((item, error, retries, willRetry) ->
                        failures.add(new Failure(item, error.getMessage(), retries, willRetry)));
    }

    @Test
    void success_forgetsAndIsDone() throws Exception {
        // RQ-01
        Semaphore synced = new Semaphore(0);
        queue.addRateLimited("a");
        assertThat(queue.numRequeues("a")).isEqualTo(1);

        try (Worker<String> worker = builder(item -> synced.release()).start()) {
            synced.acquire();
        }

        assertThat(queue.numRequeues("a")).isZero();
        assertThat(failures).isEmpty();
        queue.shutDownWithDrain();
    }

    @Test
    void failure_isRetried_andReportedWithItsRetries() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch synced = new CountDownLatch(1);
        queue.add("a");

        try (Worker<String> worker = builder(item -> {
                    if (tries.incrementAndGet() < 3) {
                        throw new IllegalStateException("try " + tries);
                    }
                    synced.countDown();
                })
                .start()) {
            synced.await();
        }

        assertThat(failures).containsExactly(new Failure("a", "try 1", 0, true), new Failure("a", "try 2", 1, true));
        assertThat(queue.numRequeues("a")).isZero();
    }

    @Test
    @SuppressWarnings("unchecked") // the proxy forwards to a queue of strings
    void failures_ofADecoratedQueue_reachTheListenerOfItsConfiguration() {
        List<Failure> reported = new CopyOnWriteArrayList<>();
        RateLimitingQueue<String> plain = WorkQueues.rateLimiting(
                WorkQueueConfig.named("test")
                        .withFailures((item, error, retries, willRetry) ->
                                reported.add(new Failure((String) item, error.getMessage(), retries, willRetry))),
                RateLimiters.exponential(Duration.ZERO, Duration.ZERO));
        RateLimitingQueue<String> decorated = (RateLimitingQueue<String>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RateLimitingQueue.class},
                (proxy, method, arguments) -> method.invoke(plain, arguments));
        SyncHandler<String> failing = item -> {
            throw new IllegalStateException("no");
        };
        try (Worker<String> worker = Worker.builder(decorated, failing)
                .threadFactory(threads)
                .maxRetries(1)
                .onFailure((item, error, retries, willRetry) -> {})
                .start()) {
            decorated.add("a");
            await().until(() -> reported.size() == 2);
        }

        assertThat(reported).containsExactly(new Failure("a", "no", 0, true), new Failure("a", "no", 1, false));
    }

    @Test
    void failure_afterMaxRetries_isGivenUpAndForgotten() {
        queue.add("a");

        try (Worker<String> worker = builder(item -> {
                    throw new IllegalStateException("no");
                })
                .maxRetries(2)
                .start()) {
            await().until(() -> failures.size() == 3);
        }

        assertThat(failures.get(2)).isEqualTo(new Failure("a", "no", 2, false));
        assertThat(queue.numRequeues("a")).isZero();
    }

    /** The uncaught exception handler would print the failure as if the thread had died. */
    @Test
    void failure_withoutAListener_isNotReportedAsUncaught() throws Exception {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Semaphore syncs = new Semaphore(0);
        queue.add("a");
        try (Worker<String> worker = Worker.<String>builder(queue, item -> {
                    syncs.release();
                    throw new IllegalStateException("409 Conflict");
                })
                .threadFactory(action -> {
                    Thread thread = threads.newThread(action);
                    thread.setUncaughtExceptionHandler((where, error) -> uncaught.add(error));
                    return thread;
                })
                .start()) {
            syncs.acquire(3);
            assertThat(worker.stop(LONG)).isTrue();
        }
        assertThat(uncaught).isEmpty();
    }

    @Test
    void failureLine_statesWhatFailed_andWhatFollows() {
        IllegalStateException conflict = new IllegalStateException("409 Conflict");

        assertThat(Worker.failureLine("sites", "default/a", conflict, Duration.ofMillis(5)))
                .isEqualTo("Cannot sync default/a of queue sites: java.lang.IllegalStateException: 409 Conflict; "
                        + "trying again in 5 ms");
        assertThat(Worker.failureLine("", "default/a", conflict, null))
                .isEqualTo("Cannot sync default/a: java.lang.IllegalStateException: 409 Conflict; it is not retried");
    }

    @Test
    void close_interrupted_remembersIt_andShutsTheQueueDown() {
        Worker<String> worker = builder(item -> {}).start();
        Thread.currentThread().interrupt();

        worker.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(queue.isShuttingDown()).isTrue();
        await().until(threads::allEnded);
    }

    @Test
    void error_costsTheItemARetry_andNotTheThread() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        CountDownLatch synced = new CountDownLatch(1);
        queue.add("a");

        try (Worker<String> worker = builder(item -> {
                    if (tries.incrementAndGet() == 1) {
                        throw new StackOverflowError("deep");
                    }
                    synced.countDown();
                })
                .start()) {
            synced.await();
        }

        assertThat(failures).containsExactly(new Failure("a", "deep", 0, true));
        assertThat(threads.made()).hasSize(1);
    }

    @Test
    void listenerAndLimiterThatThrow_costNothing_W1() throws Exception {
        AtomicReference<Throwable> reported = new AtomicReference<>();
        RateLimitingQueue<String> broken = WorkQueues.rateLimiting("test", new RateLimiter<>() {
            @Override
            public Duration when(String item) {
                throw new IllegalStateException("limiter");
            }

            @Override
            public void forget(String item) {}

            @Override
            public int numRequeues(String item) {
                return 0;
            }
        });
        broken.add("bad");
        broken.add("good");
        Semaphore good = new Semaphore(0);
        Worker<String> worker = Worker.start(
                broken,
                1,
                action -> {
                    Thread thread = threads.newThread(action);
                    thread.setUncaughtExceptionHandler((t, e) -> reported.set(e));
                    return thread;
                },
                item -> {
                    if (item.equals("bad")) {
                        throw new IllegalStateException("handler");
                    }
                    good.release();
                });

        good.acquire();

        assertThat(reported.get()).hasMessage("limiter");
        assertThat(worker.stop(LONG)).isTrue();
        broken.shutDownWithDrain();
    }

    /** First in, first out, but for what the test makes it throw. */
    private static class Fifo implements QueueOrder<String> {

        final Deque<String> items = new ConcurrentLinkedDeque<>();

        @Override
        public void push(String item) {
            items.addLast(item);
        }

        @Override
        public int length() {
            return items.size();
        }

        @Override
        public String pop() {
            return items.removeFirst();
        }
    }

    private Worker<String> reporting(
            QueueOrder<String> order,
            BlockingQueue<Throwable> reported,
            SyncHandler<RateLimitingQueue<String>> handler) {
        RateLimitingQueue<String> ordered = WorkQueues.rateLimiting(
                WorkQueueConfig.named("ordered"), RateLimiters.exponential(Duration.ZERO, Duration.ZERO), order);
        ordered.add("a");
        ordered.add("b");
        return Worker.start(
                ordered,
                1,
                action -> {
                    Thread thread = threads.newThread(action);
                    thread.setUncaughtExceptionHandler((t, e) -> reported.add(e));
                    return thread;
                },
                item -> handler.sync(ordered));
    }

    @Test
    void orderThatRefusesAnItemThatIsDone_isReported_andTheThreadLivesOn_W2() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        Fifo order = new Fifo() {
            @Override
            public void push(String item) {
                if (full.get()) {
                    throw new IllegalStateException("full");
                }
                super.push(item);
            }
        };
        BlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();
        Semaphore synced = new Semaphore(0);
        Worker<String> worker = reporting(order, reported, ordered -> {
            if (!full.getAndSet(true)) {
                ordered.add("a"); // marked, and pushed by done
            }
            synced.release();
        });

        synced.acquire(2);

        assertThat(reported.take()).hasMessage("full");
        assertThat(worker.stop(LONG)).isTrue();
        assertThat(reported).isEmpty();
    }

    @Test
    void orderThatCannotPop_endsTheThread_andIsReported_W2() throws Exception {
        Fifo order = new Fifo() {
            @Override
            public String pop() {
                throw new IllegalStateException("broken");
            }
        };
        BlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();
        Worker<String> worker = reporting(order, reported, ordered -> {});

        assertThat(reported.take()).hasMessage("broken");
        assertThat(worker.join(LONG)).isTrue();
        worker.close();
    }

    @Test
    void interruptLeftBehindByTheHandler_doesNotReachTheNextItem_W3() throws Exception {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        queue.add("a");
        queue.add("b");

        Worker<String> worker = builder(item -> {
                    interrupted.add(Thread.currentThread().isInterrupted());
                    Thread.currentThread().interrupt();
                })
                .start();

        assertThat(worker.stop(LONG)).isTrue();
        assertThat(interrupted).containsExactly(false, false);
    }

    @Test
    void threads_areNamedAfterTheQueue() {
        Worker<String> worker = builder(item -> {}).threads(2).start();

        assertThat(threads.made())
                .extracting(Thread::getName)
                .containsExactly("kubeloop-worker-test-1", "kubeloop-worker-test-2");
        worker.close();
    }

    @Test
    void stop_processesWhatWaits_andEndsTheThreads_I12() throws Exception {
        List<String> synced = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 100; i++) {
            queue.add("item-" + i);
        }

        Worker<String> worker = builder(synced::add).threads(3).start();

        assertThat(worker.stop(LONG)).isTrue();
        assertThat(synced).hasSize(100).doesNotHaveDuplicates();
        await().until(threads::allEnded);
    }

    @Test
    void stop_withAHandlerThatHangs_interruptsIt_andReportsWhatIsLeft() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        queue.add("a");
        queue.add("b");
        Worker<String> worker = builder(item -> {
                    hangs.countDown();
                    new CountDownLatch(1).await();
                })
                .start();
        hangs.await();

        assertThat(worker.stop(Duration.ofMillis(1))).isFalse();

        assertThat(worker.join(LONG)).isTrue();
        assertThat(queue.length()).isEqualTo(1);
        assertThat(failures).containsExactly(new Failure("a", null, 0, false));
    }

    @Test
    void close_byTheHandler_doesNotWaitForItself() throws Exception {
        AtomicReference<Worker<String>> worker = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(1);
        worker.set(builder(item -> {
                    started.await();
                    worker.get().close();
                })
                .start());
        queue.add("a");
        started.countDown();

        assertThat(worker.get().join(LONG)).isTrue();
        assertThat(failures).isEmpty();
    }

    @Test
    void join_beforeShutDown_timesOut() throws Exception {
        Worker<String> worker = builder(item -> {}).start();

        assertThat(worker.join(Duration.ofMillis(1))).isFalse();
        queue.shutDown();
        assertThat(worker.join(LONG)).isTrue();
    }

    @Test
    void start_whenItsThreadCannotStart_throws() {
        Worker.Builder<String> builder = builder(item -> {}).threadFactory(action -> new ThreadThatDoesNotStart());

        assertThatThrownBy(builder::start).hasMessage("no more threads");
    }

    @Test
    void furtherThread_thatCannotStart_leavesTheItemsToTheOthers() throws Exception {
        AtomicInteger made = new AtomicInteger();
        AtomicReference<String> reported = new AtomicReference<>();
        CountDownLatch synced = new CountDownLatch(2);
        queue.add("a");
        queue.add("b");

        try (Worker<String> worker = builder(item -> synced.countDown())
                .threads(2)
                .threadFactory(action -> {
                    Thread thread =
                            made.incrementAndGet() < 2 ? threads.newThread(action) : new ThreadThatDoesNotStart();
                    thread.setUncaughtExceptionHandler((failed, error) -> reported.set(error.getMessage()));
                    return thread;
                })
                .start()) {
            synced.await();
        }

        assertThat(reported).hasValue("no more threads");
    }

    /** An idle manager has hundreds of workers, each of which would take the memory of a stack. */
    @Test
    void threads_startWhileAllOthersAreBusy() throws Exception {
        Semaphore begun = new Semaphore(0);
        CountDownLatch end = new CountDownLatch(1);
        try (Worker<String> worker = builder(item -> {
                    begun.release();
                    end.await();
                })
                .threads(3)
                .start()) {
            assertThat(alive()).isEqualTo(1);

            queue.add("a");
            begun.acquire();
            await().until(() -> alive() == 2);

            queue.add("b");
            queue.add("c");
            queue.add("d");
            begun.acquire(2);
            assertThat(alive()).isEqualTo(3);
            assertThat(queue.length()).isEqualTo(1);

            end.countDown();
            begun.acquire();
        }
        assertThat(alive()).isZero();
    }

    private long alive() {
        return threads.made().stream().filter(Thread::isAlive).count();
    }

    private static final class ThreadThatDoesNotStart extends Thread {
        @Override
        public synchronized void start() {
            throw new IllegalStateException("no more threads");
        }
    }

    @Test
    void threads_lessThanOne_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder(item -> {}).threads(0));
    }
}
