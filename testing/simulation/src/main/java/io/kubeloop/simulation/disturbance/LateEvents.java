/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.LaneFrames;
import io.kubeloop.simulation.trial.RunControl;

/**
 * The watches of a resource bring nothing from a write until the operator is idle: its own write comes back late.
 *
 * @param write the write
 */
record LateEvents(CallId write) implements Disturbance {

    @Override
    public Perturbation kind() {
        return Perturbation.STALE;
    }

    @Override
    public String form() {
        return "late-events";
    }

    @Override
    public String name() {
        return form() + ": " + write;
    }

    @Override
    public String story() {
        return "given the events of its write `" + write + "` only when it had nothing else to do";
    }

    @Override
    public boolean explainsCreations() {
        return true;
    }

    @Override
    public Effect begin(RunControl run) {
        return new LateEffect(run);
    }

    private final class LateEffect implements Effect {

        private final RunControl run;
        private volatile String late = "";
        private volatile boolean hasMet;

        LateEffect(RunControl run) {
            this.run = run;
        }

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            if (id.equals(write)) {
                late = attempt.call().resource();
                hasMet = true;
            }
            return attempt.execute();
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return watch.call().resource().equals(late);
        }

        @Override
        public boolean atQuiet() {
            boolean isLate = !late.isEmpty();
            late = "";
            if (isLate) {
                run.release();
            }
            return isLate;
        }

        @Override
        public void atUnrest() {
            atQuiet();
        }

        @Override
        public boolean hasMet() {
            return hasMet;
        }
    }
}
