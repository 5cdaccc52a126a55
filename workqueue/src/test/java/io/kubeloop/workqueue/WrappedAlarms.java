package io.kubeloop.workqueue;

import java.util.function.UnaryOperator;

/** The time of another clock, whose alarms a test puts something around. As thread-safe as what it is made of. */
record WrappedAlarms(AlarmClock clock, UnaryOperator<AlarmClock.Alarm> wrapping) implements AlarmClock {

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public Alarm newAlarm(String name, Runnable action) {
        return wrapping.apply(clock.newAlarm(name, action));
    }

    /** Returns an alarm that runs this each time before it is set; if it throws, the alarm is not set. */
    static AlarmClock.Alarm before(AlarmClock.Alarm alarm, Runnable setting) {
        return new AlarmClock.Alarm() {
            @Override
            public void ringAt(long nanoTime) {
                setting.run();
                alarm.ringAt(nanoTime);
            }

            @Override
            public void close() {
                alarm.close();
            }
        };
    }

    /** Returns an alarm that still rings after it was closed. */
    static AlarmClock.Alarm neverClosed(AlarmClock.Alarm alarm) {
        return new AlarmClock.Alarm() {
            @Override
            public void ringAt(long nanoTime) {
                alarm.ringAt(nanoTime);
            }

            @Override
            public void close() {}
        };
    }
}
