/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts an object to the form in which kube-apiserver returns it: with the defaults of every type in it, without
 * unknown fields, and with zero values as Go encodes them (upstream: {@code SetObjectDefaults_} functions, {@code
 * encoding/json}).
 *
 * <p>The walk follows the schema, so a type has its defaults wherever it occurs. {@link DefaultsTable} lists the
 * defaults. For each struct it first normalizes the values, then runs the function of the type, then sets the values of
 * the table, and then continues with the members. Values of another type than the schema's are kept for the check of
 * types to report.
 *
 * <p>The cost is linear in the size of the object. Thread-safe.
 */
public final class TypeDefaults {

    /** The plans of the structs that have been used, by identity. */
    private static final Map<StructSchema, Plan> PLANS = new ConcurrentHashMap<>();

    /** The default actions for the members of a struct. */
    private record Plan(
            Map<String, Member> members, @Nullable TypeSchema others, UnaryOperator<JsonObject> function) {}

    /**
     * The default actions for one member.
     *
     * @param initial its default; null for none
     * @param absent the JSON that Go encodes for an absent value; null if it omits the member
     * @param valueStruct whether Go always has the struct, which then gets its own defaults
     */
    private record Member(
            Field field,
            @Nullable JsonValue initial,
            @Nullable JsonValue absent,
            @Nullable StructSchema valueStruct) {

        /** Returns whether Go cannot tell this value from an absent one. */
        boolean isUnset(@Nullable JsonValue value) {
            return value == null
                    || value == JsonNull.NULL
                    || (!field.go().pointer() && GoValues.isZero(field.type(), value));
        }

        /**
         * Returns whether a client owns an empty list or map of this field: one that Go encodes even if it is empty. It
         * is stored as an absent one.
         */
        boolean isOwnedEmpty(JsonValue value) {
            return absent == JsonNull.NULL
                    && ((value instanceof JsonArray array && array.isEmpty())
                            || (value instanceof JsonObject object && object.isEmpty()));
        }
    }

    private TypeDefaults() {}

    /** Returns the object in the form of the server, with its members in the order of Go. */
    public static JsonObject apply(StructSchema type, JsonObject object) {
        return struct(type, object, true);
    }

    /** Returns the object in the form of the server, but without further defaults. */
    public static JsonObject normalize(StructSchema type, JsonObject object) {
        return struct(type, object, false);
    }

    /**
     * Returns whether an object with defaults has an empty list or map that {@link #normalize} replaces by {@code
     * null}.
     */
    public static boolean hasOwnedEmpty(StructSchema type, JsonObject object) {
        Plan plan = PLANS.computeIfAbsent(type, TypeDefaults::plan);
        for (Map.Entry<String, JsonValue> entry : object.members().entrySet()) {
            Member member = plan.members().get(entry.getKey());
            if (member != null
                    && (member.isOwnedEmpty(entry.getValue())
                            || hasOwnedEmpty(member.field().type(), entry.getValue()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasOwnedEmpty(TypeSchema type, JsonValue value) {
        if (type instanceof StructSchema struct) {
            return value instanceof JsonObject object && hasOwnedEmpty(struct, object);
        }
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            return list.elements() instanceof StructSchema
                    && array.elements().stream().anyMatch(element -> hasOwnedEmpty(list.elements(), element));
        }
        return type instanceof TypeSchema.MapOf map
                && value instanceof JsonObject object
                && map.values() instanceof StructSchema
                && object.members().values().stream().anyMatch(element -> hasOwnedEmpty(map.values(), element));
    }

    private static JsonObject struct(StructSchema type, JsonObject object, boolean withDefaults) {
        Plan plan = PLANS.computeIfAbsent(type, TypeDefaults::plan);
        JsonObject known = known(plan, object, withDefaults);
        JsonObject completed = withDefaults ? withInitials(plan, plan.function().apply(known)) : known;
        JsonObject.Builder result = JsonObject.builder();
        for (Member member : plan.members().values()) {
            JsonValue value = completed.get(member.field().name());
            if (value == null) {
                complete(member, result, withDefaults);
            } else {
                result.put(member.field().name(), value(member.field().type(), value, withDefaults));
            }
        }
        completed.members().forEach((name, value) -> {
            if (!plan.members().containsKey(name)) {
                result.put(name, plan.others() == null ? value : value(plan.others(), value, withDefaults));
            }
        });
        return result.build();
    }

    /**
     * Returns the known members with their scalars in canonical form, without those that Go cannot tell from absent
     * ones.
     */
    private static JsonObject known(Plan plan, JsonObject object, boolean keepsEmpty) {
        Map<String, JsonValue> known = new LinkedHashMap<>();
        object.members().forEach((name, value) -> {
            Member member = plan.members().get(name);
            if (member == null) {
                if (plan.others() != null) {
                    known.put(name, value);
                }
            } else if (!member.isUnset(value) || (keepsEmpty && member.isOwnedEmpty(value))) {
                known.put(name, GoValues.canonical(member.field(), value));
            }
        });
        return JsonObject.of(known);
    }

    private static JsonObject withInitials(Plan plan, JsonObject object) {
        JsonObject result = object;
        for (Member member : plan.members().values()) {
            String name = member.field().name();
            if (member.initial() != null && member.isUnset(result.get(name))) {
                result = result.with(name, member.initial());
            }
        }
        return result;
    }

    private static void complete(Member member, JsonObject.Builder result, boolean withDefaults) {
        String name = member.field().name();
        if (member.valueStruct() != null) {
            JsonObject inner = struct(member.valueStruct(), JsonObject.EMPTY, withDefaults);
            if (!inner.isEmpty() || !member.field().go().omitsZero()) {
                result.put(name, inner);
            }
        } else if (member.absent() != null) {
            result.put(name, member.absent());
        }
    }

    private static JsonValue value(TypeSchema type, JsonValue value, boolean withDefaults) {
        if (type instanceof StructSchema struct) {
            return value instanceof JsonObject object ? struct(struct, object, withDefaults) : value;
        }
        if (type instanceof TypeSchema.ListOf list && value instanceof JsonArray array) {
            if (list.elements() instanceof TypeSchema.Scalar || list.elements() instanceof TypeSchema.Any) {
                return value;
            }
            List<JsonValue> elements = new ArrayList<>(array.size());
            for (JsonValue element : array) {
                elements.add(value(list.elements(), element, withDefaults));
            }
            return JsonArray.of(elements);
        }
        if (type instanceof TypeSchema.MapOf map
                && !(map.values() instanceof TypeSchema.Scalar)
                && value instanceof JsonObject object) {
            Map<String, JsonValue> values = new LinkedHashMap<>();
            object.members().forEach((key, element) -> values.put(key, value(map.values(), element, withDefaults)));
            return JsonObject.of(values);
        }
        if (type instanceof TypeSchema.MapOf && value instanceof JsonObject object) {
            return sorted(object);
        }
        return value;
    }

    /** Returns a map with its keys in order, as Go encodes it. */
    static JsonObject sorted(JsonObject map) {
        String last = "";
        for (String key : map.members().keySet()) {
            if (key.compareTo(last) < 0) {
                return JsonObject.of(new TreeMap<>(map.members()));
            }
            last = key;
        }
        return map;
    }

    private static Plan plan(StructSchema type) {
        Map<String, JsonValue> table = DefaultsTable.values(type.name());
        Map<String, Member> members = new LinkedHashMap<>();
        for (Field field : type.fields().values()) {
            JsonValue initial = table.getOrDefault(field.name(), initial(field));
            boolean isStruct =
                    field.type() instanceof StructSchema && !field.go().pointer();
            members.put(
                    field.name(),
                    new Member(
                            field,
                            initial,
                            isStruct ? null : GoValues.ofAbsent(field),
                            isStruct ? (StructSchema) field.type() : null));
        }
        return new Plan(members, type.others(), DefaultsTable.function(type.name()));
    }

    /** Returns the default that the schema states; null if it is Go's zero value of a field that is no pointer. */
    private static @Nullable JsonValue initial(Field field) {
        JsonValue initial = field.initial();
        return initial == null || (!field.go().pointer() && GoValues.isZero(field.type(), initial)) ? null : initial;
    }
}
