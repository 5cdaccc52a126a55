/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "panic: runtime error: index out of range [3] with length 2||goroutine 7 [running]:",
                "E1127 10:00:00.1 1 runtime.go:142] \"Observed a panic\" panic=\"assignment to entry in nil map\" "
                        + "goroutine=<",
                "fatal error: all goroutines are asleep - deadlock!",
                "thread 'tokio-runtime-worker' panicked at src/main.rs:41:18:",
                "thread 'main' (4711) panicked at src/main.rs:41:18:"
            })
    void panic_isFound(String line) {
        assertThat(ProgramErrors.in("one line\n" + line + "\nanother\n")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "ERROR failed|java.lang.NullPointerException: Cannot invoke \"a.b()\"|\tat a.B.c(B.java:3)"
                        + "|java.lang.NullPointerException",
                "x|Caused by: java.util.NoSuchElementException|\tat a.B.c(B.java:3)|java.util.NoSuchElementException",
                "Traceback (most recent call last):|  File \"op.py\", line 3, in sync|KeyError: 'spec'|KeyError",
                "x|TypeError: Cannot read properties of undefined (reading 'a')|    at sync (op.js:3:1)|TypeError"
            })
    void exceptionWithItsTrace_isFound(String one, String two, String three, String error) {
        assertThat(ProgramErrors.in(one + "\n" + two + "\n" + three + "\n")).containsExactly(error);
    }

    /** What a server or the network may cause, and what only speaks of an error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.net.ConnectException: refused\n\tat a.B.c(B.java:3)\n",
                "io.fabric8.kubernetes.client.KubernetesClientException: conflict\n\tat a.B.c(B.java:3)\n",
                "retry after java.lang.NullPointerException\n",
                """
                Traceback (most recent call last):
                  File "a.py", line 1, in a
                aiohttp.client_exceptions.ClientConnectorError: refused
                """,
                "the user typed KeyError: no\n",
                "level=error msg=\"Reconciler error\" error=\"Operation cannot be fulfilled\"\n"
            })
    void otherError_isNone(String output) {
        assertThat(ProgramErrors.in(output)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[3] with length 2", "[7] with length 5"})
    void numbers_doNotCount(String numbers) {
        assertThat(ProgramErrors.in("panic: runtime error: index out of range " + numbers + "\n"))
                .containsExactly("runtime error: index out of range [N] with length N");
    }
}
