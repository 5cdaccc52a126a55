/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class BootstrapObjectsTest {

    private static final Instant NOW = Instant.parse("2001-02-03T04:05:06Z");

    private final ApiServer server =
            ApiServer.builder().clock(Clock.fixed(NOW, ZoneOffset.UTC)).build(BuiltInKinds.create());
    private final ApiBackend backend = server.backend();
    private final Storage storage = backend.storage();

    private static JsonObject parsed(String line) {
        return JsonObject.parse(line.getBytes(StandardCharsets.UTF_8));
    }

    private StoredObject found(JsonObject object) {
        ResourceStore store = store(object);
        return Objects.requireNonNull(storage.snapshot().get(store.bucket(), store.keyOf(object)), object::toString);
    }

    private ResourceStore store(JsonObject object) {
        return Objects.requireNonNull(backend.storeOfKind(object.string("apiVersion"), object.string("kind")));
    }

    private String line(StoredObject stored) {
        JsonObject metadata = stored.tree().object("metadata");
        JsonObject unversioned = stored.tree().with("metadata", metadata.without("resourceVersion"));
        return new String(unversioned.toBytes(), StandardCharsets.UTF_8)
                .replace(metadata.string("uid"), BootstrapObjects.UID)
                .replace(NOW.toString(), BootstrapObjects.NOW);
    }

    /**
     * Returns what kube-apiserver sends: a recorded object without the fields that the server adds, or all of an object
     * that has none.
     */
    private static JsonObject sent(JsonObject stored, List<JsonObject> recorded) {
        JsonObject metadata = stored.object("metadata");
        for (JsonObject object : recorded) {
            if (object.string("kind").equals(stored.string("kind"))
                    && object.string("metadata", "name").equals(metadata.string("name"))) {
                return object;
            }
        }
        for (String member : List.of("uid", "resourceVersion", "creationTimestamp", "managedFields")) {
            metadata = metadata.without(member);
        }
        return stored.with("metadata", metadata);
    }

    private static List<JsonObject> recorded() throws IOException {
        try (InputStream in = BootstrapObjectsTest.class.getResourceAsStream("sent-start-objects.jsonl")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .replace(BootstrapObjects.NOW, NOW.toString())
                    .lines()
                    .map(BootstrapObjectsTest::parsed)
                    .toList();
        }
    }

    /** The objects have the form in which a client that creates them finds them. */
    @Test
    void restoredObjects_haveTheFormOfCreatedObjects() throws IOException {
        ServerContent content = new ServerContent(backend, new ApiHandler(backend), null);
        List<JsonObject> recorded = recorded();
        for (String line : BootstrapObjects.stored()) {
            StoredObject restored = found(parsed(line));
            var unused = storage.remove(store(restored.tree()).bucket(), restored);

            content.ensure(sent(restored.tree(), recorded), UnaryOperator.identity());

            // Upstream's server writes these under the name of a part of it; the embedded server has no such clients.
            String expected = line.replace("api-priority-and-fairness-config-producer-v1", "kube-apiserver");
            assertThat(line(found(restored.tree()))).isEqualTo(expected);
            assertThat(found(restored.tree()).outdated()).isFalse();
        }
    }

    @Test
    void eachServer_hasUidsOfItsOwn() {
        Set<String> uids = new HashSet<>();
        for (String line : BootstrapObjects.stored()) {
            uids.add(found(parsed(line)).tree().string("metadata", "uid"));
        }

        assertThat(uids).hasSameSizeAs(BootstrapObjects.stored()).doesNotContain(BootstrapObjects.UID, "");
        try (ApiServer other = ApiServer.builder().build(BuiltInKinds.create())) {
            JsonObject first = parsed(BootstrapObjects.stored().get(0));
            StoredObject same = Objects.requireNonNull(other.backend()
                    .storage()
                    .snapshot()
                    .get(
                            Objects.requireNonNull(other.backend().storeOfKind("v1", "Namespace"))
                                    .bucket(),
                            first.string("metadata", "name")));
            assertThat(uids).doesNotContain(same.tree().string("metadata", "uid"));
        }
    }

    @Test
    void deletedApiServiceOfABuiltInKind_isNotWrittenAgain() {
        String path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps";
        server.handle(ApiRequest.of("DELETE", path, Map.of(), null));
        String definition = """
                {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                 "metadata": {"name": "shops.example.com"},
                 "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "shops", "kind": "Shop"},
                  "versions": [{"name": "v1", "served": true, "storage": true,
                   "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
                """;
        server.handle(ApiRequest.of(
                "POST",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                Map.of(),
                ApiRequest.Body.json(definition.getBytes(StandardCharsets.UTF_8))));

        ResourceStore services = Objects.requireNonNull(backend.storeOfKind("apiregistration.k8s.io/v1", "APIService"));
        List<String> names = new ArrayList<>();
        services.objects(storage.snapshot(), "").forEach(service -> names.add(service.key()));
        assertThat(names).contains("v1.example.com", "v1.batch").doesNotContain("v1.apps");
    }
}
