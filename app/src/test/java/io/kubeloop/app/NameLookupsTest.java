/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs in separate processes, because a JVM reads these properties once. */
@Timeout(120)
class NameLookupsTest {

    private static final String NAME = "moves.example";

    @TempDir
    Path directory;

    /**
     * Prints how many whole seconds pass until a name that was unknown is known, and how many until it leads elsewhere.
     */
    static final class Lookups {

        private Lookups() {}

        public static void main(String[] args) throws Exception {
            NameLookups.forgetSoon();
            Path hosts = Path.of(System.getProperty("jdk.net.hosts.file"));
            Files.writeString(hosts, "127.0.0.1 localhost\n");
            found("");
            Files.writeString(hosts, "127.0.0.1 " + NAME + "\n");
            long seconds = secondsUntil("127.0.0.1");
            Files.writeString(hosts, "127.0.0.2 " + NAME + "\n");
            System.out.println(seconds + " " + secondsUntil("127.0.0.2"));
        }

        private static long secondsUntil(String address) throws InterruptedException {
            long start = System.nanoTime();
            while (!found(address)) {
                Thread.sleep(20); // between two looks, as long as the JVM remembers
            }
            return Duration.ofNanos(System.nanoTime() - start).toSeconds();
        }

        private static boolean found(String address) {
            try {
                return InetAddress.getAllByName(NAME)[0].getHostAddress().equals(address);
            } catch (UnknownHostException e) {
                return false;
            }
        }
    }

    private String run(String... options) throws Exception {
        List<String> command = Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        Stream.of(options),
                        Stream.of(
                                "-Djdk.net.hosts.file=" + directory.resolve("hosts"),
                                "-cp",
                                Stream.of(NameLookups.class, Lookups.class)
                                        .map(type -> Path.of(type.getProtectionDomain()
                                                        .getCodeSource()
                                                        .getLocation()
                                                        .getPath())
                                                .toString())
                                        .collect(Collectors.joining(File.pathSeparator)),
                                Lookups.class.getName()))
                .flatMap(part -> part)
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    }

    @Test
    void forgetSoon_nameMoves_isSeenWithinSeconds() throws Exception {
        assertThat(run()).matches("[0-8] 1?[0-9]"); // else it is 10 and 30
    }

    @Test
    void forgetSoon_userHasChosen_changesNothing() throws Exception {
        Path chosen = Files.writeString(directory.resolve("chosen"), "networkaddress.cache.negative.ttl=3\n");

        assertThat(run("-Djava.security.properties=" + chosen, "-Dsun.net.inetaddr.ttl=3"))
                .matches("([2-9]|[1-9][0-9]) ([2-9]|[1-9][0-9])");
    }
}
