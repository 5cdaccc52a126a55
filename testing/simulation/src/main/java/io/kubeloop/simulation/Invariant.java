/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

/**
 * A condition that holds after every change that the server makes, such as "a volume is never bound twice". Called by
 * the thread of the request that made the change, and so by several threads at once.
 */
@FunctionalInterface
public interface Invariant {

    /**
     * Returns normally if the condition holds.
     *
     * @param state the objects at this moment; other changes do not appear in it
     * @throws AssertionError if it does not hold; its message states the reason. Other exceptions count as well
     */
    void check(ClusterState state);
}
