/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.IntOrString;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A kind of one's own is a record and one registration. */
class CustomTypeTest {

    private static final ResourceType<Widget> WIDGETS = widgets(Widget.class);

    private static final String JSON =
            "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\"},"
                    + "\"color\":\"\",\"size\":3,\"shape\":{\"corners\":4}}";

    record Widget(ObjectMeta metadata, String color, int size, UnknownFields unknownFields) implements KubeObject {

        @Override
        public Widget withMetadata(ObjectMeta metadata) {
            return new Widget(metadata, color, size, unknownFields);
        }
    }

    /** Every type of component, and no constructor that replaces nulls. */
    record Everything(
            ObjectMeta metadata,
            String text,
            @Nullable String nullableText,
            int number,
            long longNumber,
            boolean flag,
            Integer nullableNumber,
            Long nullableLong,
            Boolean nullableFlag,
            Time time,
            IntOrString port,
            Part part,
            @Nullable Part nullablePart,
            List<String> texts,
            List<Part> parts,
            Map<String, String> labels,
            Map<String, Part> named,
            @JsonMember(name = "package", shared = false) String packageName,
            UnknownFields unknownFields)
            implements KubeObject {

        @Override
        public KubeObject withMetadata(ObjectMeta metadata) {
            throw new UnsupportedOperationException();
        }
    }

    record Part(String name, List<Part> parts, UnknownFields unknownFields) {}

    private static <T extends KubeObject> ResourceType<T> widgets(Class<T> type) {
        return new ResourceType<>("example.com", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED, type);
    }

    private static <T extends KubeObject> T decode(JsonCodec codec, ResourceType<T> type, String json) {
        return codec.decode(type, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static <T extends KubeObject> String encode(JsonCodec codec, ResourceType<T> type, T object) {
        return new String(codec.encode(type, object), StandardCharsets.UTF_8);
    }

    @Test
    void with_customType_readsAndWritesIt() {
        JsonCodec codec = JsonCodec.standard().with(WIDGETS);

        Widget widget = decode(codec, WIDGETS, JSON);

        assertThat(widget.metadata().name()).isEqualTo("w");
        assertThat(widget.size()).isEqualTo(3);
        assertThat(encode(codec, WIDGETS, widget)).isEqualTo(JSON);
    }

    @Test
    void standard_customType_saysWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonCodec.standard().decode(WIDGETS, new ByteArrayInputStream(new byte[0])))
                .withMessageContaining("widgets.example.com")
                .withMessageContaining("JsonCodec.with(");
    }

    @Test
    void decode_absentMembers_areZeroValues() {
        ResourceType<Everything> type = widgets(Everything.class);
        JsonCodec codec = JsonCodec.standard().with(type);

        Everything object = decode(codec, type, "{}");

        assertThat(object)
                .isEqualTo(new Everything(
                        ObjectMeta.EMPTY,
                        "",
                        null,
                        0,
                        0,
                        false,
                        null,
                        null,
                        null,
                        null,
                        IntOrString.ZERO,
                        new Part("", List.of(), UnknownFields.NONE),
                        null,
                        List.of(),
                        List.of(),
                        Map.of(),
                        Map.of(),
                        "",
                        UnknownFields.NONE));
        assertThat(encode(codec, type, object))
                .isEqualTo("{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"number\":0,\"longNumber\":0,"
                        + "\"flag\":false,\"port\":0}");
    }

    record Dial(
            int number,
            long longNumber,
            boolean flag,
            IntOrString port,
            @JsonMember(omitZero = true) int omitted,
            @JsonMember(omitZero = true) long longOmitted,
            @JsonMember(omitZero = true) boolean flagOmitted,
            @JsonMember(omitZero = true) IntOrString portOmitted,
            @Nullable Integer boxed,
            @Nullable Long longBoxed,
            @Nullable Boolean flagBoxed,
            @Nullable IntOrString portNullable,
            UnknownFields unknownFields) {

        static Dial of(int number, boolean flag, UnknownFields unknownFields) {
            IntOrString port = IntOrString.of(number);
            return new Dial(
                    number,
                    number,
                    flag,
                    port,
                    number,
                    number,
                    flag,
                    port,
                    number,
                    (long) number,
                    flag,
                    port,
                    unknownFields);
        }
    }

    record Panel(
            ObjectMeta metadata,
            Dial dial,
            @Nullable Dial spare,
            List<Dial> dials,
            Map<String, Dial> named,
            UnknownFields unknownFields)
            implements KubeObject {

        static Panel of(int number, boolean flag, UnknownFields unknownFields) {
            Dial dial = Dial.of(number, flag, unknownFields);
            return new Panel(
                    ObjectMeta.named("n", "w"), dial, dial, List.of(dial), Map.of("a", dial), UnknownFields.NONE);
        }

        @Override
        public KubeObject withMetadata(ObjectMeta metadata) {
            return new Panel(metadata, dial, spare, dials, named, unknownFields);
        }
    }

    /** A server replaces an absent member by the default of the definition: 3 to 0 would become the default. */
    @Test
    void encode_zerosOfEveryTypeAndPlace_areWritten() {
        ResourceType<Panel> type = widgets(Panel.class);
        JsonCodec codec = JsonCodec.standard().with(type);
        String zeros = "{\"number\":0,\"longNumber\":0,\"flag\":false,\"port\":0,"
                + "\"boxed\":0,\"longBoxed\":0,\"flagBoxed\":false,\"portNullable\":0}";
        String expected = "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\","
                + "\"namespace\":\"n\"},\"dial\":" + zeros + ",\"spare\":" + zeros + ",\"dials\":[" + zeros
                + "],\"named\":{\"a\":" + zeros + "}}";

        assertThat(encode(codec, type, Panel.of(0, false, UnknownFields.NONE))).isEqualTo(expected);

        Panel read = decode(codec, type, encode(codec, type, Panel.of(3, true, UnknownFields.NONE)));
        Panel edited = Panel.of(0, false, read.dial().unknownFields());
        assertThat(encode(codec, type, edited)).isEqualTo(expected);
        assertThat(decode(codec, type, expected).dial().boxed()).isZero();
    }

    record Workload(ObjectMeta metadata, Spec spec, UnknownFields unknownFields) implements KubeObject {

        record Spec(int replicas, int minReadySeconds, boolean paused, UnknownFields unknownFields) {}

        @Override
        public KubeObject withMetadata(ObjectMeta metadata) {
            return new Workload(metadata, spec, unknownFields);
        }
    }

    @Test
    void encodeBody_zerosOfAnOwnRecordOfABuiltInKind_areWrittenInProtocolBuffers() {
        ResourceType<Workload> type = new ResourceType<>(
                "apps", "v1", "deployments", "Deployment", ResourceType.Scope.NAMESPACED, Workload.class);
        ProtobufCodec codec = ProtobufCodec.of(JsonCodec.standard().with(type));
        Workload none = new Workload(
                ObjectMeta.named("n", "w"), new Workload.Spec(0, 0, false, UnknownFields.NONE), UnknownFields.NONE);

        ApiRequest.Body body = codec.encodeBody(type, none);

        assertThat(body.contentType()).isEqualTo(ApiRequest.PROTOBUF);
        GenericObject read = codec.decode(
                ResourceTypes.generic("apps", "v1", "deployments", "Deployment", ResourceType.Scope.NAMESPACED),
                new ByteArrayInputStream(body.bytes()));
        assertThat(read.integer("spec", "replicas")).isZero();
    }

    @Test
    void roundTrip_everyTypeOfComponent_keepsValuesOrderAndUnknownMembers() {
        ResourceType<Everything> type = widgets(Everything.class);
        JsonCodec codec = JsonCodec.standard().with(type);
        String json =
                "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\"},\"text\":\"t\","
                        + "\"nullableText\":\"\",\"number\":70000,\"longNumber\":5000000000,\"flag\":true,"
                        + "\"nullableNumber\":0,"
                        + "\"nullableLong\":7,\"nullableFlag\":false,\"time\":\"2026-01-31T08:15:00Z\","
                        + "\"port\":\"http\","
                        + "\"part\":{\"name\":\"p\",\"parts\":[{\"name\":\"q\",\"x\":1.10}]},\"nullablePart\":{},"
                        + "\"texts\":[\"a\",\"b\"],"
                        + "\"parts\":[{\"name\":\"r\"},{}],\"labels\":{\"k\":\"v\"},\"named\":{\"b\":{\"name\":\"s\"},"
                        + "\"a\":{}},"
                        + "\"package\":\"io.kubeloop\",\"future\":[null]}";

        Everything object = decode(codec, type, json);

        assertThat(object.number()).isEqualTo(70_000);
        assertThat(object.part().parts().get(0).name()).isEqualTo("q");
        assertThat(object.named()).containsOnlyKeys("a", "b");
        assertThat(object.packageName()).isEqualTo("io.kubeloop");
        assertThat(encode(codec, type, object)).isEqualTo(json);
    }

    @Test
    void roundTrip_explicitNulls_comeBack() {
        ResourceType<Everything> type = widgets(Everything.class);
        JsonCodec codec = JsonCodec.standard().with(type);
        String json =
                "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{},\"text\":null,\"number\":0,"
                        + "\"longNumber\":null,\"flag\":null,\"nullableNumber\":null,\"time\":null,\"port\":null,"
                        + "\"part\":null,\"nullablePart\":null,\"texts\":[],\"named\":null}";

        assertThat(encode(codec, type, decode(codec, type, json))).isEqualTo(json);
    }

    @Test
    void encode_nullsInComponents_areAbsent() {
        JsonCodec codec = JsonCodec.standard().with(WIDGETS);

        assertThat(encode(codec, WIDGETS, new Widget(ObjectMeta.named("n", "w"), null, 1, UnknownFields.NONE)))
                .isEqualTo("{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\","
                        + "\"metadata\":{\"name\":\"w\",\"namespace\":\"n\"},\"size\":1}");
    }

    record Typed(String apiVersion, String kind, ObjectMeta metadata, UnknownFields unknownFields)
            implements KubeObject {
        @Override
        public KubeObject withMetadata(ObjectMeta metadata) {
            return new Typed(apiVersion, kind, metadata, unknownFields);
        }
    }

    @Test
    void decode_componentsForKindAndVersion_receiveThoseOfTheDocument() {
        ResourceType<Typed> type = widgets(Typed.class);

        Typed object = decode(JsonCodec.standard().with(type), type, JSON);

        assertThat(object.kind()).isEqualTo("Widget");
        assertThat(object.apiVersion()).isEqualTo("example.com/v1");
    }

    record Positive(ObjectMeta metadata, @Nullable Integer size, UnknownFields unknownFields) implements KubeObject {
        Positive {
            if (size != null && size < 0) {
                throw new IllegalArgumentException("size is negative");
            }
        }

        @Override
        public KubeObject withMetadata(ObjectMeta metadata) {
            return this;
        }
    }

    @Test
    void decode_recordThatRejectsItsMembers_isADecodeException() {
        ResourceType<Positive> type = widgets(Positive.class);
        JsonCodec codec = JsonCodec.standard().with(type);

        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decode(codec, type, "{\"size\":-1}"))
                .withMessageContaining("Positive")
                .withMessageContaining("size is negative");
        assertThat(decode(codec, type, "{\"size\":1}").size()).isEqualTo(1);
    }
}
