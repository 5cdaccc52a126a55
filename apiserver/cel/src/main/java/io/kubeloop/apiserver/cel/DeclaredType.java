/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The type of a variable (upstream: {@code apiserver/pkg/cel/common/schemas.go}). Immutable.
 *
 * @param type CEL's type
 * @param schema the schema of the values; null if they are plain JSON
 * @param objects the types of the objects inside, which CEL finds by name
 */
record DeclaredType(CelType type, @Nullable JsonObject schema, List<StructType> objects)
        implements ExpressionCompiler.Type {

    private static final String OBJECT = "object";
    private static final String STRING = "string";

    /** Returns the type of the values of a schema; empty if expressions cannot use them. */
    static Optional<DeclaredType> of(String name, JsonObject schema, boolean resource) {
        JsonObject whole = resource ? CelSchemas.withObjectMeta(schema) : schema;
        List<StructType> objects = new ArrayList<>();
        CelType type = read(whole, name, objects);
        return type == null ? Optional.empty() : Optional.of(new DeclaredType(type, whole, objects));
    }

    /** Returns the type of plain JSON objects with these properties. */
    static DeclaredType object(String name, Map<String, DeclaredType> properties) {
        Map<String, CelType> fields = new HashMap<>();
        List<StructType> objects = new ArrayList<>();
        properties.forEach((property, type) -> {
            fields.put(property, type.type());
            objects.addAll(type.objects());
        });
        StructType type = struct(name, fields);
        objects.add(type);
        return new DeclaredType(type, null, objects);
    }

    /**
     * Returns the type of a variable with the results of an expression: simple values, lists and maps of them. Other
     * results, such as objects, are checked at run time only (upstream: {@code convertCelTypeToDeclType}).
     */
    static CelType ofResults(CelType type) {
        if (type instanceof ListType list) {
            return ListType.create(ofResults(list.elemType()));
        }
        if (type instanceof MapType map) {
            return MapType.create(ofResults(map.keyType()), ofResults(map.valueType()));
        }
        return type instanceof SimpleType ? type : SimpleType.DYN;
    }

    DeclaredType optional() {
        return new DeclaredType(OptionalType.create(type), schema, objects);
    }

    private static @Nullable CelType read(JsonObject schema, String name, List<StructType> objects) {
        if (CelSchemas.isIntOrString(schema)) {
            return SimpleType.DYN;
        }
        return switch (schema.string("type")) {
            case "array" -> {
                CelType items = child(schema.get("items"), name + ".@idx", objects);
                yield items == null ? null : ListType.create(items);
            }
            case OBJECT -> object(schema, name, objects);
            case STRING ->
                switch (schema.string("format")) {
                    case "byte" -> SimpleType.BYTES;
                    case "duration" -> SimpleType.DURATION;
                    case "date", "date-time" -> SimpleType.TIMESTAMP;
                    default -> SimpleType.STRING;
                };
            case "boolean" -> SimpleType.BOOL;
            case "number" -> SimpleType.DOUBLE;
            case "integer" -> SimpleType.INT;
            default -> null;
        };
    }

    private static @Nullable CelType child(@Nullable Object schema, String name, List<StructType> objects) {
        return schema instanceof JsonObject some ? read(CelSchemas.embedded(some), name, objects) : null;
    }

    private static @Nullable CelType object(JsonObject schema, String name, List<StructType> objects) {
        if (schema.get("additionalProperties") instanceof JsonObject additional) {
            CelType values = child(additional, name + ".@elem", objects);
            return values == null ? null : MapType.create(SimpleType.STRING, values);
        }
        Map<String, CelType> fields = new HashMap<>();
        schema.object("properties").members().forEach((property, below) -> {
            String escaped = CelNames.escape(property);
            CelType type = child(below, name + "." + property, objects);
            if (escaped != null && type != null) {
                fields.put(escaped, type);
                if (CelNames.isReserved(property)) {
                    fields.put(property, type); // a keyword of CEL is a name behind a dot
                }
            }
        });
        StructType type = struct(name, fields);
        objects.add(type);
        return type;
    }

    private static StructType struct(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> known = ImmutableMap.copyOf(fields);
        return StructType.create(name, known.keySet(), field -> Optional.ofNullable(known.get(field)));
    }

    /** Returns the type provider in which CEL looks up the types of objects. */
    static CelTypeProvider provider(Collection<DeclaredType> types) {
        ImmutableMap.Builder<String, CelType> named = ImmutableMap.builder();
        types.forEach(type -> type.objects().forEach(object -> named.put(object.name(), object)));
        return provider(named.buildKeepingLast());
    }

    static CelTypeProvider provider(ImmutableMap<String, CelType> byName) {
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return byName.values();
            }

            @Override
            public Optional<CelType> findType(String name) {
                return Optional.ofNullable(byName.get(name));
            }
        };
    }
}
