/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.RunControl;
import java.time.Duration;
import java.util.Locale;

/**
 * Something happens while nothing else does.
 *
 * @param step the step of the workload after which it happens, from 0
 * @param fault what happens
 */
record AtStep(int step, Fault fault) implements Disturbance {

    /** What can happen between two steps. */
    enum Fault {
        /** The operator is restarted. */
        RESTART("restarted while it had nothing to do, after step %d"),
        /** An hour passes, with its timers. */
        HOUR("left alone for an hour, after step %d"),
        /** The clock is a day ahead at once. */
        JUMP("suspended for a day, after step %d");

        private final String story;

        Fault(String story) {
            this.story = story;
        }
    }

    @Override
    public Perturbation kind() {
        return Perturbation.TIME;
    }

    @Override
    public String form() {
        return fault.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String name() {
        return form() + ": after step " + (step + 1);
    }

    @Override
    public String story() {
        return fault.story.formatted(step + 1);
    }

    @Override
    public boolean movesTime() {
        return fault != Fault.RESTART;
    }

    @Override
    public Effect begin(RunControl run) {
        return new Effect() {
            private volatile boolean hasMet;

            @Override
            public boolean afterStep(int ended) {
                if (ended != step) {
                    return false;
                }
                hasMet = true;
                switch (fault) {
                    case RESTART -> run.restart(run.newest());
                    case HOUR -> run.clock().advance(Duration.ofHours(1));
                    case JUMP -> run.clock().jump(Duration.ofDays(1));
                }
                return true;
            }

            @Override
            public boolean hasMet() {
                return hasMet;
            }
        };
    }
}
