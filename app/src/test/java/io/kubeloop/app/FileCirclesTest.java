/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The source files of the loop depend on each other in one direction, so each can be read after those that it needs.
 */
class FileCirclesTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final String ROOT = "io.kubeloop.";

    private static boolean hasSource(JavaClass type, String module) {
        return Files.exists(
                HOME.resolve(module + "/src/main/java/io/kubeloop/" + file(type).replace('.', '/') + ".java"));
    }

    private static String file(JavaClass type) {
        JavaClass top = type;
        while (top.getEnclosingClass().isPresent()) {
            top = top.getEnclosingClass().get();
        }
        return top.getName().substring(ROOT.length());
    }

    /** Returns the files that each file of the module needs. */
    private static Map<String, Set<String>> needs(String module) {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(
                        location -> location.contains("/" + module + "/") || location.contains("-" + module + "-"))
                .importPackages("io.kubeloop");
        assertThat(classes).isNotEmpty();
        Map<String, Set<String>> needs = new HashMap<>();
        for (JavaClass type : classes) {
            if (!hasSource(type, module)) {
                continue; // a generated builder
            }
            Set<String> needed = needs.computeIfAbsent(file(type), key -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (classes.contain(target.getName()) && hasSource(target, module)) {
                    needed.add(file(target));
                }
            }
        }
        return needs;
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> needs) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(needs.get(from));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (reached.add(next)) {
                open.addAll(needs.get(next));
            }
        }
        return reached;
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache", "workqueue", "controller-common"})
    void files_formNoCircle(String module) {
        Map<String, Set<String>> needs = needs(module);
        Map<String, Set<String>> reached = new HashMap<>();
        needs.forEach((file, needed) -> needed.remove(file));
        needs.keySet().forEach(file -> reached.put(file, reachable(file, needs)));
        Set<Set<String>> circles = new HashSet<>();
        reached.forEach((file, files) -> {
            if (files.contains(file)) {
                Set<String> circle = new TreeSet<>(files);
                circle.removeIf(other -> !reached.get(other).contains(file));
                circles.add(circle);
            }
        });
        assertThat(circles).as(module).isEmpty();
    }
}
