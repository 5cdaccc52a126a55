/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.OwnJvm;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of the documents compile exactly as printed, and the README's prints exactly the output that follows it.
 * A block of code is preceded by the line {@code <!-- file: NAME -->}; {@code e2e/guides.sh} builds the same files with
 * their own POM.
 */
@Timeout(120)
class PrintedExamplesTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final Pattern FILE =
            Pattern.compile("<!-- file: (\\S+\\.java) -->\\s*```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OUTPUT = Pattern.compile("<!-- output -->\\s*```text\\n(.*?)```", Pattern.DOTALL);

    /** What the projects of the guides have in their compiler. */
    private static final String PROCESSOR = "io.kubeloop.crd.processor.CustomResourceProcessor";

    /** A library that the class path of this test does not have: e2e/guides.sh builds the project that is printed. */
    private static final String OPERATOR_SDK = "import io.javaoperatorsdk.";

    @TempDir
    private Path directory;

    private static Map<String, String> files(Path document) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (MatchResult file :
                FILE.matcher(Files.readString(document)).results().toList()) {
            assertThat(files.put(file.group(1), file.group(2)))
                    .as("%s prints %s once", document, file.group(1))
                    .isNull();
        }
        return files;
    }

    @Test
    void readme_exampleAsPrinted_printsItsOutput() throws IOException, InterruptedException {
        Path readme = HOME.resolve("README.md");
        Map<String, String> files = files(readme);
        assertThat(files).hasSize(1);
        String name = files.keySet().iterator().next();
        Path source = Files.writeString(directory.resolve(name), files.get(name));
        String expected = OUTPUT.matcher(Files.readString(readme))
                .results()
                .map(output -> output.group(1))
                .findFirst()
                .orElseThrow();

        assertThat(OwnJvm.runSource(source)).isEqualTo(expected);
    }

    @TestFactory
    Stream<DynamicTest> documents_examplesCompileAsPrinted() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(HOME.resolve("README.md")));
        try (Stream<Path> pages = Files.walk(HOME.resolve("docs"))) {
            pages.filter(page -> page.toString().endsWith(".md")).forEach(documents::add);
        }
        return documents.stream()
                .map(document ->
                        DynamicTest.dynamicTest(HOME.relativize(document).toString(), () -> {
                            Map<String, String> files = files(document);
                            compile(files);
                        }));
    }

    private void compile(Map<String, String> files) throws IOException {
        if (files.isEmpty() || files.values().stream().anyMatch(text -> text.contains(OPERATOR_SDK))) {
            return;
        }
        Path root = Files.createTempDirectory(directory, "example");
        List<File> sources = new ArrayList<>();
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path source = root.resolve(file.getKey());
            Files.createDirectories(source.getParent());
            sources.add(Files.writeString(source, file.getValue()).toFile());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            manager,
                            null,
                            List.of("-cp", CLASS_PATH, "-processor", PROCESSOR, "-d", root.toString()),
                            null,
                            manager.getJavaFileObjectsFromFiles(sources))
                    .call();
            assertThat(compiled).as("it compiles: %s", messages).isTrue();
        }
    }
}
