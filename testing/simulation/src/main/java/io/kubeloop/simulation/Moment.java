/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Something that happened in a trial.
 *
 * @param at the time of the trial
 * @param instance the number of the operator's instance, from 0; negative for the user, another component or the trial
 * @param kind its kind
 * @param verb the verb of a write, such as {@code update}, or the type of an event, such as {@code MODIFIED}
 * @param resource such as {@code pods} or {@code sites.example.com/status}; empty if nothing was read or written
 * @param object namespace and name, such as {@code default/web}, or the words for a step or a disturbance; empty for
 *     several objects
 * @param result the HTTP status of a write; 0 if there was no answer
 */
public record Moment(Instant at, int instance, Kind kind, String verb, String resource, String object, int result) {

    /** The kinds of moments. */
    public enum Kind {
        /** The instance started. */
        STARTED,
        /** The instance was killed, or ended by itself. */
        ENDED,
        /** The instance listed a resource. */
        LISTED,
        /** A watch of the instance delivered an event. */
        SAW,
        /** The instance sent a write. */
        WROTE,
        /** A step of the workload began. */
        STEP,
        /** The user changed an object in a step. */
        DECLARED,
        /** Another component changed an object, such as a controller or what the trial simulates. */
        CHANGED,
        /** The disturbance of the trial happened, or began. */
        DISTURBED
    }

    /** Returns whether it belongs to a short story: reads do not. */
    public boolean isAct() {
        return kind != Kind.LISTED && kind != Kind.SAW;
    }

    private String actor() {
        return switch (kind) {
            case STEP, DECLARED -> "user";
            case CHANGED -> "another component";
            case DISTURBED -> "trial";
            default -> "instance " + instance;
        };
    }

    /** Returns one line. */
    @Override
    public String toString() {
        String words = switch (kind) {
            case STARTED -> "started";
            case ENDED -> "ended";
            case LISTED -> "listed " + resource;
            case SAW -> "saw " + verb + " " + resource + " " + object;
            case WROTE, DECLARED, CHANGED ->
                verb + " " + resource + " " + object + " -> " + (result == 0 ? "no answer" : result);
            case STEP -> "step \"" + object + "\"";
            case DISTURBED -> "the operator is " + object;
        };
        return at.truncatedTo(ChronoUnit.MILLIS) + " " + actor() + ": " + words;
    }
}
