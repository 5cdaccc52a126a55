/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.request.DeleteParameters;
import io.kubeloop.apiserver.registry.request.ListParameters;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ServerWarnings;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entry point for requests: finds the resource and the verb of a request, executes it and returns the response
 * (upstream: {@code apiserver/pkg/endpoints/handlers}).
 *
 * <p>Thread-safe; runs on the caller's thread. Every client error becomes a response, never an exception.
 */
public final class ApiHandler {

    private static final String JSON = "application/json";

    private final ApiBackend backend;
    private final ObjectLister lister;
    private final ObjectWatcher watcher;
    private final ObjectCreator creator;
    private final ObjectUpdater updater;
    private final ObjectDeleter deleter;
    private final CreateOrUpdate createOrUpdate;
    private final ObjectPatcher patcher;
    private final Subresources subresources;
    private final Map<String, SubresourceHandler> virtualResources;

    /** Creates a handler of requests for the resources of a backend. */
    public ApiHandler(ApiBackend backend) {
        this.backend = backend;
        lister = new ObjectLister(backend.storage());
        watcher = new ObjectWatcher(backend);
        creator = new ObjectCreator(backend);
        updater = new ObjectUpdater(backend);
        deleter = new ObjectDeleter(backend);
        createOrUpdate = new CreateOrUpdate(backend, creator, updater);
        patcher = new ObjectPatcher(backend, creator, updater, createOrUpdate);
        subresources = new Subresources(backend, updater, createOrUpdate, patcher);
        virtualResources = Map.copyOf(backend.kinds().virtualResources(backend));
    }

    /**
     * Executes a request and returns the response. Does not wait for anything but admission plug-ins and the locks of
     * the storage.
     */
    public ServerResponse handle(ApiRequest request) {
        return handle(request, UserInfo.ADMIN);
    }

    /**
     * Executes a request of this user and returns the response; see {@link #handle(ApiRequest)}.
     *
     * @param user the client, as it has been authenticated
     */
    public ServerResponse handle(ApiRequest request, UserInfo user) {
        try {
            return execute(request, user);
        } catch (StatusException e) {
            return ServerResponse.Document.of(e);
        }
    }

    private ServerResponse execute(ApiRequest encoded, UserInfo user) {
        ComputedApi computed = backend.registry().computedAt(encoded.path());
        if (computed != null) {
            return ServerResponse.Document.of(200, computed.require(encoded));
        }
        Route route = Route.of(backend.registry(), encoded.method(), encoded.path());
        ResourceStore store = route.store();
        ServerWarnings warnings = new ServerWarnings();
        warnings.addAll(store.strategy().useWarnings());
        try {
            checkAccept(encoded.accept());
            RequestContent content = RequestContent.of(encoded, route.kind(encoded.method()), store.type());
            ApiRequest request = content.request();
            Query query = new Query(request.query(), user, warnings, content.duplicateKeys());
            ServerResponse response = execute(store, route.info(), query, request);
            return response instanceof ServerResponse.Document document
                    ? document.withWarnings(warnings.texts())
                    : response;
        } catch (StatusException e) {
            return ServerResponse.Document.of(e).withWarnings(warnings.texts());
        }
    }

    private ServerResponse execute(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        if (!info.subresource().isEmpty()) {
            return subresources.execute(store, info, query, request);
        }
        SubresourceHandler virtual = virtualResources.get(store.toString());
        if (virtual != null) {
            return virtual.handle(store, info, query, request);
        }
        return info.name().isEmpty() ? collection(store, info, query, request) : object(store, info, query, request);
    }

    private ServerResponse collection(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        return switch (request.method()) {
            case "GET" -> info.isWatch(query) ? watch(store, info, query) : list(store, info, query);
            case "POST" -> create(store, info, query, request);
            case "DELETE" -> deleteCollection(store, info, query, request);
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private ServerResponse object(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        return switch (request.method()) {
            case "GET" -> info.isWatch(query) ? watch(store, info, query) : get(store, info, query);
            case "PUT" -> update(store, info, query, request);
            case "PATCH" -> patcher.patch(store, info, query, request, RestStrategy.Part.MAIN);
            case "DELETE" -> delete(store, info, query, request);
            default -> throw StatusException.methodNotAllowed();
        };
    }

    private ServerResponse get(ResourceStore store, RequestInfo info, Query query) {
        long revision = ListParameters.revisionOfRequest(query.text("resourceVersion"));
        long now = backend.storage().revision();
        if (revision > now) {
            throw StatusException.tooLargeResourceVersion(revision, now);
        }
        return ServerResponse.Document.of(200, store, subresources.require(store, info));
    }

    private ServerResponse list(ResourceStore store, RequestInfo info, Query query) {
        ListParameters parameters = ListParameters.of(query, false);
        return lister.list(store, info.namespace(), Selection.of(store, info, query), parameters);
    }

    private ServerResponse watch(ResourceStore store, RequestInfo info, Query query) {
        ListParameters parameters = ListParameters.of(query, true);
        return watcher.watch(store, info.namespace(), Selection.of(store, info, query), parameters);
    }

    private ServerResponse create(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        if (info.namespace().isEmpty() && store.resource().type().isNamespaced()) {
            throw StatusException.methodNotAllowed();
        }
        WriteOptions options = query.writeOptions("CreateOptions");
        JsonObject body = IncomingObject.read(store, request, options);
        FieldTracking tracking = new FieldTracking(backend, store, "", options);
        StoredObject created = creator.create(store, info.namespace(), body, tracking::created, options);
        return ServerResponse.Document.of(201, store, created)
                .withWarnings(options.warnings().texts());
    }

    private ServerResponse update(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        WriteOptions options = query.writeOptions("UpdateOptions");
        JsonObject body = subresources.readNamed(store, info, request, options);
        return createOrUpdate.replace(store, info, RestStrategy.Part.MAIN, body, options);
    }

    private static DeleteParameters deleteParameters(ResourceStore store, Query query, ApiRequest request) {
        DeleteParameters parameters = DeleteParameters.of(query, body(request));
        if (parameters.propagation().isEmpty()) {
            query.warnings().addAll(store.strategy().deletionWarnings());
        }
        return parameters;
    }

    private ServerResponse delete(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        DeleteParameters parameters = deleteParameters(store, query, request);
        ObjectDeleter.Outcome outcome =
                deleter.delete(store, info.namespace(), info.name(), parameters, query.deletion(body(request)));
        int code = !outcome.gone() && parameters.cascading() ? 202 : 200;
        if (!outcome.gone() || store.strategy().returnsDeletedObject()) {
            return ServerResponse.Document.of(code, store, outcome.object());
        }
        JsonObject details = StatusException.details(store.resource(), info.name())
                .with("uid", Meta.uid(outcome.object().tree()));
        return ServerResponse.Document.of(200, Subresources.success(200, details));
    }

    private ServerResponse deleteCollection(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        if (!store.resource().verbs().contains("deletecollection")
                || (info.namespace().isEmpty() && store.resource().type().isNamespaced())) {
            throw StatusException.methodNotAllowed();
        }
        ListParameters list = ListParameters.of(query, false);
        Selection selection = Selection.of(store, info, query);
        DeleteParameters parameters = deleteParameters(store, query, request);
        WriteOptions options = query.deletion(body(request));
        Consumer<StoredObject> delete = object -> deleteListed(store, object, parameters, options);
        return lister.each(store, info.namespace(), selection, list, delete);
    }

    /** Deletes one object of a collection; another client may have deleted it first. */
    private void deleteListed(
            ResourceStore store, StoredObject object, DeleteParameters parameters, WriteOptions options) {
        try {
            deleter.delete(store, Meta.namespace(object.tree()), Meta.name(object.tree()), parameters, options);
        } catch (StatusException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    /** The HTTP front end creates tables and other formats; this handler returns JSON only. */
    private static void checkAccept(String accept) {
        String lower = accept.toLowerCase(Locale.ROOT);
        if (!lower.isBlank() && !lower.contains(JSON) && !lower.contains("*/*") && !lower.contains("application/*")) {
            throw StatusException.notAcceptable(JSON);
        }
    }

    private static byte @Nullable [] body(ApiRequest request) {
        return request.body() == null ? null : json(request);
    }

    /**
     * Returns the body of a request that must have one, in JSON.
     *
     * @throws StatusException 415 if the body is neither JSON nor in protocol buffers, 400 if the latter is malformed
     */
    public static byte[] json(ApiRequest request) {
        ApiRequest.Body body = request.body();
        if (body == null) {
            return new byte[0];
        }
        String type = body.contentType().toLowerCase(Locale.ROOT);
        if (ApiRequest.isProtobuf(type)) {
            return RequestContent.protobufToJson(body.bytes(), "object");
        }
        if (!type.isBlank() && !type.startsWith(JSON)) {
            throw StatusException.unsupportedMediaType(JSON);
        }
        return body.bytes();
    }
}
