/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

/** A boolean. */
public enum JsonBoolean implements JsonValue {
    /** {@code false}. */
    FALSE,
    /** {@code true}. */
    TRUE;

    /** Returns the constant for a value. */
    public static JsonBoolean of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** Returns the value. */
    public boolean value() {
        return this == TRUE;
    }

    @Override
    public String toString() {
        return this == TRUE ? "true" : "false";
    }
}
