/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.StringWriter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record in a module of its own: its package must be exported or opened. */
class ModulePathTest {

    private static final Pattern MODULES = Pattern.compile("api-json|api-model|jspecify|moshi|okio|kotlin|snakeyaml");

    private static final String WIDGET = """
            package user.kinds;
            import io.kubeloop.api.*;
            VISIBILITY record Widget(ObjectMeta metadata, int size, UnknownFields unknownFields) implements KubeObject {
                @Override public KubeObject withMetadata(ObjectMeta changed) { return new Widget(changed, size, \
            unknownFields); }
            }
            """;

    private static final String KINDS = """
            package user.kinds;
            import io.kubeloop.api.*;
            public final class Kinds {
                public static final ResourceType<? extends KubeObject> WIDGETS = new ResourceType<>(
                        "example.com", "v1", "widgets", "Widget", ResourceType.Scope.CLUSTER, Widget.class);
            }
            """;

    private static final String MAIN = """
            package user.main;
            import io.kubeloop.api.*;
            import io.kubeloop.json.JsonCodec;
            import java.io.ByteArrayInputStream;
            public final class Main {
                public static String run(String json) { return run(user.kinds.Kinds.WIDGETS, json); }
                private static <T extends KubeObject> String run(ResourceType<T> type, String json) {
                    JsonCodec codec = JsonCodec.standard().with(type);
                    return new String(codec.encode(type, codec.decode(type, new \
            ByteArrayInputStream(json.getBytes()))));
                }
            }
            """;

    private static final String JSON =
            "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"size\":3,\"color\":\"red\"}";

    @TempDir
    Path directory;

    /** Compiles the module, loads it in a layer of its own, and sends a document through its codec. */
    private String roundTrip(String visibility, String directive) throws Exception {
        List<Path> path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> MODULES.matcher(entry.toString()).find() && !entry.endsWith("test-classes"))
                .toList();
        Path sources = Files.createDirectories(directory.resolve("source"));
        write(
                sources,
                "module-info.java",
                "module user.app { requires io.kubeloop.json; exports user.main; " + directive + " }");
        write(sources, "user/kinds/Widget.java", WIDGET.replace("VISIBILITY", visibility));
        write(sources, "user/kinds/Kinds.java", KINDS);
        write(sources, "user/main/Main.java", MAIN);
        compile(sources, path);

        List<Path> modules = new ArrayList<>(path);
        modules.add(directory.resolve("classes"));
        Configuration configuration = ModuleLayer.boot()
                .configuration()
                .resolve(ModuleFinder.of(modules.toArray(new Path[0])), ModuleFinder.of(), Set.of("user.app"));
        ClassLoader loader = ModuleLayer.boot()
                .defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader())
                .findLoader("user.app");
        try {
            return (String) loader.loadClass("user.main.Main")
                    .getMethod("run", String.class)
                    .invoke(null, JSON);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private void compile(Path sources, List<Path> path) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        String modulePath = String.join(
                File.pathSeparator, path.stream().map(Path::toString).toList());
        List<String> options =
                List.of("-proc:none", "-d", directory.resolve("classes").toString(), "--module-path", modulePath);
        try (Stream<Path> files = Files.walk(sources);
                var manager = compiler.getStandardFileManager(null, null, null)) {
            Iterable<? extends javax.tools.JavaFileObject> units = manager.getJavaFileObjectsFromPaths(
                    files.filter(Files::isRegularFile).toList());
            boolean compiled = compiler.getTask(output, manager, null, options, null, units)
                    .call();
            assertThat(compiled).as(output.toString()).isTrue();
        }
    }

    private static void write(Path directory, String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void with_publicRecordInExportedPackage_works() throws Exception {
        assertThat(roundTrip("public", "exports user.kinds;")).isEqualTo(JSON);
    }

    @Test
    void with_packagePrivateRecordInOpenedPackage_works() throws Exception {
        assertThat(roundTrip("", "opens user.kinds to io.kubeloop.json;")).isEqualTo(JSON);
    }

    @Test
    void with_recordInHiddenPackage_saysWhatToExport() {
        assertThatThrownBy(() -> roundTrip("public", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("user.kinds.Widget")
                .hasMessageContaining("export package user.kinds")
                .hasMessageContaining("module user.app");
    }
}
