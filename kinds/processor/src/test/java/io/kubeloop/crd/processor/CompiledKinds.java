/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.Manifests;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Sources that were compiled with the processor into a directory. */
record CompiledKinds(Path output, List<String> errors) {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /**
     * Compiles sources.
     *
     * @param sources the sources by the path of their file
     */
    static CompiledKinds of(Path output, Map<String, String> sources) {
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, text) -> files.add(new SourceText(name, text)));
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavaCompiler.CompilationTask task = COMPILER.getTask(
                new StringWriter(),
                null,
                diagnostics,
                List.of(
                        "-d",
                        output.toString(),
                        "-s",
                        output.toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-Xlint:all,-processing,-path,-auxiliaryclass",
                        "--release",
                        "17"),
                null,
                files);
        task.setProcessors(List.of(new CustomResourceProcessor()));
        boolean isCompiled = task.call();
        List<String> errors = diagnostics.getDiagnostics().stream()
                .filter(found -> found.getKind() != Diagnostic.Kind.NOTE)
                .map(found ->
                        (found.getSource() == null ? "" : found.getSource().getName() + ":") + found.getLineNumber()
                                + ": " + found.getMessage(Locale.ROOT))
                .toList();
        assertThat(errors.isEmpty()).as("%s", errors).isEqualTo(isCompiled);
        return new CompiledKinds(output, errors);
    }

    /** Returns the definitions by name. */
    Map<String, JsonObject> definitions() throws IOException {
        Map<String, JsonObject> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(output.resolve("META-INF/kubeloop/crds"))) {
            for (Path file : files.toList()) {
                JsonObject definition = Manifests.read(file).get(0);
                found.put(definition.string("metadata", "name"), definition);
            }
        }
        return found;
    }

    /** A source in memory. */
    private static final class SourceText extends SimpleJavaFileObject {

        private final String text;

        SourceText(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
