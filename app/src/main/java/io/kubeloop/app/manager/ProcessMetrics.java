/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app.manager;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
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
    private static final String RESIDENT = "VmRSS:";

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
        Gauge.builder("process.resident.memory", process, unused -> residentBytes())
                .description("Memory of the process that is in RAM; not a number where the system does not report it")
                .baseUnit("bytes")
                .register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    private static double startSeconds(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli() / 1e3;
    }

    /** The line of Linux is {@code VmRSS:    12345 kB}. */
    private static double residentBytes() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .mapToDouble(line -> Double.parseDouble(line.substring(RESIDENT.length())
                                    .replace("kB", "")
                                    .strip())
                            * 1024)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN; // another system than Linux
        }
    }
}
