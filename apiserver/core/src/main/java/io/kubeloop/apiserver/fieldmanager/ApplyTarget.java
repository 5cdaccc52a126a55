/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.tree.JsonObject;

/**
 * The endpoint of a write: a kind in a version, as a whole or through a subresource.
 *
 * @param apiVersion the version of the endpoint
 * @param kind the kind of the objects
 * @param subresource the subresource; empty for the objects themselves
 * @param versions the versions of the kind
 * @param ownable keeps the fields that the endpoint can change, in every version
 * @param empty the object without content: the state before its creation. It holds the members that an object of this
 *     kind always has
 */
public record ApplyTarget(
        String apiVersion,
        String kind,
        String subresource,
        ServedVersions versions,
        FieldFilter ownable,
        JsonObject empty) {

    /** Returns the description of an object in messages. */
    String describe(JsonObject object) {
        return object.string("metadata", "namespace") + "/" + object.string("metadata", "name") + "; "
                + describeKind(object);
    }

    /** Returns the kind of an object with its version, as Go formats it. */
    static String describeKind(JsonObject object) {
        String version = object.string("apiVersion");
        if (version.indexOf('/') != version.lastIndexOf('/')) {
            return "/, Kind="; // Go cannot parse the version, and then ignores the kind
        }
        return (version.contains("/") ? "" : "/") + version + ", Kind=" + object.string("kind");
    }
}
