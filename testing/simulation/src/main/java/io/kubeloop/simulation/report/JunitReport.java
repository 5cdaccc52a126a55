/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.report;

import io.kubeloop.simulation.Finding;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.SimulationReport;
import java.util.Locale;
import java.util.TreeMap;

/** Writes a report as JUnit's XML: a test case for each failed trial, and one for each kind of trials. */
public final class JunitReport {

    private JunitReport() {}

    /** Returns the document. */
    public static String of(SimulationReport report) {
        StringBuilder cases = new StringBuilder();
        for (Finding finding : report.findings()) {
            cases.append("  <testcase classname=\"")
                    .append(name(finding.kind()))
                    .append("\" name=\"")
                    .append(Markup.escape(finding.trial()))
                    .append("\">\n    <failure message=\"")
                    .append(Markup.escape(finding.problems().get(0)))
                    .append("\">The operator was ")
                    .append(Markup.escape(finding.story()))
                    .append(".\n");
            finding.problems()
                    .forEach(problem -> cases.append(Markup.escape(problem)).append('\n'));
            finding.timeline()
                    .forEach(moment ->
                            cases.append(Markup.escape(moment.toString())).append('\n'));
            cases.append("</failure>\n  </testcase>\n");
        }
        new TreeMap<>(report.trials())
                .forEach((kind, count) -> cases.append("  <testcase classname=\"")
                        .append(name(kind))
                        .append("\" name=\"")
                        .append(count)
                        .append(" trials\"/>\n"));
        String incomplete = TextReport.incomplete(report);
        if (!incomplete.isEmpty()) {
            cases.append("  <testcase classname=\"simulation\" name=\"all planned trials\">\n    <error message=\"")
                    .append(Markup.escape(incomplete))
                    .append("\"/>\n  </testcase>\n");
        }
        int errors = incomplete.isEmpty() ? 0 : 1;
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + String.format(
                        Locale.ROOT,
                        "<testsuite name=\"simulation\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\""
                                + " time=\"%.3f\">%n",
                        report.findings().size() + report.trials().size() + errors,
                        report.findings().size(),
                        errors,
                        report.took().toMillis() / 1000.0)
                + cases
                + "</testsuite>\n";
    }

    private static String name(Perturbation kind) {
        return "simulation." + kind.name().toLowerCase(Locale.ROOT);
    }
}
