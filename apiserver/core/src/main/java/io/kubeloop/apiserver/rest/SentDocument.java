/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The document as a client sent it, with the members that Go's decoder drops. Messages about a refused object show its
 * empty lists and maps. Confined to the thread of the request.
 */
public final class SentDocument {

    private byte @Nullable [] json;

    /** Sets the document, which is JSON. The bytes are not copied. */
    public void set(byte[] document) {
        json = document;
    }

    /** Returns whether the document is known; it is not for a write by the server itself. */
    public boolean isKnown() {
        return json != null;
    }

    /** Returns whether the document may have a member of this name. Does not parse it. */
    public boolean mentions(String name) {
        byte[] document = json;
        return document != null && new String(document, StandardCharsets.UTF_8).contains('"' + name + '"');
    }

    /** Returns the document if it is an object; empty if it is not. Parses it. */
    public JsonObject document() {
        byte[] document = json;
        return document != null && parsed(document) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /** Returns errors whose messages show this document, if it is an object and not {@code null}. Parses it. */
    public FieldErrors errors() {
        return parsed(Objects.requireNonNull(json)) instanceof JsonObject object
                ? new FieldErrors(object)
                : new FieldErrors();
    }

    /** Other readers skip what they do not need, such as the deep end of a schema, so that only this one refuses it. */
    private static JsonValue parsed(byte[] document) {
        try {
            return JsonValue.parse(new String(document, StandardCharsets.UTF_8));
        } catch (DecodeException e) {
            String message = String.valueOf(e.getMessage());
            throw StatusException.badRequest(message.substring(0, Math.min(message.length(), 200)));
        }
    }
}
