/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.testing.Growth;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Lists, maps and texts of all kinds, grown to {@code n} and {@code 4n} parts: the time of a creation in JSON and in
 * protocol buffers, of an update and of an apply grows in proportion. The build measures the members that once grew
 * faster. With the system property {@code kubeloop.growth}, which sets {@code n} (400, for example), every member of
 * every kind is measured, for some minutes.
 */
class KindGrowthTest {

    private static final boolean ALL = System.getProperty("kubeloop.growth") != null;
    private static final int SIZE = Integer.getInteger("kubeloop.growth", 500);

    private static final Set<String> FOUND = Set.of(
            "topologySpreadConstraints",
            "ports",
            "ownerReferences",
            "items",
            "path",
            "registry",
            "allowedTopologies",
            "default",
            "limits",
            "stringData");

    private final List<String> problems = new ArrayList<>();
    private int members;

    @Test
    void requests_grownMembers_takeTimeInProportion() throws IOException, URISyntaxException {
        Set<String> done = new HashSet<>();
        Path vectors = Path.of(Objects.requireNonNull(KindGrowthTest.class.getResource("v1_pods.json"))
                .toURI());
        List<Path> files;
        try (Stream<Path> listed = Files.list(vectors.getParent())) {
            files = listed.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        try (ApiServer server = ApiServer.builder().build(BuiltInKinds.create())) {
            for (Path file : files) {
                JsonObject recorded = JsonObject.parse(Files.readAllBytes(file));
                ResourceType<?> type = type(recorded.string("key"));
                JsonObject whole = Meta.without(recorded.object("whole"), "namespace");
                new GrownObjects(done, (path, grown) -> check(server, type, path, grown)).walk(whole);
            }
        }
        assertThat(members).isGreaterThan(ALL ? 2_000 : 20);
        assertThat(problems).isEmpty();
    }

    private static ResourceType<?> type(String key) {
        return BuiltInKinds.create().definitions().stream()
                .map(ResourceDefinition::resource)
                .filter(some ->
                        key.equals(some.type().apiVersion() + "/" + some.type().plural()))
                .findFirst()
                .orElseThrow()
                .type();
    }

    private void check(ApiServer server, ResourceType<?> type, String path, IntFunction<JsonObject> grown) {
        String member = path.replaceAll("(,| of).*", "");
        if (!ALL && !FOUND.contains(member.substring(member.lastIndexOf('.') + 1))) {
            return;
        }
        members++;
        String collection = (type.group().isEmpty() ? "/api/" : "/apis/")
                + type.apiVersion()
                + (type.isNamespaced() ? "/namespaces/default/" : "/")
                + type.plural();
        String object = collection + "/grown";
        int[] code = {0};
        measure("create", path, size -> {
            delete(server, object);
            byte[] json = Meta.with(grown.apply(size), "name", "grown").toBytes();
            return () -> code[0] = handle(server, "POST", collection, ApiRequest.JSON, json);
        });
        if (code[0] == 201) {
            measure("create in protocol buffers of", path, size -> {
                delete(server, object);
                JsonObject typed = Meta.with(grown.apply(size), "name", "grown")
                        .with("apiVersion", new JsonString(type.apiVersion()))
                        .with("kind", new JsonString(type.kind()));
                byte[] protobuf = ProtobufDocument.ofJson(typed, false);
                return () -> code[0] = handle(server, "POST", collection, ApiRequest.PROTOBUF, protobuf);
            });
            assertThat(code[0]).as("answer to %s in protocol buffers", path).isEqualTo(201);
            measure("update", path, size -> {
                JsonObject changed = Meta.with(grown.apply(size), "name", "grown");
                delete(server, object);
                handle(server, "POST", collection, ApiRequest.JSON, changed.toBytes());
                byte[] json = changed.with(
                                "metadata",
                                changed.object("metadata").with("labels", JsonObject.of("a", new JsonString("b"))))
                        .toBytes();
                return () -> handle(server, "PUT", object, ApiRequest.JSON, json);
            });
        }
        measure("apply", path, size -> {
            delete(server, object);
            byte[] json = Meta.with(grown.apply(size), "name", "grown").toBytes();
            return () -> handle(server, "PATCH", object, "application/apply-patch+yaml", json);
        });
        delete(server, object);
    }

    private void measure(String verb, String path, IntFunction<Runnable> work) {
        double factor = Growth.perDoubling(SIZE, work);
        if (factor > Growth.MOST_PER_DOUBLING) {
            problems.add(verb + " " + path + ": " + factor);
        }
    }

    private static void delete(ApiServer server, String object) {
        server.handle(ApiRequest.of("DELETE", object, Map.of("gracePeriodSeconds", "0"), null));
    }

    private static int handle(ApiServer server, String method, String path, String contentType, byte[] body) {
        Map<String, String> query = method.equals("PATCH") ? Map.of("fieldManager", "m", "force", "true") : Map.of();
        return ((ServerResponse.Document)
                        server.handle(ApiRequest.of(method, path, query, new ApiRequest.Body(contentType, body))))
                .code();
    }
}
