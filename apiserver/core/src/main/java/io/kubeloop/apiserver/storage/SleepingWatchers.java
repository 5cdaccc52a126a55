/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The watchers that wait for an event, grouped by their filter, so an event wakes only the watchers that may
 * deliver it. Guarded by the lock of the event log.
 */
final class SleepingWatchers {

    private final Set<Sleeper> ofAll = new HashSet<>();
    private final Map<String, Triggers> triggers = new HashMap<>();

    /** The sleepers with triggers of one name, by value. */
    private record Triggers(Function<StoredObject, String> reader, Map<String, Set<Sleeper>> byValue) {}

    /** One watcher. Equal only to itself. */
    static final class Sleeper {

        private static final long NONE = -1;

        private final @Nullable WatchTrigger trigger;
        private final Condition woken;
        private long position = NONE;
        private boolean asleep;
        private SleepObserver observer = SleepObserver.NONE;

        Sleeper(@Nullable WatchTrigger trigger, Condition woken) {
            this.trigger = trigger;
            this.woken = woken;
        }

        /** Returns whether an event is there. */
        boolean hasEvent() {
            return position != NONE;
        }

        /** Returns the position of the event. */
        long position() {
            return position;
        }

        /** Waits until it is woken, perhaps for no reason. */
        @SuppressWarnings("WaitNotInLoop") // the caller loops
        void await() throws InterruptedException {
            if (!asleep) {
                asleep = true;
                observer.sleeps();
            }
            woken.await();
        }

        void wake() {
            markAwake();
            woken.signal();
        }

        /** Ends the sleep, also that of a thread that was interrupted. */
        void markAwake() {
            if (asleep) {
                asleep = false;
                observer.wakes();
            }
        }

        void observe(SleepObserver other) {
            observer = other;
        }
    }

    void add(Sleeper sleeper) {
        sleeper.position = Sleeper.NONE;
        WatchTrigger trigger = sleeper.trigger;
        if (trigger == null) {
            ofAll.add(sleeper);
        } else {
            triggers.computeIfAbsent(trigger.name(), name -> new Triggers(trigger.reader(), new HashMap<>()))
                    .byValue()
                    .computeIfAbsent(trigger.value(), value -> new HashSet<>())
                    .add(sleeper);
        }
    }

    void remove(Sleeper sleeper) {
        WatchTrigger trigger = sleeper.trigger;
        if (trigger == null) {
            ofAll.remove(sleeper);
            return;
        }
        Triggers named = triggers.get(trigger.name());
        Set<Sleeper> sleepers = named == null ? null : named.byValue().get(trigger.value());
        if (named != null && sleepers != null && sleepers.remove(sleeper) && sleepers.isEmpty()) {
            named.byValue().remove(trigger.value());
            if (named.byValue().isEmpty()) {
                triggers.remove(trigger.name());
            }
        }
    }

    /** Wakes the watchers that may show an event. */
    void wake(StorageEvent event, long position) {
        wake(ofAll, position);
        for (Triggers named : triggers.values()) {
            String value = named.reader().apply(event.object());
            wake(named.byValue().get(value), position);
            StoredObject previous = event.previous();
            String before = previous == null ? value : named.reader().apply(previous);
            if (!before.equals(value)) {
                wake(named.byValue().get(before), position);
            }
        }
    }

    private static void wake(@Nullable Set<Sleeper> sleepers, long position) {
        if (sleepers != null) {
            for (Sleeper sleeper : sleepers) {
                if (!sleeper.hasEvent()) {
                    sleeper.position = position;
                    sleeper.wake();
                }
            }
        }
    }

    /** Wakes all watchers, so each checks whether it must end. */
    void wakeAll() {
        ofAll.forEach(Sleeper::wake);
        triggers.values().forEach(named -> named.byValue().values().forEach(set -> set.forEach(Sleeper::wake)));
    }
}
