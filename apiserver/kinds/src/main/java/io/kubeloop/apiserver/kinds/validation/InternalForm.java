/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The form in which upstream's messages show structs: the JSON of its internal Go types. They have no tags, so that the
 * JSON has the Go names of all fields, in the order of their declaration, and every zero value.
 */
public final class InternalForm {

    /** Abbreviations that Go writes in capitals at the beginning of a name. */
    private static final Pattern ABBREVIATION = Pattern.compile(
            "^(api|uid|ip|http|https|tcp|dns|fs|aws|gce|nfs|iscsi|rbd|csi|fc|os|tls|url|id|pd|grpc|wwids|tty|cel|cidr)"
                    + "([A-Z]|s$|s[A-Z]|$)");

    /** The Go names of the fields of those types that differ from their versioned form, by type. */
    private static final Map<String, List<String>> ORDER = read();

    /** Fields of a pod spec that the internal type has in the security context. */
    private static final List<String> OF_HOST =
            List.of("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers");

    /** The names of fields in documents that differ from their internal names in more than capitals. */
    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("BoolValue", "bool"),
            Map.entry("BoolValues", "bools"),
            Map.entry("CephMonitors", "monitors"),
            Map.entry("DataDiskURI", "diskURI"),
            Map.entry("DiscoveryCHAPAuth", "chapAuthDiscovery"),
            Map.entry("EndpointsName", "endpoints"),
            Map.entry("IntValue", "int"),
            Map.entry("IntValues", "ints"),
            Map.entry("RBDImage", "image"),
            Map.entry("RBDPool", "pool"),
            Map.entry("RadosUser", "user"),
            Map.entry("SessionCHAPAuth", "chapAuthSession"),
            Map.entry("StringValue", "string"),
            Map.entry("StringValues", "strings"),
            Map.entry("VersionValue", "version"),
            Map.entry("VersionValues", "versions"));

    private static final String POD_SPEC = "core.v1.PodSpec";

    private InternalForm() {}

    private static Map<String, List<String>> read() {
        Map<String, List<String>> order = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(InternalForm.class.getResourceAsStream("internal.types"))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                List<String> words = List.of(line.split(" ", -1));
                order.put(words.get(0), words.subList(1, words.size()));
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read internal.types", e);
        }
        return Map.copyOf(order);
    }

    /** Returns the cursor with its object in this form; null stays null. */
    public static FieldCursor shown(String type, FieldCursor field) {
        return field.value() == null ? field : field.holding(of(type, field.shownObject()));
    }

    /**
     * Returns an object in this form.
     *
     * @param type the name of its type in the catalog
     */
    public static JsonObject of(String type, JsonObject object) {
        return struct(Objects.requireNonNull(TypeCatalog.kubernetes().named(type), type), object);
    }

    private static JsonObject struct(StructSchema type, JsonObject object) {
        if (type.name().startsWith("meta.v1.")) {
            return ordered(type, object); // the common types have no internal form
        }
        JsonObject source = type.name().equals(POD_SPEC) ? withHost(object) : object;
        JsonObject.Builder shown = JsonObject.builder();
        Field metadata = type.field("metadata");
        if (metadata != null && metadata.type() instanceof StructSchema common) {
            ordered(common, source.object("metadata")).members().forEach(shown::put); // Go embeds the metadata
        }
        fields(type).forEach((name, field) -> {
            if (!field.name().equals("metadata")) {
                shown.put(name, value(field.type(), field.go().pointer(), source.get(field.name())));
            }
        });
        return shown.build();
    }

    /**
     * Returns the object with its fields in the order of their declaration; the tags of the common types omit empty
     * ones.
     */
    private static JsonObject ordered(StructSchema type, JsonObject object) {
        JsonObject.Builder shown = JsonObject.builder();
        declared(type).forEach(field -> {
            JsonValue value = object.get(field.name());
            if (value != null && !value.equals(JsonObject.EMPTY) && !value.equals(JsonArray.EMPTY)) {
                shown.put(field.name(), value(field.type(), true, value));
            }
        });
        return shown.build();
    }

    private static List<Field> declared(StructSchema type) {
        return type.fields().values().stream()
                .sorted(Comparator.comparing((Field field) -> field.go().path(), InternalForm::compare))
                .toList();
    }

    private static JsonObject withHost(JsonObject spec) {
        JsonObject context = spec.object("securityContext");
        for (String field : OF_HOST) {
            JsonValue value = spec.get(field);
            context = value == null ? context : context.with(field, value);
        }
        return spec.has("securityContext") ? spec.with("securityContext", context) : spec;
    }

    /** Returns the fields by their Go names, in the order of their declaration. */
    private static Map<String, Field> fields(StructSchema type) {
        Map<String, Field> fields = new LinkedHashMap<>();
        List<String> order = ORDER.get(type.name());
        if (order == null) {
            declared(type).forEach(field -> fields.put(goName(field.name()), field));
            return fields;
        }
        for (String name : order) {
            Field field = named(type, name);
            if (field == null && type.name().equals("core.v1.PodSecurityContext")) {
                field = named(Objects.requireNonNull(TypeCatalog.kubernetes().named(POD_SPEC)), name);
            }
            if (field != null) {
                fields.put(name, field);
            }
        }
        return fields;
    }

    private static @Nullable Field named(StructSchema type, String goName) {
        return type.fields().values().stream()
                .filter(field -> field.name().equalsIgnoreCase(goName))
                .findFirst()
                .orElse(type.field(RENAMED.getOrDefault(goName, "")));
    }

    private static int compare(List<Integer> one, List<Integer> two) {
        for (int i = 0; i < Math.min(one.size(), two.size()); i++) {
            int order = Integer.compare(one.get(i), two.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), two.size());
    }

    private static String goName(String name) {
        var abbreviation = ABBREVIATION.matcher(name);
        if (abbreviation.find()) {
            String capitals = abbreviation.group(1).toUpperCase(Locale.ROOT);
            return capitals + name.substring(abbreviation.end(1));
        }
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private static JsonValue value(TypeSchema type, boolean pointer, @Nullable JsonValue value) {
        if (value == null || value == JsonNull.NULL) {
            return pointer ? JsonNull.NULL : zero(type);
        }
        if (type instanceof StructSchema struct && value instanceof JsonObject object) {
            return struct(struct, object);
        }
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            List<JsonValue> elements = new ArrayList<>();
            array.forEach(element -> elements.add(value(list.elements(), false, element)));
            return JsonArray.of(elements);
        }
        return type instanceof TypeSchema.MapOf && value instanceof JsonObject object
                ? JsonObject.of(new TreeMap<>(object.members()))
                : value;
    }

    private static JsonValue zero(TypeSchema type) {
        if (type instanceof StructSchema struct) {
            return struct(struct, JsonObject.EMPTY);
        }
        if (!(type instanceof Scalar scalar)) {
            return JsonNull.NULL;
        }
        return switch (scalar) {
            case STRING -> new JsonString("");
            case INT32, INT64, NUMBER, INT_OR_STRING -> JsonNumber.of(0);
            case BOOLEAN -> JsonBoolean.FALSE;
            case QUANTITY -> new JsonString("0");
            case DURATION -> new JsonString("0s");
            case BYTES, TIME, MICRO_TIME -> JsonNull.NULL;
        };
    }
}
