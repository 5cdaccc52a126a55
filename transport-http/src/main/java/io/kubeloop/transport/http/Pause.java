package io.kubeloop.transport.http;

import java.time.Duration;

/** Waits; a test replaces it by something that does not. */
@FunctionalInterface
interface Pause {

    /** Blocks for this long, or until the transport is closed; returns whether it is still open. */
    boolean await(Duration duration) throws InterruptedException;
}
