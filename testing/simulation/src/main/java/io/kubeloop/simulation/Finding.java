/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.simulation.report.TextReport;
import java.util.List;

/**
 * A trial that failed twice.
 *
 * @param trial its name; {@link Simulation#only} runs it again
 * @param kind its kind
 * @param story what was done to the operator, in one sentence
 * @param problems what was wrong then, one sentence each
 * @param steps the names of the steps of the smallest workload that was found to fail
 * @param timeline what the instances of the operator did and saw, in the order of time
 */
public record Finding(
        String trial,
        Perturbation kind,
        String story,
        List<String> problems,
        List<String> steps,
        List<Moment> timeline) {

    /** Copies the lists. */
    public Finding {
        problems = List.copyOf(problems);
        steps = List.copyOf(steps);
        timeline = List.copyOf(timeline);
    }

    /** Returns the failure as a text for a terminal or a log, which ends with a line break. */
    public String text() {
        return TextReport.of(this);
    }
}
