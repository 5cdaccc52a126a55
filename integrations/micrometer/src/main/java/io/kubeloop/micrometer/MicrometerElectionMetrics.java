/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import io.kubeloop.controller.leaderelection.LeaderElectionMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicInteger;

/** Registers the metrics of one leader election, with the tag {@code name}. Thread-safe. */
public final class MicrometerElectionMetrics implements LeaderElectionMetrics {

    private final AtomicInteger leading = new AtomicInteger();
    private final Counter slowPaths;

    /**
     * Registers two meters, which stay registered.
     *
     * @param registry receives the meters
     * @param lease the name of the lease
     */
    public MicrometerElectionMetrics(MeterRegistry registry, String lease) {
        Meters meters = Meters.shared(registry, Tags.of("name", lease));
        meters.gauge("leader.election.master.status", "1 if this candidate leads", "", leading, AtomicInteger::get);
        slowPaths = meters.counter("leader.election.slowpath", "Renewals that had to read the lease first");
    }

    @Override
    public void leading(boolean isLeading) {
        leading.set(isLeading ? 1 : 0);
    }

    @Override
    public void slowPath() {
        slowPaths.increment();
    }
}
