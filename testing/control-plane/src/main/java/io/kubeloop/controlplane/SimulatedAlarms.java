package io.kubeloop.controlplane;

import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The clock of work queues on a timeline. Counts their items as work. Thread-safe. */
record SimulatedAlarms(TaskTimeline timeline, WorkCount work) implements AlarmClock {

    @Override
    public long nanoTime() {
        return timeline.nanoTime();
    }

    @Override
    public void workBegins() {
        work.begin(WorkCount.Source.QUEUES);
    }

    @Override
    public void workEnds() {
        work.end(WorkCount.Source.QUEUES);
    }

    @Override
    public Alarm newAlarm(String name, Runnable action) {
        return new TimelineAlarm(timeline, action);
    }

    /** One alarm: at most one task on the timeline. */
    private static final class TimelineAlarm implements Alarm {

        /*
         * lock guards the fields below it. The timeline's lock is taken under it; the action runs without it.
         */

        private final TaskTimeline timeline;
        private final Runnable action;
        private final ReentrantLock lock = new ReentrantLock();
        private TaskTimeline.@Nullable Task task;
        private long at;
        private boolean closed;

        TimelineAlarm(TaskTimeline timeline, Runnable action) {
            this.timeline = timeline;
            this.action = action;
        }

        @Override
        public void ringAt(long nanoTime) {
            lock.lock();
            try {
                TaskTimeline.Task set = task;
                if (closed || (set != null && at - nanoTime <= 0)) {
                    return;
                }
                at = nanoTime;
                task = timeline.scheduleAt(nanoTime, this::ring, true);
                if (set != null) {
                    set.cancel();
                }
            } finally {
                lock.unlock();
            }
        }

        private void ring() {
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                task = null;
            } finally {
                lock.unlock();
            }
            action.run();
        }

        @Override
        public void close() {
            TaskTimeline.Task set;
            lock.lock();
            try {
                closed = true;
                set = task;
                task = null;
            } finally {
                lock.unlock();
            }
            if (set != null) {
                set.cancel();
            }
            timeline.awaitTask();
        }
    }
}
