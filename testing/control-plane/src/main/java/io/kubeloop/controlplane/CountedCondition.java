/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.runtime.WorkCounter;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A condition whose waiting threads do not count as work. The thread that signals counts the waiting one as busy, so
 * the count has no gap between the signal and the wake-up. A thread that wakes up for another reason counts itself.
 *
 * <p>Callers must hold the lock of the condition, as for any condition.
 */
@SuppressWarnings("WaitNotInLoop") // the caller loops
final class CountedCondition implements Condition {

    /* Guarded by the lock of the condition: `idle` holds a token for each waiting thread that was not signaled. */

    private final Condition condition;
    private final WorkCounter work;
    private final Deque<Object> idle = new ArrayDeque<>();

    CountedCondition(Condition condition, WorkCounter work) {
        this.condition = condition;
        this.work = work;
    }

    private Object idle() {
        Object token = new Object();
        idle.add(token);
        work.end();
        return token;
    }

    private void busy(Object token) {
        if (idle.remove(token)) {
            work.begin();
        }
    }

    @Override
    public void await() throws InterruptedException {
        Object token = idle();
        try {
            condition.await();
        } finally {
            busy(token);
        }
    }

    @Override
    public void awaitUninterruptibly() {
        Object token = idle();
        try {
            condition.awaitUninterruptibly();
        } finally {
            busy(token);
        }
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
        Object token = idle();
        try {
            return condition.awaitNanos(nanos);
        } finally {
            busy(token);
        }
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        Object token = idle();
        try {
            return condition.awaitUntil(deadline);
        } finally {
            busy(token);
        }
    }

    @Override
    public void signal() {
        if (idle.poll() != null) {
            work.begin();
        }
        condition.signal();
    }

    @Override
    public void signalAll() {
        while (idle.poll() != null) {
            work.begin();
        }
        condition.signalAll();
    }
}
