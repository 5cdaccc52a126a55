/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.Lane;
import io.kubeloop.simulation.trial.RunControl;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Something happens to one write.
 *
 * @param write the write
 * @param fault what happens
 */
record AtWrite(CallId write, WriteFault fault) implements Disturbance {

    @Override
    public Perturbation kind() {
        return fault.kind();
    }

    @Override
    public String form() {
        return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String name() {
        return form() + ": " + write;
    }

    @Override
    public String story() {
        return fault.story(write);
    }

    @Override
    public Effect begin(RunControl run) {
        AtomicInteger left = new AtomicInteger(fault.times());
        return new Effect() {
            private final CountDownLatch over = new CountDownLatch(1);
            private volatile @Nullable Lane held;

            @Override
            public ServerResponse write(CallId id, Attempt attempt) {
                boolean isMet = id.call().equals(write.call())
                        && id.occurrence() >= write.occurrence()
                        && left.getAndUpdate(times -> Math.max(0, times - 1)) > 0;
                if (!isMet) {
                    return attempt.lane() == held ? afterwards(attempt) : attempt.execute();
                }
                held = fault.holdsInstance() ? attempt.lane() : null;
                try {
                    return fault.apply(attempt, run);
                } finally {
                    over.countDown();
                }
            }

            // An instance that is held up does nothing at all; its other threads wait as well.
            private ServerResponse afterwards(Attempt attempt) {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new LostResponseException("interrupted while the instance was held up");
                }
                if (attempt.lane().isDead()) {
                    throw new LostResponseException("the instance was killed before its write");
                }
                return attempt.execute();
            }

            @Override
            public boolean hasMet() {
                return left.get() < fault.times();
            }
        };
    }
}
