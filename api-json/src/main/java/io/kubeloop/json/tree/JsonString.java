/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.util.Objects;

/**
 * A string.
 *
 * @param value the text, unescaped
 */
public record JsonString(String value) implements JsonValue {

    /** Checks that the text is not null. */
    public JsonString {
        Objects.requireNonNull(value, "value");
    }

    /** Returns the text quoted and escaped; use {@link #value()} for the text itself. */
    @Override
    public String toString() {
        return JsonWriter.write(this);
    }
}
