/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.simulation.Perturbation;

/** What a trial does to the operator. Implementations are immutable. */
public interface Disturbance {

    /** Nothing, for the reference. */
    Disturbance NONE = new Disturbance() {
        @Override
        public Perturbation kind() {
            return Perturbation.NONE;
        }

        @Override
        public String form() {
            return "reference";
        }

        @Override
        public String name() {
            return form();
        }

        @Override
        public String story() {
            return "without a disturbance";
        }

        @Override
        public Effect begin(RunControl run) {
            return Effect.NONE;
        }
    };

    /** Returns its kind. */
    Perturbation kind();

    /** Returns words for what happens, such as {@code crash-after}, wherever it happens. */
    String form();

    /** Returns a name by which the trial can be run again, unique in a workload. */
    String name();

    /** Returns what happens, as the rest of a sentence that begins with "The operator was". */
    String story();

    /** Returns the effect on one run. */
    Effect begin(RunControl run);

    /** Returns the run to compare with, which has the same changes of the user, undisturbed. */
    default Disturbance reference() {
        return NONE;
    }

    /** Returns whether time passes that passes in no other run, so the states between the steps may differ. */
    default boolean movesTime() {
        return false;
    }

    /**
     * Returns whether a correct operator may create an object once more, such as when it sees the end of a dependent
     * before that of the owner, and the garbage collector deletes what it made. The operator may delete such an object
     * itself, but no other one.
     */
    default boolean explainsCreations() {
        return false;
    }
}
