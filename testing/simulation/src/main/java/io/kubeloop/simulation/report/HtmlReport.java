/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.report;

import io.kubeloop.simulation.Finding;
import io.kubeloop.simulation.SimulationReport;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Writes a report as one page, without scripts and without other files. */
public final class HtmlReport {

    private static final String STYLE = """
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
                   color: #1c1c1c; background: #fff; }
            h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; }
            section { border: 1px solid #c8c8c8; border-left: 4px solid #b3261e; border-radius: 4px;
                      padding: .2rem 1rem; margin: 1rem 0; }
            code, pre { font: 14px/1.45 ui-monospace, monospace; } pre { overflow-x: auto; background: #f4f4f4;
                      padding: .5rem; }
            table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem 1rem .2rem 0; }
            .good { color: #146c2e; } .bad { color: #b3261e; }
            @media (prefers-color-scheme: dark) {
              body { color: #e6e6e6; background: #181818; } pre { background: #242424; }
              section { border-color: #555; border-left-color: #f2b8b5; }
              .good { color: #7bd88f; } .bad { color: #f2b8b5; } }
            """;

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Simulation</title>
            <style>
            """;

    private HtmlReport() {}

    /** Returns the page. */
    public static String of(SimulationReport report) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append(STYLE).append("</style>\n</head>\n<body>\n<h1>Simulation</h1>\n<p class=\"");
        int failed = report.findings().size();
        String incomplete = TextReport.incomplete(report);
        page.append(incomplete.isEmpty() ? "" : "bad\">" + incomplete + ".</p>\n<p class=\"");
        page.append(failed == 0 ? "good\">Nothing was found" : "bad\">" + failed + " trials failed");
        page.append(String.format(
                Locale.ROOT,
                " in %d of %d trials, in %.1f s.</p>%n",
                report.total(),
                report.planned(),
                report.took().toMillis() / 1000.0));
        page.append("<table>\n<tr><th>kind</th><th>trials</th></tr>\n");
        new TreeMap<>(report.trials())
                .forEach((kind, count) -> page.append("<tr><td>")
                        .append(kind.name().toLowerCase(Locale.ROOT))
                        .append("</td><td>")
                        .append(count)
                        .append("</td></tr>\n"));
        page.append("</table>\n");
        report.findings().forEach(finding -> append(page, finding));
        list(page, TextReport.LATE, report.late());
        list(page, TextReport.RESTLESS, report.restless());
        list(page, TextReport.UNSTABLE, report.unstable());
        list(page, TextReport.WITHOUT_EFFECT, report.withoutEffect());
        list(page, "Trials that found nothing to disturb", report.unreached());
        return page.append("</body>\n</html>\n").toString();
    }

    private static void append(StringBuilder page, Finding finding) {
        page.append("<section>\n<h2>").append(Markup.escape(finding.trial())).append("</h2>\n<p>The operator was ");
        page.append(Markup.escape(finding.story())).append(".</p>\n<ul>\n");
        finding.problems()
                .forEach(problem ->
                        page.append("<li>").append(Markup.escape(problem)).append("</li>\n"));
        page.append("</ul>\n");
        if (!finding.steps().isEmpty()) {
            page.append("<p>Workload: ")
                    .append(Markup.escape(String.join("; ", finding.steps())))
                    .append("</p>\n");
        }
        if (!finding.timeline().isEmpty()) {
            page.append("<details><summary>What happened</summary>\n<pre>");
            finding.timeline()
                    .forEach(moment ->
                            page.append(Markup.escape(moment.toString())).append('\n'));
            page.append("</pre></details>\n");
        }
        page.append("</section>\n");
    }

    private static void list(StringBuilder page, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            page.append("<details><summary>").append(title).append(": ").append(lines.size());
            page.append("</summary>\n<ul>\n");
            lines.forEach(
                    line -> page.append("<li>").append(Markup.escape(line)).append("</li>\n"));
            page.append("</ul></details>\n");
        }
    }
}
