package io.kubeloop.app;

import java.time.Duration;
import java.time.Instant;

/** When this process was started, on the scale of {@link System#nanoTime}: what a user waits for begins there. */
final class ProcessStart {

    private ProcessStart() {}

    /** Returns the moment; the present one if the operating system does not tell. */
    static long nanoTime() {
        long now = System.nanoTime();
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(started -> now - Duration.between(started, Instant.now()).toNanos())
                .orElse(now);
    }
}
