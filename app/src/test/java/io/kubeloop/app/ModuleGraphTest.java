/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.transport.jdk.JdkTransport;
import io.kubeloop.workqueue.WorkQueue;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The modules that require only SLF4J's API and JSpecify fit into a run-time image and stay small (ADR 0006). */
class ModuleGraphTest {

    @Test
    void jlink_makesAnImageOfWhatNeedsNoJson(@TempDir Path home) throws Exception {
        Path jdk = Path.of(System.getProperty("java.home"));
        assumeTrue(Files.isDirectory(jdk.resolve("jmods")), "this JDK has what images are made of");
        ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow();
        Path image = home.resolve("image");
        StringWriter said = new StringWriter();
        PrintWriter saying = new PrintWriter(said, true);

        int code = jlink.run(
                saying,
                saying,
                "--module-path",
                Stream.of(
                                ObjectName.class,
                                Scheduler.class,
                                WorkQueue.class,
                                SharedInformer.class,
                                JdkTransport.class,
                                Logger.class,
                                NullMarked.class)
                        .map(type -> home(type).toString())
                        .collect(Collectors.joining(File.pathSeparator)),
                "--add-modules",
                "io.kubeloop.cache,io.kubeloop.workqueue,io.kubeloop.transport.jdk",
                "--output",
                image.toString());

        assertThat(said.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(modules(image))
                .contains("java.base", "java.net.http")
                .filteredOn(name -> !name.startsWith("java."))
                .containsExactlyInAnyOrder(
                        "io.kubeloop.api",
                        "io.kubeloop.cache",
                        "io.kubeloop.runtime",
                        "io.kubeloop.transport.jdk",
                        "io.kubeloop.workqueue",
                        "org.jspecify",
                        "org.slf4j");
    }

    /** What runs in the image says of itself. */
    private static List<String> modules(Path image) throws IOException {
        Process java = new ProcessBuilder(image.resolve("bin/java").toString(), "--list-modules")
                .redirectErrorStream(true)
                .start();
        try (Stream<String> lines = java.inputReader(StandardCharsets.UTF_8).lines()) {
            return lines.map(line -> line.replaceAll("@.*", "")).toList();
        }
    }

    /** 1 MiB together; docs/adr/0006-libraries.md states where the bytes are. */
    @Test
    void apiModelWorkqueueAndCache_areSmall() throws Exception {
        long bytes = 0;
        for (Class<?> type : List.of(ObjectName.class, WorkQueue.class, SharedInformer.class)) {
            bytes += packedSize(home(type));
        }
        assertThat(bytes).isBetween(100_000L, 1L << 20);
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the size of a jar, or of the one that a directory would make. */
    private static long packedSize(Path home) throws IOException {
        if (Files.isRegularFile(home)) {
            return Files.size(home);
        }
        long[] size = new long[1];
        try (Stream<Path> files = Files.walk(home);
                ZipOutputStream jar = new ZipOutputStream(new Counter(size))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new ZipEntry(home.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
        return size[0];
    }

    /** Counts what is written. */
    private static final class Counter extends OutputStream {

        private final long[] size;

        Counter(long[] size) {
            this.size = size;
        }

        @Override
        public void write(int b) {
            size[0]++;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            size[0] += length;
        }
    }
}
