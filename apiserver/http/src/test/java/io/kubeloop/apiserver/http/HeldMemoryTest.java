/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.OwnJvm;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A server with 256 MB stays ready whatever its clients hold. */
@Isolated("fills the memory of a JVM")
class HeldMemoryTest {

    @Test
    void server_whoseClientsHoldAllTheyCan_staysReady() throws IOException, InterruptedException {
        String printed = OwnJvm.run(
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1"),
                HeldMemory.class);
        List<String> ways =
                printed.lines().filter(line -> line.contains(": HTTP/1.1")).toList();
        assertThat(ways).as(printed).hasSize(14).allMatch(line -> line.endsWith("HTTP/1.1 200 OK"));
    }
}
