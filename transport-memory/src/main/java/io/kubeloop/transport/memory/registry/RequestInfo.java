package io.kubeloop.transport.memory.registry;

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
 */
record RequestInfo(String group, String version, String namespace, String plural, String name, String subresource) {

    /** What may follow the name of a namespace without being a resource in it. */
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

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

    private static RequestInfo below(String group, String version, List<String> parts) {
        boolean inNamespace = parts.get(0).equals("namespaces")
                && parts.size() >= 3
                && !NAMESPACE_SUBRESOURCES.contains(parts.get(2));
        String namespace = inNamespace ? parts.get(1) : "";
        List<String> rest = inNamespace ? parts.subList(2, parts.size()) : parts;
        if (rest.size() > 3) {
            throw ApiFailure.noSuchPath();
        }
        return new RequestInfo(group, version, namespace, rest.get(0), part(rest, 1), part(rest, 2));
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }
}
