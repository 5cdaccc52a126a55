/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.fieldmanager.ManagedFields;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.patch.Patches;
import io.kubeloop.apiserver.rest.GoKinds;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.apiserver.typed.MapOrder;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Decodes an object from a client into its stored form (upstream: {@code create.go} and {@code update.go} of {@code
 * apiserver/pkg/endpoints/handlers}). A stored object begins with its kind, its version and its metadata.
 */
public final class IncomingObject {

    private static final String MANAGED = "managedFields";
    private static final List<String> FIRST = List.of("kind", "apiVersion", "metadata");

    /** The number of bytes of an unreadable body that an error shows. */
    private static final int SUMMARY_LENGTH = 30;

    private IncomingObject() {}

    /**
     * Reads the object of a request, which is to be stored, and returns its stored form.
     *
     * @throws StatusException 400 if the body is not an object of this kind, or if unknown fields are not allowed; 415
     *     if it is neither JSON nor in protocol buffers
     */
    public static JsonObject read(ResourceStore store, ApiRequest request, WriteOptions options) {
        return OwnerReferences.ofRequest(decoded(store, request, options), options.warnings());
    }

    private static JsonObject decoded(ResourceStore store, ApiRequest request, WriteOptions options) {
        ApiRequest.Body content = request.body();
        if (content != null && ApiRequest.isProtobuf(content.contentType())) {
            return ofProtobuf(store, content.bytes(), options);
        }
        byte[] body = ApiHandler.json(request);
        options.sent().set(body);
        ResourceType<?> type = store.type();
        JsonObject decoded =
                read(type.apiVersion(), type.kind(), store.definition().decoder(), body, options, identity -> {
                    if (store.definition().decoder().requiresKind()) {
                        requireKind(store, identity, body);
                    }
                });
        return stored(store, withReset(decoded, body));
    }

    /** Reads an object that states the served kind. As upstream, protocol buffers have no unknown fields. */
    private static JsonObject ofProtobuf(ResourceStore store, byte[] body, WriteOptions options) {
        JsonObject decoded;
        try {
            decoded = ProtobufDocument.decode(body);
            store.definition().decoder().check(decoded);
        } catch (DecodeException e) {
            throw StatusException.badRequest(
                    unhandled(
                                    store.type().apiVersion(),
                                    store.type().kind(),
                                    store.type().kind()) + ": " + e.getMessage());
        }
        options.sent().set(decoded);
        return stored(store, decoded);
    }

    /** Returns the beginning of an error about an object that is not of the kind that a request must have. */
    private static String unhandled(String apiVersion, String kind, String wantedKind) {
        return kind + " in version \"" + apiVersion.substring(apiVersion.indexOf('/') + 1)
                + "\" cannot be handled as a " + wantedKind;
    }

    /**
     * Reads an object of a built-in kind, which is not stored.
     *
     * @throws StatusException 400 if the bytes are not an object of this kind, or if unknown fields are not allowed
     */
    public static JsonObject read(String apiVersion, String kind, byte[] body, WriteOptions options) {
        StructSchema type = Objects.requireNonNull(TypeCatalog.kubernetes().type(apiVersion, kind), kind);
        return read(apiVersion, kind, json -> TypedJson.decode(type, json), body, options, identity -> {});
    }

    /**
     * Checks that an object names no other namespace than the path does.
     *
     * @throws StatusException 400 if it does
     */
    public static void requireNamespace(JsonObject object, String namespace) {
        String specified = Meta.namespace(object);
        if (!specified.isEmpty() && !specified.equals(namespace)) {
            throw StatusException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private static JsonObject read(
            String wantedVersion,
            String wantedKind,
            ObjectDecoder decoder,
            byte[] body,
            WriteOptions options,
            Consumer<StatedKind> check) {
        StatedKind identity = identity(wantedKind, body);
        check.accept(identity);
        String kind = identity.kind().isEmpty() ? wantedKind : identity.kind();
        String apiVersion = identity.apiVersion().isEmpty() ? wantedVersion : identity.apiVersion();
        String prefix = unhandled(apiVersion, kind, wantedKind);
        boolean isExpected = kind.equals(wantedKind) && apiVersion.equals(wantedVersion);
        String problem = isExpected || decoder.requiresKind()
                ? null
                : GoKinds.problem(apiVersion, kind, wantedVersion, wantedKind);
        if (problem != null) {
            throw StatusException.badRequest(prefix + ": " + problem);
        }
        TypedJson.Decoded decoded;
        try {
            decoded = decoder.decode(body);
        } catch (DecodeException e) {
            throw StatusException.badRequest(prefix + ": " + e.getMessage());
        }
        checkFields(decoded, options, prefix);
        if (!apiVersion.equals(wantedVersion)) {
            throw otherVersion(apiVersion, wantedVersion);
        }
        return decoded.object();
    }

    /** Treats unknown and duplicate fields as the options require. */
    private static void checkFields(TypedJson.Decoded decoded, WriteOptions options, String prefix) {
        List<String> keys = options.duplicateKeys();
        List<String> errors = new ArrayList<>(keys);
        errors.addAll(decoded.strictErrors());
        if (errors.isEmpty()) {
            return;
        }
        switch (options.fieldValidation()) {
            case STRICT -> {
                List<String> parts = new ArrayList<>(decoded.strictErrors());
                if (!keys.isEmpty()) {
                    parts.add(0, "yaml: unmarshal errors:\n  " + String.join("\n  ", keys));
                }
                throw StatusException.badRequest(prefix + ": strict decoding error: " + String.join(", ", parts));
            }
            case WARN -> options.warnings().addAll(errors);
            case IGNORE -> {}
        }
    }

    /** An empty list of managed fields resets them, but an empty list does not survive the decoding. */
    private static JsonObject withReset(JsonObject decoded, byte[] body) {
        if (ManagedFields.encodedIn(decoded) != null || !new String(body, StandardCharsets.UTF_8).contains(MANAGED)) {
            return decoded;
        }
        return withReset(decoded, JsonObject.parse(body));
    }

    private static JsonObject withReset(JsonObject decoded, JsonObject source) {
        JsonValue managed = source.get("metadata", MANAGED);
        return managed != null && managed.equals(JsonArray.EMPTY) ? Meta.with(decoded, MANAGED, managed) : decoded;
    }

    /**
     * Checks an object that an apply has merged, and returns its stored form.
     *
     * @throws StatusException 500 if a field has the wrong form
     */
    static JsonObject applied(ResourceStore store, JsonObject object, WriteOptions options) {
        ResourceType<?> type = store.type();
        try {
            boolean isTyped = !store.definition().decoder().requiresKind();
            byte[] json = (isTyped ? TypedJson.convert(store.schema(), object) : object).toBytes();
            options.sent().set(json);
            return stored(store, store.definition().decoder().decodeMerged(json).object());
        } catch (DecodeException e) {
            throw StatusException.unclassified("failed to convert new object (" + Meta.namespace(object) + "/"
                    + Meta.name(object) + "; " + (type.group().isEmpty() ? "/" : "") + type.apiVersion() + ", Kind="
                    + type.kind() + ") to proper version (" + type.apiVersion()
                    + "): unable to convert unstructured object to "
                    + (type.group().isEmpty() ? "/" : "")
                    + type.apiVersion() + ", Kind=" + type.kind() + ": " + e.getMessage());
        }
    }

    /**
     * Reads an object that an admission webhook has changed, and returns its stored form. Unknown fields are dropped.
     *
     * @throws DecodeException if a field has the wrong form
     */
    public static JsonObject mutated(ResourceStore store, JsonObject object) {
        return stored(
                store, store.definition().decoder().decode(object.toBytes()).object());
    }

    /**
     * Checks that an object, if it has a built-in kind, has this kind and only its fields.
     *
     * @throws DecodeException if it does not
     */
    public static void requireKnown(ResourceStore store, JsonObject object) {
        ResourceType<?> type = store.type();
        if (store.definition().decoder().requiresKind()) {
            return;
        }
        String kind = object.string("kind");
        String apiVersion = object.string("apiVersion");
        if (!kind.equals(type.kind()) || !apiVersion.equals(type.apiVersion())) {
            throw new DecodeException(
                    "no kind \"" + kind + "\" is registered for version \"" + apiVersion
                            + "\" in scheme \"pkg/runtime/scheme.go:111\"",
                    null);
        }
        String error = store.definition().decoder().decode(object.toBytes()).strictError();
        if (!error.isEmpty()) {
            throw new DecodeException(error, null);
        }
    }

    private static void requireKind(ResourceStore store, StatedKind stated, byte[] body) {
        String expected = store.type().kind();
        String kind = stated.kind();
        if (kind.isEmpty()) {
            String text = new String(body, StandardCharsets.UTF_8);
            throw StatusException.badRequest("the object provided is unrecognized (must be of type " + expected
                    + "): Object 'Kind' is missing in '" + text + "' (" + summary(body) + ")");
        }
        if (stated.apiVersion().isEmpty()) {
            throw otherVersion("", store.type().apiVersion());
        }
        if (!kind.equals(expected)) {
            FieldErrors errors = new FieldErrors();
            errors.invalid("kind", kind, "must be " + expected);
            throw StatusException.invalid(store.type().group(), kind, Meta.name(JsonObject.parse(body)), errors);
        }
    }

    private static StatusException otherVersion(String apiVersion, String expected) {
        return StatusException.badRequest("the API version in the data (" + apiVersion
                + ") does not match the expected API version (" + expected + ")");
    }

    /** Checks that a patched custom resource still states its kind and its version; that of a status states any. */
    private static void requireStated(ResourceType<?> type, JsonObject patched, byte[] json, boolean ofStatus) {
        StatedKind stated = TypedJson.identity(json);
        String kind = stated.kind();
        String apiVersion = stated.apiVersion();
        if (kind.isEmpty()) {
            throw new DecodeException("Object 'Kind' is missing in '" + patched + "'", null);
        }
        if (patched.get("apiVersion") == JsonNull.NULL) {
            throw new DecodeException(".apiVersion accessor error: <nil> is of the type <nil>, expected string", null);
        }
        boolean isIncomplete = apiVersion.isEmpty() || apiVersion.endsWith("/");
        if (isIncomplete && apiVersion.indexOf('/') == apiVersion.lastIndexOf('/')) {
            throw StatusException.internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
        }
        if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
            throw new DecodeException("unexpected GroupVersion string: " + apiVersion, null);
        }
        FieldErrors errors = new FieldErrors();
        if (!kind.equals(type.kind())) {
            errors.invalid("kind", kind, "must be " + type.kind());
        }
        if (!apiVersion.equals(type.apiVersion())) {
            errors.invalid("apiVersion", apiVersion, "must be " + type.apiVersion());
        }
        if (!errors.isEmpty() && !ofStatus) {
            String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
            throw StatusException.invalid(group, kind, Meta.name(patched), errors);
        }
    }

    /**
     * Checks an object that a patch has changed, and returns its stored form.
     *
     * @param patch the patch, for errors
     * @param ofStatus whether only the status will be taken from the object
     * @throws StatusException 422 if a field has the wrong type, or if unknown fields are not allowed
     */
    static JsonObject patched(
            ResourceStore store,
            Patch.Type type,
            Patches.Reading patch,
            JsonObject object,
            boolean ofStatus,
            WriteOptions options) {
        TypedJson.Decoded decoded;
        try {
            boolean isStrategic = type == Patch.Type.STRATEGIC_MERGE;
            byte[] json = (isStrategic ? TypedJson.convert(store.schema(), object) : object).toBytes();
            if (!isStrategic && store.definition().decoder().requiresKind()) {
                requireStated(store.type(), object, json, ofStatus);
                if (ofStatus) {
                    json = object.with("kind", store.type().kind())
                            .with("apiVersion", store.type().apiVersion())
                            .toBytes();
                }
            } else if (!isStrategic) {
                checkKind(store.type(), object);
            }
            options.sent().set(json);
            decoded = store.definition().decoder().decode(json);
        } catch (DecodeException e) {
            throw invalidPatch(text(store, type, patch, object), String.valueOf(e.getMessage()));
        }
        List<String> strictErrors = new ArrayList<>(patch.strictErrors());
        Stream<String> found = decoded.strictErrors().stream();
        (type == Patch.Type.STRATEGIC_MERGE ? found.sorted() : found).forEach(strictErrors::add);
        if (!strictErrors.isEmpty()) {
            switch (options.fieldValidation()) {
                case STRICT ->
                    throw invalidPatch(
                            text(store, type, patch, object),
                            new TypedJson.Decoded(decoded.object(), strictErrors).strictError());
                case WARN -> options.warnings().addAll(strictErrors);
                case IGNORE -> {}
            }
        }
        return stored(store, withReset(decoded.object(), object));
    }

    /** Returns the patched object as errors quote it. */
    private static String text(ResourceStore store, Patch.Type type, Patches.Reading patch, JsonObject object) {
        return Patches.text(type, MapOrder.sorted(store.schema(), object), patch.patch());
    }

    private static void checkKind(ResourceType<?> type, JsonObject patched) {
        StatedKind identity = TypedJson.identity(patched.toBytes());
        String kind = identity.kind().isEmpty() ? type.kind() : identity.kind();
        String apiVersion = identity.apiVersion().isEmpty() ? type.apiVersion() : identity.apiVersion();
        boolean isExpected = kind.equals(type.kind()) && apiVersion.equals(type.apiVersion());
        String problem = isExpected ? null : GoKinds.problem(apiVersion, kind, type.apiVersion(), type.kind());
        if (problem != null) {
            throw new DecodeException(problem, null);
        }
    }

    /** Returns the failure of a patch whose result does not fit its type. */
    static StatusException invalidPatch(String patch, String why) {
        FieldErrors errors = new FieldErrors();
        errors.invalid("patch", patch, why);
        return StatusException.invalid("", "", "", errors);
    }

    private static StatedKind identity(String kind, byte[] body) {
        try {
            return TypedJson.identity(body);
        } catch (DecodeException e) {
            throw StatusException.badRequest("the object provided is unrecognized (must be of type " + kind + "): "
                    + e.getMessage() + " (" + summary(body) + ")");
        }
    }

    /** Returns the beginning of a body for an error: text if it may be JSON, otherwise hexadecimal digits. */
    static String summary(byte[] body) {
        if (body.length == 0) {
            return "<empty>";
        }
        int length = Math.min(body.length, SUMMARY_LENGTH);
        String text = body[0] == '{'
                ? new String(body, 0, length, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(body, 0, length);
        return body.length > length ? text + " ..." : text;
    }

    /** Converts a decoded object from the served form into the stored form. */
    private static JsonObject stored(ResourceStore store, JsonObject decoded) {
        JsonObject metadata = decoded.object("metadata").without("selfLink"); // it no longer exists
        if (!store.type().isNamespaced()) {
            metadata = metadata.without("namespace");
        }
        JsonObject served = decoded.with("kind", store.type().kind())
                .with("apiVersion", store.type().apiVersion())
                .with("metadata", metadata);
        return ordered(store, store.stored(served));
    }

    /** Returns an object in the stored form with its kind, its version and its metadata first. */
    static JsonObject ordered(ResourceStore store, JsonObject object) {
        String apiVersion = store.workingVersion();
        Iterator<String> names = object.members().keySet().iterator();
        for (String first : FIRST) {
            if (!names.hasNext() || !names.next().equals(first)) {
                return ordered(store.type().kind(), apiVersion, object);
            }
        }
        return object.string("apiVersion").equals(apiVersion)
                ? object
                : ordered(store.type().kind(), apiVersion, object);
    }

    private static JsonObject ordered(String kind, String apiVersion, JsonObject object) {
        JsonObject.Builder ordered = JsonObject.builder()
                .put("kind", kind)
                .put("apiVersion", apiVersion)
                .put("metadata", object.object("metadata"));
        object.members().forEach((name, value) -> {
            if (!FIRST.contains(name)) {
                ordered.put(name, value);
            }
        });
        return ordered.build();
    }
}
