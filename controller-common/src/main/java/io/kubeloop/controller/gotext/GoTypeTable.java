/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.gotext;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Go types of a pod template, as {@code e2e/record-pod-template.sh} has recorded them. Each line is a type: the
 * fields of a struct in the order of their declaration, or the form of another named type.
 */
final class GoTypeTable {

    /**
     * A field of a struct.
     *
     * @param name the name in Go
     * @param json the name in JSON; empty if the members of the field belong to the object around it
     * @param type the Go type, such as {@code []v1.Container}
     */
    record Field(String name, String json, String type) {

        private static Field parse(String text) {
            int colon = text.indexOf(':');
            int equals = text.indexOf('=');
            String name = text.substring(0, equals < 0 ? colon : equals);
            String json = equals < 0
                    ? name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1)
                    : text.substring(equals + 1, colon);
            return new Field(name, json, text.substring(colon + 1));
        }
    }

    private final Map<String, List<Field>> structs = new HashMap<>();
    private final Map<String, String> named = new HashMap<>();

    /** Reads the table. */
    GoTypeTable() {
        try (InputStream in = Objects.requireNonNull(
                        GoTypeTable.class.getResourceAsStream("pod-template.types"), "pod-template.types");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    read(line.split(" ", -1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the Go types of pod templates", e);
        }
    }

    private void read(String[] words) {
        if (words[1].equals("=")) {
            named.put(words[0], words[2]);
            return;
        }
        List<Field> fields = new ArrayList<>();
        for (int i = 2; i < words.length; i++) {
            if (!words[i].isEmpty()) {
                fields.add(Field.parse(words[i]));
            }
        }
        structs.put(words[0], List.copyOf(fields));
    }

    /** Returns the fields of a struct; null if the type is no struct. */
    @Nullable
    List<Field> fields(String type) {
        return structs.get(type);
    }

    /**
     * Returns the form of a named type, such as {@code string} for {@code v1.Protocol}; the type itself if it has none.
     */
    String form(String type) {
        return named.getOrDefault(type, type);
    }
}
