/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import org.jspecify.annotations.Nullable;

/**
 * The resource that a request path addresses. The path may be that of a collection, an object or a subresource.
 * Immutable.
 *
 * @param apiVersion such as {@code v1} or {@code apps/v1}
 * @param resource such as {@code pods}
 */
public record ResourcePath(String apiVersion, String resource) {

    /** Parses a path without query. Returns null if the path addresses no resource, such as {@code /version}. */
    public static @Nullable ResourcePath of(String path) {
        String[] parts = path.split("/", -1);
        int resource;
        String apiVersion;
        if (parts.length > 3 && parts[1].equals("api")) {
            apiVersion = parts[2];
            resource = 3;
        } else if (parts.length > 4 && parts[1].equals("apis")) {
            apiVersion = parts[2] + "/" + parts[3];
            resource = 4;
        } else {
            return null;
        }
        if (parts[resource].equals("watch") && parts.length > resource + 1) {
            resource++; // the deprecated path of a watch
        }
        if (parts[resource].equals("namespaces") && parts.length > resource + 2) {
            resource += 2;
        }
        return new ResourcePath(apiVersion, parts[resource]);
    }

    /** Returns a text such as {@code pods of v1}. */
    @Override
    public String toString() {
        return resource + " of " + apiVersion;
    }
}
