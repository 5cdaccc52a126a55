/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import static io.kubeloop.apiserver.customresources.CustomServer.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Definitions come and go while other threads write their objects. */
class CrdThreadsTest {

    private static final int THREADS = 6;
    private static final int ROUNDS = 40;

    @Test
    void definitionsComeAndGo_everyWriteIsEitherServedOrRefused() throws Exception {
        try (CustomServer server = new CustomServer()) {
            CyclicBarrier start = new CyclicBarrier(2 * THREADS);
            ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String plural = "kind" + (i % 3) + "s";
                work.add(threads.submit(() -> {
                    start.await();
                    churnDefinition(server, plural);
                    return null;
                }));
                work.add(threads.submit(() -> {
                    start.await();
                    churnObjects(server, plural);
                    return null;
                }));
            }
            for (Future<?> one : work) {
                one.get();
            }
            threads.shutdown();
            for (int i = 0; i < 3; i++) {
                checkFinalState(server, "kind" + i + "s");
            }
        }
    }

    private static String kind(String plural) {
        return plural.substring(0, 1).toUpperCase(Locale.ROOT) + plural.substring(1, plural.length() - 1);
    }

    private static void churnDefinition(CustomServer server, String plural) {
        String path = DEFINITIONS + "/" + plural + ".example.com";
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(server.post(DEFINITIONS, CustomServer.definition(plural, kind(plural)))
                            .code())
                    .isIn(201, 409);
            CustomServer.Answer merged =
                    server.merge(path, "{\"spec\":{\"names\":{\"shortNames\":[\"s" + plural + "\"]}}}");
            assertThat(merged.code()).as("%s", merged.body()).isIn(200, 404, 409);
            assertThat(server.delete(path).code()).isIn(200, 404, 409);
        }
    }

    private static void churnObjects(CustomServer server, String plural) {
        String path = "/apis/example.com/v1/namespaces/default/" + plural;
        for (int round = 0; round < 4 * ROUNDS; round++) {
            assertThat(server.post(path, CustomServer.object(kind(plural), "o" + round))
                            .code())
                    .isIn(201, 403, 404, 409);
            assertThat(server.get(path).code()).isIn(200, 404);
        }
    }

    /**
     * A definition that is created now is established, is alone with its names, and can be deleted with its objects.
     */
    private static void checkFinalState(CustomServer server, String plural) {
        String path = DEFINITIONS + "/" + plural + ".example.com";
        String objects = "/apis/example.com/v1/namespaces/default/" + plural;
        server.delete(path);
        assertThat(server.get(path).code()).isEqualTo(404);
        assertThat(server.get(objects).code()).isEqualTo(404);
        server.post(DEFINITIONS, CustomServer.definition(plural, kind(plural)));
        assertThat(server.get(path).body().array("status", "conditions").toString())
                .contains("\"type\":\"Established\",\"status\":\"True\"");
        assertThat(server.post(objects, CustomServer.object(kind(plural), "last"))
                        .code())
                .isEqualTo(201);
        server.delete(path);
        assertThat(server.get(objects).code()).isEqualTo(404);
    }
}
