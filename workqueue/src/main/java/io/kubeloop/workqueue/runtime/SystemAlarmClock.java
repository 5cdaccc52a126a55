package io.kubeloop.workqueue.runtime;

import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.ThreadFactory;

/** The system clock: {@link System#nanoTime} and one thread for each alarm. */
public record SystemAlarmClock(ThreadFactory threads) implements AlarmClock {

    /** The system clock with daemon threads. */
    public static final AlarmClock DAEMON = new SystemAlarmClock(action -> {
        Thread thread = new Thread(action);
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Alarm newAlarm(String name, Runnable action) {
        return new AlarmThread(name, action, threads);
    }
}
