/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.schema;

import io.kubeloop.apiserver.expressions.GoPattern;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node of the OpenAPI v3 schema of a definition. It is read once, so validation, pruning and defaulting do not
 * search JSON members. Immutable; thread-safe.
 */
public final class SchemaProps {

    private final JsonObject source;
    private final String type;
    private final Map<String, SchemaProps> properties;
    private final @Nullable SchemaProps items;
    private final List<SchemaProps> itemSchemas;
    private final @Nullable Additional additionalProperties;
    private final List<SchemaProps> allOf;
    private final List<SchemaProps> anyOf;
    private final List<SchemaProps> oneOf;
    private final @Nullable SchemaProps not;
    private final List<String> required;
    private final List<JsonValue> allowed;
    private final List<String> listMapKeys;
    private final @Nullable JsonValue initial;
    private final boolean nullable;
    private final boolean preservesUnknown;
    private final boolean embedded;
    private final boolean intOrString;
    private final @Nullable GoPattern pattern;

    /**
     * The schema of the members that are not properties.
     *
     * @param allows whether such members are allowed
     * @param schema their schema; null for any value
     */
    public record Additional(boolean allows, @Nullable SchemaProps schema) {}

    /** Reads a schema. Members of a wrong type count as absent. */
    public SchemaProps(JsonObject source) {
        this.source = source;
        type = source.string("type");
        properties = map("properties");
        items = source.get("items") instanceof JsonObject schema ? new SchemaProps(schema) : null;
        itemSchemas = list("items");
        additionalProperties = additional("additionalProperties");
        allOf = list("allOf");
        anyOf = list("anyOf");
        oneOf = list("oneOf");
        not = source.get("not") instanceof JsonObject schema ? new SchemaProps(schema) : null;
        required = source.array("required").strings().toList();
        allowed = source.array("enum").elements();
        listMapKeys = source.array("x-kubernetes-list-map-keys").strings().toList();
        JsonValue byDefault = source.get("default");
        initial = byDefault == JsonNull.NULL ? null : byDefault;
        nullable = source.bool("nullable");
        preservesUnknown = source.bool("x-kubernetes-preserve-unknown-fields");
        embedded = source.bool("x-kubernetes-embedded-resource");
        intOrString = source.bool("x-kubernetes-int-or-string");
        String expression = source.string("pattern");
        pattern = expression.isEmpty() ? null : new GoPattern(expression);
    }

    private Map<String, SchemaProps> map(String name) {
        Map<String, SchemaProps> read = new LinkedHashMap<>();
        source.object(name).members().forEach((key, value) -> {
            if (value instanceof JsonObject schema) {
                read.put(key, new SchemaProps(schema));
            }
        });
        return Collections.unmodifiableMap(read);
    }

    private List<SchemaProps> list(String name) {
        return source.array(name).objects().map(SchemaProps::new).toList();
    }

    private @Nullable Additional additional(String name) {
        JsonValue value = source.get(name);
        if (value instanceof JsonObject schema) {
            return new Additional(true, new SchemaProps(schema));
        }
        return value instanceof JsonBoolean allows ? new Additional(allows.value(), null) : null;
    }

    /** Returns the schema as the definition states it. */
    public JsonObject source() {
        return source;
    }

    /** Returns the type of the values, such as {@code object}; empty if it is not stated. */
    public String type() {
        return type;
    }

    /** Returns the format of the values; empty if it is not stated. */
    public String format() {
        return source.string("format");
    }

    /** Returns the schemas of the properties, in the order of the definition. */
    public Map<String, SchemaProps> properties() {
        return properties;
    }

    /** Returns the schema of the elements of a list; null if it is not stated. */
    public @Nullable SchemaProps items() {
        return items;
    }

    /** Returns the schemas of a list whose elements have one schema each; upstream rejects it. */
    public List<SchemaProps> itemSchemas() {
        return itemSchemas;
    }

    /** Returns the schema of the other members; null if it is not stated. */
    public @Nullable Additional additionalProperties() {
        return additionalProperties;
    }

    /** Returns the schema of a member of an object: that of the property or of the other members; null for none. */
    public @Nullable SchemaProps member(String name) {
        SchemaProps property = properties.get(name);
        if (property != null || additionalProperties == null) {
            return property;
        }
        return additionalProperties.schema();
    }

    /** Returns the schemas that a value must all satisfy. */
    public List<SchemaProps> allOf() {
        return allOf;
    }

    /** Returns the schemas of which a value must satisfy at least one. */
    public List<SchemaProps> anyOf() {
        return anyOf;
    }

    /** Returns the schemas of which a value must satisfy exactly one. */
    public List<SchemaProps> oneOf() {
        return oneOf;
    }

    /** Returns the schema that a value must not satisfy; null for none. */
    public @Nullable SchemaProps not() {
        return not;
    }

    /** Returns the names of the required properties. */
    public List<String> required() {
        return required;
    }

    /** Returns the allowed values; empty for any value. */
    public List<JsonValue> allowed() {
        return allowed;
    }

    /** Returns the default value; null for none. */
    public @Nullable JsonValue initial() {
        return initial;
    }

    /** Returns whether {@code null} is a value. */
    public boolean nullable() {
        return nullable;
    }

    /** Returns whether members without a schema are kept. */
    public boolean preservesUnknown() {
        return preservesUnknown;
    }

    /** Returns whether the value is an object of Kubernetes with kind, version and metadata. */
    public boolean embedded() {
        return embedded;
    }

    /** Returns whether the value is an integer or a string. */
    public boolean intOrString() {
        return intOrString;
    }

    /** Returns the regular expression of strings; null for none. */
    public @Nullable GoPattern pattern() {
        return pattern;
    }

    /** Returns how a list is merged: {@code atomic}, {@code set} or {@code map}; null if it is not stated. */
    public @Nullable String listType() {
        return text("x-kubernetes-list-type");
    }

    /** Returns how an object is merged: {@code atomic} or {@code granular}; null if it is not stated. */
    public @Nullable String mapType() {
        return text("x-kubernetes-map-type");
    }

    /** Returns the properties that identify an element of a list of type {@code map}. */
    public List<String> listMapKeys() {
        return listMapKeys;
    }

    /** Returns the CEL rules of the values. */
    public JsonArray rules() {
        return source.array("x-kubernetes-validations");
    }

    /** Returns a limit, such as {@code maximum}; null if it is not stated. */
    public @Nullable Double limit(String name) {
        return source.get(name) instanceof JsonNumber number ? NumberText.toDouble(number) : null;
    }

    /** Returns a count, such as {@code maxLength}; null if it is not stated. */
    public @Nullable Long count(String name) {
        return source.number(name);
    }

    private @Nullable String text(String name) {
        return source.get(name) instanceof JsonString string ? string.value() : null;
    }

    /** Returns whether a predicate holds for this schema or for one below it, as upstream's {@code SchemaHas}. */
    public boolean has(Predicate<SchemaProps> predicate) {
        return predicate.test(this) || children().stream().anyMatch(child -> child.has(predicate));
    }

    private List<SchemaProps> children() {
        List<SchemaProps> children = new ArrayList<>();
        add(children, items);
        children.addAll(itemSchemas);
        children.addAll(allOf);
        children.addAll(anyOf);
        children.addAll(oneOf);
        add(children, not);
        children.addAll(properties.values());
        add(children, additionalProperties == null ? null : additionalProperties.schema());
        return children;
    }

    private static void add(List<SchemaProps> children, @Nullable SchemaProps child) {
        if (child != null) {
            children.add(child);
        }
    }

    /** Returns this schema with another member. */
    public SchemaProps with(String name, JsonValue value) {
        return new SchemaProps(source.with(name, value));
    }

    /**
     * Returns this schema as that of a whole object: with the implicit kind, version and metadata of embedded objects.
     */
    public SchemaProps asResource() {
        return embedded ? this : with("x-kubernetes-embedded-resource", JsonBoolean.TRUE);
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
