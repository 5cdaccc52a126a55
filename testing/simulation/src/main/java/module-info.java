/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Trials of an operator in one process: it is crashed between its writes, misses states, reads stale data, and gets
 * refusals.
 *
 * <p>Start at {@link io.kubeloop.simulation.Simulation}.
 */
module io.kubeloop.simulation {
    requires static com.google.errorprone.annotations;
    requires transitive io.kubeloop.controlplane;
    requires static transitive org.jspecify;

    exports io.kubeloop.simulation;
}
