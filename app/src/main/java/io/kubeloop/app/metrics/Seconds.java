package io.kubeloop.app.metrics;

import java.time.Duration;

/** Durations as Prometheus wants them. */
final class Seconds {

    private Seconds() {}

    static double of(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
