/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.protobuf.Documents;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.protobuf.WireWriter;
import io.kubeloop.json.schema.GeneratedObjects;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
                kind.toLowerCase(Locale.ROOT) + "s",
                kind,
                ResourceType.Scope.NAMESPACED);
    }

    private static <T extends KubeObject> void areEqual(ResourceType<T> type, byte[] protobuf, JsonObject document) {
        T object = fromProtobuf(type, protobuf);
        T same = fromJson(type, document);
        assertThat(object).isEqualTo(same);
        assertThat(same).isEqualTo(object);
        assertThat(JSON.encode(type, object))
                .asString()
                .isEqualTo(new String(JSON.encode(type, same), StandardCharsets.UTF_8));
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

    private static byte[] document(String apiVersion, String kind, byte[] message) {
        return new WireWriter()
                .raw(ProtobufDocument.magic())
                .message(1, new WireWriter().string(1, apiVersion).string(2, kind))
                .bytes(2, message)
                .toByteArray();
    }

    private static KubeList<Pod> pods(byte[] list) {
        return PROTOBUF.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(list));
    }

    private static byte[] podMessage(String name) {
        return new WireWriter()
                .message(1, new WireWriter().string(1, name).string(3, "shop"))
                .message(2, new WireWriter().string(10, "node"))
                .toByteArray();
    }

    @Test
    void decodeList_readsItemsOfAnySize_fromStreamsThatTrickle() {
        WireWriter list = new WireWriter()
                .message(1, new WireWriter().string(2, "7").string(3, "next").number(4, 5));
        for (int i = 0; i < 300; i++) {
            byte[] pod = podMessage("pod-" + i + "x".repeat(i * 37 % 5000));
            list.bytes(2, pod);
        }
        byte[] document = document("v1", "PodList", list.toByteArray());

        KubeList<Pod> whole = pods(document);
        assertThat(whole.metadata().resourceVersion()).isEqualTo("7");
        assertThat(whole.metadata().continueToken()).isEqualTo("next");
        assertThat(whole.metadata().remainingItemCount()).isEqualTo(5);
        assertThat(whole.items()).hasSize(300);
        assertThat(whole.items().get(299).metadata().name()).startsWith("pod-299x");
        assertThat(PROTOBUF.decodeList(ResourceTypes.PODS, new TrickleStream(document)))
                .isEqualTo(whole);
    }

    @Test
    void decodeList_cutAnywhere_isRefused() {
        byte[] document = document(
                "v1",
                "PodList",
                new WireWriter()
                        .bytes(2, podMessage("a"))
                        .bytes(2, podMessage("b"))
                        .toByteArray());
        for (int length = 0; length < document.length; length++) {
            byte[] cut = Arrays.copyOf(document, length);
            assertThatThrownBy(() -> pods(cut)).isInstanceOf(DecodeException.class);
        }
    }

    @Test
    void decodeList_ofLengthsThatAreLies_isRefusedWithoutTheMemory() {
        for (long length : new long[] {1 << 20, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE, -1}) {
            byte[] item = new WireWriter().number(2, length).toByteArray();
            item[0] = 2 << 3 | 2;
            byte[] list = document("v1", "PodList", item);
            assertThatThrownBy(() -> pods(list)).isInstanceOf(DecodeException.class);
            byte[] whole = new WireWriter().number(2, length).toByteArray();
            whole[0] = 2 << 3 | 2;
            byte[] outer = new WireWriter()
                    .raw(ProtobufDocument.magic())
                    .message(1, new WireWriter().string(1, "v1").string(2, "PodList"))
                    .raw(whole)
                    .raw(new byte[] {2 << 3 | 2, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7})
                    .toByteArray();
            assertThatThrownBy(() -> pods(outer)).isInstanceOf(DecodeException.class);
        }
    }

    @Test
    void decode_objectsBeyondTheLimit_areRefused() {
        ProtobufCodec small = ProtobufCodec.of(JSON.withMaxObjectBytes(1000));
        byte[] pod = podMessage("x".repeat(2000));
        assertThatThrownBy(() -> small.decode(ResourceTypes.PODS, new ByteArrayInputStream(document("v1", "Pod", pod))))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("limit of 1000");
        byte[] list = document("v1", "PodList", new WireWriter().bytes(2, pod).toByteArray());
        assertThatThrownBy(() -> small.decodeList(ResourceTypes.PODS, new ByteArrayInputStream(list)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("limit of 1000");
    }

    @Test
    void decode_damagedBytes_areAnObjectOrAnErrorThatSaysSo() {
        Random random = new Random(46);
        for (String name : List.of("1.36.3/pod", "1.36.3/deployment", "1.36.3/customresourcedefinition")) {
            byte[] whole = Documents.protobuf(name);
            JsonObject document = ProtobufDocument.toJson(whole, false);
            ResourceType<?> type = type(document.string("apiVersion"), document.string("kind"));
            for (int i = 0; i < 5_000; i++) {
                byte[] damaged = Arrays.copyOf(whole, i % 4 == 0 ? random.nextInt(whole.length) : whole.length);
                for (int j = 0; damaged.length > 0 && j < 1 + i % 3; j++) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                Throwable failure =
                        catchThrowable(() -> PROTOBUF.encodeBody(cast(type), fromProtobuf(cast(type), damaged)));
                if (failure != null) {
                    assertThat(failure).isInstanceOf(DecodeException.class);
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // the codec makes the objects of the type
    private static ResourceType<KubeObject> cast(ResourceType<?> type) {
        return (ResourceType<KubeObject>) type;
    }

    @Test
    void decode_deepNesting_isRefusedWhereItBecomesJson() {
        byte[] schema = new byte[0];
        for (int i = 0; i < 3_000; i++) {
            schema = new WireWriter().bytes(28, schema).toByteArray(); // not
        }
        byte[] validation = new WireWriter().bytes(1, schema).toByteArray();
        byte[] version = new WireWriter().string(1, "v1").bytes(4, validation).toByteArray();
        byte[] definition = new WireWriter()
                .message(1, new WireWriter().string(1, "widgets"))
                .message(2, new WireWriter().bytes(7, version))
                .toByteArray();
        GenericObject read = fromProtobuf(
                ResourceTypes.generic(
                        "apiextensions.k8s.io",
                        "v1",
                        "customresourcedefinitions",
                        "CustomResourceDefinition",
                        ResourceType.Scope.CLUSTER),
                document("apiextensions.k8s.io/v1", "CustomResourceDefinition", definition));
        assertThatThrownBy(() -> JsonObject.of(read.unknownFields()))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("levels of nesting");
    }

    @Test
    void decode_packedNumbers_areTheSameAsOthers() {
        byte[] packed = new WireWriter()
                .message(1, new WireWriter().string(1, "a"))
                .message(2, new WireWriter().message(14, new WireWriter().bytes(4, new byte[] {1, 2, (byte) 0x80, 1})))
                .toByteArray();
        byte[] plain = new WireWriter()
                .message(1, new WireWriter().string(1, "a"))
                .message(
                        2,
                        new WireWriter()
                                .message(
                                        14,
                                        new WireWriter()
                                                .number(4, 1)
                                                .number(4, 2)
                                                .number(4, 128)))
                .toByteArray();
        assertThat(ProtobufDocument.toJson(document("v1", "Pod", packed), false))
                .isEqualTo(ProtobufDocument.toJson(document("v1", "Pod", plain), false))
                .hasToString("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},"
                        + "\"spec\":{\"containers\":null,\"securityContext\":{\"supplementalGroups\":[1,2,128]}}}");
    }

    @Test
    void decode_anotherKind_isRefused() {
        assertThatThrownBy(() -> fromProtobuf(ResourceTypes.PODS, Documents.protobuf("1.36.3/service")))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("expected Pod of v1, found Service of v1");
        assertThatThrownBy(() -> pods(document("v1", "ServiceList", new byte[0])))
                .hasMessageContaining("expected \"PodList\", found \"ServiceList\"");
    }

    @Test
    void unknownFields_withoutAMember_keepTheOthersInTheirBytes() {
        Pod pod = fromProtobuf(ResourceTypes.PODS, Documents.protobuf("1.36.3/pod"));
        UnknownFields fields = pod.spec().unknownFields();
        assertThat(JsonObject.of(fields).has("volumes")).isTrue();
        UnknownFields others = fields.without("volumes");
        assertThat(others.encoding()).isSameAs(fields.encoding());
        assertThat(JsonObject.of(others))
                .hasToString(JsonObject.of(fields).without("volumes").toString());
        assertThat(fields.without("none")).isSameAs(fields);
    }

    @Test
    void decodeEvent_readsEachType() {
        byte[] pod = document("v1", "Pod", podMessage("a"));
        for (String type : List.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK")) {
            WatchEvent<Pod> event = PROTOBUF.decodeEvent(ResourceTypes.PODS, event(type, pod));
            assertThat(event.getClass().getSimpleName()).isEqualToIgnoringCase(type);
        }
        byte[] status = document(
                "v1",
                "Status",
                new WireWriter().string(2, "Failure").number(6, 410).toByteArray());
        assertThat(PROTOBUF.decodeEvent(ResourceTypes.PODS, event("ERROR", status)))
                .isInstanceOf(WatchEvent.Failed.class)
                .asString()
                .contains("410");
        assertThatThrownBy(() -> PROTOBUF.decodeEvent(ResourceTypes.PODS, event("OTHER", pod)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("OTHER");
    }

    private static byte[] event(String type, byte[] object) {
        return new WireWriter()
                .string(1, type)
                .message(2, new WireWriter().bytes(1, object))
                .toByteArray();
    }
}
