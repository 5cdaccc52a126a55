package io.kubeloop.transport.memory.registry;

import io.kubeloop.transport.memory.machinery.ApiFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What the path of a request says (upstream: {@code apiserver/pkg/endpoints/request/requestinfo.go}). Immutable.
 *
 * @param group the API group; empty for the core group
 * @param version the version
 * @param namespace the namespace; empty for none, or all
 * @param plural the resource
 * @param name the object; empty for the collection
 * @param subresource a part of the object; empty for the whole
 * @param watched whether the path itself says that it is watched, as clients from before 1.11 say it
 */
record RequestInfo(
        String group,
        String version,
        String namespace,
        String plural,
        String name,
        String subresource,
        boolean watched) {

    /** What may follow the name of a namespace without being a resource in it. */
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    private static final String WATCH = "watch";

    /**
     * Reads a path.
     *
     * @throws ApiFailure 404 if it is not the path of a resource
     */
    static RequestInfo parse(String path) {
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        if (parts.size() >= 3 && parts.get(0).equals("api")) {
            return below("", parts.get(1), parts.subList(2, parts.size()));
        }
        if (parts.size() >= 4 && parts.get(0).equals("apis")) {
            return below(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
        }
        throw ApiFailure.noSuchPath();
    }

    /** Returns whether a read is a watch. What a query says of it counts for collections only: an object is read, as upstream. */
    boolean isWatch(Query query) {
        return watched || (name.isEmpty() && query.flag("watch"));
    }

    private static RequestInfo below(String group, String version, List<String> path) {
        boolean watched = path.size() > 1 && path.get(0).equals(WATCH);
        List<String> parts = watched ? path.subList(1, path.size()) : path;
        boolean inNamespace = parts.get(0).equals("namespaces")
                && parts.size() >= 3
                && !NAMESPACE_SUBRESOURCES.contains(parts.get(2));
        String namespace = inNamespace ? parts.get(1) : "";
        List<String> rest = inNamespace ? parts.subList(2, parts.size()) : parts;
        if (rest.size() > (watched ? 2 : 3)) {
            throw ApiFailure.noSuchPath();
        }
        return new RequestInfo(group, version, namespace, rest.get(0), part(rest, 1), part(rest, 2), watched);
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }
}
