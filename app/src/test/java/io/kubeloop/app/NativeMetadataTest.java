/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * picocli sets the options of commands by reflection. A native image reflects only on what the list of picocli's
 * processor names.
 */
class NativeMetadataTest {

    private static final String METADATA = "META-INF/native-image/picocli-generated/reflect-config.json";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.kubeloop");

    @Test
    void picocliProcessor_listsEveryCommandAndOption() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (URL list :
                Collections.list(NativeMetadataTest.class.getClassLoader().getResources(METADATA))) {
            try (InputStream in = list.openStream()) {
                String array = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                JsonObject.parse("{\"types\":" + array + "}")
                        .array("types")
                        .objects()
                        .forEach(type -> {
                            listed.add(type.string("name"));
                            type.array("fields")
                                    .objects()
                                    .forEach(field -> listed.add(type.string("name") + " " + field.string("name")));
                        });
            }
        }
        Set<String> needed = CLASSES.stream()
                .flatMap(type -> type.getFields().stream())
                .filter(NativeMetadataTest::isSetByPicocli)
                .map(field -> field.getOwner().getName() + " " + field.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        CLASSES.stream()
                .filter(type -> type.isAnnotatedWith("picocli.CommandLine$Command"))
                .forEach(type -> needed.add(type.getName()));
        assertThat(needed).hasSizeGreaterThan(40).contains("io.kubeloop.app.Main spec");
        assertThat(listed).containsAll(needed);
    }

    private static boolean isSetByPicocli(JavaField field) {
        return field.getAnnotations().stream()
                .anyMatch(annotation -> annotation.getRawType().getName().startsWith("picocli.CommandLine$"));
    }
}
