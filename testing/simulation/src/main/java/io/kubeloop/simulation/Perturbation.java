/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

/** The kinds of trials. */
public enum Perturbation {

    /** No disturbance: the reference. */
    NONE,
    /** The operator is killed before or after a write, or a second instance acts before the first is dead. */
    CRASH,
    /** The operator sees only the later one of two states of an object. */
    MISSED,
    /** A restarted operator reads an earlier state for a while, or its own writes come back late. */
    STALE,
    /** A write is refused, late, or answered never or after the deletion of its object; a watch ends or expires. */
    ANSWERS,
    /** A restart while nothing happens, an hour of nothing, a jump of the clock. */
    TIME,
    /** Another component has set a part of an object of the user or the operator. */
    FOREIGN,
    /** Generated declarations, valid and invalid ones. */
    DECLARATIONS,
    /** Two or three of the above at once, drawn by the seed. */
    COMBINED
}
