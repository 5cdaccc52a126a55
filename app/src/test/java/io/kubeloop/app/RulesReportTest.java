package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every rule of docs/rules.md is held by a test that cites it, or says why none does. Prints the report to {@code
 * target/rules.txt}; with {@code -Dkubeloop.rules.write=true} brings the tests that the document names up to date.
 */
class RulesReportTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Path DOCUMENT = HOME.resolve("docs/rules.md");

    @BeforeEach
    void writeIfAsked() throws IOException {
        if (Boolean.getBoolean("kubeloop.rules.write")) {
            Files.write(DOCUMENT, RulesReport.of(HOME).rewritten(Files.readAllLines(DOCUMENT)));
        }
    }

    @Test
    void everyRule_isCitedByATest_orSaysWhyNot() throws IOException {
        RulesReport report = RulesReport.of(HOME);
        Path printed = Path.of("target", "rules.txt");
        Files.createDirectories(printed.getParent());
        Files.writeString(printed, report.text());

        assertThat(report.rules()).hasSizeGreaterThan(300);
        assertThat(report.faults()).isEmpty();
    }

    @Test
    void rows_areShort_andSayOneThing() throws IOException {
        assertThat(RulesReport.of(HOME).rules())
                .allSatisfy(rule ->
                        assertThat(rule.text().split("\\s+")).as(rule.id()).hasSizeLessThan(20));
    }

    @Test
    void citations_areFoundInCommentsNamesAndRanges() {
        assertThat(RulesReport.cited(
                        "// RE-60 to RE-62, EV-01 to EV-04, WQ-03\n void add_twice_DF05_I1() { get_DQ02(); }",
                        Set.of("RE-61")))
                .containsExactly("DF-05", "DQ-02", "EV-01", "EV-04", "RE-60", "RE-61", "RE-62", "WQ-03");
        assertThat(RulesReport.cited("FC-03 to 04, UTF-816, RE-6, FXRE-60 AB-1234", Set.of()))
                .containsExactly("FC-03", "FC-04");
    }

    @Test
    void rows_areReadWithTheirSection() {
        List<RulesReport.Rule> rules = RulesReport.readRules(List.of(
                "## The queue",
                "| ID | Rule | Room | Held by |",
                "| --- | --- | --- | --- |",
                "| WQ-01 | One entry | workqueue | ATest, BTest |",
                "| WQ-02 | Another | workqueue | not built: why |",
                "| WQ-03 | A third | workqueue |  |"));

        assertThat(rules).extracting(RulesReport.Rule::section).containsOnly("The queue");
        assertThat(rules.get(0).namedTests()).containsExactly("ATest", "BTest");
        assertThat(rules.get(1).hasReason()).isTrue();
        assertThat(rules.get(2).namedTests()).isEmpty();
    }
}
