/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.yaml.YamlDocuments;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.Vectors;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * The api-json vectors: what Go makes of a text. Where it adds zero values that were not there, we do not (ADR 0003),
 * so both results are compared without them; and Go's own output, read and written by us, has to come out whole.
 */
class CodecVectorsTest {

    /** Where Go's error names the member: the last type and field before the reason. */
    private static final Pattern FIELD = Pattern.compile(".*\\bv1\\.(\\w+)\\.(\\w+): .*", Pattern.DOTALL);

    /** Go wants six digits of a second where it writes six; we read any number of them. */
    private static final Pattern ANY_FRACTION_IS_READ = Pattern.compile(
            ".*parsing time \"[-0-9]{10}T[:0-9]{7,8}([.,]\\d+)?(Z|[-+][:0-9]{5})\" as \\S+05\\.000000Z.*",
            Pattern.DOTALL);

    /** Members that hold quantities, which no record has: they are not brought into canonical form. */
    private static final Set<String> QUANTITIES = Set.of("limits", "requests", "capacity", "allocatable", "overhead");

    @TestFactory
    Stream<DynamicTest> apiJson() {
        return Vectors.tests(CodecVectorsTest.class, "api-json", this::check);
    }

    private void check(Vectors.Case vector) {
        String text = (String) vector.input().get("text");
        String error = (String) vector.expected().get("error");
        if (error == null) {
            checkEncoding(json(text), ((String) vector.expected().get("encoded")).strip());
        } else {
            checkRefused(text, error);
        }
    }

    private static void checkRefused(String text, String error) {
        try {
            String json = json(text);
            ResourceType<?> type = error.startsWith("no kind") ? ResourceTypes.PODS : typeOf(json);
            String ours = roundTrip(type, json);
            assertThat(mayPass(error)).as("what passes: %s", error).isTrue();
            assertThat(roundTrip(type, ours)).as("stable").isEqualTo(ours);
        } catch (DecodeException e) {
            assertThat(e.getMessage()).containsAnyOf("$", ", line ");
        }
    }

    private static void checkEncoding(String text, String expected) {
        ResourceType<?> type = type(tree(text));
        String ours = roundTrip(type, text);

        Object wanted = withoutZeroValues(Json.parse(expected));
        Object kept = withoutZeroValues(Json.parse(text));
        assertThat(withoutUnknown(withoutZeroValues(Json.parse(ours)), wanted, kept))
                .isEqualTo(wanted);
        assertThat(roundTrip(type, ours)).as("stable").isEqualTo(ours);
        String again = roundTrip(type, expected);
        assertThat(Json.parse(again)).as("Go's output, read and written").isEqualTo(Json.parse(expected));
        assertThat(again).hasSameSizeAs(expected);
        assertOrder(Json.parse(again), Json.parse(expected), unknownNames(decode(type, expected)));
    }

    /** To the letter, but for the place of members that a record does not know: they may follow those that it does. */
    private static void assertOrder(Object ours, Object wanted, Set<?> unknown) {
        if (ours instanceof Map<?, ?> members && wanted instanceof Map<?, ?> others) {
            List<Object> order = List.copyOf(others.keySet());
            List<Object> names = List.copyOf(members.keySet());
            List<Integer> stepsBack = IntStream.range(1, names.size())
                    .filter(i -> order.indexOf(names.get(i)) < order.indexOf(names.get(i - 1)))
                    .boxed()
                    .toList();
            assertThat(stepsBack).as("%s for %s", names, order).hasSizeLessThanOrEqualTo(1);
            stepsBack.forEach(i -> assertThat(unknown.containsAll(names.subList(i, names.size())))
                    .as("%s for %s, of which only %s may move", names, order, unknown)
                    .isTrue());
            members.forEach((name, member) -> assertOrder(member, others.get(name), unknown));
        } else if (ours instanceof List<?> elements && wanted instanceof List<?> others) {
            IntStream.range(0, elements.size()).forEach(i -> assertOrder(elements.get(i), others.get(i), unknown));
        }
    }

    /** Returns the names of the members that no record inside the object knows. */
    private static Set<String> unknownNames(Object value) {
        if (value instanceof UnknownFields fields) {
            return tree(fields.toString()).keySet();
        }
        Stream<?> inside = Stream.of();
        if (value instanceof List<?> elements) {
            inside = elements.stream();
        } else if (value instanceof Record) {
            inside = Arrays.stream(value.getClass().getRecordComponents())
                    .map(component -> ReflectionSupport.invokeMethod(component.getAccessor(), value));
        }
        return inside.filter(Objects::nonNull)
                .flatMap(part -> unknownNames(part).stream())
                .collect(Collectors.toSet());
    }

    /** Go refuses it, but a record has no such member, or it is not wrong for us: it is the server's to judge. */
    private static boolean mayPass(String error) {
        // Go finds the type by what the object says of itself; here the caller knows the type, and the object may be
        // silent.
        boolean silent = error.contains("' is missing in '{");
        if (silent || ANY_FRACTION_IS_READ.matcher(error).matches()) {
            return true;
        }
        Matcher field = FIELD.matcher(error);
        return field.matches() && !hasComponent(field.group(1), field.group(2));
    }

    private static boolean hasComponent(String type, String field) {
        try {
            // The conditions of all kinds are one record.
            String name = type.endsWith("Condition") && !type.equals("PodCondition") ? "Condition" : type;
            return Arrays.stream(Class.forName("io.kubeloop.api." + name).getRecordComponents())
                    .anyMatch(component ->
                            component.getName().equalsIgnoreCase(field.equals("ObjectMeta") ? "metadata" : field));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Go drops what it does not know; keeping it as it came is what this codec is for. */
    private static Object withoutUnknown(Object ours, Object wanted, Object kept) {
        if (ours instanceof Map<?, ?> members) {
            Map<Object, Object> left = new TreeMap<>();
            members.forEach((name, member) -> {
                Object other = member(wanted, name);
                if (other != null || !member.equals(member(kept, name))) {
                    left.put(name, withoutUnknown(member, other, member(kept, name)));
                }
            });
            return left;
        }
        if (ours instanceof List<?> elements
                && wanted instanceof List<?> others
                && kept instanceof List<?> raw
                && elements.size() == others.size()
                && elements.size() == raw.size()) {
            return IntStream.range(0, elements.size())
                    .mapToObj(i -> withoutUnknown(elements.get(i), others.get(i), raw.get(i)))
                    .toList();
        }
        return ours;
    }

    private static Object member(Object value, Object name) {
        return value instanceof Map<?, ?> members ? members.get(name) : null;
    }

    /** An object that is no JSON, or says nothing of its type, is read as a pod. */
    private static ResourceType<?> typeOf(String text) {
        try {
            return Json.parse(text) instanceof Map<?, ?> ? type(tree(text)) : ResourceTypes.PODS;
        } catch (UncheckedIOException e) {
            return ResourceTypes.PODS;
        }
    }

    private static String json(String text) {
        return text.matches("(?s)[-#a-z].*")
                ? YamlDocuments.parse("vector", text).get(0).value().toString()
                : text;
    }

    private static ResourceType<?> type(Map<String, Object> tree) {
        for (ResourceType<?> type : ResourceTypes.all()) {
            if (type.kind().equals(tree.get("kind")) && type.apiVersion().equals(tree.get("apiVersion"))) {
                return type;
            }
        }
        String version = String.valueOf(tree.get("apiVersion"));
        return tree.get("kind") instanceof String kind && !kind.isEmpty()
                ? ResourceTypes.generic(
                        version.contains("/") ? version.substring(0, version.indexOf('/')) : "",
                        version.substring(version.indexOf('/') + 1),
                        "things",
                        kind,
                        Scope.NAMESPACED)
                : ResourceTypes.PODS;
    }

    private static <T extends KubeObject> String roundTrip(ResourceType<T> type, String text) {
        return new String(JsonCodec.standard().encode(type, decode(type, text)), StandardCharsets.UTF_8);
    }

    private static <T extends KubeObject> T decode(ResourceType<T> type, String text) {
        return JsonCodec.standard().decode(type, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @SuppressWarnings("unchecked") // the documents are objects
    private static Map<String, Object> tree(String text) {
        return (Map<String, Object>) Objects.requireNonNull(Json.parse(text));
    }

    private static Object withoutZeroValues(Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<Object, Object> left = new TreeMap<>();
            members.forEach((name, member) -> {
                Object pruned = withoutZeroValues(QUANTITIES.contains(name) ? canonical(member) : member);
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

    private static Object canonical(Object quantities) {
        if (!(quantities instanceof Map<?, ?> members)) {
            return quantities;
        }
        Map<Object, Object> canonical = new TreeMap<>();
        members.forEach((name, text) -> canonical.put(
                name,
                Quantity.parse(String.valueOf(text == null ? 0 : text).strip()).canonical()));
        return canonical;
    }

    private static boolean isZero(Object value) {
        return value == null || List.of("", "0", "false", "{}", "[]").contains(value.toString());
    }
}
