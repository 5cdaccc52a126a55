/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs with much output. */
@DisabledOnOs(OS.WINDOWS)
class ExecRunTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String LEFT_OUT =
            System.lineSeparator() + "(further output of the exec plugin is omitted)" + System.lineSeparator();

    private final ByteArrayOutputStream passedOn = new ByteArrayOutputStream();

    private static Process start(String script) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", script).start();
    }

    private String run(Process process) throws IOException, InterruptedException {
        PrintStream to = new PrintStream(passedOn, false, StandardCharsets.UTF_8);
        return new String(ExecRun.outputOf(process, LIMIT, to), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"65536, false", "65537, true", "20000000, true"})
    void outputOf_programThatFloodsItsStandardError_passesOnABeginningAndReadsTheRest(int bytes, boolean leftOut)
            throws Exception {
        String answer = run(start("head -c " + bytes + " /dev/zero | tr '\\0' 'x' >&2; echo answer"));

        assertThat(answer).isEqualTo("answer\n");
        assertThat(passedOn).hasToString("x".repeat(65536) + (leftOut ? LEFT_OUT : ""));
    }

    @Test
    void outputOf_programThatFloodsItsStandardErrorAndFails_quotesItsFirstWords() throws Exception {
        Process process = start("echo 'log in first' >&2; head -c 1000000 /dev/zero | tr '\\0' '\\n' >&2; exit 2");

        assertThatThrownBy(() -> run(process)).hasMessage("ended with code 2; standard error: log in first");
    }

    @Test
    void outputOf_programThatFloodsItsStandardOutput_isKilledAtOnce() throws Exception {
        Process process = start("echo 'here it comes' >&2; exec yes secret");

        assertThatThrownBy(() -> run(process))
                .hasMessage("wrote more than 1048576 bytes to its standard output and was killed;"
                        + " standard error: here it comes");
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void outputOf_outputOfTheLargestSize_isTaken() throws Exception {
        assertThat(run(start("head -c 1048576 /dev/zero | tr '\\0' 'x'"))).hasSize(1048576);
    }
}
