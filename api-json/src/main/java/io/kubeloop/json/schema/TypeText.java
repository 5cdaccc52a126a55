/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The text of all types: an index of its lines, and the types that have been read from it.
 *
 * <p>Each line is one of these, its words separated by a space:
 *
 * <pre>
 * versions V...              every group and version that Kubernetes knows
 * package P FULL             the types that follow are in package P, which OpenAPI documents call FULL
 * NAME = TYPE VALUE,VALUE    another name for a type, with the values that a string may have
 * NAME WORD...               a struct; the words are object (it has kind and apiVersion), atomic, and
 *                            kind=GROUP/VERSION, or kind=* for a kind of every group and version
 *  x-EXTENSION JSON          a member of its OpenAPI definition
 *  PATH FIELD TYPE WORD...   a field; {@link FieldText} describes it
 *  ~PATH FIELD TYPE          a field that only older releases have
 * </pre>
 *
 * <p>Thread-safe: the index does not change after the constructor, and the maps of types that were read are concurrent.
 * Two threads may read the same type at the same time; both get the result of one of them.
 */
final class TypeText {

    private static final String ANY_VERSION = "*";
    private static final String KIND = "kind=";

    private final String text;

    /** The offset of the line of each struct and alias. */
    private final Map<String, Integer> lines = new LinkedHashMap<>(2048);

    /** The names of packages in OpenAPI documents. */
    private final Map<String, String> packages = new LinkedHashMap<>();

    /** The names of the types of kinds, by kind and API version. */
    private final Map<String, Map<String, String>> kinds = new HashMap<>(1024);

    private final List<TypeCatalog.Kind> kindList = new ArrayList<>(512);
    private final List<String> optionKinds = new ArrayList<>();
    private List<String> groupVersions = List.of();

    private final Map<String, StructSchema> structs = new ConcurrentHashMap<>();
    private final Map<String, Alias> aliases = new ConcurrentHashMap<>();

    /** Another name for a type. */
    record Alias(FieldText.Typed typed, List<String> allowed) {}

    private TypeText(String text) {
        this.text = text;
        index();
    }

    /** Reads a resource beside this class. */
    static TypeText read(String resource) {
        return new TypeText(load(resource));
    }

    static String load(String resource) {
        try (InputStream in = TypeText.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + resource, e);
        }
    }

    private void index() {
        String prefix = "";
        for (int at = 0; at < text.length(); at = text.indexOf('\n', at) + 1) {
            char first = text.charAt(at);
            if (first >= 'A' && first <= 'Z') {
                String line = line(at);
                int space = line.indexOf(' ');
                String simple = space < 0 ? line : line.substring(0, space);
                String name = prefix + simple;
                lines.put(name, at);
                int kind = line.indexOf(KIND, simple.length());
                if (kind > 0) {
                    addKind(line.substring(kind + KIND.length()), simple, name);
                }
            } else if (first == 'p') {
                String[] words = line(at).split(" ", -1);
                packages.put(words[1], words[2]);
                prefix = words[1] + ".";
            } else if (first == 'v') {
                String line = line(at);
                groupVersions = List.of(line.substring(line.indexOf(' ') + 1).split(" ", -1));
            }
        }
    }

    private void addKind(String apiVersion, String kind, String name) {
        kinds.computeIfAbsent(kind, key -> new HashMap<>(2)).put(apiVersion, name);
        if (apiVersion.equals(ANY_VERSION)) {
            optionKinds.add(kind);
            return;
        }
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        kindList.add(new TypeCatalog.Kind(group, apiVersion.substring(slash + 1), kind));
    }

    private String line(int at) {
        return text.substring(at, text.indexOf('\n', at));
    }

    @Nullable
    StructSchema ofKind(String apiVersion, String kind) {
        Map<String, String> versions = kinds.getOrDefault(kind, Map.of());
        String name = versions.get(apiVersion);
        if (name == null) {
            name = versions.get(ANY_VERSION);
        }
        return name == null ? null : named(name);
    }

    @Nullable
    StructSchema named(String name) {
        StructSchema struct = structs.get(name);
        if (struct != null) {
            return struct;
        }
        Integer at = lines.get(name);
        if (at == null || line(at).contains(" = ")) {
            return null;
        }
        return structs.computeIfAbsent(name, key -> struct(key, at));
    }

    private StructSchema struct(String name, int at) {
        boolean atomic = line(at).contains(" atomic");
        return new StructSchema(name, atomic, null, () -> fields(name, at));
    }

    private Map<String, Field> fields(String name, int at) {
        String header = line(at);
        Map<String, Field> fields = new LinkedHashMap<>();
        if (header.contains(" object")) {
            fields.put(FieldText.KIND.name(), FieldText.KIND);
            fields.put(FieldText.API_VERSION.name(), FieldText.API_VERSION);
        }
        FieldText reader = new FieldText(this, name.substring(0, name.lastIndexOf('.')));
        for (int next = after(at); isMember(next); next = after(next)) {
            if (text.charAt(next + 1) != 'x' && text.charAt(next + 1) != '~') {
                Field field = reader.field(line(next).substring(1));
                fields.put(field.name(), field);
            }
        }
        return Collections.unmodifiableMap(fields);
    }

    List<Field> removedFields(String name) {
        Integer at = lines.get(name);
        List<Field> removed = new ArrayList<>();
        for (int next = at == null ? text.length() : after(at); isMember(next); next = after(next)) {
            if (text.charAt(next + 1) == '~') {
                FieldText reader = new FieldText(this, name.substring(0, name.lastIndexOf('.')));
                removed.add(reader.field(line(next).substring(2)));
            }
        }
        return removed;
    }

    private int after(int at) {
        return text.indexOf('\n', at) + 1;
    }

    private boolean isMember(int at) {
        return at < text.length() && text.charAt(at) == ' ';
    }

    /** Returns the type of a name that is not a struct; null if the name is that of a struct or is unknown. */
    @Nullable
    Alias alias(String name) {
        Alias alias = aliases.get(name);
        Integer at = lines.get(name);
        if (alias != null || at == null) {
            return alias;
        }
        String line = line(at);
        int equals = line.indexOf(" = ");
        if (equals < 0) {
            return null;
        }
        String[] words = line.substring(equals + 3).split(" ", 2);
        List<String> allowed = words.length < 2 ? List.of() : List.of(words[1].split(",", -1));
        int dot = name.lastIndexOf('.');
        alias = new Alias(new FieldText(this, name.substring(0, dot)).typed(words[0]), allowed);
        aliases.putIfAbsent(name, alias);
        return alias;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        lines.forEach((name, at) -> {
            if (!line(at).contains(" = ")) {
                names.add(name);
            }
        });
        return names;
    }

    List<TypeCatalog.Kind> kinds() {
        return Collections.unmodifiableList(kindList);
    }

    List<String> optionKinds() {
        return Collections.unmodifiableList(optionKinds);
    }

    List<String> groupVersions() {
        return groupVersions;
    }

    String openApiName(String name) {
        int dot = name.lastIndexOf('.');
        String full = packages.get(name.substring(0, Math.max(dot, 0)));
        if (full == null) {
            throw new IllegalArgumentException("no type of the catalog: " + name);
        }
        return full + name.substring(dot);
    }

    JsonObject extensions(String name) {
        Integer at = lines.get(name);
        JsonObject.Builder extensions = JsonObject.builder();
        for (int next = at == null ? text.length() : after(at); isMember(next); next = after(next)) {
            if (text.charAt(next + 1) == 'x') {
                String[] words = line(next).substring(1).split(" ", 2);
                extensions.put(words[0], JsonValue.parse(words[1]));
            }
        }
        return extensions.build();
    }
}
