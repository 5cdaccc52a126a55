/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import java.util.Arrays;
import java.util.List;

/**
 * What a request path names.
 *
 * @param group such as {@code apps}; empty for the core
 * @param resource the plural, such as {@code pods}
 * @param namespace empty for cluster-scoped resources and all namespaces
 * @param name empty for a collection
 * @param subresource empty for the object itself
 */
record ApiPath(String group, String resource, String namespace, String name, String subresource) {

    static ApiPath parse(String path) {
        List<String> segments = Arrays.asList(path.substring(1).split("/"));
        boolean core = segments.get(0).equals("api");
        List<String> rest = segments.subList(core ? 2 : 3, segments.size());
        boolean namespaced = rest.size() > 2 && rest.get(0).equals("namespaces");
        String namespace = namespaced ? rest.get(1) : "";
        List<String> object = namespaced ? rest.subList(2, rest.size()) : rest;
        return new ApiPath(
                core ? "" : segments.get(1),
                object.get(0),
                namespace,
                object.size() > 1 ? object.get(1) : "",
                object.size() > 2 ? object.get(2) : "");
    }

    /** Returns the resource as the server's messages name it, such as {@code replicasets.apps}. */
    String qualifiedResource() {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
