/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A JSON document, or a part of one. Immutable.
 *
 * <p>Equality ignores the order of members and compares numbers by value, so {@code 1}, {@code 1.0} and {@code 1e0} are
 * equal. Documents are nested at most 255 levels deep.
 */
public sealed interface JsonValue permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

    /**
     * Reads one document in UTF-8.
     *
     * @throws io.kubeloop.api.client.DecodeException if the bytes are not exactly one JSON document
     */
    static JsonValue parse(byte[] document) {
        return JsonParser.parse(document);
    }

    /**
     * Reads one document.
     *
     * @throws io.kubeloop.api.client.DecodeException if the text is not exactly one JSON document
     */
    static JsonValue parse(String document) {
        return JsonParser.parse(document.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads one document in UTF-8 up to the end of the stream, and blocks as long as the stream does. Does not close
     * the stream.
     *
     * @throws io.kubeloop.api.client.DecodeException if the stream fails, or does not hold exactly one JSON document
     */
    static JsonValue parse(InputStream document) {
        return JsonParser.parse(document);
    }

    /** Returns the text in UTF-8; see {@link #toString()}. O(n). */
    default byte[] toBytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the text without white space, escaped as by Go's {@code encoding/json}, so equal values have the
     * same bytes in both: {@code <}, {@code >}, {@code &} and the two Unicode line separators as {@code \}{@code
     * uXXXX}. O(n).
     */
    @Override
    String toString();
}
