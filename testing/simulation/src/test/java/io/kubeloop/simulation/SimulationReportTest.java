/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class SimulationReportTest {

    private static final SimulationReport REPORT = new SimulationReport(
            List.of(new Finding(
                    "crash-after: create pods default/<web>",
                    Perturbation.CRASH,
                    "killed after `create pods default/<web>`",
                    List.of("at the end, Pod default/<web> #2: too much: {\"a\":\"b & c\"}"),
                    List.of("one step"),
                    List.of(new Moment(
                            Instant.parse("2026-01-05T08:00:00.0400003Z"),
                            1,
                            Moment.Kind.WROTE,
                            "create",
                            "pods",
                            "default/<web>\u0001",
                            201)))),
            Map.of(Perturbation.CRASH, 3, Perturbation.STALE, 1),
            List.of("late-events: create pods default/web"),
            List.of("conflict: update pods default/<web>"),
            List.of("restart: after step 1, after the step \"one\""),
            List.of(),
            List.of(".spec.text another text"),
            List.of(),
            9,
            Duration.ofMillis(1500));

    @Test
    void text_tellsTheStory() {
        assertThat(REPORT.text())
                .contains("FAILED crash-after: create pods default/<web>\n")
                .contains("The operator was killed after `create pods default/<web>`.\n")
                .contains("2026-01-05T08:00:00.040Z instance 1: create pods default/<web>\u0001 -> 201\n")
                .contains("restart, because the operator retries later than a trial waits, or never:\n  conflict: ")
                .contains("5 trials of 9 in 1.5 s")
                .endsWith("1 failed\n");
        assertThatThrownBy(REPORT::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessage(REPORT.text());
    }

    /** Each output of a run that found nothing and ended too early states it, and the assertions fail. */
    @Test
    void budgetThatRanOut_isNoProof() {
        SimulationReport partial = with(Map.of(Perturbation.CRASH, 7), List.of("late-events: x"), 9);

        assertThat(partial.isComplete()).isFalse();
        assertThat(partial.text()).startsWith("INCOMPLETE: only 8 of 9 planned trials ran");
        assertThat(partial.html()).contains("bad\">INCOMPLETE: only 8 of 9 planned trials ran");
        assertThat(partial.junitXml())
                .contains("errors=\"1\"")
                .contains("<error message=\"INCOMPLETE: only 8 of 9 planned trials ran");
        assertThatThrownBy(partial::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessage(partial.text());
        assertThatThrownBy(partial::assertComplete)
                .isInstanceOf(AssertionError.class)
                .hasMessage(partial.text());
        assertThatThrownBy(REPORT::assertComplete).isInstanceOf(AssertionError.class);

        SimulationReport whole = with(Map.of(Perturbation.CRASH, 8), List.of("late-events: x"), 9);
        whole.assertClean();
        assertThat(whole.text()).doesNotContain("INCOMPLETE");
        assertThat(whole.html()).doesNotContain("INCOMPLETE");
        assertThat(whole.junitXml()).contains("errors=\"0\"").doesNotContain("<error ");
    }

    /** A run that has not tried each form states that first, whatever it found. */
    @Test
    void formsThatWereNotTried_areNamedFirst() {
        SimulationReport small = with(Map.of(Perturbation.CRASH, 7), List.of(), List.of("hour", "stale"), 9);
        assertThat(small.text()).startsWith("BUDGET TOO SMALL: no trial of hour, stale; 7 of 9 planned trials ran");
        assertThatThrownBy(small::assertClean).isInstanceOf(AssertionError.class);
    }

    private static SimulationReport with(Map<Perturbation, Integer> trials, List<String> unreached, int planned) {
        return with(trials, unreached, List.of(), planned);
    }

    private static SimulationReport with(
            Map<Perturbation, Integer> trials, List<String> unreached, List<String> untried, int planned) {
        List<String> none = List.of();
        return new SimulationReport(
                List.of(), trials, unreached, none, none, none, none, untried, planned, Duration.ofMillis(1500));
    }

    @Test
    void junitXml_isWellFormed() throws Exception {
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(REPORT.junitXml().getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getDocumentElement().getAttribute("failures")).isEqualTo("1");
        assertThat(document.getElementsByTagName("testcase").getLength()).isEqualTo(3);
    }

    @Test
    void html_escapesWhatItShows() {
        assertThat(REPORT.html())
                .contains("crash-after: create pods default/&lt;web&gt;")
                .contains("b &amp; c")
                .contains("conflict: update pods default/&lt;web&gt;")
                .doesNotContain("<web>")
                .doesNotContain("\u0001")
                .doesNotContain("<script");
    }
}
