/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.StructSchema.GoField;
import io.kubeloop.json.schema.StructSchema.PatchStrategy;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.ListType;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of the types of one package.
 *
 * <p>A field is {@code PATH NAME TYPE WORD...}. The path has the numbers of {@link GoField#path()} with dots between,
 * or is {@code -}. After the name follow {@code *} for a pointer, {@code ?} and {@code 0} if JSON omits empty and zero
 * values, and {@code !} for a required field. The type is a scalar, {@code any}, the name of a struct or alias (without
 * the package if it is the same), {@code []T} for a list ({@code [atomic]}, {@code [set]} or {@code [KEY,KEY]} if its
 * list type is declared), or {@code {}T} for a map (with the name of its key's type, if it has one, within the braces).
 *
 * <p>The words are {@code wrapped} and {@code in=NAME.NAME} (see {@link GoField}), {@code atomic} or {@code granular}
 * for the map type that the field declares, {@code patch=STRATEGY,STRATEGY:KEY}, and {@code default=JSON} where the
 * default differs from Go's zero value. Immutable.
 */
final class FieldText {

    private static final TypeSchema ANY = new TypeSchema.Any();

    private static final Map<String, TypeSchema> PLAIN = Map.ofEntries(
            Map.entry("string", Scalar.STRING),
            Map.entry("bytes", Scalar.BYTES),
            Map.entry("int32", Scalar.INT32),
            Map.entry("int64", Scalar.INT64),
            Map.entry("number", Scalar.NUMBER),
            Map.entry("boolean", Scalar.BOOLEAN),
            Map.entry("time", Scalar.TIME),
            Map.entry("microTime", Scalar.MICRO_TIME),
            Map.entry("duration", Scalar.DURATION),
            Map.entry("quantity", Scalar.QUANTITY),
            Map.entry("intOrString", Scalar.INT_OR_STRING),
            Map.entry("any", ANY));

    private static final JsonString EMPTY_STRING = new JsonString("");
    private static final JsonNumber NOUGHT = JsonNumber.of(0);

    /** The fields of every object; they have no number, because the envelope holds them in protocol buffers. */
    static final Field API_VERSION = typeMeta("apiVersion");

    static final Field KIND = typeMeta("kind");

    private final TypeText types;
    private final String inPackage;

    /**
     * A type as the text names it.
     *
     * @param type the type
     * @param go its name in Go; empty if the schema determines it
     * @param allowed the values that strings may have
     */
    record Typed(TypeSchema type, String go, List<String> allowed) {

        String goName() {
            return go.isEmpty() ? GoTypes.name(type) : go;
        }
    }

    FieldText(TypeText types, String inPackage) {
        this.types = types;
        this.inPackage = inPackage;
    }

    private static Field typeMeta(String name) {
        GoField go = new GoField(List.of(), List.of("TypeMeta"), false, true, false, false, "");
        return new Field(name, Scalar.STRING, false, null, List.of(), PatchStrategy.DEFAULT, go);
    }

    Field field(String line) {
        String[] words = line.split(" ", 4);
        String name = words[1];
        int end = name.length();
        while ("*?0!".indexOf(name.charAt(end - 1)) >= 0) {
            end--;
        }
        String flags = name.substring(end);
        boolean pointer = flags.indexOf('*') >= 0;
        boolean omitsEmpty = flags.indexOf('?') >= 0;
        Typed typed = typed(words[2]);
        TypeSchema type = typed.type;
        boolean wrapped = false;
        List<String> embedded = List.of();
        PatchStrategy patch = PatchStrategy.DEFAULT;
        JsonValue initial = pointer ? null : zero(type, omitsEmpty);
        for (String rest = words.length < 4 ? "" : words[3]; !rest.isEmpty(); ) {
            int space = rest.startsWith("default=") ? -1 : rest.indexOf(' ');
            String word = space < 0 ? rest : rest.substring(0, space);
            rest = space < 0 ? "" : rest.substring(space + 1);
            if (word.startsWith("default=")) {
                initial = JsonValue.parse(word.substring("default=".length()));
            } else if (word.startsWith("patch=")) {
                patch = patch(word.substring("patch=".length()));
            } else if (word.startsWith("in=")) {
                embedded = List.of(word.substring("in=".length()).split("\\.", -1));
            } else if (word.equals("wrapped")) {
                wrapped = true;
            } else {
                type = withMapType(type, word.equals("atomic"));
            }
        }
        boolean omitsZero = flags.indexOf('0') >= 0;
        GoField go = new GoField(path(words[0]), embedded, pointer, omitsEmpty, omitsZero, wrapped, typed.go);
        return new Field(name.substring(0, end), type, flags.indexOf('!') >= 0, initial, typed.allowed, patch, go);
    }

    private static List<Integer> path(String word) {
        if (word.equals("-")) {
            return List.of();
        }
        if (word.indexOf('.') < 0) {
            return List.of(Integer.valueOf(word));
        }
        List<Integer> path = new ArrayList<>();
        for (String number : word.split("\\.", -1)) {
            path.add(Integer.valueOf(number));
        }
        return path;
    }

    private static PatchStrategy patch(String word) {
        int colon = word.indexOf(':');
        String strategies = colon < 0 ? word : word.substring(0, colon);
        return new PatchStrategy(
                strategies.isEmpty() ? List.of() : List.of(strategies.split(",", -1)),
                colon < 0 ? "" : word.substring(colon + 1));
    }

    private static TypeSchema withMapType(TypeSchema type, boolean atomic) {
        if (type instanceof StructSchema struct) {
            return struct.withAtomic(atomic);
        }
        return type instanceof MapOf map ? new MapOf(map.values(), atomic, true) : type;
    }

    /** Returns Go's zero value, if OpenAPI documents show it as the default. */
    private static @Nullable JsonValue zero(TypeSchema type, boolean omitsEmpty) {
        if (type instanceof StructSchema) {
            return JsonObject.EMPTY;
        }
        if (omitsEmpty || !(type instanceof Scalar scalar)) {
            return null;
        }
        return switch (scalar) {
            case STRING -> EMPTY_STRING;
            case INT32, INT64, NUMBER -> NOUGHT;
            case BOOLEAN -> JsonBoolean.FALSE;
            case BYTES, TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING -> null;
        };
    }

    /** Reads a type. */
    Typed typed(String word) {
        char first = word.charAt(0);
        if (first == '[') {
            int end = word.indexOf(']');
            Typed elements = typed(word.substring(end + 1));
            String go = elements.go.isEmpty() ? "" : "[]" + elements.go;
            return new Typed(list(elements.type, word.substring(1, end)), go, elements.allowed);
        }
        if (first == '{') {
            int end = word.indexOf('}');
            Typed values = typed(word.substring(end + 1));
            String key = word.substring(1, end);
            boolean derived = key.isEmpty() && values.go.isEmpty();
            String keyName = key.isEmpty() ? "string" : GoTypes.qualified(fullName(key));
            String go = derived ? "" : "map[" + keyName + "]" + values.goName();
            return new Typed(new MapOf(values.type, false), go, values.allowed);
        }
        TypeSchema plain = PLAIN.get(word);
        if (plain != null) {
            return new Typed(plain, "", List.of());
        }
        String name = fullName(word);
        StructSchema struct = types.named(name);
        if (struct != null) {
            return new Typed(struct, "", List.of());
        }
        TypeText.Alias alias = types.alias(name);
        if (alias == null) {
            throw new IllegalStateException("the schema uses " + name + " without defining it");
        }
        String go = GoTypes.qualified(name);
        TypeSchema type = alias.typed().type;
        return type instanceof TypeSchema.Any
                ? new Typed(new TypeSchema.Any(go), "", List.of())
                : new Typed(type, go, alias.allowed());
    }

    private String fullName(String word) {
        return word.indexOf('.') < 0 ? inPackage + "." + word : word;
    }

    private static ListOf list(TypeSchema elements, String kind) {
        return switch (kind) {
            case "" -> new ListOf(elements, ListType.ATOMIC, List.of(), false);
            case "atomic" -> new ListOf(elements, ListType.ATOMIC, List.of());
            case "set" -> new ListOf(elements, ListType.SET, List.of());
            default -> new ListOf(elements, ListType.MAP, List.of(kind.split(",", -1)));
        };
    }
}
