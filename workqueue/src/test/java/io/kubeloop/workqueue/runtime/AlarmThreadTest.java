package io.kubeloop.workqueue.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.testing.Undeclared;
import io.kubeloop.workqueue.Threads;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class AlarmThreadTest {

    private static final long NEVER = Long.MAX_VALUE / 4;

    private final Threads threads = new Threads();
    private final Semaphore rings = new Semaphore(0);

    private AlarmThread alarm(Runnable action) {
        return new AlarmThread("alarm", action, threads);
    }

    @Test
    void ringAt_aMomentThatPassed_ringsAtOnce() throws Exception {
        AlarmThread alarm = alarm(rings::release);

        alarm.ringAt(System.nanoTime() - 1);

        rings.acquire();
        alarm.close();
    }

    @Test
    void ringAt_anEarlierMoment_wakesTheThreadThatWaits() throws Exception {
        AlarmThread alarm = alarm(rings::release);
        alarm.ringAt(System.nanoTime() + NEVER);
        awaitWaiting();

        alarm.ringAt(System.nanoTime());

        rings.acquire();
        alarm.close();
    }

    @Test
    void ringAt_aLaterMoment_changesNothing() throws Exception {
        AlarmThread alarm = alarm(rings::release);
        alarm.ringAt(System.nanoTime() + 1_000_000);

        alarm.ringAt(System.nanoTime() + NEVER);

        rings.acquire();
        alarm.close();
    }

    @Test
    void ringAt_duringTheAction_ringsAgain_A3() throws Exception {
        AtomicReference<AlarmThread> alarm = new AtomicReference<>();
        alarm.set(alarm(() -> {
            rings.release();
            alarm.get().ringAt(System.nanoTime());
        }));

        alarm.get().ringAt(System.nanoTime());

        rings.acquire(3);
        alarm.get().close();
    }

    @Test
    void actionThatThrows_isReported_andTheAlarmLives() throws Exception {
        AtomicReference<Throwable> reported = new AtomicReference<>();
        AlarmThread alarm = new AlarmThread(
                "alarm",
                () -> {
                    rings.release();
                    throw new IllegalStateException("broken");
                },
                action -> {
                    Thread thread = threads.newThread(action);
                    thread.setUncaughtExceptionHandler((t, e) -> reported.set(e));
                    return thread;
                });
        alarm.ringAt(System.nanoTime());
        rings.acquire();

        await().untilAsserted(() -> assertThat(reported.get()).hasMessage("broken"));
        alarm.ringAt(System.nanoTime());
        rings.acquire();
        alarm.close();
    }

    @Test
    void interrupt_isHarmless() throws Exception {
        AlarmThread alarm = alarm(rings::release);
        alarm.ringAt(System.nanoTime() + NEVER);
        awaitWaiting();

        threads.made().get(0).interrupt();
        alarm.ringAt(System.nanoTime());

        rings.acquire();
        alarm.close();
    }

    @Test
    void close_beforeAnyRing_startsNoThread() {
        AlarmThread alarm = alarm(rings::release);

        alarm.close();
        alarm.ringAt(System.nanoTime());

        assertThat(threads.made()).isEmpty();
    }

    @Test
    void close_waitsForTheActionThatRuns() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AlarmThread alarm = alarm(() -> {
            rings.release();
            uninterruptibly(mayEnd);
        });
        alarm.ringAt(System.nanoTime());
        rings.acquire();
        FutureTask<Void> close = new FutureTask<>(alarm::close, null);
        Thread closing = new Thread(close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        mayEnd.countDown();

        close.get();
        assertThat(rings.availablePermits()).isZero();
        await().until(threads::allEnded);
    }

    @Test
    void close_interrupted_doesNotWait_andRemembersIt() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AlarmThread alarm = alarm(() -> {
            rings.release();
            uninterruptibly(mayEnd);
        });
        alarm.ringAt(System.nanoTime());
        rings.acquire();
        Thread.currentThread().interrupt();

        alarm.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(threads.allEnded()).isFalse();
        mayEnd.countDown();
        await().until(threads::allEnded);
    }

    @Test
    void close_byTheActionItself_doesNotWait() throws Exception {
        AtomicReference<AlarmThread> alarm = new AtomicReference<>();
        alarm.set(alarm(() -> {
            alarm.get().close();
            rings.release();
        }));

        alarm.get().ringAt(System.nanoTime());

        rings.acquire();
        await().until(threads::allEnded);
    }

    private void awaitWaiting() {
        await().until(() -> threads.made().get(0).getState() == Thread.State.TIMED_WAITING);
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void action_thatThrowsWhatItDoesNotDeclare_isNotTheLast() throws Exception {
        AlarmThread alarm = alarm(() -> {
            rings.release();
            throw Undeclared.rethrow(new IOException("scripted"));
        });
        alarm.ringAt(System.nanoTime());
        rings.acquire();

        alarm.ringAt(System.nanoTime());

        rings.acquire();
        alarm.close();
    }
}
