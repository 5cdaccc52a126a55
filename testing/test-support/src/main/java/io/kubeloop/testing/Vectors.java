/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Golden vectors: {@code {"cases": [{"name", "input", "expected"}]}}, recorded from the upstream implementation.
 *
 * <p>A file is a test resource {@code vectors/NAME.json} of the module that uses it.
 */
public final class Vectors {

    private Vectors() {}

    /**
     * One case.
     *
     * @param name the name, unique in its file
     * @param input the input
     * @param expected the output of the upstream implementation
     */
    public record Case(String name, Map<String, Object> input, Map<String, Object> expected) {}

    /** Checks one case. It fails with any exception. */
    @FunctionalInterface
    public interface Check {

        /** Runs the case and compares the result. */
        void run(Case vector) throws Exception;
    }

    /** Returns the cases of a file. */
    @SuppressWarnings("unchecked")
    public static List<Case> load(Class<?> owner, String name) {
        String path = "/vectors/" + name + ".json";
        try (InputStream in = owner.getResourceAsStream(path)) {
            Objects.requireNonNull(in, () -> "no test resource " + path);
            Object parsed = Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            Map<String, Object> file = (Map<String, Object>) Objects.requireNonNull(parsed, path);
            return ((List<Map<String, Object>>) file.get("cases"))
                    .stream()
                            .map(c -> new Case(
                                    (String) c.get("name"), (Map<String, Object>) c.get("input"), (Map<String, Object>)
                                            c.get("expected")))
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns one test for each case of a file; for a method with {@code @TestFactory}. */
    public static Stream<DynamicTest> tests(Class<?> owner, String name, Check check) {
        return load(owner, name).stream().map(c -> DynamicTest.dynamicTest(c.name(), () -> check.run(c)));
    }
}
