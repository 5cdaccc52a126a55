/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.protobuf.Documents;
import io.kubeloop.json.schema.GeneratedObjects;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code e2e/record-schema.sh} records the conversations in {@code vectors/decode.json} from kube-apiserver. */
class TypedJsonTest {

    /** Responses of the later stages of a request, which this module does not have. */
    private static final String CONVERSION = "unknown conversion";

    /** Fields that the server changes after it has decoded them. */
    private static final Set<String> CHANGED_LATER =
            Set.of("data", "status", "stringData", "creationTimestamp", "managedFields");

    private static StructSchema type(String apiVersion, String kind) {
        return Objects.requireNonNull(TypeCatalog.kubernetes().type(apiVersion, kind), kind);
    }

    private static JsonObject decode(String kind, String json) {
        return TypedJson.decode(type("v1", kind), json.getBytes(UTF_8)).object();
    }

    @TestFactory
    Stream<DynamicTest> answersOfTheServer() throws IOException {
        try (InputStream in = Objects.requireNonNull(TypedJsonTest.class.getResourceAsStream("/vectors/decode.json"))) {
            JsonArray conversations = (JsonArray) JsonValue.parse(in);
            assertThat(conversations.size()).isGreaterThan(200);
            return conversations
                    .objects()
                    .map(conversation -> DynamicTest.dynamicTest(
                            String.valueOf(conversation.get("body")), () -> assertThatAnswerIsTheSame(conversation)));
        }
    }

    private static void assertThatAnswerIsTheSame(JsonObject conversation) {
        byte[] body = conversation.string("body").getBytes(UTF_8);
        String kind = conversation.string("kind");
        String message = conversation.string("message");
        if (message.endsWith(CONVERSION)) {
            return;
        }
        String answer = answer(conversation.string("apiVersion"), kind, body);
        assertThat(answer).isEqualTo(message);
        if (conversation.has("object")) {
            JsonObject ours = TypedJson.decode(type(conversation.string("apiVersion"), kind), body)
                    .object();
            assertThatIsPartOf(ours, conversation.object("object"), kind);
        }
    }

    /** Returns the message as the server words it around the decoder's; empty if the decoder accepts the body. */
    private static String answer(String apiVersion, String kind, byte[] body) {
        try {
            var unused = TypedJson.identity(body);
        } catch (DecodeException e) {
            return "the object provided is unrecognized (must be of type " + kind + "): " + e.getMessage() + " ("
                    + TypedJson.excerpt(body) + ")";
        }
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        String prefix = kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": ";
        try {
            String strict = TypedJson.decode(type(apiVersion, kind), body).strictError();
            return strict.isEmpty() ? "" : prefix + strict;
        } catch (DecodeException e) {
            return prefix + e.getMessage();
        }
    }

    /** The server has added defaults to the object, but it has not removed or changed what was decoded. */
    private static void assertThatIsPartOf(JsonValue ours, JsonValue theirs, String path) {
        if (ours instanceof JsonObject object && theirs instanceof JsonObject other) {
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                JsonValue value = other.get(member.getKey());
                if (!CHANGED_LATER.contains(member.getKey()) && member.getValue() != JsonNull.NULL) {
                    assertThat(value).as(path + "." + member.getKey()).isNotNull();
                    assertThatIsPartOf(member.getValue(), Objects.requireNonNull(value), path + "." + member.getKey());
                }
            }
        } else if (ours instanceof JsonArray array && theirs instanceof JsonArray other) {
            assertThat(array.size()).as(path).isEqualTo(other.size());
            for (int i = 0; i < array.size(); i++) {
                assertThatIsPartOf(array.get(i), other.get(i), path + "[" + i + "]");
            }
        } else if (ours != JsonNull.NULL && !ours.equals(JsonNumber.of(0)) && !ours.equals(new JsonString(""))) {
            assertThat(theirs).as(path).isEqualTo(ours);
        }
    }

    @Test
    void object_getsTheFormOfGo() {
        assertThat(decode("Pod", "{\"spec\":{\"containers\":[{\"image\":\"i\",\"x\":1,\"ports\":[],\"tty\":false}]}}"))
                .isEqualTo(JsonObject.parse("{\"metadata\":{},\"spec\":{\"containers\":[{\"name\":\"\",\"image\":\"i\","
                        + "\"resources\":{}}]},\"status\":{}}"));
        assertThat(decode("Pod", "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}")
                        .array("status", "conditions")
                        .get(0))
                .isEqualTo(JsonObject.parse(
                        "{\"type\":\"Ready\",\"status\":\"True\",\"lastProbeTime\":null,\"lastTransitionTime\":null}"));
        assertThat(decode("Service", "{\"spec\":{\"ports\":[{\"port\":1}]}}")
                        .array("spec", "ports")
                        .get(0))
                .isEqualTo(JsonObject.parse("{\"port\":1,\"targetPort\":0}"));
        assertThat(decode("PodList", "{}")).isEqualTo(JsonObject.parse("{\"metadata\":{},\"items\":null}"));
    }

    static Stream<String> documents() {
        return Documents.names().filter(name -> !name.startsWith("1.20"));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void objectsOfTheServer_areCanonicalAlready(String name) {
        JsonObject document = JsonObject.parse(Documents.json(name));
        StructSchema type = type(document.string("apiVersion"), document.string("kind"));
        TypedJson.Decoded decoded = TypedJson.decode(type, document);
        assertThat(decoded.object()).isEqualTo(document);
        assertThat(decoded.strictErrors()).isEmpty();
    }

    static Stream<TypeCatalog.Kind> kinds() {
        return TypeCatalog.kubernetes().kinds().stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKind_isDecoded(TypeCatalog.Kind kind) {
        StructSchema type = type(kind.apiVersion(), kind.name());
        for (int seed = 0; seed < 5; seed++) {
            JsonObject made = new GeneratedObjects(seed).ofKind(kind);
            TypedJson.Decoded once = TypedJson.decode(type, made);
            assertThat(once.strictErrors()).isEmpty();
            assertThatIsPartOf(made, once.object(), kind.name());
            assertThat(TypedJson.decode(type, once.object()).object()).isEqualTo(once.object());
        }
    }

    @Test
    void scalars_becomeCanonical() {
        JsonObject pod = decode(
                "Pod",
                "{\"metadata\":{\"creationTimestamp\":\"2024-01-01T02:00:00.9+02:00\"},\"spec\":{\"containers\":["
                        + "{\"name\":\"a\",\"resources\":{\"limits\":{\"cpu\":\"1000m\",\"memory\":1024}}}]}}");
        assertThat(pod.string("metadata", "creationTimestamp")).isEqualTo("2024-01-01T00:00:00Z");
        assertThat(((JsonObject) pod.array("spec", "containers").get(0)).object("resources", "limits"))
                .isEqualTo(JsonObject.parse("{\"cpu\":\"1\",\"memory\":\"1024\"}"));
        assertThat(decode("Pod", "{\"metadata\":{\"creationTimestamp\":\"0001-01-01T00:00:00Z\"}}")
                        .object("metadata"))
                .isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void nulls_areZeroValues() {
        assertThat(decode(
                        "ConfigMap",
                        "{\"metadata\":{\"labels\":{\"a\":null},\"name\":null,\"finalizers\":[null]},\"data\":null}"))
                .isEqualTo(JsonObject.parse("{\"metadata\":{\"labels\":{\"a\":\"\"},\"finalizers\":[\"\"]}}"));
        JsonObject quota = decode("ResourceQuota", "{\"spec\":{\"hard\":{\"pods\":null}}}");
        assertThat(quota.get("spec", "hard", "pods")).isEqualTo(new JsonString("0"));
        assertThat(decode("Secret", "{\"data\":{\"a\":null}}").get("data", "a")).isEqualTo(JsonNull.NULL);
    }

    @Test
    void duplicates_mergeAsInGo() {
        assertThat(decode("ConfigMap", "{\"data\":{\"a\":\"1\",\"b\":\"1\"},\"data\":{\"b\":\"2\"}}")
                        .object("data"))
                .isEqualTo(JsonObject.parse("{\"a\":\"1\",\"b\":\"2\"}"));
        assertThat(decode("Pod", "{\"spec\":{\"nodeName\":\"a\",\"hostname\":\"h\"},\"spec\":{\"nodeName\":\"b\"}}")
                        .object("spec"))
                .isEqualTo(JsonObject.parse("{\"nodeName\":\"b\",\"hostname\":\"h\",\"containers\":null}"));
        assertThat(decode("Pod", "{\"spec\":{\"nodeName\":\"a\"},\"spec\":null}")
                        .string("spec", "nodeName"))
                .isEqualTo("a");
    }

    @Test
    void decoding_itsOwnResultAgain_changesNothing() {
        JsonObject once = decode(
                "Pod",
                "{\"spec\":{\"containers\":[{\"env\":[{\"name\":\"a\"}]}]},\"status\":{\"conditions\":[{}],"
                        + "\"startTime\":\"2024-01-01T00:00:00Z\"}}");
        TypedJson.Decoded again = TypedJson.decode(type("v1", "Pod"), once);
        assertThat(again.object()).isEqualTo(once);
        assertThat(again.strictErrors()).isEmpty();
    }

    @Test
    void untyped_findsDuplicatesEverywhere() {
        TypedJson.Decoded decoded =
                TypedJson.untyped("{\"a\":[{\"b\":1,\"b\":2}],\"a\":3,\"c\":{\"d\":1.50}}".getBytes(UTF_8));
        assertThat(decoded.strictErrors()).containsExactly("duplicate field \"a[0].b\"", "duplicate field \"a\"");
        assertThat(decoded.object()).isEqualTo(JsonObject.parse("{\"a\":3,\"c\":{\"d\":1.5}}"));
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> TypedJson.untyped("[]".getBytes(UTF_8)))
                .withMessage("json: cannot unmarshal array into Go value of type map[string]interface {}");
    }

    @Test
    void strictErrors_areAtMost100() {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < 200; i++) {
            json.append("\"x").append(i).append("\":1,");
        }
        json.append("\"kind\":\"Pod\"}");
        assertThat(TypedJson.decode(type("v1", "Pod"), json.toString().getBytes(UTF_8))
                        .strictErrors()
                        .size())
                .isEqualTo(100);
    }

    @Test
    void identity_isWhatTheDocumentStates() {
        assertThat(TypedJson.identity("{\"kind\":\"A\",\"x\":{\"kind\":\"B\"},\"apiVersion\":\"v1\"}".getBytes(UTF_8)))
                .isEqualTo(new StatedKind("v1", "A"));
        assertThat(TypedJson.identity("{\"kind\":null}".getBytes(UTF_8))).isEqualTo(new StatedKind("", ""));
        assertThat(TypedJson.excerpt("x".repeat(300).getBytes(UTF_8)))
                .hasSize(404)
                .endsWith("78 ...");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1h, 1h0m0s",
        "90m, 1h30m0s",
        "1.5s, 1.5s",
        "-2m, -2m0s",
        "1500us, 1.5ms",
        "10ns, 10ns",
        "1h1s, 1h0m1s",
    })
    void durations_areWrittenAsByGo(String text, String written) {
        assertThat(DurationText.canonical(text)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource({
        "5, time: missing unit in duration \"5\"",
        "x, time: invalid duration \"x\"",
        "5y, time: unknown unit \"y\" in duration \"5y\"",
        "'', time: invalid duration \"\"",
        "9999999999h, time: invalid duration \"9999999999h\"",
    })
    void durations_thatAreNone_haveTheErrorsOfGo(String text, String message) {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> DurationText.canonical(text))
                .withMessage(message);
    }

    @Test
    void convert_writesNumbersAsGo_alsoInsideUntypedValues() {
        JsonObject set = JsonObject.parse(
                "{\"spec\":{\"minReadySeconds\":2.0,\"template\":{\"spec\":{\"containers\":[{\"livenessProbe\":"
                        + "{\"httpGet\":{\"port\":80.0}},\"resources\":{\"limits\":{\"cpu\":1.50}}}]}}},"
                        + "\"unknown\":1.0}");
        assertThat(TypedJson.convert(type("apps/v1", "ReplicaSet"), set))
                .hasToString(
                        "{\"spec\":{\"minReadySeconds\":2,\"template\":{\"spec\":{\"containers\":[{\"livenessProbe\":"
                                + "{\"httpGet\":{\"port\":80}},\"resources\":{\"limits\":{\"cpu\":1.5}}}]}}},"
                                + "\"unknown\":1.0}");
        JsonObject revision = JsonObject.parse("{\"data\":{\"a\":[1.0,{\"b\":1e-7}]}}");
        assertThat(TypedJson.convert(type("apps/v1", "ControllerRevision"), revision))
                .hasToString("{\"data\":{\"a\":[1,{\"b\":1e-7}]}}");
    }

    @Test
    void convert_numberBeyondAnInteger_losesItsHighBits() {
        JsonObject set = JsonObject.parse("{\"spec\":{\"minReadySeconds\":1e30,\"replicas\":9223372036854775808}}");
        assertThat(TypedJson.convert(type("apps/v1", "ReplicaSet"), set))
                .hasToString("{\"spec\":{\"minReadySeconds\":0,\"replicas\":0}}");
    }

    @Test
    void numbersOfGo_haveNoNeedlessFraction() {
        JsonObject object = JsonObject.parse("{\"a\":[2.0,1e2,1.50,-0,12345678901234567890,{\"b\":3.0}]}");
        assertThat(TypedJson.withNumbersOfGo(object))
                .hasToString("{\"a\":[2,100,1.5,0,12345678901234567000,{\"b\":3}]}");
    }

    @Test
    void untyped_numberBeyondADouble() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> TypedJson.untyped("{\"a\":1e400}".getBytes(UTF_8)))
                .withMessage("json: cannot unmarshal number 1e400 into Go value of type float64");
    }
}
