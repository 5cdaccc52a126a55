/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code e2e/record-schema.sh} records the hashes from kube-apiserver. */
class OpenApiDocumentsTest {

    /** Its bytes have a list type upstream, which has no effect. */
    private static final String OTHER = "apiregistration.v1.APIServiceSpec ";

    private final ApiServer server = ApiServer.builder().build(BuiltInKinds.create());
    private final ResourceRegistry registry = server.backend().registry();
    private final OpenApiDocuments documents = new OpenApiDocuments(registry, server::aggregated, "1.37");

    @AfterEach
    void stop() {
        server.close();
    }

    private JsonObject document(String path) {
        return JsonObject.parse(
                Objects.requireNonNull(documents.document(path), path).bytes());
    }

    private static List<String> recorded(String kind) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(OpenApiDocumentsTest.class.getResourceAsStream("/openapi/hashes.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(kind + " ") && !line.contains(OTHER))
                    .toList();
        }
    }

    /** Removes descriptions and the allOf around a lone reference, and sorts required names. */
    private static JsonValue plain(JsonValue value) {
        if (value instanceof JsonArray array) {
            return JsonArray.of(
                    array.elements().stream().map(OpenApiDocumentsTest::plain).toList());
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        Map<String, JsonValue> members = new TreeMap<>();
        object.members().forEach((name, member) -> {
            if (!name.equals("description") || !(member instanceof JsonString)) {
                members.put(name, plain(member));
            }
        });
        if (members.get("required") instanceof JsonArray required) {
            members.put(
                    "required", JsonArray.ofStrings(required.strings().sorted().toList()));
        }
        JsonValue all = members.get("allOf");
        return members.size() == 1 && all instanceof JsonArray one && one.size() == 1
                ? one.get(0)
                : JsonObject.of(members);
    }

    private static String digest(JsonValue value) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(plain(value).toBytes());
        return HexFormat.of().formatHex(hash).substring(0, 16);
    }

    @Test
    void definitions_areThoseOfTheServer() throws Exception {
        List<String> ours = new ArrayList<>();
        for (String path : JsonObject.parse(documents.index().bytes())
                .object("paths")
                .members()
                .keySet()) {
            for (Map.Entry<String, JsonValue> definition :
                    document(path).object("components", "schemas").members().entrySet()) {
                String name = definition.getKey();
                boolean differs = name.endsWith(".DeleteOptions") || name.endsWith(".WatchEvent");
                ours.add("v3 " + (differs ? path + ":" : "") + name + " " + digest(definition.getValue()));
            }
        }
        ours.removeIf(line -> line.contains(OTHER));
        assertThat(ours.stream().distinct()).containsExactlyInAnyOrderElementsOf(recorded("v3"));
    }

    @Test
    void definitionsOfVersion2_areThoseOfTheServer() throws Exception {
        List<String> ours = new ArrayList<>();
        JsonObject definitions = JsonObject.parse(documents.version2().bytes()).object("definitions");
        for (Map.Entry<String, JsonValue> definition : definitions.members().entrySet()) {
            ours.add("v2 " + definition.getKey() + " " + digest(definition.getValue()));
        }
        ours.removeIf(line -> line.contains(OTHER));
        assertThat(ours).containsExactlyInAnyOrderElementsOf(recorded("v2"));
    }

    @Test
    void paths_areThoseOfTheServer_exceptThoseOfTokenKeys() throws Exception {
        List<String> ours = new ArrayList<>();
        for (String path : JsonObject.parse(documents.index().bytes())
                .object("paths")
                .members()
                .keySet()) {
            ours.add("paths " + path + " " + digest(document(path).object("paths")));
        }
        List<String> theirs = recorded("paths").stream()
                .filter(line -> !line.contains("openid"))
                .toList();
        assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs);
    }

    @Test
    void index_hasTheHashOfEachDocument() {
        JsonObject paths = JsonObject.parse(documents.index().bytes()).object("paths");
        assertThat(paths.members()).hasSizeGreaterThan(40);
        paths.members().forEach((path, entry) -> {
            String tag = Objects.requireNonNull(documents.tag(path));
            assertThat(((JsonObject) entry).string("serverRelativeURL"))
                    .isEqualTo("/openapi/v3/" + path + "?hash=" + tag);
            assertThat(Objects.requireNonNull(documents.document(path)).tag()).isEqualTo(tag);
        });
        assertThat(documents.document("apis/nothing/v1")).isNull();
        assertThat(documents.tag("apis/nothing/v1")).isNull();
        assertThat(documents.version2Tag()).isEqualTo(documents.version2().tag());
        assertThat(documents.version2Protobuf().tag()).isEqualTo(documents.version2Tag());
    }

    private void serve(String name, @Nullable JsonObject schema, String... fields) {
        ResourceType<?> type =
                ResourceTypes.generic("stable.example.com", "v1", name + "s", "Foo", ResourceType.Scope.NAMESPACED);
        ResourceStore model = Objects.requireNonNull(registry.store("", "v1", "configmaps"));
        List<String> verbs = List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
        List<String> change = List.of("get", "patch", "update");
        ServedResource resource = new ServedResource(
                type,
                name,
                List.of(),
                List.of(),
                verbs,
                List.of(
                        new Subresource("status", "stable.example.com", "v1", "Foo", change),
                        new Subresource("scale", "autoscaling", "v1", "Scale", change)));
        ResourceDefinition definition = model.definition();
        registry.replace(
                name + "s.stable.example.com",
                List.of(new ResourceDefinition(
                                resource,
                                definition.strategy(),
                                definition.schema(),
                                definition.decoder(),
                                definition.storage(),
                                definition.columns())
                        .describedBy(new CustomSchema("FooList", schema, List.of(fields)))));
    }

    private static final String SCHEMA = """
            {"type":"object","description":"A \
            Foo","properties":{"spec":{"type":"object","required":["a","n"],"properties":{
            "a":{"type":"array","items":{"type":"string","enum":["x"]}},"n":{"type":"string","nullable":true},
            "r":{"type":"integer","format":"int32","default":3},"i":{"x-kubernetes-int-or-string":true},
            "e":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
            "p":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"q":{"type":"string"}}},
            "o":{"type":"object","anyOf":[{"required":["z"]}],"properties":{"z":{"type":"string"}}},
            "m":{"type":"object","additionalProperties":{"type":"integer"}}}}}}
            """;

    private static final String NAME = "com.example.stable.v1.Foo";

    /** The expected definitions are those of kube-apiserver 1.37.2. */
    @Test
    void customResource_hasDefinitionsInBothVersions() {
        String before = documents.version2Tag();
        serve("foo", JsonObject.parse(SCHEMA), ".spec.s");

        JsonObject version3 =
                (JsonObject) plain(document("apis/stable.example.com/v1").object("components", "schemas", NAME));
        assertThat(version3.object("properties", "spec")).isEqualTo(JsonObject.parse("""
                        {"type":"object","required":["a","n"],"properties":{"a":{"type":"array",\
                        "items":{"type":"string","enum":["x"]}},
                        "e":{"type":"object","required":["apiVersion","kind"],\
                        "properties":{"apiVersion":{"type":"string"},
                        "kind":{"type":"string"},"metadata":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.\
                        meta.v1.ObjectMeta"}},
                        "x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
                        "i":{"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true},
                        "m":{"type":"object","additionalProperties":{"type":"integer"}},"n":{"type":"string",\
                        "nullable":true},
                        "o":{"type":"object","anyOf":[{"required":["z"]}],"properties":{"z":{"type":"string"}}},
                        "p":{"type":"object","properties":{"q":{"type":"string"}},\
                        "x-kubernetes-preserve-unknown-fields":true},
                        "r":{"type":"integer","format":"int32","default":3}}}
                        """));
        assertThat(version3.get("x-kubernetes-selectable-fields"))
                .isEqualTo(JsonValue.parse("[{\"fieldPath\":\"spec.s\"}]"));
        JsonObject version2 = (JsonObject)
                plain(JsonObject.parse(documents.version2().bytes()).object("definitions", NAME));
        assertThat(version2).isEqualTo(JsonObject.parse("""
                        {"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},
                        "metadata":{"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                        "spec":{"type":"object","required":["a"],"properties":{"a":{"type":"array",\
                        "items":{"type":"string","enum":["x"]}},
                        "e":{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
                        "i":{"x-kubernetes-int-or-string":true},"m":{"type":"object",\
                        "additionalProperties":{"type":"integer"}},"n":{},
                        "o":{"type":"object","properties":{"z":{"type":"string"}}},\
                        "p":{"x-kubernetes-preserve-unknown-fields":true},
                        "r":{"type":"integer","format":"int32"}}}},
                        "x-kubernetes-group-version-kind":[{"group":"stable.example.com","kind":"Foo","version":"v1"}],
                        "x-kubernetes-selectable-fields":[{"fieldPath":"spec.s"}]}
                        """));
        assertThat(documents.version2Tag()).isNotEqualTo(before);
        assertThat(documents.version2Protobuf().bytes())
                .asString(StandardCharsets.ISO_8859_1)
                .contains(NAME);
    }

    /** As in kube-apiserver 1.37.2, in both versions. */
    @Test
    void examplesAndExternalDocs_arePublished() {
        String schema = """
                {"type":"object","externalDocs":{"url":"https://example.com","description":"root"},"example":{"a":1},
                "properties":{"spec":{"type":"object","example":{"b":2},\
                "externalDocs":{"url":"https://example.com/spec"},
                "properties":{"y":{"type":"array","example":[1],"items":{"type":"integer","example":5}},
                "z":{"type":"object","additionalProperties":{"type":"string","example":"v","externalDocs":{"url":"u"}}}\
                }}}}
                """;
        serve("foo", JsonObject.parse(schema));

        JsonObject version3 = document("apis/stable.example.com/v1").object("components", "schemas", NAME);
        JsonObject version2 = JsonObject.parse(documents.version2().bytes()).object("definitions", NAME);
        JsonObject expected = JsonObject.parse(schema);
        for (JsonObject published : List.of(version3, version2)) {
            assertThat(published.get("example")).isEqualTo(expected.get("example"));
            assertThat(published.get("externalDocs")).isEqualTo(expected.get("externalDocs"));
            assertThat(published.get("properties", "spec")).isEqualTo(expected.get("properties", "spec"));
        }
        assertThat(new String(documents.version2Protobuf().bytes(), StandardCharsets.UTF_8))
                .contains("https://example.com/spec")
                .contains("{\"b\":2}");
    }

    @Test
    void customResource_isGone_whenItsDefinitionIs() {
        String before = documents.index().tag();
        serve("foo", null);
        assertThat(JsonObject.parse(documents.index().bytes()).object("paths").has("apis/stable.example.com/v1"))
                .isTrue();
        assertThat(document("apis/stable.example.com/v1").object("components", "schemas", NAME))
                .isEqualTo(JsonObject.parse("{\"type\":\"object\","
                        + "\"x-kubernetes-group-version-kind\":[{\"group\":\"stable.example.com\","
                        + "\"kind\":\"Foo\",\"version\":\"v1\"}]}"));

        registry.replace("foos.stable.example.com", List.of());

        assertThat(documents.document("apis/stable.example.com/v1")).isNull();
        assertThat(documents.index().tag()).isEqualTo(before);
    }

    @Test
    void customResource_thatPreservesEverything_hasNoPropertiesInVersion2() {
        serve("foo", JsonObject.parse("{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}"));
        assertThat(JsonObject.parse(documents.version2().bytes())
                        .object("definitions", NAME)
                        .has("properties"))
                .isFalse();
        assertThat(document("apis/stable.example.com/v1")
                        .object("components", "schemas", NAME, "properties")
                        .members())
                .containsOnlyKeys("apiVersion", "kind", "metadata");
    }

    @Test
    void customResource_hasThePathsOfTheServer() {
        serve("foo", JsonObject.parse(SCHEMA));
        JsonObject paths = document("apis/stable.example.com/v1").object("paths");
        String root = "/apis/stable.example.com/v1/";
        assertThat(paths.members())
                .containsOnlyKeys(
                        root + "foos",
                        root + "namespaces/{namespace}/foos",
                        root + "namespaces/{namespace}/foos/{name}",
                        root + "namespaces/{namespace}/foos/{name}/scale",
                        root + "namespaces/{namespace}/foos/{name}/status");
        JsonObject scale = paths.object(root + "namespaces/{namespace}/foos/{name}/scale", "put");
        assertThat(scale.string("operationId")).isEqualTo("replaceStableExampleComV1NamespacedFooScale");
        assertThat(scale.object("requestBody", "content").members())
                .containsOnlyKeys("application/json", "application/yaml");
        assertThat(scale.string("x-kubernetes-group-version-kind", "kind")).isEqualTo("Foo");
    }

    @Test
    void everyField_ofEveryDefinition_canBeExplained() {
        JsonObject all = JsonObject.parse(documents.version2().bytes()).object("definitions");
        all.members().forEach((name, definition) -> assertThatReferencesLeadSomewhere(all, definition, name));
    }

    private static void assertThatReferencesLeadSomewhere(JsonObject all, JsonValue value, String path) {
        if (value instanceof JsonObject object) {
            String reference = object.string("$ref");
            if (!reference.isEmpty()) {
                assertThat(all.has(reference.substring("#/definitions/".length())))
                        .as(path)
                        .isTrue();
            }
            object.members()
                    .forEach((name, member) -> assertThatReferencesLeadSomewhere(all, member, path + "." + name));
        }
    }
}
