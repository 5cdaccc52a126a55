/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.cel.common.ast.CelMutableExpr.CelMutableStruct;
import dev.cel.common.navigation.CelNavigableMutableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The literals of changes, such as <code>Object.spec{replicas: 3}</code> and <code>JSONPatch{op: "remove"}</code>
 * (upstream: {@code apiserver/pkg/cel/mutation}). They are checked as structures: an {@code Object} has fields of any
 * name and type. They are evaluated as calls of a function that makes a map. Static functions only.
 */
final class ChangeLiterals {

    /** The function of a literal, which has a name that no expression can contain. */
    static final String FUNCTION = "@change";

    static final FunctionRow ROW = FunctionRow.global(
            FUNCTION,
            "change_of_map",
            SimpleType.DYN,
            arguments -> new Literal((String) arguments[0], (Map<?, ?>) arguments[1]),
            SimpleType.STRING,
            MapType.create(SimpleType.STRING, SimpleType.DYN));

    private static final String OBJECT = "Object";
    private static final String PATCH = "JSONPatch";
    private static final String VALUE = "value";

    /** Whole numbers from here on are not exact as a double. */
    private static final double LARGEST = 1L << 53;

    /** The fields of a patch that are texts. */
    private static final Set<String> TEXTS = Set.of("op", "path", "from");

    /** The type of a field that a patch does not have; as upstream, its name is empty. */
    private static final CelType NONE = OpaqueType.create("");

    /** The identifiers of new expressions start here, above those of any parser. */
    private static final long FIRST_ID = 1L << 24;

    private ChangeLiterals() {}

    /** A literal with the name of its type. Immutable. */
    private static final class Literal extends AbstractMap<Object, Object> {

        private final String type;
        private final Map<?, ?> fields;

        Literal(String type, Map<?, ?> fields) {
            this.type = type;
            this.fields = fields;
        }

        @Override
        @SuppressWarnings("unchecked") // a map is only read
        public Set<Entry<Object, Object>> entrySet() {
            return ((Map<Object, Object>) fields).entrySet();
        }
    }

    /** Returns the types of the literals, whose fields are all names in the expression, and the other types. */
    static CelTypeProvider types(CelAbstractSyntaxTree parsed, CelTypeProvider others) {
        Set<String> names = new HashSet<>();
        Set<String> literals = new HashSet<>();
        CelNavigableMutableAst.fromAst(CelMutableAst.fromCelAst(parsed))
                .getRoot()
                .allNodes()
                .map(node -> node.expr())
                .forEach(node -> {
                    if (node.getKind() == Kind.STRUCT) {
                        literals.add(node.struct().messageName());
                        node.struct().entries().forEach(field -> names.add(field.fieldKey()));
                    } else if (node.getKind() == Kind.SELECT) {
                        names.add(node.select().field());
                    }
                });
        ImmutableSet<String> fields = ImmutableSet.copyOf(names);
        ImmutableMap.Builder<String, CelType> all = ImmutableMap.builder();
        others.types().forEach(type -> all.put(type.name(), type));
        literals.stream()
                .filter(ChangeLiterals::isChange)
                .forEach(name ->
                        all.put(name, StructType.create(name, fields, field -> Optional.of(fieldType(name, field)))));
        return DeclaredType.provider(all.buildKeepingLast());
    }

    private static CelType fieldType(String type, String field) {
        if (!type.equals(PATCH) || field.equals(VALUE)) {
            return SimpleType.DYN;
        }
        return TEXTS.contains(field) ? SimpleType.STRING : NONE;
    }

    private static boolean isChange(String type) {
        return type.equals(OBJECT) || type.startsWith(OBJECT + ".") || type.equals(PATCH);
    }

    /** Returns the parsed expression with calls in the place of the literals. */
    static CelAbstractSyntaxTree asCalls(CelAbstractSyntaxTree parsed) {
        CelMutableAst ast = CelMutableAst.fromCelAst(parsed);
        List<CelMutableExpr> literals = CelNavigableMutableAst.fromAst(ast)
                .getRoot()
                .allNodes()
                .map(node -> node.expr())
                .filter(node ->
                        node.getKind() == Kind.STRUCT && isChange(node.struct().messageName()))
                .toList();
        long id = FIRST_ID;
        for (CelMutableExpr literal : literals) {
            List<CelMutableMap.Entry> members = new ArrayList<>();
            for (CelMutableStruct.Entry field : literal.struct().entries()) {
                String name = CelNames.unescape(field.fieldKey());
                CelConstant key = CelConstant.ofValue(name == null ? field.fieldKey() : name);
                // members of any type fit together
                CelMutableExpr value = field.optionalEntry()
                        ? field.value()
                        : CelMutableExpr.ofCall(id++, CelMutableCall.create("dyn", field.value()));
                members.add(CelMutableMap.Entry.create(
                        field.id(), CelMutableExpr.ofConstant(id++, key), value, field.optionalEntry()));
            }
            CelConstant type = CelConstant.ofValue(literal.struct().messageName());
            literal.setCall(CelMutableCall.create(
                    FUNCTION,
                    CelMutableExpr.ofConstant(id++, type),
                    CelMutableExpr.ofMap(id++, CelMutableMap.create(members))));
        }
        return CelAbstractSyntaxTree.newParsedAst(ast.toParsedAst().getExpr(), parsed.getSource());
    }

    /**
     * Returns the JSON of a change.
     *
     * @throws ExpressionException if it has none, or the type of a literal is not named after the path to it from the
     *     outermost one
     */
    static JsonValue json(Object change) throws ExpressionException {
        if (!(change instanceof List<?> patches)) {
            check(change);
            return part(change, "", false);
        }
        List<JsonValue> operations = new ArrayList<>();
        for (Object patch : patches) {
            Map<String, JsonValue> operation = new LinkedHashMap<>();
            for (Map.Entry<?, ?> field : ((Map<?, ?>) patch).entrySet()) {
                check(field.getValue());
                operation.put((String) field.getKey(), value(field.getValue()));
            }
            operations.add(JsonObject.of(operation));
        }
        return JsonArray.of(operations);
    }

    /**
     * Returns the JSON of a part of an object.
     *
     * @param isInside whether the value is inside a list or map that is not a literal, where upstream converts literals
     *     and values of variables only
     */
    private static JsonValue part(Object value, String path, boolean isInside) throws ExpressionException {
        boolean isPlain = !(value instanceof Literal || value instanceof ObjectView || value instanceof ListView);
        if (value instanceof Map<?, ?> map) {
            if (isInside && isPlain) {
                throw unconvertible(path, "map", map);
            }
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (Map.Entry<?, ?> member : map.entrySet()) {
                if (!(member.getKey() instanceof String name)) {
                    throw new ExpressionException("invalid return type: *dynamic.ObjectVal");
                }
                members.put(name, part(member.getValue(), path + "." + name, isPlain));
            }
            return JsonObject.of(members);
        }
        if (value instanceof List<?> list) {
            if (isInside && isPlain) {
                throw unconvertible(path, "list", list);
            }
            List<JsonValue> elements = new ArrayList<>();
            for (Object element : list) {
                elements.add(part(element, path + "[" + elements.size() + "]", isPlain));
            }
            return JsonArray.of(elements);
        }
        return value instanceof Long number ? new JsonNumber(number.toString()) : value(value);
    }

    private static ExpressionException unconvertible(String path, String type, Object value) {
        String text = value instanceof Map<?, ?> map
                ? map.entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .sorted()
                        .collect(Collectors.joining(" ", "map[", "]"))
                : ((List<?>) value).stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]"));
        return new ExpressionException("error applying patch: failed to convert patch object to typed object: " + path
                + ": expected " + type + ", got &{" + text + "}");
    }

    /** Returns the JSON of a value as in protocol buffers: of times their texts, of numbers beyond 2^53 too. */
    private static JsonValue value(Object value) throws ExpressionException {
        if (value instanceof Optional<?> optional) {
            return optional.isPresent() ? value(optional.get()) : JsonNull.NULL;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (Map.Entry<?, ?> member : map.entrySet()) {
                if (!(member.getKey() instanceof String name)) {
                    throw unmarshallable("unsupported type conversion from '" + ErrorTexts.typeName(member.getKey())
                            + "' to string");
                }
                members.put(name, value(member.getValue()));
            }
            return JsonObject.of(members);
        }
        if (value instanceof List<?> list) {
            List<JsonValue> elements = new ArrayList<>();
            for (Object element : list) {
                elements.add(value(element));
            }
            return JsonArray.of(elements);
        }
        if (value instanceof Boolean bool) {
            return JsonBoolean.of(bool);
        }
        if (value instanceof CelByteString bytes) {
            return new JsonString(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        }
        if (value instanceof Double number) {
            boolean isWhole = number == Math.rint(number) && Math.abs(number) < LARGEST;
            return new JsonNumber(isWhole ? Long.toString(number.longValue()) : number.toString());
        }
        if (value instanceof Long || value instanceof UnsignedLong) {
            boolean isExact = Math.abs(((Number) value).doubleValue()) < LARGEST;
            return isExact ? new JsonNumber(value.toString()) : new JsonString(value.toString());
        }
        if (value instanceof Duration duration) {
            return new JsonString(Conversions.text(duration));
        }
        if (value instanceof String || value instanceof Instant) {
            return new JsonString(value.toString());
        }
        if (value == NullValue.NULL_VALUE) {
            return JsonNull.NULL;
        }
        throw unmarshallable(
                value instanceof CelType
                        ? "type conversion not supported for 'type'"
                        : "type conversion error from '" + value.getClass().getSimpleName() + "' to '*structpb.Value'");
    }

    private static ExpressionException unmarshallable(String why) {
        return new ExpressionException(
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: " + why);
    }

    private static void check(Object value) throws ExpressionException {
        List<String> errors = new ArrayList<>();
        if (value instanceof Literal literal) {
            check(literal, literal.type, errors);
        }
        if (!errors.isEmpty()) {
            throw new ExpressionException("type mismatch: " + String.join("\n", errors));
        }
    }

    private static void check(Object value, String path, List<String> errors) {
        if (value instanceof Literal literal) {
            if (!literal.type.equals(path)) {
                errors.add("unexpected type name \"" + literal.type + "\", expected \"" + path
                        + "\", which matches field name path from root Object type");
            }
            literal.forEach((name, field) -> check(field, path + "." + name, errors));
        } else if (value instanceof Collection<?> list) {
            list.forEach(element -> check(element, path, errors));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(element -> check(element, path, errors));
        }
    }
}
