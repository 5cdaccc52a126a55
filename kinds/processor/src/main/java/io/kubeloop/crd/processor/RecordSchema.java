/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.crd.processor.Mark.InvalidSourceException;
import io.kubeloop.crd.processor.Mark.Origin;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * Makes the schema of a record, and finds its columns and selectable fields. Used for one record of a kind.
 *
 * <p>The types of components are those that the codec of api-json reads and writes.
 */
final class RecordSchema {

    private static final String API = "io.kubeloop.api.";
    private static final String UNKNOWN_FIELDS = API + "UnknownFields";
    private static final String OBJECT_META = API + "ObjectMeta";
    private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
    private static final String EMBEDDED = "x-kubernetes-embedded-resource";

    private static final String SUPPORTED = "supported are String, int, long, boolean, their boxes, Time, MicroTime,"
            + " IntOrString, records, List<String>, List<Integer>, List<record>, Map<String, String> and"
            + " Map<String, record>";

    /** Types that are no JSON object, with type and format. */
    private static final Map<String, List<String>> SCALARS = Map.of(
            "java.lang.String",
            List.of("string", ""),
            "int",
            List.of("integer", "int32"),
            "java.lang.Integer",
            List.of("integer", "int32"),
            "long",
            List.of("integer", "int64"),
            "java.lang.Long",
            List.of("integer", "int64"),
            "boolean",
            List.of("boolean", ""),
            "java.lang.Boolean",
            List.of("boolean", ""),
            API + "Time",
            List.of("string", "date-time"),
            API + "MicroTime",
            List.of("string", "date-time"));

    /** The records of api-model that have every field of their type, with the required ones. Others are excerpts. */
    private static final Map<String, List<String>> COMPLETE = Map.of(
            API + "Condition", List.of("status", "type"),
            API + "selector.LabelSelector", List.of(),
            API + "selector.LabelSelectorRequirement", List.of("key", "operator"));

    private final Elements elements;
    private final Map<String, Origin> origins = new TreeMap<>();
    private final List<JsonObject> columns = new ArrayList<>();
    private final List<JsonObject> selectable = new ArrayList<>();

    /** The records around the present one, outermost first, and the components that lead to them. */
    private final List<String> around = new ArrayList<>();

    private final List<String> trail = new ArrayList<>();

    private RecordSchema(Elements elements) {
        this.elements = elements;
    }

    /**
     * A schema with what was found in the record.
     *
     * @param schema the schema
     * @param columns the printer columns
     * @param selectable the selectable fields
     * @param origins the places in the source by path; paths begin at the schema
     */
    record Result(
            JsonObject schema, List<JsonObject> columns, List<JsonObject> selectable, Map<String, Origin> origins) {}

    /**
     * The place of a value.
     *
     * @param schema the path of its schema
     * @param json the path of the value in an object; null inside of a list or map, where there are many
     */
    private record Place(String schema, @Nullable String json) {

        Place property(String name) {
            return new Place(schema + ".properties[" + name + "]", json == null ? null : json + "." + name);
        }

        Place each(String keyword) {
            return new Place(schema + "." + keyword, null);
        }
    }

    static Result of(TypeElement record, Elements elements) throws InvalidSourceException {
        RecordSchema walk = new RecordSchema(elements);
        Place root = new Place("", "");
        Map<String, JsonValue> schema = walk.object(record, root, true);
        describe(schema, JavadocText.main(elements.getDocComment(record)));
        walk.constrain(schema, Mark.of(record), root);
        for (Mark mark : Mark.of(record)) {
            if (mark.name().equals(Mark.SCHEMA + "PrinterColumn")) {
                walk.column(mark, "", JsonObject.of(schema), "");
            }
        }
        return new Result(JsonObject.of(schema), walk.columns, walk.selectable, walk.origins);
    }

    private static String qualifiedName(TypeElement type) {
        return type.getQualifiedName().toString();
    }

    private Map<String, JsonValue> object(TypeElement record, Place place, boolean isRoot)
            throws InvalidSourceException {
        String name = qualifiedName(record);
        origins.putIfAbsent(place.schema, new Origin(record, null));
        trail.add(record.getSimpleName().toString());
        if (around.contains(name)) {
            throw new InvalidSourceException(
                    new Origin(record, null),
                    "a schema cannot be recursive: " + String.join(".", trail) + "; leave the component out to keep"
                            + " its JSON in the UnknownFields, with @PreserveUnknownFields");
        }
        around.add(name);
        Map<String, String> documentation = JavadocText.parameters(elements.getDocComment(record));
        JsonObject.Builder properties = JsonObject.builder();
        Set<String> required = new LinkedHashSet<>();
        boolean keepsUnknown = false;
        boolean preserves = name.startsWith(API) && !COMPLETE.containsKey(name);
        for (RecordComponentElement component : record.getRecordComponents()) {
            List<Mark> marks = Mark.of(component);
            if (typeName(component.asType()).equals(UNKNOWN_FIELDS)) {
                keepsUnknown = true;
                preserves |= Mark.find(marks, Mark.SCHEMA + "PreserveUnknownFields") != null;
                continue;
            }
            String member = memberName(component, marks);
            if (isRoot && Set.of("apiVersion", "kind", "metadata").contains(member)) {
                continue;
            }
            trail.add(component.getSimpleName().toString());
            JsonObject schema = component(component, marks, place.property(member), documentation);
            trail.remove(trail.size() - 1);
            properties.put(member, schema);
            addRequired(component, member, marks, required);
        }
        if (!keepsUnknown) {
            throw new InvalidSourceException(
                    new Origin(record, null),
                    "the record " + record.getSimpleName()
                            + " needs a component \"UnknownFields unknownFields\": without"
                            + " it, writing an object back would lose the members that have no component");
        }
        required.addAll(COMPLETE.getOrDefault(name, List.of()));
        around.remove(around.size() - 1);
        trail.remove(trail.size() - 1);
        return objectOf(properties.build(), required, preserves);
    }

    private static Map<String, JsonValue> schema(String type, String format) {
        Map<String, JsonValue> schema = new TreeMap<>(Map.of("type", new JsonString(type)));
        if (!format.isEmpty()) {
            schema.put("format", new JsonString(format));
        }
        return schema;
    }

    private static Map<String, JsonValue> objectOf(JsonObject properties, Set<String> required, boolean preserves) {
        Map<String, JsonValue> schema = schema("object", "");
        if (!properties.isEmpty()) {
            schema.put("properties", properties);
        }
        if (!required.isEmpty()) {
            schema.put(
                    "required", JsonArray.ofStrings(required.stream().sorted().toList()));
        }
        if (preserves) {
            schema.put(PRESERVE, JsonBoolean.TRUE);
        }
        return schema;
    }

    private static void addRequired(
            RecordComponentElement component, String member, List<Mark> marks, Set<String> required)
            throws InvalidSourceException {
        Mark stated = marks.stream().filter(Constraints::isRequired).findFirst().orElse(null);
        if (stated == null) {
            return;
        }
        if (isNullable(component)) {
            throw stated.error("the component " + component.getSimpleName() + " is @Nullable, and so not required");
        }
        required.add(member);
    }

    static boolean isNullable(RecordComponentElement component) {
        return Mark.find(Mark.of(component), "org.jspecify.annotations.Nullable") != null;
    }

    static String memberName(RecordComponentElement component, List<Mark> marks) {
        Mark named = Mark.find(marks, API + "JsonMember");
        return named == null || named.text("name").isEmpty()
                ? component.getSimpleName().toString()
                : named.text("name");
    }

    private JsonObject component(
            RecordComponentElement component, List<Mark> marks, Place place, Map<String, String> documentation)
            throws InvalidSourceException {
        origins.put(place.schema, new Origin(component, null));
        Map<String, JsonValue> schema = value(component.asType(), component, place);
        constrain(schema, marks, place);
        JsonObject built = JsonObject.of(schema);
        if (built.bool(EMBEDDED)) {
            schema.put("properties", withPlainMetadata(built.object("properties")));
        }
        String description =
                documentation.getOrDefault(component.getSimpleName().toString(), "");
        describe(schema, description);
        for (Mark mark : marks) {
            if (mark.name().equals(Mark.SCHEMA + "PrinterColumn")) {
                column(mark, place.json, built, description);
                String name = component.getSimpleName().toString();
                int last = columns.size() - 1;
                if (columns.get(last).string("name").isEmpty()) {
                    columns.set(
                            last,
                            columns.get(last).with("name", Character.toUpperCase(name.charAt(0)) + name.substring(1)));
                }
            } else if (mark.name().equals(Mark.SCHEMA + "SelectableField")) {
                selectable.add(JsonObject.EMPTY.with("jsonPath", single(mark, place.json)));
                origins.put("selectableFields[" + (selectable.size() - 1) + "]", mark.origin());
            }
        }
        return JsonObject.of(schema);
    }

    private static void describe(Map<String, JsonValue> schema, String description) {
        if (!description.isEmpty()) {
            schema.put("description", new JsonString(description));
        }
    }

    /** The server knows the metadata of an embedded object, and allows no schema of it. */
    private static JsonObject withPlainMetadata(JsonObject properties) {
        return properties.has("metadata")
                ? properties.with("metadata", JsonObject.EMPTY.with("type", "object"))
                : properties;
    }

    private void constrain(Map<String, JsonValue> schema, List<Mark> marks, Place place) throws InvalidSourceException {
        Constraints constraints = new Constraints(schema);
        for (Mark mark : marks) {
            String keyword = constraints.add(mark);
            if (!keyword.isEmpty()) {
                origins.put(place.schema + "." + keyword, mark.origin());
            }
        }
    }

    private Map<String, JsonValue> value(TypeMirror type, Element at, Place place) throws InvalidSourceException {
        String name = typeName(type);
        List<String> scalar = SCALARS.get(name);
        if (scalar != null) {
            return schema(scalar.get(0), scalar.get(1));
        }
        if (name.equals(API + "value.IntOrString")) {
            return new TreeMap<>(Map.of("x-kubernetes-int-or-string", JsonBoolean.TRUE));
        }
        if (name.equals(OBJECT_META)) {
            return objectOf(JsonObject.EMPTY, Set.of(), true);
        }
        if (type instanceof DeclaredType declared && name.equals("java.util.List")) {
            TypeMirror element = argument(declared, 0, at);
            boolean isSupported = typeName(element).equals("java.lang.String")
                    || typeName(element).equals("java.lang.Integer")
                    || isRecord(element);
            Map<String, JsonValue> schema = schema("array", "");
            schema.put("items", element(isSupported, element, at, place.each("items")));
            return schema;
        }
        if (type instanceof DeclaredType declared && name.equals("java.util.Map")) {
            TypeMirror element = argument(declared, 1, at);
            boolean isSupported = typeName(argument(declared, 0, at)).equals("java.lang.String")
                    && (typeName(element).equals("java.lang.String") || isRecord(element));
            Map<String, JsonValue> schema = schema("object", "");
            schema.put("additionalProperties", element(isSupported, element, at, place.each("additionalProperties")));
            return schema;
        }
        if (!isRecord(type)) {
            throw unsupported(type, at);
        }
        TypeElement record = (TypeElement) ((DeclaredType) type).asElement();
        Map<String, JsonValue> schema = object(record, place, false);
        constrain(schema, Mark.of(record), place);
        describe(schema, JavadocText.main(elements.getDocComment(record)));
        return schema;
    }

    private JsonObject element(boolean isSupported, TypeMirror type, Element at, Place place)
            throws InvalidSourceException {
        if (!isSupported) {
            throw unsupported(type, at);
        }
        Map<String, JsonValue> schema = value(type, at, place);
        constrain(schema, Mark.of(type, at), place);
        return JsonObject.of(schema);
    }

    private static TypeMirror argument(DeclaredType type, int number, Element at) throws InvalidSourceException {
        if (type.getTypeArguments().size() <= number) {
            throw unsupported(type, at);
        }
        return type.getTypeArguments().get(number);
    }

    private static InvalidSourceException unsupported(TypeMirror type, Element at) {
        String reason = SUPPORTED;
        if (type instanceof DeclaredType declared) {
            String name = declared.asElement().getSimpleName().toString();
            if (declared.asElement().getKind() == ElementKind.ENUM) {
                reason = "use String with @Enum(of = " + name + ".class), which keeps a value that a later version of"
                        + " the definition adds";
            } else if (Mark.find(Mark.of(declared.asElement()), Mark.UNION) != null) {
                reason = "use its union, " + UnionSource.simpleName((TypeElement) declared.asElement());
            }
        }
        return new InvalidSourceException(
                new Origin(at, null), "the codec cannot read or write the type " + type + ": " + reason);
    }

    private static boolean isRecord(TypeMirror type) {
        return type.getKind() == TypeKind.DECLARED
                && ((DeclaredType) type).asElement().getKind() == ElementKind.RECORD
                && !SCALARS.containsKey(typeName(type))
                && ((DeclaredType) type).getTypeArguments().isEmpty();
    }

    /** Returns the qualified name of a type, without annotations and arguments. */
    static String typeName(TypeMirror type) {
        return type instanceof DeclaredType declared
                ? qualifiedName((TypeElement) declared.asElement())
                : type.getKind().name().toLowerCase(java.util.Locale.ROOT);
    }

    private static String single(Mark mark, @Nullable String path) throws InvalidSourceException {
        if (path == null) {
            throw mark.error("a value inside of a list or map has no path of its own");
        }
        return path;
    }

    private void column(Mark mark, @Nullable String base, JsonObject schema, String documentation)
            throws InvalidSourceException {
        String path = single(mark, base) + mark.text("jsonPath");
        String format = schema.string("format");
        String own = format.equals("date-time") ? "date" : schema.string("type");
        boolean isScalar = !Set.of("object", "array", "").contains(own);
        String type = isScalar && mark.text("jsonPath").isEmpty() ? own : "string";
        JsonObject.Builder column = JsonObject.builder()
                .put("name", mark.text("name"))
                .put("jsonPath", path)
                .put("type", mark.text("type").isEmpty() ? type : mark.text("type"));
        String description = mark.text("description").isEmpty() ? documentation : mark.text("description");
        if (!description.isEmpty()) {
            column.put("description", description);
        }
        if (!mark.text("format").isEmpty()) {
            column.put("format", mark.text("format"));
        }
        if (mark.number("priority") != 0) {
            column.put("priority", mark.number("priority"));
        }
        origins.put("additionalPrinterColumns[" + columns.size() + "]", mark.origin());
        columns.add(column.build());
    }
}
