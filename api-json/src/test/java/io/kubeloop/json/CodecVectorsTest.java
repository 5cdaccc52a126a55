package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.yaml.YamlDocuments;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.Vectors;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The api-json vectors: what Go makes of a text. Where it adds zero values that were not there, we do not (ADR 0003), so
 * both results are compared without them; and Go's own output, read and written by us, has to come out to the letter.
 */
class CodecVectorsTest {

    /** Go drops what it does not know; keeping it is what this codec is for. */
    private static final Set<String> UNKNOWN_MEMBERS_ARE_KEPT =
            Set.of("unknown fields are dropped", "field names are case sensitive");

    /** No record has these members: they pass as they are, valid or not, and are the server's to judge. */
    private static final Set<String> NOT_LOOKED_INTO = Set.of(
            "quantity decimal",
            "quantity not canonical",
            "quantity as number",
            "quantity as fraction number",
            "quantity with spaces",
            "quantity bad",
            "quantity empty text",
            "binary data not base64",
            "bool as text");

    /** Go wants six digits of a second where it writes six; we read any number of them. */
    private static final Set<String> ANY_FRACTION_IS_READ = Set.of(
            "lease micro time without fraction",
            "lease micro time with three digits",
            "lease micro time with nine digits",
            "event times");

    /** Go finds the type by what the object says of itself; here the caller knows the type, and the object may be silent. */
    private static final Set<String> TYPE_IS_GIVEN =
            Set.of("unknown kind", "unknown version", "kind missing", "version missing");

    @TestFactory
    Stream<DynamicTest> apiJson() {
        return Vectors.tests(CodecVectorsTest.class, "api-json", this::check);
    }

    private void check(Vectors.Case vector) {
        String text = json((String) vector.input().get("text"));
        String expected = (String) vector.expected().get("encoded");
        if (UNKNOWN_MEMBERS_ARE_KEPT.contains(vector.name())
                || NOT_LOOKED_INTO.contains(vector.name())
                || ANY_FRACTION_IS_READ.contains(vector.name())) {
            ResourceType<?> type = type(tree(text));
            assertThat(roundTrip(type, roundTrip(type, text))).isEqualTo(roundTrip(type, text));
        } else if (TYPE_IS_GIVEN.contains(vector.name())) {
            checkTypeIsGiven(text);
        } else if (expected == null) {
            ResourceType<?> type = text.startsWith("{\"") ? type(tree(text)) : ResourceTypes.PODS;
            assertThatExceptionOfType(DecodeException.class)
                    .isThrownBy(() -> roundTrip(type, text))
                    .withMessageContaining("$");
        } else {
            checkEncoding(text, expected.strip());
        }
    }

    private static void checkEncoding(String text, String expected) {
        ResourceType<?> type = type(tree(text));
        String ours = roundTrip(type, text);

        assertThat(withoutZeroValues(Json.parse(ours))).isEqualTo(withoutZeroValues(Json.parse(expected)));
        assertThat(roundTrip(type, ours)).as("stable").isEqualTo(ours);
        assertThat(roundTrip(type, expected))
                .as("Go's output, read and written")
                .isEqualTo(expected);
    }

    /** An object of another kind is refused; one that does not say its kind passes. */
    private static void checkTypeIsGiven(String text) {
        Map<String, Object> tree = tree(text);
        boolean silent = tree.size() < 2;
        if (silent) {
            assertThat(roundTrip(ResourceTypes.PODS, text)).isEqualTo("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}");
        } else {
            assertThatExceptionOfType(DecodeException.class)
                    .isThrownBy(() -> roundTrip(ResourceTypes.PODS, text))
                    .withMessageContaining("$.");
        }
    }

    private static String json(String text) {
        return text.startsWith("kind:")
                ? YamlDocuments.parse("vector", text).get(0).value().toString()
                : text;
    }

    private static ResourceType<?> type(Map<String, Object> tree) {
        for (ResourceType<?> type : ResourceTypes.all()) {
            if (type.kind().equals(tree.get("kind")) && type.apiVersion().equals(tree.get("apiVersion"))) {
                return type;
            }
        }
        return ResourceTypes.generic("", "v1", "configmaps", "ConfigMap", Scope.NAMESPACED);
    }

    private static <T extends KubeObject> String roundTrip(ResourceType<T> type, String text) {
        JsonCodec codec = JsonCodec.standard();
        T object = codec.decode(type, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return new String(codec.encode(type, object), StandardCharsets.UTF_8);
    }

    @SuppressWarnings("unchecked") // the documents are objects
    private static Map<String, Object> tree(String text) {
        return (Map<String, Object>) Objects.requireNonNull(Json.parse(text));
    }

    private static Object withoutZeroValues(Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<Object, Object> left = new TreeMap<>();
            members.forEach((name, member) -> {
                Object pruned = withoutZeroValues(member);
                if (!isZero(pruned)) {
                    left.put(name, pruned);
                }
            });
            return left;
        }
        return value instanceof List<?> elements
                ? elements.stream().map(CodecVectorsTest::withoutZeroValues).toList()
                : value;
    }

    private static boolean isZero(Object value) {
        return value == null || List.of("", "0", "false", "{}", "[]").contains(value.toString());
    }
}
