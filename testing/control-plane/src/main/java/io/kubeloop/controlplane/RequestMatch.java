/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects requests, for {@link Faults#next}.
 *
 * <pre>{@code
 * faults.next(RequestMatch.updates(ResourceTypes.DEPLOYMENTS).named("web")).conflict();
 * }</pre>
 *
 * <p>Immutable.
 */
public final class RequestMatch {

    private static final Pattern PATH = Pattern.compile("(?<version>/api/[^/]+|/apis/[^/]+/[^/]+)"
            + "(?:/namespaces/(?<namespace>[^/]+)(?=/))?/(?<plural>[^/]+)(?:/(?<name>[^/]+))?(?<rest>/.*)?");

    private final String words;
    private final Predicate<ApiRequest> predicate;

    private RequestMatch(String words, Predicate<ApiRequest> predicate) {
        this.words = words;
        this.predicate = predicate;
    }

    /** Selects every request. */
    public static RequestMatch any() {
        return new RequestMatch("any request", request -> true);
    }

    /** Selects the requests for a resource and its subresources, of any verb. */
    public static RequestMatch of(ResourceType<?> type) {
        return new RequestMatch("requests for " + type.plural(), request -> isOf(type, request));
    }

    /** Selects reads of single objects. */
    public static RequestMatch gets(ResourceType<?> type) {
        return of(type).verb("gets", request -> isGet(request) && !name(request).isEmpty());
    }

    /** Selects lists, except streaming lists, which are {@link #watches}. */
    public static RequestMatch lists(ResourceType<?> type) {
        return of(type).verb("lists", request -> isGet(request) && name(request).isEmpty() && !isWatch(request));
    }

    /** Selects watches, including the streaming lists with which informers start. */
    public static RequestMatch watches(ResourceType<?> type) {
        return of(type).verb("watches", RequestMatch::isWatch);
    }

    /** Selects creations. */
    public static RequestMatch creates(ResourceType<?> type) {
        return of(type).verb("creates", request -> request.method().equals("POST"));
    }

    /** Selects updates, patches and applies, of the objects and of their subresources such as {@code status}. */
    public static RequestMatch updates(ResourceType<?> type) {
        return of(type).verb("updates", request -> Set.of("PUT", "PATCH").contains(request.method()));
    }

    /** Selects deletions, of one object and of collections. */
    public static RequestMatch deletes(ResourceType<?> type) {
        return of(type).verb("deletes", request -> request.method().equals("DELETE"));
    }

    private RequestMatch verb(String verb, Predicate<ApiRequest> filter) {
        return new RequestMatch(words.replace("requests for", verb + " of"), predicate.and(filter));
    }

    /** Returns a match that also requires this name in the path. The path of a creation has no name. */
    public RequestMatch named(String name) {
        return new RequestMatch(
                words + " \"" + name + "\"",
                predicate.and(request -> name(request).equals(name)));
    }

    /** Returns a match that also requires this condition, which runs on the threads of the requests. */
    public RequestMatch where(Predicate<ApiRequest> condition) {
        return new RequestMatch(words + " with a condition", predicate.and(condition));
    }

    boolean matches(ApiRequest request) {
        return predicate.test(request);
    }

    private static boolean isGet(ApiRequest request) {
        return request.method().equals("GET");
    }

    static boolean isWatch(ApiRequest request) {
        String watch = request.query().getOrDefault("watch", "false");
        return isGet(request) && !Set.of("false", "0").contains(watch);
    }

    private static boolean isOf(ResourceType<?> type, ApiRequest request) {
        String collection = type.collectionPath("");
        String version = collection.substring(0, collection.lastIndexOf('/'));
        Matcher path = PATH.matcher(request.path());
        return path.matches()
                && path.group("version").equals(version)
                && path.group("plural").equals(type.plural());
    }

    /** Returns the name of the object in the path; empty for none. */
    static String name(ApiRequest request) {
        Matcher path = PATH.matcher(request.path());
        String name = path.matches() ? path.group("name") : null;
        return name == null ? "" : name;
    }

    static String plural(ApiRequest request) {
        Matcher path = PATH.matcher(request.path());
        return path.matches() ? path.group("plural") : "";
    }

    /** Returns words for messages, such as {@code watches of pods}. */
    @Override
    public String toString() {
        return words;
    }
}
