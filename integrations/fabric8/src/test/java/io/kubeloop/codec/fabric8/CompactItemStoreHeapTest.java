/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.kubeloop.json.ForeignModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The heap of a store beside the default store of fabric8. {@code -Dstore.objects=10000} measures what the page on
 * other models prints.
 */
@Isolated("measures the heap")
class CompactItemStoreHeapTest {

    private static final ForeignModel MODEL = Fabric8Codec.model();
    private static final int OBJECTS = Integer.getInteger("store.objects", 1_000);

    /** A custom resource: the metadata of a pod, and its containers and conditions without a class for them. */
    @Group("example.com")
    @Version("v1")
    private static final class Site extends CustomResource<JsonNode, JsonNode> implements Namespaced {}

    private static String pod(int number, String template) {
        Random random = new Random(number);
        int app = number / 20;
        return template.replace("@appuid", new UUID(app, app).toString())
                .replace("@app", Integer.toString(app))
                .replace("@uid", new UUID(random.nextLong(), random.nextLong()).toString())
                .replace("@id", Integer.toString(number, 36))
                .replace("@version", Integer.toString(1_000_000 + number))
                .replace("@minute", Integer.toString(10 + random.nextInt(50)))
                .replace("@digest", Long.toHexString(new Random(app).nextLong()).repeat(4))
                .replace("@container", Long.toHexString(random.nextLong()).repeat(4));
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static <V extends HasMetadata> void fill(ItemStore<V> store, int count, Class<V> type, String template) {
        for (int i = 0; i < count; i++) {
            byte[] json = pod(i, template).getBytes(StandardCharsets.UTF_8);
            try {
                V object = MODEL.read(json, 0, json.length, type);
                store.put(store.getKey(object), object);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read object " + i, e);
            }
        }
    }

    private static <V extends HasMetadata> double microsecondsOfGet(ItemStore<V> store) {
        long start = System.nanoTime();
        assertThat(store.keySet().filter(key -> store.get(key) != null)).hasSize(OBJECTS);
        return (System.nanoTime() - start) / 1e3 / OBJECTS;
    }

    private static <V extends HasMetadata> void assertAQuarter(Class<V> type, String template) {
        ItemStore<V> standard = new BasicItemStore<>(Cache::metaNamespaceKeyFunc);
        ItemStore<V> compact = new CompactItemStore<>(type);
        fill(new CompactItemStore<>(type), 1, type, template); // loads the classes
        long start = usedHeap();
        try {
            fill(standard, OBJECTS, type, template);
            long between = usedHeap();
            fill(compact, OBJECTS, type, template);
            long end = usedHeap();
            System.out.printf(
                    "%d of %s, %d bytes of JSON: %d bytes each, compact %d bytes each and %.1f µs for a get%n",
                    OBJECTS,
                    type.getSimpleName(),
                    template.length(),
                    (between - start) / OBJECTS,
                    (end - between) / OBJECTS,
                    microsecondsOfGet(compact));
            assertThat(end - between).isBetween(1L, (between - start) / 4);
        } finally {
            Reference.reachabilityFence(standard);
        }
    }

    private static JsonNode podTemplate() throws IOException {
        try (InputStream in = CompactItemStoreHeapTest.class.getResourceAsStream("/pod.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    @Test
    void pods_takeAQuarterOfTheDefaultStore() throws IOException {
        assertAQuarter(Pod.class, podTemplate().toString());
    }

    @Test
    void customResources_takeAQuarterOfTheDefaultStore() throws IOException {
        JsonNode pod = podTemplate();
        String site = new ObjectMapper()
                .createObjectNode()
                .put("apiVersion", "example.com/v1")
                .put("kind", "Site")
                .<ObjectNode>set("metadata", pod.get("metadata"))
                .<ObjectNode>set("spec", pod.at("/spec/containers/0"))
                .set("status", pod.at("/status"))
                .toString();
        assertAQuarter(Site.class, site);
    }
}
