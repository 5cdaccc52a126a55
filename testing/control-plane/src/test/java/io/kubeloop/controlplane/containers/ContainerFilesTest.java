/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.ContainerHost.Command;
import io.kubeloop.apiserver.http.ContainerHost.Container;
import io.kubeloop.apiserver.http.ContainerHost.Streams;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.OwnJvm;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The files of all containers take a bounded part of the heap, whatever clients upload. */
@Isolated("takes the space of all containers")
class ContainerFilesTest {

    private static final int MIB = 1 << 20;

    private final Map<String, JsonObject> pods = new ConcurrentHashMap<>();
    private final Programs programs = new Programs(name -> pods.get(name.name()), Clock.systemUTC());

    /** Uploads to 40 containers at a time, never finishes half of the uploads, and reads all files. */
    static final class Uploads {

        public static void main(String[] ignored) throws Exception {
            ContainerFilesTest test = new ContainerFilesTest();
            CountDownLatch started = new CountDownLatch(40);
            for (int i = 0; i < 40; i++) {
                String pod = "p" + i;
                boolean ends = i % 2 == 0;
                Thread thread = new Thread(() -> {
                    try {
                        test.run(pod, List.of("tar", "xf", "-"), upload(3 * MIB, ends, started));
                    } catch (Exception e) {
                        System.out.println("refused: " + e.getMessage());
                        started.countDown();
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
            started.await();
            for (int i = 0; i < 40; i += 2) {
                test.run("p" + i, List.of("tar", "cf", "-", "/"), InputStream.nullInputStream());
            }
            System.out.println("alive");
            System.exit(0);
        }
    }

    private int run(String pod, List<String> words, InputStream in) throws Exception {
        JsonObject stored = pods.computeIfAbsent(
                pod,
                name -> JsonObject.parse(
                        "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"d\",\"uid\":\"" + name + "\"}}"));
        OutputStream none = OutputStream.nullOutputStream();
        return programs.run(new Container(stored, "c"), new Command(words, false), new Streams(in, none, none));
    }

    /** Returns an archive of one file, which either ends or blocks after half of its bytes. */
    private static InputStream upload(int size, boolean ends, CountDownLatch sent) {
        byte[] header = new byte[512];
        header[0] = 'f';
        byte[] octal = String.format("%011o", size).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(octal, 0, header, 124, octal.length);
        header[156] = '0';
        InputStream content = new InputStream() {
            private int left = ends ? size + 1024 : size / 2;

            @Override
            public int read() throws IOException {
                if (left > 0) {
                    left--;
                    return 0;
                }
                sent.countDown();
                try {
                    new CountDownLatch(ends ? 0 : 1).await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int n = Math.min(left, length);
                left -= n;
                return n == 0 && length > 0 ? read() : n;
            }
        };
        return new SequenceInputStream(new ByteArrayInputStream(header), content);
    }

    @Test
    void uploadsToManyContainers_endNoServer() throws Exception {
        String printed = OwnJvm.run(
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1"),
                Uploads.class);
        assertThat(printed).contains("refused: No space left on device").endsWith("alive\n");
    }

    @Test
    void spaceOfAPodThatIsGone_isFree() throws Exception {
        int free = MemoryFiles.SPACE.availablePermits();
        CountDownLatch sent = new CountDownLatch(1);
        assertThat(run("one", List.of("tar", "xf", "-"), upload(MIB, true, sent)))
                .isZero();
        assertThat(run("one", List.of("mkdir", "/a/b"), InputStream.nullInputStream()))
                .isZero();
        assertThat(MemoryFiles.SPACE.availablePermits()).isBetween(free - MIB - 1000, free - MIB);

        pods.remove("one");
        run("two", List.of("true"), InputStream.nullInputStream());
        assertThat(MemoryFiles.SPACE.availablePermits()).isEqualTo(free);
    }

    @Test
    void fileThatIsReplacedOrRemoved_freesItsSpace() throws Exception {
        int free = MemoryFiles.SPACE.availablePermits();
        CountDownLatch sent = new CountDownLatch(1);
        run("one", List.of("tar", "xf", "-"), upload(MIB, true, sent));
        run("one", List.of("tar", "xf", "-"), upload(1000, true, sent));
        assertThat(MemoryFiles.SPACE.availablePermits()).isBetween(free - 2000, free - 1000);
        run("one", List.of("rm", "/f"), InputStream.nullInputStream());
        assertThat(MemoryFiles.SPACE.availablePermits()).isEqualTo(free);
    }
}
