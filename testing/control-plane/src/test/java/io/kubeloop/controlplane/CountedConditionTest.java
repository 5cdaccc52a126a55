/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.runtime.WorkCounter;
import java.time.Duration;
import java.util.Date;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@SuppressWarnings({"JavaUtilDate", "WaitNotInLoop"}) // each way to wait once, that with a date included
class CountedConditionTest {

    /** One way to wait. */
    private interface Wait {
        void on(Condition condition) throws InterruptedException;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final CyclicBarrier begun = new CyclicBarrier(2);

    /** Guarded by the lock. */
    private int busy;

    private final Condition condition = new CountedCondition(lock.newCondition(), new WorkCounter() {
        @Override
        public void begin() {
            busy++;
        }

        @Override
        public void end() {
            busy--;
        }
    });

    private Thread waiting(FutureTask<Void> task) throws Exception {
        Thread thread = new Thread(task);
        thread.start();
        begun.await();
        return thread;
    }

    private FutureTask<Void> task(Wait wait) {
        return new FutureTask<>(() -> {
            lock.lock();
            try {
                busy++;
                begun.await(); // the other thread gets the lock when this one waits
                wait.on(condition);
                assertThat(busy).isPositive();
                busy--;
            } finally {
                lock.unlock();
            }
            return null;
        });
    }

    private int busy() {
        lock.lock();
        try {
            return busy;
        } finally {
            lock.unlock();
        }
    }

    @Test
    void aWaitingThread_isIdle_andBusyFromTheSignalOn() throws Exception {
        for (Wait wait : new Wait[] {
            Condition::await,
            Condition::awaitUninterruptibly,
            condition -> assertThat(condition.await(1, TimeUnit.HOURS)).isTrue(),
            condition ->
                    assertThat(condition.awaitUntil(new Date(Long.MAX_VALUE))).isTrue()
        }) {
            FutureTask<Void> task = task(wait);
            waiting(task);
            lock.lock();
            try {
                assertThat(busy).isZero();
                condition.signal();
                condition.signal();
                assertThat(busy).isEqualTo(1);
            } finally {
                lock.unlock();
            }
            task.get();
            assertThat(busy()).isZero();
        }
    }

    @Test
    void signalAll_countsEachWaitingThread() throws Exception {
        FutureTask<Void> one = task(Condition::await);
        FutureTask<Void> other = task(Condition::awaitUninterruptibly);
        waiting(one);
        waiting(other);
        lock.lock();
        try {
            assertThat(busy).isZero();
            condition.signalAll();
            assertThat(busy).isEqualTo(2);
        } finally {
            lock.unlock();
        }
        one.get();
        other.get();
        assertThat(busy()).isZero();
    }

    @Test
    void aThreadWhoseTimeIsUp_orThatIsInterrupted_countsItself() throws Exception {
        FutureTask<Void> timed = task(condition ->
                assertThat(condition.awaitNanos(Duration.ofMillis(1).toNanos())).isNotPositive());
        waiting(timed);
        timed.get();
        assertThat(busy()).isZero();

        FutureTask<Void> interrupted =
                task(condition -> assertThatThrownBy(condition::await).isInstanceOf(InterruptedException.class));
        waiting(interrupted).interrupt();
        interrupted.get();
        assertThat(busy()).isZero();
    }
}
