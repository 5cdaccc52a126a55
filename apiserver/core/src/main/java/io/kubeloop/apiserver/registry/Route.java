/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.apiserver.rest.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The resource that a request addresses, once its path and its method are known to be served (upstream: the routes of
 * {@code apiserver/pkg/endpoints/installer.go}). Immutable.
 *
 * @param store the resource
 * @param info the parts of the path
 */
public record Route(ResourceStore store, RequestInfo info) {

    private static final Map<String, String> COLLECTION_METHODS =
            Map.of("list", "GET", "watch", "GET", "create", "POST", "deletecollection", "DELETE");

    private static final Map<String, String> OBJECT_METHODS =
            Map.of("get", "GET", "update", "PUT", "patch", "PATCH", "delete", "DELETE");

    private static final Map<String, String> SUBRESOURCE_METHODS =
            Map.of("get", "GET", "update", "PUT", "patch", "PATCH", "delete", "DELETE", "create", "POST");

    private static final Map<String, String> VERBS =
            Map.of("GET", "get", "PUT", "update", "PATCH", "patch", "DELETE", "delete", "POST", "create");

    private static final Set<String> WITH_TABLES = Set.of("", "status", "scale");

    /**
     * Finds the route of a request.
     *
     * @throws StatusException 404 if nothing is served at the path, 405 if the path does not support the method
     */
    public static Route of(ResourceRegistry registry, String method, String path) {
        RequestInfo info = RequestInfo.parse(path);
        ResourceStore store = registry.store(info.group(), info.version(), info.plural());
        if (store == null) {
            throw StatusException.noSuchPath();
        }
        Set<String> methods = new Route(store, info).methods();
        boolean unknownPart = !info.subresource().isEmpty() && store.resource().subresource(info.subresource()) == null;
        if (methods.isEmpty() && unknownPart && store.definition().decoder().requiresKind()) {
            throw StatusException.notFound(store.resource(), info.name()); // as upstream for custom resources
        }
        if (methods.isEmpty()) {
            throw StatusException.noSuchPath();
        }
        if (!methods.contains(method)) {
            throw store.definition().decoder().requiresKind()
                            && !info.subresource().isEmpty()
                    ? StatusException.notSupported(store.resource(), VERBS.getOrDefault(method, ""))
                    : StatusException.methodNotAllowed();
        }
        return new Route(store, info);
    }

    /** Returns the methods of the path; empty if there is no such path. */
    private Set<String> methods() {
        boolean namespaced = store.type().isNamespaced();
        boolean inNamespace = !info.namespace().isEmpty();
        List<String> verbs = store.resource().verbs();
        if (inNamespace && !namespaced) {
            return Set.of();
        }
        if (info.watched()) {
            return verbs.contains("watch") ? Set.of("GET") : Set.of();
        }
        if (info.name().isEmpty()) {
            Set<String> methods = methods(verbs, COLLECTION_METHODS);
            return namespaced && !inNamespace && !methods.contains("GET") ? Set.of() : withoutWrites(methods);
        }
        if (namespaced && !inNamespace) {
            return Set.of();
        }
        if (info.subresource().isEmpty()) {
            return methods(verbs, OBJECT_METHODS);
        }
        Subresource subresource = store.resource().subresource(info.subresource());
        return subresource == null ? Set.of() : methods(subresource.verbs(), SUBRESOURCE_METHODS);
    }

    /** The objects of all namespaces can only be read together. */
    private Set<String> withoutWrites(Set<String> methods) {
        return store.type().isNamespaced() && info.namespace().isEmpty() ? Set.of("GET") : methods;
    }

    private static Set<String> methods(List<String> verbs, Map<String, String> byVerb) {
        return verbs.stream()
                .filter(byVerb::containsKey)
                .map(byVerb::get)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether the resource is a custom one, whose requests upstream routes by other rules. */
    public boolean isCustom() {
        return store.definition().decoder().requiresKind();
    }

    /** Returns whether a GET with this query is a watch. */
    public boolean isWatch(Map<String, String> query) {
        return info.isWatch(new Query(query));
    }

    /** Returns whether the path names a collection, which can be listed and watched. */
    public boolean isCollection() {
        return info.name().isEmpty() || info.watched();
    }

    /** Returns whether the objects at the path have a form as table; objects that cannot be listed have none. */
    public boolean hasTables() {
        return store.resource().verbs().contains("list")
                && WITH_TABLES.contains(info.subresource())
                && (!info.subresource().equals("status") || store.strategy().showsStatusAsTable());
    }

    /** Returns the kind of the body that a method sends. */
    String kind(String method) {
        if (method.equals("DELETE")) {
            return "DeleteOptions";
        }
        Subresource subresource = store.resource().subresource(info.subresource());
        return subresource == null ? store.type().kind() : subresource.kind();
    }
}
