/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.kubeloop.testing.Vectors;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares with {@code regexp.Compile} of Go 1.26, recorded in {@code vectors/go-regexp.json}, and checks that time is
 * bounded.
 */
class GoPatternTest {

    @TestFactory
    Stream<DynamicTest> errors_areThoseOfGo() {
        return Vectors.tests(
                getClass(),
                "go-regexp",
                vector -> assertThat(Objects.requireNonNullElse(new GoPattern(vector.name()).error(), ""))
                        .isEqualTo(vector.expected().get("error")));
    }

    @ParameterizedTest
    @CsvSource({
        "'\\p{greek}', \u03b1, true",
        "'^\\P{LC}$', A, false",
        "'^[^\\p{ASCII}]$', \u00e9, true",
        "'^\\p{^Letter}$', 1, true",
        "'^\\pl$', x, true",
        "'(?P<n>a)(?P<n>b)', ab, true",
        "'^[!#-[\\]-~]+$', a[b, true",
        "'\\Qa.b\\E', axb, false",
        "'a$', 'a\n', false",
        "'^\\w$', \u00e9, false",
    })
    void matches_isThatOfGo(String expression, String value, boolean matches) {
        assertThat(new GoPattern(expression).matches(value)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(.*)*x", "(a|aa)+$", "((a+)+)+b", "^(a?){30}a{30}$", "(.*,){11}P", "^(([a-z])+.)+[A-Z]([a-z])+$"
            })
    @Timeout(2)
    void matching_isLinear_whereJavaBacktracks(String expression) {
        GoPattern pattern = new GoPattern(expression);
        assertThat(pattern.error()).isNull();
        assertThatCode(() -> pattern.matches("a".repeat(100_000))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                "[",
                "\\p{Cn}",
                "(?P<a>",
                "a{90}",
                "a|",
                "\\Q",
                "x*",
                "[a\\p{Cn}]",
                "(?:a",
                "((a{2}){2})",
                "(a)",
                "(x|)",
                "^",
                "(x{0,3})",
                "((x*))?"
            })
    @Timeout(5)
    void compiling_isBounded(String part) {
        for (int length : new int[] {9_900, 1_000_000}) {
            GoPattern pattern = new GoPattern(part.repeat(length / part.length()));
            assertThat(pattern.matches("aaab") && pattern.error() != null).isFalse();
        }
    }

    /** RE2/J follows instructions that consume nothing with a recursion. */
    @ParameterizedTest
    @CsvSource({"x*, 900", "(x|), 450", "((x*)), 300", "a|, 4900", "'x{0,2}', 450", "(?:a|b|), 300"})
    void matching_fitsTheStackOfASmallThread(String part, int times) throws InterruptedException {
        GoPattern pattern = new GoPattern(part.repeat(times));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread small =
                new Thread(null, () -> assertThat(pattern.matches("aaab")).isTrue(), "small", 512 * 1024);
        small.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        small.start();
        small.join();
        assertThat(pattern.error()).isNull();
        assertThat(failure.get()).isNull();
    }

    @Test
    void size_isBoundedBelowThatOfGo() {
        assertThat(new GoPattern("a{1000}".repeat(101)).error())
                .startsWith("error parsing regexp: expression too large");
        assertThat(new GoPattern("(".repeat(1000) + ")".repeat(1000)).error())
                .startsWith("error parsing regexp: expression nests too deeply");
    }
}
