/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the lists and objects of a value that have one owner (upstream: {@code findAtomics} in {@code
 * plugin/policy/mutating/patch}).
 */
final class AtomicParts {

    private final List<String> found = new ArrayList<>();

    private AtomicParts() {}

    /** Returns their paths, in the order of the value. */
    static List<String> in(JsonValue value, TypeSchema type) {
        AtomicParts parts = new AtomicParts();
        parts.walk("", value, type);
        return parts.found;
    }

    private void walk(String path, JsonValue value, TypeSchema declared) {
        TypeSchema type = Types.deduce(declared, value);
        if (Types.isAtomic(type)) {
            found.add(path);
        } else if (value instanceof JsonArray array && type instanceof TypeSchema.ListOf list) {
            for (int i = 0; i < array.size(); i++) {
                walk(path + "[" + i + "]", array.get(i), list.elements());
            }
        } else if (value instanceof JsonObject object) {
            object.members()
                    .forEach((name, member) -> walk(path + "." + name, member, Types.orAny(Types.member(type, name))));
        }
    }
}
