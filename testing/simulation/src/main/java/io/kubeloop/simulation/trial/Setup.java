/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.simulation.Invariant;
import io.kubeloop.simulation.Subject;
import io.kubeloop.simulation.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What all runs of a simulation have in common.
 *
 * @param subject the operator
 * @param definitions manifests that exist before the operator starts
 * @param workload the steps
 * @param invariants the conditions, by name
 * @param cluster changes the settings of the control plane
 * @param calm how long an operator that is not counted must be silent until it counts as idle
 * @param isPaced whether every run lets the same time pass after each step, because time alone changes the state
 */
public record Setup(
        Subject subject,
        List<String> definitions,
        Workload workload,
        Map<String, Invariant> invariants,
        UnaryOperator<ControlPlane.Builder> cluster,
        Duration calm,
        boolean isPaced) {

    /** Copies the collections. */
    public Setup {
        definitions = List.copyOf(definitions);
        invariants = Map.copyOf(invariants);
    }

    /** Returns this setup with another workload. */
    public Setup with(Workload other) {
        return new Setup(subject, definitions, other, invariants, cluster, calm, isPaced);
    }

    /** Returns this setup for an operator that acts by the time alone, such as one that runs jobs by a schedule. */
    public Setup paced() {
        return new Setup(subject, definitions, workload, invariants, cluster, calm, true);
    }
}
