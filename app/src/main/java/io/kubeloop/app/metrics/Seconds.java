package io.kubeloop.app.metrics;

import java.time.Duration;

/** Converts durations to the seconds of Prometheus. */
final class Seconds {

    private Seconds() {}

    static double of(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
