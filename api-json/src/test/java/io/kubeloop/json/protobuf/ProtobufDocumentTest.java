/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.GeneratedObjects;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtobufDocumentTest {

    /** Go writes the zero value of some times as null, and of some lists: absent says the same. */
    private static JsonValue withoutNulls(JsonValue value) {
        if (value instanceof JsonArray array) {
            return JsonArray.of(array.elements().stream()
                    .map(ProtobufDocumentTest::withoutNulls)
                    .toList());
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        JsonObject result = object;
        for (String name : List.copyOf(object.members().keySet())) {
            JsonValue member = object.members().get(name);
            result = member == JsonNull.NULL ? result.without(name) : result.with(name, withoutNulls(member));
        }
        return result;
    }

    private static JsonObject fromServer(String name) {
        return withoutKindsOfClaims((JsonObject) withoutNulls(JsonObject.parse(Documents.json(name))));
    }

    private static JsonObject withoutKindsOfClaims(JsonObject document) {
        JsonArray claims = document.array("spec", "volumeClaimTemplates");
        // The message of an object has no place for its kind, which is in the envelope only.
        List<JsonObject> plain = claims.objects()
                .map(claim -> claim.without("kind").without("apiVersion"))
                .toList();
        return claims.isEmpty()
                ? document
                : document.with(List.of("spec", "volumeClaimTemplates"), JsonArray.of(plain));
    }

    static Stream<String> documents() {
        return Documents.names();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void toJson_whatAServerSends_isWhatItSendsAsJson(String name) {
        JsonObject document = JsonObject.parse(Documents.json(name));
        if (name.endsWith("/statefulset")) {
            document = withoutKindsOfClaims(document);
        }
        JsonObject read = ProtobufDocument.toJson(Documents.protobuf(name), false);
        if (!name.startsWith("1.20.2/")) {
            // Even the order of the members is the same, and so is each null.
            assertThat(read).hasToString(document.toString());
        } else {
            assertThat(withoutNulls(read)).isEqualTo(fromServer(name));
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void ofJson_andBack_losesNothing(String name) {
        JsonObject document = fromServer(name);

        byte[] wrapped = ProtobufDocument.ofJson(document, false);

        assertThat(ProtobufDocument.toJson(wrapped, true)).isEqualTo(document);
    }

    static Stream<TypeCatalog.Kind> kinds() {
        TypeCatalog catalog = TypeCatalog.kubernetes();
        Stream<TypeCatalog.Kind> options = catalog.optionKinds().stream()
                .filter(kind -> !kind.equals("WatchEvent"))
                .map(kind -> new TypeCatalog.Kind("apps", "v1", kind));
        return Stream.concat(catalog.kinds().stream(), options);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindWithAMessage_losesNothing(TypeCatalog.Kind kind) {
        for (int seed = 0; seed < 20; seed++) {
            JsonObject made = new GeneratedObjects(seed).ofKind(kind);
            byte[] wrapped = ProtobufDocument.ofJson(made, false);
            if (kind.name().startsWith("Table")) {
                assertThat(wrapped == null || kind.name().equals("TableOptions"))
                        .isTrue();
            } else {
                assertThat(ProtobufDocument.toJson(wrapped, true)).isEqualTo(made);
            }
        }
    }

    private static byte[] podThatRequests(String memory) {
        return ProtobufDocument.ofJson(
                pod("{\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"memory\":\"" + memory + "\"}}}]}"),
                false);
    }

    @Test
    void decode_quantities_areCanonical() {
        assertThat(ProtobufDocument.decode(podThatRequests("1024Mi")))
                .asString()
                .contains("\"requests\":{\"memory\":\"1Gi\"}");
        assertThatThrownBy(() -> ProtobufDocument.decode(podThatRequests("much")))
                .isInstanceOf(DecodeException.class)
                .hasMessageStartingWith("quantities must match the regular expression");
    }

    @Test
    void knows_everyServedResource() {
        for (ApiResource resource : TypeCatalog.kubernetes().resources()) {
            assertThat(ProtobufDocument.knows(resource.apiVersion(), resource.plural()))
                    .as(resource.plural())
                    .isTrue();
        }
        assertThat(ProtobufDocument.knows("v1", "deployments")).isFalse();
        assertThat(ProtobufDocument.knows("example.com/v1", "widgets")).isFalse();
    }

    @Test
    void elementsOfAList_mayBeDocumentsInProtocolBuffers() {
        byte[] pod = Documents.protobuf("1.36.3/pod");
        byte[] list = document(
                "v1",
                "List",
                new WireWriter().message(2, new WireWriter().bytes(1, pod)).toByteArray());
        assertThat(withoutNulls(
                        ProtobufDocument.toJson(list, false).array("items").get(0)))
                .isEqualTo(fromServer("1.36.3/pod"));
    }

    private static JsonObject pod(String spec) {
        return JsonObject.parse(
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":" + spec + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"fromTheFuture\":1}",
                "{\"containers\":[{\"name\":\"a\",\"fromTheFuture\":{}}]}",
                "{\"containers\":{}}",
                "{\"containers\":[null]}",
                "{\"hostname\":7}",
                "{\"hostNetwork\":\"true\"}",
                "{\"priority\":2147483648}",
                "{\"priority\":1.5}",
                "{\"nodeSelector\":{\"a\":1}}",
                "{\"containers\":[{\"ports\":[{\"containerPort\":\"80\"}]}]}",
                "{\"containers\":[{\"livenessProbe\":{\"tcpSocket\":{\"port\":true}}}]}",
                "{\"overhead\":{\"cpu\":1}}",
                "{\"tolerations\":[{\"Key\":\"another case\"}]}",
                "7"
            })
    void ofJson_whatTheTableHasNoPlaceFor_isRefused(String spec) {
        assertThatThrownBy(() -> ProtobufDocument.ofJson(pod(spec), false)).isInstanceOf(NotInSchemaException.class);
    }

    @Test
    void ofJson_aKindThatIsNotInTheTable_isNull() {
        assertThat(ProtobufDocument.ofJson(
                        JsonObject.parse("{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\"}"), false))
                .isNull();
        assertThat(ProtobufDocument.ofJson(JsonObject.parse("{\"kind\":\"Pod\",\"apiVersion\":\"v2\"}"), false))
                .isNull();
        assertThat(ProtobufDocument.ofJson(JsonObject.parse("{\"metadata\":{}}"), false))
                .isNull();
    }

    @Test
    void toJson_aFieldThatIsNotInTheSchema_isKeptInItsBytes_orLeftOutIfNobodyWantsIt() {
        byte[] known = ProtobufDocument.ofJson(pod("{\"nodeName\":\"n\"}"), false);
        WireWriter extra = new WireWriter();
        extra.bytes(2000, new byte[] {1, 2, 3});
        byte[] more = extra.toByteArray();
        // The object's bytes are the last in the document: what is appended belongs to it once its length says so.
        byte[] document = Arrays.copyOf(known, known.length + more.length);
        System.arraycopy(more, 0, document, known.length, more.length);
        int length = new String(known, StandardCharsets.ISO_8859_1).indexOf("Pod") + "Pod".length() + 1;
        document[length] += (byte) more.length;

        assertThat(ProtobufDocument.toJson(document, true)).isEqualTo(pod("{\"nodeName\":\"n\"}"));
        JsonObject kept = ProtobufDocument.toJson(document, false);
        assertThat(kept.string("~protobuf")).isEqualTo(Base64.getEncoder().encodeToString(more));
        assertThat(ProtobufDocument.ofJson(kept, false)).isEqualTo(document);
    }

    @Test
    void toJson_bytesThatWereDamaged_areADocumentOrAnErrorThatSaysSo() {
        byte[] whole = Documents.protobuf("1.36.3/pod");
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = Arrays.copyOf(whole, i % 4 == 0 ? random.nextInt(whole.length) : whole.length);
            for (int j = 0; damaged.length > 0 && j < 1 + i % 3; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Throwable failure = catchThrowable(() -> ProtobufDocument.toJson(damaged, false));
            if (failure != null) {
                assertThat(failure).isInstanceOfAny(DecodeException.class, NotInSchemaException.class);
            }
        }
    }

    @Test
    void eventToJson_isTheEventOfTheObject() {
        WireWriter object = new WireWriter().bytes(1, Documents.protobuf("1.20.2/pod"));
        WireWriter event = new WireWriter().string(1, "MODIFIED").message(2, object);

        JsonObject json = ProtobufDocument.eventToJson(event.toByteArray());

        assertThat(json.string("type")).isEqualTo("MODIFIED");
        assertThat(withoutNulls(json.object("object"))).isEqualTo(fromServer("1.20.2/pod"));
    }

    @Test
    void eventOfJson_andBack_losesNothing() {
        JsonObject event =
                JsonObject.of("type", new JsonString("DELETED")).with("object", fromServer("1.36.3/service"));

        assertThat(withoutNulls(ProtobufDocument.eventToJson(ProtobufDocument.eventOfJson(event, false))))
                .isEqualTo(event);
        assertThat(ProtobufDocument.eventOfJson(JsonObject.parse("{\"type\":\"ADDED\",\"object\":{}}"), true))
                .isNull();
    }

    @Test
    void ofJson_lenient_leavesOutWhatTheTableDoesNotHave_andRefusesAnotherType() {
        JsonObject known = pod("{\"containers\":[{\"name\":\"a\",\"image\":\"i\"}]}");
        JsonObject more = pod("{\"containers\":[{\"name\":\"a\",\"image\":\"i\",\"fromTheFuture\":{}}],\"also\":1}");

        assertThat(ProtobufDocument.ofJson(more, true)).isEqualTo(ProtobufDocument.ofJson(known, false));
        assertThatThrownBy(() -> ProtobufDocument.ofJson(pod("{\"hostname\":7}"), true))
                .isInstanceOf(NotInSchemaException.class)
                .hasMessage("hostname cannot be 7");
    }

    @Test
    void aList_hasItemsWithoutKinds() {
        JsonObject list = JsonObject.parse(
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},"
                        + "\"items\":[{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"\"},"
                        + "\"binaryData\":{\"b\":\"AP8=\"}},{\"metadata\":{}}]}");

        assertThat(ProtobufDocument.toJson(ProtobufDocument.ofJson(list, false), false))
                .isEqualTo(list);
    }

    private static final String NAMESPACE =
            "azhzAAoPCgJ2MRIJTmFtZXNwYWNlEh0KFQoFb3RoZXISABoAIgAqADIAOABCABIAGgIKABoAIgA=";

    /** The bodies are what kubectl 1.33 sent. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                NAMESPACE
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"other\"},"
                        + "\"spec\":{},\"status\":{}}",
                "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEikKGAoIc2V0dGluZ3MSABoAIgAqADIAOABCABIGCgFhEgFiEgUKAWMSABoAIgA="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\"},"
                        + "\"data\":{\"a\":\"b\",\"c\":\"\"}}",
                "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEiMKFgoGYmluYXJ5EgAaACIAKgAyADgAQgAaCQoDYmluEgIA/xoAIgA="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"binary\"},"
                        + "\"binaryData\":{\"bin\":\"AP8=\"}}",
                "azhzAAoMCgJ2MRIGU2VjcmV0Eh4KEgoCcHcSABoAIgAqADIAOABCABIGCgFwEgF4GgAaACIA"
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"pw\"},"
                        + "\"data\":{\"p\":\"eA==\"}}",
                "azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSFwoVCgVyb2JvdBIAGgAiACoAMgA4AEIAGgAiAA=="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"robot\"}}",
                "azhzAAoNCgJ2MRIHU2VydmljZRKJAQofCgN3ZWISABoAIgAqADIAOABCAFoKCgNhcHASA3dlYhJiCh4KBzgwLWh0dHASA1RDUBhQI"
                        + "goIARAAGgRodHRwKAAKGwoHNTMtNTM1MxIDVENQGDUiBwgAEOkpGgAoABIKCgNhcHASA3dlYhoAIglDbHVzdGVySVA6"
                        + "AEIAUgBaAGAAaAAaAgoAGgAiAA=="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"web\","
                        + "\"labels\":{\"app\":\"web\"}},\"spec\":{\"ports\":["
                        + "{\"name\":\"80-http\",\"protocol\":\"TCP\",\"port\":80,\"targetPort\":\"http\"},"
                        + "{\"name\":\"53-5353\",\"protocol\":\"TCP\",\"port\":53,\"targetPort\":5353}],"
                        + "\"selector\":{\"app\":\"web\"},\"type\":\"ClusterIP\"},\"status\":{\"loadBalancer\":{}}}",
                "azhzAAoNCgJ2MRIHU2VydmljZRJhCh0KAm5wEgAaACIAKgAyADgAQgBaCQoDYXBwEgJucBI8ChcKAjgwEgNUQ1AYUCIGCAAQUBoAK"
                        + "IDrARIJCgNhcHASAm5wGgAiCE5vZGVQb3J0OgBCAFIAWgBgAGgAGgIKABoAIgA="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"np\","
                        + "\"labels\":{\"app\":\"np\"}},\"spec\":{\"ports\":["
                        + "{\"name\":\"80\",\"protocol\":\"TCP\",\"port\":80,\"targetPort\":80,\"nodePort\":30080}],"
                        + "\"selector\":{\"app\":\"np\"},\"type\":\"NodePort\"},\"status\":{\"loadBalancer\":{}}}",
                "azhzAAoNCgJ2MRIHU2VydmljZRJXCh0KAmVuEgAaACIAKgAyADgAQgBaCQoDYXBwEgJlbhIyEgkKA2FwcBICZW4aACIMRXh0ZXJuY"
                        + "WxOYW1lOgBCAFILZXhhbXBsZS5jb21aAGAAaAAaAgoAGgAiAA=="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"en\","
                        + "\"labels\":{\"app\":\"en\"}},\"spec\":{"
                        + "\"selector\":{\"app\":\"en\"},\"type\":\"ExternalName\",\"externalName\":\"example.com\"},"
                        + "\"status\":{\"loadBalancer\":{}}}",
            })
    void toJson_whatKubectlSendsForItsCreateCommands_isTheSameInJson(String base64, String json) {
        assertThat(ProtobufDocument.toJson(Base64.getDecoder().decode(base64), false))
                .isEqualTo(JsonObject.parse(json));
    }

    @Test
    void toJson_cutAnywhere_isRefused() {
        byte[] whole = Base64.getDecoder().decode(NAMESPACE);
        int refused = 0;
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            refused += catchThrowable(() -> ProtobufDocument.toJson(cut, false)) == null ? 0 : 1;
        }
        // What is cut off between two fields of the envelope cannot be told from a shorter body.
        assertThat(refused).isGreaterThan(whole.length - 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7b7d", "6b38730a", "6b387300ffffffffffffffffffffff", "6b3873000affffffff0f", "6b3873000b"})
    void toJson_garbage_isMalformed(String hex) {
        byte[] body = HexFormat.of().parseHex(hex);
        assertThatThrownBy(() -> ProtobufDocument.toJson(body, false)).isInstanceOf(DecodeException.class);
    }

    private static byte[] document(String apiVersion, String kind, byte[] object) {
        byte[] rest = new WireWriter()
                .message(1, new WireWriter().string(1, apiVersion).string(2, kind))
                .bytes(2, object)
                .toByteArray();
        byte[] document = Arrays.copyOf(new byte[] {'k', '8', 's', 0}, 4 + rest.length);
        System.arraycopy(rest, 0, document, 4, rest.length);
        return document;
    }

    /** The last one is none: a name. */
    @ParameterizedTest
    @ValueSource(strings = {"0a03", "38", "5a03", "5a020a03", "6a03", "6a020a03", "0a016e"})
    void toJson_metadataThatGoesOnInTheSpec_isMalformed(String metadata) {
        byte[] pod = new WireWriter()
                .bytes(1, HexFormat.of().parseHex(metadata))
                .message(2, new WireWriter().string(10, "nodename"))
                .toByteArray();
        byte[] document = document("v1", "Pod", pod);

        if (metadata.equals("0a016e")) {
            assertThat(ProtobufDocument.toJson(document, true))
                    .asString()
                    .endsWith("\"metadata\":{\"name\":\"n\"},\"spec\":{\"nodeName\":\"nodename\"}}");
        } else {
            assertThatThrownBy(() -> ProtobufDocument.toJson(document, true)).isInstanceOf(DecodeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -1_000_000, 1_000_000_000})
    void toJson_nanosecondsThatAreASecondOrLessThanNone_areMalformed(int nanos) {
        byte[] lease = new WireWriter()
                .message(
                        2,
                        new WireWriter()
                                .message(4, new WireWriter().number(1, 5).number(2, nanos)))
                .toByteArray();
        byte[] document = document("coordination.k8s.io/v1", "Lease", lease);

        assertThatThrownBy(() -> ProtobufDocument.toJson(document, true)).isInstanceOf(DecodeException.class);
    }

    @Test
    void optionsOfADelete_areOfAnyGroup_andAnEvictionHasThem() {
        JsonObject options =
                JsonObject.parse("{\"kind\":\"DeleteOptions\",\"apiVersion\":\"apps/v1\",\"gracePeriodSeconds\":0,"
                        + "\"orphanDependents\":false,\"dryRun\":[\"All\"]}");
        JsonObject eviction =
                JsonObject.parse("{\"kind\":\"Eviction\",\"apiVersion\":\"policy/v1\",\"metadata\":{\"name\":\"p\"},"
                        + "\"deleteOptions\":{\"gracePeriodSeconds\":5,\"propagationPolicy\":\"Background\"}}");

        assertThat(ProtobufDocument.toJson(ProtobufDocument.ofJson(options, false), false))
                .isEqualTo(options);
        assertThat(ProtobufDocument.toJson(ProtobufDocument.ofJson(eviction, false), false))
                .isEqualTo(eviction);
    }
}
