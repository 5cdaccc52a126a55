/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every rule is held by a test or states why none does, and docs/rules.md is what its generator makes of the tests. */
@Timeout(120)
class RulesPageTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Path TOOL = HOME.resolve("docs/tools/RulesPage.java");

    @TempDir
    private Path directory;

    private String run(Path home, int exitCode, String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), TOOL.toString())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.command().addAll(List.of(arguments));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the tool ended").isTrue();
        String printed = Files.readString(output);
        assertThat(process.exitValue()).as(printed).isEqualTo(exitCode);
        return printed;
    }

    @Test
    void page_isUpToDate_andEveryRuleIsHeldOrExplained() throws IOException, InterruptedException {
        assertThat(run(HOME, 0, "--check")).contains("rules, ").endsWith(", 0 faults\n");
    }

    @Test
    void faults_areFound() throws IOException, InterruptedException {
        Path tests = Files.createDirectories(directory.resolve("queue/src/test/java"));
        Files.writeString(tests.resolve("QueueTest.java"), "void add_ZZ01() {} // ZZ-03 to ZZ-05, UTF-816, ZZ-77\n");
        Files.createDirectories(directory.resolve("docs"));
        Files.writeString(directory.resolve("docs/rules.tsv"), """
                section\tid\trule\tmodule\twhy no test holds it
                Queue\tZZ-01\tOne\tworkqueue\t
                Queue\tZZ-02\tTwo\tworkqueue\t
                Queue\tZZ-03\tThree\tworkqueue\tnot built: a reason
                Queue\tZZ-04\tFour\tworkqueue\t
                Queue\tZZ-05\tFive\tworkqueue\t
                Queue\tZZ-06\tSix\tworkqueue\tGo only: a reason
                Queue\tZZ-06\tSix\tworkqueue\tbecause
                """);

        assertThat(run(directory, 1).lines())
                .containsExactlyInAnyOrder(
                        "ZZ-06 has two rows",
                        "ZZ-02 is cited by no test and states no reason",
                        "ZZ-03 states why no test holds it, but [QueueTest] cite it",
                        "ZZ-06: the reason must match (Go only|not built|different on purpose): .+; it is: because",
                        "ZZ-77 is not a rule, but [QueueTest] cite it",
                        "7 rules, 4 held by tests, 5 faults");
        assertThat(Files.readString(directory.resolve("docs/rules.md")))
                .contains("| ZZ-04 | Four | workqueue | QueueTest |");
    }
}
