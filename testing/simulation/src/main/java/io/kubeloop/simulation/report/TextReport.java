/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.report;

import io.kubeloop.simulation.Finding;
import io.kubeloop.simulation.Moment;
import io.kubeloop.simulation.SimulationReport;
import java.util.List;
import java.util.Locale;

/** Writes a report for a terminal. */
public final class TextReport {

    static final String LATE =
            "Passed only after one more restart, because the operator retries later than a trial waits, or never";

    static final String RESTLESS = "Not compared, because the operator did not come to rest there";

    static final String UNSTABLE = "Not compared, because two undisturbed runs differ in it";
    static final String WITHOUT_EFFECT = "Declared without an effect";

    private static final int SHOWN = 10;

    /** Returns the sentence for a run that ended too early and found nothing, or tried too little; else empty. */
    static String incomplete(SimulationReport report) {
        if (!report.untried().isEmpty()) {
            return "BUDGET TOO SMALL: no trial of " + String.join(", ", report.untried()) + "; " + report.total()
                    + " of " + report.planned() + " planned trials ran; allow more time, or plan fewer kinds of trials";
        }
        return report.isComplete() || !report.findings().isEmpty()
                ? ""
                : "INCOMPLETE: only " + report.total() + " of " + report.planned()
                        + " planned trials ran; allow more time, or plan fewer trials";
    }

    private TextReport() {}

    /** Returns the text, which ends with a line break. */
    public static String of(SimulationReport report) {
        StringBuilder text = new StringBuilder();
        if (!incomplete(report).isEmpty()) {
            text.append(incomplete(report)).append('\n');
        }
        for (Finding finding : report.findings()) {
            text.append(of(finding)).append('\n');
        }
        list(text, LATE, report.late());
        list(text, RESTLESS, report.restless());
        list(text, UNSTABLE, report.unstable());
        list(text, WITHOUT_EFFECT, report.withoutEffect());
        double seconds = report.took().toMillis() / 1000.0;
        text.append(String.format(
                Locale.ROOT,
                "%d trials of %d in %.1f s (%.1f per second): %s; %s%n",
                report.total(),
                report.planned(),
                seconds,
                report.total() / Math.max(seconds, 0.001),
                report.trials(),
                report.findings().isEmpty()
                        ? "nothing found"
                        : report.findings().size() + " failed"));
        return text.toString();
    }

    /** Returns the text of one failure, which ends with a line break. */
    public static String of(Finding finding) {
        StringBuilder text = new StringBuilder();
        text.append("FAILED ").append(finding.trial()).append('\n');
        text.append("  The operator was ").append(finding.story()).append(".\n");
        finding.problems()
                .forEach(problem -> text.append("  - ").append(problem).append('\n'));
        if (!finding.steps().isEmpty()) {
            text.append("  Workload: ")
                    .append(String.join("; ", finding.steps()))
                    .append('\n');
        }
        if (!finding.timeline().isEmpty()) {
            text.append("  What happened:\n");
            finding.timeline().stream()
                    .filter(Moment::isAct)
                    .forEach(moment -> text.append("    ").append(moment).append('\n'));
        }
        return text.toString();
    }

    private static void list(StringBuilder text, String title, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        text.append(title).append(":\n");
        lines.stream()
                .limit(SHOWN)
                .forEach(line -> text.append("  ").append(line).append('\n'));
        if (lines.size() > SHOWN) {
            text.append("  and ").append(lines.size() - SHOWN).append(" more\n");
        }
    }
}
