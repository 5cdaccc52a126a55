/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkJarTest {

    @Test
    void listsEachCombinationOfParameters() {
        assertThat(BenchmarkJar.parse(List.of(
                        "Benchmarks: ",
                        "io.kubeloop.jmh.StoreBenchmark.get",
                        "  param \"library\" = {kubeloop}",
                        "  param \"pods\" = {10, 20}",
                        "io.kubeloop.jmh.WorkQueueBenchmark.addGetDone")))
                .map(BenchmarkId::toString)
                .containsExactly(
                        "StoreBenchmark.get library=kubeloop pods=10",
                        "StoreBenchmark.get library=kubeloop pods=20",
                        "WorkQueueBenchmark.addGetDone");
    }

    @Test
    void aJarThatIsMissingIsNamed(@TempDir Path directory) {
        Path jar = directory.resolve("none.jar");
        assertThatThrownBy(() -> new BenchmarkJar(jar, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(jar.toString());
    }
}
