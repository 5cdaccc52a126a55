/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Runs the fuzz tests with the inputs that fuzzing has found, and with an empty one. Jazzer itself would install its
 * agent, which takes seconds and slows down later tests in the same JVM.
 */
class KeptInputsTest {

    @TestFactory
    Stream<DynamicTest> keptInputs_passTheirFuzzTests() {
        return Stream.of(new KubeconfigFuzzTest(), new WatchDecoderFuzzTest()).flatMap(KeptInputsTest::testsOf);
    }

    private static Stream<DynamicTest> testsOf(Object tests) {
        return Arrays.stream(tests.getClass().getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(FuzzTest.class))
                .flatMap(method -> Stream.concat(
                        Stream.of(DynamicTest.dynamicTest(
                                method.getName() + ": nothing", () -> run(tests, method, new byte[0]))),
                        inputsOf(method)
                                .map(file -> DynamicTest.dynamicTest(
                                        method.getName() + ": " + file.getFileName(),
                                        file.toUri(),
                                        () -> run(tests, method, Files.readAllBytes(file))))));
    }

    private static void run(Object tests, Method method, byte[] input) {
        ReflectionSupport.invokeMethod(method, tests, (Object) input);
    }

    /** The files are in the directory that Jazzer expects. */
    private static Stream<Path> inputsOf(Method method) {
        Class<?> tests = method.getDeclaringClass();
        URL directory = tests.getResource(tests.getSimpleName() + "Inputs/" + method.getName());
        try {
            URI uri = Objects.requireNonNull(directory, () -> "no inputs are kept for " + method)
                    .toURI();
            try (Stream<Path> files = Files.list(Path.of(uri))) {
                return files.sorted().toList().stream();
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(directory + " is not a URI", e);
        } catch (IOException e) {
            throw new UncheckedIOException("the inputs kept in " + directory + " can't be read", e);
        }
    }
}
