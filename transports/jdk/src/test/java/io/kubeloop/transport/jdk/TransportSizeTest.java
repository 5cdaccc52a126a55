/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A complete transport takes less than 200 lines of code. */
class TransportSizeTest {

    @Test
    void transport_takesLessThanTwoHundredLinesOfCode() throws IOException {
        long lines;
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            lines = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(TransportSizeTest::lines)
                    .map(String::strip)
                    .filter(TransportSizeTest::isCode)
                    .count();
        }
        assertThat(lines).isBetween(100L, 199L);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Comments, imports and the package are not counted. */
    private static boolean isCode(String line) {
        return !line.isEmpty()
                && Stream.of("//", "/*", "*", "import ", "package ").noneMatch(line::startsWith);
    }
}
