/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.state.EndState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for.
 *
 * @param verb the verb
 * @param resource the resource, such as {@code pods} or {@code sites.example.com}
 * @param subresource such as {@code status}; empty for the object itself
 * @param namespace the namespace; empty for none
 * @param name the name; empty for a collection. A created object without a name has its {@code generateName} and a star
 */
public record Call(Verb verb, String resource, String subresource, String namespace, String name) {

    /** The verbs, in the words of a report. */
    public enum Verb {
        /** Reads one object. */
        GET,
        /** Reads a collection. */
        LIST,
        /** Watches a collection. */
        WATCH,
        /** Creates an object. */
        CREATE,
        /** Replaces an object. */
        UPDATE,
        /** Patches an object. */
        PATCH,
        /** Applies an object. */
        APPLY,
        /** Deletes an object. */
        DELETE,
        /** Deletes a collection. */
        DELETE_COLLECTION;

        /** Returns whether the verb changes something. */
        public boolean isWrite() {
            return this != GET && this != LIST && this != WATCH;
        }

        @Override
        public String toString() {
            return this == DELETE_COLLECTION ? "delete all" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** Resources whose writes say nothing about the work of an operator. */
    private static final Set<String> NOISE = Set.of("events", "events.events.k8s.io");

    /** Resources whose objects older instances elect one of them by. */
    private static final Set<String> LOCKS = Set.of("configmaps", "endpoints");

    private static final String LEASES = "leases.coordination.k8s.io";

    /** Returns what a request asks for; null if it is not for a resource. */
    public static @Nullable Call of(ApiRequest request) {
        List<String> path = Arrays.asList(request.path().substring(1).split("/", -1));
        int at = path.get(0).equals("api") ? 2 : 3;
        if (path.size() <= at || !Set.of("api", "apis").contains(path.get(0))) {
            return null;
        }
        String group = at == 2 ? "" : "." + path.get(1);
        String namespace = "";
        if (path.get(at).equals("namespaces") && path.size() > at + 2 && !isOfNamespace(path.get(at + 2))) {
            namespace = path.get(at + 1);
            at += 2;
        }
        String name = path.size() > at + 1 ? path.get(at + 1) : "";
        String subresource = path.size() > at + 2 ? String.join("/", path.subList(at + 2, path.size())) : "";
        Verb verb = verb(request, name);
        return new Call(
                verb,
                path.get(at) + group,
                subresource,
                namespace,
                verb == Verb.CREATE && name.isEmpty() ? sentName(request) : name);
    }

    private static boolean isOfNamespace(String subresource) {
        return subresource.equals("status") || subresource.equals("finalize");
    }

    private static Verb verb(ApiRequest request, String name) {
        return switch (request.method()) {
            case "POST" -> Verb.CREATE;
            case "PUT" -> Verb.UPDATE;
            case "PATCH" -> isApply(request) ? Verb.APPLY : Verb.PATCH;
            case "DELETE" -> name.isEmpty() ? Verb.DELETE_COLLECTION : Verb.DELETE;
            default -> isWatch(request) ? Verb.WATCH : name.isEmpty() ? Verb.LIST : Verb.GET;
        };
    }

    private static boolean isApply(ApiRequest request) {
        ApiRequest.Body body = request.body();
        return body != null && body.contentType().startsWith("application/apply-patch");
    }

    private static boolean isWatch(ApiRequest request) {
        return !Set.of("false", "0").contains(request.query().getOrDefault("watch", "false"));
    }

    private static String sentName(ApiRequest request) {
        ApiRequest.Body body = request.body();
        try {
            JsonObject object = body == null ? JsonObject.EMPTY : JsonObject.parse(body.bytes());
            String name = object.string("metadata", "name");
            return name.isEmpty() ? object.string("metadata", "generateName") + "*" : name;
        } catch (DecodeException e) {
            return ""; // the server will reject the body
        }
    }

    /** Returns whether the request only reads or writes an event. */
    public boolean isNoise() {
        return NOISE.contains(resource);
    }

    /** Returns whether the request is for a lease, by which the instances elect one of them. */
    public boolean isLease() {
        return resource.equals(LEASES);
    }

    /** Returns whether the request is for an object that elects an instance, as before there were leases. */
    boolean isLock(ApiRequest request, Storage storage) {
        if (!LOCKS.contains(resource)) {
            return false;
        }
        ApiRequest.Body body = request.body();
        if (body != null && new String(body.bytes(), StandardCharsets.ISO_8859_1).contains(EndState.LEADER)) {
            return true;
        }
        StoredObject object = stored(storage);
        return object != null && EndState.isLock(object.tree().object("metadata"));
    }

    /** Returns the object, such as {@code pods default/web}; the same for all of its subresources. */
    public String object() {
        return resource + " " + key();
    }

    Call inNamespace(String other) {
        return new Call(verb, resource, subresource, other, name);
    }

    /** Returns this call with another name. */
    Call named(String other) {
        return new Call(verb, resource, subresource, namespace, other);
    }

    /** Returns words such as {@code update sites.example.com/status default/shop}. */
    @Override
    public String toString() {
        return verb + " " + path() + (key().isEmpty() ? "" : " " + key());
    }

    /** Returns the object that the request is for, as it is stored; null if there is none. */
    public @Nullable StoredObject stored(Storage storage) {
        return storage.snapshot().of(storage.bucket(resource)).get(key());
    }

    /** Returns resource and subresource, such as {@code pods/status}. */
    String path() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }

    /** Returns namespace and name, such as {@code default/web}. */
    String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
