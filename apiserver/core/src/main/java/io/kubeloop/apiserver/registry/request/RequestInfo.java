/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry.request;

import io.kubeloop.apiserver.rest.StatusException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The parsed path of a request (upstream: {@code apiserver/pkg/endpoints/request/requestinfo.go}). Immutable.
 *
 * @param group the API group; empty for the core group
 * @param version the API version
 * @param namespace the namespace; empty for a cluster-scoped resource or for all namespaces
 * @param plural the resource
 * @param name the name of the object; empty for the collection
 * @param subresource the subresource; empty for the object itself
 * @param watched whether the path contains the {@code watch} segment that clients before 1.11 use
 */
public record RequestInfo(
        String group,
        String version,
        String namespace,
        String plural,
        String name,
        String subresource,
        boolean watched) {

    /** The segments after the name of a namespace that are not resources of that namespace. */
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    private static final String WATCH = "watch";

    /**
     * Parses a path.
     *
     * @throws StatusException 404 if it is not the path of a resource
     */
    public static RequestInfo parse(String path) {
        if (path.contains("//")) {
            throw StatusException.noSuchPath();
        }
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        if (parts.size() >= 3 && parts.get(0).equals("api")) {
            return below("", parts.get(1), parts.subList(2, parts.size()));
        }
        if (parts.size() >= 4 && parts.get(0).equals("apis")) {
            return below(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
        }
        throw StatusException.noSuchPath();
    }

    /**
     * Returns whether a read is a watch. As upstream, the {@code watch} parameter applies to collections only; a
     * path with a name reads the object.
     */
    public boolean isWatch(Query query) {
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
            throw StatusException.noSuchPath();
        }
        return new RequestInfo(group, version, namespace, rest.get(0), part(rest, 1), part(rest, 2), watched);
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }
}
