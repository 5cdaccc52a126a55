/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

/** The value {@code null}, which is not the same as an absent member. */
public enum JsonNull implements JsonValue {
    /** The only instance. */
    NULL;

    @Override
    public String toString() {
        return "null";
    }
}
