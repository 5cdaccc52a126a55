/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.simulation.report.HtmlReport;
import io.kubeloop.simulation.report.JunitReport;
import io.kubeloop.simulation.report.TextReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The result of a simulation. Immutable.
 *
 * @param findings what failed, the reference first
 * @param trials the number of trials that met their disturbance and passed or failed, by kind
 * @param unreached the names of the trials whose disturbance found nothing to disturb
 * @param late the names of the trials in which an operator in real time went on only after one more restart: its retry
 *     comes later than a trial waits, or never
 * @param restless the steps after which the state was not compared, because the operator did not come to rest, each
 *     after the name of its trial
 * @param unstable paths that differ between two undisturbed runs, and are not compared therefore
 * @param withoutEffect changes of declarations that changed nothing but the declaration itself
 * @param untried the forms of disturbances, such as {@code crash-after}, of which no trial began before the budget ran
 *     out
 * @param planned the number of trials that were to run: those that the recording gave, at most the wanted number
 * @param took the time of all runs
 */
public record SimulationReport(
        List<Finding> findings,
        Map<Perturbation, Integer> trials,
        List<String> unreached,
        List<String> late,
        List<String> restless,
        List<String> unstable,
        List<String> withoutEffect,
        List<String> untried,
        int planned,
        Duration took) {

    /** Copies the collections. */
    public SimulationReport {
        findings = List.copyOf(findings);
        trials = Map.copyOf(trials);
        unreached = List.copyOf(unreached);
        late = List.copyOf(late);
        restless = List.copyOf(restless);
        unstable = List.copyOf(unstable);
        withoutEffect = List.copyOf(withoutEffect);
        untried = List.copyOf(untried);
    }

    /** Returns the number of trials that ran. */
    public int total() {
        return trials.values().stream().mapToInt(Integer::intValue).sum() + unreached.size();
    }

    /** Returns whether all planned trials ran. They do not if the budget or the accepted number of failures ran out. */
    public boolean isComplete() {
        return total() >= planned;
    }

    /** Returns the report as a text for a terminal or a log. */
    public String text() {
        return TextReport.of(this);
    }

    /** Returns the report as a file for build servers, in the format of JUnit. */
    public String junitXml() {
        return JunitReport.of(this);
    }

    /** Returns the report as a page that needs no other file. */
    public String html() {
        return HtmlReport.of(this);
    }

    /**
     * Throws unless all planned trials ran and nothing was found.
     *
     * @throws AssertionError with {@link #text} as its message
     */
    public void assertClean() {
        if (!findings.isEmpty()) {
            throw new AssertionError(text());
        }
        assertComplete();
    }

    /**
     * Throws unless all planned trials ran, whatever they found.
     *
     * @throws AssertionError with {@link #text} as its message
     */
    public void assertComplete() {
        if (!isComplete()) {
            throw new AssertionError(text());
        }
    }
}
