/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.Calls.Answer;
import io.kubeloop.apiserver.Calls.Watch;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many writers and watchers at once. */
class ConcurrencyTest extends GenericServerFixture {

    private static final int THREADS = 4;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private <T> List<T> inParallel(int count, Callable<T> task) throws Exception {
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(task));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            results.add(future.get(25, TimeUnit.SECONDS));
        }
        return results;
    }

    @Test
    void update_withVersions_losesNoWrite() throws Exception {
        createConfigMap("counter", ",'annotations':{'n':'0'}");
        int each = 200;

        List<Integer> conflicts = inParallel(THREADS, () -> {
            int refused = 0;
            for (int done = 0; done < each; ) {
                JsonObject seen = requests.get(CONFIG_MAPS + "/counter").ok().body();
                int n = Integer.parseInt(seen.string("metadata", "annotations", "n"));
                Answer reply = requests.put(
                        CONFIG_MAPS + "/counter", seen.with(List.of("metadata", "annotations", "n"), "" + (n + 1)));
                if (reply.code() == 200) {
                    done++;
                } else {
                    assertThat(reply.reason()).isEqualTo("Conflict");
                    refused++;
                }
            }
            return refused;
        });

        assertThat(conflicts).hasSize(THREADS);
        assertThat(requests.get(CONFIG_MAPS + "/counter").body().string("metadata", "annotations", "n"))
                .isEqualTo("" + THREADS * each);
    }

    @Test
    void create_ofOneName_succeedsOnce() throws Exception {
        for (int i = 0; i < 50; i++) {
            String body = "{'metadata':{'name':'c" + i + "'}}";
            List<Integer> codes =
                    inParallel(THREADS, () -> requests.post(CONFIG_MAPS, body).code());
            assertThat(codes).containsOnlyOnce(201);
            assertThat(codes).filteredOn(code -> code != 201).containsOnly(409);
        }
    }

    /** I6: a list and a watch from any moment end with the server's state. */
    @Test
    void listAndWatch_fromAnyMoment_agreeWithTheServer() throws Exception {
        List<Future<Map<String, String>>> watchers = new ArrayList<>();
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long seed = i;
            writers.add(threads.submit(() -> writeRandomly(new Random(seed), 300)));
            watchers.add(threads.submit(this::followUntilTheEnd));
        }
        watchers.add(threads.submit(this::followUntilTheEnd));
        for (Future<?> writer : writers) {
            writer.get(25, TimeUnit.SECONDS);
        }
        createConfigMap("zz-end", "");
        Map<String, String> state = state(requests.get(CONFIG_MAPS).ok().body());

        for (Future<Map<String, String>> watcher : watchers) {
            assertThat(watcher.get(25, TimeUnit.SECONDS)).isEqualTo(state);
        }
        String last = state.get("zz-end");
        assertThat(replay("1", last)).isEqualTo(state);
    }

    private void writeRandomly(Random random, int count) {
        for (int i = 0; i < count; i++) {
            String name = "c" + random.nextInt(20);
            switch (random.nextInt(3)) {
                case 0 -> requests.post(CONFIG_MAPS, "{'metadata':{'name':'" + name + "'}}");
                case 1 -> requests.delete(CONFIG_MAPS + "/" + name);
                default ->
                    requests.send(
                            "PATCH",
                            CONFIG_MAPS + "/" + name,
                            "application/merge-patch+json",
                            "{'data':{'k':'" + i + "'}}");
            }
        }
    }

    private Map<String, String> followUntilTheEnd() {
        JsonObject list = requests.get(CONFIG_MAPS).ok().body();
        Map<String, String> state = state(list);
        try (Watch watch =
                requests.watch(CONFIG_MAPS + "?resourceVersion=" + list.string("metadata", "resourceVersion"))) {
            long seen = Long.parseLong(list.string("metadata", "resourceVersion"));
            while (!state.containsKey("zz-end")) {
                seen = apply(state, watch.frame(), seen);
            }
        }
        return state;
    }

    private Map<String, String> replay(String from, String until) {
        Map<String, String> state = new HashMap<>();
        try (Watch watch = requests.watch(CONFIG_MAPS + "?resourceVersion=" + from)) {
            long seen = 0;
            while (seen < Long.parseLong(until)) {
                seen = apply(state, watch.frame(), seen);
            }
        }
        return state;
    }

    /** Applies an event, which must be newer than the previous one and fit the state. */
    private static long apply(Map<String, String> state, JsonObject frame, long seen) {
        String name = frame.string("object", "metadata", "name");
        String version = frame.string("object", "metadata", "resourceVersion");
        assertThat(Long.parseLong(version)).isGreaterThan(seen);
        switch (frame.string("type")) {
            case "ADDED" -> assertThat(state.put(name, version)).isNull();
            case "MODIFIED" -> assertThat(state.put(name, version)).isNotNull();
            case "DELETED" -> assertThat(state.remove(name)).isNotNull();
            default -> throw new AssertionError(frame);
        }
        return Long.parseLong(version);
    }

    private static Map<String, String> state(JsonObject list) {
        Map<String, String> state = new HashMap<>();
        list.array("items")
                .objects()
                .forEach(
                        item -> state.put(item.string("metadata", "name"), item.string("metadata", "resourceVersion")));
        return state;
    }
}
