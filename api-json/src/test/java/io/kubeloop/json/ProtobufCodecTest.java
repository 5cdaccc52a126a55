/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.protobuf.Documents;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.schema.GeneratedObjects;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares each object with the same object in JSON, the form that all other tests of the codec use. */
class ProtobufCodecTest {

    /** Objects of each kind: a part in each build, any number on request. */
    private static final int SEEDS = Integer.getInteger("kubeloop.protobuf.seeds", 20);

    private static final JsonCodec JSON = JsonCodec.standard();
    private static final ProtobufCodec PROTOBUF = ProtobufCodec.of(JSON);

    private static <T extends KubeObject> T fromJson(ResourceType<T> type, JsonObject document) {
        return JSON.decode(type, new ByteArrayInputStream(document.toBytes()));
    }

    private static <T extends KubeObject> T fromProtobuf(ResourceType<T> type, byte[] document) {
        return PROTOBUF.decode(type, new ByteArrayInputStream(document));
    }

    /** Returns the type with a record of its own, if the kind has one. */
    private static ResourceType<?> type(String apiVersion, String kind) {
        for (ResourceType<?> known : ResourceTypes.all()) {
            if (known.apiVersion().equals(apiVersion) && known.kind().equals(kind)) {
                return known;
            }
        }
        int slash = apiVersion.indexOf('/');
        return ResourceTypes.generic(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                kind.toLowerCase(java.util.Locale.ROOT) + "s",
                kind,
                ResourceType.Scope.NAMESPACED);
    }

    private static <T extends KubeObject> void areEqual(ResourceType<T> type, byte[] protobuf, JsonObject document) {
        T object = fromProtobuf(type, protobuf);
        T same = fromJson(type, document);
        assertThat(object).isEqualTo(same);
        assertThat(same).isEqualTo(object);
        assertThat(JSON.encode(type, object)).asString().isEqualTo(new String(JSON.encode(type, same)));
        for (T each : List.of(object, same)) {
            ApiRequest.Body body = PROTOBUF.encodeBody(type, each);
            assertThat(body.contentType()).isEqualTo(ApiRequest.PROTOBUF);
            assertThat(ProtobufDocument.toJson(body.bytes(), false)).hasToString(document.toString());
        }
    }

    static Stream<String> recorded() {
        return Documents.names().filter(name -> !name.endsWith("status") && !name.endsWith("/metadata"));
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void decode_whatAServerSends_isTheObjectOfItsJson(String name) {
        byte[] protobuf = Documents.protobuf(name);
        JsonObject document = ProtobufDocument.toJson(protobuf, false);
        areEqual(type(document.string("apiVersion"), document.string("kind")), protobuf, document);
    }

    static Stream<TypeCatalog.Kind> kinds() {
        return TypeCatalog.kubernetes().kinds().stream().filter(kind -> {
            JsonObject made = new GeneratedObjects(0).ofKind(kind);
            return made.has("metadata")
                    && !kind.name().endsWith("List")
                    && !kind.name().startsWith("Table");
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void decode_generatedObjects_areThoseOfTheirJson(TypeCatalog.Kind kind) {
        for (int seed = 0; seed < SEEDS; seed++) {
            byte[] protobuf = ProtobufDocument.ofJson(new GeneratedObjects(seed).ofKind(kind), false);
            areEqual(type(kind.apiVersion(), kind.name()), protobuf, ProtobufDocument.toJson(protobuf, false));
        }
    }
}
