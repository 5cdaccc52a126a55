/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** One codec for all threads: nobody reads or writes with what somebody else is using. */
class CodecThreadsTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 200;

    @Test
    void decodeAndEncode_inManyThreads_giveWhatOneThreadGives()
            throws IOException, InterruptedException, ExecutionException {
        JsonCodec codec = JsonCodec.standard();
        byte[] document;
        try (InputStream in = CodecThreadsTest.class.getResourceAsStream("/lists/pods.json")) {
            document = in.readAllBytes();
        }
        KubeList<Pod> expected = codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(document));
        byte[] first = codec.encode(ResourceTypes.PODS, expected.items().get(0));

        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                runs.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        KubeList<Pod> list = codec.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(document));
                        assertThat(list).isEqualTo(expected);
                        assertThat(codec.encode(ResourceTypes.PODS, list.items().get(0)))
                                .isEqualTo(first);
                    }
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
