/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;

/** Estimates the memory of trees. Thread-safe: stateless. */
final class TreeWeight {

    private static final int OF_A_VALUE = 24;
    private static final int OF_A_STRING = 48;

    private TreeWeight() {}

    /** Returns about how many bytes a tree takes. O(n). */
    static long of(JsonValue value) {
        long weight = OF_A_VALUE;
        if (value instanceof JsonString text) {
            weight += OF_A_STRING + text.value().length();
        } else if (value instanceof JsonNumber number) {
            weight += OF_A_STRING + number.text().length();
        } else if (value instanceof JsonArray array) {
            for (JsonValue element : array.elements()) {
                weight += of(element);
            }
        } else if (value instanceof JsonObject object) {
            for (var member : object.members().entrySet()) {
                weight += OF_A_STRING + member.getKey().length() + of(member.getValue());
            }
        }
        return weight;
    }
}
