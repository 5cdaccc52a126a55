/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.access;

import io.kubeloop.json.gotext.GoText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A request of a user, as an authorizer sees it (upstream: {@code apiserver/pkg/authorization/authorizer.Attributes}).
 * Immutable.
 *
 * @param verb the verb, such as {@code list}; for a path the method in lower case
 * @param target the resource; {@link Target#NONE} for a request that is not about a resource
 * @param path the path; empty if the request is about a resource
 */
public record AccessRequest(String verb, Target target, String path) {

    private static final Map<String, String> VERBS = Map.of(
            "POST", "create", "GET", "get", "HEAD", "get", "PUT", "update", "PATCH", "patch", "DELETE", "delete");

    private static final String NAMESPACES = "namespaces";
    private static final String NAME_FIELD = "metadata.name=";

    /** The parts of a namespace that are not resources in it. */
    private static final Set<String> PARTS_OF_NAMESPACES = Set.of("status", "finalize");

    /**
     * A resource, or an object of it.
     *
     * @param group the API group; empty for the core group
     * @param resource the plural; empty if the request is not about a resource
     * @param subresource the subresource; empty for the object itself
     * @param namespace the namespace; empty for all of them, and for a cluster-scoped resource
     * @param name the name of the object; empty for the collection
     */
    public record Target(String group, String resource, String subresource, String namespace, String name) {

        /** No resource. */
        public static final Target NONE = new Target("", "", "", "", "");
    }

    /** Returns a request that is about a resource. */
    public static AccessRequest of(String verb, Target target) {
        return new AccessRequest(verb, target, "");
    }

    /** Returns a request that is not about a resource. */
    public static AccessRequest ofPath(String verb, String path) {
        return new AccessRequest(verb, Target.NONE, path);
    }

    /** Reads the path and the query of a request (upstream: {@code apiserver/pkg/endpoints/request/requestinfo.go}). */
    public static AccessRequest of(String method, String path, Map<String, String> query) {
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        int first = parts.isEmpty()
                ? 0
                : parts.get(0).equals("api") ? 2 : parts.get(0).equals("apis") ? 3 : 0;
        if (first == 0 || parts.size() <= first) {
            return ofPath(method.toLowerCase(Locale.ROOT), path);
        }
        String group = first == 2 ? "" : parts.get(1);
        List<String> rest = parts.subList(first, parts.size());
        boolean watched = rest.size() > 1 && rest.get(0).equals("watch");
        return below(method, group, watched ? rest.subList(1, rest.size()) : rest, watched, query);
    }

    private static AccessRequest below(
            String method, String group, List<String> path, boolean watched, Map<String, String> query) {
        String namespace = "";
        List<String> parts = path;
        if (path.get(0).equals(NAMESPACES) && path.size() > 1) {
            namespace = path.get(1);
            if (path.size() > 2 && !PARTS_OF_NAMESPACES.contains(path.get(2))) {
                parts = path.subList(2, path.size());
            }
        }
        String name = parts.size() > 1 ? parts.get(1) : "";
        String verb = VERBS.getOrDefault(method, "");
        boolean isCollection = name.isEmpty();
        if (isCollection && verb.equals("get")) {
            name = selectedName(query.getOrDefault("fieldSelector", ""));
        }
        Target target = new Target(group, parts.get(0), parts.size() > 2 ? parts.get(2) : "", namespace, name);
        return of(watched ? "watch" : verb(verb, isCollection, query), target);
    }

    private static String verb(String verb, boolean isCollection, Map<String, String> query) {
        if (!isCollection) {
            return verb;
        }
        return switch (verb) {
            case "get" -> isWatch(query) ? "watch" : "list";
            case "delete" -> "deletecollection";
            default -> verb;
        };
    }

    private static boolean isWatch(Map<String, String> query) {
        String watch = query.get("watch");
        return watch != null && !watch.equals("0") && !watch.equalsIgnoreCase("false");
    }

    /** A list of one name is a list of that object. */
    private static String selectedName(String selector) {
        return Arrays.stream(selector.split(","))
                .filter(term -> term.startsWith(NAME_FIELD))
                .map(term -> term.substring(NAME_FIELD.length()))
                .map(name -> name.startsWith("=") ? name.substring(1) : name)
                .findFirst()
                .orElse("");
    }

    /** Returns whether the request is about a resource. */
    public boolean isResource() {
        return !target.resource().isEmpty() || path.isEmpty();
    }

    /** Returns upstream's text for the user, which lacks the permission. */
    public String denial(String user) {
        String who = "User " + GoText.quoted(user) + " cannot " + verb;
        if (!isResource()) {
            return who + " path " + GoText.quoted(path);
        }
        String resource =
                target.subresource().isEmpty() ? target.resource() : target.resource() + "/" + target.subresource();
        return who + " resource " + GoText.quoted(resource) + " in API group " + GoText.quoted(target.group())
                + (target.namespace().isEmpty()
                        ? " at the cluster scope"
                        : " in the namespace " + GoText.quoted(target.namespace()));
    }
}
