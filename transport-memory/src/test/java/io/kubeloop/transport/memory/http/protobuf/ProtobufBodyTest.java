package io.kubeloop.transport.memory.http.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bodies are what kubectl 1.33 sent for {@code kubectl create}. */
class ProtobufBodyTest {

    private static final String NAMESPACE =
            "azhzAAoPCgJ2MRIJTmFtZXNwYWNlEh0KFQoFb3RoZXISABoAIgAqADIAOABCABIAGgIKABoAIgA=";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                NAMESPACE + "|{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"other\"}}",
                "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEikKGAoIc2V0dGluZ3MSABoAIgAqADIAOABCABIGCgFhEgFiEgUKAWMSABoAIgA="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\"},\"data\":{\"a\":\"b\",\"c\":\"\"}}",
                "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEiMKFgoGYmluYXJ5EgAaACIAKgAyADgAQgAaCQoDYmluEgIA/xoAIgA="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"binary\"},\"binaryData\":{\"bin\":\"AP8=\"}}",
                "azhzAAoMCgJ2MRIGU2VjcmV0Eh4KEgoCcHcSABoAIgAqADIAOABCABIGCgFwEgF4GgAaACIA"
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"pw\"},\"data\":{\"p\":\"eA==\"}}",
                "azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSFwoVCgVyb2JvdBIAGgAiACoAMgA4AEIAGgAiAA=="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"robot\"}}",
                "azhzAAoNCgJ2MRIHU2VydmljZRKJAQofCgN3ZWISABoAIgAqADIAOABCAFoKCgNhcHASA3dlYhJiCh4KBzgwLWh0dHASA1RDUBhQIgoIARAAGgRodHRwKAAKGwoHNTMtNTM1MxIDVENQGDUiBwgAEOkpGgAoABIKCgNhcHASA3dlYhoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA=="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"web\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"ports\":["
                        + "{\"name\":\"80-http\",\"protocol\":\"TCP\",\"port\":80,\"targetPort\":\"http\"},"
                        + "{\"name\":\"53-5353\",\"protocol\":\"TCP\",\"port\":53,\"targetPort\":5353}],"
                        + "\"selector\":{\"app\":\"web\"},\"type\":\"ClusterIP\"}}",
                "azhzAAoNCgJ2MRIHU2VydmljZRJhCh0KAm5wEgAaACIAKgAyADgAQgBaCQoDYXBwEgJucBI8ChcKAjgwEgNUQ1AYUCIGCAAQUBoAKIDrARIJCgNhcHASAm5wGgAiCE5vZGVQb3J0OgBCAFIAWgBgAGgAGgIKABoAIgA="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"np\",\"labels\":{\"app\":\"np\"}},\"spec\":{\"ports\":["
                        + "{\"name\":\"80\",\"protocol\":\"TCP\",\"port\":80,\"targetPort\":80,\"nodePort\":30080}],"
                        + "\"selector\":{\"app\":\"np\"},\"type\":\"NodePort\"}}",
                "azhzAAoNCgJ2MRIHU2VydmljZRJXCh0KAmVuEgAaACIAKgAyADgAQgBaCQoDYXBwEgJlbhIyEgkKA2FwcBICZW4aACIMRXh0ZXJuYWxOYW1lOgBCAFILZXhhbXBsZS5jb21aAGAAaAAaAgoAGgAiAA=="
                        + "|{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"en\",\"labels\":{\"app\":\"en\"}},\"spec\":{"
                        + "\"selector\":{\"app\":\"en\"},\"type\":\"ExternalName\",\"externalName\":\"example.com\"}}",
            })
    void read_whatKubectlSends_isTheSameInJson(String base64, String json) {
        assertThat(ProtobufBody.read(Base64.getDecoder().decode(base64))).isEqualTo(JsonObject.parse(json));
    }

    @Test
    void read_metadata_keepsOwnersTimesAndPointersToZero() {
        byte[] body = envelope(
                "v1",
                "ConfigMap",
                message(
                        field(
                                1,
                                message(
                                        text(1, "x"),
                                        field(8, message(varint(1, 1767225600), varint(2, 0))),
                                        varint(10, 0),
                                        field(
                                                13,
                                                message(
                                                        text(1, "RS"),
                                                        text(3, "o"),
                                                        text(4, "u"),
                                                        text(5, "apps/v1"),
                                                        varint(6, 0))),
                                        text(14, "f"),
                                        text(14, "g"),
                                        text(17, "ignored"))),
                        varint(4, 0)));
        assertThat(ProtobufBody.read(body))
                .isEqualTo(
                        JsonObject.parse("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\","
                                + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\",\"deletionGracePeriodSeconds\":0,"
                                + "\"ownerReferences\":[{\"kind\":\"RS\",\"name\":\"o\",\"uid\":\"u\",\"apiVersion\":\"apps/v1\",\"controller\":false}],"
                                + "\"finalizers\":[\"f\",\"g\"]},\"immutable\":false}"));
    }

    @Test
    void read_eviction_keepsItsOptions() {
        byte[] body = envelope(
                "policy/v1",
                "Eviction",
                message(field(1, message(text(1, "p"))), field(2, message(varint(1, 5), text(4, "Background")))));
        assertThat(ProtobufBody.read(body).object("deleteOptions"))
                .isEqualTo(JsonObject.parse("{\"gracePeriodSeconds\":5,\"propagationPolicy\":\"Background\"}"));
    }

    @Test
    void read_unknownKindOrField_isUnsupported() {
        for (byte[] body :
                new byte[][] {envelope("v1", "Widget", message()), envelope("v1", "ConfigMap", message(varint(99, 1)))
                }) {
            assertThatThrownBy(() -> ProtobufBody.read(body))
                    .isInstanceOfSatisfying(
                            ProtobufException.class,
                            e -> assertThat(e.isUnsupported()).isTrue());
        }
    }

    @Test
    void read_cutAnywhere_neverCrashes() {
        byte[] whole = Base64.getDecoder().decode(NAMESPACE);
        int refused = 0;
        for (int length = 0; length < whole.length; length++) {
            try {
                ProtobufBody.read(Arrays.copyOf(whole, length));
            } catch (ProtobufException e) {
                refused++;
            }
        }
        // What is cut off between two fields of the envelope cannot be told from a shorter body.
        assertThat(refused).isGreaterThan(whole.length - 6);
    }

    @ParameterizedTest
    @CsvSource({"7b7d", "6b38730a", "6b387300ffffffffffffffffffffff", "6b3873000affffffff0f", "6b3873000b"})
    void read_garbage_isMalformed(String hex) {
        byte[] body = HexFormat.of().parseHex(hex);
        assertThatThrownBy(() -> ProtobufBody.read(body))
                .isInstanceOfSatisfying(
                        ProtobufException.class,
                        e -> assertThat(e.isUnsupported()).isFalse());
    }

    private static byte[] envelope(String apiVersion, String kind, byte[] content) {
        byte[] unknown = message(field(1, message(text(1, apiVersion), text(2, kind))), field(2, content));
        return concat(new byte[] {'k', '8', 's', 0}, unknown);
    }

    private static byte[] message(byte[]... fields) {
        return concat(fields);
    }

    private static byte[] text(int number, String text) {
        return field(number, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] field(int number, byte[] content) {
        return concat(raw(((long) number << 3) | 2), raw(content.length), content);
    }

    private static byte[] varint(int number, long value) {
        return concat(raw((long) number << 3), raw(value));
    }

    private static byte[] raw(long value) {
        byte[] bytes = new byte[10];
        int length = 0;
        long rest = value;
        do {
            bytes[length++] = (byte) ((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
            rest >>>= 7;
        } while (rest != 0);
        return Arrays.copyOf(bytes, length);
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
