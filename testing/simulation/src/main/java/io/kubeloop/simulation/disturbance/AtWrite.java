/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.RunControl;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

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
            @Override
            public ServerResponse write(CallId id, Attempt attempt) {
                boolean isMet = id.call().equals(write.call())
                        && id.occurrence() >= write.occurrence()
                        && left.getAndUpdate(times -> Math.max(0, times - 1)) > 0;
                return isMet ? fault.apply(attempt, run) : attempt.execute();
            }

            @Override
            public boolean hasMet() {
                return left.get() < fault.times();
            }
        };
    }
}
