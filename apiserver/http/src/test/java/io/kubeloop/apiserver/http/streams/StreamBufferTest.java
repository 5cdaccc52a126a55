/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StreamBufferTest {

    @Test
    void bytes_arriveInOrder_throughABufferThatIsTooSmall() throws Exception {
        StreamBuffer buffer = new StreamBuffer();
        byte[] sent = new byte[3 << 20];
        new Random(7).nextBytes(sent);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            int done = 0;
            for (int piece = 1; done < sent.length; piece = piece % 50_000 + 777) {
                int n = Math.min(piece, sent.length - done);
                put(buffer, sent, done, n);
                done += n;
            }
            buffer.end();
        });

        assertThat(buffer.readAllBytes()).isEqualTo(sent);
        writer.join();
    }

    private static void put(StreamBuffer buffer, byte[] bytes, int offset, int length) {
        try {
            buffer.put(bytes, offset, length);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closedBuffer_dropsBytes_andReleasesItsWriter() throws Exception {
        StreamBuffer buffer = new StreamBuffer();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> put(buffer, new byte[1 << 20], 0, 1 << 20));
        assertThat(buffer.read()).isZero();

        buffer.close();

        writer.join();
        assertThat(buffer.read()).isEqualTo(-1);
        buffer.put(new byte[1 << 20], 0, 1 << 20);
        assertThat(buffer.available()).isZero();
    }

    /** All buffers share a part of the heap. Without a share, the last write would wait. */
    @Test
    void closedBuffers_returnTheirShares() throws Exception {
        long most = Runtime.getRuntime().maxMemory() / 16 / (64 << 10) + 10;
        for (long i = 0; i < most; i++) {
            StreamBuffer buffer = new StreamBuffer();
            buffer.put(new byte[64 << 10], 0, 64 << 10);
            buffer.close();
        }
        StreamBuffer last = new StreamBuffer();
        last.put(new byte[100 << 10], 0, 100 << 10);
        assertThat(last.available()).isEqualTo(100 << 10);
        last.close();
    }
}
