/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step from a value to a part of it: a field of an object, or an element of a list (upstream: {@code
 * fieldpath.PathElement}).
 *
 * <p>Elements are ordered: fields first, then keys, values and indexes.
 */
public sealed interface PathElement extends Comparable<PathElement> {

    /**
     * The member of an object with this name.
     *
     * @param name the name
     */
    record Field(String name) implements PathElement {
        @Override
        public String toString() {
            return "." + name;
        }
    }

    /**
     * The element of a list whose key fields have these values.
     *
     * @param fields the key fields that the element has, sorted by name
     */
    record Key(List<KeyField> fields) implements PathElement {

        /** Copies and sorts the fields. */
        public Key {
            fields = fields.stream()
                    .sorted(Comparator.comparing(KeyField::name, ValueOrder::compareText))
                    .toList();
        }

        @Override
        public String toString() {
            List<String> texts = new ArrayList<>(fields.size());
            fields.forEach(field -> texts.add(field.name() + "=" + GoText.ofPath(field.value())));
            return "[" + String.join(",", texts) + "]";
        }
    }

    /**
     * One field of a key.
     *
     * @param name the name of the field
     * @param value its value
     */
    record KeyField(String name, JsonValue value) {}

    /**
     * The element of a set with this value.
     *
     * @param value the value
     */
    record Element(JsonValue value) implements PathElement {
        @Override
        public String toString() {
            return "[=" + GoText.ofPath(value) + "]";
        }
    }

    /**
     * The element of a list at this index.
     *
     * @param index the index, from 0
     */
    record Index(int index) implements PathElement {
        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }

    /** Returns the form of paths in messages, such as {@code .spec} or {@code [name="web"]}. */
    @Override
    String toString();

    /** Returns the form in {@code fieldsV1}, such as {@code f:spec} or <code>k:{"name":"web"}</code>. */
    default String encoded() {
        if (this instanceof Field field) {
            return "f:" + field.name();
        }
        if (this instanceof Key key) {
            JsonObject.Builder members = JsonObject.builder();
            key.fields().forEach(field -> members.put(field.name(), field.value()));
            return "k:" + members.build();
        }
        return this instanceof Element element ? "v:" + element.value() : "i:" + ((Index) this).index();
    }

    /**
     * Reads the form in {@code fieldsV1}.
     *
     * @return the element; null if its kind is unknown, because a newer server may have written it
     * @throws DecodeException if the text is malformed
     */
    static @Nullable PathElement decode(String text) {
        if (text.length() < 2) {
            throw new DecodeException("a path element has at least 2 characters, found \"" + text + "\"", null);
        }
        if (text.charAt(1) != ':') {
            throw new DecodeException("missing colon: " + text, null);
        }
        String content = text.substring(2);
        return switch (text.charAt(0)) {
            case 'f' -> new Field(content);
            case 'k' -> key(JsonObject.parse(content));
            case 'v' -> new Element(JsonValue.parse(content));
            case 'i' -> index(content);
            default -> null;
        };
    }

    private static Key key(JsonObject members) {
        List<KeyField> fields = new ArrayList<>(members.members().size());
        for (Map.Entry<String, JsonValue> member : members.members().entrySet()) {
            fields.add(new KeyField(member.getKey(), member.getValue()));
        }
        return new Key(fields);
    }

    private static Index index(String content) {
        try {
            return new Index(Integer.parseInt(content));
        } catch (NumberFormatException e) {
            throw new DecodeException("not the index of a list element: " + content, e);
        }
    }

    @Override
    default int compareTo(PathElement other) {
        if (this instanceof Field mine && other instanceof Field theirs) {
            return ValueOrder.compareText(mine.name(), theirs.name());
        }
        if (this instanceof Key mine && other instanceof Key theirs) {
            return ValueOrder.compareKeys(mine.fields(), theirs.fields());
        }
        if (this instanceof Element mine && other instanceof Element theirs) {
            return ValueOrder.compare(mine.value(), theirs.value());
        }
        if (this instanceof Index mine && other instanceof Index theirs) {
            return Integer.compare(mine.index(), theirs.index());
        }
        return Integer.compare(rank(this), rank(other));
    }

    private static int rank(PathElement element) {
        if (element instanceof Field) {
            return 0;
        }
        if (element instanceof Key) {
            return 1;
        }
        return element instanceof Element ? 2 : 3;
    }
}
