package io.kubeloop.controller.leaderelection;

import io.kubeloop.workqueue.AlarmClock;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The time of an elector.
 *
 * @param wall what is written into the lock, for people
 * @param monotonic what decides
 * @param random gives numbers from 0 (inclusive) to 1 (exclusive), so that candidates do not try in step
 */
public record ElectionTime(Clock wall, AlarmClock monotonic, DoubleSupplier random) {

    /** Checks that nothing is null. */
    public ElectionTime {
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(monotonic, "monotonic");
        Objects.requireNonNull(random, "random");
    }

    /** Returns the time of the machine. */
    public static ElectionTime system() {
        return new ElectionTime(
                Clock.systemUTC(),
                AlarmClock.system(),
                () -> ThreadLocalRandom.current().nextDouble());
    }
}
