/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * The metrics of the process under the names that every client of Prometheus has, for the dashboards of the original.
 * Holds no state.
 */
final class ProcessMetrics {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path FILES = Path.of("/proc/self/fd");

    private ProcessMetrics() {}

    static void register(MeterRegistry registry) {
        ProcessHandle process = ProcessHandle.current();
        FunctionCounter.builder("process.cpu.seconds", process, ProcessMetrics::cpuSeconds)
                .description("CPU time of the process, in seconds")
                .register(registry);
        Gauge.builder("process.start.time", process, ProcessMetrics::startSeconds)
                .description("Start of the process, in seconds since 1970")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("process.resident.memory", process, unused -> 1024 * number(STATUS, "VmRSS:"))
                .description("Memory of the process that is in RAM; not a number where the system does not report it")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("process.virtual.memory", process, unused -> 1024 * number(STATUS, "VmSize:"))
                .description("Address space of the process; not a number where the system does not report it")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("process.open.fds", process, unused -> openFiles())
                .description("Open files; not a number where the system does not report them")
                .register(registry);
        Gauge.builder("process.max.fds", process, unused -> number(LIMITS, "Max open files"))
                .description("Greatest number of open files; not a number where the system does not report it")
                .register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    private static double startSeconds(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli() / 1e3;
    }

    /** Lines of Linux: {@code VmRSS:    12345 kB}, {@code Max open files    1024    4096    files}. */
    private static double number(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToDouble(line -> first(line.substring(name.length()).strip()))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | UncheckedIOException e) {
            return Double.NaN; // another system than Linux
        }
    }

    private static double first(String words) {
        String word = words.contains(" ") ? words.substring(0, words.indexOf(' ')) : words;
        return word.equals("unlimited") ? Double.POSITIVE_INFINITY : Double.parseDouble(word);
    }

    private static double openFiles() {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.count();
        } catch (IOException | UncheckedIOException e) {
            return Double.NaN;
        }
    }
}
