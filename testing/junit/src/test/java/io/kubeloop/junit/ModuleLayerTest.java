/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The test kit on the module path, without the library of CEL: its modules resolve, and a control plane starts from
 * them.
 */
class ModuleLayerTest {

    @Test
    void controlPlane_startsFromModules() throws Exception {
        Path[] path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> Files.exists(entry)
                        && !entry.endsWith("test-classes")
                        && !entry.toString()
                                .contains("/dev/cel/") // its jars share packages: they belong on the class path
                        && !entry.getFileName().toString().endsWith("-tests.jar"))
                .toArray(Path[]::new);
        Configuration configuration = ModuleLayer.boot()
                .configuration()
                .resolveAndBind(ModuleFinder.of(path), ModuleFinder.of(), Set.of("io.kubeloop.junit", "kotlin.stdlib"));
        ModuleLayer layer =
                ModuleLayer.boot().defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        ClassLoader loader = layer.findLoader("io.kubeloop.junit");

        Class<?> extension = loader.loadClass("io.kubeloop.junit.KubeloopExtension");
        assertThat(extension.getModule().isNamed()).isTrue();
        assertThat(extension.getConstructor().newInstance()).isNotNull();

        Class<?> type = loader.loadClass("io.kubeloop.controlplane.ControlPlane");
        Object builder = type.getMethod("builder").invoke(null);
        Object clock = loader.loadClass("io.kubeloop.controlplane.SimulatedClock")
                .getMethod("running")
                .invoke(null);
        builder.getClass().getMethod("clock", clock.getClass()).invoke(builder, clock);
        try (AutoCloseable time = (AutoCloseable) clock;
                AutoCloseable plane =
                        (AutoCloseable) builder.getClass().getMethod("start").invoke(builder)) {
            clock.getClass().getMethod("awaitQuiet").invoke(clock);
            assertThat((String) type.getMethod("report").invoke(plane)).contains("requests (0)");
            assertThat(time).isNotNull();
        }
    }
}
