/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {

    @TempDir
    private Path directory;

    @Test
    void comesBackAsItWasWritten() throws IOException {
        Baseline baseline = new Baseline(
                "17",
                Map.of("Some.get n=1", new Baseline.Entry(24, 0.00125), "Other.put", new Baseline.Entry(0, 12.5)));
        Path file = directory.resolve("baseline.tsv");
        baseline.write(file);
        assertThat(Files.readString(file)).contains("24.0\t0.00125\tSome.get n=1");
        assertThat(Baseline.read(file)).isEqualTo(baseline);
    }

    @Test
    void aLineThatMakesNoSenseIsQuoted() throws IOException {
        Path file = directory.resolve("baseline.tsv");
        Files.writeString(file, "# B/op, time in yardsticks, benchmark; JDK 17\nabc\n");
        assertThatThrownBy(() -> Baseline.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(": abc");
        Files.writeString(file, "abc\n");
        assertThatThrownBy(() -> Baseline.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("Cannot read the baseline", "its first line is not");
    }

    @Test
    void moreBytesFailAndMoreTimeIsWorthALook() {
        Baseline.Entry recorded = new Baseline.Entry(1_000, 1);
        assertThat(new BaselineCheck("a", recorded, new Baseline.Entry(1_009, 1.4)).message())
                .isNull();
        BaselineCheck bytes = new BaselineCheck("a", recorded, new Baseline.Entry(1_011, 1));
        assertThat(bytes.allocatesMore()).isTrue();
        assertThat(bytes.message()).isEqualTo("a: allocates 1011.0 B/op, recorded are 1000.0");
        BaselineCheck time = new BaselineCheck("a", recorded, new Baseline.Entry(900, 1.6));
        assertThat(time.allocatesMore()).isFalse();
        assertThat(time.message()).startsWith("a: takes 1.60 yardsticks, recorded are 1.00");
        BaselineCheck unknown = new BaselineCheck("a", null, recorded);
        assertThat(unknown.allocatesMore()).isFalse();
        assertThat(unknown.message()).isEqualTo("a: not recorded");
    }
}
