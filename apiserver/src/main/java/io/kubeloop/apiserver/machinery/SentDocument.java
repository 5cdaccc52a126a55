package io.kubeloop.apiserver.machinery;

import io.kubeloop.json.tree.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The document that a client has sent, before the decoder dropped what Go does not keep. Messages about a refused object show its
 * empty lists and maps. Confined to the thread of the request.
 */
public final class SentDocument {

    private byte @Nullable [] json;

    /** Sets the document, which is a JSON object. The bytes are not copied. */
    public void set(byte[] document) {
        json = document;
    }

    /** Returns whether the document is known; it is not for a write by the server itself. */
    public boolean isKnown() {
        return json != null;
    }

    /** Returns errors whose messages show this document. Parses it. */
    public FieldErrors errors() {
        return new FieldErrors(JsonObject.parse(Objects.requireNonNull(json)));
    }
}
