package io.kubeloop.controller.fake;

import java.util.Arrays;
import java.util.List;

/**
 * What a request path names.
 *
 * @param resource the plural, such as {@code pods}
 * @param namespace empty for cluster-scoped resources and all namespaces
 * @param name empty for a collection
 * @param subresource empty for the object itself
 */
record ApiPath(String resource, String namespace, String name, String subresource) {

    static ApiPath parse(String path) {
        List<String> segments = Arrays.asList(path.substring(1).split("/"));
        List<String> rest = segments.subList(segments.get(0).equals("api") ? 2 : 3, segments.size());
        boolean namespaced = rest.size() > 2 && rest.get(0).equals("namespaces");
        String namespace = namespaced ? rest.get(1) : "";
        List<String> object = namespaced ? rest.subList(2, rest.size()) : rest;
        return new ApiPath(
                object.get(0),
                namespace,
                object.size() > 1 ? object.get(1) : "",
                object.size() > 2 ? object.get(2) : "");
    }
}
