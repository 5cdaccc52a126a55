/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not JSON, or not such an object, is refused with the path, what was expected and what was found. */
class MalformedInputTest {

    private static final ResourceType<GenericObject> ANY =
            ResourceTypes.generic("", "v1", "pods", "Pod", Scope.NAMESPACED);

    private final JsonCodec codec = JsonCodec.standard();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void decodePod(String text) {
        codec.decode(ResourceTypes.PODS, new ByteArrayInputStream(bytes(text)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | expected an object at $, found an array",
                "null | expected an object at $, found null",
                "`` | expected an object at $, found the end of the input",
                "{\"metadata\":5} | expected an object at $.metadata, found the number 5",
                "{\"metadata\":{\"name\":{}}} | expected a string at $.metadata.name, found an object",
                "{\"metadata\":{\"labels\":{\"a\":1}}} | expected a string at $.metadata.labels.a, found the number 1",
                "{\"metadata\":{\"generation\":\"1\"}} | expected an integer at $.metadata.generation, found the "
                        + "string \"1\"",
                "{\"metadata\":{\"generation\":1.0}} | expected an integer at $.metadata.generation, found the number "
                        + "1.0",
                "{\"metadata\":{\"creationTimestamp\":\"now\"}} | expected a time in RFC 3339 form at "
                        + "$.metadata.creationTimestamp, found the string \"now\"",
                "{\"spec\":{\"containers\":[{},{\"ports\":[{},{},{\"containerPort\":99999999999}]}]}} | expected an "
                        + "integer from -2147483648 to 2147483647 at $.spec.containers[1].ports[2].containerPort, "
                        + "found the number 99999999999",
                "{\"spec\":{\"containers\":{}}} | expected an array at $.spec.containers, found an object",
                "{\"status\":{\"containerStatuses\":[{\"ready\":\"yes\"}]}} | expected true or false at "
                        + "$.status.containerStatuses[0].ready, found the string \"yes\"",
                "{\"kind\":\"Node\"} | expected \"Pod\" at $.kind, found the string \"Node\"",
                "{\"apiVersion\":\"v2\"} | expected \"v1\" at $.apiVersion, found the string \"v2\"",
                "{\"future\":{\"a\":[1,{\"b\":tru}]}} | expected a value at $.future.a[1].b, found tru",
                "{\"future\":[1,,2]} | expected a value at $.future[1], found ','",
                "{\"future\":[1 2]} | expected ',' or ']' at $.future[0], found the number 2",
                "{\"future\":01} | expected a number without leading zeros at $.future, found the number 01",
                "{\"future\":-} | expected a digit at $.future, found '}'",
                "{\"future\":1.} | expected a digit at $.future, found '}'",
                "{\"future\":1e+} | expected a digit at $.future, found '}'",
                "{\"future\":\"\\x\"} | expected an escape sequence at $.future, found '\\'",
                "{\"future\":\"\\u12g4\"} | expected four hexadecimal digits after \\u at $.future, found '\\'",
                "{\"future\":'a'} | expected a value at $.future, found '''",
                "{\"a\":1,} | expected a member name in quotes at $, found '}'",
                "{a:1} | expected a member name in quotes at $, found a",
                "{\"a\" 1} | expected ':' at $.a, found the number 1",
                "{\"a\":1}} | expected the end of the document at $, found '}'",
                "{\"a\":1} {} | expected the end of the document at $, found an object",
            })
    void decode_tellsPathExpectationAndFinding(String text, String message) {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decodePod(text))
                .withMessage(message);
    }

    @Test
    void decode_controlCharacterInString_isRefused() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decodePod("{\"metadata\":{\"name\":\"a\nb\"}}"))
                .withMessage("expected no control character inside a string at $.metadata.name, found the byte 0x0a");
    }

    @Test
    void decode_nestedTooDeep_isRefused() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decodePod("{\"a\":" + "[".repeat(100_000)))
                .withMessageContaining("levels of nesting");
    }

    @Test
    void decode_nestedToTheLimit_passes() {
        int depth = JsonScanner.MAX_DEPTH - 1;
        decodePod("{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}");
    }

    @Test
    void decodeList_faultInAnItem_isTold() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> codec.decodeList(
                        ResourceTypes.PODS,
                        new ByteArrayInputStream(bytes("{\"items\":[{},{\"metadata\":{\"name\":1}}]}"))))
                .withMessage("expected a string at $.items[1].metadata.name, found the number 1");
    }

    @Test
    void decodeList_faultBehindTheItems_isTold() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> codec.decodeList(
                        ResourceTypes.PODS,
                        new ByteArrayInputStream(bytes("{\"items\":[{},{}],\"metadata\":{\"resourceVersion\":1}}"))))
                .withMessage("expected a string at $.metadata.resourceVersion, found the number 1");
    }

    @Test
    void decodeList_ofAnotherKind_isRefused() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> codec.decodeList(
                        ResourceTypes.PODS,
                        new ByteArrayInputStream(bytes("{\"kind\":\"Status\",\"status\":\"Failure\"}"))))
                .withMessage("expected \"PodList\" at $.kind, found the string \"Status\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":\"ADDED\"}",
                "{\"object\":{}}",
                "{\"type\":\"RENAMED\",\"object\":{}}",
                "{\"type\":\"ADDED\",\"object\":null}",
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Service\"}}",
                "{\"type\":\"ADDED\",\"object\":{}}{}",
                "",
            })
    void decodeEvent_notAnEvent_isRefused(String frame) {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> codec.decodeEvent(ResourceTypes.PODS, bytes(frame)))
                .withMessageContaining("$");
    }

    @Test
    void decode_cutOffAnywhere_isRefused() {
        String text =
                "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"\\u00e4\\n\",\"generation\":10,\"x\":[true,false,null,"
                        + "1.5e3]},"
                        + "\"status\":{\"conditions\":[{\"lastProbeTime\":null}]}}";
        for (int length = 0; length < text.length(); length++) {
            String start = text.substring(0, length);
            assertThatExceptionOfType(DecodeException.class)
                    .as(start)
                    .isThrownBy(() -> decodePod(start))
                    .withMessageContaining("$");
        }
        decodePod(text);
    }

    /** Compared with another parser, which lets {@code TRUE} and control characters pass: none here. */
    @Test
    void decode_randomlyBroken_isRefusedIfAndOnlyIfItIsNotJson() {
        String text = "{\"a\":[1,-2.5e3,true,false,null,\"x\\u00e4\\\"\"],\"b\":{\"c\":{},\"d\":[]},\"e\":{}}";
        String replacements = "{}[]\",:0123456789-+.etrufalsn\\ x";
        Random random = new Random(42);
        int accepted = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder broken = new StringBuilder(text);
            for (int i = random.nextInt(3); i >= 0; i--) {
                char replacement = replacements.charAt(random.nextInt(replacements.length()));
                int at = random.nextInt(broken.length());
                if (random.nextBoolean()) {
                    broken.setCharAt(at, replacement);
                } else {
                    broken.deleteCharAt(at);
                }
            }
            String input = broken.toString();
            Throwable ours = catchThrowable(() -> codec.decode(ANY, new ByteArrayInputStream(bytes(input))));
            Throwable theirs = catchThrowable(() -> Json.parse(input));
            if (ours != null) {
                assertThat(ours).as(input).isInstanceOf(DecodeException.class).hasMessageContaining("$");
            }
            assertThat(ours == null).as("%s: %s, %s", input, ours, theirs).isEqualTo(theirs == null);
            accepted += ours == null ? 1 : 0;
        }
        assertThat(accepted).isBetween(1000, 19_000);
    }
}
