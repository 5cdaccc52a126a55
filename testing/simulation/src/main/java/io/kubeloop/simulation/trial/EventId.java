/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

/**
 * Finds a state of an object again in another run of the same workload.
 *
 * @param object the object, such as {@code pods default/web-*}
 * @param state the number of the state among those that watches have delivered, from 1
 * @param type the type of the event, such as {@code ADDED}
 */
public record EventId(String object, int state, String type) {

    /** Returns whether it reports that the object is gone. */
    public boolean isDeletion() {
        return type.equals("DELETED");
    }

    /** Returns words such as {@code state 2 of pods default/web}. */
    @Override
    public String toString() {
        return isDeletion() ? "the end of " + object : "state " + state + " of " + object;
    }
}
