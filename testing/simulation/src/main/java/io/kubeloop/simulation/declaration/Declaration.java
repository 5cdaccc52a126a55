/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.declaration;

import io.kubeloop.json.tree.JsonObject;

/**
 * A declaration that differs from the given one in one place.
 *
 * @param path the place, such as {@code .spec.copies}
 * @param change what differs, such as {@code maximum 9}
 * @param object the declaration
 */
public record Declaration(String path, String change, JsonObject object) {

    /** Returns a name that is unique among the declarations of a generator. */
    public String name() {
        return path + " " + change;
    }
}
