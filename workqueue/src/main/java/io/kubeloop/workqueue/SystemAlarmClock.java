package io.kubeloop.workqueue;

import java.util.concurrent.ThreadFactory;

/** The clock of the machine: {@link System#nanoTime} and one thread for each alarm. */
record SystemAlarmClock(ThreadFactory threads) implements AlarmClock {

    static final AlarmClock DAEMON = new SystemAlarmClock(action -> {
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
