/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.openapi.Operation.Exchange;
import io.kubeloop.apiserver.openapi.Operation.Parameter;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derives the operations of one resource and its subresources (upstream: {@code apiserver/pkg/endpoints/installer.go}).
 * Confined to one thread.
 */
final class Operations {

    private static final List<String> OK = List.of("200");
    private static final List<String> CHANGED = List.of("200", "201");
    private static final List<String> CREATED = List.of("200", "201", "202");
    private static final List<String> DELETED = List.of("200", "202");

    /** The HTTP methods of connect subresources such as {@code pods/exec}, by their discovery verb. */
    private static final Map<String, List<String>> CONNECT = Map.of(
            "get", List.of("get"),
            "create", List.of("post"),
            "update", List.of("put"),
            "delete", List.of("delete"),
            "patch", List.of("patch", "options", "head"));

    private final List<Operation> all = new ArrayList<>();
    private final ResourceStore store;
    private final ServedResource resource;
    private final ResourceType<?> type;
    private final @Nullable CustomSchema custom;
    private final Naming naming;
    private final MediaTypes media;
    private final String root;

    private Operations(ResourceStore store, String root) {
        this.store = store;
        this.resource = store.resource();
        this.type = store.type();
        this.custom = store.definition().custom();
        this.naming = new Naming(type.group(), type.version());
        this.media = custom == null ? MediaTypes.BUILT_IN : MediaTypes.CUSTOM;
        this.root = root;
    }

    /**
     * Returns the operations of a resource.
     *
     * @param root the path of its group and version, such as {@code /apis/apps/v1}
     */
    static List<Operation> of(ResourceStore store, String root) {
        Operations operations = new Operations(store, root);
        operations.collect();
        return operations.all;
    }

    private String scope() {
        return type.isNamespaced() ? "Namespaced" : "";
    }

    private String collection(String above) {
        return above + (type.isNamespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
    }

    private void collect() {
        String name = Definitions.ofKind(store);
        String kind = type.kind();
        String collection = collection(root);
        String item = collection + "/{name}";
        JsonObject own = naming.kind(kind);
        if (has("list")) {
            Exchange lists = response(Definitions.ofList(store), media.lists());
            add(collection, "get", "list", scope() + kind, "list", own, Options.list(), lists);
            if (type.isNamespaced()) {
                String everywhere = root + "/" + type.plural();
                add(everywhere, "get", "list", kind + "ForAllNamespaces", "list", own, Options.list(), lists);
            }
        }
        if (has("create")) {
            Exchange creates = exchange(name, media.bodies(), CREATED, name);
            add(collection, "post", "create", scope() + kind, "post", own, Options.create(), creates);
        }
        if (has("deletecollection")) {
            boolean hasBody = custom == null;
            Exchange deletes = hasBody
                    ? new Exchange(
                            Definitions.DELETE_OPTIONS, false, media.bodies(), OK, Definitions.STATUS, media.objects())
                    : response(Definitions.STATUS, media.objects());
            List<Parameter> options = hasBody ? Options.deleteCollection() : Options.list();
            add(
                    collection,
                    "delete",
                    "delete",
                    "Collection" + scope() + kind,
                    "deletecollection",
                    own,
                    options,
                    deletes);
        }
        if (has("get")) {
            List<Parameter> options = custom == null ? List.of() : Options.get();
            add(item, "get", "read", scope() + kind, "get", own, options, response(name, media.objects()));
        }
        if (has("update")) {
            Exchange updates = exchange(name, media.bodies(), CHANGED, name);
            add(item, "put", "replace", scope() + kind, "put", own, Options.update(), updates);
        }
        if (has("delete")) {
            String deleted = Definitions.returnsDeleted(type) ? name : Definitions.STATUS;
            Exchange deletes =
                    new Exchange(Definitions.DELETE_OPTIONS, false, media.bodies(), DELETED, deleted, media.objects());
            add(item, "delete", "delete", scope() + kind, "delete", own, Options.delete(), deletes);
        }
        if (has("patch")) {
            add(item, "patch", "patch", scope() + kind, "patch", own, Options.patch(), patch(name));
        }
        if (has("watch") && custom == null) {
            watches(own);
        }
        resource.subresources().forEach(subresource -> subresource(item, subresource));
    }

    private boolean has(String verb) {
        return resource.verbs().contains(verb);
    }

    private void watches(JsonObject own) {
        String above = root + "/watch";
        String kind = type.kind();
        Exchange events = response(Definitions.WATCH_EVENT, media.lists());
        String collection = collection(above);
        add(collection + "/{name}", "get", "watch", scope() + kind, "watch", own, Options.list(), events);
        add(collection, "get", "watch", scope() + kind + "List", "watchlist", own, Options.list(), events);
        if (type.isNamespaced()) {
            String everywhere = above + "/" + type.plural();
            String rest = kind + "ListForAllNamespaces";
            add(everywhere, "get", "watch", rest, "watchlist", own, Options.list(), events);
        }
    }

    private void subresource(String item, Subresource subresource) {
        String part = subresource.name();
        String path = item + "/" + part;
        String rest = scope() + type.kind() + Naming.capitalized(part);
        if (subresource.kind().endsWith("Options")) {
            connect(path, rest, subresource);
            return;
        }
        JsonObject kind = custom == null
                ? Naming.kind(subresource.group(), subresource.version(), subresource.kind())
                : naming.kind(type.kind());
        String name = part.equals("scale") || custom == null
                ? Definitions.ofKind(subresource.group(), subresource.version(), subresource.kind())
                : Definitions.ofKind(store);
        for (String verb : subresource.verbs()) {
            switch (verb) {
                case "get" -> {
                    boolean isText = part.equals("log");
                    Exchange reads = isText ? response(Operation.TEXT, media.texts()) : response(name, media.objects());
                    List<Parameter> options = custom != null
                            ? Options.get()
                            : isText ? Options.of(Definitions.type(type, type.kind() + "LogOptions")) : List.of();
                    add(path, "get", "read", rest, "get", kind, options, reads);
                }
                case "update" -> {
                    Exchange updates = exchange(name, media.bodies(), CHANGED, name);
                    add(path, "put", "replace", rest, "put", kind, Options.update(), updates);
                }
                case "patch" -> add(path, "patch", "patch", rest, "patch", kind, Options.patch(), patch(name));
                case "create" -> {
                    Exchange creates = exchange(name, media.bodies(), CREATED, name);
                    add(path, "post", "create", rest, "post", kind, Options.create(), creates);
                }
                default -> throw new IllegalStateException("no operation for verb " + verb + " of " + path);
            }
        }
    }

    private void connect(String path, String rest, Subresource subresource) {
        JsonObject kind = Naming.kind(subresource.group(), subresource.version(), subresource.kind());
        List<Parameter> options = Options.of(Definitions.type(type, subresource.kind()));
        Exchange text = new Exchange("", false, MediaTypes.ANY, OK, Operation.TEXT, MediaTypes.ANY);
        for (String verb : subresource.verbs()) {
            for (String method : CONNECT.getOrDefault(verb, List.of())) {
                String named = Naming.capitalized(method) + rest;
                put(path, method, "connect", named, "connect", kind, options, text);
                if (options.stream().anyMatch(option -> option.name().equals("path"))) {
                    put(path + "/{path}", method, "connect", named + "WithPath", "connect", kind, options, text);
                }
            }
        }
    }

    private Exchange response(String name, List<String> produces) {
        return new Exchange("", false, media.bodies(), OK, name, produces);
    }

    private Exchange exchange(String request, List<String> consumes, List<String> codes, String response) {
        return new Exchange(request, true, consumes, codes, response, media.objects());
    }

    private Exchange patch(String name) {
        List<String> codes = custom == null ? CHANGED : OK;
        return exchange(Definitions.PATCH, media.patches(), codes, name);
    }

    private void add(
            String path,
            String method,
            String verb,
            String rest,
            String action,
            JsonObject kind,
            List<Parameter> options,
            Exchange exchange) {
        List<Parameter> parameters = new ArrayList<>(options);
        parameters.add(new Parameter("pretty", false, "string"));
        put(path, method, verb, rest, action, kind, parameters, exchange);
    }

    private void put(
            String path,
            String method,
            String verb,
            String rest,
            String action,
            JsonObject kind,
            List<Parameter> options,
            Exchange exchange) {
        List<Parameter> parameters = new ArrayList<>(options);
        for (String name : List.of("name", "namespace", "path")) {
            if (path.contains("{" + name + "}")) {
                parameters.add(new Parameter(name, true, "string"));
            }
        }
        all.add(new Operation(path, method, naming.id(verb, rest), naming.tag(), action, kind, parameters, exchange));
    }
}
