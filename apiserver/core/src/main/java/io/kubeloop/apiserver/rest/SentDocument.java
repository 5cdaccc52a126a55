/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The document as a client sent it, with the members that Go's decoder drops. Messages about a refused object show its
 * empty lists and maps. Confined to the thread of the request.
 */
public final class SentDocument {

    private byte @Nullable [] json;
    private @Nullable JsonObject tree;

    /** Sets the document, which is JSON. The bytes are not copied. */
    public void set(byte[] document) {
        json = document;
    }

    /** Sets the document, which was sent in protocol buffers: these have no empty lists and maps. */
    public void set(JsonObject document) {
        tree = document;
    }

    /** Returns whether the document is known; it is not for a write by the server itself. */
    public boolean isKnown() {
        return json != null || tree != null;
    }

    /** Returns whether the document may have a member of this name. Does not parse it. */
    public boolean mentions(String name) {
        byte[] document = json;
        return document == null
                ? tree != null
                : new String(document, StandardCharsets.UTF_8).contains('"' + name + '"');
    }

    /** Returns the document if it is an object; empty if it is not. Parses it, if it was sent as text. */
    public JsonObject document() {
        JsonObject object = object();
        return object == null ? JsonObject.EMPTY : object;
    }

    /** Returns errors whose messages show this {@link #document}, if it is an object and not {@code null}. */
    public FieldErrors errors() {
        JsonObject object = object();
        return object == null ? new FieldErrors() : new FieldErrors(object);
    }

    private @Nullable JsonObject object() {
        byte[] document = json;
        if (document == null) {
            return tree;
        }
        return parsed(document) instanceof JsonObject object ? object : null;
    }

    /** Other readers skip what they do not need, such as the deep end of a schema, so only this one refuses it. */
    private static JsonValue parsed(byte[] document) {
        try {
            return JsonValue.parse(new String(document, StandardCharsets.UTF_8));
        } catch (DecodeException e) {
            String message = String.valueOf(e.getMessage());
            throw StatusException.badRequest(message.substring(0, Math.min(message.length(), 200)));
        }
    }
}
